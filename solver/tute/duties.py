"""The duties of following: which cards of a hand may be played to a trick.

Asistir (follow suit), montar (beat within the suit led), fallar (trump when void), pisar
(overtrump). The function follows section 1.4 of the rules: its order of cases is the definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

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


def playable(
    hand: tuple[Card, ...],
    trick: Sequence[Card],
    trump: str | None,
    rules: Rules,
    deck: Deck,
    partner_winning: bool,
    stock_left: bool,
) -> tuple[tuple[Card, ...], Duty | None]:
    """The cards that may be played, and the duty that shuts out the others (None: no duty does).

    Args:
        hand: the player's cards in deck order; not empty.
        trick: the cards on the table, in the order played.
        trump: the trump suit now, or None.
        rules: the switches.
        deck: the cards' order and points.
        partner_winning: whether the player's partner is winning the trick.
        stock_left: whether there is a stock still, so that `stock_duty` rules.
    """
    cards, duty, free = _by_duty(hand, trick, trump, rules, deck, partner_winning, stock_left)
    kept, worthless = _spare_points(cards, free, trick, trump, rules, deck, partner_winning)
    return kept, worthless or duty


def broken(
    card: Card,
    hand: tuple[Card, ...],
    trick: Sequence[Card],
    trump: str | None,
    rules: Rules,
    deck: Deck,
    partner_winning: bool,
    stock_left: bool,
) -> Duty | None:
    """The duty that a card of the hand breaks, or None where it may be played."""
    cards, duty, free = _by_duty(hand, trick, trump, rules, deck, partner_winning, stock_left)
    if card not in cards:
        if card.suit != trick[0].suit and any(c.suit == trick[0].suit for c in hand):
            return "asistir"
        return "fallar" if duty == "pisar" and card.suit != trump else duty
    kept, worthless = _spare_points(cards, free, trick, trump, rules, deck, partner_winning)
    return None if card in kept else worthless


# Cards, the duty that shuts out the rest of the hand, and whether none of these cards is owed, so
# that the rules about points on other people's tricks may choose among them.
_Choice = tuple[tuple[Card, ...], Duty | None, bool]


def _by_duty(
    hand: tuple[Card, ...],
    trick: Sequence[Card],
    trump: str | None,
    rules: Rules,
    deck: Deck,
    partner_winning: bool,
    stock_left: bool,
) -> _Choice:
    """The pseudo-code of section 1.4; `free` is true where it calls `cargar`."""
    if not trick:
        return hand, None, False
    if stock_left and rules.stock_duty != "full":
        return _stock_phase(hand, trick, trump, rules, deck)
    best = trick[winning(trick, trump, deck)]
    exempt = rules.partner_exempt
    if exempt == "all" and rules.boti_void_partner == "trump" and rules.boti_school == "lliure":
        exempt = "beat"
    exempt_now = partner_winning and exempt != "none"
    led = trick[0].suit
    following = tuple(card for card in hand if card.suit == led)
    if following:
        if exempt_now:
            over: tuple[Card, ...] = ()
        elif best.suit == led:
            over = tuple(card for card in following if beats(card, best, trump, deck))
        elif rules.montar_si_fallado:
            top = max(deck.strength[card] for card in trick if card.suit == led)
            over = tuple(card for card in following if deck.strength[card] > top)
        else:
            over = ()
        if over:
            return over, _unless_all(over, hand, following, "montar"), False
        return following, _unless_all(following, hand, following, "asistir"), True
    trumps = tuple(card for card in hand if card.suit == trump)
    if not trumps or (exempt_now and exempt == "all"):
        return hand, None, True
    if best.suit != trump:
        return trumps, _unless_all(trumps, hand, trumps, "fallar"), False
    over = tuple(card for card in trumps if beats(card, best, trump, deck))
    if over and not exempt_now:
        return over, _unless_all(over, hand, trumps, "pisar"), False
    if rules.undertrump == "must":
        return trumps, _unless_all(trumps, hand, trumps, "fallar"), False
    return hand, None, True


def _stock_phase(
    hand: tuple[Card, ...], trick: Sequence[Card], trump: str | None, rules: Rules, deck: Deck
) -> _Choice:
    """Duties while the stock lasts, under `stock_duty` other than `full`."""
    following = tuple(card for card in hand if card.suit == trump)
    if rules.stock_duty == "none" or trick[0].suit != trump or not following:
        return hand, None, False
    best = trick[winning(trick, trump, deck)]
    over = tuple(card for card in following if beats(card, best, trump, deck))
    if over and rules.stock_duty == "trump_only_full":
        return over, _unless_all(over, hand, following, "montar"), False
    return following, _unless_all(following, hand, following, "asistir"), False


def _unless_all(
    cards: tuple[Card, ...], hand: tuple[Card, ...], suited: tuple[Card, ...], duty: Duty
) -> Duty | None:
    """The duty that leaves only `cards`: none where that is the whole hand, and asistir where it
    is all of the suit that had to be followed.
    """
    if len(cards) == len(hand):
        return None
    return "asistir" if duty == "montar" and len(cards) == len(suited) else duty


def _spare_points(
    cards: tuple[Card, ...],
    free: bool,
    trick: Sequence[Card],
    trump: str | None,
    rules: Rules,
    deck: Deck,
    partner_winning: bool,
) -> tuple[tuple[Card, ...], Duty | None]:
    """What the two rules about worthless cards leave, and their name where they shut any out."""
    if not free or not (rules.no_cargar or rules.boti_school == "obligada"):
        return cards, None
    best = trick[winning(trick, trump, deck)]
    lost = [card for card in cards if not beats(card, best, trump, deck)]
    duty: Duty
    if rules.boti_school == "obligada":
        # Section 2.9: the lowest of a suit, or points on a partner's trick.
        duty = "obligada"
        lowest = {card.suit: card for card in cards}  # in deck order the lowest comes last
        kept = tuple(
            card
            for card in cards
            if lowest[card.suit] == card or (partner_winning and deck.points[card] > 0)
        )
    else:
        # Section 2.6: of the cards that do not win, those with the fewest points.
        duty = "no_cargar"
        least = min((deck.points[card] for card in lost), default=0)
        kept = tuple(card for card in cards if card not in lost or deck.points[card] == least)
    return kept, duty if len(kept) < len(cards) else None
