"""`tute explain`: best play taught, what each card does, what the others would cost."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
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
    from rich.console import RenderableType


@click.command(short_help="Best play taught: what each card does, what the others cost.")
@deal_options
@click.option("--objective", help="points, difference, win or tricks, where the variant has it.")
@click.option("--problem", is_flag=True, help="The question first, then hints, then the solution.")
@click.option("--motifs", is_flag=True, help="List what is said of cards, and what it means.")
@search_options
@threads_option
@html_option
@json_option
def command(
    source: DealSource,
    objective: str | None,
    problem: bool,
    motifs: bool,
    time_limit: float | None,
    memory: int,
    threads: int | None,
    html: str | None,
    as_json: bool,
) -> int:
    """Teach a line of best play card by card: what it does, what is as good, what tempts."""
    from tute.explain import explain
    from tute.language import say
    from tute.report import json, lesson
    from tute_cli.search import BOUNDS_ONLY, progress_bar, wait_for
    from tute_cli.show import show, show_json, write_page

    if motifs:
        return _list_motifs(as_json)
    deal = source.read()
    cancel = threading.Event()
    with progress_bar(say("moves")) as progress:
        answer = wait_for(
            lambda: explain(
                deal,
                objective=objective,
                time_limit=time_limit,
                memory=memory,
                threads=threads,
                progress=progress,
                cancel=cancel,
            ),
            cancel.set,
        )
    if html is not None:
        write_page(html, lesson.problem_page(answer) if problem else lesson.page(answer))
    if html == "-":
        pass
    elif as_json:
        asked = lesson.problem(answer) if problem else None
        texts = lesson.texts(answer)
        show_json(json.explanation(answer, lesson.rule(answer), texts, asked))
    elif problem:
        _show_in_turn(lesson.problem_pages(answer))
    else:
        show(lesson.lesson(answer))
    return 0 if answer.complete else BOUNDS_ONLY


def _list_motifs(as_json: bool) -> int:
    from tute.report import json, lesson
    from tute_cli.show import show, show_json

    if as_json:
        show_json(json.motifs(lesson.definitions()))
    else:
        show(lesson.motif_table())
    return 0


def _show_in_turn(pages: Iterable[RenderableType]) -> None:
    """Show pages; on a terminal each after the first when Enter is pressed, none after the end of
    input.
    """
    from tute.language import say
    from tute_cli.show import show

    asks = sys.stdin.isatty() and sys.stdout.isatty()
    for number, page in enumerate(pages):
        if number and asks:
            click.echo(say("Enter shows more, Ctrl-C ends. "), nl=False)
            if not sys.stdin.readline():
                break
        show(page)
