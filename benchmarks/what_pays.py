"""What parts of the search are worth: the nodes for one exact value without each of them.

    python benchmarks/what_pays.py --write

The sums are over the full deals of the signature (a few minutes, most of them for the random
order). Without the table a full deal takes too long to count.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from unittest.mock import patch

import generated
from frozen import Frozen, read
from signature import COUNT, GAMES, nodes

from tute import Position, Solver
from tute.question import Question

Count = Callable[[Sequence[Frozen]], int]


def whole(answers: Sequence[Frozen]) -> int:
    """Nodes of the search as it is."""
    return sum(map(nodes, answers))


def without_bounds(answers: Sequence[Frozen]) -> int:
    """Nodes when every line is played to its last card."""
    return sum(nodes(answer, _solver(bounds=False)) for answer in answers)


def in_random_order(answers: Sequence[Frozen]) -> int:
    """Nodes with the moves in a random order."""
    return sum(nodes(answer, _solver(order_seed=1)) for answer in answers)


def without_estimate(answers: Sequence[Frozen]) -> int:
    """Nodes when the first test is in the middle of what is conceivable."""

    def middle(question: Question, position: Position, estimate: int) -> int:
        return sum(question.range(position)) // 2

    with patch.object(Question, "first_guess", middle):
        return whole(answers)


def _solver(*, bounds: bool = True, order_seed: int = 0) -> Solver:
    solver = Solver()
    solver._set_test_mode(bounds=bounds, order_seed=order_seed)
    return solver


def main() -> None:
    """Count, print the table, and write it into the README if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the table into the README")
    options = parser.parse_args()
    searches: dict[str, Count] = {
        "whole": whole,
        "without bounds": without_bounds,
        "first test in the middle, not at the estimate": without_estimate,
        "moves in a random order": in_random_order,
    }
    rows = [["search", *(part for game in GAMES for part in (f"{game}, nodes", "times"))]]
    answers = {game: read(game, "full", COUNT) for game in GAMES}
    least = {game: whole(answers[game]) for game in GAMES}
    for name, count in searches.items():
        numbers = {game: count(answers[game]) for game in GAMES}
        parts = ((f"{n:,}", f"{n / least[game]:.2f}") for game, n in numbers.items())
        rows.append([name, *(part for both in parts for part in both)])
    text = generated.table(rows)
    print(text)
    if options.write:
        generated.write("what pays", text)


if __name__ == "__main__":
    main()
