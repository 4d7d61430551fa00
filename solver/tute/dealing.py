"""Random deals, dealt as at the table: who gets the turned-up card, which exchanges are forced.

The last seat deals, so seat 1 is the mano. The same generator in the same state gives the same
deal on every version of Python: only `random()` is asked, whose sequence the language guarantees.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Literal

from tute.cards import SUIT_NAMES, SUITS, Card
from tute.deal import Deal, needs_trump, no_stock, wrong_number
from tute.errors import CardError, DealError
from tute.language import say
from tute.notation import parse_suit
from tute.rules import Rules, with_switches
from tute.variants import Variant, variant

_Hands = list[list[Card]]


def random_deal(
    name: str,
    rng: Random,
    *,
    players: int | None = None,
    cards: int | None = None,
    trump: str | None = None,
    declarer: int | None = None,
    contract: str | None = None,
    stock: int | Literal["all"] | None = None,
    rules: Mapping[str, object] | None = None,
    id: str | int | None = None,
    source: str = "",
) -> Deal:
    """Deal one hand of a variant.

    Args:
        name: the variant's id.
        rng: the source of chance; it is left ready for the next deal.
        players: how many; default the variant's usual number.
        cards: how many cards each player keeps of those dealt to him; default all. The rest is out
            of play.
        trump: a suit, or `none` in butifarra; default as the cards fall, or, where a player names
            trumps, any with equal chance.
        declarer: a seat; default 1 where somebody declares.
        contract: a contract of cuatrola.
        stock: how many cards are left to draw; default all in habanero, none in guiñote, which is
            then the arrastre.
        rules: switches, as in a deal file.
        id, source: kept in the deal.

    Raises:
        DealError: no such deal: too many cards, a number of players that the variant lacks.
        RulesError: an unknown variant or switch.
    """
    preset = variant(name)
    switches = with_switches(preset.rules, rules or {})
    players = _players(preset, players)
    wanted = _wanted(preset, trump)
    deck = preset.deck(players, switches, None)
    pile = sorted(deck.cards, key=lambda _: rng.random())
    named_at_random = _a_suit(preset, rng)
    size = _hand_size(preset, switches, len(pile), players)
    if size * players > len(pile):
        wrong = say("hand_size: {players} hands of {size} are more than the deck holds")
        raise DealError(wrong.format(players=players, size=size))
    hands = [pile[size * place : size * (place + 1)] for place in range(players)]
    rest = pile[size * players :]
    drawn = _stock(preset, stock, rest, players)

    # The suits are equal in everything but their names, so the trump asked for is made by renaming.
    turned_up = _turned_up(preset, switches, hands, rest, drawn)
    if turned_up is None:
        chosen = wanted or named_at_random
    else:
        chosen = wanted or turned_up.suit
        renamed = {turned_up.suit: chosen, chosen: turned_up.suit}
        hands = [[_rename(card, renamed) for card in hand] for hand in hands]
        rest = [_rename(card, renamed) for card in rest]
        drawn = [_rename(card, renamed) for card in drawn]
    if _two_lies_aside(preset, switches, players):
        _exchange(hands, rest[0])
    return Deal(
        variant=preset.id,
        hands=[_kept(hand, cards) for hand in hands],
        trump=SUIT_NAMES.get(chosen, chosen) if chosen else None,
        declarer=declarer or (1 if _somebody_declares(preset) or contract else None),
        contract=contract,
        stock=drawn,
        widow=rest[0] if preset.id == "subastado" and switches.subastado_widow else None,
        id=id,
        source=source,
        rules=switches,
    )


def _players(preset: Variant, players: int | None) -> int:
    if players is None:
        return preset.players[0]
    if players not in preset.players:
        raise DealError(f"players: {wrong_number(preset, players)}")
    return players


def _wanted(preset: Variant, trump: str | None) -> str | None:
    """The trump asked for, as `o c e b` or `none`."""
    if trump is None:
        return None
    if trump.strip().lower() == "none":
        if preset.trump == "suit":
            raise DealError(needs_trump(preset))
        return "none"
    try:
        return parse_suit(trump)
    except CardError as error:
        raise DealError(f"trump: {error}") from None


def _a_suit(preset: Variant, rng: Random) -> str | None:
    """What a player might name; drawn for every deal, so that `trump` changes no card."""
    number = rng.random()
    if preset.trump == "first cante":
        return None
    choices: list[str] = [*SUITS, "none"] if preset.trump == "suit or none" else [*SUITS]
    return choices[int(number * len(choices))]


def _somebody_declares(preset: Variant) -> bool:
    return preset.bids is not None or preset.trump == "suit or none"


def _two_lies_aside(preset: Variant, rules: Rules, players: int) -> bool:
    kind = rules.tute3_deck if preset.deck3 == "tute3_deck" else preset.deck3
    return players == 3 and kind == "39"


def _turned_up(
    preset: Variant, rules: Rules, hands: _Hands, rest: list[Card], drawn: list[Card]
) -> Card | None:
    """The card that makes trumps, or None where a player names them or nobody does.

    It is under the stock, left over, or the dealer's last; with the stock gone somebody has drawn
    it, so it is one of the cards in hand too.
    """
    if _somebody_declares(preset) or preset.trump == "first cante":
        return None
    if drawn:
        return drawn[-1]
    if _two_lies_aside(preset, rules, len(hands)):
        return rest[0]
    return hands[-1][-1]


def _hand_size(preset: Variant, rules: Rules, deck: int, players: int) -> int:
    if preset.stock:
        return rules.hand_size
    # Three play cuatrola because one of four has laid his cards down.
    return deck // (4 if preset.id == "cuatrola" else players)


def _stock(
    preset: Variant, stock: int | Literal["all"] | None, rest: list[Card], players: int
) -> list[Card]:
    """The cards to draw, the turned-up one last."""
    if not preset.stock:
        if stock not in (None, 0):
            raise DealError(no_stock(preset))
        return []
    if stock is None:
        stock = "all" if preset.id == "habanero" else 0
    if stock == "all":
        return rest
    if not 0 <= stock <= len(rest):
        wrong = say("stock: 0 to {most} cards for {players} players, not {number}")
        raise DealError(wrong.format(most=len(rest), players=players, number=stock))
    return rest[len(rest) - stock :]


def _kept(hand: list[Card], cards: int | None) -> list[Card]:
    if cards is None:
        return hand
    if not 1 <= cards <= len(hand):
        wrong = say("cards: 1 to {most} each, not {number}")
        raise DealError(wrong.format(most=len(hand), number=cards))
    return hand[:cards]


def _rename(card: Card, renamed: Mapping[str, str]) -> Card:
    return Card(card.rank + renamed.get(card.suit, card.suit))


def _exchange(hands: _Hands, turned_up: Card) -> None:
    """The compulsory exchanges of a game with 39 cards: the two of trumps ends on the table."""
    for given, taken in (("7", "A3RCS"), ("4", "765"), ("2", "4")):
        if turned_up.rank in taken:
            card = Card(given + turned_up.suit)
            hand = next(hand for hand in hands if card in hand)
            hand[hand.index(card)] = turned_up
            turned_up = card
