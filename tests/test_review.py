"""A review's numbers are those of independent solves; its judgements those of its definitions."""

from __future__ import annotations

import json as plain_json
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import pytest
from click.testing import CliRunner

import tute
from strategies import random_full_deal, random_game_deal, random_record, random_switches
from test_report import plain
from test_worlds import Key, automatic_record, expected
from tute import Card, Deal, QuestionError, Review, SafetyReview
from tute.cards import SUITS
from tute.files import to_json
from tute.notation import CAPOTE, Declaration, Move
from tute.report import json
from tute.report import review as report
from tute.results import Blame, ReviewedMove
from tute.solver import Solver
from tute.variants import VARIANTS
from tute_cli.main import main

EXAMPLES = Path(__file__).parent.parent / "examples"
# Where pairs are credited by themselves, or seldom held.
NO_PASSES = {"subastado-parejas", "cuatrola"}
TWO_SIDED = (
    "tute",
    "tute-individual",
    "subastado",
    "subastado-parejas",
    "habanero",
    "cuatrola",
    "guinote",
    "butifarra",
)


def reviewed(deal: Deal, **settings: object) -> Review:
    answer = tute.review(deal, workers=1, memory=4, **({"samples": 0} | settings))  # type: ignore[arg-type]
    assert isinstance(answer, Review)
    return answer


def reviewed_safety(deal: Deal, **settings: object) -> SafetyReview:
    answer = tute.review(deal, workers=1, memory=4, **settings)  # type: ignore[arg-type]
    assert isinstance(answer, SafetyReview)
    return answer


def at(answer: Review, index: int) -> ReviewedMove:
    """The card of a token, not what was passed by before it."""
    return [move for move in answer.moves if move.index == index and not move.automatic][-1]


# -------------------------------------------------------------------- values and costs

Expected = tuple[int, Move | None, int, int, frozenset[Move | None]]


def independent(deal: Deal, objective: str, solver: Solver) -> Iterator[Expected]:
    """Each move with its index, values before and after, and the best ones, from single solves."""
    side = deal.game().side(deal.asked - 1)
    where = 0
    for index, move, position in deal.history():
        answer = solver.solve(position, objective=objective, seat=deal.asked)
        values: dict[Move | None, int] = {}
        for each in answer.cards:
            assert each.value is not None
            values[each.card] = each.value
        best = max if position.turn in side else min
        before = best(values.values())
        calls = [call for call in values if isinstance(call, Declaration)]
        if calls and not isinstance(move, Declaration):
            led = best(value for card, value in values.items() if card not in calls)
            if led != before or calls != [CAPOTE]:
                kept: set[Move | None] = {call for call in calls if values[call] == before}
                yield (
                    where,
                    None,
                    before,
                    led,
                    frozenset(kept | ({None} if led == before else set())),
                )
            values = {card: value for card, value in values.items() if card not in calls}
            before = led
        if index is not None or values[move] != before:
            kept = {card for card, value in values.items() if value == before}
            yield where, move, before, values[move], frozenset(kept)
        where += index is not None


def told(answer: Review) -> Iterator[tuple[int, Move | None, int | None, int | None, object]]:
    for move in answer.moves:
        best = frozenset(move.best)
        yield move.index, move.card, move.value_before, move.value_after, best


def records(variant_id: str, number: int) -> Iterator[Deal]:
    """Random endings played out, explicit and automatic in turn, under random switches."""
    rng = Random(f"review {variant_id}")
    declares = VARIANTS[variant_id].cantes == "declared"
    for count in range(number):
        thrown = random_switches(rng, variant_id)
        deal = random_game_deal(rng, variant_id, rng.choice((2, 3, 4)), switches=thrown)
        if declares and count % 4 < 2 and count < number // 2:
            deal = with_two_pairs(rng, variant_id)
        if count % 2:
            yield random_record(rng, deal, rng.choice((5, 40)))
        else:
            yield automatic_record(rng, deal, rng.choice((5, 40)))


def with_two_pairs(rng: Random, variant_id: str) -> Deal:
    """A deal whose leader holds two pairs and an as, sometimes with a seven to exchange."""
    variant = VARIANTS[variant_id]
    players = 2 if variant.stock else 4 if variant.id == "cuatrola" else min(variant.players)
    trump, second, third = rng.sample(SUITS, 3)
    kept = [rank + suit for suit in (rng.choice((trump, third)), second) for rank in variant.pair]
    deck = [card for card in variant.deck(players, variant.rules, trump).cards if card not in kept]
    rng.shuffle(deck)
    top = [Card("A" + trump), Card("7" + trump)] if variant.stock else [Card("A" + trump)]
    rest = [card for card in deck if card not in top]
    size = len(kept) + len(top)
    hands: list[Sequence[str]] = [[*kept, *top]]
    hands += [rest[at * size : (at + 1) * size] for at in range(players - 1)]
    left = rest[(players - 1) * size :]
    stock: list[Card] = []
    if variant.stock:
        shown = next(card for card in left if card.suit == trump)
        stock = [*[card for card in left if card != shown][: players - 1], shown]
    thrown = {"cante_per_trick": rng.choice(("one", "several"))}
    return Deal(variant=variant_id, trump=trump, hands=hands, stock=stock, rules=thrown)


@pytest.mark.parametrize("variant_id", TWO_SIDED)
def test_every_number_is_that_of_a_solve(variant_id: str) -> None:
    assert_numbers_are_those_of_solves(variant_id, 60)


@pytest.mark.long
@pytest.mark.parametrize("variant_id", TWO_SIDED)
def test_very_many_numbers_are_those_of_solves(variant_id: str) -> None:
    assert_numbers_are_those_of_solves(variant_id, 600)


def assert_numbers_are_those_of_solves(variant_id: str, number: int) -> None:
    solver = Solver(memory=4)
    rng = Random(f"objectives {variant_id}")
    looked = passed = 0
    for deal in records(variant_id, number):
        objective = rng.choice((None, *deal.variant.objectives))
        if deal.variant.sides == "alone" and objective is None:
            objective = "points"
        try:
            answer = reviewed(deal, objective=objective)
        except QuestionError:
            continue
        objective = answer.walk.objective
        assert list(told(answer)) == list(independent(deal, objective, solver))
        dealt = solver.solve(deal.start(), objective=objective, seat=deal.asked)
        assert answer.value_dealt == (dealt.value if deal.played else answer.value_final)
        final = solver.solve(deal, objective=objective)
        assert answer.value_final == final.value
        for move in answer.moves:
            before, after = move.value_before, move.value_after
            assert before is not None
            assert after is not None
            mine = move.seat in answer.walk.side
            assert move.cost == (before - after if mine else after - before) >= 0
        looked += 1
        passed += any(move.card is None for move in answer.moves)
    assert looked >= number // 3
    assert passed or VARIANTS[variant_id].cantes == "none" or variant_id in NO_PASSES


@pytest.mark.parametrize("variant_id", ["tute", "subastado", "subastado-parejas", "cuatrola"])
def test_whole_deals_agree_with_solves_of_the_record_cut_short(variant_id: str) -> None:
    rng = Random(f"whole {variant_id}")
    deal = random_record(rng, random_full_deal(rng, variant_id, switches={}), 60)
    answer = reviewed(deal)
    assert answer.value_dealt == tute.solve(deal.replace(played="")).value
    first: dict[int, ReviewedMove] = {}
    for move in answer.moves:
        first.setdefault(move.index, move)
    for index in rng.sample(sorted(first), 5):
        cut = deal.replace(played=deal.played[:index], cantes="explicit")
        assert first[index].value_before == tute.solve(cut, memory=8).value
        cut = deal.replace(played=deal.played[: index + 1], cantes="explicit")
        assert at(answer, index).value_after == tute.solve(cut, memory=8).value


def test_forced_is_what_left_no_choice() -> None:
    rng = Random("forced")
    duties = set()
    for _ in range(20):
        deal = random_record(rng, random_game_deal(rng, "tute", 4, switches={}), 16)
        positions = {index: position for index, _, position in deal.history()}
        for move in reviewed(deal).moves:
            position = positions[move.index]
            if isinstance(move.card, Card):
                cards, duty = position.duty()
                assert move.forced == (len(cards) == 1)
                assert move.duty == (duty or ("only card" if move.forced else None))
                duties.add(move.duty)
            else:
                assert not move.forced
    assert duties >= {None, "only card", "asistir", "montar", "fallar"}


# -------------------------------------------------------------------- declarations passed by


def test_a_twenty_not_declared_is_a_move() -> None:
    deal = Deal(
        variant="tute",
        trump="oros",
        hands=["bA cRC", "b4 c45", "b5 c67", "b6 e45"],
        played="Ab 4b 5b 6b Rc",
        cantes="explicit",
    )
    passed, led = reviewed(deal).moves[-2:]
    assert (passed.index, passed.card, passed.cost, passed.best) == (4, None, 20, ("*20c",))
    assert not passed.forced
    assert (led.index, led.card, led.cost) == (4, "Rc", 0)
    assert passed.value_after == led.value_before
    declared = reviewed(deal.replace(played="Ab 4b 5b 6b *20c Rc", cantes=None))
    assert [move.card for move in declared.moves[-2:]] == ["*20c", "Rc"]
    assert declared.value_final == (reviewed(deal).value_final or 0) + 20


def test_the_wrong_twenty_first_is_nobody_s_fault() -> None:
    deal = Deal.read(EXAMPLES / "subastado-two-twenties.toml")
    line = tute.solve(deal.replace(played=[*deal.played, "*20c"])).line
    cards = [move for move in line if isinstance(move, Card)]
    answer = reviewed(deal.replace(played=[*deal.played, *cards], cantes="auto"), samples=5)
    wrong = [move for move in answer.moves if move.automatic]
    assert [(move.card, move.index, move.cost) for move in wrong] == [("*20c", 3, 10)]
    assert wrong[0].blameless
    assert wrong[0].blame is None
    assert sum(player.cost for player in answer.players) == 0
    shown = plain_json.loads(msgspec.json.encode(json.review(answer)))
    assert [move["automatic"] for move in shown["moves"] if move["index"] == 3] == [True, False]


def test_a_capote_not_announced_is_a_move_only_if_it_cost_something() -> None:
    rng = Random("capote")
    costly = silent = 0
    for _ in range(12):
        deal = random_game_deal(
            rng, "habanero", 8, 2, {"capote": "last8"}, stock=0, carried=False, history=False
        )
        answer = reviewed(random_record(rng, deal, 2), objective="win")
        passes = [move for move in answer.moves if move.card is None]
        costly += bool(passes)
        silent += not passes
        assert all(move.cost for move in passes)
    assert silent


# -------------------------------------------------------------------- what decided the hand


def test_with_a_bid_what_breaks_or_gives_back_the_contract_is_decisive() -> None:
    deal = Deal.read(EXAMPLES / "record-subastado.toml")
    answer = reviewed(deal)
    assert [(move.index, move.card, move.cost) for move in answer.decisive] == [
        (0, "So", 2),
        (9, "Ro", 7),
    ]
    assert [(move.made_before, move.made_after) for move in answer.decisive] == [
        (False, True),
        (True, False),
    ]
    assert [player.decisive for player in answer.players] == [1, 1, 0]
    assert answer.contract
    # The same for the defenders, and with the bid that the play makes after all.
    assert [move.index for move in reviewed(deal.replace(seat=1)).decisive] == [0, 9]
    assert reviewed(deal.replace(bid=74)).decisive == ()


@pytest.mark.parametrize("variant_id", ["subastado", "subastado-parejas", "cuatrola"])
def test_decisive_moves_are_those_of_the_question_who_wins(variant_id: str) -> None:
    rng = Random(f"decisive {variant_id}")
    turned = 0
    for _ in range(12):
        contract = "cuatrola" if variant_id == "cuatrola" else None
        deal = random_game_deal(rng, variant_id, 4, switches={}, contract=contract, history=False)
        deal = random_record(rng, deal, 40)
        if contract is not None:
            deal = deal.replace(tricks=[3, 3, 3, 3][: deal.players])
        if deal.bid is not None:
            total = sum(
                deal.position().totals()[p] for p in deal.game().side((deal.declarer or 1) - 1)
            )
            deal = deal.replace(bid=max(1, total + rng.choice((-3, 0, 1, 6))))
        declarer = deal.declarer or 1
        answer = reviewed(deal)
        made = {
            index: tute.solve(position, objective="win", seat=declarer, memory=1).value
            for index, _, position in deal.history()
        }
        made[len(deal.played)] = tute.solve(deal.position(), objective="win", seat=declarer).value
        changes = [index for index in range(len(deal.played)) if made[index] != made[index + 1]]
        assert [move.index for move in answer.decisive] == changes
        turned += bool(changes)
    assert turned


def test_without_a_bid_the_costliest_moves_are_decisive() -> None:
    rng = Random("costliest")
    for _ in range(10):
        deal = random_record(rng, random_game_deal(rng, "guinote", 4, stock=0), 16)
        answer = reviewed(deal, objective="points" if not deal.carried else "win")
        most = max((move.cost or 0 for move in answer.moves), default=0)
        costliest = [move for move in answer.moves if most and move.cost == most]
        assert list(answer.decisive) == costliest
        assert not answer.contract


# -------------------------------------------------------------------- blame


def test_a_guess_that_only_open_cards_show_is_blameless() -> None:
    # Nothing tells copas from espadas in the hand of seat 1; seat 2 happens to hold the as.
    deal = Deal(
        variant="tute",
        trump="oros",
        hands=["4c 4e", "Ac 5c", "Ae 5e", "6c 6e"],
        played="4c Ac Ae 6c 5c 5e 6e 4e",
    )
    move = reviewed(deal, samples=200).moves[0]
    assert (move.cost, move.decisive, move.blameless) == (32, True, True)
    assert move.blame is not None
    assert (move.blame.deals, move.blame.wanted, move.blame.better) == (200, 200, ())
    (gain,) = move.blame.gains
    assert gain.move == "4e"
    assert abs(gain.mean) <= 2 * gain.error


def test_an_as_thrown_on_a_trick_of_the_others_is_blameworthy() -> None:
    deal = Deal(
        variant="tute",
        trump="oros",
        hands=["Ab 6c", "5b 3o", "6b 7e", "Ac 4c"],
        played="Ab 5b 6b Ac 6c 3o 7e 4c",
        names=["Ana", "Blas", "Cruz", "Dani"],
    )
    answer = reviewed(deal, samples=200)
    move = at(answer, 3)
    assert (move.cost, move.blameless) == (11, False)
    assert move.blame is not None
    assert [gain.move for gain in move.blame.better] == ["4c"]
    assert move.blame.better[0].sure
    assert answer.players[3].blamed == 1
    assert answer.players[3].blameless == 0


def test_gains_are_those_of_all_deals_that_fit() -> None:
    rng = Random("gains")
    judged = 0
    while judged < 4:
        deal = random_game_deal(rng, "tute", 3, switches={}, history=False)
        deal = random_record(rng, deal, 12)
        answer = reviewed(deal, samples=200, seed=3)
        for move in answer.moves:
            if move.blame is None or move.card is None or move.index < 4:
                continue
            judged += 1
            worlds = expected(deal, move.index)
            for gain in move.blame.gains:
                mean, spread = _exact_gain(deal, move, gain.move, worlds)
                assert abs(gain.mean - mean) <= 4 * spread / 200**0.5 + 1e-9
                assert gain.error == pytest.approx(spread / 200**0.5, rel=0.4, abs=0.05)


def _exact_gain(
    deal: Deal, move: ReviewedMove, other: Move | None, worlds: Counter[Key]
) -> tuple[float, float]:
    """The mean gain over every deal that fits, and its standard deviation."""
    position = next(p for index, _, p in deal.history() if index == move.index)
    sign = 1 if move.seat in (deal.asked, (deal.asked + 1) % 4 + 1) else -1
    numbers: list[tuple[int, int]] = []
    for (hands, *_), ways in worlds.items():
        there = replace(position, hands=hands)
        values: dict[Move | None, int] = {
            each.card: each.value
            for each in tute.solve(there, seat=deal.asked, memory=1).cards
            if each.value is not None
        }
        if other is None:
            rest = [value for card, value in values.items() if isinstance(card, Card)]
            values[None] = max(rest) if sign == 1 else min(rest)
        gained = sign * (values[other] - values[move.card])
        numbers.append((gained, ways))
    total = sum(ways for _, ways in numbers)
    mean = sum(gained * ways for gained, ways in numbers) / total
    spread = sum(ways * (gained - mean) ** 2 for gained, ways in numbers) / total
    return mean, spread**0.5


def test_the_same_seed_gives_the_same_judgement_on_any_number_of_threads() -> None:
    deal = random_record(Random(5), random_game_deal(Random(5), "tute", 5, switches={}), 20)
    one = reviewed(deal, samples=60, seed=1)
    two = tute.review(deal, samples=60, seed=1, workers=3, memory=4)
    other = reviewed(deal, samples=60, seed=2)
    assert isinstance(two, Review)
    assert any(move.blame for move in one.moves)
    assert one.moves == two.moves
    assert one.moves != other.moves
    assert [move.cost for move in one.moves] == [move.cost for move in other.moves]


def test_without_samples_nobody_is_judged() -> None:
    deal = random_record(Random(5), random_game_deal(Random(5), "tute", 5, switches={}), 20)
    answer = reviewed(deal)
    assert any(move.cost for move in answer.moves)
    for move in answer.moves:
        assert move.blame is None
        assert move.blameless is (None if move.cost and not move.forced else True)
    assert all(player.blamed == 0 for player in answer.players)


def test_the_widow_s_discard_is_judged_like_a_card() -> None:
    deal = random_game_deal(
        Random(8), "subastado", 4, switches={"subastado_widow": True}, widow=True, history=False
    )
    for seed in range(20):
        record = random_record(Random(seed), deal, 12)
        answer = reviewed(record, samples=20)
        put_away = answer.moves[0]
        if put_away.cost:
            assert put_away.card == record.played[0]
            assert put_away.blame is not None
            assert put_away.blame.deals == 20
            return
    raise AssertionError("no discard cost anything")


# -------------------------------------------------------------------- players, trumps, what if


def test_players_sums_are_those_of_their_moves() -> None:
    rng = Random("players")
    for variant_id in ("tute", "cuatrola"):
        deal = random_game_deal(rng, variant_id, 5, 4, switches={}, contract="solo")
        answer = reviewed(random_record(rng, deal, 20), samples=20)
        for player in answer.players:
            own = [m for m in answer.moves if m.seat == player.seat and not m.automatic]
            assert player.cost == sum(m.cost or 0 for m in own)
            assert player.choices == sum(not m.forced for m in own)
            assert player.kept == sum(not m.forced and m.cost == 0 for m in own)
            assert player.decisive == sum(m.decisive is True for m in own)
            assert player.blameless + player.blamed == sum(bool(m.cost) for m in own)
            if player.choices:
                assert player.accuracy == 100 * player.kept / player.choices
            else:
                assert player.accuracy is None
        assert answer.lost == sum(p.cost for p in answer.players if p.seat in answer.walk.side)
        assert (answer.value_final or 0) - (answer.value_dealt or 0) == (answer.given or 0) - (
            answer.lost or 0
        )
        assert [player.seat for player in answer.players] == [
            seat for seat in (1, 2, 3, 4) if seat - 1 != deal.sleeper
        ]


def test_the_choice_of_trumps_is_that_of_the_table() -> None:
    deal = random_game_deal(Random(2), "subastado", 4, switches={}, history=False)
    deal = deal.replace(declarer=2, seat=None, points=[0] * 3, tricks=[0] * 3, declared="")
    choice = reviewed(deal).trump
    assert choice is not None
    rows = {row.trump: row for row in tute.table(deal).rows if row.declarer == 2}
    assert {row.trump: row.value for row in choice.rows} == {t: r.value for t, r in rows.items()}
    assert choice.chosen.trump == deal.trump
    assert choice.cost == max(r.lower for r in rows.values()) - rows[deal.trump].lower
    assert {row.trump for row in choice.best} == {
        trump for trump, row in rows.items() if row.value == choice.best[0].value
    }
    assert reviewed(deal.replace(tricks=[1, 0, 0])).trump is None


@pytest.mark.parametrize("variant_id", ["tute", "butifarra", "guinote"])
def test_a_side_s_trumps_are_those_of_its_table(variant_id: str) -> None:
    deal = random_game_deal(Random(4), variant_id, 3, 4, switches={}, stock=0, history=False)
    deal = deal.replace(seat=2, declarer=None)
    if deal.carried is not None:
        deal = deal.replace(carried=None)
    choice = reviewed(deal).trump
    assert choice is not None
    rows = {row.trump: row.value for row in tute.table(deal).rows if row.declarer == 2}
    assert {row.trump: row.value for row in choice.rows} == rows
    told = plain(report.review(reviewed(deal)))
    assert "Triunfo: seats 2 and 4 could make" in told
    assert "the choice cost" not in told
    named = plain(report.review(reviewed(deal.replace(declarer=2))))
    assert ("the choice cost" in named) == bool(choice.cost)


def test_what_if_is_the_value_of_the_other_card_and_the_line_after_it() -> None:
    rng = Random("what if")
    for _ in range(8):
        deal = random_record(rng, random_game_deal(rng, "tute", 4, switches={}), 12)
        positions = {index: position for index, _, position in deal.replay()}
        if not positions:
            continue
        index = rng.choice(sorted(positions))
        move = rng.choice(positions[index].legal())
        (other,) = reviewed(deal, what_if=[(index, str(move))]).what_if
        after = positions[index].play(move)
        assert other.value == tute.solve(after, seat=deal.asked).value
        assert (other.index, other.seat, other.card) == (index, positions[index].to_move, move)
        assert other.line[0] == move
        position = positions[index]
        for played in other.line:
            position = position.play(played)
        assert position.over
        side = deal.game().side(deal.asked - 1)
        assert sum(position.totals()[place] for place in side) == other.value
        sign = 1 if positions[index].turn in side else -1
        played_value = tute.solve(positions[index].play(deal.played[index]), seat=deal.asked).value
        assert other.gain == sign * (other.value - (played_value or 0))
        best = tute.solve(positions[index], seat=deal.asked).value
        assert other.cost == abs(other.value - (best or 0))


def test_what_if_refuses_what_cannot_be() -> None:
    deal = Deal.read(EXAMPLES / "record-subastado.toml")
    with pytest.raises(QuestionError, match=r"^what if: move 2: .*asistir; allowed: 5o$"):
        tute.review(deal, samples=0, what_if=[(2, "Ac")])
    with pytest.raises(QuestionError, match=r"^what if: move 0: .*Zz"):
        tute.review(deal, samples=0, what_if=[(0, "Zz")])
    with pytest.raises(
        QuestionError, match="what if: no token 36 in the record; there are 0 to 35"
    ):
        tute.review(deal, samples=0, what_if=[(36, "Ac")])
    with pytest.raises(QuestionError, match="samples"):
        tute.review(deal, samples=-1)


def test_a_renuncio_ends_the_review_and_is_told() -> None:
    deal = Deal.read(EXAMPLES / "record-renuncio.toml")
    answer = reviewed(deal)
    assert not answer.legal
    assert answer.renuncio is not None
    assert answer.renuncio.refusal is not None
    assert (answer.renuncio.refusal.index, answer.renuncio.refusal.duty) == (7, "fallar")
    assert answer.moves[-1].index == 6
    assert answer.deal.played == deal.played[:7]
    told = plain(report.review(answer))
    assert "A renuncio. Fallar: whoever is void in the suit led must trump." in told


def test_a_limit_leaves_open_what_is_not_known() -> None:
    deal = Deal.read(EXAMPLES / "record-subastado.toml")
    cancel = threading.Event()
    cancel.set()
    stopped = tute.review(deal, time_limit=0)
    assert isinstance(stopped, Review)
    assert not stopped.complete
    assert stopped.moves[0].value_before is None
    assert stopped.moves[0].cost is None
    assert stopped.decisive == ()
    assert stopped.value_final == 74
    assert all(move.blame is None for move in stopped.moves)
    assert "Stopped before everything was known." in plain(report.review(stopped))
    msgspec.json.encode(json.review(stopped))
    assert not tute.review(deal, cancel=cancel, samples=1000).complete
    asked = reviewed(deal)
    assert asked.complete


def test_progress_counts_up_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    deal = random_record(Random(5), random_game_deal(Random(5), "tute", 5, switches={}), 20)
    answer = tute.review(deal, samples=40, progress=lambda done, total: seen.append((done, total)))
    assert isinstance(answer, Review)
    moments = len(answer.walk.moments)
    assert seen[0] == (1, moments)
    costly = sum(move.blame is not None for move in answer.moves)
    assert seen[-1] == (moments + 2 * costly,) * 2
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


# -------------------------------------------------------------------- not to lose


@pytest.mark.parametrize("variant_id", ["cabron", "cabrero", "tute-individual"])
def test_safety_is_that_of_safe(variant_id: str) -> None:
    rng = Random(f"safety {variant_id}")
    turned = 0
    for _ in range(8):
        deal = random_record(rng, random_game_deal(rng, variant_id, 3), 12)
        objective = "win" if variant_id == "tute-individual" else None
        answer = reviewed_safety(deal, objective=objective)
        for index, move, position in deal.replay():
            step = answer.steps[index]
            safe = tute.safe(position, workers=1)
            assert (step.index, step.card, step.seat) == (index, move, position.to_move)
            assert step.before == tuple(player.safe for player in safe.players)
            assert dict(step.cards) == {each.card: each.safe for each in safe.cards}
            assert step.best == tuple(move for move in position.legal() if move in safe.safe_cards)
        assert [step.before for step in answer.steps[1:]] == [s.after for s in answer.steps[:-1]]
        assert [s.index for s in answer.decisive] == [
            s.index for s in answer.steps if s.before != s.after
        ]
        turned += bool(answer.decisive)
        end = deal.position()
        lost = tuple(sorted(end.losers())) if end.over and objective is None else None
        assert answer.losers == lost
        for player in answer.players:
            own = [s for s in answer.steps if s.seat == player.seat]
            assert player.lost == sum(player.seat in s.lost for s in own)
            chosen = [s for s in own if s.before[player.seat - 1] and len(s.cards) > 1]
            assert (player.choices, player.kept) == (len(chosen), len(chosen) - player.lost)
            others = [seat for s in own for seat in s.gained]
            assert player.gave == len(others)
            assert player.took == sum(len(s.lost) - (player.seat in s.lost) for s in own)
        shown = plain(report.review(answer))
        assert ("lost safety" in shown) == any(s.seat in s.lost for s in answer.steps)
        assert len(report.remarks(answer)) == len(answer.steps)
        assert len(report.summary(answer).rows) == deal.players
        msgspec.json.encode(json.review(answer))
    assert turned


def test_what_if_in_a_game_not_to_lose() -> None:
    deal = Deal.read(EXAMPLES / "cabron.toml")
    position = deal.replace(played=deal.played[:21]).position()
    answer = reviewed_safety(deal, what_if=[(21, "Re")])
    (other,) = answer.what_if
    safe = [player.safe for player in tute.safe(position.play("Re")).players]
    assert list(other.safe) == safe
    assert safe[2]
    for move in other.line:
        position = position.play(move)
    assert position.over
    assert 3 not in position.losers()
    assert "What if, move 21: seat 3 plays Re: then safe: seats" in plain(report.review(answer))
    with pytest.raises(QuestionError, match="played not to lose"):
        tute.review(deal, objective="points")


# -------------------------------------------------------------------- matches and reports


def match_of_three() -> list[Deal]:
    names = [["Ana", "Blas", "Cruz"], ["Blas", "Cruz", "Ana"], ["Cruz", "Ana", "Blas"]]
    hands = []
    for seed, seated in enumerate(names):
        deal = random_game_deal(Random(seed), "subastado", 4, switches={}, history=False)
        record = random_record(Random(seed), deal, 20)
        hands.append(record.replace(names=seated, title=f"Hand of {seated[0]}"))
    return hands


def test_a_match_sums_by_name() -> None:
    hands = match_of_three()
    match = tute.review_match(hands, samples=10, workers=1)
    singles = [reviewed(hand, samples=10) for hand in hands]
    assert [hand.moves for hand in match.hands if isinstance(hand, Review)] == [
        hand.moves for hand in singles
    ]
    assert [player.name for player in match.players] == ["Ana", "Blas", "Cruz"]
    for player in match.players:
        own = [
            one
            for hand in singles
            for one in hand.players
            if hand.deal.names[one.seat - 1] == player.name
        ]
        assert (player.hands, player.seat) == (3, None)
        assert player.cost == sum(one.cost for one in own)
        assert player.choices == sum(one.choices for one in own)
        assert player.kept == sum(one.kept for one in own)
        assert player.decisive == sum(one.decisive for one in own)
        assert player.blameless == sum(one.blameless for one in own)
        assert player.blamed == sum(one.blamed for one in own)
    told = plain(report.match(match))
    assert "Hand 2, Hand of Blas:" in told
    assert told.count("\nAna ") == 1


def test_a_renuncio_ends_its_own_hand_only() -> None:
    hands = [Deal.read(EXAMPLES / "record-renuncio.toml"), Deal.read(EXAMPLES / "cabron.toml")]
    match = tute.review_match(hands, samples=0)
    assert [hand.legal for hand in match.hands] == [False, True]
    assert not match.legal
    assert [(player.name, player.seat, player.hands) for player in match.players] == [
        ("", 1, 2),
        ("", 2, 2),
        ("", 3, 2),
        ("", 4, 1),
    ]
    assert "breaks fallar; reviewed up to there." in plain(report.match(match))


def test_remarks_and_summary_say_what_the_report_says() -> None:
    deal = Deal.read(EXAMPLES / "record-subastado.toml")
    answer = reviewed(deal, samples=200)
    remarks = report.remarks(answer)
    assert len(remarks) == len(answer.walk.moments)
    assert [number for number, remark in enumerate(remarks) if remark.decisive] == [0, 9]
    assert remarks[2].sentences == ("Forced: asistir.",)
    assert remarks[33].sentences == ("Forced: the only card.",)
    decisive, blame = remarks[9].sentences
    assert decisive == "Decisive: move 9, Ro of seat 2, broke the contract."
    assert blame.startswith("Avoidable: over 200 deals that fit")
    assert remarks[0].sentences[1].startswith("Blameless: over 200 deals that fit")
    summary = report.summary(answer)
    assert summary.sentences[0] == "Seat 2: 79 as dealt, 74 as played."
    assert len(summary.rows) == 3
    assert all(len(row) == len(summary.head) for row in summary.rows)
    told = plain(report.review(answer))
    for sentence in (*summary.sentences, decisive, blame):
        assert sentence in told
    assert (
        "9       4     2       Ro    81 -> 74      7  decisive; better: 3e, Cb, 4b; avoid" in told
    )


@pytest.mark.parametrize("variant_id", TWO_SIDED)
def test_every_kind_of_review_can_be_told(variant_id: str) -> None:
    for deal in records(variant_id, 8):
        try:
            answer = reviewed(deal, samples=3, objective="win" if deal.carried else None)
        except QuestionError:
            continue
        told = plain(report.review(answer))
        assert "None" not in told
        assert len(report.remarks(answer)) == len(answer.walk.moments)
        assert len(report.summary(answer).rows) == len(answer.players)
        shown = plain_json.loads(msgspec.json.encode(json.review(answer)))
        assert [move["index"] for move in shown["moves"]] == [m.index for m in answer.moves]


def test_too_few_deals_are_no_judgement() -> None:
    deal = Deal.read(EXAMPLES / "subastado-blameless.toml")
    answer = reviewed(deal, samples=20)
    (costly,) = [move for move in answer.moves if move.cost]
    assert costly.blameless
    few = replace(costly, blame=Blame(wanted=20, deals=3, objective="win", gains=()))
    assert few.blameless is None
    told = plain(report.review(replace(answer, moves=(few,))))
    assert "Not judged: only 3 of 20 deals were found that fit what was seen." in told
    assert "blameless;" not in told


def test_names_from_a_file_steer_nothing() -> None:
    deal = Deal.read(EXAMPLES / "record-subastado.toml")
    deal = deal.replace(names=["\x1b[31mAna\n", "[bold]B[/bold]", "C"], title="\x1b]0;x\x07")
    answer = reviewed(deal)
    told = plain(report.review(answer)) + plain(report.match(tute.review_match([deal], samples=0)))
    assert "\x1b" not in told
    assert "\x07" not in told
    assert "[bold]B[/bold]" in told


# -------------------------------------------------------------------- the command


def run(*arguments: str, given: str | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["review", *arguments], input=given)
    return result.exit_code, result.stdout, result.stderr


def test_the_command_answers_in_json() -> None:
    file = str(EXAMPLES / "record-subastado.toml")
    status, out, _ = run(file, "--json", "--samples", "0", "--what-if", "9=3e", "--what-if", "0=Rc")
    assert status == 0
    shown = plain_json.loads(out)
    assert shown["format"] == "tute.review.v1"
    assert (shown["value_dealt"], shown["value_final"]) == (79, 74)
    assert shown["decisive"] == [0, 9]
    assert [move["index"] for move in shown["moves"]] == list(range(36))
    ninth = shown["moves"][9]
    assert (ninth["seat"], ninth["card"], ninth["cost"]) == (2, "Ro", 7)
    assert (ninth["best"], ninth["forced"], ninth["duty"]) == (["3e", "Cb", "4b"], False, None)
    assert (ninth["decisive"], ninth["blameless"], ninth["blame"]) == (True, None, None)
    second = shown["moves"][2]
    assert (second["forced"], second["duty"]) == (True, "asistir")
    assert [other["value"] for other in shown["what_if"]] == [81, 79]
    assert shown["what_if"][0]["line"][0] == "3e"
    assert shown["trump_choice"]["cost"] == 0
    assert shown["renuncio"] is None


def test_the_command_s_exit_status() -> None:
    assert run(str(EXAMPLES / "record-renuncio.toml"), "--samples", "0")[0] == 1
    assert run(str(EXAMPLES / "record-subastado.toml"), "--time-limit", "0")[0] == 3
    for arguments in (("--what-if", "9"), ("--what-if", "x=Ro"), ("--what-if", "2=Ac")):
        status, out, err = run(str(EXAMPLES / "record-subastado.toml"), *arguments)
        assert (status, out) == (2, "")
        assert len(err.splitlines()) == 1


def test_several_hands_are_a_match_and_one_is_a_hand(tmp_path: Path) -> None:
    lines = [to_json(hand) for hand in match_of_three()]
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    status, out, _ = run(str(file), "--json", "--samples", "5")
    shown = plain_json.loads(out)
    assert status == 0
    assert shown["format"] == "tute.match.v1"
    assert [hand["format"] for hand in shown["hands"]] == ["tute.review.v1"] * 3
    assert [player["name"] for player in shown["players"]] == ["Ana", "Blas", "Cruz"]
    assert run("-", "--json", "--samples", "5", given="\n".join(lines))[0] == 0
    file.write_text(lines[0] + "\n\n", encoding="utf-8")
    assert plain_json.loads(run(str(file), "--json")[1])["format"] == "tute.review.v1"
    # An option changes every hand; a mistake names its line.
    file.write_text("\n".join(lines), encoding="utf-8")
    shown = plain_json.loads(run(str(file), "--json", "--samples", "0", "--bid", "1")[1])
    assert [hand["bid"] for hand in shown["hands"]] == [1, 1, 1]
    assert run(str(file), "--what-if", "0=Ao")[0] == 2
    file.write_text(lines[0] + "\n" + lines[1].replace('"subastado"', '"tute"'), encoding="utf-8")
    status, out, err = run(str(file))
    assert (status, out) == (2, "")
    assert "line 2: hands:" in err
    file.write_text("\n", encoding="utf-8")
    assert run(str(file))[0] == 2


def test_two_players_of_one_name_are_told_apart_by_seat() -> None:
    deal = Deal.read(EXAMPLES / "record-subastado.toml").replace(names=["Ana", "Ana", "Berta"])
    match = tute.review_match([deal, deal], samples=0)
    assert [(p.name, p.seat, p.hands) for p in match.players] == [
        ("", 1, 2),
        ("", 2, 2),
        ("", 3, 2),
    ]


def test_what_was_not_judged_is_not_said_to_be() -> None:
    deal = Deal.read(EXAMPLES / "record-subastado.toml")
    stopped = tute.review(deal, time_limit=0)
    assert isinstance(stopped, Review)
    assert "Blame: not judged." in report.summary(stopped).sentences
    assert [move.decisive for move in stopped.moves[:3]] == [None, None, None]
    assert json.review(stopped)["decisive"] == []
    shown = plain(report.review(tute.review(deal.replace(played=""))))
    assert "Blame" not in shown


def test_a_review_with_an_open_question_is_not_complete() -> None:
    deal = Deal.read(EXAMPLES / "cabron-lost-at-once.toml")
    answer = reviewed_safety(deal, what_if=[(0, "5o")])
    assert answer.complete
    (other,) = answer.what_if
    assert not replace(answer, what_if=(replace(other, safe=(None, True, True)),)).complete
    assert not replace(answer, what_if=(replace(other, line=()),)).complete
    with pytest.raises(QuestionError, match="workers"):
        tute.review(deal, workers=-1)
    with pytest.raises(QuestionError, match="memory"):
        tute.review(deal, memory=0)
    with pytest.raises(QuestionError, match="played not to lose"):
        tute.review(deal, objective="win")
