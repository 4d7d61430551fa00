"""What stays the same during one hand: the variant, its switches, the deck, who plays with whom.

Seats count from 1 where people see them; inside, players are places 0 to n − 1 in order of play.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tute.cards import Card, Deck
from tute.rules import Rules
from tute.variants import Variant

Contract = Literal["solo", "cuatrola", "quintola"]


@dataclass(frozen=True)
class Game:
    """One hand's fixed facts.

    Attributes:
        variant: the preset.
        rules: its switches, as the deal sets them.
        players: the number of hands.
        trump: the trump suit at the start, or None.
        first: who leads the first trick (a place).
        declarer: the declarer's place, or None.
        contract: the contract of a cuatrola hand, or None.
        bid: the points promised, or None.
        vuelta: whether this is the second hand, which the first side to pass 100 wins.
        widow: the 40th card of a subastado deal, or None.
    """

    variant: Variant
    rules: Rules
    players: int
    trump: str | None
    first: int
    declarer: int | None = None
    contract: Contract | None = None
    bid: int | None = None
    vuelta: bool = False
    widow: Card | None = None

    @cached_property
    def deck(self) -> Deck:
        """The cards of this game."""
        return self.variant.deck(self.players, self.rules, self.trump)

    @cached_property
    def side_of(self) -> tuple[int, ...]:
        """The side of each player: 0 and 1, or his own number where each plays alone."""
        places = range(self.players)
        if self.variant.sides == "alone":
            return tuple(places)
        if self.variant.sides == "declarer" or self.players == 3:
            return tuple(0 if place == self.declarer else 1 for place in places)
        return tuple(place % 2 for place in places)

    @cached_property
    def asleep(self) -> int | None:
        """The player who lays down his cards: the declarer's partner under a cuatrola contract."""
        if self.contract is None or self.declarer is None or self.players != 4:
            return None
        return (self.declarer + 2) % 4

    @cached_property
    def trick_size(self) -> int:
        """How many cards make a trick."""
        return self.players - (self.asleep is not None)

    @cached_property
    def singers(self) -> frozenset[int]:
        """Who may declare at all."""
        if self.variant.cantes not in ("declared", "both") or self.contract in (
            "cuatrola",
            "quintola",
        ):
            return frozenset()
        if self.variant.only_declarer:
            return frozenset(() if self.declarer is None else (self.declarer,))
        return frozenset(place for place in range(self.players) if place != self.asleep)

    @property
    def capote(self) -> bool:
        """Whether the winner of a trick may announce all of the last eight (habanero)."""
        return self.rules.capote == "last8" and self.variant.winning == "hundred"

    def after(self, place: int) -> int:
        """Who plays next after that player."""
        place = (place + 1) % self.players
        return (place + 1) % self.players if place == self.asleep else place

    def side(self, place: int) -> tuple[int, ...]:
        """The players of that player's side, himself included."""
        return tuple(p for p in range(self.players) if self.side_of[p] == self.side_of[place])

    def partners(self, one: int, other: int) -> bool:
        """Whether two different players play together, for duties and declarations."""
        return one != other and self.side_of[one] == self.side_of[other]

    def may_declare_after(self, winner: int) -> tuple[int, ...]:
        """Who may declare after a trick that `winner` took (switch `cante_who`)."""
        who = self.side(winner) if self.rules.cante_who == "side" else (winner,)
        return tuple(place for place in who if place in self.singers)
