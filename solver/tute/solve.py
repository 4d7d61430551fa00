"""Solve a deal or a position, ask about a contract, solve many deals."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context

from tute.deal import Deal
from tute.position import Position
from tute.results import ContractResult, Progress, Solution
from tute.solver import MEMORY, Solver
from tute.threads import processors


def solve(
    subject: Deal | Position,
    *,
    objective: str | None = None,
    seat: int | None = None,
    bid: int | None = None,
    time_limit: float | None = None,
    memory: int = MEMORY,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """The exact value of a deal (after `played`) or position, of every move, and best play.

    Args:
        subject: what to solve.
        objective: `points`, `difference`, `win` or `tricks`; the game's default if None.
        seat: whose value is asked for, from 1; the deal's by default, else the declarer's, else 1.
        bid: the points promised; the deal's by default.
        time_limit: seconds after which bounds are returned instead.
        memory: MiB that the table may use.
        threads: how many search together where there is a stock to draw from; as many as there
            are processors by default. The values are the same for any number.
        progress: called from this thread whenever a test has narrowed the value's bounds.

    Raises:
        TuteError: the deal, its record or the question cannot be.
    """
    return Solver(memory, threads or processors()).solve(
        subject,
        objective=objective,
        seat=seat,
        bid=bid,
        time_limit=time_limit,
        progress=progress,
    )


def contract(
    subject: Deal | Position,
    *,
    bid: int | None = None,
    time_limit: float | None = None,
    memory: int = MEMORY,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> ContractResult:
    """Whether the declarer's side (else the side asked for) makes a bid, and by how much.

    In habanero and guiñote the bid, where none is named, is 101 points: the hand won. Args and
    errors are those of `solve`.
    """
    return Solver(memory, threads or processors()).contract(
        subject, bid=bid, time_limit=time_limit, progress=progress
    )


def solve_many(
    deals: Iterable[Deal],
    *,
    objective: str | None = None,
    workers: int | None = None,
    memory: int = MEMORY,
) -> Iterator[Solution]:
    """Solve many deals on several threads; the answers come in the order of the deals.

    Deals are taken from the iterable as they are needed, a few ahead of the answers.

    Args:
        deals: what to solve.
        objective: as for `solve`, the same for all.
        workers: threads; as many as there are processors by default.
        memory: MiB that all tables together may use.

    Raises:
        TuteError: a deal or its question cannot be; when its turn comes.
    """
    workers = workers or processors()
    solvers = [Solver(max(1, memory // workers)) for _ in range(workers)]
    idle = list(solvers)

    def answer(deal: Deal) -> Solution:
        solver = idle.pop()
        try:
            return solver.solve(deal, objective=objective)
        finally:
            idle.append(solver)

    waiting: deque[Future[Solution]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for deal in deals:
                waiting.append(pool.submit(copy_context().run, answer, deal))
                if len(waiting) > 2 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
            for solver in solvers:
                solver.stop()
