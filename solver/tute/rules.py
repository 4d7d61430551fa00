"""One frozen value with every switch of the rules that bears on a hand.

A variant presets its switches (`variants`); a deal overrides single ones. Nothing here knows how
a switch acts: that stands in `duties`, `position`, `losers` and `objectives`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args, get_type_hints

from tute.errors import RulesError
from tute.language import alternatives, later, say


def _switch(default: Any, about: str) -> Any:
    """A switch; the catalogues have what it is about."""
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True)
class Rules:
    """The switches, each with its default; names and values are those used in deal files."""

    montar_si_fallado: bool = _switch(
        False, "a trick already trumped must still be beaten within the suit led"
    )
    undertrump: Literal["free", "must"] = _switch(
        "free", "void and unable to overtrump: any card, or a lower trump"
    )
    partner_exempt: Literal["none", "all", "beat"] = _switch(
        "none", "while the partner wins: all duties, no duty but to follow, or no duty to beat"
    )
    cante_timing: Literal["after_trick", "at_second_card", "at_lead"] = _switch(
        "after_trick", "when a pair is declared; at_lead differs from after_trick in name only"
    )
    cante_who: Literal["winner", "side"] = _switch(
        "winner", "who may declare after a trick: its winner, or his partner too"
    )
    cante_per_trick: Literal["one", "several"] = _switch(
        "one", "how many pairs may be declared after one trick"
    )
    cante_order: Literal["forty_first", "free"] = _switch(
        "forty_first", "may a twenty be declared while the forty could be"
    )
    tute: str = _switch(
        "none", "four kings or four knights in one hand: none, wins_hand, wins_match, counts_N"
    )
    tute_hand: Literal["among", "exact"] = _switch(
        "among", "cabrero: the four among other cards, or nothing else in hand"
    )
    tie_hand: Literal["draw", "last_trick"] = _switch(
        "draw", "equal totals: a draw, or for the winner of the last trick"
    )
    tute3_deck: Literal["36", "39"] = _switch(
        "36", "tute for three: without the twos, or without the two of trumps"
    )
    hand_size: int = _switch(8, "games with a stock: cards dealt to each player")
    stock_duty: Literal["trump_only_follow", "none", "trump_only_full", "full"] = _switch(
        "trump_only_follow", "duties while the stock lasts"
    )
    cante_window: Literal["before_draw", "until_lead"] = _switch(
        "before_draw", "with a stock: may the card just drawn complete a pair"
    )
    cante_until: Literal["whole_hand", "stock_only", "until_two_left", "first_win_after_stock"] = (
        _switch("whole_hand", "with a stock: how long pairs may be declared")
    )
    exchange_last_draw: bool = _switch(
        True, "the turned-up card may be exchanged before the last draw"
    )
    exchange_from_start: bool = _switch(False, "the leader may exchange before the first lead")
    vuelta: Literal["auto", "claim"] = _switch(
        "auto", "second hand: points counted or claimed; with open cards the same"
    )
    capote: Literal["none", "last8"] = _switch(
        "none", "the last eight tricks may be announced, and win or lose the hand"
    )
    subastado_lead: Literal["mano", "declarer"] = _switch(
        "mano", "who leads when no leader is given"
    )
    subastado_widow: bool = _switch(
        False, "subastado with 40 cards: the declarer may take the 40th and put one away"
    )
    middle4: Literal["both", "second", "third"] = _switch(
        "both", "cabrón for four: which of two players in the middle loses"
    )
    all_tied: Literal["all", "none"] = _switch("all", "cabrón: who loses when all are equal")
    double_pair: Literal["led_first", "order_completed"] = _switch(
        "led_first", "cabrón: which of two pairs in one trick comes first"
    )
    score_limit: int = _switch(100, "cabrón: more points than this lose the hand")
    loser_rule: Literal["rank", "second", "middle"] = _switch(
        "rank", "cabrero: second or third by the number of takers, always the second, all between"
    )
    cabrero_tie: Literal["seat", "joint"] = _switch(
        "seat", "cabrero: equal totals are ranked by seat, or share a rank"
    )
    top_tie: Literal["other_loses", "tied_lose"] = _switch(
        "other_loses", "cabrero: who loses when the highest total is shared"
    )
    zero_point_takers: Literal["all_lose", "by_rank"] = _switch(
        "all_lose", "cabrero: takers without points when one player has all the points"
    )
    capote_forced_counts: bool = _switch(
        False, "cabrero: a pair caught in a trick counts as declared for capote and tute"
    )
    no_cargar: bool = _switch(False, "no points on a trick that one does not win, if avoidable")
    cuatrola_tricks: Literal[4, 5] = _switch(4, "cuatrola: tricks that the contract cuatrola needs")
    cuatrola_lead: Literal["mano", "bidder"] = _switch(
        "mano", "who leads under a contract when no leader is given"
    )
    boti_school: Literal["lliure", "obligada"] = _switch(
        "lliure", "butifarra: free discards, or the lowest card (points or lowest to a partner)"
    )
    boti_void_partner: Literal["any", "trump"] = _switch(
        "any", "butifarra lliure: void while the partner wins: any card, or a trump"
    )

    @property
    def exemption(self) -> Literal["none", "all", "beat"]:
        """`partner_exempt` as it acts: butifarra lliure may still ask a void player for a trump."""
        lliure = self.boti_school == "lliure"
        if self.partner_exempt == "all" and self.boti_void_partner == "trump" and lliure:
            return "beat"
        return self.partner_exempt

    @property
    def tute_wins(self) -> bool:
        """Whether a tute wins the hand (or more: the match, counts)."""
        return self.tute != "none"


@dataclass(frozen=True)
class Switch:
    """One switch as `tute rules` shows it; `values` are written as in deal files."""

    name: str
    values: tuple[str, ...]
    about: str


OUTSIDE_THE_HAND: Mapping[str, Switch] = {
    switch.name: switch
    for switch in (
        Switch(
            "cuatrola_auction",
            ("first_bid", "highest"),
            later("bears on the auction only: accepted, and without effect on a hand"),
        ),
        Switch(
            "cabrero_trump",
            ("input",),
            later(
                "how trumps are found: a deal names them; accepted, and without effect on a hand"
            ),
        ),
    )
}

_HAND_SIZES, _LIMITS = later("1 to 12"), later("0 to 1000")
_TUTE = re.compile(r"none|wins_hand|wins_match|counts_[1-9][0-9]?")
_BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}
_HINTS = get_type_hints(Rules)


def switches() -> tuple[Switch, ...]:
    """Every switch that bears on a hand, in the order of `Rules`."""
    return tuple(Switch(f.name, _values(f.name), f.metadata["about"]) for f in fields(Rules))


def write_value(value: bool | int | str) -> str:
    """A switch's value as text: booleans are yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def values_in_words(values: Sequence[str]) -> list[str]:
    """A switch's values for people: those of deal files as they are, a range in their language."""
    return [say(value) if value in (_HAND_SIZES, _LIMITS) else value for value in values]


def with_switches(rules: Rules, changes: Mapping[str, object]) -> Rules:
    """The rules with single switches changed, as a deal's `[rules]` names them.

    Values may be text (`yes`, `must`, `39`) or TOML booleans and integers.

    Raises:
        RulesError: an unknown switch, or a value that it does not have.
    """
    read: dict[str, Any] = {}
    for name, value in changes.items():
        if name in OUTSIDE_THE_HAND:
            switch = OUTSIDE_THE_HAND[name]
            if not isinstance(value, str) or value.lower() not in switch.values:
                raise RulesError(_refusal(name, value, switch.values))
        elif name in _HINTS:
            read[name] = _read_value(name, value)
        else:
            wrong = say("rules: unknown switch {name!r}; `tute rules` lists them")
            raise RulesError(wrong.format(name=name))
    return replace(rules, **read)


def _values(name: str) -> tuple[str, ...]:
    hint = _HINTS[name]
    if hint is bool:
        return ("no", "yes")
    if hint is int:
        return (_HAND_SIZES,) if name == "hand_size" else (_LIMITS,)
    if hint is str:
        return ("none", "wins_hand", "wins_match", "counts_N")
    return tuple(str(value) for value in get_args(hint))


def _read_value(name: str, value: object) -> bool | int | str:
    hint = _HINTS[name]
    text = write_value(value).lower() if isinstance(value, bool | int | str) else None
    if text is not None:
        if hint is bool and text in _BOOLEANS:
            return _BOOLEANS[text]
        if hint is int and text.isascii() and text.isdecimal() and len(text) < 6:
            low, high = (1, 12) if name == "hand_size" else (0, 1000)
            if low <= int(text) <= high:
                return int(text)
        if hint is str and _TUTE.fullmatch(text):
            return text
        for allowed in get_args(hint):
            if str(allowed) == text:
                return allowed  # type: ignore[no-any-return]
    raise RulesError(_refusal(name, value, _values(name)))


def _refusal(name: str, value: object, values: tuple[str, ...]) -> str:
    shown = value if isinstance(value, bool | int | str) else type(value).__name__
    wrong = say("rules: {name} is {values}, not {given!r}")
    allowed = alternatives(values_in_words(values))
    return wrong.format(name=name, values=allowed, given=str(shown)[:40])
