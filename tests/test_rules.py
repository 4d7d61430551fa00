"""Switches and presets: names, values and defaults are those of the rules, nothing else is read."""

from __future__ import annotations

from random import Random

import pytest

from strategies import SWITCHES, VARIANT_IDS, random_game_deal, random_switches
from tute.deal import Deal
from tute.errors import RulesError
from tute.rules import OUTSIDE_THE_HAND, Rules, switches, with_switches, write_value
from tute.variants import VARIANTS, variant

# Section 9 of the rules; the first value is the default where no variant has another.
SECTION_9 = {
    "montar_si_fallado": "no yes",
    "undertrump": "free must",
    "partner_exempt": "none all beat",
    "cante_timing": "after_trick at_second_card at_lead",
    "cante_who": "winner side",
    "cante_per_trick": "one several",
    "cante_order": "forty_first free",
    "tute": "none wins_hand wins_match counts_N",
    "tute_hand": "among exact",
    "tie_hand": "draw last_trick",
    "tute3_deck": "36 39",
    "stock_duty": "trump_only_follow none trump_only_full full",
    "cante_window": "before_draw until_lead",
    "cante_until": "whole_hand stock_only until_two_left first_win_after_stock",
    "exchange_last_draw": "yes no",
    "exchange_from_start": "no yes",
    "vuelta": "auto claim",
    "capote": "none last8",
    "subastado_lead": "mano declarer",
    "subastado_widow": "no yes",
    "middle4": "both second third",
    "all_tied": "all none",
    "double_pair": "led_first order_completed",
    "loser_rule": "rank second middle",
    "cabrero_tie": "seat joint",
    "top_tie": "other_loses tied_lose",
    "zero_point_takers": "all_lose by_rank",
    "capote_forced_counts": "no yes",
    "no_cargar": "no yes",
    "cuatrola_tricks": "4 5",
    "cuatrola_lead": "mano bidder",
    "boti_school": "lliure obligada",
    "boti_void_partner": "any trump",
}
NUMBERS = {"hand_size": 8, "score_limit": 100}

# What the decisions preset otherwise.
PRESETS = {
    "tute": {},
    "tute-individual": {},
    "subastado": {},
    "subastado-parejas": {
        "cante_timing": "at_second_card",
        "cante_who": "side",
        "undertrump": "must",
    },
    "habanero": {},
    "cabron": {},
    "cabrero": {"tute": "wins_hand", "tute_hand": "exact", "cabrero_tie": "joint"},
    "cuatrola": {"cante_who": "side"},
    "guinote": {"partner_exempt": "all", "cante_who": "side", "stock_duty": "none"},
    "butifarra": {"partner_exempt": "all"},
}


def test_the_switches_are_those_of_section_9() -> None:
    assert {switch.name for switch in switches()} == set(SECTION_9) | set(NUMBERS)
    assert set(OUTSIDE_THE_HAND) == {"cuatrola_auction", "cabrero_trump"}
    for switch in switches():
        if switch.name in SECTION_9:
            assert set(switch.values) == set(SECTION_9[switch.name].split()), switch.name
        assert switch.about


@pytest.mark.parametrize(("name", "values"), SECTION_9.items())
def test_the_default_is_the_first_value(name: str, values: str) -> None:
    assert write_value(getattr(Rules(), name)) == values.split()[0]


def test_numbers_have_the_defaults_of_the_rules() -> None:
    assert {name: getattr(Rules(), name) for name in NUMBERS} == NUMBERS


@pytest.mark.parametrize("variant_id", PRESETS)
def test_presets(variant_id: str) -> None:
    preset = VARIANTS[variant_id].rules
    for name in SECTION_9:
        wanted = PRESETS[variant_id].get(name, SECTION_9[name].split()[0])
        assert write_value(getattr(preset, name)) == wanted, name
    assert preset.score_limit == 100


@pytest.mark.parametrize(
    ("variant_id", "players", "sides", "objectives"),
    [
        ("tute", {4}, "pairs", ["points", "difference", "win"]),
        ("tute-individual", {3, 4}, "alone", ["points", "difference"]),
        ("subastado", {3}, "declarer", ["points", "difference", "win"]),
        ("subastado-parejas", {4}, "pairs", ["points", "difference", "win"]),
        ("habanero", {2}, "pairs", ["difference", "points", "win"]),
        ("cabron", {3, 4}, "alone", []),
        ("cabrero", {3, 4, 5}, "alone", []),
        ("cuatrola", {3, 4}, "pairs", ["points", "difference", "win", "tricks"]),
        ("guinote", {2, 4}, "pairs", ["points", "difference", "win"]),
        ("butifarra", {4}, "pairs", ["points", "difference", "win"]),
    ],
)
def test_who_plays_with_whom_for_what(
    variant_id: str, players: set[int], sides: str, objectives: list[str]
) -> None:
    preset = variant(variant_id.upper())
    assert set(preset.players) == players
    assert preset.sides == sides
    assert list(preset.objectives) == objectives


@pytest.mark.parametrize("variant_id", VARIANT_IDS)
def test_every_switch_is_accepted_in_every_variant(variant_id: str) -> None:
    """A switch that cannot matter is accepted, and the deal can be played."""
    rng = Random(1)
    for name, values in SWITCHES.items():
        for value in values:
            deal = random_game_deal(rng, variant_id, 2, switches={name: value})
            if name not in OUTSIDE_THE_HAND:
                written = write_value(value).lower()
                assert write_value(getattr(deal.rules, name)) == written
            position = deal.start()
            assert position.legal() or position.passed_goal is not None


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ({"undertrump": "MUST"}, {"undertrump": "must"}),
        ({"montar_si_fallado": True}, {"montar_si_fallado": True}),
        ({"montar_si_fallado": "yes"}, {"montar_si_fallado": True}),
        ({"montar_si_fallado": "Yes"}, {"montar_si_fallado": True}),
        ({"montar_si_fallado": "true"}, {"montar_si_fallado": True}),
        ({"exchange_last_draw": "no"}, {"exchange_last_draw": False}),
        ({"exchange_last_draw": False}, {"exchange_last_draw": False}),
        ({"tute3_deck": 39}, {"tute3_deck": "39"}),
        ({"tute3_deck": "39"}, {"tute3_deck": "39"}),
        ({"cuatrola_tricks": 5}, {"cuatrola_tricks": 5}),
        ({"cuatrola_tricks": "5"}, {"cuatrola_tricks": 5}),
        ({"hand_size": "6"}, {"hand_size": 6}),
        ({"score_limit": 120}, {"score_limit": 120}),
        ({"tute": "counts_2"}, {"tute": "counts_2"}),
        ({"tute": "COUNTS_12"}, {"tute": "counts_12"}),
        ({"cabrero_trump": "input"}, {}),
        ({"cuatrola_auction": "HIGHEST"}, {}),
        ({}, {}),
    ],
)
def test_how_values_are_read(value: dict[str, object], read: dict[str, object]) -> None:
    rules = with_switches(Rules(), value)
    assert rules == with_switches(Rules(), read)
    for name, wanted in read.items():
        assert getattr(rules, name) == wanted
        assert type(getattr(rules, name)) is type(wanted)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("undertrump", "yes"),
        ("undertrump", None),
        ("montar_si_fallado", "maybe"),
        ("montar_si_fallado", 1),
        ("tute3_deck", 40),
        ("tute3_deck", True),
        ("cuatrola_tricks", True),
        ("hand_size", 13),
        ("hand_size", -6),
        ("hand_size", "٦"),
        ("hand_size", "6.0"),
        ("score_limit", 1001),
        ("score_limit", "x"),
        ("tute", "counts_"),
        ("tute", "counts_100"),
        ("tute", True),
        ("cuatrola_auction", "lowest"),
        ("cuatrola_auction", 1),
        ("Undertrump", "must"),
        ("", "must"),
    ],
)
def test_what_is_no_value_is_refused(name: str, value: object) -> None:
    with pytest.raises(RulesError, match=r"^rules: ") as refusal:
        with_switches(Rules(), {name: value})
    assert name in str(refusal.value)
    assert len(str(refusal.value).splitlines()) == 1


@pytest.mark.parametrize("name", ["mus", "", "tute ", "TUTE"])
def test_names_of_variants(name: str) -> None:
    if name.strip():
        known = name.strip().lower() in VARIANTS
        if known:
            assert variant(name).id == "tute"
            return
    with pytest.raises(RulesError, match="is unknown; one of tute, tute-individual"):
        variant(name)


def test_random_switches_reach_every_value() -> None:
    seen: dict[str, set[object]] = {name: set() for name in SWITCHES}
    for seed in range(400):
        for name, value in random_switches(Random(seed), "tute").items():
            seen[name].add(value)
    assert seen == {name: set(values) for name, values in SWITCHES.items()}


# ---------------------------------------------------------------- switches of other games


@pytest.mark.parametrize(
    "variant_id", [v for v in VARIANT_IDS if v not in ("habanero", "cuatrola")]
)
def test_no_cargar_belongs_to_cabrero_and_the_school_to_butifarra(variant_id: str) -> None:
    """Seat 3 is void and without trumps; elsewhere it may play any card whatever these say."""

    def legal(**rules: object) -> set[str]:
        hands = ["oA4 b7", "o75 b6", "eA34", "c765"][: max(VARIANTS[variant_id].players)]
        deal = Deal(variant=variant_id, hands=hands, trump="b", rules=rules)
        return set(deal.start().play("Ao").play("5o").legal())

    every = {"Ae", "3e", "4e"}
    poorest, lowest_or_points = {"4e"}, {"Ae", "3e"}
    assert legal() == every
    assert legal(no_cargar=True) == (poorest if variant_id == "cabrero" else every)
    taught = legal(boti_school="obligada")
    assert taught == (lowest_or_points if variant_id == "butifarra" else every)
    assert legal(boti_void_partner="trump") == every
