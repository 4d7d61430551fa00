"""`tute review`: a played hand, card by card; several hands: a match."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import click

from tute_cli.options import DealSource, deal_options, html_option, json_option, search_options

if TYPE_CHECKING:
    from tute import Review, SafetyReview

_RENUNCIO = 1


def _others(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> list[tuple[int, str]]:
    """Other moves, each as NUMBER=MOVE."""
    others = []
    for value in values:
        number, equals, move = value.partition("=")
        if not equals or not number.strip().isdecimal() or len(number) > 9:
            from tute.language import say

            wrong = say("{value} is not of the form NUMBER=MOVE, as in 12=7o")
            raise click.BadParameter(wrong.format(value=repr(value[:40])), ctx, param)
        others.append((int(number), move))
    return others


@click.command(short_help="A played hand, card by card: what each cost, what decided it.")
@deal_options
@search_options
@click.option("--objective", metavar="NAME", help="What the values count.")
@click.option(
    "--samples",
    type=click.IntRange(0, 100_000),
    default=200,
    show_default=True,
    help="Deals by which each card that cost something is judged; 0 for none.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Of those deals.")
@click.option(
    "--what-if",
    multiple=True,
    callback=_others,
    metavar="NUMBER=MOVE",
    help="Another move in place of that number of the record, counted from 0.",
)
@click.option("--workers", type=click.IntRange(1, 64), help="Threads; default: all processors.")
@html_option
@json_option
def command(
    source: DealSource,
    time_limit: float | None,
    memory: int,
    objective: str | None,
    samples: int,
    seed: int,
    what_if: list[tuple[int, str]],
    workers: int | None,
    html: str | None,
    as_json: bool,
) -> int:
    """Review a played hand: what each card cost, what decided it, who could have known.

    The moves are numbered from 0 in the order of the record. A file with several hands, one a line,
    is reviewed as a match. The exit status is 1 if a record has a renuncio, up to which it is
    reviewed.
    """
    from tute.errors import QuestionError
    from tute.language import say
    from tute.report import review as report
    from tute.results import Match
    from tute.review import review, review_match
    from tute_cli.search import BOUNDS_ONLY, progress_bar, wait_for
    from tute_cli.show import show, show_json, write_page

    deals = source.read_all()
    if what_if and len(deals) > 1:
        raise QuestionError(say("what if: a question about one hand, and there are several"))
    if html is not None and len(deals) > 1:
        raise QuestionError(say("html: a page shows one hand, and there are several"))
    cancel = threading.Event()
    settings: dict[str, Any] = {
        "objective": objective,
        "samples": samples,
        "seed": seed,
        "time_limit": time_limit,
        "memory": memory,
        "workers": workers,
        "cancel": cancel,
    }
    with progress_bar(say("review")) as progress:

        def search() -> Review | SafetyReview | Match:
            if len(deals) > 1:
                return review_match(deals, progress=progress, **settings)
            return review(deals[0], what_if=what_if, progress=progress, **settings)

        answer = wait_for(search, cancel.set)
    if html is not None and not isinstance(answer, Match):
        write_page(html, report.page(answer))
    if html == "-":
        pass
    elif as_json:
        from tute.report import json

        show_json(json.match(answer) if isinstance(answer, Match) else json.review(answer))
    else:
        show(report.match(answer) if isinstance(answer, Match) else report.review(answer))
    if not answer.legal:
        return _RENUNCIO
    return 0 if answer.complete else BOUNDS_ONLY
