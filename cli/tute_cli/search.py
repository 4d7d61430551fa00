"""Waiting for a search that runs in a thread of its own, watching it, stopping it with Ctrl-C."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.live import Live
    from rich.progress import Progress as RichProgress
    from rich.text import Text

    from tute.results import Progress
    from tute.solver import Solver

Answer = TypeVar("Answer")

BOUNDS_ONLY = 3
_INTERRUPTED = 130
_TICK = 0.25
# Seconds before a line about the search is shown.
_PATIENCE = 1.0


def wait_for(search: Callable[[], Answer], stop: Callable[[], None]) -> Answer:
    """The answer of a search; Ctrl-C stops it with what it has proven, twice ends the program.

    Args:
        search: the call that searches.
        stop: makes it return soon.
    """
    answers: list[Answer] = []
    errors: list[BaseException] = []
    ended = threading.Event()
    context = copy_context()

    def run() -> None:
        try:
            answers.append(context.run(search))
        except BaseException as error:
            errors.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, daemon=True).start()
    stopping = False
    while True:
        try:
            # In short turns, so that a system on which waiting cannot be interrupted sees Ctrl-C.
            if ended.wait(_TICK):
                break
        except KeyboardInterrupt:
            if stopping:
                sys.exit(_INTERRUPTED)
            stopping = True
            stop()
    if errors:
        raise errors[0]
    return answers[0]


@contextmanager
def _once_it_takes_long(display: Live | RichProgress) -> Iterator[None]:
    """Show something from a while on, until the block is left."""
    patience = threading.Timer(_PATIENCE, display.start)
    patience.start()
    try:
        yield
    finally:
        patience.cancel()
        patience.join()
        display.stop()


@contextmanager
def live_line(solver: Solver) -> Iterator[Callable[[Progress], None] | None]:
    """A line about the search on standard error, if that is a terminal and the search is long.

    It shows the bounds proven so far, the estimate, nodes, time and memory. What is yielded is to
    be called with the progress of the search.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live

    from tute.report.text import progress

    latest: list[Progress] = []
    begun, nodes = time.perf_counter(), solver.nodes
    context = copy_context()

    def line() -> Text:
        return progress(
            latest[-1] if latest else None,
            solver.nodes - nodes,
            time.perf_counter() - begun,
            solver.table_bytes,
        )

    # The line is shown from a thread of the display's own and from this one.
    live = Live(
        console=Console(stderr=True),
        get_renderable=lambda: context.copy().run(line),
        transient=True,
    )
    with _once_it_takes_long(live):
        yield latest.append


@contextmanager
def progress_bar(task: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error, if that is a terminal and the wait is long enough to need one.

    What is yielded is to be called with the parts done and the parts in all.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    shown = bar.add_task(task, total=None)
    with _once_it_takes_long(bar):
        yield lambda done, total: bar.update(shown, completed=done, total=total)
