"""The options that commands share: a deal from a file, from hands as arguments, or from both."""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tute import Deal

_FILE_ENDINGS = (".toml", ".json", ".jsonl")


def _numbers(ctx: click.Context, param: click.Parameter, value: str | None) -> list[int] | None:
    """Whole numbers separated by commas or spaces."""
    if value is None:
        return None
    try:
        return [int(number) for number in value.replace(",", " ").split()]
    except ValueError:
        from tute.language import say

        wrong = say("{text} are not whole numbers, as in 12,30,0").format(text=_shown(value))
        raise click.BadParameter(wrong, ctx, param) from None


def _switches(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """Switches of the rules, each as NAME=VALUE."""
    settings = {}
    for value in values:
        name, equals, setting = value.partition("=")
        if not equals:
            from tute.language import say

            wrong = say("{text} is not of the form NAME=VALUE").format(text=_shown(value))
            raise click.BadParameter(wrong, ctx, param)
        settings[name.strip()] = setting.strip()
    return settings


def _is_no_file(path: str) -> bool:
    """Whether a device or a pipe is there, which is written to as it is."""
    return os.path.exists(path) and not os.path.isfile(path)


def _can_be_written(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A file that can be put in its folder, found out before a long search rather than after."""
    if value is None or value == "-":
        return value
    if value.endswith(_FILE_ENDINGS):
        from tute.language import say

        refusal = say("{file} has the name of a file of deals, which a page would replace")
        raise click.BadParameter(refusal.format(file=_shown(value)), ctx, param)
    folder = os.path.dirname(value) or "."
    wrong = 0
    if not value or not os.path.isdir(folder):
        wrong = errno.ENOENT
    elif os.path.isdir(value):
        wrong = errno.EISDIR
    elif not os.access(value if _is_no_file(value) else folder, os.W_OK):
        wrong = errno.EACCES
    if wrong:
        from tute.language import why

        raise click.FileError(value, why(OSError(wrong, os.strerror(wrong))))
    return value


_NUMBERS = {"callback": _numbers, "metavar": "NUMBERS"}
_FIELDS: dict[str, dict[str, Any]] = {
    "variant": {"help": "The game; `tute rules` lists them."},
    "trump": {"help": "A suit, or none."},
    "leader": {"type": int, "help": "The seat that leads the first trick."},
    "declarer": {"type": int, "help": "The seat that declares."},
    "contract": {"help": "Cuatrola: solo, cuatrola or quintola."},
    "bid": {"type": int, "help": "The points promised."},
    "seat": {"type": int, "help": "The seat whose value is asked for."},
    "stock": {"help": "The cards to draw, in order; the last is the turned-up card."},
    "widow": {"help": "Subastado: the 40th card."},
    "played": {"help": "What has been played from these hands."},
    "points": {**_NUMBERS, "help": "Points made before, by seat."},
    "tricks": {**_NUMBERS, "help": "Tricks made before, by seat."},
    "declared": {"help": "Suits whose cante has been declared before."},
    "cantes": {"help": "How the record is read: auto or explicit."},
    "carried": {**_NUMBERS, "help": "Points of the first hand, by side, when this is the second."},
}

rule_option = click.option(
    "--rule",
    "switches",
    multiple=True,
    callback=_switches,
    metavar="NAME=VALUE",
    help="Set a switch of the rules.",
)
threads_option = click.option(
    "--threads",
    type=click.IntRange(1, 64),
    help="Threads, where there is a stock to draw from; default: all processors.",
)
html_option = click.option(
    "--html",
    metavar="OUT",
    callback=_can_be_written,
    help="Write a page to this file, to be opened in a browser.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


@dataclass(frozen=True)
class DealSource:
    """Where a deal comes from: the arguments of a command, and the fields given as options."""

    arguments: tuple[str, ...]
    fields: dict[str, Any]
    switches: dict[str, str]

    def read(self) -> Deal:
        """The deal: the file's fields with those given on the command line in their place.

        Raises:
            click.UsageError: there is no deal.
            tute.TuteError: it is no deal.
        """
        from tute.files import read_fields

        file, _ = self._file_and_hands()
        return self._deal({} if file is None else read_fields(file))

    def read_all(self) -> list[Deal]:
        """Every deal of the file, each with the fields given on the command line in their place.

        Raises:
            click.UsageError: there is no deal.
            tute.TuteError: one of them is no deal; the message names its line.
        """
        from tute.errors import DealError
        from tute.files import in_line, read_many_fields
        from tute.language import say

        file, _ = self._file_and_hands()
        deals = []
        for number, fields in [(None, {})] if file is None else read_many_fields(file):
            with in_line(number):
                deals.append(self._deal(fields))
        if not deals:
            raise DealError(say("{file}: the file is empty").format(file=file))
        return deals

    def _deal(self, read: dict[str, Any]) -> Deal:
        from tute.files import deal_from_fields

        fields = read | self.fields
        _, hands = self._file_and_hands()
        if hands:
            fields = fields | {"hands": list(hands)}
        rules = fields.get("rules", {})
        if self.switches and isinstance(rules, dict):
            fields = fields | {"rules": rules | self.switches}
        return deal_from_fields(fields)

    def _file_and_hands(self) -> tuple[str | None, tuple[str, ...]]:
        """The first argument is a file, unless a variant is given and it is not like one."""
        from tute.language import say

        if not self.arguments:
            raise click.UsageError(
                say(
                    "no deal: name a FILE (- is standard input), "
                    "or give --variant and one hand for each seat"
                )
            )
        first, *others = self.arguments
        if "variant" not in self.fields:
            if _is_hand(first) and not os.path.exists(first):
                raise click.UsageError(say("variant: missing; hands as arguments need --variant"))
            return first, tuple(others)
        if _is_hand(first) or not _is_like_a_file(first):
            return None, self.arguments
        return first, tuple(others)


def deal_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add FILE, hands and the fields of a deal; the command takes them as `source`."""

    @wraps(command)
    def gathered(arguments: tuple[str, ...], switches: dict[str, str], **given: Any) -> Any:
        fields = {name: given.pop(name) for name in _FIELDS}
        said = {name: value for name, value in fields.items() if value is not None}
        return command(source=DealSource(arguments, said, switches), **given)

    decorated: Callable[..., Any] = rule_option(gathered)
    for name, settings in reversed(_FIELDS.items()):
        decorated = click.option(f"--{name}", **settings)(decorated)
    return click.argument("arguments", nargs=-1, metavar="[FILE] [HAND]...")(decorated)


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the limits of a search: `time_limit` in seconds and `memory` in MiB."""
    limited = click.option(
        "--memory",
        type=click.IntRange(1, 1 << 20),
        default=64,
        show_default=True,
        metavar="MIB",
        help="Room for positions already searched.",
    )(command)
    return click.option(
        "--time-limit",
        type=click.FloatRange(min=0),
        callback=_a_number,
        metavar="SECONDS",
        help="Past it the answer is proven bounds, and the exit status 3.",
    )(limited)


def _a_number(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        from tute.language import say

        raise click.BadParameter(say("nan is no number of seconds"), ctx, param)
    return value


def _is_hand(text: str) -> bool:
    from tute.errors import CardError
    from tute.notation import parse_hand

    try:
        parse_hand(text)
    except CardError:
        return False
    return True


def _is_like_a_file(text: str) -> bool:
    return text == "-" or text.endswith(_FILE_ENDINGS) or os.path.exists(text)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
