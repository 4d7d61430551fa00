"""`tute solve`: the exact value, every legal card with its value, and best play."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import click

from tute_cli.options import (
    DealSource,
    deal_options,
    html_option,
    json_option,
    search_options,
    threads_option,
)

if TYPE_CHECKING:
    from tute import Deal
    from tute.results import Solution, Walk


@click.command(short_help="Values of a deal and of each legal card; best play.")
@deal_options
@click.option("--objective", help="points, difference, win or tricks, where the variant has it.")
@search_options
@threads_option
@html_option
@json_option
def command(
    source: DealSource,
    objective: str | None,
    time_limit: float | None,
    memory: int,
    threads: int | None,
    html: str | None,
    as_json: bool,
) -> int:
    """Find the value of a deal, of every legal card, and a line of best play.

    With --html, the page shows what has been played and best play after it, with the value of
    every card at every moment; the time limit then counts for the answer and for the page. With
    --html - the page is written instead of the report.
    """
    from tute.solver import Solver
    from tute.threads import processors
    from tute_cli.search import BOUNDS_ONLY, live_line, wait_for
    from tute_cli.show import show, show_json, write_page

    deal = source.read()
    solver = Solver(memory, threads or processors())
    with live_line(solver) as progress:
        answer = wait_for(
            lambda: solver.solve(
                deal, objective=objective, time_limit=time_limit, progress=progress
            ),
            solver.stop,
        )
    complete = answer.complete
    if html is not None:
        from tute.report.page import plain_page

        walked = _walk(deal, answer, time_limit=time_limit, memory=memory, threads=threads)
        write_page(html, plain_page(walked))
        complete = complete and walked.complete
    if html == "-":
        return 0 if complete else BOUNDS_ONLY
    if as_json:
        from tute.report import json

        show_json(json.solution(answer, bounds=time_limit is not None))
    else:
        from tute.report import text

        show(text.solution(answer, deal))
    return 0 if complete else BOUNDS_ONLY


def _walk(
    deal: Deal, answer: Solution, *, time_limit: float | None, memory: int, threads: int | None
) -> Walk:
    """The record and best play after it, move by move."""
    from tute.language import say
    from tute.walk import walk
    from tute_cli.search import progress_bar, wait_for

    cancel = threading.Event()
    with progress_bar(say("page")) as progress:
        return wait_for(
            lambda: walk(
                deal,
                answer.line,
                objective=answer.objective,
                time_limit=time_limit,
                memory=memory,
                threads=threads,
                progress=progress,
                cancel=cancel,
            ),
            cancel.set,
        )
