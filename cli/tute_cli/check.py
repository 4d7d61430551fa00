"""`tute check`: is this a legal deal and a legal record?"""

from __future__ import annotations

import click

from tute_cli.options import DealSource, deal_options, json_option

_ILLEGAL = 1


@click.command(short_help="Is this a legal deal and a legal record?")
@deal_options
@json_option
def command(source: DealSource, as_json: bool) -> int:
    """Say whether a deal and its record are legal.

    The answer names the first renuncio and the duty that it breaks; the exit status is then 1.
    """
    from tute.check import check
    from tute_cli.show import show, show_json

    verdict = check(source.read())
    if as_json:
        from tute.report import json

        show_json(json.verdict(verdict))
    else:
        from tute.report import text

        show(text.verdict(verdict))
    return 0 if verdict.legal else _ILLEGAL
