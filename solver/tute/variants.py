"""The variants: a named preset each, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tute.cards import Card, Deck
from tute.errors import RulesError
from tute.language import say
from tute.rules import Rules

Objective = Literal["points", "difference", "win", "tricks"]

_TUTE_VALUES: Mapping[str, int] = {"A": 11, "3": 10, "R": 4, "C": 3, "S": 2}
_GUINOTE_VALUES: Mapping[str, int] = {"A": 11, "3": 10, "R": 4, "S": 3, "C": 2}
_BUTIFARRA_VALUES: Mapping[str, int] = {"9": 5, "A": 4, "R": 3, "C": 2, "S": 1}


@dataclass(frozen=True)
class Variant:
    """What distinguishes one game of the family from the others before any switch is thrown.

    Attributes:
        id: the name in deal files.
        title: the name for people.
        players: how many hands a deal may have.
        sides: who plays together: partners opposite, nobody, or all against the declarer.
        objectives: what can be asked of `solve`, the default first; empty where one plays not to
            lose.
        values: the points of the ranks that have any.
        ranks: the ranks of a suit, strongest first.
        deck3: which cards three players use: all, no twos, all but the two of trumps, or as the
            switch of that name says.
        pair: the two ranks of a cante; empty where there are none.
        cantes: how cantes come about: declared from the hand, caught in a trick, both, or not.
        only_declarer: whether only the declarer may declare.
        trump: a suit is given, a suit or none is given, or the first cante makes it.
        winning: what `win` asks: more points than the others, the contract, more than 100 (where
            both have it, the higher total or the last trick), or nothing where one plays not to
            lose.
        last_trick: points for the last trick.
        per_trick: points for every trick.
        stock: whether there may be a stock to draw from.
        bids: lowest, highest (None: no limit) and step of the bids, where there is an auction.
        rules: the preset of the switches.
    """

    id: str
    title: str
    players: tuple[int, ...]
    sides: Literal["pairs", "alone", "declarer"]
    objectives: tuple[Objective, ...]
    values: Mapping[str, int] = field(hash=False)
    ranks: str = "A3RCS76542"
    deck3: Literal["all", "36", "39", "tute3_deck", "subastado_widow"] = "all"
    pair: str = "RC"
    cantes: Literal["declared", "caught", "both", "none"] = "declared"
    only_declarer: bool = False
    trump: Literal["suit", "suit or none", "first cante"] = "suit"
    winning: Literal["most", "contract", "hundred", "hundred or last trick", "not to lose"] = "most"
    last_trick: int = 10
    per_trick: int = 0
    stock: bool = False
    bids: tuple[int, int | None, int] | None = None
    rules: Rules = field(default_factory=Rules)

    def deck(self, players: int, rules: Rules, trump: str | None) -> Deck:
        """The deck for so many players; `trump` matters where its two lies aside."""
        kind: str = self.deck3 if players == 3 else "all"
        if kind == "tute3_deck":
            kind = rules.tute3_deck
        elif kind == "subastado_widow":
            kind = "all" if rules.subastado_widow else "36"
        ranks = self.ranks.replace("2", "") if kind == "36" else self.ranks
        aside = {Card("2" + trump)} if kind == "39" and trump else set()
        return Deck(ranks, self.values, frozenset(aside))


VARIANTS: Mapping[str, Variant] = {
    variant.id: variant
    for variant in (
        Variant(
            id="tute",
            title="Tute por parejas",
            players=(4,),
            sides="pairs",
            objectives=("points", "difference", "win"),
            values=_TUTE_VALUES,
        ),
        Variant(
            id="tute-individual",
            title="Tute individual",
            players=(3, 4),
            sides="alone",
            objectives=("points", "difference"),
            values=_TUTE_VALUES,
            deck3="tute3_deck",
        ),
        Variant(
            id="subastado",
            title="Tute subastado",
            players=(3,),
            sides="declarer",
            objectives=("points", "difference", "win"),
            values=_TUTE_VALUES,
            deck3="subastado_widow",
            only_declarer=True,
            winning="contract",
            bids=(60, None, 5),
        ),
        Variant(
            id="subastado-parejas",
            title="Tute subastado por parejas",
            players=(4,),
            sides="pairs",
            objectives=("points", "difference", "win"),
            values=_TUTE_VALUES,
            winning="contract",
            bids=(60, 100, 10),
            rules=Rules(cante_timing="at_second_card", cante_who="side", undertrump="must"),
        ),
        Variant(
            id="habanero",
            title="Tute habanero",
            players=(2,),
            sides="pairs",
            objectives=("difference", "points", "win"),
            values=_TUTE_VALUES,
            winning="hundred",
            stock=True,
        ),
        Variant(
            id="cabron",
            title="Tute cabrón",
            players=(3, 4),
            sides="alone",
            objectives=(),
            values=_TUTE_VALUES,
            deck3="36",
            cantes="caught",
            trump="first cante",
            winning="not to lose",
        ),
        Variant(
            id="cabrero",
            title="Tute cabrero",
            players=(3, 4, 5),
            sides="alone",
            objectives=(),
            values=_TUTE_VALUES,
            deck3="39",
            cantes="both",
            winning="not to lose",
            rules=Rules(tute="wins_hand", tute_hand="exact", cabrero_tie="joint"),
        ),
        Variant(
            id="cuatrola",
            title="Cuatrola",
            players=(4, 3),
            sides="pairs",
            objectives=("points", "difference", "win", "tricks"),
            ranks="A3RCS",
            values=_TUTE_VALUES,
            rules=Rules(cante_who="side"),
        ),
        Variant(
            id="guinote",
            title="Guiñote",
            players=(4, 2),
            sides="pairs",
            objectives=("points", "difference", "win"),
            ranks="A3RSC76542",
            values=_GUINOTE_VALUES,
            pair="RS",
            winning="hundred or last trick",
            stock=True,
            rules=Rules(partner_exempt="all", cante_who="side", hand_size=6, stock_duty="none"),
        ),
        Variant(
            id="butifarra",
            title="Butifarra",
            players=(4,),
            sides="pairs",
            objectives=("points", "difference", "win"),
            ranks="9ARCS8765432",
            values=_BUTIFARRA_VALUES,
            pair="",
            cantes="none",
            trump="suit or none",
            last_trick=0,
            per_trick=1,
            rules=Rules(partner_exempt="all"),
        ),
    )
}


def variant(name: str) -> Variant:
    """The variant of that id.

    Raises:
        RulesError: there is none; the message lists those that are.
    """
    found = VARIANTS.get(name.strip().lower())
    if found is None:
        wrong = say("variant: {name!r} is unknown; one of {variants}")
        raise RulesError(wrong.format(name=name[:40], variants=", ".join(VARIANTS)))
    return found
