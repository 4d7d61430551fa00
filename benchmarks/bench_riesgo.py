"""Seconds for riesgo, exact near the end and estimated before.

    pytest benchmarks/bench_riesgo.py
    pytest benchmarks/bench_riesgo.py -k "exact and cabrero"

Each figure is for the outlook of all the positions named in its test's docstring, one after
another, each with a solver of its own.
"""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from bench_solve import ROUNDS, Benchmark
from riesgo import GAMES, played_down

from tute import Position
from tute.dealing import random_deal
from tute.riesgo import EXACT_CARDS, Outlook, RiskSolver

games = pytest.mark.parametrize(("game", "players"), GAMES)


def measure(benchmark: Benchmark, positions: list[Position]) -> list[Outlook]:
    """Time the outlooks of these positions."""

    def run() -> list[Outlook]:
        return [RiskSolver().outlook(position) for position in positions]

    return benchmark.pedantic(run, rounds=ROUNDS, warmup_rounds=1)


@games
def test_exact(benchmark: Benchmark, game: str, players: int) -> None:
    """20 endings with as many cards as are exact."""
    positions = list(islice(played_down(game, players, EXACT_CARDS[players]), 20))
    assert all(answer.exact for answer in measure(benchmark, positions))


@games
def test_estimate(benchmark: Benchmark, game: str, players: int) -> None:
    """2 whole deals."""
    deals = [random_deal(game, Random(number), players=players) for number in range(2)]
    answers = measure(benchmark, [deal.start() for deal in deals])
    assert all(answer.decided and not answer.exact for answer in answers)
