"""The packed hand in which each plays for himself against the readable game, move by move."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from strategies import random_full_deal, random_game_deal, random_switches
from tute import Deal, Position
from tute.alone import packed_game, packed_position
from tute.cards import SUITS
from tute.engine.alone import Hand
from tute.notation import TUTE, Declaration, Move
from tute.objectives import score
from tute.packing import bits_in_play
from tute.variants import VARIANTS

ALONE = ("cabron", "cabrero", "tute-individual")
GAMES = [(name, players) for name in ALONE for players in VARIANTS[name].players]
PLAYOUTS = 400


RARE = ("tute", "compulsory", "several", "parted", "capote")
RARE_CABRERO = (*RARE, "caught")
RARE_CABRON = ("caught", "trumps made", "capote")


def with_pairs(rng: Random, variant_id: str, players: int) -> Deal:
    """An ending in which one player has aces and many kings and knights, and declares much."""
    thrown = random_switches(rng, variant_id) | {"tute": rng.choice(("none", "wins_hand"))}
    thrown |= {"cante_timing": "after_trick", "tute_hand": rng.choice(("among", "exact"))}
    deal = random_game_deal(rng, variant_id, 0, players, thrown)
    trump = None if deal.trump in (None, "none") else deal.trump
    cards = list(deal.variant.deck(players, deal.rules, trump).cards)
    first = [card for card in cards if card.rank in "RC"]
    if rng.random() < 0.6:
        four = rng.choice("RC")
        first.sort(key=lambda card: card.rank != four)
    first = first[: rng.choice((4, 4, 5, 6))]
    first += rng.sample([card for card in cards if card.rank == "A"], rng.choice((1, 2)))
    others = [card for card in cards if card not in first]
    rng.shuffle(others)
    number = min(len(first), len(others) // (players - 1))
    hands = [others[number * place : number * (place + 1)] for place in range(players - 1)]
    place = rng.randrange(players)
    hands.insert(place, first[-number:])
    return deal.replace(
        hands=hands, leader=place + 1, points=[0] * players, tricks=[0] * players, declared=""
    )


def auto_record(deal: Deal, rng: Random) -> Deal:
    """The deal after a record in which pairs are declared as soon as allowed."""
    deal = deal.replace(cantes="auto")
    position, moves = deal.start(), []
    for _ in range(rng.randint(1, 8)):
        cards: list[Move] = [m for m in position.legal() if not isinstance(m, Declaration)]
        if not cards:
            break
        moves.append(str(lively_move(rng, cards)))
        position = deal.replace(played=moves).position()
        if position.window is not None:
            break
    return deal.replace(played=moves)


def number_of(position: Position, move: Move) -> int:
    """A move as the engine writes it."""
    if move == TUTE:
        return 64 + len(SUITS)
    if isinstance(move, Declaration):
        suit = position.trump if move == "*40" else move[3]
        return 64 + SUITS.index(str(suit))
    return bits_in_play(position)[move]  # type: ignore[index]


def losing_places(position: Position) -> set[int]:
    """Who loses a finished hand, from 0; in tute individual who does not win."""
    if position.game.variant.id != "tute-individual":
        return {seat - 1 for seat in position.losers()}
    places = range(position.game.players)
    return {place for place in places if score(position, place, "win") != 1}


def lively_move(rng: Random, legal: list[Move]) -> Move:
    """A random move; calls and aces, after which there may be a call, more often than chance."""
    for first in "*A":
        moves = [move for move in legal if move.startswith(first)]
        if moves and rng.random() < 0.6:
            return rng.choice(moves)
    return rng.choice(legal)


def places(bits: int) -> set[int]:
    return {place for place in range(8) if bits >> place & 1}


def play_out(deal: Deal, rng: Random, seen: Counter[str]) -> None:
    """Random moves to the end, in both games at once; counts what is rare."""
    position = deal.position()
    hand = Hand()
    hand.set_game(packed_game(position.game))
    hand.set_position(packed_position(position))
    while True:
        assert hand.packed_position() == packed_position(position)
        legal = position.legal()
        assert sorted(hand.moves()) == sorted(number_of(position, move) for move in legal)
        if position.over:
            assert places(hand.losers()) == losing_places(position)
            seen["tute"] += position.showed_tute is not None
            seen["capote"] += sum(number > 0 for number in position.tricks) == 1
            return
        if position.window is not None:
            seen["compulsory"] += position.window.compulsory
            seen["several"] += position.window.declared > 0
        seen["parted"] += bool(position.parted - position.declared)
        seen["caught"] += bool(position.caught)
        seen["trumps made"] += position.trump != position.game.trump
        move = lively_move(rng, legal)
        hand.make(number_of(position, move))
        position = position.play(move)


@pytest.mark.parametrize(("variant_id", "players"), GAMES)
def test_endings_step_by_step(variant_id: str, players: int) -> None:
    rng = Random(f"endings {variant_id} {players}")
    seen: Counter[str] = Counter()
    for _ in range(PLAYOUTS):
        thrown = random_switches(rng, variant_id)
        deal = random_game_deal(rng, variant_id, rng.randint(0, 6), players, thrown)
        if rng.random() < 0.3:
            deal = with_pairs(rng, variant_id, players)
        if rng.random() < 0.3:
            deal = auto_record(deal, rng)
        play_out(deal, rng, seen)
    expected = {"cabron": RARE_CABRON, "cabrero": RARE_CABRERO}.get(variant_id, RARE)
    assert all(seen[event] for event in expected), seen


@pytest.mark.parametrize(("variant_id", "players"), GAMES)
def test_whole_hands_step_by_step(variant_id: str, players: int) -> None:
    rng = Random(f"whole {variant_id} {players}")
    for _ in range(PLAYOUTS // 8):
        thrown = random_switches(rng, variant_id)
        play_out(random_full_deal(rng, variant_id, players, thrown), rng, Counter())


@pytest.mark.parametrize(("variant_id", "players"), GAMES)
def test_outcomes_of_random_totals(variant_id: str, players: int) -> None:
    """Totals that lie close together, so that ties and limits are met."""
    rng = Random(f"outcomes {variant_id} {players}")
    hand = Hand()
    for _ in range(PLAYOUTS * 10):
        thrown = random_switches(rng, variant_id)
        deal = random_game_deal(rng, variant_id, 0, players, thrown)
        few = [0, *(rng.randint(0, 130) for _ in range(rng.randint(1, players)))]
        tricks = tuple(rng.choice((0, 1, 1, 2)) for _ in range(players))
        shown = rng.randrange(players) if rng.random() < 0.1 else None
        position = replace(
            deal.start(),
            points=tuple(rng.choice(few) if taken else 0 for taken in tricks),
            tricks=tricks,
            sang=frozenset(place for place in range(players) if rng.random() < 0.3),
            caught=frozenset(place for place in range(players) if rng.random() < 0.3),
            showed_tute=shown if variant_id != "cabron" else None,
            took_last=rng.choice((None, *range(players))),
        )
        hand.set_game(packed_game(position.game))
        hand.set_position(packed_position(position))
        assert places(hand.losers()) == losing_places(position)
