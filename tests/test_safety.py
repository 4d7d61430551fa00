"""Who can be sure not to lose, against the literal recursion, against itself, and under limits."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest
from click.testing import CliRunner

import tute
from strategies import (
    random_full_deal,
    random_game_deal,
    random_position,
    random_record,
    random_switches,
)
from test_alone import GAMES, losing_places, with_pairs
from test_two_sides import renamed, turned
from tute import Deal, Position, QuestionError, Safety, safe, safety_history
from tute.alone import packed_game, packed_position
from tute.cards import SUITS
from tute.engine.safety import Solver
from tute.files import to_json
from tute.position import Window
from tute.report.json import safety as as_json
from tute_cli.main import main

SAFE, HIGH, LOW, MORE, NOT_MORE = range(5)
SMALL, LARGE, WHOLE = 250, 4, 60

games = pytest.mark.parametrize(("variant_id", "players"), GAMES)


# ---------------------------------------------------------------------- the literal recursion


def sure(position: Position, place: int, reached: Callable[[Position], bool]) -> bool:
    """Whether the player at `place` can bring about what he wants against all the others."""
    if position.over:
        return reached(position)
    answers = (sure(after, place, reached) for _, after in position.successors())
    return any(answers) if position.turn == place else all(answers)


def reaches(aim: int, place: int, level: int) -> Callable[[Position], bool]:
    """Whether a finished hand is what the player aimed at; each line is a line of the rules."""

    def reached(position: Position) -> bool:
        mine = position.points[place]
        others = [points for other, points in enumerate(position.points) if other != place]
        if aim == MORE:
            return mine > level
        if aim == NOT_MORE:
            return mine <= level
        if place in losing_places(position):
            return False
        if aim == HIGH:
            return all(mine > points for points in others)
        if aim == LOW:
            trickless = position.game.variant.id == "cabrero" and not position.tricks[place]
            return trickless or all(mine < points for points in others)
        return True

    return reached


def random_ending(rng: Random, variant_id: str, players: int, cards: int) -> Position:
    """A position under random switches, not yet over, in a trick or between two."""
    while True:
        thrown = random_switches(rng, variant_id)
        if rng.random() < 0.15:
            deal = with_pairs(rng, variant_id, players)
            size = max(map(len, deal.hands))
            position = deal.position()
            while max(map(len, position.hands)) > min(cards, size) or position.trick:
                if position.over:
                    break
                position = position.play(rng.choice(position.legal()))
        else:
            deal = random_game_deal(rng, variant_id, cards, players, thrown)
            position = random_position(rng, deal, rng.choice((0, 0, 3, 6)))
        if not position.over:
            return position


def ask(solver: Solver, position: Position, place: int, aim: int, level: int = 0) -> bool | None:
    solver.set_game(packed_game(position.game))
    solver.set_goal(place, aim)
    solver.set_position(packed_position(position))
    if aim not in (MORE, NOT_MORE):
        return solver.test()
    bound = solver.test_points(level)
    return None if bound is None else (bound > level) == (aim == MORE)


def agrees(rng: Random, solver: Solver, variant_id: str, players: int, cards: int) -> None:
    position = random_ending(rng, variant_id, players, cards)
    place, aim = rng.randrange(players), rng.choice((SAFE, SAFE, HIGH, LOW, MORE, NOT_MORE))
    level = position.points[place] + rng.randint(-3, 40)
    expected = sure(position, place, reaches(aim, place, level))
    assert ask(solver, position, place, aim, level) == expected, (position, place, aim, level)


@games
def test_small_endings_are_as_the_recursion_says(variant_id: str, players: int) -> None:
    rng, solver = Random(f"small {variant_id} {players}"), Solver(1)
    for _ in range(SMALL):
        agrees(rng, solver, variant_id, players, rng.choice((1, 2, 2, 3 if players < 5 else 2)))


@games
def test_larger_endings_are_as_the_recursion_says(variant_id: str, players: int) -> None:
    rng, solver = Random(f"large {variant_id} {players}"), Solver(1)
    for _ in range(LARGE):
        agrees(rng, solver, variant_id, players, {3: 5, 4: 4, 5: 3}[players])


@pytest.mark.long
@games
def test_very_many_endings_are_as_the_recursion_says(variant_id: str, players: int) -> None:
    rng, solver = Random(f"many {variant_id} {players}"), Solver(1)
    for _ in range(5_000):
        agrees(rng, solver, variant_id, players, rng.choice((2, 3, 3, 4 if players == 3 else 3)))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_takers_without_points(players: int) -> None:
    """One player has all the points so far, and what is left is worth little or nothing."""
    rng, solver = Random(f"pointless {players}"), Solver(1)
    lost = 0
    for _ in range(150):
        thrown = {
            "cabrero_tie": rng.choice(("seat", "seat", "joint")),
            "zero_point_takers": rng.choice(("all_lose", "all_lose", "by_rank")),
            "loser_rule": rng.choice(("rank", "second", "middle")),
        }
        deck = random_game_deal(rng, "cabrero", 0, players, thrown)
        few = [rank + suit for rank in "76543" for suit in SUITS]
        cards = rng.sample(few, 2 * players)
        deal = deck.replace(
            trump="o",
            hands=[cards[2 * place : 2 * place + 2] for place in range(players)],
            points=[60 if place == 0 else 0 for place in range(players)],
            tricks=[1, *(rng.choice((0, 1, 1)) for _ in range(players - 1))],
            declared="",
        )
        for place in range(players):
            expected = sure(deal.position(), place, reaches(SAFE, place, 0))
            assert ask(solver, deal.position(), place, SAFE) == expected
            lost += not expected
    assert lost


# ---------------------------------------------------------------------- whole answers


def points_sure(position: Position, place: int) -> tuple[int, int]:
    """The most and the fewest points that a player can be sure of, by plain minimax."""
    if position.over:
        return position.points[place], position.points[place]
    answers = [points_sure(after, place) for _, after in position.successors()]
    most, fewest = zip(*answers, strict=True)
    return (max(most), min(fewest)) if position.turn == place else (min(most), max(fewest))


@games
def test_whole_answers_are_as_the_recursion_says(variant_id: str, players: int) -> None:
    rng = Random(f"whole {variant_id} {players}")
    for _ in range(WHOLE):
        position = random_ending(rng, variant_id, players, rng.choice((1, 2, 2, 3)))
        if max(map(len, position.hands)) == 3 and players > 3:
            continue
        answer = safe(position, workers=1, memory=2)
        assert answer.complete
        for place, player in enumerate(answer.players):
            assert player.seat == place + 1
            assert player.safe == sure(position, place, reaches(SAFE, place, 0))
            assert player.high == sure(position, place, reaches(HIGH, place, 0))
            assert player.low == sure(position, place, reaches(LOW, place, 0))
            assert (player.max_points, player.min_points) == points_sure(position, place)
            assert player.risk is not None
            if player.safe:
                assert (player.risk.chance, player.credible) == (0, "all")
        assert {move.card for move in answer.cards} == set(position.legal())
        for move in answer.cards:
            after, place = position.play(move.card), position.turn
            assert move.safe == sure(after, place, reaches(SAFE, place, 0))
        mover = answer.players[position.turn]
        assert bool(answer.safe_cards) == mover.safe
        shows(answer)


def shows(answer: Safety) -> None:
    """The line is legal, ends the hand, and keeps or refuses the seat's safety at every step."""
    position, place = answer.position, answer.seat - 1
    expected = answer.players[place].safe
    assert not position.over
    for move in answer.line:
        position = position.play(move)
        if sum(map(len, position.hands)) <= 9:
            assert sure(position, place, reaches(SAFE, place, 0)) == expected
    assert position.over
    assert (place not in losing_places(position)) == expected


@games
def test_the_seat_of_the_line(variant_id: str, players: int) -> None:
    rng = Random(f"lines {variant_id} {players}")
    for _ in range(12):
        position = random_ending(rng, variant_id, players, 4)
        assert safe(position).seat == position.turn + 1
        for seat in range(1, players + 1):
            answer = safe(position, seat=seat)
            assert answer.seat == seat
            shows(answer)


def literal_line(position: Position, place: int) -> list[str]:
    """The rule of the line, word for word."""
    line: list[str] = []
    expected = sure(position, place, reaches(SAFE, place, 0))

    def keeping(one: Position) -> list[str]:
        return [
            str(move)
            for move, after in one.successors()
            if sure(after, place, reaches(SAFE, place, 0)) == expected
        ]

    def replies(after: Position) -> int:
        getting_its_way = not after.over and (after.turn == place) == expected
        return len(keeping(after)) if getting_its_way else 100

    while not position.over:
        if (position.turn == place) == expected:
            move = keeping(position)[0]
        else:
            numbers = [(replies(after), n) for n, (_, after) in enumerate(position.successors())]
            move = str(position.legal()[min(numbers)[1]])
        line.append(move)
        position = position.play(move)
    return line


@games
def test_the_line_follows_its_rule(variant_id: str, players: int) -> None:
    rng = Random(f"rule {variant_id} {players}")
    for _ in range(15):
        position = random_ending(rng, variant_id, players, 3 if players < 5 else 2)
        place = rng.randrange(players)
        answer = safe(position, seat=place + 1)
        assert [str(move) for move in answer.line] == literal_line(position, place)


# ---------------------------------------------------------------------- the check cases


@pytest.mark.parametrize(
    ("variant_id", "points", "tricks", "losers"),
    [
        ("cabron", [60, 50, 20], [4, 4, 4], "2"),
        ("cabron", [60, 60, 10], [5, 5, 2], "12"),
        ("cabron", [90, 20, 20], [8, 2, 2], "23"),
        ("cabron", [101, 20, 9], [8, 2, 2], "1"),
        ("cabron", [100, 20, 10], [8, 2, 2], "2"),
        ("cabron", [101, 102, 9], [5, 5, 2], "12"),
        ("cabron", [120, 10, 0], [8, 4, 0], "3"),
        ("cabron", [130, 0, 0], [12, 0, 0], "23"),
        ("cabron", [50, 50, 20, 10], [4, 4, 1, 1], "3"),
        ("cabron", [50, 50, 15, 15], [4, 4, 1, 1], "1234"),
        ("cabron", [50, 40, 30, 10], [4, 4, 1, 1], "23"),
        ("cabrero", [70, 0, 60], [7, 0, 6], "3"),
        ("cabrero", [70, 50, 10, 0], [5, 4, 1, 0], "3"),
        ("cabrero", [60, 40, 20, 10], [4, 3, 2, 1], "3"),
        ("cabrero", [65, 65, 0, 0], [5, 5, 0, 0], "12"),
        ("cabrero", [50, 50, 20, 10], [3, 3, 2, 2], "3"),
        ("cabrero", [130, 0, 0, 0], [8, 1, 1, 0], "23"),
        ("cabrero", [130, 0, 0, 0], [10, 0, 0, 0], "234"),
        ("cabrero", [50, 40, 20, 15, 5], [2, 2, 2, 1, 1], "3"),
        ("tute-individual", [70, 40, 20], [6, 4, 2], "23"),
        ("tute-individual", [50, 50, 30], [5, 5, 2], "123"),
    ],
)
def test_check_cases(variant_id: str, points: list[int], tricks: list[int], losers: str) -> None:
    deal = Deal(
        variant=variant_id,
        trump="none" if variant_id == "cabron" else "oros",
        hands=[[] for _ in points],
        points=points,
        tricks=tricks,
    )
    answer = safe(deal)
    assert answer.complete
    assert "".join(str(player.seat) for player in answer.players if not player.safe) == losers
    assert [player.max_points for player in answer.players] == points
    assert [player.min_points for player in answer.players] == points
    assert (answer.cards, answer.line) == ((), ())
    assert as_json(answer)["to_move"] is None


def test_a_capote_is_refused_or_made() -> None:
    """Seat 1 has all the tricks of a cabrero hand; if he may sing, he may also not."""
    deal = Deal(
        variant="cabrero",
        trump="oros",
        hands=["oA cRC", "o5 c65", "o6 e76", "o7 b65"],
        points=[70, 0, 0, 0],
        tricks=[7, 0, 0, 0],
    )
    answer = safe(deal.replace(played="Ao 5o 6o 7o"))
    by_card = {str(move.card): move.safe for move in answer.cards}
    assert by_card["*20c"] is False  # all tricks, and he has sung
    assert by_card["Rc"] is True


def test_a_tute_is_shown() -> None:
    deal = Deal(
        variant="cabrero",
        trump="oros",
        hands=["oAR cR eR bR", "o5 c65 e65", "o6 e7 b762", "o7 b54 cA e2"],
        points=[0, 30, 30, 0],
        tricks=[0, 3, 2, 0],
    )
    answer = safe(deal.replace(played="Ao 5o 6o 7o"))
    assert answer.players[0].safe
    assert "*tute" in {str(move.card) for move in answer.cards if move.safe}
    without = safe(deal.replace(played="Ao 5o 6o 7o", rules={"tute": "none"}))
    assert "*tute" not in {str(move.card) for move in without.cards}


# ---------------------------------------------------------------------- the search against itself


@games
@pytest.mark.parametrize(
    ("table", "early", "order_seed"),
    [(True, True, 1), (True, False, 0), (False, True, 0), (False, False, 2)],
)
def test_table_early_ends_and_order_do_not_change_answers(
    variant_id: str, players: int, table: bool, early: bool, order_seed: int
) -> None:
    rng = Random(f"modes {variant_id} {players} {table} {early} {order_seed}")
    plain, other = Solver(4), Solver(4)
    other.set_test_mode(table=table, early=early, order_seed=order_seed)
    for _ in range(25):
        position = random_ending(rng, variant_id, players, {3: 6, 4: 5, 5: 4}[players])
        if not table and max(map(len, position.hands)) > {3: 5, 4: 4, 5: 3}[players]:
            continue
        place, aim = rng.randrange(players), rng.choice((SAFE, SAFE, SAFE, HIGH, LOW))
        assert ask(plain, position, place, aim) == ask(other, position, place, aim)


@games
def test_one_table_serves_other_histories(variant_id: str, players: int) -> None:
    """Proofs found with some points so far answer for others only where they hold."""
    rng = Random(f"histories {variant_id} {players}")
    warm, cold = Solver(4), Solver(4)
    cards = {3: 6, 4: 5, 5: 4}[players]
    for _ in range(10):
        position = random_ending(rng, variant_id, players, cards)
        place, aim = rng.randrange(players), rng.choice((SAFE, SAFE, HIGH, LOW))
        warm.set_game(packed_game(position.game))
        warm.set_goal(place, aim)
        near = [rng.randint(0, 60) for _ in range(players)]
        for _ in range(15):
            points = tuple(max(0, number + rng.randint(-12, 12)) for number in near)
            other = replace(position, points=points)
            warm.set_position(packed_position(other))
            assert warm.test() == ask(cold, other, place, aim)


def with_another_past(rng: Random, position: Position) -> Position:
    """The same cards after other tricks, cantes and declarations."""
    places = range(position.game.players)
    few = rng.choice((0.1, 0.5, 0.9))
    makes_trumps = position.game.variant.id == "cabron"
    trump = rng.choice((None, *SUITS)) if makes_trumps else position.trump
    declared = frozenset(suit for suit in SUITS if rng.random() < 0.4)
    pairs = [suit for suit in SUITS if any(whole_pair(hand, suit) for hand in position.hands)]
    open_window = position.window and rng.choice((None, Window(), Window(), Window(declared=1)))
    return replace(
        position,
        window=open_window,
        points=tuple(rng.choice((0, 30, rng.randint(0, 100))) for _ in places),
        tricks=tuple(rng.random() < few for _ in places),
        trump=trump,
        declared=declared | ({trump} if makes_trumps and trump else set()),
        parted=frozenset(suit for suit in SUITS if suit not in pairs and rng.random() < 0.5),
        sang=frozenset(place for place in places if rng.random() < 0.5),
    )


def whole_pair(hand: Sequence[str], suit: str) -> bool:
    return "R" + suit in hand and "C" + suit in hand


@games
def test_one_table_serves_other_pasts(variant_id: str, players: int) -> None:
    """Who has a trick or has sung, which pairs are credited and what is trumps make another key."""
    rng = Random(f"pasts {variant_id} {players}")
    warm, cold = Solver(4), Solver(4)
    cold.set_test_mode(early=False)
    compared = 0
    while compared < 800 // (players - 1) ** 2:
        deal = with_pairs(rng, variant_id, players)
        if rng.random() < 0.3:
            deal = deal.replace(rules=replace(deal.rules, cante_timing="at_second_card"))
        position = random_position(rng, deal, 2 * players)
        if position.trick or position.over or (position.window is None and rng.random() < 0.5):
            continue
        compared += 1
        place, aim = rng.randrange(players), rng.choice((SAFE, SAFE, HIGH, LOW))
        warm.set_game(packed_game(position.game))
        warm.set_goal(place, aim)
        for _ in range(16):
            other = with_another_past(rng, position)
            warm.set_position(packed_position(other))
            assert warm.test() == ask(cold, other, place, aim), (other, place, aim)


@games
def test_symmetric_deals_have_the_same_answers(variant_id: str, players: int) -> None:
    rng = Random(f"symmetry {variant_id} {players}")
    solver = Solver(4)
    for _ in range(25):
        deal = random_game_deal(rng, variant_id, 5 if players < 5 else 4, players)
        place, aim = rng.randrange(players), rng.choice((SAFE, HIGH, LOW))
        expected = ask(solver, deal.position(), place, aim)
        suits = "".join(rng.sample(SUITS, 4))
        assert ask(solver, renamed(deal, suits).position(), place, aim) == expected
        by = rng.randrange(players)
        around = turned(deal, by).position()
        assert ask(solver, around, (place + by) % players, aim) == expected


# ---------------------------------------------------------------------- records


@games
def test_history_of_a_record(variant_id: str, players: int) -> None:
    rng = Random(f"records {variant_id} {players}")
    changed = 0
    for _ in range(12):
        thrown = random_switches(rng, variant_id)
        deal = random_game_deal(rng, variant_id, 3 if players < 5 else 2, players, thrown)
        deal = random_record(rng, deal, 12)
        steps = safety_history(deal)
        moments = list(deal.replay())
        assert [step.index for step in steps] == list(range(len(moments)))
        positions = [position for _, _, position in moments] + [deal.position()]
        for step, (_, move, position), after in zip(steps, moments, positions[1:], strict=True):
            assert (step.card, step.seat) == (move, position.to_move)
            assert step.before == literally_safe(position)
            assert step.after == literally_safe(after)
            changed += bool(step.lost or step.gained)
            # Only the seat that moves can throw its own safety away, and it never gains by it.
            assert set(step.lost) <= {step.seat}
            assert step.seat not in step.gained
    assert changed


def literally_safe(position: Position) -> tuple[bool, ...]:
    places = range(position.game.players)
    return tuple(sure(position, place, reaches(SAFE, place, 0)) for place in places)


def test_history_within_a_limit() -> None:
    deal = random_record(Random(1), random_full_deal(Random(1), "cabrero", 4, {}), 12)
    steps = safety_history(deal, time_limit=0)
    assert {answer for step in steps for answer in (*step.before, *step.after)} == {None}
    assert {seat for step in steps for seat in (*step.lost, *step.gained)} == set()


# ---------------------------------------------------------------------- limits and refusals


def hard_deal() -> Deal:
    return random_full_deal(Random("hard"), "cabrero", 4, {})


def undecided(answer: Safety) -> bool:
    return any(player.safe is None or player.max_points is None for player in answer.players)


def test_a_time_limit_leaves_open_what_is_not_decided() -> None:
    deal = random_game_deal(Random(3), "cabrero", 6, 4, history=False)
    whole = safe(deal)
    assert whole.complete
    for limit in (0.0, 0.002, 0.01):
        answer = safe(deal, time_limit=limit)
        for found, player in zip(answer.players, whole.players, strict=True):
            for name in ("safe", "high", "low", "max_points", "min_points"):
                assert getattr(found, name) in (None, getattr(player, name))
        known = {move.card: move.safe for move in whole.cards}
        assert all(move.safe in (None, known[move.card]) for move in answer.cards)
        assert answer.line in ((), whole.line)
        assert not (limit == 0 and answer.complete)


def test_a_search_is_cancelled_from_another_thread() -> None:
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    answer = safe(hard_deal(), cancel=cancel)
    assert undecided(answer)
    assert not answer.complete


def test_workers_find_the_same() -> None:
    deal = random_game_deal(Random(5), "cabron", 5, 4, history=False)
    one, two = safe(deal, workers=1), safe(deal, workers=2)
    assert (one.players, one.cards, one.line) == (two.players, two.cards, two.line)


def test_what_is_refused() -> None:
    with pytest.raises(QuestionError, match="solve"):
        safe(random_game_deal(Random(1), "tute", 3))
    with pytest.raises(QuestionError, match="seat"):
        safe(random_game_deal(Random(1), "cabron", 3, 3), seat=4)
    with pytest.raises(QuestionError, match="solve"):
        safety_history(random_game_deal(Random(1), "subastado", 3))


# ---------------------------------------------------------------------- the command


def command(deal: Deal, arguments: Sequence[str] = ()) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["safe", "-", *arguments], input=to_json(deal))
    assert result.stderr == ""
    return result.exit_code, result.stdout


@games
def test_the_command_says_what_the_library_finds(variant_id: str, players: int) -> None:
    deal = random_game_deal(Random(f"command {players}"), variant_id, 3, players, history=False)
    answer = safe(deal)
    status, printed = command(deal, ["--json"])
    shown, expected = json.loads(printed), json.loads(json.dumps(as_json(answer)))
    for effort in ("nodes", "seconds"):
        del shown[effort], expected[effort]
    assert (status, shown) == (0, expected)
    assert shown["format"] == "tute.safe.v1"
    status, printed = command(deal)
    assert status == 0
    assert ("segura" in printed) == any(player.safe for player in answer.players)


def test_the_command_within_a_limit() -> None:
    status, printed = command(hard_deal(), ["--json", "--time-limit", "0"])
    shown = json.loads(printed)
    assert status == 3
    assert {player["safe"] for player in shown["players"]} == {None}
    assert {card["safe"] for card in shown["cards"]} == {None}
    assert shown["line"] == []
    status, printed = command(hard_deal(), ["--time-limit", "0"])
    assert status == 3
    assert "not decided" in printed


def test_solve_says_that_safe_is_the_question() -> None:
    with pytest.raises(QuestionError, match="tute safe"):
        tute.solve(random_game_deal(Random(1), "cabron", 3))
