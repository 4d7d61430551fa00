"""Seconds for each kind of question, over the frozen corpus.

    pytest benchmarks/bench_solve.py
    pytest benchmarks/bench_solve.py -k "value and subastado"

Each figure is for all the deals named in its test's docstring, one after another, each with a
solver of its own. The answers are checked, outside the time taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

import pytest
from frozen import GAMES, STOCK, WITH_STOCK, Frozen, read

import tute
from tute import Solution, Solver, Table
from tute.table import TABLE_VARIANTS

T = TypeVar("T")
ROUNDS = 3
LARGE = ("tute", "subastado", "subastado-parejas", "tute-individual")


class Benchmark(Protocol):
    """What is used of pytest-benchmark's fixture."""

    def pedantic(self, target: Callable[[], T], *, rounds: int, warmup_rounds: int) -> T:
        """Time a function, and give its last result."""


def measure(
    benchmark: Benchmark, answers: list[Frozen], solve: Callable[[Frozen], Solution]
) -> None:
    """Time a way to solve these deals, and check what it answers."""

    def run() -> list[Solution]:
        return [solve(answer) for answer in answers]

    solutions = benchmark.pedantic(run, rounds=ROUNDS, warmup_rounds=1)
    for answer, solution in zip(answers, solutions, strict=True):
        assert answer.agrees(solution), answer.deal.id


def value(answer: Frozen) -> Solution:
    """The value alone."""
    return Solver().value_bounds(answer.deal, objective=answer.objective)


def all_cards(answer: Frozen) -> Solution:
    """The value of every move, and best play."""
    return Solver().solve(answer.deal, objective=answer.objective)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "butifarra"])
def test_exact_value(benchmark: Benchmark, game: str) -> None:
    """The value of 20 full deals."""
    measure(benchmark, read(game, "full", 20), value)


def test_exact_value_of_butifarra(benchmark: Benchmark) -> None:
    """The value of 3 full deals."""
    measure(benchmark, read("butifarra", "full", 3), value)


@pytest.mark.parametrize("game", LARGE)
def test_exact_value_of_hard_deals(benchmark: Benchmark, game: str) -> None:
    """The value of 5 hard deals."""
    measure(benchmark, read(game, "hard", 5), value)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "butifarra"])
def test_all_cards(benchmark: Benchmark, game: str) -> None:
    """Every move's value and best play in 20 full deals."""
    measure(benchmark, read(game, "full", 20), all_cards)


@pytest.mark.parametrize("game", GAMES)
def test_all_cards_in_the_middle(benchmark: Benchmark, game: str) -> None:
    """Every move's value and best play in 100 middle-game positions."""
    measure(benchmark, read(game, "middle"), all_cards)


@pytest.mark.parametrize("game", GAMES)
def test_endings(benchmark: Benchmark, game: str) -> None:
    """Every move's value and best play in 100 endings."""
    measure(benchmark, read(game, "ending"), all_cards)


@pytest.mark.parametrize("game", WITH_STOCK)
def test_with_a_stock(benchmark: Benchmark, game: str) -> None:
    """The value of 60 positions with up to eight cards to draw."""
    measure(benchmark, read(game, STOCK), value)


@pytest.mark.parametrize("game", ["subastado", "subastado-parejas"])
def test_made_or_not(benchmark: Benchmark, game: str) -> None:
    """Whether the highest bid that is made, and one more, are made in 20 full deals."""
    step = {"subastado": 5, "subastado-parejas": 10}[game]
    asked = []
    for number, answer in enumerate(read(game, "full", 20)):
        bid = answer.value // step * step + step * (number % 2)
        made = 1 if answer.value >= bid else -1
        asked.append(Frozen(answer.deal.replace(bid=bid), "win", made, {}))
    measure(benchmark, asked, value)


@pytest.mark.parametrize("game", [game for game in TABLE_VARIANTS if game != "butifarra"])
def test_full_table(benchmark: Benchmark, game: str) -> None:
    """The table of 3 full deals, on one thread; the row of the deal's own question is checked."""
    answers = [answer for answer in read(game, "full") if answer.deal.contract is None][:3]

    def run() -> list[Table]:
        return [tute.table(answer.deal, workers=1) for answer in answers]

    for answer, table in zip(
        answers, benchmark.pedantic(run, rounds=ROUNDS, warmup_rounds=1), strict=True
    ):
        hand = answer.deal.game()
        declarer = min(hand.side(answer.deal.asked - 1)) + 1
        (row,) = (r for r in table.rows if (r.declarer, r.trump) == (declarer, hand.trump))
        assert row.value == answer.value, answer.deal.id
