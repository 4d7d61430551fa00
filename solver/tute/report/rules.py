"""The variants and the switches of the rules as text."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tute.language import alternatives, later, say, word
from tute.rules import OUTSIDE_THE_HAND, Rules, Switch, switches, values_in_words, write_value
from tute.variants import Variant

_SIDES = {
    "pairs": later("two sides, partners opposite"),
    "alone": later("each alone"),
    "declarer": later("the declarer against the others"),
}
_TRUMP = {
    "suit": later("a suit"),
    "suit or none": later("a suit, or none"),
    "first cante": later("none until the first cante makes its suit trumps"),
}


def variants(every: Iterable[Variant]) -> RenderableType:
    """Every variant on a line, then every switch with its values and default."""
    table = _columns(
        say("variant"), "", say("players"), say("deck"), say("sides"), say("objectives")
    )
    for each in every:
        table.add_row(
            Text(each.id, style="bold"),
            each.title,
            _numbers(each.players),
            _decks(each),
            say(_SIDES[each.sides]),
            _objectives(each),
        )
    return Group(table, Text(), _switch_table(None), Text(), _how())


def variant(one: Variant) -> RenderableType:
    """One variant: cards, points and objectives, then every switch with its preset."""
    facts = Table.grid(padding=(0, 2))
    for name, value in (
        (say("players"), _numbers(one.players)),
        (say("deck"), say("{number} cards").format(number=_decks(one))),
        (say("order"), " ".join(one.ranks)),
        (say("points"), _points(one)),
        (say("trump"), say(_TRUMP[one.trump])),
        (say("sides"), say(_SIDES[one.sides])),
        (say("cantes"), _cantes(one)),
        (say("objectives"), _objectives(one)),
        (say("bids"), _bids(one)),
    ):
        if value:
            facts.add_row(Text(name, style="dim"), value)
    title = Text.assemble((one.title, "bold"), f"  ({one.id})")
    return Group(title, Text(), facts, Text(), _switch_table(one.rules), Text(), _how())


def _switch_table(preset: Rules | None) -> Table:
    """Each switch with its values and meaning; a preset that is not the default stands out."""
    plain = Rules()
    here_too = [say("here")] if preset else []
    table = _columns(say("switch"), say("default"), *here_too, say("values and meaning"))
    for switch in (*switches(), *OUTSIDE_THE_HAND.values()):
        default = _setting(plain, switch)
        row = [Text(switch.name, style="bold"), Text(default)]
        if preset:
            here = _setting(preset, switch)
            row.append(Text(here, style="" if here == default else "bold yellow"))
        values = ", ".join(values_in_words(switch.values))
        table.add_row(*row, Text.assemble(values, "\n", (say(switch.about), "dim")))
    return table


def _how() -> Text:
    how = say("A deal sets a switch under [rules], a command with --rule NAME=VALUE.")
    return Text(how, "dim")


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


def _numbers(numbers: Iterable[int]) -> str:
    return alternatives([str(number) for number in numbers])


def _decks(one: Variant) -> str:
    sizes = (len(one.deck(players, one.rules, "o").cards) for players in one.players)
    return _numbers(dict.fromkeys(sizes))


def _objectives(one: Variant) -> str:
    return ", ".join(one.objectives) or say("not to lose")


def _points(one: Variant) -> str:
    parts = [f"{rank} {points}" for rank, points in one.values.items()]
    if one.last_trick:
        parts.append(say("last trick {points}").format(points=one.last_trick))
    if one.per_trick:
        parts.append(say("each trick {points}").format(points=one.per_trick))
    return ", ".join(parts)


def _cantes(one: Variant) -> str:
    if one.cantes == "none":
        return word("cantes", "none")
    how = {
        "declared": say("declared from the hand"),
        "caught": say("credited when both cards fall in one trick"),
        "both": say("declared from the hand, or credited when both cards fall in one trick"),
    }[one.cantes]
    if one.only_declarer:
        how = say("declared from the hand by the declarer only")
    worth = say("{pair}, 40 in trumps and 20 elsewhere, {how}")
    return worth.format(pair=" + ".join(one.pair), how=how)


def _bids(one: Variant) -> str:
    if one.bids is None:
        return ""
    low, high, step = one.bids
    bids = say("from {low} by {step}") if high is None else say("from {low} to {high} by {step}")
    return bids.format(low=low, high=high, step=step)
