"""The oracle: plain minimax over positions, without tables or cut-offs.

Slow on purpose. It is what every search is tested against.
"""

from __future__ import annotations

from tute.objectives import score
from tute.position import Position
from tute.variants import Objective


def minimax(position: Position, place: int, objective: Objective) -> int:
    """The exact value for the side of the player at `place` (from 0), by looking at every line."""
    if position.over:
        return score(position, place, objective)
    values = [minimax(after, place, objective) for _, after in position.successors()]
    mine = position.turn in position.game.side(place)
    return max(values) if mine else min(values)


def perft(position: Position, depth: int) -> int:
    """How many sequences of that many moves there are (fewer where the hand ends before)."""
    if depth == 0 or position.over:
        return 1
    if depth == 1:
        return len(position.legal())
    return sum(perft(after, depth - 1) for _, after in position.successors())
