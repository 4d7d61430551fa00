"""`tute table`: every declarer (or side) with every trump."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from tute_cli.options import DealSource, deal_options, json_option, search_options

_PATIENCE = 1.0


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
    from tute.table import table
    from tute_cli.search import BOUNDS_ONLY, wait_for
    from tute_cli.show import show, show_json

    deal = source.read()
    cancel = threading.Event()
    with _progress() as progress:
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


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error, if that is a terminal and the wait is long enough to need one."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task("table", total=None)
    patience = threading.Timer(_PATIENCE, bar.start)
    patience.start()
    try:
        yield lambda done, total: bar.update(task, completed=done, total=total)
    finally:
        patience.cancel()
        patience.join()
        bar.stop()
