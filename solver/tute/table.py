"""The table of a deal: every declarer (or side) with every trump, on several threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from tute.cards import SUITS
from tute.deal import Deal
from tute.errors import QuestionError
from tute.language import say
from tute.results import Solution, Table, TableRow
from tute.solver import MEMORY, Solver, highest_bid
from tute.threads import alarm, processors, wait_for_all
from tute.variants import Variant

TABLE_VARIANTS = ("tute", "subastado", "subastado-parejas", "cuatrola", "guinote", "butifarra")


def table(
    deal: Deal,
    *,
    time_limit: float | None = None,
    memory: int = MEMORY,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: threading.Event | None = None,
) -> Table:
    """The most points of every declarer (or side) with every trump, and the highest bid made.

    The deal's own trump and declarer do not matter.

    Args:
        deal: a deal before any card is played.
        time_limit: seconds after which bounds are returned instead.
        memory: MiB that all tables together may use.
        workers: threads; as many as there are processors by default.
        progress: called from this thread with the rows done and the rows in all.
        cancel: to be set by another thread that wants the bounds proven by then.

    Raises:
        QuestionError: the game has no such table, or cards have been played.
        TuteError: the deal cannot be.
    """
    jobs = _table_jobs(deal)
    workers = min(len(jobs), workers or processors())
    solvers = [Solver(max(1, memory // workers)) for _ in range(workers)]
    idle = list(solvers)
    stopped = threading.Event()
    begun = time.perf_counter()

    def row(job: Deal) -> tuple[TableRow, int]:
        solver = idle.pop()
        if stopped.is_set():
            solver.stop()
        solution = solver.value_bounds(job, objective="points")
        idle.append(solver)
        return table_row(solution), solution.nodes

    def stop() -> None:
        stopped.set()
        for solver in solvers:
            solver.stop()

    with ThreadPoolExecutor(workers) as pool, alarm(time_limit, stop):
        futures = [pool.submit(copy_context().run, row, job) for job in jobs]
        wait_for_all(futures, stop, progress, cancel)
    found = [future.result() for future in futures]
    return Table(
        rows=tuple(cell for cell, _ in found),
        nodes=sum(nodes for _, nodes in found),
        seconds=time.perf_counter() - begun,
    )


def table_row(solution: Solution) -> TableRow:
    """The row of a table that a value is: of its seat's side, with the trumps of its position."""
    game = solution.position.game
    highest = highest_bid(game.variant, solution.lower) if solution.exact else None
    return TableRow(solution.seat, game.trump, solution.lower, solution.upper, highest)


def _table_jobs(deal: Deal) -> list[Deal]:
    """One deal for each row of the table."""
    variant = deal.variant
    if variant.id not in TABLE_VARIANTS or deal.stock:
        wrong = say("variant: there is a table for {variants} (without a stock)")
        raise QuestionError(wrong.format(variants=", ".join(TABLE_VARIANTS)))
    if deal.played:
        raise QuestionError(say("played: a table is for a deal before any card is played"))
    seats = range(1, deal.players + 1) if variant.sides == "declarer" else (1, 2)
    return [
        deal.replace(declarer=seat, seat=seat, trump=trump, contract=None, bid=None)
        for seat in seats
        for trump in trumps_of(variant)
    ]


def trumps_of(variant: Variant) -> tuple[str, ...]:
    """The trumps that a deal of such a game may have: the suits, and `none` where it may be."""
    return (*SUITS, "none") if variant.trump == "suit or none" else tuple(SUITS)
