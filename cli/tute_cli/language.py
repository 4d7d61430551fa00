"""The language of the command line: which one is wanted, and the help of a command in it.

Nothing here imports the library unless another language than English is wanted.
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import click

_ENGLISH = "en"
_LANGUAGES = (_ENGLISH, "es")
# Where gettext looks, the first that is set alone.
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
# The locales that stand for no language.
_PLAIN = ("c", "posix")
_CLICK = "click"
_FOLDER = Path(__file__).parent / "locale"

AnyCommand = TypeVar("AnyCommand", bound=click.Command)
Say = Callable[[str], str]


def wanted(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language that `--lang` names, wherever it stands, else that of the locale.

    It has to be known before the arguments are read, since what is wrong with them, and the help,
    are said in it. A name that is no language is left for click to refuse.
    """
    asked = None
    for word, following in pairwise([*arguments, ""]):
        if word == "--":
            break
        if word == "--lang":
            asked = following
        elif word.startswith("--lang="):
            asked = word.removeprefix("--lang=")
    return asked if asked in _LANGUAGES else _of_the_locale(environment)


def _of_the_locale(environment: Mapping[str, str]) -> str:
    locales = next(filter(None, (environment.get(name) for name in _VARIABLES)), "")
    for locale in locales.lower().split(":"):
        name = re.split("[_.@]", locale)[0]
        if name in _PLAIN:
            break
        if name in _LANGUAGES:
            return name
    return _ENGLISH


@contextmanager
def speaking(name: str) -> Iterator[Say]:
    """Speak a language inside the block, with click's words; what is yielded is `say` in it."""
    # Click looks its words up with gettext, in the current domain and in the locale's language.
    before, domain = os.environ.get("LANGUAGE"), gettext.textdomain()
    gettext.bindtextdomain(_CLICK, str(_FOLDER))
    gettext.textdomain(_CLICK)
    os.environ["LANGUAGE"] = name
    try:
        if name == _ENGLISH:
            yield str
        else:
            from tute.language import language, say

            with language(name):
                yield say
    finally:
        gettext.textdomain(domain)
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before


def translated(command: AnyCommand, say: Say) -> AnyCommand:
    """A copy of a command with its help in a language, and with the option `--lang`."""
    said = copy(command)
    said.params = [
        _translated_parameter(parameter, say) for parameter in (*command.params, _lang())
    ]
    # As click does it when it shows a docstring; from Python 3.13 on the compiler does it too.
    said.help = None if command.help is None else cleandoc(command.help)
    for name in ("help", "short_help", "options_metavar", "subcommand_metavar"):
        _say_attribute(said, name, say)
    return said


def _lang() -> click.Option:
    return click.Option(
        ["--lang"],
        type=click.Choice(_LANGUAGES),
        expose_value=False,
        help="English or Spanish; default as the locale says.",
    )


def _translated_parameter(parameter: click.Parameter, say: Say) -> click.Parameter:
    said = copy(parameter)
    for name in ("help", "metavar"):
        _say_attribute(said, name, say)
    if not isinstance(parameter.type, click.Choice):
        said.type = copy(parameter.type)
        _say_attribute(said.type, "name", say)
    return said


def _say_attribute(thing: object, name: str, say: Say) -> None:
    if text := getattr(thing, name, None):
        setattr(thing, name, say(text))
