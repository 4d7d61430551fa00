"""The duties of following: which cards of a hand may be played to a trick.

Asistir (follow suit), montar (beat within the suit led), fallar (trump when void), pisar
(overtrump). The function follows section 1.4 of the rules: its order of cases is the definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from tute.cards import Card, Deck
from tute.rules import Rules

Duty = Literal["asistir", "montar", "fallar", "pisar", "no_cargar", "obligada"]


def beats(card: Card, other: Card, trump: str | None, deck: Deck) -> bool:
    """Whether `card`, played later, takes the trick from `other`, which is winning it."""
    if card.suit == other.suit:
        return deck.strength[card] > deck.strength[other]
    return card.suit == trump


def winning(trick: Sequence[Card], trump: str | None, deck: Deck) -> int:
    """Which card of the trick wins it so far, counted from 0."""
    best = 0
    for place in range(1, len(trick)):
        if beats(trick[place], trick[best], trump, deck):
            best = place
    return best


# Cards, the duty that shuts out the rest of the hand, and whether none of these cards is owed, so
# that the rules about points on other people's tricks may choose among them.
_Choice = tuple[tuple[Card, ...], Duty | None, bool]


class Turn(NamedTuple):
    """A player's turn to play to a trick: all that his duties depend on.

    Attributes:
        hand: the player's cards in deck order; not empty.
        trick: the cards on the table, in the order played.
        trump: the trump suit now, or None.
        rules: the switches.
        deck: the cards' order and points.
        partner_winning: whether the player's partner is winning the trick.
        stock_left: whether there is a stock still, so that `stock_duty` rules.
    """

    hand: tuple[Card, ...]
    trick: Sequence[Card]
    trump: str | None
    rules: Rules
    deck: Deck
    partner_winning: bool = False
    stock_left: bool = False

    def playable(self) -> tuple[tuple[Card, ...], Duty | None]:
        """The cards that may be played, and the duty that shuts out the others, if any does."""
        cards, duty, free = self._by_duty()
        kept, worthless = self._spare_points(cards, free)
        return kept, worthless or duty

    def broken(self, card: Card) -> Duty | None:
        """The duty that a card of the hand breaks, or None where it may be played."""
        cards, duty, free = self._by_duty()
        if card not in cards:
            led = self.trick[0].suit
            if card.suit != led and any(held.suit == led for held in self.hand):
                return "asistir"
            return "fallar" if duty == "pisar" and card.suit != self.trump else duty
        kept, worthless = self._spare_points(cards, free)
        return None if card in kept else worthless

    def _by_duty(self) -> _Choice:
        """The pseudo-code of section 1.4; `free` is true where it calls `cargar`."""
        if not self.trick:
            return self.hand, None, False
        if self.stock_left and self.rules.stock_duty != "full":
            return self._stock_phase()
        best = self.trick[winning(self.trick, self.trump, self.deck)]
        exempt = self.rules.exemption
        exempt_now = self.partner_winning and exempt != "none"
        led = self.trick[0].suit
        following = tuple(card for card in self.hand if card.suit == led)
        if following:
            if exempt_now:
                over: tuple[Card, ...] = ()
            elif best.suit == led:
                over = tuple(card for card in following if beats(card, best, self.trump, self.deck))
            elif self.rules.montar_si_fallado:
                top = max(self.deck.strength[card] for card in self.trick if card.suit == led)
                over = tuple(card for card in following if self.deck.strength[card] > top)
            else:
                over = ()
            if over:
                return over, _unless_all(over, self.hand, following, "montar"), False
            return following, _unless_all(following, self.hand, following, "asistir"), True
        trumps = tuple(card for card in self.hand if card.suit == self.trump)
        if not trumps or (exempt_now and exempt == "all"):
            return self.hand, None, True
        if best.suit != self.trump:
            return trumps, _unless_all(trumps, self.hand, trumps, "fallar"), False
        over = tuple(card for card in trumps if beats(card, best, self.trump, self.deck))
        if over and not exempt_now:
            return over, _unless_all(over, self.hand, trumps, "pisar"), False
        if self.rules.undertrump == "must":
            return trumps, _unless_all(trumps, self.hand, trumps, "fallar"), False
        return self.hand, None, True

    def _stock_phase(self) -> _Choice:
        """Duties while the stock lasts, under `stock_duty` other than `full`."""
        following = tuple(card for card in self.hand if card.suit == self.trump)
        if self.rules.stock_duty == "none" or self.trick[0].suit != self.trump or not following:
            return self.hand, None, False
        best = self.trick[winning(self.trick, self.trump, self.deck)]
        over = tuple(card for card in following if beats(card, best, self.trump, self.deck))
        if over and self.rules.stock_duty == "trump_only_full":
            return over, _unless_all(over, self.hand, following, "montar"), False
        return following, _unless_all(following, self.hand, following, "asistir"), False

    def _spare_points(
        self, cards: tuple[Card, ...], free: bool
    ) -> tuple[tuple[Card, ...], Duty | None]:
        """What the two rules about worthless cards leave, and which of them shut any out."""
        if not free or not (self.rules.no_cargar or self.rules.boti_school == "obligada"):
            return cards, None
        best = self.trick[winning(self.trick, self.trump, self.deck)]
        lost = [card for card in cards if not beats(card, best, self.trump, self.deck)]
        duty: Duty
        if self.rules.boti_school == "obligada":
            # Section 2.9: the lowest of a suit, or points on a partner's trick.
            duty = "obligada"
            lowest = {card.suit: card for card in cards}  # in deck order the lowest comes last
            kept = tuple(
                card
                for card in cards
                if lowest[card.suit] == card
                or (self.partner_winning and self.deck.points[card] > 0)
            )
        else:
            # Section 2.6: of the cards that do not win, those with the fewest points.
            duty = "no_cargar"
            least = min((self.deck.points[card] for card in lost), default=0)
            kept = tuple(
                card for card in cards if card not in lost or self.deck.points[card] == least
            )
        return kept, duty if len(kept) < len(cards) else None


def _unless_all(
    cards: tuple[Card, ...], hand: tuple[Card, ...], suited: tuple[Card, ...], duty: Duty
) -> Duty | None:
    """The duty that leaves only `cards`: none where that is the whole hand, asistir where it is all
    of the suit that had to be followed, fallar where it is all of the trumps.
    """
    if len(cards) == len(hand):
        return None
    if duty == "montar" and len(cards) == len(suited):
        return "asistir"
    if duty == "pisar" and len(cards) == len(suited):
        return "fallar"
    return duty
