"""What searches on several threads share: an alarm, the wait for all, how many are worth it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from typing import Any, Protocol

from tute.errors import QuestionError
from tute.language import say

# Seconds between two looks at `cancel`.
_TICK = 0.1


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def alarm(seconds: float | None, ring: Callable[[], None]) -> Iterator[None]:
    """Call `ring` from a thread of its own once so many seconds have passed, unless left before."""
    if seconds is None:
        yield
        return
    if not 0 <= seconds <= threading.TIMEOUT_MAX:
        wrong = say("time limit: a number of seconds, not {seconds}")
        raise QuestionError(wrong.format(seconds=seconds))
    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def wait_for_all(
    jobs: Collection[Future[Any]],
    stop: Callable[[], None],
    progress: Callable[[int, int], None] | None,
    cancel: threading.Event | None,
) -> None:
    """Wait until all jobs are done, which `stop` makes happen soon.

    Args:
        jobs: what to wait for.
        stop: called once `cancel` is set, and when an exception (Ctrl-C) ends the wait.
        progress: called with the jobs done and the jobs in all.
        cancel: to be set by another thread.
    """
    waiting = set(jobs)
    try:
        while waiting:
            _, waiting = wait(waiting, timeout=_TICK, return_when=FIRST_COMPLETED)
            if cancel is not None and cancel.is_set():
                stop()
            if progress is not None:
                progress(len(jobs) - len(waiting), len(jobs))
    except BaseException:
        stop()
        raise


@contextmanager
def on_cancel(cancel: threading.Event | None, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` from a thread of its own once `cancel` is set, unless left before."""
    if cancel is None:
        yield
        return
    left = threading.Event()

    def watch() -> None:
        while not left.wait(_TICK):
            if cancel.is_set():
                stop()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        left.set()
        watcher.join()


class Stoppable(Protocol):
    """A search that another thread may stop."""

    def stop(self) -> None:
        """Make the running call return soon."""


@contextmanager
def limited(
    seconds: float | None, cancel: threading.Event | None, stop: Callable[[], None]
) -> Iterator[None]:
    """Call `stop` once so many seconds have passed, or another thread has set `cancel`."""
    with alarm(seconds, stop), on_cancel(cancel, stop):
        yield


class Limits:
    """What ends a piece of work early, whatever searches run in it; and who hears of its progress.

    Args:
        progress: called with the parts done and the parts in all.
    """

    def __init__(self, progress: Callable[[int, int], None] | None) -> None:
        self._ended = threading.Event()
        self._searches: list[Stoppable] = []
        self._progress = progress
        self._walked = 0

    @contextmanager
    def running(self, time_limit: float | None, cancel: threading.Event | None) -> Iterator[None]:
        """Stop once so many seconds have passed, or another thread has set `cancel`."""
        with limited(time_limit, cancel, self.stop):
            yield

    @property
    def stopped(self) -> bool:
        """Whether a limit came."""
        return self._ended.is_set()

    def stop(self) -> None:
        """End every search; from any thread."""
        self._ended.set()
        for search in self._searches:
            search.stop()

    @contextmanager
    def watching(self, *searches: Stoppable) -> Iterator[None]:
        """Let these searches be stopped too inside the block; then their tables may go."""
        before = self._searches
        self._searches = [*before, *searches]
        if self.stopped:
            self.stop()
        try:
            yield
        except BaseException:
            self.stop()
            raise
        finally:
            self._searches = before

    def walked(self, done: int, total: int) -> None:
        """Report moments of the walk."""
        self._walked = done
        if self._progress is not None:
            self._progress(done, total)

    def judged(self, done: int, total: int) -> None:
        """Report parts of the judging, after the moments of the walk."""
        if self._progress is not None:
            self._progress(self._walked + done, self._walked + total)
