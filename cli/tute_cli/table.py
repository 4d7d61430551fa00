"""`tute table`: every declarer (or side) with every trump."""

from __future__ import annotations

import threading

import click

from tute_cli.options import DealSource, deal_options, json_option, search_options


@click.command(short_help="Every declarer with every trump.")
@deal_options
@search_options
@click.option("--workers", type=click.IntRange(min=1), help="Threads; default: all processors.")
@json_option
def command(
    source: DealSource,
    time_limit: float | None,
    memory: int,
    workers: int | None,
    as_json: bool,
) -> int:
    """Find the most points, and the highest bid made, of every declarer with every trump."""
    from tute.language import say
    from tute.table import table
    from tute_cli.search import BOUNDS_ONLY, progress_bar, wait_for
    from tute_cli.show import show, show_json

    deal = source.read()
    cancel = threading.Event()
    with progress_bar(say("table")) as progress:
        answer = wait_for(
            lambda: table(
                deal,
                time_limit=time_limit,
                memory=memory,
                workers=workers,
                progress=progress,
                cancel=cancel,
            ),
            cancel.set,
        )
    if as_json:
        from tute.report import json

        show_json(json.table(answer, deal))
    else:
        from tute.report import text

        show(text.table(answer, deal))
    return 0 if answer.exact else BOUNDS_ONLY
