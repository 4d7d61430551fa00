"""Walk through a hand of a game that is played not to lose: who is sure of it after every move.

A value of 1 says that the seat asked for can be sure not to lose, −1 that the others can make it.
"""

from __future__ import annotations

import time

from tute.deal import Deal
from tute.errors import QuestionError
from tute.game import Game
from tute.language import say
from tute.notation import Move
from tute.position import Position
from tute.results import MoveValue, Solution
from tute.safety import Prover, safe_line
from tute.solver import MEMORY, checked_memory
from tute.variants import Objective
from tute.walk import Judge, Walker


class SafetyWalker(Walker):
    """A walker for cabrón and cabrero; the seat is the deal's, else the one to move.

    Args:
        deal: the deal.
        objective: must be None; such a game has none.
        memory: MiB that the table may use.

    Raises:
        QuestionError: an objective is named.
        TuteError: the deal or its record cannot be.
    """

    def __init__(self, deal: Deal, *, objective: str | None = None, memory: int = MEMORY) -> None:
        super().__init__(deal, objective=objective, memory=memory, threads=1)
        self.seat = deal.seat or deal.position().turn + 1
        self.side = (self.seat,)

    def _checked(self, game: Game, objective: str | None) -> Objective:
        if objective is not None:
            refusal = say("objective: {variant} is played not to lose, and has no other")
            raise QuestionError(refusal.format(variant=game.variant.id))
        return "win"

    def _judge(self, memory: int, threads: int) -> Judge:
        return _SafetyJudge(memory)


class _SafetyJudge:
    """Answers in the words of a `Solver` what a `Prover` finds."""

    def __init__(self, memory: int) -> None:
        self._prover = Prover(checked_memory(memory))

    @property
    def nodes(self) -> int:
        return self._prover.nodes

    def stop(self) -> None:
        self._prover.stop()

    def values(
        self,
        subject: Position,
        *,
        objective: str | None,
        seat: int | None,
        guess: int | None,
    ) -> Solution:
        place = (seat or 1) - 1
        begun, nodes = time.perf_counter(), self.nodes
        lower, upper = _bounds(self._prover.sure(subject, place))
        moves = [
            MoveValue(move, *_bounds(self._prover.sure(after, place)))
            for move, after in subject.successors()
        ]
        sign = 1 if subject.turn == place else -1
        moves.sort(key=lambda move: -sign * (move.lower + move.upper))
        return Solution(
            position=subject,
            objective="win",
            seat=place + 1,
            side=(place + 1,),
            lower=lower,
            upper=upper,
            cards=tuple(moves),
            line=(),
            contract=None,
            nodes=self.nodes - nodes,
            seconds=time.perf_counter() - begun,
        )

    def best_play(
        self, position: Position, value: int, *, objective: str | None, seat: int | None
    ) -> tuple[Move, ...]:
        return safe_line(self._prover, position, (seat or 1) - 1, value > 0)


def _bounds(sure: bool | None) -> tuple[int, int]:
    return (-1, 1) if sure is None else (1, 1) if sure else (-1, -1)
