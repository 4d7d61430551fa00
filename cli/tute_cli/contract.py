"""`tute contract`: is the bid made, by how much, and how."""

from __future__ import annotations

import click

from tute_cli.options import DealSource, deal_options, json_option, search_options, threads_option


@click.command(short_help="Is the bid made, by how much, and how.")
@deal_options
@search_options
@threads_option
@json_option
def command(
    source: DealSource,
    time_limit: float | None,
    memory: int,
    threads: int | None,
    as_json: bool,
) -> int:
    """Say whether the bid is made, by how much, and show the play that makes or breaks it."""
    from tute.solver import Solver
    from tute.threads import processors
    from tute_cli.search import BOUNDS_ONLY, live_line, wait_for
    from tute_cli.show import show, show_json

    deal = source.read()
    solver = Solver(memory, threads or processors())
    with live_line(solver) as progress:
        answer = wait_for(
            lambda: solver.contract(deal, time_limit=time_limit, progress=progress), solver.stop
        )
    if as_json:
        from tute.report import json

        show_json(json.contract(answer))
    else:
        from tute.report import text

        show(text.contract(answer, deal))
    return BOUNDS_ONLY if answer.made is None or answer.value is None else 0
