"""Positions: what happens after a card, in which order, and what a player may do then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given

from strategies import (
    VARIANT_IDS,
    SwitchValue,
    deals,
    random_full_deal,
    random_move,
    random_record,
    random_switches,
    seeds,
)
from tute.cards import Card
from tute.deal import Deal
from tute.errors import CardError, IllegalPlayError
from tute.notation import Declaration, Discard, parse_moves
from tute.position import Position

Rules = dict[str, SwitchValue]


def after(position: Position, moves: str) -> Position:
    """The position after these moves."""
    for move in parse_moves(moves):
        position = position.play(move)
    return position


def calls(position: Position) -> str:
    """The declarations and exchanges that are open, in their order."""
    return " ".join(move for move in position.legal() if isinstance(move, Declaration))


def cards(position: Position) -> str:
    """The cards that may be played."""
    return " ".join(move for move in position.legal() if isinstance(move, Card))


def playout(rng: Random, position: Position) -> Iterator[tuple[Position, str, Position]]:
    """A random hand: each position, the move, and the position after it."""
    while not position.over:
        move = random_move(rng, position)
        then = position.play(move)
        yield position, move, then
        position = then


def tute(hands: str, rules: Rules | None = None, **fields: Any) -> Position:
    """A position of tute in pairs with oros as trumps."""
    return Deal(variant="tute", trump="o", hands=hands.split(" | "), rules=rules, **fields).start()


def habanero(
    hands: str, stock: str = "", rules: Rules | None = None, trump: str = "o", **fields: Any
) -> Position:
    """A position of habanero; the last card of the stock makes trumps."""
    if stock:
        trump = stock[-1]
    deal = Deal(
        variant="habanero",
        trump=trump,
        hands=hands.split(" | "),
        stock=stock,
        rules=rules,
        **fields,
    )
    return deal.start()


# ---------------------------------------------------------------- playing


def test_a_position_does_not_change() -> None:
    start = tute("oA4 | o57 | o6 c4 | c56")
    copy = tute("oA4 | o57 | o6 c4 | c56")
    then = start.play("Ao")
    assert start == copy
    assert then != start
    assert (start.to_move, then.to_move) == (1, 2)
    assert then.trick == ("Ao",)
    assert then.hands == (("4o",), ("7o", "5o"), ("6o", "4c"), ("6c", "5c"))


def test_moves_are_read_in_every_form() -> None:
    start = tute("oA4 | o57 | o6 c4 | c56")
    for text in ("Ao", "oa", "1o", "AS de oros", Card("Ao")):
        assert start.play(text) == start.play("Ao")
    with pytest.raises(CardError):
        start.play("As")
    with pytest.raises(CardError):
        start.play("*20")


def test_the_winner_takes_the_points_and_leads() -> None:
    position = after(tute("o4 c5 | oA c6 | o3 c7 | oC c4", leader=4), "Co")
    assert position.to_move == 1
    position = after(position, "4o Ao 3o")
    assert position.points == (0, 24, 0, 0)
    assert position.tricks == (0, 1, 0, 0)
    assert (position.to_move, position.trick, position.took_last) == (2, (), 1)


def test_the_last_trick_is_worth_ten_more() -> None:
    position = after(tute("oA | o5 | o6 | o4"), "Ao 5o 6o 4o")
    assert position.points == (21, 0, 0, 0)
    assert position.over
    assert position.to_move is None
    assert position.legal() == []


def test_points_and_tricks_from_before_are_kept() -> None:
    position = tute("oA4 | o57 | o6 c4 | c56", points=[1, 20, 3, 4], tricks=[0, 1, 2, 0])
    then = after(position, "Ao 7o 6o 5c")
    assert then.totals() == (12, 20, 3, 4)
    assert then.tricks == (1, 1, 2, 0)


@pytest.mark.parametrize("moves", ["Ao 7o 6o 5c 4o 5o 4c 6c Ao", "Ao 7o 6o 5c 4o 5o 4c 6c *40"])
def test_nothing_can_be_played_after_the_end(moves: str) -> None:
    with pytest.raises(IllegalPlayError, match="the hand is over"):
        after(tute("oA4 | o57 | o6 c4 | c56"), moves)


def test_cards_of_others_and_of_nobody_are_refused() -> None:
    start = tute("oA4 | o57 | o6 c4 | c56")
    for card in ("7o", "Re", "9o"):
        with pytest.raises(IllegalPlayError, match="not in the player's hand") as refusal:
            start.play(card)
        assert refusal.value.duty is None
        assert refusal.value.legal == ("Ao", "4o")


# ---------------------------------------------------------------- cantes


def test_the_winner_may_declare_one_pair_the_forty_first() -> None:
    start = tute("oARC cRC eRC | o34 c456 e4 b6 | o5 e567 b457 | o76 cS7 b32S")
    assert calls(start) == ""
    position = after(start, "Ao 3o 5o 6o")
    assert calls(position) == "*40"
    assert cards(position) == "Ro Co Rc Cc Re Ce"
    sung = position.play("*40")
    assert sung.points == (61, 0, 0, 0)
    assert calls(sung) == ""
    assert sung.declared == {"o"}
    again = after(sung, "Ro 4o 5e 7o")
    assert calls(again) == "*20c *20e"
    again = again.play("*20e")
    assert again.points == (85, 0, 0, 0)
    assert calls(again) == ""


def test_an_opportunity_is_declined_by_leading() -> None:
    start = tute("oA cRC | o34 c4 | o5 e56 | o76 c7")
    position = after(start, "Ao 3o 5o 6o Rc 4c 5e 7c")
    # The king won the trick, but the pair is parted.
    assert calls(position) == ""
    assert position.points == (25, 0, 0, 0)


@pytest.mark.parametrize(
    ("rules", "first", "second"),
    [
        ({}, "*40", ""),
        ({"cante_order": "free"}, "*40 *20c *20e", ""),
        ({"cante_per_trick": "several"}, "*40", "*20c *20e"),
        ({"cante_per_trick": "several", "cante_order": "free"}, "*40 *20c *20e", "*20c *20e"),
        ({"cante_timing": "at_lead"}, "*40", ""),
    ],
)
def test_how_many_pairs_in_which_order(rules: Rules, first: str, second: str) -> None:
    start = tute("oARC cRC eRC | o34 c456 e4 b6 | o5 e567 b457 | o76 cS7 b32S", rules)
    position = after(start, "Ao 3o 5o 6o")
    assert calls(position) == first
    assert calls(position.play("*40")) == second


def test_a_twenty_first_leaves_the_forty_for_the_next_trick() -> None:
    rules: Rules = {"cante_order": "free"}
    start = tute("oARC cRC eRC | o34 c456 e4 b6 | o5 e567 b457 | o76 cS7 b32S", rules)
    position = after(start, "Ao 3o 5o 6o *20c")
    assert position.points == (41, 0, 0, 0)
    assert calls(position) == ""
    assert calls(after(position, "Rc 4c 5e 7c")) == "*40 *20e"


def test_a_twenty_while_the_forty_is_in_another_hand() -> None:
    start = tute("oA cRC | oRC4 | o5 e56 | o76 c7")
    assert calls(after(start, "Ao 4o 5o 6o")) == "*20c"


@pytest.mark.parametrize(
    ("rules", "by_winner", "by_partner"),
    [({}, "", "*20c"), ({"cante_who": "side"}, "*20c", "*20c")],
)
def test_who_may_declare(rules: Rules, by_winner: str, by_partner: str) -> None:
    """Seat 3 holds the pair; first seat 1 wins, then seat 3 himself."""
    start = tute("oA5 e4 | o43 c5 | oR cRC | o76 c7", rules)
    position = after(start, "Ao 3o Ro 6o")
    assert calls(position) == by_winner
    if by_winner:
        sung = position.play("*20c")
        assert sung.points == (25, 0, 20, 0)
        assert sung.to_move == 1
    own = tute("o5 e45 | o43 c5 | oR cRC | o76 c7", rules)
    assert calls(after(own, "5o 3o Ro 6o")) == ""
    own = tute("o5 e45 | o42 c5 | oR cRC | o76 c7", rules)
    assert calls(after(own, "5o 2o Ro 7o")) == by_partner


def test_under_side_the_forty_of_the_partner_goes_first_and_one_is_for_both() -> None:
    start = tute("oA cRC | o34 c6 | oRC5 | o76 c7", {"cante_who": "side"})
    position = after(start, "Ao 3o 5o 6o")
    assert calls(position) == "*40"
    sung = position.play("*40")
    assert sung.points == (21, 0, 40, 0)
    assert calls(sung) == ""


def test_opponents_declare_nothing_after_a_trick_that_they_lost() -> None:
    start = tute("oA e45 | oRC4 | o5 e67 | c67 o3", {"cante_who": "side"})
    assert calls(after(start, "Ao 4o 5o 3o")) == ""


def test_nobody_declares_before_the_first_or_after_the_last_trick() -> None:
    start = tute("oRC | o34 | o57 | o62")
    assert calls(start) == ""
    position = after(start, "Ro 3o 5o 2o")
    assert position.to_move == 2
    assert after(position, "4o 7o 6o Co").over


@pytest.mark.parametrize(("declared", "wanted"), [("", "*20c"), ("o", "*20c"), ("c", "")])
def test_a_suit_is_declared_once(declared: str, wanted: str) -> None:
    start = tute("oA cRC | o34 c6 | oRC7 | o65 c7", declared=declared)
    assert calls(after(start, "Ao 3o 7o 5o")) == wanted


def test_forty_and_its_suit_are_the_same_token() -> None:
    position = after(tute("oARC | o347 | o5 e56 | o6 c67"), "Ao 3o 5o 6o")
    assert position.play("*40o") == position.play("*40")
    for call in ("*40c", "*20o", "*20c", "*7", "*tute", "*capote"):
        with pytest.raises(IllegalPlayError, match="no such declaration or exchange") as refusal:
            position.play(call)
        assert refusal.value.seat == 1
        assert refusal.value.legal[0] == "*40"


@pytest.mark.parametrize("who", ["winner", "side"])
@pytest.mark.parametrize(
    ("hands", "played", "wanted"),
    [
        ("o54 c56 | oA6 cRC | o7 eRC b4", "Ao 7o 5o", "*20c"),
        ("o54 c56 | o6 b567 | oA eRC b4", "6o Ao 4o", ""),  # a defender with his own pair
        ("oA4 c56 | o6 b567 | o7 eRC b4", "6o 7o Ao", ""),  # a defender with his partner's
        ("oA4 c56 | o65 cRC | o7 eRC b4", "6o 7o Ao", ""),  # the declarer has lost the trick
    ],
)
def test_only_the_declarer_declares_in_subastado(
    hands: str, played: str, wanted: str, who: str
) -> None:
    deal = Deal(
        variant="subastado",
        trump="o",
        hands=hands.split(" | "),
        declarer=2,
        leader=2,
        rules={"cante_who": who},
    )
    assert calls(after(deal.start(), played)) == wanted


def test_guinote_pairs_king_and_sota() -> None:
    hands = ["oA cRS eRC", "o4 c5674", "o5 e4567", "o6 b4567"]
    deal = Deal(variant="guinote", trump="c", hands=hands)
    position = after(deal.start(), "Ao 4o 5o 6o")
    assert calls(position) == "*40"
    assert position.play("*40").points == (51, 0, 0, 0)
    other = after(deal.replace(trump="b").start(), "Ao 4o 5o 6o")
    assert calls(other) == "*20c"


# ---------------------------------------------------------------- at the second card


def second(hands: str, rules: Rules | None = None, **fields: Any) -> Position:
    """A position of subastado in pairs (AT_SECOND_CARD) with oros as trumps."""
    return Deal(
        variant="subastado-parejas", trump="o", hands=hands.split(" | "), rules=rules, **fields
    ).start()


def test_at_the_second_card_after_a_trick_of_the_side() -> None:
    start = second("oA cRC | c4 o34 | o5 c76 | o6 c5S")
    position = after(start, "Ao 3o 5o 6o Rc 4c 6c 5c")
    assert position.points == (25, 0, 0, 0)
    assert calls(position) == ""
    sung = position.play("Cc")
    assert sung.points == (45, 0, 0, 0)  # at once, inside the trick
    assert sung.declared == {"c"}


def test_at_the_second_card_the_trick_of_the_partner_is_enough() -> None:
    start = second("cRC4 | cS5 e4 | cA6 e5 | c37 e6")
    position = after(start, "Rc Sc Ac 7c 6c 3c")
    assert position.tricks == (0, 0, 1, 0)
    # An opponent is winning this trick, and seat 1 has none himself.
    assert position.play("Cc").points == (20, 0, 17, 0)


def test_at_the_second_card_while_winning_that_trick() -> None:
    """Seat 1 has lost his king to an opponent's as, and the side has no trick."""
    start = second("cRC | cA2 | c5 e4 | c76")
    position = after(start, "Rc Ac 5c 6c 2c 4e 7c")
    assert position.points == (0, 15, 0, 0)
    assert position.play("Cc").points == (20 + 3 + 10, 15, 0, 0)


def test_not_at_the_second_card_on_a_trick_of_the_opponents() -> None:
    start = second("cRC | cA e4 | c45 | c76")
    position = after(start, "Rc Ac 4c 6c 4e 5c 7c Cc")
    assert position.declared == frozenset()
    assert position.points == (0, 15 + 3 + 10, 0, 0)


def test_at_the_second_card_while_winning_only_so_far() -> None:
    start = second("cRC | c3 e4 | c7 e5 | c2 eA", leader=4)
    position = after(start, "Ae Rc 4e 5e 2c Cc")
    assert position.points == (20, 0, 0, 15)
    position = after(position, "3c 7c")
    assert position.points == (20, 13 + 10, 0, 15)


def test_at_the_second_card_while_the_partner_is_winning_it() -> None:
    start = second("cRC | cA e4 | c4 eA | c76")
    position = after(start, "Rc Ac 4c 6c 4e Ae 7c")
    assert position.tricks == (0, 1, 0, 0)
    assert position.play("Cc").points == (20, 15, 11 + 3 + 10, 0)


def test_the_pair_must_have_been_in_one_hand() -> None:
    start = second("oA cR4 | cC o34 | o5 c76 | o6 c5S")
    position = after(start, "Ao 3o 5o 6o Rc Cc")
    assert position.declared == frozenset()
    assert sum(position.points) == 21
    # Nor does a card played before this moment count.
    one_left = second("oA cC | o34 | o5 c7 | o6 c5")
    assert after(one_left, "Ao 3o 5o 6o Cc").declared == frozenset()


def test_at_the_second_card_forty_in_trumps_without_limits() -> None:
    start = second("oRC cRC | o43 cA e4 | o5 c4 e56 | o67 b45", tricks=[0, 0, 1, 0])
    position = after(start, "Ro 3o 5o 6o")
    assert position.to_move == 2
    position = after(position, "4o 4c 7o Co")
    assert position.points[0] >= 40
    assert position.declared == {"o"}


def test_at_the_second_card_automatic_without_a_token() -> None:
    start = second("oA cRC | o34 c4 | o5 c76 | o6 c5S")
    position = after(start, "Ao 3o 5o 6o")
    with pytest.raises(IllegalPlayError):
        position.play("*20c")


@given(deals(["tute", "tute-individual", "cuatrola", "subastado"]), seeds)
def test_at_lead_differs_in_nothing(deal: Deal, seed: int) -> None:
    one = deal.replace(rules=replace(deal.rules, cante_timing="after_trick")).start()
    other = deal.replace(rules=replace(deal.rules, cante_timing="at_lead")).start()
    for position, move, _ in playout(Random(seed), one):
        assert other.legal() == position.legal()
        assert other.points == position.points
        other = other.play(move)
    assert other.over


# ---------------------------------------------------------------- reading a record


def test_auto_declares_as_soon_as_allowed() -> None:
    hands = ["oARC cRC", "o34 c456", "o5 e567 b4", "o76 cS7 b3"]
    deal = Deal(variant="tute", trump="o", hands=hands)
    played = "Ao 3o 5o 6o | Ro 4o 5e 7o"
    auto = deal.replace(played=played).position()
    assert auto.points == (21 + 40 + 4 + 20, 0, 0, 0)
    assert calls(auto) == ""
    explicit = deal.replace(played=played, cantes="explicit").position()
    assert explicit.points == (25, 0, 0, 0)
    assert calls(explicit) == "*20c"  # the forty is parted, the twenty is open
    some = deal.replace(played="Ao 3o 5o 6o *40 Ro 4o 5e 7o").position()
    assert some.points == (65, 0, 0, 0)
    assert calls(some) == "*20c"


def test_any_declaration_in_the_record_makes_it_explicit() -> None:
    hands = ["oA5 cRC", "o34 c45", "o6 eRC b3", "o7 eA c7 b4"]
    deal = Deal(variant="tute", trump="b", hands=hands)
    silent = deal.replace(played="Ao 3o 6o 7o | 5o 4o 3b 4b").position()
    assert silent.declared == {"c", "e"}
    spoken = deal.replace(played="Ao 3o 6o 7o | 5o 4o 3b 4b *20e").position()
    assert spoken.declared == {"e"}


def test_auto_leaves_the_choice_between_two_twenties_open() -> None:
    hands = ["oA eRC cRC", "o34 c456", "o5 e567 b4", "o76 cS b3 e4"]
    deal = Deal(variant="tute", trump="b", hands=hands)
    first = deal.replace(played="Ao 3o 5o 6o").position()
    assert first.legal() == ["*20c", "*20e"]
    with pytest.raises(IllegalPlayError, match="one of the pairs must be declared first"):
        first.play("Rc")
    assert cards(first.play("*20e")) == "Rc Cc Re Ce"
    # Where play went on, copas were declared before espadas.
    later = deal.replace(played="Ao 3o 5o 6o | Rc").position()
    assert later.declared == {"c"}
    several = deal.replace(played="Ao 3o 5o 6o", rules={"cante_per_trick": "several"}).position()
    assert several.declared == {"c", "e"}
    assert calls(several) == ""
    explicit = deal.replace(played="Ao 3o 5o 6o", cantes="explicit").position()
    assert calls(explicit) == "*20c *20e"
    assert cards(explicit) == "Rc Cc Re Ce"


def test_auto_takes_the_forty_before_a_choice() -> None:
    hands = ["oA eRC cRC", "o34 c456", "o5 e567 b4", "o76 cS b3 e4"]
    deal = Deal(variant="tute", trump="e", hands=hands, played="Ao 3o 5o 6o")
    assert deal.position().declared == {"e"}
    assert deal.replace(rules={"cante_order": "free"}).position().declared == {"e"}


def test_nothing_is_pending_before_the_first_card_of_a_record() -> None:
    hands = ["oARC", "o347", "o5 e56", "o6 c67"]
    deal = Deal(variant="tute", trump="o", hands=hands, tricks=[3, 0, 0, 0])
    for cantes in ("auto", "explicit"):
        assert calls(deal.replace(cantes=cantes).position()) == ""


def test_cabrero_records_are_explicit_unless_they_say_otherwise() -> None:
    deal = Deal(
        variant="cabrero",
        trump="b",
        hands=["oA cRC", "o34 c4", "o5 c76"],
        played="Ao 3o 5o",
    )
    assert calls(deal.position()) == "*20c"
    assert deal.replace(cantes="auto").position().declared == {"c"}


def test_exchanges_are_never_automatic() -> None:
    deal = Deal(variant="habanero", hands=["oA c4", "o3 c5"], stock="6c 7c 5e Rc", played="Ao 3o")
    assert "Rc" not in deal.position().hands[0]
    seven = deal.replace(hands=["oA c7", "o3 c5"], stock="6c 4c 5e Rc")
    assert seven.position().stock == ("5e", "Rc")


def test_auto_shows_a_tute_at_the_end_of_the_record_only() -> None:
    hands = ["oA oR cR eR bR", "o34 c456", "o5 e567 b4", "o76 cS b3 e4"]
    deal = Deal(variant="tute", trump="b", hands=hands, rules={"tute": "wins_hand"})
    assert deal.replace(played="Ao 3o 5o 6o").position().showed_tute == 0
    assert deal.replace(played="Ao 3o 5o 6o | Ro").position().showed_tute is None
    assert deal.replace(played="Ao 3o 5o 6o", cantes="explicit").position().showed_tute is None


@given(deals(with_record=True), seeds)
def test_an_explicit_record_is_replayed_move_by_move(deal: Deal, seed: int) -> None:
    position = deal.start()
    count = 0
    for index, move, before in deal.replay():
        assert index == count
        assert before == position
        position = position.play(move)
        count += 1
    assert count == len(deal.played)
    assert deal.position() == position


@given(deals(), seeds)
def test_an_illegal_card_in_a_record_is_refused_at_its_index(deal: Deal, seed: int) -> None:
    rng = Random(seed)
    recorded = random_record(rng, deal, 12)
    position = recorded.position()
    if position.over or position.to_discard:
        return
    hand = position.settled().hands[position.turn]
    barred = [card for card in hand if card not in position.settled().legal()]
    if not barred:
        return
    card = rng.choice(barred)
    wrong = recorded.replace(played=[*recorded.played, card])
    with pytest.raises(IllegalPlayError) as refusal:
        wrong.position()
    error = refusal.value
    assert (error.index, error.seat) == (len(recorded.played), position.to_move)
    assert error.move == card
    assert error.duty is not None
    assert f"it breaks the duty of {error.duty}" in str(error)
    assert str(error).startswith(f"played: token {len(recorded.played) + 1}: seat {error.seat}")
    assert list(error.legal) == position.legal()


# ---------------------------------------------------------------- cabrón


def cabron(hands: str, rules: Rules | None = None, **fields: Any) -> Position:
    return Deal(variant="cabron", hands=hands.split(" | "), rules=rules, **fields).start()


def test_the_first_pair_that_falls_makes_trumps_for_the_next_trick() -> None:
    start = cabron("cR o5 e4 | cC o64 | cA oS7")
    assert start.trump is None
    position = after(start, "Rc Cc Ac")
    assert position.trump == "c"
    assert position.points == (0, 0, 18 + 40)  # to the winner, who played neither
    assert position.declared == {"c"}
    assert calls(position) == ""
    assert position.to_move == 3


def test_in_the_trick_itself_the_new_trumps_do_not_count() -> None:
    start = cabron("eA oR | cR o5 | cC o6")
    position = after(start, "Ae Rc Cc")
    assert position.points == (18 + 40, 0, 0)
    assert position.trump == "c"


def test_before_trumps_exist_one_follows_and_beats_and_need_not_ruff() -> None:
    start = cabron("o7 c4 | oA4 | c5 e6")
    assert cards(after(start, "7o")) == "Ao"
    assert cards(after(start, "7o Ao")) == "5c 6e"


def test_later_pairs_are_worth_twenty_and_duties_are_then_complete() -> None:
    start = cabron("cR oR e4 | cC oC b5 | cA7 eA")
    position = after(start, "Rc Cc Ac")
    assert position.points == (0, 0, 58)
    position = after(position, "Ae 4e 5b")
    position = after(position, "7c Ro Co")
    assert position.points == (0, 0, 58 + 11 + 7 + 20 + 10)
    ruffed = after(start, "Rc Cc Ac Ae 4e Co")
    assert ruffed.points == (0, 0, 58 + 14)
    assert cards(after(start, "Rc Cc Ac 7c")) == "Ro 4e"


def test_a_void_player_must_ruff_once_there_are_trumps() -> None:
    position = after(cabron("cR4 o5 | cC e6 o7 | cA b74"), "Rc Cc Ac 7b")
    assert cards(position) == "4c"


@pytest.mark.parametrize(
    ("hands", "played", "led_first", "order_completed"),
    [
        ("cR e4 | oR e5 | oC e6 | cC e7", "Rc Ro Co Cc", "c", "o"),
        ("bR e4 | oR e5 | oC e6 | bC e7", "Rb Ro Co Cb", "b", "o"),
        ("oR e4 | bR e5 | bC e6 | oC e7", "Ro Rb Cb Co", "o", "b"),
        ("bR e4 | bC e5 | oC e6 | oR e7", "Rb Cb Co Ro", "b", "b"),
        ("oR e4 | bC e5 | oC e6 | bR e7", "Ro Cb Co Rb", "o", "o"),
    ],
)
def test_two_pairs_in_one_trick(
    hands: str, played: str, led_first: str, order_completed: str
) -> None:
    for double_pair, trump in (("led_first", led_first), ("order_completed", order_completed)):
        position = after(cabron(hands, {"double_pair": double_pair}), played)
        assert position.points == (14 + 60, 0, 0, 0)
        assert position.trump == trump
        assert position.declared == {card[1] for card in played.split()}


def test_a_trump_in_a_deal_means_that_the_forty_is_sung() -> None:
    start = cabron("cR oR | cC oC | cA o3", trump="c")
    assert start.trump == "c"
    assert start.declared == {"c"}
    position = after(start, "Rc Cc Ac")
    assert position.points == (0, 0, 18)
    position = after(position, "3o Ro Co")
    assert position.points == (0, 0, 18 + 17 + 20 + 10)
    assert position.trump == "c"


def test_pairs_in_one_hand_are_never_declared_in_cabron() -> None:
    start = cabron("oA cRC | o34 c4 | o5 c76")
    position = after(start, "Ao 3o 5o")
    assert calls(position) == ""
    position = after(position, "Rc 4c 6c Cc 4o 7c")
    assert sum(position.points) == 21 + 4 + 3 + 10


# ---------------------------------------------------------------- cabrero


def cabrero(hands: str, rules: Rules | None = None, **fields: Any) -> Position:
    return Deal(
        variant="cabrero", trump="o", hands=hands.split(" | "), rules=rules, **fields
    ).start()


def test_pairs_are_declared_or_caught_never_both() -> None:
    start = cabrero("oA cRC | o34 c4 | o5 cA7")
    position = after(start, "Ao 3o 5o")
    assert calls(position) == "*20c"
    sung = after(position, "*20c Rc 4c Ac")
    assert sung.points == (41, 0, 15)
    caught = after(cabrero("oA cR e4 | o3 cC4 | o5 cA7"), "Ao 3o 5o Rc Cc Ac")
    assert caught.points == (21, 0, 18 + 20)
    assert caught.declared == {"c"}
    trumps = after(cabrero("oR c5 | oC c4 | oA c7"), "Ro Co Ao")
    assert trumps.points == (0, 0, 18 + 40)


def test_a_caught_pair_does_not_use_up_the_declaration() -> None:
    start = cabrero("oR c5 e4 | oC c4 e5 | oA cRC")
    position = after(start, "Ro Co Ao")
    assert position.points == (0, 0, 58)
    assert calls(position) == "*20c"
    assert calls(position.play("*20c")) == ""


def test_declaring_is_optional_in_cabrero() -> None:
    position = after(cabrero("oA cRC | o34 c4 | o5 c76"), "Ao 3o 5o")
    assert position.legal() == ["*20c", "Rc", "Cc"]
    assert position.play("Rc").points == (21, 0, 0)


FOUR_KINGS = "oA oR cR eR bR | o34 c456 | o5 e567 b4"


@pytest.mark.parametrize(
    ("rules", "open_now"),
    [
        ({}, "*tute"),
        ({"tute_hand": "among"}, "*tute"),
        ({"tute": "wins_match"}, "*tute"),
        ({"tute": "counts_2"}, "*tute"),
        ({"tute": "none"}, ""),
    ],
)
def test_four_kings_in_cabrero(rules: Rules, open_now: str) -> None:
    position = after(cabrero(FOUR_KINGS, rules), "Ao 3o 5o")
    assert calls(position) == open_now
    if open_now:
        shown = position.play("*tute")
        assert shown.over
        assert shown.to_move is None
        assert shown.losers() == {2, 3}


def test_four_knights_are_a_tute_too() -> None:
    start = cabrero(FOUR_KINGS.replace("oR cR eR bR", "oC cC eC bC"))
    assert calls(after(start, "Ao 3o 5o")) == "*tute"


@pytest.mark.parametrize(("tute_hand", "wanted"), [("exact", ""), ("among", "*tute")])
def test_four_kings_among_other_cards(tute_hand: str, wanted: str) -> None:
    start = cabrero("oAR cR eR bR4 | o34 c4567 | o5 e567 b37", {"tute_hand": tute_hand})
    assert calls(after(start, "Ao 3o 5o")) == wanted


def test_no_tute_before_a_trick_nor_after_declaring() -> None:
    rules: Rules = {"tute_hand": "among"}
    start = cabrero("oAR cRC eR bR | o34 c4567 | o5 e567 b37", rules)
    assert calls(start) == ""
    position = after(start, "Ao 3o 5o")
    assert calls(position) == "*20c *tute"
    assert calls(position.play("*20c")) == ""


@pytest.mark.parametrize(
    ("counts", "sings", "losers"),
    [(False, False, {2, 3}), (True, False, {1}), (False, True, {1}), (True, True, {1})],
)
def test_capote_after_a_pair(counts: bool, sings: bool, losers: set[int]) -> None:
    """Seat 1 takes everything, and catches a pair of trumps on the way."""
    rules: Rules = {"capote_forced_counts": counts, "tute": "none"}
    position = after(cabrero("oA3 cRC | oR5 c45 | oC4 c67", rules), "Ao Ro Co")
    assert position.declared == {"o"}
    assert position.points == (58, 0, 0)
    if sings:
        position = position.play("*20c")
    position = after(position, "3o 5o 4o Rc 5c 6c Cc 4c 7c")
    assert position.over
    assert position.tricks == (4, 0, 0)
    assert position.losers() == losers


def test_who_declared_before_the_deal_began() -> None:
    """A suit in `declared` was sung by him who holds a card of it, or by the only taker."""
    hands = "oA3 cRS | o75 c45 | o64 c67"
    everything = "Ao 7o 6o 3o 5o 4o Rc 5c 6c Sc 4c 7c"
    assert after(cabrero(hands, tricks=[1, 0, 0]), everything).losers() == {2, 3}
    held = cabrero(hands, tricks=[1, 0, 0], declared="c")
    assert after(held, everything).losers() == {1}
    gone = cabrero(hands, tricks=[1, 0, 0], declared="b")
    assert after(gone, everything).losers() == {1}


@pytest.mark.parametrize(("declared", "wanted"), [("", "*tute"), ("c", "")])
def test_a_suit_declared_before_the_deal_began_bars_the_tute(declared: str, wanted: str) -> None:
    """Seats 1 and 2 have tricks; he who holds a card of the pair declared it."""
    start = cabrero(
        "oAR cR eR bR4 | o75 c45 eC b5 | o64 c76 e7 b7",
        {"tute_hand": "among"},
        tricks=[1, 1, 0],
        declared=declared,
    )
    assert calls(after(start, "Ao 7o 6o")) == wanted


# ---------------------------------------------------------------- habanero: stock and exchange


def test_the_winner_draws_first_and_the_last_takes_the_turned_up_card() -> None:
    start = habanero("oA c4 | o5 c6", "7c Re Ae 4e 3b Cb")
    position = after(start, "Ao 5o")
    assert position.hands == (("7c", "4c"), ("6c", "Re"))
    assert position.stock == ("Ae", "4e", "3b", "Cb")
    assert position.to_move == 1
    position = after(position, "4c 6c")
    assert position.hands == (("7c", "4e"), ("Ae", "Re"))
    assert position.to_move == 2
    position = after(position, "Ae 4e")
    # Seat 2 won and drew before seat 1, who gets the turned-up card.
    assert position.hands == (("7c", "Cb"), ("Re", "3b"))
    assert position.stock == ()


def test_four_players_draw_in_turn() -> None:
    deal = Deal(
        variant="guinote",
        hands=["o5 c4", "oA c6", "o7 c5", "o4 c7"],
        stock="Re Ae 4e 3b Cb 5b 6b 7b",
    )
    position = after(deal.start(), "5o Ao 7o 4o")
    assert position.to_move == 2
    assert [hand[-1] for hand in position.hands] == ["3b", "Re", "Ae", "4e"]


def test_the_last_trick_is_the_last_after_the_stock() -> None:
    position = after(habanero("oA | o5", "7c Rc"), "Ao 5o")
    assert position.points == (11, 0)
    assert not position.over
    position = after(position, "7c Rc")
    assert position.points == (11, 14)
    assert position.over


@pytest.mark.parametrize(
    ("turned", "held", "wanted"),
    [
        ("Ac", "7c", "*7"),
        ("3c", "7c", "*7"),
        ("Rc", "7c", "*7"),
        ("Cc", "7c", "*7"),
        ("Sc", "7c", "*7"),
        ("6c", "7c", ""),
        ("4c", "7c", ""),
        ("2c", "7c", ""),
        ("Ac", "2c", ""),
        ("Sc", "2c", ""),
        ("7c", "2c", "*2"),
        ("6c", "2c", "*2"),
        ("5c", "2c", "*2"),
        ("4c", "2c", "*2"),
        ("Rc", "7b", ""),
        ("4c", "2b", ""),
    ],
)
def test_which_cards_are_exchanged(turned: str, held: str, wanted: str) -> None:
    position = after(habanero(f"oA {held} | o5 e6", f"3e Re Ae {turned}"), "Ao 5o")
    assert calls(position) == wanted
    if wanted:
        then = position.play(wanted)
        assert then.hands[0] == then.game.deck.sort([Card(turned), Card("3e")])
        assert then.stock == ("Ae", held)
        assert then.to_move == 1


def test_the_loser_of_the_trick_exchanges_nothing() -> None:
    position = after(habanero("oA c4 | o5 c7", "3e Re Ae Rc"), "Ao 5o")
    assert calls(position) == ""


def test_seven_then_two() -> None:
    start = habanero("oA c72 | o5 c6 e4", "3e Re Ae Rc")
    position = after(start, "Ao 5o")
    assert calls(position) == "*7"
    position = position.play("*7")
    assert calls(position) == "*2"
    position = position.play("*2")
    assert position.stock[-1] == "2c"
    assert calls(position) == ""
    assert position.hands[0] == ("Rc", "7c", "3e")


def test_cante_and_exchange_in_any_order() -> None:
    start = habanero("oA c7 eRC | o5 c6 e45", "3e 2e Ae Rc")
    position = after(start, "Ao 5o")
    assert calls(position) == "*20e *7"
    assert after(position, "*20e *7") == after(position, "*7 *20e")
    completed = habanero("oA c7 cC e4 | o5 c6 e5 e6", "3e 2e Ae Rc")
    position = after(completed, "Ao 5o")
    assert calls(position) == "*7"
    assert calls(position.play("*7")) == "*40"  # the exchanged card completes the pair


def test_a_player_draws_before_he_leads() -> None:
    position = after(habanero("oA c7 | o5 c6", "3e 2e Ae Rc"), "Ao 5o")
    assert position.legal() == ["*7", "7c", "3e"]
    assert position.play("3e").hands == (("7c",), ("6c", "2e"))
    assert position.play("*7").legal() == ["Rc", "3e"]


@pytest.mark.parametrize(("allowed", "wanted"), [(True, "*7"), (False, "")])
def test_exchange_before_the_last_draw(allowed: bool, wanted: str) -> None:
    rules: Rules = {"exchange_last_draw": allowed}
    position = after(habanero("oA c7 | o5 c6", "3e Rc", rules), "Ao 5o")
    assert calls(position) == wanted
    if wanted:
        # The loser draws what the winner put down.
        assert after(position, "*7 3e").hands == (("Rc",), ("7c", "6c"))
    earlier = after(habanero("oA c7 | o5 c6", "3e 4e 5e Rc", rules), "Ao 5o")
    assert calls(earlier) == "*7"


def test_no_exchange_without_a_stock() -> None:
    assert calls(after(habanero("oA c7 | o5 c6", trump="c"), "Ao 5o")) == ""


@pytest.mark.parametrize(("allowed", "wanted"), [(True, "*7"), (False, "")])
def test_exchange_from_the_start(allowed: bool, wanted: str) -> None:
    rules: Rules = {"exchange_from_start": allowed}
    hands, stock = "oA c7 e4 | o5 c62", "3e Re Ae Rc"
    assert calls(habanero(hands, stock, rules)) == wanted
    assert calls(habanero(hands, stock, rules, leader=2)) == ""
    assert calls(habanero(hands, stock, rules, tricks=[1, 0])) == ""
    if wanted:
        then = habanero("oA eRC c7 | o5 c62 b4", "3e 4e Ae Sc", rules).play("*7")
        assert calls(then) == ""  # no trick, so no cante
        assert then.stock == ("3e", "4e", "Ae", "7c")
        assert then.to_move == 1


def test_no_tute_is_shown_before_the_first_lead() -> None:
    rules: Rules = {"exchange_from_start": True, "tute": "wins_hand"}
    start = habanero("oR c7R eR bR | o5A c654", "3e 4e Ae Sc", rules)
    assert calls(start) == "*7"
    assert calls(start.play("*7")) == ""


def test_exchange_from_the_start_draws_nothing() -> None:
    start = habanero("oA c7 | o5 c6", "3e 4e Ae Rc", {"exchange_from_start": True})
    position = after(start, "*7 Ao 5o")
    assert position.stock == ("Ae", "7c")
    assert position.hands == (("Rc", "3e"), ("6c", "4e"))


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [({}, ""), ({"cante_window": "until_lead"}, "*20e")],
)
def test_may_the_card_just_drawn_complete_a_pair(rules: Rules, wanted: str) -> None:
    start = habanero("oA eR c5 | o5 c67", "Ce 4e Ae Sc", rules)
    position = after(start, "Ao 5o")
    assert calls(position) == wanted
    if wanted:
        sung = position.play("*20e")
        assert sung.points == (31, 0)
        assert sung.hands == (("5c", "Re", "Ce"), ("7c", "6c", "4e"))
        assert sung.stock == ("Ae", "Sc")
        assert calls(sung) == ""


def test_a_card_about_to_be_drawn_ends_the_exchanges() -> None:
    rules: Rules = {"cante_window": "until_lead"}
    position = after(habanero("oA eR c7 | o5 c65", "Ce 4e Ae Sc", rules), "Ao 5o")
    assert calls(position) == "*20e *7"
    assert calls(position.play("*20e")) == ""
    assert calls(position.play("*7")) == "*20e"


def test_the_card_just_drawn_may_complete_a_tute() -> None:
    hands = "oAR cR eR | o5 c675"
    for window, wanted in (("before_draw", ""), ("until_lead", "*tute")):
        rules: Rules = {"cante_window": window, "tute": "wins_hand"}
        position = after(habanero(hands, "Rb 4e Ae Sc", rules), "Ao 5o")
        assert calls(position) == wanted
        if wanted:
            assert position.play("*tute").showed_tute == 0


@pytest.mark.parametrize(
    ("until", "stock_of_4", "stock_of_2", "first_win", "second_win"),
    [
        ("whole_hand", True, True, True, True),
        ("stock_only", True, True, False, False),
        ("until_two_left", True, False, False, False),
        ("first_win_after_stock", True, True, True, False),
    ],
)
def test_how_long_pairs_may_be_declared(
    until: str, stock_of_4: bool, stock_of_2: bool, first_win: bool, second_win: bool
) -> None:
    rules: Rules = {"cante_until": until}
    position = after(habanero("oA eRC b4 | o5 c67 b5", "4e 5e Ae Sc", rules), "Ao 5o")
    assert (calls(position) == "*20e") == stock_of_4
    position = after(habanero("oA eRC b4 | o5 c67 b5", "4e Sc", rules), "Ao 5o")
    assert (calls(position) == "*20e") == stock_of_2
    # Without a stock: the first trick that this player wins, and the second.
    start = habanero("oA3 eRC b4 | o54 c67 b5", rules=rules, trump="c")
    position = after(start, "Ao 5o")
    assert (calls(position) == "*20e") == first_win
    assert (calls(after(position, "3o 4o")) == "*20e") == second_win
    # Tricks won while there was a stock do not count.
    start = habanero("oA3 eRC b4 | o54 c67 b5", "4e Sc", rules)
    position = after(start, "Ao 5o 3o 4o")
    assert position.stock == ()
    assert (calls(position) == "*20e") == first_win
    # An opponent's win in between does not count.
    start = habanero("oA b4 eRC | o5 b5 e45", rules=rules, trump="c", leader=2)
    position = after(start, "5b 4b")
    assert (calls(after(position, "5o Ao")) == "*20e") == first_win


def test_stock_duties_end_with_the_stock() -> None:
    start = habanero("o5 b4 | o7 cA", "4e 5e")
    assert cards(after(start, "5o")) == "7o Ac"  # no duty while there is a stock
    position = after(start, "5o 7o 4e")
    assert cards(position) == "5e"
    full = habanero("o5 b45 | o74 cA", "4e 5e", {"stock_duty": "full"})
    assert cards(after(full, "5o")) == "7o"


def test_two_players_never_meet_the_duties_of_three() -> None:
    for seed in range(60):
        rng = Random(seed)
        deal = random_full_deal(rng, "habanero", switches={})
        changed: Rules = {
            "undertrump": "must",
            "montar_si_fallado": True,
            "partner_exempt": "all",
        }
        other = deal.replace(rules=changed).start()
        for position, move, _ in playout(rng, deal.start()):
            assert other.legal() == position.legal()
            other = other.play(move)
        assert other.over


def test_capote_of_the_last_eight() -> None:
    rules: Rules = {"capote": "last8"}
    eight = "oA3RCS765 | cA3RCS765"
    start = habanero(eight, rules=rules)
    assert calls(start) == "*capote"
    position = start.play("*capote")
    assert position.capote == 0
    assert calls(position) == ""
    assert calls(position.play("Ao")) == ""  # one is enough
    # The other may announce it as he plays to the thirteenth trick.
    assert calls(start.play("Ao")) == "*capote"
    answered = after(start, "Ao *capote")
    assert answered.capote == 1
    assert cards(answered) == "Ac 3c Rc Cc Sc 7c 6c 5c"
    assert "*capote" not in calls(after(start, "Ao 5c"))
    assert after(answered, "5c").capote_failed
    assert not after(position, "Ao 5c").capote_failed


def test_capote_is_announced_before_the_thirteenth_trick_only() -> None:
    rules: Rules = {"capote": "last8"}
    seven = "oA3RCS76 | cA3RCS76"
    assert calls(habanero(seven, rules=rules)) == ""
    with_stock = habanero("oA3RCS765 | cA3RCS765", "4e Sb", rules)
    assert calls(with_stock) == ""
    # Two cards are left to draw: the thirteenth trick comes next.
    position = after(with_stock, "Ao 5c")
    assert calls(position) == "*20o *capote"
    assert calls(habanero("oA3RCS765 | cA3RCS765")) == ""


def test_the_first_to_pass_a_hundred_ends_the_second_hand() -> None:
    start = habanero("oA eRC | o3 e54", trump="c", carried=[70, 90])
    assert start.points == (70, 90)
    position = after(start, "Ao 3o")
    assert position.points == (91, 90)
    assert position.passed_goal is None
    assert position.play("*20e").passed_goal == 0
    assert position.play("*20e").over
    assert not position.over
    hundred = after(habanero("oA eRC | o3 e54", trump="c", carried=[79, 90]), "Ao 3o")
    assert hundred.points == (100, 90)
    assert hundred.passed_goal is None
    lost = after(habanero("o4 eRC | oA e54", trump="c", carried=[70, 90]), "4o Ao")
    assert lost.points == (70, 101)
    assert lost.passed_goal == 1
    ended = habanero("o4 eRC | oA e54", trump="c", carried=[70, 90], points=[35, 0])
    assert ended.passed_goal == 0
    first_hand = after(habanero("o4 eRC | oA e54", trump="c", points=[70, 90]), "4o Ao")
    assert first_hand.passed_goal is None


# ---------------------------------------------------------------- cuatrola, butifarra, subastado


@pytest.mark.parametrize(
    ("declarer", "leader", "rules", "order"),
    [
        (1, None, {}, [1, 2, 4]),
        (2, None, {}, [1, 2, 3]),
        (3, None, {}, [2, 3, 4]),  # the mano sleeps: the next seat leads
        (3, 1, {}, [2, 3, 4]),
        (4, 3, {}, [3, 4, 1]),
        (None, None, {}, [1, 2, 4]),
        (2, None, {"cuatrola_lead": "bidder"}, [2, 3, 1]),
        (3, None, {"cuatrola_lead": "bidder"}, [3, 4, 2]),
        (3, 2, {"cuatrola_lead": "bidder"}, [2, 3, 4]),
    ],
)
def test_the_partner_of_a_bidder_sleeps(
    declarer: int | None, leader: int | None, rules: Rules, order: list[int]
) -> None:
    hands = ["oA cA", "o3 c3", "oR cR", "oC cC"]
    deal = Deal(
        variant="cuatrola",
        trump="b",
        hands=hands,
        declarer=declarer,
        leader=leader,
        contract="solo",
        rules=rules,
    )
    position = deal.start()
    seats = []
    for _ in range(3):
        seat = position.to_move
        assert seat is not None
        seats.append(seat)
        position = position.play(position.legal()[0])
    assert seats == order
    assert sum(position.tricks) == 1
    asleep = ((declarer or 1) + 1) % 4
    assert position.hands[asleep] == ()
    while not position.over:
        position = position.play(position.legal()[0])
    assert sum(position.tricks) == 2


def test_without_a_contract_nobody_sleeps_and_a_declarer_means_nothing() -> None:
    hands = ["oA cA", "o3 c3", "oR cR", "oC cC"]
    deal = Deal(variant="cuatrola", trump="b", hands=hands, declarer=2)
    position = after(deal.start(), "Ao 3o Ro Co")
    assert position.tricks == (1, 0, 0, 0)


@pytest.mark.parametrize("contract", ["solo", "cuatrola", "quintola"])
def test_cantes_of_a_contract(contract: str) -> None:
    hands = ["oA cRC", "o3 c3S", "eRC b3", "oC cA eA"]
    deal = Deal(variant="cuatrola", trump="b", hands=hands, declarer=1, contract=contract)
    position = after(deal.start(), "Ao 3o Co")
    # The sleeper's pair is out of play; under a trick contract there are no cantes.
    assert calls(position) == ("*20c" if contract == "solo" else "")
    defence = deal.replace(hands=["oR e3 b3", "o3 c3S", "", "oC cRC"])
    position = after(defence.start(), "Ro 3o Co")
    assert calls(position) == ("*20c" if contract == "solo" else "")
    if contract == "solo":
        assert position.play("*20c").points == (0, 17, 0, 20)


def test_three_hands_are_a_contract_too() -> None:
    deal = Deal(
        variant="cuatrola",
        trump="b",
        hands=["oA cRC", "o3 c3S", "oC cA eA"],
        contract="solo",
        declarer=1,
    )
    position = after(deal.start(), "Ao 3o Co")
    assert position.tricks == (1, 0, 0)
    assert calls(position) == "*20c"


def test_butifarra_counts_tricks_and_no_last_trick() -> None:
    deal = Deal(variant="butifarra", trump="none", hands=["o9A", "oR8", "oC7", "oS6"])
    position = after(deal.start(), "9o Ro Co So")
    assert position.points == (5 + 3 + 2 + 1 + 1, 0, 0, 0)
    assert calls(position) == ""
    assert after(position, "Ao 8o 7o 6o").points == (12 + 5, 0, 0, 0)


def test_butifarra_without_trumps_has_no_ruffs() -> None:
    deal = Deal(variant="butifarra", trump="none", hands=["o9A", "cR8", "oC7", "oS6"])
    assert cards(after(deal.start(), "9o")) == "Rc 8c"
    with_trumps = deal.replace(trump="copas")
    assert after(with_trumps.start(), "9o 8c Co So").tricks == (0, 1, 0, 0)


def test_in_butifarra_one_need_not_beat_or_ruff_the_partner() -> None:
    hands = ["o9A", "o8 c2", "c4 e5", "oS6"]
    deal = Deal(variant="butifarra", trump="c", hands=hands)
    assert cards(after(deal.start(), "9o 8o")) == "4c 5e"
    must = deal.replace(rules={"boti_void_partner": "trump"})
    assert cards(after(must.start(), "9o 8o")) == "4c"


@pytest.mark.parametrize(
    "others",
    [
        {},
        {"partner_exempt": "none"},
        {"partner_exempt": "beat"},
        {"boti_void_partner": "trump"},
        {"undertrump": "must"},
        {"montar_si_fallado": True},
    ],
)
def test_the_school_of_girona_overrules_other_switches(others: Rules) -> None:
    rules: Rules = {"boti_school": "obligada", **others}
    partner = ["o9A", "o86", "c84", "oS c2"]
    deal = Deal(variant="butifarra", trump="c", hands=partner, rules=rules)
    assert cards(after(deal.start(), "9o 6o")) == "4c"
    ruffed = deal.replace(hands=["o7 e2", "c9 e3", "c84", "o98"])
    assert cards(after(ruffed.start(), "7o 9c")) == "4c"
    assert cards(after(ruffed.start(), "7o 9c 4c")) == "9o 8o"
    following = deal.replace(hands=["o7 e2", "c9 e3", "o98", "c84"])
    assert cards(after(following.start(), "7o 9c")) == "8o"


def test_the_declarer_sees_the_fortieth_card_and_puts_one_away() -> None:
    deal = Deal(
        variant="subastado",
        trump="o",
        hands=["oA4 c2", "o56 cC", "o7 eRC"],
        declarer=2,
        widow="Rc",
        rules={"subastado_widow": True},
    )
    start = deal.start()
    assert start.to_move == 2
    assert start.legal() == ["-6o", "-5o", "-Rc", "-Cc"]
    assert all(isinstance(move, Discard) for move in start.legal())
    with pytest.raises(IllegalPlayError, match="puts a card away first"):
        start.play("Rc")
    with pytest.raises(IllegalPlayError, match="seat 2 may not play -Ao"):
        start.play("-Ao")
    position = start.play("-6o")
    assert position.hands == (("Ao", "4o", "2c"), ("5o", "Rc", "Cc"), ("7o", "Re", "Ce"))
    assert position.to_move == 1  # the leader
    with pytest.raises(IllegalPlayError, match="nothing to put away"):
        position.play("-Ao")
    assert start.play("-Rc").hands[1] == ("6o", "5o", "Cc")
    led = deal.replace(leader=3).start().play("-6o")
    assert led.to_move == 3
    record = deal.replace(played="-5o Ao 6o 7o").position()
    assert record.tricks == (1, 0, 0)
    assert record.points == (11, 0, 0)


def test_the_pair_made_with_the_fortieth_card_is_declared() -> None:
    deal = Deal(
        variant="subastado",
        trump="o",
        hands=["oA4 c2", "o56 cC", "o7 eRC"],
        declarer=1,
        widow="Rc",
        rules={"subastado_widow": True},
    )
    hands = ["oA3 cC", "o56 e4", "o7 eRC"]
    position = after(deal.replace(hands=hands).start(), "-3o Ao 6o 7o")
    assert calls(position) == "*20c"


@pytest.mark.parametrize(
    ("variant", "rules", "leader", "first"),
    [
        ("subastado", {}, None, 1),
        ("subastado", {"subastado_lead": "declarer"}, None, 3),
        ("subastado", {"subastado_lead": "declarer"}, 2, 2),
        ("subastado-parejas", {"subastado_lead": "declarer"}, None, 3),
        ("tute", {"subastado_lead": "declarer"}, None, 1),
        ("tute", {}, 4, 4),
    ],
)
def test_who_leads(variant: str, rules: Rules, leader: int | None, first: int) -> None:
    hands = ["oA", "o5", "o6", "o7"][: 3 if variant == "subastado" else 4]
    deal = Deal(variant=variant, trump="o", hands=hands, declarer=3, leader=leader, rules=rules)
    assert deal.start().to_move == first


# ---------------------------------------------------------------- tute


FOUR = "oAR cR eR bR | o34 c456 | o5 e567 b4 | o76 cS b3 e4"


@pytest.mark.parametrize("value", ["wins_hand", "wins_match", "counts_3"])
def test_four_kings_win_the_hand(value: str) -> None:
    position = after(tute(FOUR, {"tute": value}), "Ao 3o 5o 6o")
    assert calls(position) == "*tute"
    shown = position.play("*tute")
    assert shown.over
    assert shown.showed_tute == 0
    assert shown.points == position.points
    assert shown.legal() == []


def test_there_is_no_tute_unless_the_switch_says_so() -> None:
    assert calls(after(tute(FOUR), "Ao 3o 5o 6o")) == ""


def test_a_tute_is_no_cante_and_among_other_cards() -> None:
    hands = "oAR cRC eR bR | o34 c4567 | o5 e567 b47 | o76 cS b35 e4"
    position = after(tute(hands, {"tute": "wins_hand"}), "Ao 3o 5o 6o")
    assert calls(position) == "*20c *tute"
    assert calls(position.play("*20c")) == "*tute"


def test_a_tute_needs_a_trick() -> None:
    start = tute(FOUR.replace("oAR", "o2R"), {"tute": "wins_hand"}, tricks=[0, 0, 3, 0])
    assert calls(start) == ""
    assert calls(after(start, "2o 3o 5o 6o")) == ""


@pytest.mark.parametrize(("who", "wanted"), [("winner", ""), ("side", "*tute")])
def test_the_tute_of_the_partner(who: str, wanted: str) -> None:
    hands = "oA e567 b4 | o34 c456 | oR5 cR eR bR | o76 cS b3 e4"
    position = after(tute(hands, {"tute": "wins_hand", "cante_who": who}), "Ao 3o 5o 6o")
    assert calls(position) == wanted
    if wanted:
        assert position.play("*tute").showed_tute == 2


# ---------------------------------------------------------------- invariants (section 4)


@given(deals(), seeds)
def test_every_move_keeps_the_books(deal: Deal, seed: int) -> None:
    """Points only grow, by the cards of a trick, the last trick and what is declared."""
    game = deal.game()
    deck, variant = game.deck, game.variant
    for position, move, then in playout(Random(seed), deal.start()):
        assert move in position.legal()
        assert len(set(position.legal())) == len(position.legal())
        gained = sum(then.points) - sum(position.points)
        new = then.declared - position.declared
        cantes = sum(40 if suit == then.trump else 20 for suit in new)
        if then.trick or isinstance(move, Declaration | Discard):
            assert gained == cantes
            assert then.tricks == position.tricks
        else:
            trick = [*position.trick, move]
            cards_worth = sum(deck.points[Card(card)] for card in trick)
            last = 0 if any(then.hands) or then.stock else variant.last_trick
            assert gained == cards_worth + last + variant.per_trick + cantes
            assert sum(then.tricks) == sum(position.tricks) + 1
            assert then.took_last == then.turn
            assert then.tricks[then.turn] == position.tricks[then.turn] + 1
        assert all(now >= before for now, before in zip(then.points, position.points, strict=True))
        if position.trump is not None:
            assert then.trump == position.trump
        elif then.trump is not None:
            assert variant.id == "cabron"
            assert then.trick == ()
        assert position.declared <= then.declared


@given(deals(), seeds)
def test_cards_are_never_lost_or_doubled(deal: Deal, seed: int) -> None:
    position = deal.start()
    seen = sorted(card for hand in position.hands for card in hand) + sorted(position.stock)
    played = []
    for before, move, then in playout(Random(seed), position):
        if isinstance(move, Card):
            played.append(move)
        elif isinstance(move, Discard):
            played.append(move.card)
            seen.append(deal.widow or move.card)
        elif before.window is not None and move in ("*7", "*2"):
            assert sorted(before.stock) != sorted(then.stock)
        here = [card for hand in then.hands for card in hand] + list(then.stock)
        assert sorted([*played, *here]) == sorted(seen)
        for hand in then.hands:
            assert hand == then.game.deck.sort(hand)
        awake = [len(hand) for place, hand in enumerate(then.hands) if place != then.game.asleep]
        if not then.trick and not then.to_discard:
            assert len(set(awake)) == 1 or then.window is not None


@pytest.mark.parametrize("variant_id", VARIANT_IDS)
@pytest.mark.parametrize("thrown", [False, True], ids=["default", "switches"])
def test_whole_deals_add_up(variant_id: str, thrown: bool) -> None:
    """130 points and the cantes, or 72; the number of tricks; at most 230."""
    for seed in range(12):
        rng = Random(f"{variant_id} {seed}")
        switches = random_switches(rng, variant_id) if thrown else {}
        deal = random_full_deal(rng, variant_id, switches=switches)
        position = deal.start()
        held = {len(hand) for hand in position.hands}
        for _, _, then in playout(rng, position):
            position = then
        if position.showed_tute is not None:
            continue
        cards_left = deal.game().deck.cards
        out = [card for card in cards_left if all(card not in hand for hand in deal.hands)]
        missing = sum(deal.game().deck.points[card] for card in out if card not in deal.stock)
        whole = 72 if variant_id == "butifarra" else 130 - missing
        new = position.declared - deal.start().declared
        cantes = sum(40 if suit == position.trump else 20 for suit in new)
        assert sum(position.points) == whole + cantes
        assert sum(position.points) <= 230
        drawn = len(deal.stock) // deal.players
        assert sum(position.tricks) == held.pop() + drawn
        assert held == set()


@pytest.mark.parametrize(
    ("variant_id", "players", "tricks"),
    [
        ("tute", 4, 10),
        ("tute-individual", 3, 12),
        ("subastado", 3, 12),
        ("habanero", 2, 20),
        ("guinote", 4, 10),
        ("guinote", 2, 20),
        ("cuatrola", 4, 5),
        ("cabrero", 3, 13),
        ("cabrero", 5, 8),
        ("cabron", 3, 12),
        ("butifarra", 4, 12),
    ],
)
def test_the_number_of_tricks(variant_id: str, players: int, tricks: int) -> None:
    rng = Random(players)
    rules: Rules = {"tute": "none"}
    position = random_full_deal(rng, variant_id, players, rules).start()
    for _, _, then in playout(rng, position):
        position = then
    assert sum(position.tricks) == tricks


@given(deals(), seeds)
def test_successors_are_the_legal_moves(deal: Deal, seed: int) -> None:
    for position, _, _ in playout(Random(seed), deal.start()):
        pairs = list(position.successors())
        assert [move for move, _ in pairs] == position.legal()
        assert [then for _, then in pairs] == [position.play(move) for move in position.legal()]


@given(deals(), seeds)
def test_moves_stand_in_order(deal: Deal, seed: int) -> None:
    """Declarations and exchanges first, the forty before the rest; then cards in deck order."""
    order = ["*40", "*20o", "*20c", "*20e", "*20b", "*tute", "*7", "*2", "*capote"]
    for position, _, _ in playout(Random(seed), deal.start()):
        legal = position.legal()
        spoken = [order.index(move) for move in legal if isinstance(move, Declaration)]
        assert spoken == sorted(spoken)
        assert len(spoken) < len(legal)
        rest = legal[len(spoken) :]
        assert not any(isinstance(move, Declaration) for move in rest)
        named = [move.card if isinstance(move, Discard) else Card(move) for move in rest]
        assert tuple(named) == position.game.deck.sort(named)


@given(deals(), seeds)
def test_declarations_come_between_tricks_only(deal: Deal, seed: int) -> None:
    """Nobody can sing before the first trick is complete nor after the last."""
    completed = 0
    for position, move, _ in playout(Random(seed), deal.start()):
        if isinstance(move, Declaration) and move != "*capote":
            assert position.trick == ()
            assert completed or move in ("*7", "*2")
            assert any(position.hands)
        completed += isinstance(move, Card)
