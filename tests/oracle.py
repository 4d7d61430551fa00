"""A solution held to plain minimax over the readable game."""

from __future__ import annotations

from tute import Position, Solver
from tute.minimax import minimax
from tute.objectives import score
from tute.variants import Objective


def agrees_with_oracle(position: Position, seat: int, objective: Objective, solver: Solver) -> None:
    """The value, every move's value, and a line that gets it."""
    solution = solver.solve(position, objective=objective, seat=seat)
    assert solution.exact
    assert solution.value == minimax(position, seat - 1, objective)
    assert {answer.card: answer.value for answer in solution.cards} == {
        move: minimax(after, seat - 1, objective) for move, after in position.successors()
    }
    for move in solution.line:
        position = position.play(move)
    assert position.over
    assert score(position, seat - 1, objective) == solution.value
