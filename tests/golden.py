"""Texts kept whole: what is printed is compared with a file of `tests/golden`.

With TUTE_GOLDEN=rewrite in the environment the files are written instead; `git diff` then shows
what has changed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"
# The end of a report, `1,234 positions in 0.05 s` or only the seconds, in any language.
_EFFORT = re.compile(r"^(?:[\d,]+ (\w+ \w+) )?[\d.]+ s$", re.MULTILINE)


class Golden:
    """Compares texts with those of the folder."""

    def __call__(self, name: str, language: str, text: str) -> None:
        """Fail unless the text is that of `NAME.LANGUAGE.txt`, but for nodes and seconds."""
        path = FOLDER / f"{name}.{language}.txt"
        settled = _EFFORT.sub(r"… \1 … s", text)
        if os.environ.get("TUTE_GOLDEN") == "rewrite":
            path.parent.mkdir(exist_ok=True)
            path.write_text(settled, encoding="utf-8", newline="\n")
        assert settled == path.read_text(encoding="utf-8")
