"""Walk through a hand move by move: the value of every move at every moment.

It goes backwards: the end is quick to solve, each value is a good guess for the one before, and the
table fills with what the earlier positions need.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol

from tute.deal import Deal, Made
from tute.game import Game
from tute.notation import Move
from tute.objectives import check_objective
from tute.position import Position
from tute.results import Moment, Solution, Walk
from tute.solver import MEMORY, Solver
from tute.threads import limited, processors
from tute.variants import Objective


class Judge(Protocol):
    """What a walker asks for values and lines: a `Solver`, or what stands for one."""

    @property
    def nodes(self) -> int:
        """Positions searched so far."""

    def stop(self) -> None:
        """Make the running call, or the next, return soon."""

    def values(
        self,
        subject: Position,
        *,
        objective: str | None,
        seat: int | None,
        guess: int | None,
    ) -> Solution:
        """The value and every move's, without the line."""

    def best_play(
        self, position: Position, value: int, *, objective: str | None, seat: int | None
    ) -> tuple[Move, ...]:
        """Best play from a position of that value; empty if stopped."""


class Walker:
    """Solves the positions of one hand one after the other, with one table.

    Once it has been stopped, what is asked comes back with the bounds known without a search, and
    lines come back empty.

    Args:
        deal: the deal; its `seat` says whose values are asked for.
        objective: as for `tute.solve`.
        memory: MiB that the table may use.
        threads: how many search together where there is a stock to draw from.
        progress: called with the moments done and the moments in all.

    Raises:
        TuteError: the game does not have the objective, or the deal cannot be.
    """

    def __init__(
        self,
        deal: Deal,
        *,
        objective: str | None = None,
        memory: int = MEMORY,
        threads: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        game = deal.game()
        self.deal = deal
        self.seat = deal.asked
        self.side = tuple(place + 1 for place in game.side(deal.asked - 1))
        self.objective = self._checked(game, objective)
        self._solver = self._judge(memory, threads or processors())
        self._stopped = threading.Event()
        self._progress = progress
        self._begun = time.perf_counter()

    @contextmanager
    def limited(self, time_limit: float | None, cancel: threading.Event | None) -> Iterator[None]:
        """Stop once so many seconds have passed, or another thread has set `cancel`."""
        with limited(time_limit, cancel, self.stop):
            yield

    @property
    def stopped(self) -> bool:
        """Whether it has been stopped."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """End the search that runs, and every later one; from any thread."""
        self._stopped.set()
        self._solver.stop()

    def values(self, position: Position, guess: int | None = None) -> Solution:
        """The value of a position and of every move, without a line."""
        if self.stopped:
            self._solver.stop()
        return self._solver.values(position, objective=self.objective, seat=self.seat, guess=guess)

    def line(self, position: Position, value: int) -> tuple[Move, ...]:
        """Best play from a position of that value; empty at the end, and once it is stopped."""
        if self.stopped:
            return ()
        return self._solver.best_play(position, value, objective=self.objective, seat=self.seat)

    def moments(self, made: Sequence[Made]) -> tuple[Moment, ...]:
        """The moments of a part of the hand; the last one is solved first."""
        found: list[Moment] = []
        guess: int | None = None
        for index, move, position in reversed(made):
            solution = self.values(position, guess)
            found.append(Moment(index, move, solution, ((),) * len(solution.cards)))
            guess = solution.value
            if self._progress is not None:
                self._progress(len(found), len(made))
        return tuple(reversed(found))

    def with_lines(self, moment: Moment) -> Moment:
        """The moment with best play after each of its moves whose value is known."""
        solution = moment.solution
        lines = (
            ()
            if answer.value is None
            else self._line_after(solution.position, answer.card, answer.value)
            for answer in solution.cards
        )
        return replace(moment, lines=tuple(lines))

    def walk(self, moments: Sequence[Moment], end: Position) -> Walk:
        """The moments as a result, with what they took so far."""
        return Walk(
            deal=self.deal,
            objective=self.objective,
            seat=self.seat,
            side=self.side,
            moments=tuple(moments),
            end=end,
            nodes=self._solver.nodes,
            seconds=time.perf_counter() - self._begun,
        )

    def _checked(self, game: Game, objective: str | None) -> Objective:
        """The objective whose values are asked for."""
        return check_objective(game, objective)

    def _judge(self, memory: int, threads: int) -> Judge:
        """Whom the values and lines are asked from."""
        return Solver(memory, threads)

    def _line_after(self, position: Position, move: Move, value: int) -> tuple[Move, ...]:
        after = position.play(move)
        rest = self.line(after, value)
        return (move, *rest) if rest or after.over else ()


def made_in(position: Position, line: Iterable[Move]) -> list[Made]:
    """The moves of a line that nobody has played, each with the position before it."""
    made: list[Made] = []
    for move in line:
        made.append((None, move, position))
        position = position.play(move)
    return made


def walk(
    deal: Deal,
    line: Iterable[Move] = (),
    *,
    objective: str | None = None,
    time_limit: float | None = None,
    memory: int = MEMORY,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: threading.Event | None = None,
) -> Walk:
    """The record of a deal and a line after it: every move's value at every moment, and best play.

    Args:
        deal: the deal; its `seat` says whose values they are.
        line: moves after the record.
        objective: as for `tute.solve`.
        time_limit: seconds after which bounds and empty lines are left; the end comes first.
        memory: MiB that the table may use.
        threads: how many search together where there is a stock to draw from.
        progress: called from this thread with the moments done and the moments in all.
        cancel: to be set by another thread that wants what has been proven by then.

    Raises:
        TuteError: the deal, its record or the question cannot be.
    """
    walker = Walker(deal, objective=objective, memory=memory, threads=threads, progress=progress)
    after = made_in(deal.position(), line)
    made = [*deal.history(), *after]
    end = after[-1][2].play(after[-1][1]) if after else deal.position()
    with walker.limited(time_limit, cancel):
        moments = [walker.with_lines(moment) for moment in walker.moments(made)]
    return walker.walk(moments, end)
