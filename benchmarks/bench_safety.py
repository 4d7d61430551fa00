"""Seconds for what a seat can be sure of, over the frozen corpus.

    pytest benchmarks/bench_safety.py

Each figure is for all the deals named in its test's docstring, one after another, each with tables
of its own. The answers are checked, outside the time taken.
"""

from __future__ import annotations

import pytest
from bench_solve import ROUNDS, Benchmark
from frozen_safety import GAMES, Answers, answers, read

games = pytest.mark.parametrize(("game", "players"), GAMES)


def measure(benchmark: Benchmark, game: str, players: int, kind: str, count: int) -> None:
    """Time the answers of the first deals of a file, and compare them with those frozen."""
    frozen = read(game, players, kind, count)

    def run() -> list[Answers]:
        return [answers(each.deal, kind) for each in frozen]

    found = benchmark.pedantic(run, rounds=ROUNDS, warmup_rounds=0)
    assert found == [each.answers for each in frozen]


@games
def test_safe_or_not(benchmark: Benchmark, game: str, players: int) -> None:
    """Whether each seat is safe in 5 full deals."""
    measure(benchmark, game, players, "full", 5)


@games
def test_all_that_a_seat_can_be_sure_of(benchmark: Benchmark, game: str, players: int) -> None:
    """Safe, high, low, the most and the fewest points of each seat in 30 endings."""
    measure(benchmark, game, players, "ending", 30)
