"""The variants and the switches of the rules as text."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tute.rules import OUTSIDE_THE_HAND, Rules, Switch, switches, write_value
from tute.variants import Variant

_SIDES = {
    "pairs": "two sides, partners opposite",
    "alone": "each alone",
    "declarer": "the declarer against the others",
}
_TRUMP = {
    "suit": "a suit",
    "suit or none": "a suit, or none",
    "first cante": "none until the first cante makes its suit trumps",
}
_NOT_TO_LOSE = "not to lose"


def variants(every: Iterable[Variant]) -> RenderableType:
    """Every variant on a line, then every switch with its values and default."""
    table = _columns("variant", "", "players", "deck", "sides", "objectives")
    for each in every:
        table.add_row(
            Text(each.id, style="bold"),
            each.title,
            _numbers(each.players),
            _decks(each),
            _SIDES[each.sides],
            _objectives(each),
        )
    return Group(table, Text(), _switch_table(None), Text(), _how())


def variant(one: Variant) -> RenderableType:
    """One variant: cards, points and objectives, then every switch with its preset."""
    facts = Table.grid(padding=(0, 2))
    for name, value in (
        ("players", _numbers(one.players)),
        ("deck", f"{_decks(one)} cards"),
        ("order", " ".join(one.ranks)),
        ("points", _points(one)),
        ("trump", _TRUMP[one.trump]),
        ("sides", _SIDES[one.sides]),
        ("cantes", _cantes(one)),
        ("objectives", _objectives(one)),
        ("bids", _bids(one)),
    ):
        if value:
            facts.add_row(Text(name, style="dim"), value)
    title = Text.assemble((one.title, "bold"), f"  ({one.id})")
    return Group(title, Text(), facts, Text(), _switch_table(one.rules), Text(), _how())


def _switch_table(preset: Rules | None) -> Table:
    """Each switch with its values and meaning; a preset that is not the default stands out."""
    plain = Rules()
    columns = ["switch", "default"] + (["here"] if preset else []) + ["values and meaning"]
    table = _columns(*columns)
    for switch in (*switches(), *OUTSIDE_THE_HAND.values()):
        default = _setting(plain, switch)
        row = [Text(switch.name, style="bold"), Text(default)]
        if preset:
            here = _setting(preset, switch)
            row.append(Text(here, style="" if here == default else "bold yellow"))
        table.add_row(*row, Text.assemble(_values(switch), "\n", (switch.about, "dim")))
    return table


def _how() -> Text:
    return Text("A deal sets a switch under [rules], a command with --rule NAME=VALUE.", "dim")


def _columns(*names: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in names[:-1]:
        table.add_column(name, no_wrap=True)
    table.add_column(names[-1])
    return table


def _setting(rules: Rules, switch: Switch) -> str:
    if switch.name in OUTSIDE_THE_HAND:
        return switch.values[0]
    return write_value(getattr(rules, switch.name))


def _values(switch: Switch) -> str:
    return ", ".join(switch.values)


def _numbers(numbers: Iterable[int]) -> str:
    return " or ".join(str(number) for number in numbers)


def _decks(one: Variant) -> str:
    sizes = (len(one.deck(players, one.rules, "o").cards) for players in one.players)
    return _numbers(dict.fromkeys(sizes))


def _objectives(one: Variant) -> str:
    return ", ".join(one.objectives) or _NOT_TO_LOSE


def _points(one: Variant) -> str:
    parts = [f"{rank} {points}" for rank, points in one.values.items()]
    if one.last_trick:
        parts.append(f"last trick {one.last_trick}")
    if one.per_trick:
        parts.append(f"each trick {one.per_trick}")
    return ", ".join(parts)


def _cantes(one: Variant) -> str:
    if one.cantes == "none":
        return "none"
    how = {
        "declared": "declared from the hand",
        "caught": "credited when both cards fall in one trick",
        "both": "declared from the hand, or credited when both cards fall in one trick",
    }[one.cantes]
    who = " by the declarer only" if one.only_declarer else ""
    return f"{' + '.join(one.pair)}, 40 in trumps and 20 elsewhere, {how}{who}"


def _bids(one: Variant) -> str:
    if one.bids is None:
        return ""
    low, high, step = one.bids
    return f"from {low}{'' if high is None else f' to {high}'} by {step}"
