"""Random deals: whole, faithful to the table, and the same for the same seed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import VARIANT_IDS, seeds
from tute import Deal, DealError
from tute.cards import Card
from tute.dealing import random_deal
from tute.files import deal_fields, deal_from_fields
from tute.variants import VARIANTS

# What a table needs beside the number of players.
_WITH = {("cuatrola", 3): {"contract": "solo"}}
TABLES = [(name, players) for name in VARIANT_IDS for players in VARIANTS[name].players]


def dealt(name: str, players: int, seed: int, **wanted: Any) -> Deal:
    more: dict[str, Any] = {**_WITH.get((name, players), {}), **wanted}
    return random_deal(name, Random(seed), players=players, **more)


@given(st.sampled_from(TABLES), seeds)
def test_a_deal_uses_the_pack(table: tuple[str, int], seed: int) -> None:
    deal = dealt(*table, seed)
    deck = deal.variant.deck(deal.players, deal.rules, deal.trump)
    cards = [card for hand in deal.hands for card in hand] + list(deal.stock)
    assert len(set(cards)) == len(cards)
    out_of_play = (
        5 if table == ("cuatrola", 3) else {"guinote": 40 - 6 * deal.players}.get(table[0], 0)
    )
    assert len(cards) == len(deck.cards) - out_of_play
    assert deal_from_fields(deal_fields(deal)) == deal
    assert deal == dealt(*table, seed)
    assert not deal.start().over


@given(st.sampled_from(TABLES), seeds, st.sampled_from("oceb"))
def test_the_trump_asked_for(table: tuple[str, int], seed: int, trump: str) -> None:
    deal = dealt(*table, seed, trump=trump)
    assert deal.trump == trump
    lengths = sorted(len(hand) for hand in deal.hands)
    assert lengths == sorted(len(hand) for hand in dealt(*table, seed).hands)


@pytest.mark.parametrize("table", [("tute", 4), ("cabrero", 5), ("cuatrola", 4), ("guinote", 4)])
@given(seed=seeds)
def test_the_dealer_holds_a_trump(table: tuple[str, int], seed: int) -> None:
    deal = dealt(*table, seed)
    assert any(card.suit == deal.trump for card in deal.hands[-1])


@given(seeds)
def test_the_turned_up_card_is_under_the_stock(seed: int) -> None:
    for deal in (dealt("habanero", 2, seed), dealt("guinote", 4, seed, stock="all")):
        assert deal.stock[-1].suit == deal.trump
        assert sum(map(len, deal.hands)) + len(deal.stock) == 40
    assert len(dealt("habanero", 2, seed, stock=6).stock) == 6


@given(seeds)
def test_the_two_of_trumps_is_exchanged_for(seed: int) -> None:
    deals = (
        dealt("cabrero", 3, seed),
        dealt("tute-individual", 3, seed, rules={"tute3_deck": "39"}),
    )
    for deal in deals:
        assert [len(hand) for hand in deal.hands] == [13, 13, 13]
        assert all(Card(f"2{deal.trump}") not in hand for hand in deal.hands)


@given(seeds)
def test_the_declarer_of_a_subastado_with_a_widow(seed: int) -> None:
    deal = dealt("subastado", 3, seed, rules={"subastado_widow": True})
    assert deal.widow is not None
    assert [len(hand) for hand in deal.hands] == [13, 13, 13]
    assert deal.declarer == 1
    assert dealt("subastado", 3, seed, declarer=2).declarer == 2


@given(st.sampled_from(TABLES), seeds, st.integers(1, 5))
def test_endings(table: tuple[str, int], seed: int, cards: int) -> None:
    deal = dealt(*table, seed, cards=cards)
    whole = dealt(*table, seed)
    assert [len(hand) for hand in deal.hands] == [cards] * deal.players
    assert all(set(few) <= set(all_) for few, all_ in zip(deal.hands, whole.hands, strict=True))


def test_named_trumps_vary() -> None:
    trumps = {dealt("butifarra", 4, seed).trump for seed in range(100)}
    assert trumps == {"o", "c", "e", "b", "none"}
    assert {dealt("cabron", 4, seed).trump for seed in range(5)} == {"none"}


@pytest.mark.parametrize(
    ("name", "wanted", "words"),
    [
        ("tute", {"players": 3}, "players"),
        ("tute", {"cards": 0}, "cards"),
        ("tute", {"cards": 11}, "cards"),
        ("tute", {"stock": 4}, "stock"),
        ("tute", {"trump": "none"}, "trump"),
        ("tute", {"trump": "hearts"}, "trump"),
        ("habanero", {"stock": 25}, "stock"),
        ("habanero", {"stock": 5}, "stock"),
        ("cuatrola", {"players": 3}, "contract"),
        ("guinote", {"rules": {"hand_size": 11}}, "hand_size"),
        ("tute", {"declarer": 5}, "declarer"),
    ],
)
def test_a_deal_that_cannot_be(name: str, wanted: dict[str, Any], words: str) -> None:
    with pytest.raises(DealError, match=words):
        random_deal(name, Random(1), **wanted)
