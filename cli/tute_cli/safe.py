"""`tute safe`: who can be sure not to lose, and with which cards."""

from __future__ import annotations

import threading

import click

from tute_cli.options import DealSource, deal_options, json_option, search_options


@click.command(short_help="Cabrón, cabrero: who can be sure not to lose, and with which cards.")
@deal_options
@search_options
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Of the estimates.")
@json_option
def command(
    source: DealSource, time_limit: float | None, memory: int, seed: int, as_json: bool
) -> int:
    """Find who can be sure not to lose, by which cards, and what threatens the others."""
    from tute.language import say
    from tute.safety import safe
    from tute_cli.search import BOUNDS_ONLY, progress_bar, wait_for
    from tute_cli.show import show, show_json

    deal = source.read()
    cancel = threading.Event()
    with progress_bar(say("seats")) as progress:
        answer = wait_for(
            lambda: safe(
                deal,
                seed=seed,
                time_limit=time_limit,
                memory=memory,
                progress=progress,
                cancel=cancel,
            ),
            cancel.set,
        )
    if as_json:
        from tute.report import json

        show_json(json.safety(answer))
    else:
        from tute.report import text

        show(text.safety(answer, deal))
    return 0 if answer.complete else BOUNDS_ONLY
