"""Waiting for a search that runs in a thread of its own, and stopping it with Ctrl-C."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")

BOUNDS_ONLY = 3
_INTERRUPTED = 130
_TICK = 0.25


def wait_for(search: Callable[[], Answer], stop: Callable[[], None]) -> Answer:
    """The answer of a search; Ctrl-C stops it with what it has proven, twice ends the program.

    Args:
        search: the call that searches.
        stop: makes it return soon.
    """
    answers: list[Answer] = []
    errors: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            answers.append(search())
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
