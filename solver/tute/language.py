"""The language of what people read: English, or a translation of it.

Texts stand in the code in English, whole, in a call of `say`, `count` or `word`, and are looked up
in the gettext catalogues of `locale`. A constant, which is shown later, stands in a call of
`later`. `language` chooses for what runs inside it, in this thread; what runs on other threads is
to be started in a copy of the context (`contextvars.copy_context`).
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_FOLDER = Path(__file__).parent / "locale"
_ENGLISH = gettext.NullTranslations()
_chosen: ContextVar[gettext.NullTranslations] = ContextVar("language", default=_ENGLISH)


@contextmanager
def language(name: str) -> Iterator[None]:
    """Speak `en`, or a language with a catalogue in `locale`, inside the block."""
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


def word(of: str, text: str) -> str:
    """A lone word in the language chosen; what it is said of tells it from its like.

    Args:
        of: for the translator, never shown.
        text: the word.
    """
    return _chosen.get().pgettext(of, text)


def alternatives(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a or b or c`; nothing of no words."""
    said = words[0] if words else ""
    for other in words[1:]:
        said = say("{first} or {second}").format(first=said, second=other)
    return said


def spoken() -> str:
    """The language that texts really come in: `en` where the chosen one has no catalogue."""
    return _chosen.get().info().get("language", "en")


def later(text: str) -> str:
    """The text itself, so that the catalogues have it: it is said when it is shown."""
    return text


def why(error: OSError) -> str:
    """What the system says of an error, in the language chosen where it is a common one."""
    return say(error.strerror) if error.strerror else str(error)


# In the words of the system, for `why`.
later("No such file or directory")
later("Permission denied")
later("Is a directory")
later("Not a directory")
later("File name too long")
later("No space left on device")
