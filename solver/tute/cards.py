"""Cards and decks: suits, ranks, their order and points. Knows nothing of play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tute.errors import CardError
from tute.language import say

SUITS = "oceb"
SUIT_NAMES: Mapping[str, str] = {"o": "oros", "c": "copas", "e": "espadas", "b": "bastos"}
RANKS = "A23456789SCR"
RANK_NAMES: Mapping[str, str] = {
    "A": "as",
    "2": "dos",
    "3": "tres",
    "4": "cuatro",
    "5": "cinco",
    "6": "seis",
    "7": "siete",
    "8": "ocho",
    "9": "nueve",
    "S": "sota",
    "C": "caballo",
    "R": "rey",
}


class Card(str):
    """A card, written as the program writes it: rank, then suit (`Ao`, `7c`).

    It is a string, so it compares, hashes and serialises as its name.

    Raises:
        CardError: the text is not of that form; `notation.parse_card` reads more forms.
    """

    __slots__ = ()

    def __new__(cls, name: str) -> Card:
        """The card of that name."""
        if len(name) != 2 or name[0] not in RANKS or name[1] not in SUITS:
            wrong = say("{text} is no card: write rank and suit, as in Ao 3c Re 7b")
            raise CardError(wrong.format(text=repr(name)))
        return super().__new__(cls, name)

    @property
    def rank(self) -> str:
        """One of `A 2 3 4 5 6 7 8 9 S C R`."""
        return self[0]

    @property
    def suit(self) -> str:
        """One of `o c e b`."""
        return self[1]


@dataclass(frozen=True)
class Deck:
    """The cards of a game with their order and points.

    Attributes:
        ranks: the ranks of a suit, strongest first.
        values: the points of the ranks that have any.
        absent: cards that the deck lacks although its ranks have them.
    """

    ranks: str
    values: Mapping[str, int]
    absent: frozenset[Card] = frozenset()

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every card in deck order: oros, copas, espadas, bastos, strongest first."""
        every = (Card(rank + suit) for suit in SUITS for rank in self.ranks)
        return tuple(card for card in every if card not in self.absent)

    @cached_property
    def strength(self) -> Mapping[Card, int]:
        """A number for each card that grows with its rank; it compares cards of one suit."""
        return {card: len(self.ranks) - self.ranks.index(card.rank) for card in self.cards}

    @cached_property
    def points(self) -> Mapping[Card, int]:
        """The points of each card."""
        return {card: self.values.get(card.rank, 0) for card in self.cards}

    @cached_property
    def bits(self) -> Mapping[Card, int]:
        """The place of each card in a packed hand: 16 bits a suit, the weakest rank lowest."""
        return {card: 16 * SUITS.index(card.suit) + self.strength[card] - 1 for card in self.cards}

    @cached_property
    def index(self) -> Mapping[Card, int]:
        """The place of each card in deck order, from 0."""
        return {card: place for place, card in enumerate(self.cards)}

    def sort(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """The cards in deck order."""
        return tuple(sorted(cards, key=self.index.__getitem__))
