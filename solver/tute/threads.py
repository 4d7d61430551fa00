"""What searches on several threads share: an alarm, and how many threads are worth it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tute.errors import QuestionError


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
        raise QuestionError(f"time limit: a number of seconds, not {seconds}")
    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
