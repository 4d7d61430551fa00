"""Deal files: TOML (one deal), JSON (one), JSON Lines (many), read and written."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

import msgspec

from tute.cards import SUIT_NAMES
from tute.deal import Deal
from tute.errors import DealError, TuteError
from tute.language import later, say, why
from tute.notation import format_cards, format_hand, format_moves
from tute.rules import Rules

_LARGEST_FILE = 256 << 20


class Record(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The fields of a deal as they stand in a file, in the order in which they are written."""

    variant: str
    hands: list[str | list[str]]
    trump: str | None = None
    leader: int | None = None
    declarer: int | None = None
    contract: str | None = None
    bid: int | None = None
    seat: int | None = None
    stock: str | list[str] = ""
    widow: str | None = None
    played: str | list[str] = ""
    points: list[int] = []
    tricks: list[int] = []
    declared: str = ""
    cantes: str | None = None
    carried: list[int] | None = None
    result: list[int] | None = None
    title: str = ""
    source: str = ""
    names: list[str] = []
    id: str | int | None = None
    rules: dict[str, Any] = {}


def deal_from_fields(raw: Mapping[str, Any]) -> Deal:
    """The deal that these fields describe; unknown fields are refused.

    Raises:
        DealError, RulesError: a field that is missing, unknown or cannot be.
    """
    try:
        record = msgspec.convert(raw, Record)
    except msgspec.ValidationError as error:
        raise DealError(_reworded(str(error))) from None
    values = {field: getattr(record, field) for field in record.__struct_fields__}
    return Deal(**values)


def deal_fields(deal: Deal) -> dict[str, Any]:
    """The fields of a deal as a file holds them; those at their defaults are left out."""
    order = deal.variant.deck(deal.players, deal.rules, None)
    preset = deal.variant.rules
    plain = Deal(variant=deal.variant.id, hands=[""] * deal.players, contract=deal.contract)
    record = Record(
        variant=deal.variant.id,
        hands=[format_hand(hand, order) for hand in deal.hands],
        trump=SUIT_NAMES.get(deal.trump, deal.trump) if deal.trump else None,
        leader=deal.leader,
        declarer=deal.declarer,
        contract=deal.contract,
        bid=deal.bid,
        seat=deal.seat,
        stock=format_cards(deal.stock),
        widow=None if deal.widow is None else str(deal.widow),
        played=format_moves(deal.played, deal.players - (deal.sleeper is not None)),
        points=list(deal.points) if any(deal.points) else [],
        tricks=list(deal.tricks) if any(deal.tricks) else [],
        declared=deal.declared,
        cantes=None if deal.cantes == plain.cantes else deal.cantes,
        carried=None if deal.carried is None else list(deal.carried),
        result=None if deal.result is None else list(deal.result),
        title=deal.title,
        source=deal.source,
        names=list(deal.names),
        id=deal.id,
        rules={
            switch.name: getattr(deal.rules, switch.name)
            for switch in fields(Rules)
            if getattr(deal.rules, switch.name) != getattr(preset, switch.name)
        },
    )
    built: dict[str, Any] = msgspec.to_builtins(record)
    return built


def to_toml(deal: Deal) -> str:
    """The deal as a TOML file."""
    import tomli_w

    return tomli_w.dumps(deal_fields(deal))


def to_json(deal: Deal) -> str:
    """The deal as one line of JSON."""
    return msgspec.json.encode(deal_fields(deal)).decode()


def read_deal(path: str | os.PathLike[str]) -> Deal:
    """Read the one deal of a TOML, JSON or JSON Lines file; `-` is standard input.

    Raises:
        DealError: the file cannot be read, holds no deal or several, or is no deal.
        RulesError: an unknown variant or switch.
    """
    return deal_from_fields(read_fields(path))


def read_fields(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The raw fields of the one deal of a file.

    Raises:
        DealError: the file cannot be read, is neither TOML nor JSON, or holds several deals.
    """
    return _fields(*_text(path))


def read_deals(path: str | os.PathLike[str]) -> Iterator[Deal]:
    """Read every deal of a JSON Lines file, or the one of another file, in order.

    Raises:
        DealError, RulesError: as for one deal; the message names the line.
    """
    for number, raw in read_many_fields(path):
        with in_line(number):
            yield deal_from_fields(raw)


def read_many_fields(
    path: str | os.PathLike[str],
) -> Iterator[tuple[int | None, dict[str, Any]]]:
    """The raw fields of every deal of a file, each with its line; None where a file holds one.

    Standard input holds one deal a line if its first line is a whole JSON object.

    Raises:
        DealError: as for `read_fields`; the message names the line.
    """
    name, text = _text(path)
    if not _has_lines(name, text):
        yield None, _fields(name, text)
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            with in_line(number):
                yield number, _json_fields(line, name)


@contextmanager
def in_line(number: int | None) -> Iterator[None]:
    """Errors inside name the line, if there is one."""
    try:
        yield
    except TuteError as error:
        if number is None:
            raise
        wrong = say("line {number}: {reason}")
        raise DealError(wrong.format(number=number, reason=error)) from None


def _fields(name: str, text: str) -> dict[str, Any]:
    if not text.strip():
        raise DealError(say("{file}: the file is empty").format(file=name))
    if _looks_like_json(name, text):
        lines = [line for line in text.splitlines() if line.strip()]
        if name.endswith(".jsonl") and len(lines) > 1:
            wrong = say("{file}: {number} deals, but this command takes one")
            raise DealError(wrong.format(file=name, number=len(lines)))
        return _json_fields(text, name)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Beside its own error, a ValueError, tomllib lets through those of endless numbers.
        wrong = say("{file}: no TOML: {reason}")
        raise DealError(wrong.format(file=name, reason=_reason(error))) from None


def _text(path: str | os.PathLike[str]) -> tuple[str, str]:
    name = os.fspath(path)
    try:
        if name == "-":
            raw = sys.stdin.buffer.read(_LARGEST_FILE + 1)
        else:
            with open(name, "rb") as file:
                raw = file.read(_LARGEST_FILE + 1)
        if len(raw) > _LARGEST_FILE:
            wrong = say("{file}: more than {most} MiB, so no file of deals")
            raise DealError(wrong.format(file=name, most=_LARGEST_FILE >> 20))
        return name, raw.decode("utf-8-sig")
    except OSError as error:
        raise DealError(f"{name}: {why(error)}") from None
    except UnicodeDecodeError:
        raise DealError(say("{file}: not a text file in UTF-8").format(file=name)) from None


def _looks_like_json(name: str, text: str) -> bool:
    if name.endswith((".json", ".jsonl")):
        return True
    return not name.endswith(".toml") and text.lstrip().startswith("{")


def _has_lines(name: str, text: str) -> bool:
    """Whether each line is a deal."""
    first = text.lstrip().partition("\n")[0].rstrip()
    whole = first.startswith("{") and first.endswith("}")
    return name.endswith(".jsonl") or (name == "-" and whole)


def _json_fields(text: str, name: str) -> dict[str, Any]:
    try:
        read = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        wrong = say("{file}: no JSON: {reason}")
        raise DealError(wrong.format(file=name, reason=_reason(error))) from None
    if not isinstance(read, dict):
        wrong = say("{file}: a deal is an object with fields, not a {kind}")
        raise DealError(wrong.format(file=name, kind=_kinds(type(read).__name__)))
    return read


# Where the readers of TOML and JSON find a fault, and the commonest of those they find.
_PLACES = (
    (
        re.compile(r"(?P<what>.+) \(at line (?P<line>\d+), column (?P<column>\d+)\)"),
        later("{what} (at line {line}, column {column})"),
    ),
    (
        re.compile(r"(?P<what>.+) \(at end of document\)"),
        later("{what} (at end of document)"),
    ),
    (
        re.compile(r"(?P<what>.+) \(byte (?P<byte>\d+)\)"),
        later("{what} (byte {byte})"),
    ),
)
later("Cannot overwrite a value")
later("Expected '=' after a key in a key/value pair")
later("Expected newline or end of document after a statement")
later("Invalid initial character for a key part")
later("Invalid statement")
later("Invalid value")
later("Unclosed array")
later("Unterminated string")
later("Input data was truncated")
later("JSON is malformed: expected ',' or '}'")
later("JSON is malformed: expected ',' or ']'")
later("JSON is malformed: invalid character")
later("JSON is malformed: object keys must be strings")
later("JSON is malformed: trailing characters")


def _reason(error: Exception) -> str:
    """What a reader of TOML or JSON says, in the language chosen as far as it is known."""
    text = str(error)
    for pattern, sentence in _PLACES:
        if found := pattern.fullmatch(text):
            fields = found.groupdict()
            return say(sentence).format(**fields | {"what": say(fields["what"])})
    return say(text)


_SEAT = re.compile(r"^(hands|points|tricks|result|names)\[(\d+)\]")
# What msgspec says, without its backquotes.
_EXPECTED = re.compile(r"Expected (?P<wanted>.*), got (?P<found>.*)")
_UNKNOWN = re.compile(r"Object contains unknown field (?P<name>.*)")
_MISSING = re.compile(r"Object missing required field (?P<name>.*)")
# Its names of kinds of values, and Python's.
_KINDS = {
    "object": later("table"),
    "array": later("array"),
    "str": later("str"),
    "int": later("int"),
    "float": later("float"),
    "bool": later("bool"),
    "null": later("null"),
    "list": later("list"),
    "NoneType": later("NoneType"),
}


def _seat(place: re.Match[str]) -> str:
    return say("{field}: seat {seat}").format(field=place[1], seat=int(place[2]) + 1)


def _reworded(message: str) -> str:
    """The message of msgspec with the field in front: `leader: expected int, got str`."""
    text, _, path = message.partition(" - at `$")
    text = text.replace("`", "")
    field = re.sub(_SEAT, _seat, path.rstrip("`").lstrip("."))
    if expected := _EXPECTED.fullmatch(text):
        wrong = say("{field}: expected {wanted}, got {found}")
        wanted, found = _kinds(expected["wanted"]), _kinds(expected["found"])
        return wrong.format(field=field, wanted=wanted, found=found)
    if unknown := _UNKNOWN.fullmatch(text):
        return say("the deal contains unknown field {name}").format(name=unknown["name"])
    if missing := _MISSING.fullmatch(text):
        return say("the deal missing required field {name}").format(name=missing["name"])
    return f"{field}: {text[0].lower()}{text[1:]}" if field else text[0].lower() + text[1:]


def _kinds(names: str) -> str:
    return " | ".join(say(_KINDS.get(name, name)) for name in names.split(" | "))
