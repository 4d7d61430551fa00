"""Sampled deals: all that a seat cannot tell apart, and each as often as any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from math import sqrt
from random import Random

import pytest

from strategies import random_game_deal, random_record, random_switches
from tute import Card, Deal, IllegalPlayError, Position
from tute.notation import Discard
from tute.worlds import Worlds

Key = tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...], tuple[int, ...]]
WITHOUT_STOCK = (
    "tute",
    "tute-individual",
    "subastado",
    "subastado-parejas",
    "cuatrola",
    "guinote",
    "butifarra",
)


def automatic_record(rng: Random, deal: Deal, moves: int) -> Deal:
    """Random cards, with the declarations left to `auto`."""
    played: list[str] = []
    deal = deal.replace(cantes="auto")
    position = deal.start()
    while len(played) < moves and not position.over:
        while played and (pairs := position.pairs_open()):
            position = position.play(pairs[0])
        cards = [move for move in position.legal() if isinstance(move, Card | Discard)]
        if position.over or not cards:
            break
        played.append(rng.choice(cards))
        position = position.play(played[-1])
    return deal.replace(played=played)


def key(position: Position) -> Key:
    return position.hands, position.stock, position.totals()


def seen(position: Position, place: int) -> tuple[object, ...]:
    """What a player sees: what lies open, his own cards at his turn, and what he may do then."""
    own = (position.hands[place], position.legal()) if position.turn == place else None
    return (
        position.turn,
        position.trick,
        position.trump,
        position.totals(),
        position.tricks,
        position.declared,
        len(position.stock),
        position.stock[-1:],
        own,
    )


def story(deal: Deal, index: int, place: int) -> tuple[list[tuple[object, ...]], Position]:
    """All that a player has seen up to a token of the record, and the position then."""
    told: list[tuple[object, ...]] = []
    for number, move, position in deal.history():
        hidden = isinstance(move, Discard) and position.turn != place
        what = (None,) if hidden else seen(position, place)
        last = number == index
        told.append((number, None if hidden or last else move, *what))
        if last:
            return told, position
    raise AssertionError("no such token")


def layouts(deal: Deal, index: int, place: int, now: Position) -> Iterator[Deal]:
    """Every deal with the same cards in the sight of a player, whether it fits the play or not."""
    if deal.stock:
        yield from _stock_layouts(deal, place)
        return
    others = [other for other in range(deal.players) if other != place]
    widow = deal.widow is not None and isinstance(deal.played[0], Discard) and index > 0
    declarer = (deal.declarer or 1) - 1
    hold = {o: deal.hands[o] if o == deal.sleeper else now.hands[o] for o in others}
    hidden = [card for o in others for card in hold[o]]
    if widow and declarer != place:
        hidden.append(Card(deal.played[0][1:]))

    def share(left: list[Card], to: list[int]) -> Iterator[dict[int, tuple[Card, ...]]]:
        if not to:
            yield {-1: tuple(left)}
            return
        for chosen in combinations(left, len(hold[to[0]])):
            rest = [card for card in left if card not in chosen]
            for more in share(rest, to[1:]):
                yield {to[0]: chosen, **more}

    for shared in share(hidden, others):
        hands = [
            [card for card in hand if o == place or card not in hold[o]] + list(shared.get(o, ()))
            for o, hand in enumerate(deal.hands)
        ]
        played, fortieth = list(deal.played), deal.widow
        if widow and declarer != place:
            # What is put away may as well be the card that was picked up.
            fortieth = shared[-1][0]
            played[0] = Discard("-" + fortieth)
            dealt = deal.hands[declarer]
            gone = [c for c in (*dealt, deal.widow) if c in played[1:] and c not in hold[declarer]]
            hands[declarer] = [*gone, *shared[declarer]]
        yield deal.replace(hands=hands, played=played, widow=fortieth, cantes=_cantes(deal))


def _stock_layouts(deal: Deal, place: int) -> Iterator[Deal]:
    """Every order of the cards that others were dealt and of the stock that is not turned up."""
    cards = [card for other, hand in enumerate(deal.hands) if other != place for card in hand]
    dealt = len(cards)
    cards += deal.stock[:-1]
    for order in permutations(cards):
        hands, start = [], 0
        for other, hand in enumerate(deal.hands):
            if other == place:
                hands.append(list(hand))
            else:
                hands.append(list(order[start : start + len(hand)]))
                start += len(hand)
        stock = [*order[dealt:], deal.stock[-1]]
        yield deal.replace(hands=hands, stock=stock, cantes=_cantes(deal))


def _cantes(deal: Deal) -> str:
    return "explicit" if deal.explicit else "auto"


def expected(deal: Deal, index: int) -> Counter[Key]:
    """How many layouts lead to each position that fits what the player to move has seen."""
    place = next(position.turn for number, _, position in deal.history() if number == index)
    told, now = story(deal, index, place)
    found: Counter[Key] = Counter()
    for other in layouts(deal, index, place, now):
        try:
            same, position = story(other, index, place)
        except (IllegalPlayError, AssertionError):
            continue
        if same == told:
            found[key(position)] += 1
    return found


def assert_sampled(deal: Deal, index: int, seed: int) -> int:
    """The sampler's worlds are those of the brute force, in its proportions; how many there are."""
    wanted = expected(deal, index)
    layouts = sum(wanted.values())
    worlds, rng = Worlds(deal, index), Random(seed)
    number = min(800, max(150, 12 * len(wanted)))
    drawn: Counter[Key] = Counter()
    for _ in range(number):
        position = worlds.sample(rng)
        assert position is not None
        drawn[key(position)] += 1
    assert set(drawn) <= set(wanted)
    if number >= 10 * len(wanted):
        assert len(drawn) > 0.9 * len(wanted)
    if len(wanted) > 1:
        parts = [(drawn[k], number * ways / layouts) for k, ways in wanted.items()]
        square = sum((had - mean) ** 2 / mean for had, mean in parts)
        freedom = len(wanted) - 1
        assert square < freedom + 5 * sqrt(2 * freedom) + 5
    return len(wanted)


@pytest.mark.parametrize("variant_id", WITHOUT_STOCK)
def test_every_world_is_as_likely(variant_id: str) -> None:
    assert_worlds_without_stock(Random(f"worlds {variant_id}"), variant_id, 8)


@pytest.mark.long
@pytest.mark.parametrize("variant_id", WITHOUT_STOCK)
def test_every_world_of_many_deals_is_as_likely(variant_id: str) -> None:
    assert_worlds_without_stock(Random(f"many worlds {variant_id}"), variant_id, 80)


def assert_worlds_without_stock(rng: Random, variant_id: str, number_of_deals: int) -> None:
    several = 0
    for number in range(number_of_deals):
        cards = 4 if variant_id == "subastado" else 3
        thrown = random_switches(rng, variant_id)
        deal = random_game_deal(rng, variant_id, cards, switches=thrown, stock=0)
        moves = rng.randint(1, 8)
        record = (
            random_record(rng, deal, moves) if number % 2 else automatic_record(rng, deal, moves)
        )
        tokens = [index for index, _, _ in record.history() if index is not None]
        if tokens:
            several += assert_sampled(record, rng.choice(tokens[-3:]), number) > 1
    assert several >= number_of_deals // 3


@pytest.mark.parametrize("variant_id", ["habanero", "guinote"])
def test_every_world_with_a_stock_is_as_likely(variant_id: str) -> None:
    rng = Random(f"stock {variant_id}")
    several = 0
    for number in range(14):
        thrown = random_switches(rng, variant_id) | {"hand_size": 6}
        cards, each = rng.choice(((2, 2), (3, 1), (2, 1), (3, 2)))
        deal = random_game_deal(rng, variant_id, cards, 2, thrown, stock=each)
        moves = rng.randint(1, 8)
        record = (
            random_record(rng, deal, moves) if number % 2 else automatic_record(rng, deal, moves)
        )
        tokens = [index for index, _, _ in record.history() if index is not None]
        if tokens:
            several += assert_sampled(record, rng.choice(tokens[-4:]), number) > 1
    assert several >= 5


def test_four_players_with_a_stock() -> None:
    rng = Random("four")
    several = 0
    for number in range(6):
        deal = random_game_deal(rng, "guinote", 1, 4, {}, stock=1, carried=False)
        record = random_record(rng, deal, 6)
        tokens = [index for index, _, _ in record.history() if index is not None]
        if tokens:
            several += assert_sampled(record, tokens[-1], number) > 1
    assert several >= 3


def test_the_others_do_not_know_the_40th_card_nor_what_was_put_away() -> None:
    rng = Random("widow")
    several = 0
    for number in range(6):
        deal = random_game_deal(
            rng, "subastado", 3, switches={"subastado_widow": True}, widow=True, history=False
        )
        record = random_record(rng, deal, 5)
        for index, _, position in record.history():
            if index and position.turn != (deal.declarer or 1) - 1:
                several += assert_sampled(record, index, number) > 1
                break
    assert several >= 3


def test_who_did_not_declare_had_no_pair() -> None:
    deal = Deal(
        variant="tute",
        trump="oros",
        hands=["b4 o45 c7", "bA cR e4 o6", "b5 e75 c6", "b6 cC eR3"],
        played="4b Ab 5b 6b 4e",
        cantes="auto",
    )
    record = deal.replace(played=[*deal.played, "7e"])
    pair = {Card("Rc"), Card("Cc")}
    assert assert_sampled(record, 5, 1) > 100
    assert not any(pair <= set(hands[1]) for hands, *_ in expected(record, 5))
    shown = record.replace(cantes="explicit")
    assert any(pair <= set(hands[1]) for hands, *_ in expected(shown, 5))


def test_a_pair_that_was_shown_is_where_it_was_shown() -> None:
    deal = Deal(
        variant="tute",
        trump="oros",
        hands=["b4 o45 c7", "bA cRC o6", "b5 e75 c6", "b6 e4R6"],
        played="4b Ab 5b 6b *20c 6o 6c",
    )
    worlds, rng = Worlds(deal, 6), Random(1)
    for _ in range(50):
        position = worlds.sample(rng)
        assert position is not None
        assert position.hands[1] == (Card("Rc"), Card("Cc"))
    assert assert_sampled(deal, 6, 1) > 10


def test_a_pair_that_was_offered_is_there() -> None:
    deal = Deal(
        variant="tute",
        trump="oros",
        hands=["bA o4 c7", "b6 c6 e4", "b5 eRC", "b4 cR e3"],
        played="Ab 6b 5b 4b 7c",
        cantes="explicit",
        rules={"cante_who": "side"},
    )
    assert "*20e" in deal.replace(played=deal.played[:-1]).position().legal()
    assert assert_sampled(deal, 4, 1) > 5


def test_a_pair_that_was_not_credited_was_not_in_one_hand() -> None:
    deal = Deal(
        variant="habanero",
        trump="oros",
        hands=["b45", "cR b7"],
        leader=2,
        stock="Cc 6b 6e 7e 4e 6o",
        played="Rc 4b Cc 6b",
        rules={"cante_timing": "at_second_card"},
    )
    assert deal.position().totals() == (0, 7)
    assert assert_sampled(deal, 3, 1) > 10


def test_the_same_seed_gives_the_same_worlds() -> None:
    deal = random_record(Random(3), random_game_deal(Random(3), "tute", 6, switches={}), 9)
    index = len(deal.played) - 1
    first, second = (
        [Worlds(deal, index).sample(rng) for rng in [Random(7)] for _ in range(5)] for _ in range(2)
    )
    assert first == second
    assert Worlds(deal, index).sample(Random(8)) != first[0]
    assert Worlds(deal, index).seat == deal.replace(played=deal.played[:-1]).position().to_move
