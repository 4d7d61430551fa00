"""The tables of the README that scripts write, each between two markers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

README = Path(__file__).parent / "README.md"


def table(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first row is its head."""
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write(name: str, text: str) -> None:
    """Put a text between the markers of that name.

    Raises:
        ValueError: the README has no such markers, or has them twice.
    """
    begin, end = f"<!-- {name}: begin, generated -->\n", f"<!-- {name}: end -->\n"
    before, rest = README.read_text(encoding="utf-8").split(begin)
    _, after = rest.split(end)
    README.write_text(f"{before}{begin}{text}\n{end}{after}", encoding="utf-8")
