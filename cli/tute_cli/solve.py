"""`tute solve`: the exact value, every legal card with its value, and best play."""

from __future__ import annotations

import click

from tute_cli.options import DealSource, deal_options, json_option, search_options, threads_option


@click.command(short_help="Values of a deal and of each legal card; best play.")
@deal_options
@click.option("--objective", help="points, difference, win or tricks, where the variant has it.")
@search_options
@threads_option
@json_option
def command(
    source: DealSource,
    objective: str | None,
    time_limit: float | None,
    memory: int,
    threads: int | None,
    as_json: bool,
) -> int:
    """Find the value of a deal, of every legal card, and a line of best play."""
    from tute.solver import Solver
    from tute.threads import processors
    from tute_cli.search import BOUNDS_ONLY, live_line, wait_for
    from tute_cli.show import show, show_json

    deal = source.read()
    solver = Solver(memory, threads or processors())
    with live_line(solver) as progress:
        answer = wait_for(
            lambda: solver.solve(
                deal, objective=objective, time_limit=time_limit, progress=progress
            ),
            solver.stop,
        )
    if as_json:
        from tute.report import json

        show_json(json.solution(answer, bounds=time_limit is not None))
    else:
        from tute.report import text

        show(text.solution(answer, deal))
    return 0 if answer.complete else BOUNDS_ONLY
