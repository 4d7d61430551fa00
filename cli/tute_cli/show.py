"""Writing answers: JSON on one line, reports in colour on a terminal and plain elsewhere, pages."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
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

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = max(console.width, _PLAIN_WIDTH)
    with console.capture() as capture:
        console.print(report)
    lines = (line.rstrip() for line in capture.get().splitlines())
    click.echo("\n".join(lines), color=console.is_terminal)


def write_page(path: str, page: str) -> None:
    """Write a page to a file, whole or not at all; `-` is standard output.

    What is there and no file (a pipe, a device) is written to as it is.

    Raises:
        click.FileError: the file cannot be written.
    """
    if path == "-":
        click.echo(page, nl=False)
        return
    target = Path(path).resolve()
    try:
        if target.exists() and not target.is_file():
            target.write_text(page, encoding="utf-8")
        else:
            _put_in_place(target, page)
    except OSError as error:
        from tute.language import why

        raise click.FileError(path, why(error)) from None


def _mode(target: Path) -> int:
    """The permissions of the file that is there, else those of a new one."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _put_in_place(target: Path, page: str) -> None:
    """Write beside the file first, and remove that if anything comes between."""
    # click.open_file(atomic=True) puts a half-written file in place when it is interrupted.
    number, written = tempfile.mkstemp(dir=target.parent, prefix=".tute-")
    try:
        with open(number, "w", encoding="utf-8") as file:
            file.write(page)
        os.chmod(written, _mode(target))
        os.replace(written, target)
    except BaseException:
        Path(written).unlink(missing_ok=True)
        raise
