"""Seconds for reviews: whole hands of random play, over the frozen corpus.

    pytest benchmarks/bench_review.py

Each figure is for all the hands named in its test's docstring, one after another. Random play is
the worst case: nearly every other card costs something.
"""

from __future__ import annotations

from random import Random

import pytest
from bench_solve import Benchmark
from frozen import GAMES, read

import tute
from tute import Deal, Review

ROUNDS = 1


def played(game: str, hands: int) -> list[Deal]:
    """Whole deals with random legal play to the end."""
    rng = Random(f"review {game}")
    deals = []
    for frozen in read(game, "full", hands):
        position, moves = frozen.deal.position(), []
        while not position.over:
            moves.append(rng.choice(position.legal()))
            position = position.play(moves[-1])
        deals.append(frozen.deal.replace(played=moves, cantes="explicit"))
    return deals


@pytest.mark.parametrize("game", [game for game in GAMES if game != "habanero"])
def test_every_value_of_a_hand(benchmark: Benchmark, game: str) -> None:
    """Every card's value at every moment of 5 hands, and best play after each."""
    deals = played(game, 5)
    walks = benchmark.pedantic(
        lambda: [tute.walk(deal) for deal in deals], rounds=ROUNDS, warmup_rounds=0
    )
    assert all(walk.complete for walk in walks)


@pytest.mark.parametrize("game", ["subastado", "cuatrola"])
def test_who_is_to_blame(benchmark: Benchmark, game: str) -> None:
    """A review of 1 hand, with 200 deals for each card that cost something."""
    deals = played(game, 1)

    def run() -> list[Review]:
        reviews = [tute.review(deal) for deal in deals]
        return [review for review in reviews if isinstance(review, Review)]

    (review,) = benchmark.pedantic(run, rounds=ROUNDS, warmup_rounds=0)
    assert all(move.blameless is not None for move in review.moves)
