"""Each rule that saves the search work, against an ending in which one a little stronger is wrong.

The endings were found by making each rule a little too strong and comparing thousands of values;
the name says what the wrong rule did.
"""

from __future__ import annotations

import pytest

from tute import Deal, Solver
from tute.minimax import minimax

CASES = {
    "cash_out: a partner who is void may be passed over": (
        {
            "variant": "cuatrola",
            "hands": ["c3R e3 bC", "oS cCS eS", "o3RC eC"],
            "trump": "espadas",
            "leader": 2,
            "contract": "quintola",
            "seat": 3,
        },
        "points",
        25,
    ),
    "cash_out: a rival who is void ends no run": (
        {
            "variant": "subastado",
            "hands": ["cR e3 bA", "cA bC5", "oC cC eC"],
            "trump": "bastos",
            "leader": 1,
            "declarer": 1,
            "seat": 2,
        },
        "points",
        44,
    ),
    "cash_out: one trump more is drawn than was led": (
        {
            "variant": "tute",
            "hands": ["o7 c5 bS", "eA3 b6", "oC cR eC", "o5 eS bC"],
            "trump": "copas",
            "leader": 4,
            "seat": 2,
        },
        "points",
        0,
    ),
    "cash_out: a run goes one lead further than the rivals follow": (
        {
            "variant": "tute",
            "hands": ["cS e5 bS", "c6 e36", "o35 b3", "cRC e2"],
            "trump": "espadas",
            "leader": 3,
        },
        "points",
        0,
    ),
    "cheapest: one card more than was led": (
        {
            "variant": "tute",
            "hands": ["oS c6 e6 b6", "oR4 cC bR", "c3S eR4", "oA c4 eA b2"],
            "trump": "oros",
            "leader": 1,
        },
        "points",
        13,
    ),
    "cheapest: trumps of the leader's side are counted twice": (
        {
            "variant": "butifarra",
            "hands": ["oS cC eA bS", "cR6 bR5", "oA6 c7 b6", "cS e87 b3"],
            "trump": "oros",
            "leader": 1,
        },
        "difference",
        13,
    ),
    "own_trumps: the trumps of both sides": (
        {
            "variant": "subastado",
            "hands": ["o6 cA eC5", "o3 c5 e6 b3", "oC e3 bAS"],
            "trump": "oros",
            "leader": 1,
            "declarer": 2,
            "seat": 1,
        },
        "points",
        58,
    ),
    "limits: pairs that may still be declared are forgotten": (
        {
            "variant": "guinote",
            "hands": ["eRS bRS", "o6 c5 eA6"],
            "trump": "bastos",
        },
        "points",
        41,
    ),
    "neighbour_bound: a point less than the cards differ": (
        {
            "variant": "cuatrola",
            "hands": ["oC cC eC bC", "oR c3R eR", "o3 e3 bAS"],
            "trump": "oros",
            "leader": 1,
            "contract": "cuatrola",
            "seat": 1,
        },
        "difference",
        -59,
    ),
    "neighbour_bound: the cards of a pair too": (
        {
            "variant": "subastado",
            "hands": ["cC eRC6", "o3 cA5 b3", "oR bRC4"],
            "trump": "espadas",
            "leader": 1,
        },
        "points",
        84,
    ),
    "neighbour_bound: where the rules ask for points too": (
        {
            "variant": "butifarra",
            "hands": ["oS c4 eR b654", "o6 cS83 e4 bS", "o95 cA7 e82", "o2 c92 eC b92"],
            "trump": "none",
            "leader": 4,
            "seat": 2,
            "rules": {"boti_school": "obligada"},
        },
        "difference",
        15,
    ),
    "neighbour_bound: cards on the table do not stand between": (
        {
            "variant": "butifarra",
            "hands": ["oC e3 b93", "o9S2 b8", "o3 c6 eR b7", "oR6 e2 b6"],
            "trump": "espadas",
            "seat": 3,
        },
        "points",
        23,
    ),
    "set_apart: a pair that may still be declared is taken apart": (
        {
            "variant": "habanero",
            "hands": ["cRC2 b5", "o7 e2 b34"],
            "trump": "copas",
            "leader": 2,
        },
        "difference",
        47,
    ),
    "set_apart: one trump beyond those of one side": (
        {
            "variant": "subastado",
            "hands": ["oR4 bC", "cRC b3", "o3 c5 eS"],
            "trump": "oros",
            "leader": 1,
            "declarer": 1,
            "seat": 3,
        },
        "points",
        23,
    ),
    "set_apart: a sure trump next to the lowest card of the following suit": (
        {
            "variant": "tute",
            "hands": ["o2 e3C5 b2", "o6 eAR74", "o3C4 c7 e2", "oR c4 eS6 b4"],
            "trump": "copas",
            "leader": 3,
        },
        "points",
        37,
    ),
    "table: honours differ by a point less than they do": (
        {
            "variant": "habanero",
            "hands": ["o375", "oS cRC"],
            "trump": "bastos",
            "leader": 2,
            "seat": 2,
        },
        "points",
        7,
    ),
    "table: honours that are worth more count as worth less": (
        {
            "variant": "butifarra",
            "hands": ["cC5 bR6", "oS7 cS8", "oC cR e7 b4", "oA c6 e5 b9"],
            "trump": "none",
            "leader": 1,
            "seat": 4,
        },
        "difference",
        5,
    ),
    "table with a stock: honours differ by a point less than they do": (
        {
            "variant": "habanero",
            "hands": ["oRC", "e36"],
            "stock": "cS bR oS o6",
            "trump": "oros",
            "leader": 2,
            "rules": {"exchange_from_start": True},
        },
        "points",
        35,
    ),
    "table with a stock: honours that are worth more count as worth less": (
        {
            "variant": "habanero",
            "hands": ["c37 e2 bR", "cRC eRC"],
            "stock": "e3 cS",
            "trump": "copas",
            "leader": 1,
        },
        "points",
        38,
    ),
    "table with a stock: pairs that may yet be declared are left out": (
        {
            "variant": "habanero",
            "hands": ["cRC e3", "oC bS2"],
            "stock": "o2 c4 bR eS o3 oA",
            "trump": "oros",
            "leader": 1,
        },
        "difference",
        -17,
    ),
    "table with a stock: a pair that has been declared is as one that has not": (
        {
            "variant": "guinote",
            "hands": ["oRS eRS b7", "oC cS4 e65"],
            "stock": "o6 c3",
            "trump": "copas",
            "leader": 1,
            "rules": {"exchange_from_start": True},
        },
        "difference",
        19,
    ),
    "table with a stock: endings without one share bounds as if points were the same": (
        {
            "variant": "guinote",
            "hands": ["cARC e2 bS", "o6C cS6 e5"],
            "stock": "o2 e4",
            "trump": "espadas",
            "leader": 2,
            "seat": 2,
        },
        "points",
        8,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_stronger_bound_would_be_wrong_here(case: str) -> None:
    fields, objective, value = CASES[case]
    deal = Deal(**fields)  # type: ignore[arg-type]
    without = Solver(memory=1)
    without._set_test_mode(bounds=False, table=len(deal.hands[0]) > 4)
    assert Solver(memory=1).solve(deal, objective=objective).value == value
    assert without.solve(deal, objective=objective).value == value
    if deal.players == 3 or len(deal.hands[0]) < 4:
        assert minimax(deal.position(), deal.asked - 1, objective) == value  # type: ignore[arg-type]


def test_a_pair_s_place_is_part_of_the_shape() -> None:
    """In both deals seat 1 has the first two bastos and seat 2 the next two: other pairs."""
    first, second = (
        Deal(
            variant="subastado",
            trump="oros",
            hands=[f"c{high} e5 b3", f"o7 c{low} bR", "oS eS7 bS"],
            leader=1,
            declarer=1,
        )
        for high, low in (("RC", "S7"), ("A3", "RC"))
    )
    solver = Solver(memory=1)
    assert solver.value_bounds(first, objective="points").lower == 50
    assert solver.value_bounds(second, objective="points").lower == 40


def test_a_pair_declared_before_is_another_state() -> None:
    deal = Deal(
        variant="subastado",
        trump="oros",
        hands=["oA cA e5 bRC", "o7 cRC bS7", "oSC eS7 b5"],
        leader=1,
        declarer=1,
    )
    solver = Solver(memory=1)
    values = [
        solver.value_bounds(deal.replace(declared=declared), objective="points").lower
        for declared in ("b", "")
    ]
    assert values == [28, 42]


# Two deals whose shapes differ in one thing only, who leads, and the values.
STOCK_SHAPES = {
    "the honours over a pair": (
        (["cRC b3", "cS7 e7"], "bC o2"),
        (["cA3 b3", "cRC e7"], "bC o2"),
        1,
        [46, 38],
    ),
    "a pair of which one card is in the stock": (
        (["cS oR b2", "o5 e5 bS"], "cR o2"),
        (["cC oR b2", "o5 e5 bS"], "cR o2"),
        1,
        [6, 14],
    ),
    "which of the trumps is the seven": (
        (["o7 cS b3", "o6 e2A"], "c2 c5 bA oR"),
        (["oS cS b3", "o7 e2A"], "c2 c5 bA oR"),
        1,
        [27, 24],
    ),
    "whether the two is still there": (
        (["cR bA", "eC o2"], "b4 bC b7 o6"),
        (["cR bA", "eC o4"], "b4 bC b7 o6"),
        2,
        [11, 13],
    ),
    "the order of the stock": (
        (["b7 o4", "b3 o5"], "c4 o6 b2 o2"),
        (["b7 o4", "b3 o5"], "o6 c4 b2 o2"),
        1,
        [10, 0],
    ),
    "the turned-up card": (
        (["cS e2", "b4 e4"], "o5 bS b5 oA"),
        (["cS e2", "b4 e4"], "o5 bS b5 o4"),
        2,
        [23, 2],
    ),
}


@pytest.mark.parametrize("case", STOCK_SHAPES)
def test_a_shape_with_a_stock_has_this_too(case: str) -> None:
    *cards, leader, values = STOCK_SHAPES[case]
    deals = [
        Deal(variant="habanero", hands=hands, stock=stock, leader=leader) for hands, stock in cards
    ]
    solver = Solver(memory=1)
    assert [solver.value_bounds(deal, objective="points").lower for deal in deals] == values


def test_totals_that_decide_a_hand_are_asked_of_the_very_cards() -> None:
    deals = [
        Deal(variant="habanero", hands=hands, stock="oS o2", leader=1, points=[78, 45])
        for hands in (["cS o5", "c7 e4"], ["cA o5", "c3 e4"])
    ]
    solver = Solver(memory=1)
    assert [solver.value_bounds(deal, objective="win").lower for deal in deals] == [0, 1]
