"""Cards as bits: where the searches keep each card (engine/packed.pxd)."""

from __future__ import annotations

from tute.cards import SUITS, Card
from tute.game import Game
from tute.position import Position


def rank_bit(rank: str, suit: int, game: Game) -> int:
    """The bit of a rank in a suit, 0 to 3, when every card is in play."""
    ranks = game.deck.ranks
    return 16 * suit + len(ranks) - 1 - ranks.index(rank)


def card_bit(card: Card, game: Game) -> int:
    """The bit of a card when every card is in play."""
    return rank_bit(card.rank, SUITS.index(card.suit), game)


def bits_in_play(position: Position) -> dict[Card, int]:
    """The bit of each card in play, worthless cards moved up over those that are out of play."""
    game = position.game
    points = game.deck.points
    bits: dict[Card, int] = {}
    free: dict[str, int] = {}
    in_play = game.deck.sort([*position.trick, *(card for hand in position.hands for card in hand)])
    for card in in_play:
        if points[card]:
            bits[card] = card_bit(card, game)
            continue
        best_worthless = next(r for r in game.deck.ranks if r not in game.deck.values)
        top = rank_bit(best_worthless, SUITS.index(card.suit), game)
        bits[card] = free.get(card.suit, top)
        free[card.suit] = bits[card] - 1
    return bits
