"""Writing answers: JSON on one line, and reports in colour on a terminal, plain elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import RenderableType

_PLAIN_WIDTH = 1000


def show_json(answer: Mapping[str, object]) -> None:
    """Write an answer as one line of JSON."""
    import msgspec

    click.echo(msgspec.json.encode(answer).decode())


def show(report: RenderableType) -> None:
    """Write a report; in a pipe or a file there are no colours, and lines are not folded."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, _PLAIN_WIDTH)
    with console.capture() as capture:
        console.print(report)
    lines = (line.rstrip() for line in capture.get().splitlines())
    click.echo("\n".join(lines), color=console.is_terminal)
