"""Fit the evaluation that orders the moves of games with a known stock.

Random deals of habanero and two-player guiñote, with cards to draw or without, are solved, and the
difference is fitted by least squares: what side 0 gains less what side 1 gains, halved. A card
counts for the side that holds it, by the kind of suit (plain, trumps, plain and the rival may
ruff), its rank and how many higher cards are still in play; a pair, whole or with the other card in
the stock, by whether it is of trumps; and the lead. The weights only order moves, so a bad fit
costs time, not truth.

    python benchmarks/fit_stock_evaluation.py --seconds 120

writes `solver/tute/stock_evaluation.py`, in about four minutes on one processor. It needs numpy.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import numpy as np
from fit_evaluation import ranks
from numpy.typing import NDArray

from tute.dealing import random_deal
from tute.position import Position
from tute.question import Question
from tute.solver import Solver

KINDS, RANKS = 3, 10
PLAIN, TRUMPS, RUFFABLE = range(KINDS)
CARDS = KINDS * RANKS * RANKS
PAIR, HALF, LEAD, WEIGHTS = CARDS, CARDS + 2, CARDS + 4, CARDS + 5
# By phase: how many times each player draws in the deals that it is fitted on, and how many cards
# each holds then.
PHASES: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((0,), (3, 4, 5, 6, 7, 8)),
    ((1, 2), (8,)),
)
RIDGE = 20.0
SCALE = 8
HEADER = '''\
"""Weights of the evaluation that orders moves in games with a stock.

Written by benchmarks/fit_stock_evaluation.py. For each phase (nothing left to draw, or something):
what a card in play is worth to the side that holds it, by kind of suit (plain, trumps, plain and
the rival may ruff), rank (strongest first) and number of higher cards in play; what a pair is
worth, plain or of trumps, whole in one hand or with the other card in the stock; and the lead. In
eighths of a point.
"""

from __future__ import annotations

from typing import NamedTuple


class Phase(NamedTuple):
    """The weights of one phase."""

    cards: tuple[tuple[tuple[int, ...], ...], ...]
    pair: tuple[int, int]
    half: tuple[int, int]
    lead: int


# fmt: off
'''
TARGET = Path(__file__).parent.parent / "solver" / "tute" / "stock_evaluation.py"
Row = tuple[dict[int, float], float]


def solved(phase: int, seconds: float) -> list[Row]:
    """Random deals of a phase: the features that are not 0, and half the difference gained."""
    draws, sizes = PHASES[phase]
    rng = random.Random(f"fit {phase}")
    solver = Solver(memory=64)
    found = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        deal = random_deal(
            rng.choice(("habanero", "guinote")),
            rng,
            players=2,
            stock=2 * rng.choice(draws),
            rules={"hand_size": rng.choice(sizes), "stock_duty": "trump_only_follow"},
        )
        position = deal.replace(leader=rng.randint(1, 2)).start()
        question = Question(position.game, 0, "difference", with_stock=True)
        solution = solver.value_bounds(position, objective="difference", seat=1)
        found.append((features(question, position), solution.lower / 2))
    return found


def features(question: Question, position: Position) -> dict[int, float]:
    """The features of a position, each for side 0 less for side 1."""
    game, packed = question.packed_game, question.packed_position(position)
    hands, trumps = packed["hands"], game["trumps"]
    in_play = sum(hands) + sum(packed["stock"])
    found: dict[int, float] = {}

    def add(feature: int, amount: float) -> None:
        found[feature] = found.get(feature, 0.0) + amount

    for suit in range(4):
        cards = 0xFFFF << 16 * suit
        for seat, hand in enumerate(hands):
            sign, rival = 1 - 2 * game["side"][seat], hands[1 - seat]
            kind = TRUMPS if cards & trumps else PLAIN
            if kind == PLAIN and not position.stock and not rival & cards and rival & trumps:
                kind = RUFFABLE
            for rank in ranks(hand, suit):
                higher = ((in_play & cards) >> (16 * suit + rank + 1)).bit_count()
                below = len(position.game.deck.ranks) - 1 - rank
                add((kind * RANKS + below) * RANKS + higher, sign)
            pair = game["pair"][suit]
            held = (hand & pair).bit_count()
            if held == 2:
                add(PAIR + (kind == TRUMPS), sign)
            elif held == 1 and pair & sum(packed["stock"]):
                add(HALF + (kind == TRUMPS), sign)
    add(LEAD, 1 - 2 * game["side"][packed["leader"]])
    return found


def fit(rows: list[Row], prior: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The weights, as near to the prior ones as the deals leave open; and the standard error."""
    matrix = np.zeros((len(rows), WEIGHTS))
    values = np.array([value for _, value in rows])
    for row, (found, _) in enumerate(rows):
        for feature, amount in found.items():
            matrix[row, feature] = amount
    normal = matrix.T @ matrix + RIDGE * np.eye(WEIGHTS)
    weights = prior + np.linalg.solve(normal, matrix.T @ (values - matrix @ prior))
    return weights, float((matrix @ weights - values).std())


def written(fitted: list[NDArray[np.float64]]) -> str:
    """The module that holds the weights, in eighths of a point."""
    phases = [[int(weight) for weight in np.rint(weights * SCALE)] for weights in fitted]
    lines = [*HEADER.splitlines(), "PHASES = ("]
    for weights in phases:
        lines += ["    Phase(", "        ("]
        for kind in range(KINDS):
            lines.append("            (")
            for rank in range(RANKS):
                start = (kind * RANKS + rank) * RANKS
                row = ", ".join(str(weight) for weight in weights[start : start + RANKS])
                lines.append(f"                ({row}),")
            lines.append("            ),")
        pair, half = tuple(weights[PAIR:HALF]), tuple(weights[HALF:LEAD])
        lines += ["        ),", f"        {pair}, {half}, {weights[LEAD]},", "    ),"]
    return "\n".join([*lines, ")", ""])


def main() -> None:
    """Fit every phase and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120, help="solving time for each phase")
    options = parser.parse_args()
    phases: list[NDArray[np.float64]] = []
    weights = np.zeros(WEIGHTS)
    for phase in range(len(PHASES)):
        rows = solved(phase, options.seconds)
        weights, error = fit(rows, weights)
        phases.append(weights)
        print(f"phase {phase}: {len(rows)} deals, standard error {error:.1f} points")
    TARGET.write_text(written(phases), encoding="utf-8")


if __name__ == "__main__":
    main()
