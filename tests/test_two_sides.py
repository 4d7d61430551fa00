"""The two-sided search against the oracle, against itself, and under interruption."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import agrees_with_oracle
from strategies import random_full_deal, random_game_deal, random_position
from tute import Deal, Position, QuestionError, Solver, solve, solve_many
from tute.cards import SUITS, Card
from tute.minimax import minimax
from tute.objectives import check_objective
from tute.variants import VARIANTS, Objective

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
# The oracle looks at every line of play; these are about as many endings as a minute allows.
SMALL, LARGE = 200, 5


def random_question(rng: Random, variant_id: str, cards: int) -> tuple[Position, int, Objective]:
    """A random position of a few cards, a seat, and an objective that the game has."""
    while True:
        deal = random_game_deal(rng, variant_id, cards=cards)
        if deal.stock:
            deal = deal.replace(stock="")
        position = random_position(rng, deal, rng.choice((0, 0, 3, 8)))
        bid = rng.choice((None, 10, 30, 40, 60, 80))
        position = replace(position, game=replace(position.game, bid=bid))
        objective = rng.choice(("points", "difference", "win", "tricks"))
        try:
            asked = check_objective(position.game, objective)
        except QuestionError:
            continue
        if position.game.rules.capote != "none" and variant_id == "habanero":
            continue
        return position, rng.randint(1, deal.players), asked


@pytest.mark.parametrize("variant_id", TWO_SIDED)
def test_small_endings_have_the_oracle_s_values(variant_id: str) -> None:
    rng = Random(f"small {variant_id}")
    solver = Solver(memory=1)
    for _ in range(SMALL):
        agrees_with_oracle(*random_question(rng, variant_id, rng.choice((2, 3))), solver)


@pytest.mark.parametrize("variant_id", TWO_SIDED)
def test_larger_endings_have_the_oracle_s_values(variant_id: str) -> None:
    rng = Random(f"large {variant_id}")
    solver = Solver(memory=1)
    for _ in range(LARGE):
        agrees_with_oracle(*random_question(rng, variant_id, 4), solver)


@pytest.mark.long
@pytest.mark.parametrize("variant_id", TWO_SIDED)
def test_very_many_endings_have_the_oracle_s_values(variant_id: str) -> None:
    rng = Random(f"many {variant_id}")
    solver = Solver(memory=1)
    for _ in range(3_000):
        position, seat, objective = random_question(rng, variant_id, rng.choice((2, 3, 3, 3, 4)))
        solution = solver.solve(position, objective=objective, seat=seat)
        assert solution.value == minimax(position, seat - 1, objective)


def test_a_pair_credited_at_its_second_card_may_win_the_hand() -> None:
    deal = Deal(
        variant="guinote",
        trump="oros",
        hands=["oARS", "c542"],
        points=[65, 10],
        rules={"cante_timing": "at_second_card"},
    )
    assert Solver(memory=1).solve(deal, objective="win").value == 1
    assert minimax(deal.position(), 0, "win") == 1


@given(st.randoms(use_true_random=False), st.sampled_from(TWO_SIDED))
def test_any_ending_has_the_oracle_s_value(rng: Random, variant_id: str) -> None:
    position, seat, objective = random_question(rng, variant_id, rng.choice((1, 2, 3)))
    agrees_with_oracle(position, seat, objective, Solver(memory=1))


@pytest.mark.parametrize("trump", SUITS)
def test_the_two_of_trumps_aside_leaves_the_ranks_as_they_are(trump: str) -> None:
    rng = Random(f"aside {trump}")
    solver = Solver(memory=1)
    for _ in range(60):
        deal = random_game_deal(rng, "tute-individual", 3, 3, {"tute3_deck": "39"}, history=False)
        if f"2{trump}" not in [card for hand in deal.hands for card in hand]:
            agrees_with_oracle(deal.replace(trump=trump).position(), 1, "points", solver)


@pytest.mark.parametrize("objective", ["points", "difference", "win"])
def test_the_points_of_the_40th_card_count(objective: Objective) -> None:
    deal = Deal(
        variant="subastado",
        trump="copas",
        hands=["c6 e65 b6", "c3S bA5", "oC cR eC bC"],
        leader=2,
        declarer=2,
        bid=55,
        widow="Ae",
        points=[44, 17, 32],
        tricks=[2, 2, 5],
        rules={"subastado_widow": True},
    )
    for seat in (1, 2):
        agrees_with_oracle(deal.position(), seat, objective, Solver(memory=1))


# Section 7 of the rules, "computed here": South's leads and what North and South make.
ENDINGS = (
    ("AoAb7oSo", "3oSe6b2o", "CcCo7b4b", "5bSb5o4e", "Ao:54 Ab:40 7o:27 So:27"),
    ("AoAb6oSe", "3oRb7b2b", "CcCo5b4b", "2e2oSo7o", "Ao:56 Ab:40 6o:25 Se:40"),
    ("AoAb7oSo", "3oRb2b6e", "CcCo4bSb", "2o6o5bSe", "Ao:58 Ab:42 7o:27 So:27"),
    ("AoAbSe5o", "3o5b2bRb", "CcCo6bSb", "4o2eSo6o", "Ao:58 Ab:42 Se:42 5o:27"),
    ("AoAb2o5o", "3oRbSe5b", "7cCoSo6b", "4o6e2b7b", "Ao:53 Ab:53 2o:41 5o:41"),
)


@pytest.mark.parametrize(("south", "east", "north", "west", "values"), ENDINGS)
def test_computed_endings(south: str, east: str, north: str, west: str, values: str) -> None:
    hands = [" ".join(h[i : i + 2] for i in range(0, 8, 2)) for h in (south, east, north, west)]
    solution = solve(Deal(variant="tute", trump="copas", hands=hands))
    expected = dict(pair.split(":") for pair in values.split())
    assert {m.card: str(m.value) for m in solution.cards} == expected


# ---------------------------------------------------------------------- the search against itself


def full_deals(variant_id: str, number: int) -> Iterator[Deal]:
    """Whole deals; in butifarra, whose 48 cards take seconds, with nine cards each."""
    rng = Random(f"full {variant_id}")
    for _ in range(number):
        deal = random_full_deal(rng, variant_id, switches={})
        if variant_id == "butifarra":
            deal = deal.replace(hands=[hand[3:] for hand in deal.hands])
        yield deal.replace(stock="") if deal.stock else deal


@pytest.mark.parametrize("variant_id", TWO_SIDED)
def test_table_sizes_agree_on_full_deals(variant_id: str) -> None:
    for deal in full_deals(variant_id, 3):
        small, large = Solver(memory=1), Solver(memory=64)
        assert small.value_bounds(deal).value == large.value_bounds(deal).value


@pytest.mark.parametrize("variant_id", TWO_SIDED)
@pytest.mark.parametrize(
    ("table", "bounds", "order_seed"),
    [(True, True, 1), (True, False, 0), (True, False, 2), (False, True, 0), (False, False, 3)],
)
def test_order_table_and_bounds_do_not_change_values(
    variant_id: str, table: bool, bounds: bool, order_seed: int
) -> None:
    rng = Random(f"orders {variant_id} {table} {bounds} {order_seed}")
    for _ in range(12):
        position, seat, objective = random_question(rng, variant_id, 5 if table else 4)
        plain, other = Solver(memory=1), Solver(memory=1)
        other._set_test_mode(table=table, bounds=bounds, order_seed=order_seed)
        one = plain.solve(position, objective=objective, seat=seat)
        two = other.solve(position, objective=objective, seat=seat)
        assert (one.value, one.cards, one.line) == (two.value, two.cards, two.line)


@pytest.mark.long
@pytest.mark.parametrize("part", ["table", "bounds"])
@pytest.mark.parametrize("variant_id", TWO_SIDED)
def test_values_of_very_many_endings_without_a_part(variant_id: str, part: str) -> None:
    rng = Random(f"{part} {variant_id}")
    whole, without = Solver(memory=4), Solver(memory=4)
    without._set_test_mode(**{part: False})
    for _ in range(15_000):
        cards = rng.choice((3, 4, 5) if variant_id == "cuatrola" else (4, 5, 5, 6))
        position, seat, objective = random_question(rng, variant_id, cards)
        one = whole.value_bounds(position, objective=objective, seat=seat)
        two = without.value_bounds(position, objective=objective, seat=seat)
        assert one.value == two.value


@pytest.mark.parametrize("variant_id", TWO_SIDED)
def test_best_play_keeps_the_value_and_a_warm_table_agrees(variant_id: str) -> None:
    for deal in full_deals(variant_id, 1):
        solver = Solver()
        solution = solver.solve(deal)
        position = solution.position
        for number, move in enumerate(solution.line):
            position = position.play(move)
            if number % 7 == 6:
                warm = solver.value_bounds(position, seat=deal.asked).value
                assert warm == solution.value
                assert Solver().value_bounds(position, seat=deal.asked).value == warm


def renamed(deal: Deal, suits: str) -> Deal:
    """The deal with its suits renamed: `suits` are the new names of o, c, e, b."""
    names = dict(zip(SUITS, suits, strict=True))

    def rename(cards: tuple[Card, ...]) -> list[Card]:
        return [Card(card.rank + names[card.suit]) for card in cards]

    return deal.replace(
        hands=[rename(hand) for hand in deal.hands],
        trump=names.get(deal.trump or "", deal.trump),
        widow=rename((deal.widow,))[0] if deal.widow else None,
        declared="".join(names[suit] for suit in deal.declared),
    )


def turned(deal: Deal, by: int) -> Deal:
    """The deal with every seat moved on by so many places."""
    players = deal.players

    def turn(seat: int | None) -> int | None:
        return None if seat is None else (seat - 1 + by) % players + 1

    def roll(values: tuple[int, ...]) -> list[int]:
        return [values[(place - by) % players] for place in range(players)]

    return deal.replace(
        hands=[deal.hands[(place - by) % players] for place in range(players)],
        leader=turn(deal.leader or 1),
        declarer=turn(deal.declarer or (1 if deal.variant.bids else None)),
        seat=turn(deal.asked),
        points=roll(deal.points),
        tricks=roll(deal.tricks),
    )


@pytest.mark.parametrize("variant_id", TWO_SIDED)
def test_symmetric_deals_have_the_same_value(variant_id: str) -> None:
    rng = Random(f"symmetry {variant_id}")
    for _ in range(15):
        deal = random_game_deal(rng, variant_id, cards=5, switches={})
        deal = deal.replace(stock="", carried=None, widow=None, cantes=None)
        value = Solver(memory=1).value_bounds(deal).value
        shuffled = "".join(rng.sample(SUITS, 4))
        assert Solver(memory=1).value_bounds(renamed(deal, shuffled)).value == value
        if not deal.contract:
            by = rng.randrange(deal.players)
            assert Solver(memory=1).value_bounds(turned(deal, by)).value == value


def test_both_sides_of_a_difference_are_opposite() -> None:
    for deal in full_deals("tute", 2):
        one = solve(deal, objective="difference", seat=1)
        assert one.value is not None
        assert solve(deal, objective="difference", seat=2).value == -one.value


# ---------------------------------------------------------------------- declarations as choices


def two_twenties(rng: Random) -> Deal:
    """The declarer leads the master trump and then may declare either of two pairs."""
    mine = [Card(name) for name in ("Ao", "Rc", "Cc", "Re", "Ce")]
    rest = VARIANTS["subastado"].deck(3, VARIANTS["subastado"].rules, "o").cards
    others = rng.sample([card for card in rest if card not in mine], 10)
    hands = [mine, others[:5], others[5:]]
    return Deal(variant="subastado", trump="oros", hands=hands, cantes="explicit")


def test_which_twenty_to_declare_first_is_searched() -> None:
    rng = Random("twenties")
    differing = 0
    for _ in range(60):
        position = two_twenties(rng).start().play("Ao")
        while position.trick:
            position = position.play(rng.choice(position.legal()))
        assert position.pairs_open() == ["*20c", "*20e"]
        solution = Solver(memory=1).solve(position)
        values = {m.card: m.value for m in solution.cards if m.card in position.pairs_open()}
        for move, value in values.items():
            assert value == minimax(position.play(move), 0, "points")
        assert solution.best[0] in values
        differing += len(set(values.values())) > 1
    assert differing > 3


# ---------------------------------------------------------------------- limits and interruption


@pytest.fixture
def hard_deal() -> Deal:
    """A deal that takes much longer than any of the limits below."""
    return random_full_deal(Random("hard170"), "butifarra", switches={})


def test_a_time_limit_gives_bounds_that_hold_the_value() -> None:
    for deal in full_deals("tute", 4):
        value = Solver().value_bounds(deal).value
        assert value is not None
        for limit in (0.0, 0.003, 0.02):
            solution = solve(deal, time_limit=limit)
            assert solution.lower <= value <= solution.upper
            for answer in solution.cards:
                assert answer.lower <= answer.upper
            if not solution.exact:
                assert solution.value is None
            assert solution.line or not solution.complete


def test_a_search_stops_at_once_from_another_thread(hard_deal: Deal) -> None:
    solver = Solver()
    answers = []
    thread = threading.Thread(target=lambda: answers.append(solver.solve(hard_deal)))
    thread.start()
    time.sleep(0.2)
    solver.stop()
    thread.join(timeout=5)
    assert not thread.is_alive()
    assert not answers[0].exact
    assert answers[0].lower < answers[0].upper


def test_ctrl_c_ends_a_search_in_the_main_thread(hard_deal: Deal) -> None:
    main = threading.main_thread().ident
    assert main is not None
    killer = threading.Timer(0.2, signal.pthread_kill, [main, signal.SIGINT])
    killer.start()
    with pytest.raises(KeyboardInterrupt):
        solve(hard_deal)
    killer.join()


def test_a_stopped_solver_goes_on_to_the_right_value() -> None:
    for deal in full_deals("subastado", 2):
        value = Solver().value_bounds(deal).value
        solver = Solver()
        while True:
            solution = solver.solve(deal, time_limit=0.01)
            assert solution.lower <= (value or 0) <= solution.upper
            if solution.exact:
                break
        assert solution.value == value


def test_two_searches_in_two_threads_do_not_meet() -> None:
    deals = [*full_deals("tute", 3), *full_deals("subastado", 3)]
    alone = [Solver().value_bounds(deal).value for deal in deals]
    found: dict[int, list[int | None]] = {}

    def run(thread: int) -> None:
        order = deals if thread == 0 else deals[::-1]
        found[thread] = [Solver().value_bounds(deal).value for deal in order]

    threads = [threading.Thread(target=run, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == alone
    assert found[1] == alone[::-1]


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_many_deals_come_back_in_order(workers: int) -> None:
    deals = list(full_deals("cuatrola", 12))
    answers = list(solve_many(iter(deals), workers=workers))
    assert [answer.value for answer in answers] == [solve(deal).value for deal in deals]
    assert [answer.position for answer in answers] == [deal.position() for deal in deals]


def test_the_table_keeps_within_its_memory(hard_deal: Deal) -> None:
    for memory in (1, 3, 16):
        solver = Solver(memory=memory)
        solver.solve(hard_deal, time_limit=0.5)
        assert 0 < solver.table_bytes <= memory << 20


@pytest.mark.parametrize("memory", [0, -1, 1 << 21])
def test_impossible_memory_is_refused(memory: int) -> None:
    with pytest.raises(QuestionError, match="memory"):
        Solver(memory=memory)


# ---------------------------------------------------------------------- questions that are refused


def test_points_are_refused_where_a_tute_wins() -> None:
    deal = Deal(
        variant="tute",
        trump="o",
        hands=["Ro Rc Re Rb Ao", "3o 7o Cc Ce 2b", "6o 5o Sc Se 4b", "4o 2o 7c 7e 5b"],
        rules={"tute": "wins_hand"},
    )
    with pytest.raises(QuestionError, match="only `win`"):
        solve(deal)
    solution = solve(deal, objective="win")
    assert solution.value == 1
    assert "*tute" in solution.line


@pytest.mark.parametrize("variant_id", ["cabron", "cabrero"])
def test_games_not_to_lose_ask_for_safe(variant_id: str) -> None:
    deal = random_game_deal(Random(1), variant_id, cards=3, switches={})
    with pytest.raises(QuestionError, match="safe"):
        solve(deal)


def test_a_second_hand_asks_for_the_win_alone() -> None:
    deal = Deal(
        variant="guinote", trump="o", hands=["oA cA3", "o3 e54"], carried=[70, 90], points=[0, 0]
    )
    assert solve(deal).objective == "win"
    assert solve(deal).value == 1
    with pytest.raises(QuestionError, match="only `win`"):
        solve(deal, objective="points")


@pytest.mark.parametrize("cards", [16, 17, 20])
def test_two_players_may_hold_half_the_deck(cards: int) -> None:
    deck = list(VARIANTS["habanero"].deck(2, VARIANTS["habanero"].rules, "o").cards)
    Random(cards).shuffle(deck)
    deal = Deal(variant="habanero", trump="o", hands=[deck[:cards], deck[cards : 2 * cards]])
    solver = Solver()
    solution = solver.solve(deal, objective="points", time_limit=2)
    assert solution.lower <= solution.upper


def test_a_solver_at_work_refuses_another_thread(hard_deal: Deal) -> None:
    solver = Solver()
    thread = threading.Thread(target=solver.solve, args=(hard_deal,))
    thread.start()
    time.sleep(0.1)
    with pytest.raises(QuestionError, match="another thread"):
        solver.solve(hard_deal)
    solver.stop()
    thread.join()


def test_at_the_second_card_each_alone_needs_a_trick_of_his_own() -> None:
    """Seat 1 parts with a pair; of those joined against seat 3 only others have a trick."""
    deal = Deal(
        variant="tute-individual",
        trump="b",
        hands=["cRC eR", "o6 c6 eA", "oA3 b6", "eC4 bC"],
        seat=3,
        tricks=[0, 1, 2, 0],
        rules={"cante_timing": "at_second_card"},
    )
    agrees_with_oracle(deal.position(), 3, "difference", Solver(memory=1))
    rng = Random("second cards")
    for _ in range(SMALL // 4):
        variant_id = rng.choice(("tute", "tute-individual", "subastado-parejas", "cuatrola"))
        thrown = {"cante_timing": "at_second_card"}
        deal = random_game_deal(rng, variant_id, cards=3, switches=thrown, contract="none")
        agrees_with_oracle(deal.position(), 1, "difference", Solver(memory=1))


def test_the_widow_card_counts_before_it_is_taken() -> None:
    rng = Random("widow")
    solver = Solver(memory=1)
    for _ in range(SMALL):
        thrown = {"subastado_widow": True}
        deal = random_game_deal(rng, "subastado", cards=2, switches=thrown, widow=True)
        position = deal.position()
        agrees_with_oracle(position, rng.randint(1, 3), "points", solver)
