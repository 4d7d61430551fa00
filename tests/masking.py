"""A language of one letter, so that words that do not come from the catalogue stand out."""

from __future__ import annotations

import gettext
import re

from rich.console import Console, RenderableType

from tute.cards import SUIT_NAMES


class Masked(gettext.NullTranslations):
    """Every text with its letters replaced; its fields stay."""

    def gettext(self, message: str) -> str:
        parts = re.split(r"(\{[^}]*\})", message)
        return "".join(
            part if part.startswith("{") else re.sub(r"[^\W\d_]", "ж", part) for part in parts
        )

    def ngettext(self, one: str, several: str, number: int) -> str:
        return self.gettext(one if number == 1 else several)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


def plain(report: RenderableType) -> str:
    """A report as a pipe gets it."""
    console = Console(width=1000, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(report)
    return capture.get()


def left(report: RenderableType) -> set[str]:
    """The words of three letters and more that stand out; the names of suits may."""
    return set(re.findall(r"[a-zA-ZáéíóúñÁÉÍÓÚÑ]{3,}", plain(report))) - set(SUIT_NAMES.values())
