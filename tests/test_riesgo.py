"""Riesgo, credible safety and equilibria against their definitions, the literal recursions."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import fmean
from typing import TypeVar

import pytest

from literal_losing import NEVER_HURT, Outlook, outlook, safe
from strategies import (
    random_full_deal,
    random_game_deal,
    random_move,
    random_position,
    random_switches,
)
from tute import Deal, Position, QuestionError
from tute.alone import packed_game, packed_position
from tute.cards import SUITS
from tute.engine.riesgo import Solver as Engine
from tute.notation import Move
from tute.results import NEAR, Risk
from tute.riesgo import (
    EXACT_CARDS,
    SEARCHES,
    MoveOutlook,
    RiskSolver,
    SeatOutlook,
    riesgo,
)
from tute.variants import VARIANTS

T = TypeVar("T")

GAMES = [
    (variant_id, players)
    for variant_id in ("cabron", "cabrero", "tute-individual")
    for players in VARIANTS[variant_id].players
]
# How many endings, and of how many cards, the literal recursions look through in some seconds.
SMALL, MANY = 250, 3_000
CARDS = {3: (1, 2, 2, 3, 3, 3), 4: (1, 2, 2, 3), 5: (1, 2, 2, 2, 3)}

games = pytest.mark.parametrize(("variant_id", "players"), GAMES)


def close_history(rng: Random, deal: Deal) -> Deal:
    """The deal with points so near each other that the cards decide who loses."""
    players = range(deal.players)
    below_limit = max(0, deal.game().rules.score_limit - rng.randint(0, 30))
    base, spread = rng.choice((0, 20, 80, below_limit, below_limit)), rng.choice((2, 6, 15))
    return deal.replace(
        points=[rng.choice((base, base + rng.randint(0, spread))) for _ in players],
        tricks=[rng.choice((0, 1, 1, 1)) for _ in players],
    )


def random_ending(rng: Random, variant_id: str, players: int, cards: int) -> Position:
    """An ending under any switches, at the lead, inside a trick or with declarations open."""
    if variant_id != "cabron" and rng.random() < 0.1:
        return with_declarations_open(rng, variant_id, players)
    thrown = random_switches(rng, variant_id)
    deal = random_game_deal(rng, variant_id, cards, players, thrown)
    if rng.random() < 0.6:
        deal = close_history(rng, deal)
    if rng.random() < 0.2:
        deal = deal.replace(cantes="auto")
    return random_position(rng, deal, rng.choice((0, 0, 2, 5)))


def with_declarations_open(rng: Random, variant_id: str, players: int) -> Position:
    """An ending in which the player about to lead may declare, after the first trick or later."""
    while True:
        deal = random_game_deal(
            rng, variant_id, rng.choice((3, 4)), players, random_switches(rng, variant_id)
        )
        position = deal.position()
        while not position.over and position.window is None:
            position = position.play(rng.choice(position.legal()))
        if not position.over:
            return position


def played_down(rng: Random, variant_id: str, players: int, cards: int) -> Position:
    """What random play leaves of a whole deal, with so many cards each, at the lead."""
    while True:
        position = random_full_deal(rng, variant_id, players, {}).position()
        while not position.over and (position.trick or len(position.hands[0]) > cards):
            position = position.play(random_move(rng, position))
        if not position.over:
            return position


def agrees(engine: Engine, position: Position, literal: Outlook) -> bool:
    """Whether the engine's outlook is the literal one."""
    engine.set_position(packed_position(position))
    found = engine.outlook()
    assert found is not None
    risk, credible, losers = found
    same_risk = all(abs(one - other) < 1e-9 for one, other in zip(risk, literal.risk, strict=True))
    same_credible = credible == [min(number, 255) for number in literal.credible]
    sets = {frozenset(p for p in range(len(risk)) if lost >> p & 1) for lost in losers}
    return same_risk and same_credible and sets == literal.losers


def held_to_the_recursions(rng: Random, variant_id: str, players: int, number: int) -> None:
    engine = Engine(1)
    open_endings = declaring = 0
    for _ in range(number):
        position = random_ending(rng, variant_id, players, rng.choice(CARDS[players]))
        literal = outlook(position)
        engine.set_game(packed_game(position.game))
        assert agrees(engine, position, literal)
        open_endings += len(literal.losers) > 1
        declaring += position.window is not None
    assert open_endings > number / 30
    assert declaring > number / 30 or variant_id == "cabron"


@games
def test_small_endings_have_the_literal_outlook(variant_id: str, players: int) -> None:
    held_to_the_recursions(Random(f"small {variant_id} {players}"), variant_id, players, SMALL)


@pytest.mark.long
@games
def test_many_endings_have_the_literal_outlook(variant_id: str, players: int) -> None:
    held_to_the_recursions(Random(f"many {variant_id} {players}"), variant_id, players, MANY)


def some(rng: Random, things: Iterable[T]) -> frozenset[T]:
    return frozenset(thing for thing in things if rng.random() < 0.3)


@games
def test_one_table_serves_many_histories_of_the_same_cards(variant_id: str, players: int) -> None:
    """Where a box is too large, or the key lacks what matters, the answer for one is another's."""
    rng = Random(f"histories {variant_id} {players}")
    engine = Engine(1)
    for _ in range(25):
        thrown = random_switches(rng, variant_id)
        deal = random_game_deal(rng, variant_id, 2, players, thrown)
        engine.set_game(packed_game(deal.game()))
        for _ in range(25):
            position = replace(
                close_history(rng, deal).position(),
                declared=some(rng, SUITS),
                parted=some(rng, SUITS),
                sang=some(rng, range(players)),
                trump=rng.choice((None, *SUITS)) if variant_id == "cabron" else deal.game().trump,
            )
            assert agrees(engine, position, outlook(position))


@pytest.mark.parametrize("players", [3, 4])
def test_the_table_tells_who_may_show_a_tute(players: int) -> None:
    """Four kings and the cards to take the lead; whoever has sung may not show them."""
    rng = Random(f"tutes {players}")
    used = Engine(4)
    told_apart = 0
    for _ in range(15):
        trump = rng.choice(SUITS)
        mine = [f"A{trump}", *(f"R{suit}" for suit in SUITS)]
        deck = VARIANTS["cabrero"].deck(players, VARIANTS["cabrero"].rules, trump).cards
        rest = rng.sample([card for card in deck if card not in mine], 5 * (players - 1))
        others = [list[str](rest[place :: players - 1]) for place in range(players - 1)]
        deal = Deal(variant="cabrero", trump=trump, hands=[mine, *others], tricks=[1] * players)
        used.set_game(packed_game(deal.game()))
        answers = []
        for sang in (frozenset[int](), frozenset({0}), frozenset({1})):
            position = replace(deal.position(), sang=sang)
            new = Engine(4)
            new.set_game(packed_game(position.game))
            for engine in (used, new):
                engine.set_position(packed_position(position))
            answers.append(used.outlook())
            assert answers[-1] == new.outlook()
        told_apart += answers[0] != answers[1]
        assert answers[0] == answers[2]
    assert told_apart > 5


@games
def test_histories_that_decide_alone(variant_id: str, players: int) -> None:
    """Nothing but the last trick still counts, so that who loses hangs on single points."""
    rng = Random(f"alone {variant_id} {players}")
    engine = Engine(1)
    for _ in range(25):
        thrown = random_switches(rng, variant_id)
        thrown["cabrero_tie"] = rng.choice(("seat", "joint"))
        whole = random_full_deal(rng, variant_id, players, thrown)
        deck = whole.game().deck
        worthless = [card for card in deck.cards if not deck.points[card]]
        cards = rng.sample(worthless, 2 * players)
        deal = Deal(
            variant=variant_id,
            hands=[cards[place::players] for place in range(players)],
            trump=whole.trump,
            leader=rng.randint(1, players),
            rules=thrown,
        )
        engine.set_game(packed_game(deal.game()))
        base = rng.choice((0, 0, 0, max(0, deal.game().rules.score_limit - 11)))
        near = [base, base, base, base + 1, base + 1, base + 10, base + 11]
        for _ in range(40):
            position = deal.replace(
                points=[rng.choice(near) for _ in range(players)],
                tricks=[rng.choice((0, 1, 1, 1)) for _ in range(players)],
            ).position()
            assert agrees(engine, position, outlook(position))


@games
def test_the_table_with_and_without_boxes(variant_id: str, players: int) -> None:
    rng = Random(f"boxes {variant_id} {players}")
    boxed, plain = Engine(8), Engine(8)
    plain.set_test_mode(boxes=False)
    for _ in range(12):
        position = played_down(rng, variant_id, players, {3: 6, 4: 5, 5: 5}[players])
        for engine in (boxed, plain):
            engine.set_game(packed_game(position.game))
            engine.set_position(packed_position(position))
        with_boxes, without = boxed.outlook(), plain.outlook()
        assert with_boxes is not None
        assert without is not None
        assert with_boxes[0] == pytest.approx(without[0])
        assert with_boxes[1:] == without[1:]
    assert boxed.nodes < plain.nodes


@games
def test_a_full_table_starts_again(variant_id: str, players: int) -> None:
    rng = Random(f"full {variant_id} {players}")
    small, large = Engine(1), Engine(64)
    for _ in range(3):
        position = played_down(rng, variant_id, players, EXACT_CARDS[players])
        for engine in (small, large):
            engine.set_game(packed_game(position.game))
            engine.set_position(packed_position(position))
        assert small.outlook() == large.outlook()
        assert small.table_bytes <= 1 << 20


# ---------------------------------------------------------------------- what follows from safety


@games
def test_safe_means_no_risk_and_no_risk_means_not_exposed(variant_id: str, players: int) -> None:
    rng = Random(f"safe {variant_id} {players}")
    solver = RiskSolver(1)
    seen = {"safe": 0, "no risk": 0, "exposed": 0}
    for _ in range(SMALL // 2):
        position = random_ending(rng, variant_id, players, rng.choice((2, 2, 3)))
        for seat in solver.outlook(position).seats:
            assert seat.risk is not None
            assert seat.credible is not None
            without_risk = seat.risk.chance < 1e-9
            is_safe = safe(position, seat.seat - 1)
            assert (seat.credible == "all") == is_safe
            if is_safe:
                assert without_risk
            if without_risk:
                assert seat.credible != 0
            seen["safe"] += is_safe
            seen["no risk"] += without_risk and not is_safe
            seen["exposed"] += seat.credible == 0
    assert seen["safe"] > 20
    assert seen["exposed"] > 20


# ---------------------------------------------------------------------- the Python side


@games
def test_every_seat_and_every_move(variant_id: str, players: int) -> None:
    rng = Random(f"moves {variant_id} {players}")
    solver = RiskSolver(1)
    for _ in range(60):
        position = random_ending(rng, variant_id, players, 2)
        answer = solver.outlook(position)
        assert answer.exact
        assert answer.decided
        literal = outlook(position)
        assert [chance(seat) for seat in answer.seats] == pytest.approx(
            [float(risk) for risk in literal.risk]
        )
        assert [seat.credible for seat in answer.seats] == [
            "all" if number >= NEVER_HURT else number for number in literal.credible
        ]
        assert answer.losers is not None
        assert {frozenset(lost) for lost in answer.losers} == {
            frozenset(place + 1 for place in lost) for lost in literal.losers
        }
        assert [move.card for move in answer.cards] == position.legal()
        for move in answer.cards:
            after = outlook(position.play(move.card))
            assert move.risk is not None
            assert move.risk.chance == pytest.approx(float(after.risk[position.turn]))
            assert move.risk.error == 0
        if answer.cards:
            least = min(chance(move) for move in answer.cards)
            assert answer.good == tuple(
                move.card for move in answer.cards if chance(move) <= least + NEAR
            )
            assert chance(answer.seats[position.turn]) == pytest.approx(least)


def chance(of: SeatOutlook | MoveOutlook) -> float:
    assert of.risk is not None
    return of.risk.chance


@pytest.mark.parametrize(
    ("value", "band"), [(0.0, "low"), (0.199, "low"), (0.2, "medium"), (0.5, "high"), (1.0, "high")]
)
def test_bands(value: float, band: str) -> None:
    assert Risk(value, 0.0).band == band


def test_games_with_partners_are_refused() -> None:
    deal = random_game_deal(Random(1), "tute", cards=3, switches={})
    with pytest.raises(QuestionError, match="alone"):
        riesgo(deal)


# ---------------------------------------------------------------------- the estimate


def estimated(
    position: Position, seed: int = 0
) -> tuple[tuple[SeatOutlook, ...], tuple[MoveOutlook, ...]]:
    """The estimates, also where the outlook would be exact."""
    seats, moves, losers = RiskSolver()._estimate(position, seed)
    assert losers is None
    return seats, moves


@games
def test_an_estimate_is_repeatable_and_near_the_exact_risk(variant_id: str, players: int) -> None:
    rng = Random(f"estimate {variant_id} {players}")
    missed, errors = [], []
    for _ in range(6):
        position = played_down(rng, variant_id, players, EXACT_CARDS[players])
        exact, (seats, moves) = riesgo(position), estimated(position)
        assert exact.exact
        assert estimated(position) == (seats, moves)
        _, others = estimated(position, seed=1)
        for one, other, again in zip(exact.cards, moves, others, strict=True):
            assert one.card == other.card
            assert other.credible is None
            assert other.risk is not None
            missed.append(abs(chance(one) - chance(other)))
            errors.append(other.risk.error)
            assert other != again or other.risk.error == 0
        assert all(0 <= chance(seat) <= 1 for seat in seats)
    assert fmean(missed) < 0.1
    assert 0 < fmean(errors) < 0.05


@games
def test_hands_that_begin_in_the_ending_have_their_exact_risk(
    variant_id: str, players: int
) -> None:
    rng = Random(f"certain {variant_id} {players}")
    engine = Engine(4)
    for _ in range(6):
        position = played_down(rng, variant_id, players, 4)
        engine.set_game(packed_game(position.game))
        engine.set_position(packed_position(position))
        found = engine.outlook()
        assert found is not None
        assert engine.estimate(1, 3, 4) == pytest.approx(found[0])


@games
def test_samples_are_put_together_like_exact_risks(
    variant_id: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of exact samples every seat has its exact risk: declining is a decision of its own."""
    exact = RiskSolver()

    def samples(solver: RiskSolver, position: Position, seed: int) -> list[list[float]]:
        return [[chance(seat) for seat in exact.outlook(position).seats]] * SEARCHES

    monkeypatch.setattr(RiskSolver, "_sample", samples)
    rng = Random(f"samples {variant_id} {players}")
    compared = declaring = 0
    for _ in range(SMALL):
        position = random_ending(rng, variant_id, players, rng.choice((2, 3)))
        if position.over:
            continue
        whole = exact.outlook(position)
        chances = sorted(chance(move) for move in whole.cards)
        if any(1e-9 < other - chances[0] < NEAR + 1e-9 for other in chances):
            continue  # as good as the best card for the estimate, but not exactly
        seats, moves = estimated(position)
        assert [chance(seat) for seat in seats] == pytest.approx([*map(chance, whole.seats)])
        assert [chance(move) for move in moves] == pytest.approx([*map(chance, whole.cards)])
        compared += 1
        declaring += position.window is not None
    assert compared > SMALL / 2
    assert declaring > 5 or variant_id == "cabron"


def alike(position: Position) -> list[tuple[Move, Move]]:
    """Worthless cards that may be played, with no other card in play between them."""
    deck = position.game.deck
    in_play = deck.sort([*position.trick, *(card for hand in position.hands for card in hand)])
    return [
        (one, other)
        for one, other in pairwise(in_play)
        if one.suit == other.suit and deck.points[one] == deck.points[other] == 0
        if one in position.legal() and other in position.legal()
    ]


@games
def test_cards_that_are_alike_have_the_same_estimate(variant_id: str, players: int) -> None:
    """The searches after them draw the same hands."""
    rng = Random(f"twins {variant_id} {players}")
    found = 0
    while found < 5:
        position = played_down(rng, variant_id, players, EXACT_CARDS[players])
        pairs = alike(position)
        if pairs:
            found += len(pairs)
            risks = {move.card: move.risk for move in estimated(position)[1]}
            assert all(risks[one] == risks[other] for one, other in pairs)


# ---------------------------------------------------------------------- limits and interruption


@pytest.fixture
def whole_deal() -> Deal:
    """A deal that takes much longer than the limits below."""
    return random_full_deal(Random("whole"), "cabrero", 4, switches={})


def test_a_time_limit_leaves_open_what_is_not_known(whole_deal: Deal) -> None:
    for limit in (0.0, 0.02):
        answer = riesgo(whole_deal, time_limit=limit)
        assert not answer.decided
        assert not answer.exact
        assert answer.losers is None
        assert answer.good == ()
        assert [move.card for move in answer.cards] == answer.position.legal()
        assert all(move.risk is None and move.credible is None for move in answer.cards)
    ending = played_down(Random(1), "cabrero", 3, EXACT_CARDS[3])
    assert not riesgo(ending, time_limit=0).decided
    assert riesgo(ending, time_limit=60).exact


def test_a_search_stops_at_once_from_another_thread(whole_deal: Deal) -> None:
    solver = RiskSolver()
    answers = []
    thread = threading.Thread(target=lambda: answers.append(solver.outlook(whole_deal)))
    thread.start()
    time.sleep(0.2)
    with pytest.raises(QuestionError, match="another thread"):
        solver.outlook(whole_deal)
    solver.stop()
    thread.join(timeout=5)
    assert not thread.is_alive()
    assert not answers[0].decided


def test_ctrl_c_ends_a_search_in_the_main_thread(whole_deal: Deal) -> None:
    main = threading.main_thread().ident
    assert main is not None
    killer = threading.Timer(0.2, signal.pthread_kill, [main, signal.SIGINT])
    killer.start()
    with pytest.raises(KeyboardInterrupt):
        riesgo(whole_deal)
    killer.join()


def test_a_stopped_solver_finds_the_same_afterwards() -> None:
    position = played_down(Random(2), "cabron", 3, EXACT_CARDS[3])
    solver = RiskSolver()
    fresh = riesgo(position)
    for limit in (0.001, 0.01):
        solver.outlook(position, time_limit=limit)
    answer = solver.outlook(position)
    assert (answer.seats, answer.cards, answer.losers) == (fresh.seats, fresh.cards, fresh.losers)


def test_two_searches_in_two_threads_do_not_meet() -> None:
    positions = [played_down(Random(n), "cabrero", 4, EXACT_CARDS[4]) for n in range(4)]
    alone = [riesgo(position).seats for position in positions]
    found: dict[int, list[tuple[SeatOutlook, ...]]] = {}

    def run(thread: int) -> None:
        order = positions if thread == 0 else positions[::-1]
        found[thread] = [riesgo(position).seats for position in order]

    threads = [threading.Thread(target=run, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == alone
    assert found[1] == alone[::-1]


@pytest.mark.parametrize("memory", [0, -1, 1 << 21])
def test_impossible_memory_is_refused(memory: int) -> None:
    with pytest.raises(QuestionError, match="memory"):
        RiskSolver(memory)
