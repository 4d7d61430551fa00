"""Hands in which each plays for himself, in the packed form of engine/alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tute.cards import SUITS
from tute.game import Game
from tute.packing import bits_in_play, rank_bit
from tute.position import Position

_KINDS = {"cabron": 0, "cabrero": 1, "tute-individual": 2}
_CLOSED, _OPENED, _DECLARED, _COMPULSORY = range(4)
_CALLS = 64  # a call as a move of the engine: this and a suit, or the tute's number
_TUTE = 4


def packed_game(game: Game) -> dict[str, Any]:
    """The fixed facts as `engine.alone.Hand.set_game` takes them."""
    rules, variant, deck = game.rules, game.variant, game.deck
    bits = deck.bits
    suits = range(len(SUITS))
    pairs = [sum(1 << rank_bit(rank, suit, game) for rank in variant.pair) for suit in suits]
    fours = [sum(1 << rank_bit(rank, suit, game) for suit in suits) for rank in variant.pair]
    return {
        "players": game.players,
        "montar_si_fallado": rules.montar_si_fallado,
        "undertrump_must": rules.undertrump == "must",
        "no_cargar": rules.no_cargar,
        "worthless": sum(1 << bit for card, bit in bits.items() if not deck.points[card]),
        "points": {bit: deck.points[card] for card, bit in bits.items()},
        "kind": _KINDS[variant.id],
        "first": game.first,
        "middle4": ("both", "second", "third").index(rules.middle4),
        "all_tied_none": rules.all_tied == "none",
        "loser_rule": ("rank", "second", "middle").index(rules.loser_rule),
        "by_seat": rules.cabrero_tie == "seat",
        "tied_lose": rules.top_tie == "tied_lose",
        "zero_all_lose": rules.zero_point_takers == "all_lose",
        "by_last": rules.tie_hand == "last_trick",
        "level": rules.score_limit if variant.id == "cabron" else 0,
        "pair": pairs,
        "fours": fours if game.singers and rules.tute_wins else [],
        "declares": bool(game.singers),
        "catches": variant.cantes in ("caught", "both"),
        "makes_trumps": variant.trump == "first cante",
        "by_completion": rules.double_pair == "order_completed",
        "at_second_card": bool(game.singers) and rules.cante_timing == "at_second_card",
        "several": rules.cante_per_trick == "several",
        "forty_first": rules.cante_order == "forty_first",
        "tute_exact": variant.id == "cabrero" and rules.tute_hand == "exact",
        "sung_bars_tute": variant.id == "cabrero",
        "caught_is_sung": rules.capote_forced_counts,
        "last_trick": variant.last_trick,
    }


def packed_position(position: Position) -> dict[str, Any]:
    """A position (mid-trick or not) as `engine.alone.Hand.set_position` takes it."""
    game = position.game
    bits = bits_in_play(position)
    leader = (position.turn - len(position.trick)) % game.players
    if position.over:
        leader = -1 if position.took_last is None else position.took_last
    counting = [*position.trick, *(card for hand in position.hands for card in hand)]
    sung = position.sang | position.caught if game.rules.capote_forced_counts else position.sang
    return {
        "hands": [sum(1 << bits[card] for card in hand) for hand in position.hands],
        "trick": [1 << bits[card] for card in position.trick],
        "trumps": 0 if position.trump is None else 0xFFFF << 16 * SUITS.index(position.trump),
        "points": list(position.points),
        "rest": sum(game.deck.points[card] for card in counting),
        "leader": leader,
        "cards": len(position.hands[position.turn]),
        "shown": -1 if position.showed_tute is None else position.showed_tute,
        "takers": _mask(place for place, number in enumerate(position.tricks) if number),
        "sung": _mask(sung),
        "declared": _mask(SUITS.index(suit) for suit in position.declared),
        "parted": _mask(SUITS.index(suit) for suit in position.parted),
        "window": _window(position),
    }


def _window(position: Position) -> int:
    window = position.window
    if window is None:
        return _CLOSED
    if window.compulsory:
        return _COMPULSORY
    return _DECLARED if window.declared else _OPENED


def _mask(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)
