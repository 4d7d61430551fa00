"""What a player could have known about a costly move: the same choice in other deals.

The deals are those that he could not tell apart from this one (`tute.worlds`), each solved with
open cards, and the moves are compared deal by deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from math import sqrt
from random import Random

from tute.choices import choices
from tute.notation import Move
from tute.position import Position
from tute.results import Blame, Gain, ReviewedMove, Walk
from tute.solver import Solver
from tute.threads import Limits, wait_for_all
from tute.variants import Objective
from tute.worlds import Worlds

# Deals that one thread solves before it takes others.
_PART = 20


def judged(
    walk: Walk,
    moves: Sequence[ReviewedMove],
    samples: int,
    seed: int,
    memory: int,
    workers: int,
    limits: Limits,
) -> list[ReviewedMove]:
    """The moves with what their players could have known, as far as it was sampled.

    The end of the record comes first: it is quick to solve, so that a limit leaves little open.
    """
    doubtful = [number for number, move in enumerate(moves) if samples and move.blameless is None]
    doubtful.reverse()
    judge = _Judge(walk, samples, seed, limits)
    solvers = [Solver(max(1, memory // workers)) for _ in range(workers)]
    idle = list(solvers)

    def gains(move: ReviewedMove, positions: Sequence[Position]) -> _Gains | None:
        solver = idle.pop()
        try:
            return judge.gains(solver, move, positions)
        finally:
            idle.append(solver)

    with ThreadPoolExecutor(workers) as pool, limits.watching(*solvers):
        jobs: dict[int, list[Future[_Gains | None]]] = {}
        for number in doubtful:
            positions = judge.worlds(moves[number])
            parts = [positions[at : at + _PART] for at in range(0, len(positions), _PART)]
            jobs[number] = [
                pool.submit(copy_context().run, gains, moves[number], part) for part in parts
            ]
        every = [job for parts in jobs.values() for job in parts]
        wait_for_all(every, limits.stop, limits.judged, None)
    judged = list(moves)
    for number, of_move in jobs.items():
        found = [job.result() for job in of_move]
        judged[number] = replace(moves[number], blame=judge.blame(moves[number], found))
    return judged


# What every other move gains over the one made, deal by deal.
_Gains = dict[Move | None, list[int]]


@dataclass(frozen=True)
class _Judge:
    """Judges moves by deals that their players could not tell apart.

    Attributes:
        walk: what is reviewed.
        samples: how many deals a move is judged by.
        seed: of those deals.
        limits: what ends it early.
    """

    walk: Walk
    samples: int
    seed: int
    limits: Limits

    def worlds(self, move: ReviewedMove) -> list[Position]:
        """The position before a move in other deals; fewer where they are too hard to find."""
        worlds = Worlds(self.walk.deal, move.index)
        rng = Random(f"{self.seed} {move.index}")
        positions: list[Position] = []
        while len(positions) < self.samples and not self.limits.stopped:
            position = worlds.sample(rng)
            if position is None:
                break
            positions.append(position)
        return positions

    def objective(self, move: ReviewedMove) -> Objective:
        """What is counted: whether the contract is made, if the move decided that."""
        return "win" if move.made_before != move.made_after else self.walk.objective

    def gains(
        self, solver: Solver, move: ReviewedMove, positions: Sequence[Position]
    ) -> _Gains | None:
        """What each other move gains in these positions, for its own side; None if stopped."""
        objective, seat = self.objective(move), self.walk.seat
        sign = 1 if move.seat in self.walk.side else -1
        made = self.walk.moments[move.moment].move
        gained: _Gains = {}
        for position in positions:
            if self.limits.stopped:
                return None
            solution = solver.values(position, objective=objective, seat=seat)
            if any(answer.value is None for answer in solution.cards):
                return None
            chosen = next(c for c in choices(solution, made) if c.move == move.card)
            values = dict(chosen.options)
            for other, value in values.items():
                after = values[move.card]
                if other != move.card and value is not None and after is not None:
                    gained.setdefault(other, []).append(sign * (value - after))
        return gained

    def blame(self, move: ReviewedMove, parts: Sequence[_Gains | None]) -> Blame | None:
        """The gains of all deals together; None if a limit came first."""
        gained: _Gains = {}
        for part in parts:
            if part is None:
                return None
            for other, numbers in part.items():
                gained.setdefault(other, []).extend(numbers)
        deals = max((len(numbers) for numbers in gained.values()), default=0)
        if self.limits.stopped and deals < self.samples:
            return None
        gains = [Gain(other, *_mean_and_error(numbers)) for other, numbers in gained.items()]
        return Blame(
            wanted=self.samples,
            deals=deals,
            objective=self.objective(move),
            gains=tuple(sorted(gains, key=lambda gain: -gain.mean)),
        )


def _mean_and_error(numbers: Sequence[int]) -> tuple[float, float]:
    """The mean, and its standard error (0.0 for a single number)."""
    size = len(numbers)
    mean = sum(numbers) / size
    spread = sum((number - mean) ** 2 for number in numbers) / max(1, size - 1)
    return mean, sqrt(spread / size)
