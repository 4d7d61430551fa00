"""The language of what people read: English, or a translation of it.

Texts stand in the code in English, in a call of `say` or `count`, and are looked up in the gettext
catalogues of `locale`. `language` chooses for what runs inside it, in this thread.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

LANGUAGES = ("en", "es")
_FOLDER = Path(__file__).parent / "locale"
_ENGLISH = gettext.NullTranslations()
_chosen: ContextVar[gettext.NullTranslations] = ContextVar("language", default=_ENGLISH)


@contextmanager
def language(name: str) -> Iterator[None]:
    """Speak one of `LANGUAGES` inside the block."""
    token = _chosen.set(gettext.translation("tute", _FOLDER, [name], fallback=True))
    try:
        yield
    finally:
        _chosen.reset(token)


def say(text: str) -> str:
    """The text in the language chosen."""
    return _chosen.get().gettext(text)


def count(one: str, several: str, number: int) -> str:
    """The text for such a number of things in the language chosen."""
    return _chosen.get().ngettext(one, several, number)


def spoken() -> str:
    """The language that texts really come in: `en` where the chosen one has no catalogue."""
    return _chosen.get().info().get("language", "en")
