"""Cards as bits: where the searches keep each card (engine/packed.pxd)."""

from __future__ import annotations

from tute.cards import SUITS, Card
from tute.game import Game
from tute.position import Position


def rank_bit(rank: str, suit: int, game: Game) -> int:
    """The bit of a rank in a suit, 0 to 3, when every card is in play."""
    ranks = game.deck.ranks
    return 16 * suit + len(ranks) - 1 - ranks.index(rank)


def bits_in_play(position: Position) -> dict[Card, int]:
    """The bit of each card in play, worthless cards moved up over those that are out of play."""
    deck = position.game.deck
    in_play = frozenset(position.trick).union(*position.hands)
    worthless = len(deck.ranks) - len(deck.values)
    free = {suit: 16 * place + worthless - 1 for place, suit in enumerate(SUITS)}
    bits: dict[Card, int] = {}
    for card, bit in deck.bits.items():
        if card not in in_play:
            continue
        if deck.points[card]:
            bits[card] = bit
        else:
            bits[card] = free[card.suit]
            free[card.suit] -= 1
    return bits
