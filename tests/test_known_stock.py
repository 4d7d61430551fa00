"""The search with a known stock against the oracle, against itself, and under interruption."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import agrees_with_oracle
from strategies import random_full_deal, random_game_deal, random_position, random_switches, seeds
from tute import Card, Deal, Position, Progress, QuestionError, Solver, contract, solve
from tute.dealing import random_deal
from tute.minimax import minimax
from tute.objectives import check_objective
from tute.variants import VARIANTS, Objective

GAMES = (("habanero", 2), ("guinote", 2), ("guinote", 4))
# Minimax looks at every line of play, of which some endings of a few cards have very many.
MOST_LINES = 1_500
OBJECTIVES: tuple[Objective, ...] = ("points", "difference", "win")


def lines(position: Position, budget: int) -> int:
    """What is left of a budget after one for every line of play; 0 or less if there are more."""
    if position.over:
        return budget - 1
    for _, after in position.successors():
        budget = lines(after, budget)
        if budget <= 0:
            break
    return budget


def random_question(
    rng: Random, variant_id: str, players: int, most_lines: int = MOST_LINES
) -> tuple[Position, int, Objective]:
    """A random position of a few cards under random switches, a seat, and an objective."""
    while True:
        switches = random_switches(rng, variant_id) if rng.random() < 0.7 else {}
        deal = random_game_deal(
            rng,
            variant_id,
            cards=rng.choice((1, 2, 2, 3)) if players == 2 else rng.choice((1, 1, 2)),
            players=players,
            switches=switches,
            stock=rng.choice((0, 1, 1, 2, 2, 3)) if players == 2 else rng.choice((0, 1)),
        )
        position = random_position(rng, deal, rng.choice((0, 0, 3, 8)))
        try:
            asked = check_objective(position.game, rng.choice((*OBJECTIVES, "win")))
        except QuestionError:
            continue
        if lines(position, most_lines) > 0:
            return position, rng.randint(1, players), asked


@pytest.mark.parametrize(("variant_id", "players"), GAMES)
def test_endings_have_the_oracle_s_values(variant_id: str, players: int) -> None:
    rng = Random(f"endings {variant_id} {players}")
    solver = Solver(memory=1)
    stocks = 0
    for _ in range(250):
        position, seat, objective = random_question(rng, variant_id, players)
        stocks += bool(position.stock)
        agrees_with_oracle(position, seat, objective, solver)
    assert stocks > 60


@pytest.mark.long
@pytest.mark.parametrize(("variant_id", "players"), GAMES)
def test_very_many_endings_have_the_oracle_s_values(variant_id: str, players: int) -> None:
    rng = Random(f"many {variant_id} {players}")
    solver = Solver(memory=1)
    for _ in range(10_000):
        position, seat, objective = random_question(rng, variant_id, players, 20_000)
        solution = solver.value_bounds(position, objective=objective, seat=seat)
        assert solution.value == minimax(position, seat - 1, objective)


@given(seeds, st.sampled_from(GAMES))
def test_any_ending_has_the_oracle_s_value(seed: int, game: tuple[str, int]) -> None:
    position, seat, objective = random_question(Random(seed), *game, most_lines=300)
    agrees_with_oracle(position, seat, objective, Solver(memory=1))


# ---------------------------------------------------------------------- declarations and exchanges


def test_a_capote_is_announced_where_it_wins() -> None:
    deal = Deal(
        variant="habanero",
        trump="o",
        hands=["oA3RCS765", "cA3RCS765"],
        points=[0, 90],
        rules={"capote": "last8"},
    )
    solution = solve(deal, objective="win")
    assert solution.value == 1
    assert solution.best[0] == "*capote"
    # Whoever breaks up the pair has 70 points at the end, short of 100 without the capote.
    assert {move.card for move in solution.cards if move.value != 1} == {"Ro", "Co"}
    poor = deal.replace(hands=["oA3RCS7 c76", "cA3RCS542"], points=[0, 100])
    assert solve(poor, objective="win").value == -1


def test_a_capote_is_searched_as_a_move() -> None:
    """Hands of a card each and a long stock, so that minimax can look through eight tricks."""
    rng = Random("capote")
    solver = Solver(memory=1)
    deck = VARIANTS["habanero"].deck(2, VARIANTS["habanero"].rules, "o").cards
    kept = failed = 0
    for _ in range(120):
        tricks = rng.choice((8, 9))
        high = rng.sample([card for card in deck if card.suit == "o" and card != "4o"], tricks)
        low = rng.sample([card for card in deck if card.suit != "o"], tricks - 1)
        if rng.random() < 0.6:
            place = rng.randrange(tricks - 1)
            high[place], low[place] = low[place], high[place]
        low.append(Card("4o"))
        pairs = list(zip(high, low, strict=True))
        deal = Deal(
            variant="habanero",
            hands=[[high[0]], [low[0]]],
            stock=[card for pair in pairs[1:] for card in pair],
            points=[rng.randint(0, 110), rng.randint(0, 110)],
            rules={"capote": "last8", "cante_window": rng.choice(("until_lead", "before_draw"))},
        )
        position = random_position(rng, deal, rng.choice((0, 1, 2, 3)))
        agrees_with_oracle(position, 1, "win", solver)
        if "*capote" in position.legal():
            value = minimax(position.play("*capote"), position.turn, "win")
            kept += value == 1
            failed += value == -1
    assert min(kept, failed) > 5


def test_the_exchange_is_a_move_that_may_be_declined() -> None:
    """Both have a value, and now and then it is right to decline."""
    rng = Random("exchange")
    solver = Solver(memory=1)
    taken = declined = 0
    for _ in range(3_000):
        deal = random_game_deal(
            rng,
            "habanero",
            cards=rng.choice((2, 3)),
            stock=rng.choice((1, 2, 3)),
            switches={"exchange_from_start": True},
            carried=False,
        )
        position = random_position(rng, deal, rng.choice((0, 2, 4)))
        calls = {"*7", "*2"} & set(position.legal())
        if not calls or lines(position, 3_000) <= 0:
            continue
        agrees_with_oracle(position, 1, "difference", solver)
        best = solver.solve(position, objective="difference", seat=position.turn + 1).best
        taken += bool(calls & set(best))
        declined += not calls & set(best)
    assert taken > 0
    assert declined > 0


# ---------------------------------------------------------------------- the search against itself


def deals(variant_id: str, players: int, stock: int, number: int) -> Iterator[Deal]:
    """Random deals with so many cards to draw."""
    rng = Random(f"deals {variant_id} {players} {stock}")
    for _ in range(number):
        yield random_deal(variant_id, rng, players=players, stock=stock)


@pytest.mark.parametrize(("variant_id", "players"), GAMES)
@pytest.mark.parametrize(
    ("table", "bounds", "order_seed"),
    [(True, True, 1), (True, False, 0), (True, False, 2), (False, True, 0), (False, False, 3)],
)
def test_order_table_and_bounds_do_not_change_values(
    variant_id: str, players: int, table: bool, bounds: bool, order_seed: int
) -> None:
    rng = Random(f"orders {variant_id} {players} {table} {bounds} {order_seed}")
    for _ in range(12):
        cards = (5 if table else 4) if players == 2 else 3
        deal = random_game_deal(rng, variant_id, cards=cards, players=players, stock=1)
        position = random_position(rng, deal, 3)
        try:
            objective = check_objective(position.game, rng.choice(OBJECTIVES))
        except QuestionError:
            continue
        plain, other = Solver(memory=1), Solver(memory=1)
        other._set_test_mode(table=table, bounds=bounds, order_seed=order_seed)
        one = plain.solve(position, objective=objective)
        two = other.solve(position, objective=objective)
        assert (one.value, one.cards, one.line) == (two.value, two.cards, two.line)


@pytest.mark.parametrize(("variant_id", "players"), GAMES)
def test_bounds_do_not_change_the_values_of_larger_endings(variant_id: str, players: int) -> None:
    check_bounds(variant_id, players, 150)


@pytest.mark.long
@pytest.mark.parametrize(("variant_id", "players"), GAMES)
def test_bounds_do_not_change_the_values_of_very_many_endings(
    variant_id: str, players: int
) -> None:
    check_bounds(variant_id, players, 10_000)


def check_bounds(variant_id: str, players: int, number: int) -> None:
    rng = Random(f"bounds {variant_id} {players}")
    with_bounds, without = Solver(memory=4), Solver(memory=4)
    without._set_test_mode(bounds=False)
    for _ in range(number):
        switches = random_switches(rng, variant_id) if rng.random() < 0.3 else {}
        deal = random_game_deal(
            rng,
            variant_id,
            cards=rng.choice((4, 5, 6, 7)) if players == 2 else rng.choice((3, 4)),
            players=players,
            switches=switches,
            stock=rng.choice((0, 0, 1, 2)) if players == 2 else rng.choice((0, 1)),
        )
        position = random_position(rng, deal, 3)
        try:
            objective = check_objective(position.game, rng.choice(("points", "difference")))
        except QuestionError:
            continue
        one = with_bounds.value_bounds(position, objective=objective)
        two = without.value_bounds(position, objective=objective)
        assert one.value == two.value


@pytest.mark.parametrize(
    ("variant_id", "players", "stock"), [("habanero", 2, 8), ("guinote", 2, 8)]
)
def test_table_sizes_and_threads_agree(variant_id: str, players: int, stock: int) -> None:
    for deal in deals(variant_id, players, stock, 4):
        values = {
            Solver(memory, threads).value_bounds(deal, objective="difference").value
            for memory, threads in ((1, 1), (64, 1), (16, 2), (1, 3))
        }
        assert len(values) == 1
        assert None not in values


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_best_play_keeps_the_value_and_a_warm_table_agrees(objective: Objective) -> None:
    for deal in deals("habanero", 2, 4, 2):
        solver = Solver(memory=16)
        solution = solver.solve(deal, objective=objective)
        position = solution.position
        for number, move in enumerate(solution.line):
            position = position.play(move)
            if number % 5 == 4:
                warm = solver.value_bounds(position, objective=objective, seat=1).value
                assert warm == solution.value
                cold = Solver(memory=16).value_bounds(position, objective=objective, seat=1)
                assert cold.value == warm
        assert position.over


def test_both_seats_of_a_difference_are_opposite() -> None:
    for deal in deals("habanero", 2, 6, 4):
        one = solve(deal, objective="difference", seat=1)
        assert one.value is not None
        assert solve(deal, objective="difference", seat=2).value == -one.value


def test_the_whole_of_a_four_handed_draw_is_solved() -> None:
    for deal in deals("guinote", 4, 4, 2):
        one, other = Solver(memory=16), Solver(memory=16, threads=2)
        assert one.value_bounds(deal).value == other.value_bounds(deal).value


# ---------------------------------------------------------------------- limits and interruption


@pytest.fixture
def hard_deal() -> Deal:
    """A whole deal, which takes much longer than any of the limits below."""
    return random_full_deal(Random("hard"), "habanero", switches={})


@pytest.mark.parametrize("threads", [1, 2])
def test_bounds_narrow_and_hold_the_value(threads: int) -> None:
    for deal in deals("habanero", 2, 10, 3):
        value = Solver().value_bounds(deal).value
        assert value is not None
        for limit in (0.0, 0.005, 0.05, None):
            seen: list[Progress] = []
            solution = Solver(16, threads).value_bounds(
                deal, time_limit=limit, progress=seen.append
            )
            assert solution.lower <= value <= solution.upper
            for before, after in pairwise(seen):
                assert before.lower <= after.lower <= value <= after.upper <= before.upper
                assert before.nodes <= after.nodes
            if limit is None:
                assert solution.value == value
                assert (seen[-1].lower, seen[-1].upper) == (value, value)
                assert all(so_far.estimate is not None for so_far in seen)


def test_a_stopped_solver_goes_on_to_the_right_value() -> None:
    for deal in deals("habanero", 2, 8, 2):
        value = Solver().value_bounds(deal).value
        solver = Solver(threads=2)
        while True:
            solution = solver.value_bounds(deal, time_limit=0.02)
            assert solution.lower <= (value or 0) <= solution.upper
            if solution.exact:
                break
        assert solution.value == value


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_stops_at_once_from_another_thread(hard_deal: Deal, threads: int) -> None:
    solver = Solver(threads=threads)
    answers = []
    thread = threading.Thread(target=lambda: answers.append(solver.solve(hard_deal)))
    thread.start()
    time.sleep(0.3)
    solver.stop()
    thread.join(timeout=10)
    assert not thread.is_alive()
    assert not answers[0].exact
    assert answers[0].lower < answers[0].upper


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_search_in_the_main_thread(hard_deal: Deal, threads: int) -> None:
    main = threading.main_thread().ident
    assert main is not None
    killer = threading.Timer(0.3, signal.pthread_kill, [main, signal.SIGINT])
    killer.start()
    with pytest.raises(KeyboardInterrupt):
        solve(hard_deal, threads=threads)
    killer.join()


def test_the_table_keeps_within_its_memory(hard_deal: Deal) -> None:
    for memory in (1, 3, 16):
        solver = Solver(memory=memory)
        solver.solve(hard_deal, time_limit=0.5)
        assert 0 < solver.table_bytes <= memory << 20


@pytest.mark.parametrize("threads", [0, -1, 65])
def test_impossible_numbers_of_threads_are_refused(threads: int) -> None:
    with pytest.raises(QuestionError, match="threads"):
        Solver(threads=threads)


# ---------------------------------------------------------------------- contracts, second hands


def test_the_contract_is_the_hand_won() -> None:
    for deal in deals("habanero", 2, 4, 4):
        deal = deal.replace(points=[60, 40])
        value = solve(deal, objective="points").value
        assert value is not None
        result = contract(deal)
        assert (result.bid, result.made, result.value) == (101, value >= 101, value)
        assert result.line
        assert contract(deal, bid=value).made is True
        assert contract(deal, bid=value + 1).made is False


def test_a_second_hand_goes_on_from_the_points_of_the_first() -> None:
    for deal in deals("habanero", 2, 2, 6):
        for carried in ((95, 0), (0, 95), (60, 60)):
            second = deal.replace(carried=carried)
            assert solve(second).objective == "win"
            value = solve(second).value
            assert solve(second, seat=2).value == -(value or 0)
            with pytest.raises(QuestionError, match="only `win`"):
                solve(second, objective="points")


# ---------------------------------------------------------------------- bounds
# Each was found by making a rule a little too strong: the name says what the wrong rule did.

CASES: dict[str, tuple[dict[str, object], Objective, int]] = {
    "trumps kept: the leader keeps one that a higher one takes": (
        {
            "variant": "habanero",
            "hands": ["o6 c2 bRS5", "oC c4 e542"],
            "trump": "espadas",
            "leader": 1,
            "seat": 1,
            "stock": "Ce 3e",
            "points": [0, 148],
            "declared": "e",
            "rules": {"exchange_from_start": True},
        },
        "difference",
        -172,
    ),
    "trumps kept: the rival keeps one that a higher one takes": (
        {
            "variant": "habanero",
            "hands": ["oC cS eR bA6", "oR cA eA b3C"],
            "trump": "copas",
            "leader": 2,
            "points": [19, 0],
            "tricks": [3, 0],
        },
        "difference",
        -22,
    ),
    "runs: a rival with trumps follows for ever": (
        {
            "variant": "habanero",
            "hands": ["oRC62 bA7", "oA4 cCS eC5"],
            "trump": "espadas",
            "seat": 2,
            "stock": "3b Se 4c 3e",
        },
        "points",
        55,
    ),
    "runs: one trump more is drawn than was led": (
        {
            "variant": "habanero",
            "hands": ["oRC62 bA7", "oA4 cCS eC5"],
            "trump": "espadas",
            "seat": 2,
            "stock": "3b Se 4c 3e",
        },
        "points",
        55,
    ),
    "runs: the rival is sure of a trick that he is not sure of": (
        {
            "variant": "habanero",
            "hands": ["oA3S e2 b52", "oC cR7 eR bC7"],
            "trump": "espadas",
            "leader": 1,
            "points": [40, 24],
            "declared": "ob",
        },
        "points",
        64,
    ),
    "runs: a leader with trumps follows for ever": (
        {
            "variant": "habanero",
            "hands": ["c2 eC4 bR5", "oRC5 cRC"],
            "trump": "copas",
            "seat": 2,
            "stock": "2b Ac",
            "points": [30, 0],
            "tricks": [2, 1],
        },
        "difference",
        -18,
    ),
    "runs: the best card falls, not the weakest": (
        {
            "variant": "habanero",
            "hands": ["o35 c5 eS bR", "oR6 cAS bC"],
            "trump": "bastos",
            "leader": 2,
            "points": [43, 41],
            "tricks": [7, 8],
            "rules": {"exchange_from_start": True},
        },
        "difference",
        -12,
    ),
    "runs: one trump more falls than was led": (
        {
            "variant": "habanero",
            "hands": ["o2 c3R e2 b6", "o5 cC4 eRC"],
            "trump": "oros",
            "leader": 2,
            "seat": 1,
            "stock": "5b 3o",
            "rules": {"exchange_from_start": True},
        },
        "difference",
        16,
    ),
    "last cards: the highest of a suit are not ruffed": (
        {
            "variant": "habanero",
            "hands": ["oA c5 b54", "oRC e3 b2"],
            "trump": "oros",
            "seat": 2,
            "points": [93, 35],
            "tricks": [2, 0],
            "declared": "b",
            "rules": {"exchange_from_start": True},
        },
        "difference",
        -68,
    ),
    "neighbours: a point less than the cards differ": (
        {
            "variant": "habanero",
            "hands": ["o2 c65 b3R", "oC cRC e7 b6"],
            "trump": "copas",
            "leader": 2,
            "seat": 1,
            "points": [38, 78],
            "tricks": [6, 9],
            "declared": "e",
            "rules": {"exchange_from_start": True},
        },
        "points",
        48,
    ),
    "neighbours: the cards of a pair too": (
        {
            "variant": "habanero",
            "hands": ["eRC6", "c54 bR"],
            "trump": "copas",
            "leader": 1,
            "seat": 1,
            "stock": "5o Cc 6c Ac",
        },
        "difference",
        13,
    ),
    "neighbours: with cards of others between": (
        {
            "variant": "habanero",
            "hands": ["o7 cRC5 eRC", "cS64 bRS6"],
            "trump": "bastos",
            "leader": 1,
            "stock": "7c 7b",
            "points": [42, 56],
            "tricks": [7, 6],
        },
        "points",
        73,
    ),
    "twins: a card that may be exchanged is like its neighbour": (
        {
            "variant": "habanero",
            "hands": ["oR cC eC bC", "oA e764"],
            "trump": "espadas",
            "leader": 1,
            "stock": "4c 7b 7o Ae",
            "points": [136, 0],
            "tricks": [2, 1],
            "declared": "b",
            "rules": {"exchange_from_start": True},
        },
        "difference",
        103,
    ),
    "neighbours: the card on the table is not between": (
        {
            "variant": "habanero",
            "hands": ["o65 c7 e37", "oR cRS eR bC"],
            "trump": "copas",
            "stock": "So 7o 2b Cc",
        },
        "difference",
        -14,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_stronger_bound_would_be_wrong_here(case: str) -> None:
    fields, objective, value = CASES[case]
    deal = Deal(**fields)  # type: ignore[arg-type]
    without = Solver(memory=1)
    without._set_test_mode(bounds=False)
    assert Solver(memory=1).solve(deal, objective=objective).value == value
    assert without.solve(deal, objective=objective).value == value
