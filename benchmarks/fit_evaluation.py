"""Fit the evaluation of hands that orders the moves of the two-sided search.

Deals are played at random down to a few cards, solved, and the value that side 0 still gains is
fitted by least squares: for every card in play a weight by the side that holds it, the kind of
suit (plain, trumps, plain and a rival may ruff), its rank, and how many higher cards are still in
play; and a weight for the lead. Trumps that are sure for one side are a rank of their own, without
their points. The weights only order moves, so a bad fit costs time, not truth.

    python benchmarks/fit_evaluation.py --seconds 120

writes `solver/tute/evaluation.py`, in minutes, on as many processes as there are processors. It
needs numpy.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from tute.dealing import random_deal
from tute.position import Position
from tute.question import Question
from tute.solver import Solver
from tute.variants import VARIANTS

SIDES, KINDS, RANKS = 2, 3, 13
HIGHER = 12
WEIGHTS = SIDES * KINDS * RANKS * HIGHER
PLAIN, TRUMPS, RUFFABLE = range(KINDS)
SURE = RANKS - 1
# The game that stands for each shape of table, and how many cards its endings have.
SHAPES = {
    "declarer": ("subastado", (2, 9)),
    "pairs": ("tute", (2, 8)),
    "alone": ("tute-individual", (2, 8)),
    "butifarra": ("butifarra", (2, 8)),
}
RIDGE = 20.0
CHUNK = 2000
SCALE = 8
HEADER = '''\
"""Weights of the evaluation that orders moves; written by benchmarks/fit_evaluation.py.

For each shape of table: what a card in play is worth to side 0, by the side that holds it, kind of
suit (plain, trumps, plain and a rival may ruff), rank (strongest first, sure trumps last) and
number of higher cards in play; the worth of the lead; and what every position has. In eighths of
a point (POINT).
"""

# fmt: off
'''
TARGET = Path(__file__).parent.parent / "solver" / "tute" / "evaluation.py"


def endings(shape: str, seed: int, seconds: float) -> list[tuple[list[int], float]]:
    """Random endings of a shape: the features that are not 0, and the value."""
    variant_id, (fewest, most) = SHAPES[shape]
    rng = random.Random(f"{shape} {seed}")
    solver = Solver(memory=16)
    found = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        players = VARIANTS[variant_id].players[-1]
        deal = random_deal(variant_id, rng, players=players)
        deal = deal.replace(leader=rng.randint(1, players))
        position = deal.start()
        for cards in range(most, fewest - 1, -1):
            position = played_down(position, rng, cards)
            question = Question(position.game, deal.asked - 1, "points")
            solution = solver.value_bounds(position, objective="points", seat=deal.asked)
            indices, sure = features(question, position)
            found.append((indices, float(solution.lower - question.base(position) - sure)))
    return found


def played_down(position: Position, rng: random.Random, cards: int) -> Position:
    """The position with so many cards left, after random play with every cante declared."""
    while position.trick or len(position.hands[position.turn]) > cards:
        calls = position.pairs_open()
        position = position.play(rng.choice(calls or position.legal()))
    while position.pairs_open():
        position = position.play(position.pairs_open()[0])
    return position.settled()


def features(question: Question, position: Position) -> tuple[list[int], int]:
    """The indices of a position's features, and the points that side 0 is sure of with trumps."""
    game, packed = question.packed_game, question.packed_position(position)
    hands, sides, trumps, points = packed["hands"], game["side"], game["trumps"], game["points"]
    in_play = sum(hands)
    apart = sure_trumps(game, packed)
    found = []
    for suit in range(4):
        cards = 0xFFFF << 16 * suit
        ruffers = {
            sides[seat]
            for seat, hand in enumerate(hands)
            if not cards & trumps and not hand & cards and hand & trumps
        }
        for seat, hand in enumerate(hands):
            kind = TRUMPS if cards & trumps else PLAIN
            if 1 - sides[seat] in ruffers:
                kind = RUFFABLE
            for rank in ranks(hand, suit):
                below = len(position.game.deck.ranks) - 1 - rank
                if apart >> 16 * suit + rank & 1:
                    below = SURE
                higher = ((in_play & cards) >> (16 * suit + rank + 1)).bit_count()
                found.append(((sides[seat] * KINDS + kind) * RANKS + below) * HIGHER + higher)
    if sides[packed["leader"]] == 0:
        found.append(WEIGHTS)
    mine = sum(hand for hand, side in zip(hands, sides, strict=True) if side == 0)
    return found, sum(value for bit, value in points.items() if apart & mine & 1 << bit)


def sure_trumps(game: dict[str, Any], packed: dict[str, Any]) -> int:
    """The trumps that the search sets apart (`set_apart` of engine/state.pxd), as bits."""
    if not game["neighbours"] or not game["trumps"]:
        return 0
    hands, sides = packed["hands"], game["side"]
    pair = next((cards for cards in game["pair"] if cards & game["trumps"]), 0)
    suit = game["trumps"].bit_length() // 16 - 1
    whole = any(hand & pair == pair for hand in hands) and not packed["declared"] >> suit & 1
    pending = pair if whole else 0
    found, side = 0, None
    for bit in sorted(game["points"], reverse=True):
        owner = next((seat for seat, hand in enumerate(hands) if hand >> bit & 1), None)
        if not game["trumps"] >> bit & 1 or owner is None:
            continue
        side = sides[owner] if side is None else side
        if sides[owner] != side or pending >> bit & 1:
            break
        found |= 1 << bit
    return found


def ranks(hand: int, suit: int) -> Iterator[int]:
    """The ranks, as bits in the suit, of a hand's cards of a suit."""
    cards = hand >> 16 * suit & 0xFFFF
    return (rank for rank in range(RANKS) if cards >> rank & 1)


def fit(rows: list[tuple[list[int], float]]) -> tuple[list[int], int, int, float]:
    """Weights for cards, the lead and every position, in eighths of a point; and the error."""
    size = WEIGHTS + 2
    normal, target, squares = RIDGE * np.eye(size), np.zeros(size), 0.0
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        matrix = np.zeros((len(chunk), size))
        values = np.array([value for _, value in chunk])
        for row, (indices, _) in enumerate(chunk):
            np.add.at(matrix[row], indices, 1.0)
        matrix[:, size - 1] = 1.0
        normal += matrix.T @ matrix
        target += matrix.T @ values
        squares += float(values @ values)
    weights = np.linalg.solve(normal, target)
    # The sum of squared errors, with what the ridge adds to the normal matrix taken out.
    rest = squares - 2 * weights @ target + weights @ normal @ weights - RIDGE * weights @ weights
    error = float(np.sqrt(rest / len(rows)))
    scaled = [int(weight) for weight in np.rint(weights * SCALE)]
    return scaled[:WEIGHTS], scaled[WEIGHTS], scaled[WEIGHTS + 1], error


def written(tables: dict[str, tuple[list[int], int, int]]) -> str:
    """The module that holds the weights."""
    lines = [
        *HEADER.splitlines(),
        f"RANKS = {RANKS}",
        f"SURE = {SURE}",
        f"HIGHER = {HIGHER}",
        f"POINT = {SCALE}",
        "LEAD: dict[str, int] = {",
        *(f'    "{shape}": {lead},' for shape, (_, lead, _) in tables.items()),
        "}",
        "BASE: dict[str, int] = {",
        *(f'    "{shape}": {base},' for shape, (_, _, base) in tables.items()),
        "}",
        "WEIGHTS: dict[str, tuple[int, ...]] = {",
    ]
    for shape, (weights, _, _) in tables.items():
        lines.append(f'    "{shape}": (')
        for start in range(0, WEIGHTS, HIGHER):
            row = ", ".join(str(weight) for weight in weights[start : start + HIGHER])
            lines.append(f"        {row},")
        lines.append("    ),")
    return "\n".join([*lines, "}", ""])


def main() -> None:
    """Fit every shape and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120, help="solving time for each shape")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    tables = {}
    with ProcessPoolExecutor(options.processes) as pool:
        for shape in SHAPES:
            parts = pool.map(
                endings,
                [shape] * options.processes,
                range(options.processes),
                [options.seconds] * options.processes,
            )
            rows = [row for part in parts for row in part]
            weights, lead, base, error = fit(rows)
            tables[shape] = (weights, lead, base)
            print(f"{shape}: {len(rows)} endings, standard error {error:.1f} points")
    TARGET.write_text(written(tables), encoding="utf-8")


if __name__ == "__main__":
    main()
