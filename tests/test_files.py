"""Deal files: what is written is read again; bad input is refused in one line that says where."""

from __future__ import annotations

import io
import json
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import (
    SWITCHES,
    VARIANT_IDS,
    deals,
    random_game_deal,
    random_record,
    seeds,
)
from tute.deal import Deal
from tute.errors import DealError, IllegalPlayError, RulesError, TuteError
from tute.files import (
    deal_fields,
    deal_from_fields,
    read_deal,
    read_deals,
    read_fields,
    to_json,
    to_toml,
)

PLAIN: dict[str, Any] = {
    "variant": "tute",
    "trump": "oros",
    "hands": ["o3 c2", "oA c3", "oC cR", "oS cA"],
}

WHOLE = """
variant  = "subastado"          # an id
trump    = "oros"
hands    = ["oA3R7 cRC", "oS c7654 e3", "oC bA3RCS"]
leader   = 1
declarer = 1
bid      = 80
seat     = 1
played   = "Ao So Co | 3o 3e Sb"
points   = [10, 0, 4]
tricks   = [1, 2, 3]
declared = "e"
cantes   = "auto"
result   = [90, 40]
title = "La mano"
source = "El libro, p. 7"
names = ["Ana", "Ben", "Cid"]
id = "d-7"
[rules]
undertrump = "must"
montar_si_fallado = true
"""


def refused(changes: dict[str, Any], kind: type[TuteError] = DealError) -> str:
    """The one line with which these fields are refused."""
    fields = {name: value for name, value in (PLAIN | changes).items() if value is not None}
    with pytest.raises(kind) as refusal:
        deal_from_fields(fields).position()
    message = str(refusal.value)
    assert len(message.splitlines()) == 1
    assert len(message) < 250
    return message


def decorated(draw: st.DrawFn, deal: Deal) -> Deal:
    """The deal with the fields that play does not look at."""
    text = st.text(max_size=12)
    players = deal.players
    return deal.replace(
        title=draw(text),
        source=draw(text),
        names=draw(st.just(()) | st.lists(text, min_size=players, max_size=players)),
        id=draw(st.none() | text | st.integers(-(2**40), 2**40)),
        result=draw(st.none() | st.lists(st.integers(0, 250), min_size=players, max_size=players)),
        cantes=draw(st.sampled_from(("auto", "explicit"))),
        bid=draw(st.none() | st.integers(-5, 500)),
    )


@st.composite
def dressed_deals(draw: st.DrawFn) -> Deal:
    return decorated(draw, draw(deals(with_record=draw(st.booleans()))))


# ---------------------------------------------------------------- there and back


@given(dressed_deals())
def test_deal_to_toml_and_back(deal: Deal) -> None:
    assert deal_from_fields(tomllib.loads(to_toml(deal))) == deal


@given(dressed_deals())
def test_deal_to_json_and_back(deal: Deal) -> None:
    line = to_json(deal)
    assert "\n" not in line
    assert deal_from_fields(json.loads(line)) == deal
    assert deal_from_fields(deal_fields(deal)) == deal


@given(deals(with_record=True))
def test_lists_of_cards_are_as_good_as_text(deal: Deal) -> None:
    fields = deal_fields(deal)
    fields["hands"] = [list(hand) for hand in deal.hands]
    fields["stock"] = list(deal.stock)
    fields["played"] = list(deal.played)
    assert deal_from_fields(fields) == deal


@given(deals(), seeds)
def test_the_order_of_cards_in_a_hand_does_not_matter(deal: Deal, seed: int) -> None:
    fields = deal_fields(deal)
    mixed = [list(hand) for hand in deal.hands]
    for hand in mixed:
        Random(seed).shuffle(hand)
    fields["hands"] = [" ".join(hand) for hand in mixed]
    assert deal_from_fields(fields) == deal


def test_every_value_of_every_switch_is_kept() -> None:
    for name, values in SWITCHES.items():
        for value in values:
            deal = deal_from_fields(PLAIN | {"rules": {name: value}})
            assert deal_from_fields(tomllib.loads(to_toml(deal))).rules == deal.rules
            assert deal_from_fields(json.loads(to_json(deal))).rules == deal.rules


def test_fields_at_their_defaults_are_not_written() -> None:
    assert set(deal_fields(deal_from_fields(PLAIN))) == {"variant", "hands", "trump"}
    assert deal_fields(deal_from_fields(PLAIN))["hands"] == ["o3 c2", "oA c3", "oC cR", "oS cA"]


def test_every_field_of_a_file_arrives(tmp_path: Path) -> None:
    path = tmp_path / "deal.toml"
    path.write_text(WHOLE, encoding="utf-8")
    deal = read_deal(path)
    assert deal.variant.id == "subastado"
    assert (deal.trump, deal.leader, deal.declarer, deal.bid, deal.seat) == ("o", 1, 1, 80, 1)
    assert deal.hands[0] == ("Ao", "3o", "Ro", "7o", "Rc", "Cc")
    assert deal.played == ("Ao", "So", "Co", "3o", "3e", "Sb")
    assert (deal.points, deal.tricks, deal.declared) == ((10, 0, 4), (1, 2, 3), "e")
    assert (deal.cantes, deal.result, deal.id) == ("auto", (90, 40), "d-7")
    assert (deal.title, deal.source) == ("La mano", "El libro, p. 7")
    assert deal.names == ("Ana", "Ben", "Cid")
    assert (deal.rules.undertrump, deal.rules.montar_si_fallado) == ("must", True)
    assert Deal.read(path) == deal


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("deal.toml", to_toml),
        ("deal.json", to_json),
        ("deal.jsonl", lambda deal: to_json(deal) + "\n\n"),
        ("no-suffix", to_json),
        ("other-suffix.txt", to_toml),
        ("pretty.json", lambda deal: json.dumps(deal_fields(deal), indent=1)),
        ("marked.toml", lambda deal: "\ufeff" + to_toml(deal)),
        ("windows.toml", lambda deal: to_toml(deal).replace("\n", "\r\n")),
    ],
)
def test_one_deal_is_read_from_any_kind_of_file(tmp_path: Path, name: str, write: Any) -> None:
    deal = random_record(Random(3), random_game_deal(Random(3), "cabrero"), 9)
    path = tmp_path / name
    path.write_bytes(write(deal).encode())
    assert read_deal(path) == deal
    assert read_deal(str(path)) == deal
    assert list(read_deals(path)) == [deal]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = random_game_deal(Random(5), "guinote", stock=2)

    def feed(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    feed(to_toml(deal))
    assert read_deal("-") == deal
    feed(to_json(deal))
    assert read_deal("-") == deal
    feed(f"{to_json(deal)}\n{to_json(deal)}\n")
    assert list(read_deals("-")) == [deal, deal]


def test_many_deals_come_in_order(tmp_path: Path) -> None:
    many = [random_game_deal(Random(n), VARIANT_IDS[n % len(VARIANT_IDS)]) for n in range(30)]
    path = tmp_path / "many.jsonl"
    path.write_text("\n\n".join(map(to_json, many)), encoding="utf-8")
    assert list(read_deals(path)) == many
    with pytest.raises(DealError, match="30 deals, but this command takes one"):
        read_deal(path)


def test_a_bad_line_among_many_is_named(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    good = json.dumps(PLAIN)
    path.write_text(f"{good}\n\n{json.dumps(PLAIN | {'leader': 7})}\n", encoding="utf-8")
    found = read_deals(path)
    assert next(found).variant.id == "tute"
    with pytest.raises(DealError, match=r"^line 3: leader: a seat from 1 to 4, not 7$"):
        next(found)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.toml", b"", "the file is empty"),
        ("a.toml", b" \n", "the file is empty"),
        ("a.toml", b"hands = [", "no TOML"),
        ("a.toml", b"just some words", "no TOML"),
        ("a.toml", b"bid = " + b"9" * 5000, "no TOML"),
        ("a.json", b"{", "no JSON"),
        ("a.json", b"[1, 2]", "a deal is an object with fields, not a list"),
        ("a.json", b"3", "a deal is an object with fields, not a int"),
        ("a.json", b"[" * 100_000, "no JSON"),
        ("a.toml", b"a = " + b"[" * 100_000, "no TOML"),
        ("a.toml", b"\xff\xfe\x00", "not a text file in UTF-8"),
        ("a.toml", b"title = 3", "title: expected str, got int"),
        ("a.toml", b'title = "x"', "missing required field variant"),
        ("a.toml", b'variant = "tute"', "missing required field hands"),
    ],
)
def test_files_that_hold_no_deal(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DealError, match=says) as refusal:
        read_deal(path)
    assert len(str(refusal.value).splitlines()) == 1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DealError, match="No such file"):
        read_fields(tmp_path / "none.toml")
    with pytest.raises(DealError, match="directory"):
        read_fields(tmp_path)


# ---------------------------------------------------------------- fields that cannot be


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        # Hands: the seat and the card.
        ({"hands": ["o3 c2", "oA c3", "oC cR", "oS c2"]}, "seat 4: 2c is also in hands: seat 1"),
        ({"hands": ["o3 c2", "oA c3", "oC cR", "oSS"]}, "hands: seat 4: So is there twice"),
        ({"hands": ["o3 c2", "oA c3", "oC c9", "oS cA"]}, "hands: seat 3: 9c is not in the deck"),
        (
            {"hands": ["o3 c2", "oA c3", "oC", "oS cA"]},
            "hands: seat 3 has 1 cards, but another has 2",
        ),
        ({"hands": ["o3 c2", "oA c3", "oC cR", "oS"]}, "hands: seat 4 has 1 cards, but another"),
        ({"hands": ["o3 c2", "oA c3", "oC cX", "oS cA"]}, "hands: seat 3: 'cX': 'x' is no rank"),
        (
            {"hands": ["o3 c2", "oA s3", "oC cR", "oS cA"]},
            "hands: seat 2: 's3' is no card: .*sota",
        ),
        ({"hands": ["o3 c2", "oA c3", "oC cR", 7]}, "hands: seat 4: expected str"),
        ({"hands": ["o3 c2", "oA c3", "oC cR"]}, "hands: tute is for 4 players, not 3"),
        ({"hands": "o3 c2"}, "hands: expected array, got str"),
        ({"hands": []}, "hands: tute is for 4 players, not 0"),
        # Trump.
        ({"trump": None}, "trump: missing; oros, copas, espadas, bastos"),
        ({"trump": "none"}, "trump: tute is played with a trump suit, not none"),
        ({"trump": "picas"}, "trump: 'picas' is no suit"),
        ({"trump": 3}, "trump: expected str"),
        # Seats.
        ({"leader": 0}, "leader: a seat from 1 to 4, not 0"),
        ({"leader": 5}, "leader: a seat from 1 to 4, not 5"),
        ({"leader": "1"}, "leader: expected int"),
        ({"leader": True}, "leader: expected int"),
        ({"declarer": 9}, "declarer: a seat from 1 to 4, not 9"),
        ({"seat": -1}, "seat: a seat from 1 to 4, not -1"),
        ({"seat": 10**60}, "seat: a seat from 1 to 4"),
        # Numbers.
        ({"bid": "eighty"}, "bid: expected int"),
        ({"bid": 10**30}, "bid: such a number is no bid"),
        ({"points": [1, 2]}, "points: one number for each of the 4 seats, not 2"),
        ({"points": [1, 2, 3, -1]}, "points: seat 4: 0 to 1000, not -1"),
        ({"points": [1, 1001, 3, 1]}, "points: seat 2: 0 to 1000, not 1001"),
        ({"points": [1, "x", 3, 1]}, "points: seat 2: expected int"),
        ({"tricks": [1, 2, 3, 41]}, "tricks: seat 4: 0 to 40, not 41"),
        ({"result": [1, 2, 3]}, "result: one total for each of the 4 seats, or for each side"),
        # Words.
        ({"declared": "ox"}, "declared: 'x' is no suit"),
        ({"cantes": "maybe"}, "cantes: auto or explicit, not 'maybe'"),
        ({"names": ["Ana"]}, "names: one for each of the 4 seats, not 1"),
        ({"id": [1]}, "id: expected"),
        ({"nonsense": 1}, "unknown field nonsense"),
        # Fields of other games.
        ({"contract": "solo"}, "contract: only cuatrola has contracts"),
        ({"stock": "2o 2e 2b 7o"}, "stock: tute has no stock"),
        ({"carried": [10, 20]}, "carried: tute has no second hand"),
        ({"widow": "2o"}, "widow: only subastado with subastado_widow = yes has one"),
        # The record.
        ({"played": "3o xx"}, "played: 'xx' is no card"),
        ({"played": ["3o", 7]}, r"played\[1\]: expected str"),
    ],
)
def test_a_field_that_cannot_be_is_named(changes: dict[str, Any], says: str) -> None:
    fields = {name: value for name, value in (PLAIN | changes).items() if value is not None}
    with pytest.raises(DealError, match=says):
        deal_from_fields(fields).position()
    refused(changes)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"variant": "mus"}, "variant: 'mus' is unknown; one of tute, "),
        ({"rules": {"undertrumps": "must"}}, "rules: unknown switch 'undertrumps'"),
        ({"rules": {"undertrump": "maybe"}}, "rules: undertrump is free or must, not 'maybe'"),
        ({"rules": {"undertrump": True}}, "rules: undertrump is free or must, not 'True'"),
        ({"rules": {"undertrump": ["must"]}}, "rules: undertrump is free or must, not 'list'"),
        ({"rules": {"hand_size": 0}}, "rules: hand_size is 1 to 12, not '0'"),
        ({"rules": {"hand_size": 6.0}}, "rules: hand_size is 1 to 12, not 'float'"),
        ({"rules": {"montar_si_fallado": 1}}, "rules: montar_si_fallado is no or yes, not '1'"),
        ({"rules": {"tute": "counts_0"}}, "rules: tute is none or wins_hand"),
        ({"rules": {"cabrero_trump": "dealer"}}, "rules: cabrero_trump is input, not 'dealer'"),
        ({"rules": {"cuatrola_tricks": 3}}, "rules: cuatrola_tricks is 4 or 5, not '3'"),
    ],
)
def test_a_switch_that_cannot_be_is_named(changes: dict[str, Any], says: str) -> None:
    assert says in refused(changes, RulesError)


@pytest.mark.parametrize(
    ("played", "says"),
    [
        ("7c", "token 1: seat 1 may not play 7c: that card is not in .*; allowed: 3o 2c$"),
        ("3o So", "token 2: seat 2 may not play So: that card is not in the player's hand"),
        ("3o 3c", "token 2: seat 2 may not play 3c: it breaks the duty of asistir; allowed: Ao"),
        ("3o *40", "token 2: seat 2 may not play .40: no such declaration"),
        ("3o -Ao", "token 2: seat 2 may not play -Ao: there is nothing to put away"),
        ("3o Ao Co So | 2c", "token 5: seat 2 may not play 2c: that card is not in"),
        ("3o Ao Co So | 3c Rc Ac 2c Ro", "token 9: .* the hand is over"),
    ],
)
def test_a_record_that_cannot_be_names_token_seat_and_card(played: str, says: str) -> None:
    with pytest.raises(IllegalPlayError, match=f"^played: {says}"):
        deal_from_fields(PLAIN | {"played": played}).position()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        (
            {"variant": "habanero", "hands": ["oA", "oR"], "stock": "2o 3o 4o"},
            "stock: 3 cards cannot be shared out among 2 players",
        ),
        (
            {"variant": "habanero", "hands": ["oA", "oR"], "stock": "2o 3c", "trump": "o"},
            "trump: the turned-up card is 3c",
        ),
        ({"variant": "habanero", "hands": ["", ""], "stock": "2o 3c"}, "no cards in the hands"),
        (
            {"variant": "habanero", "hands": ["oA", "oR"], "stock": "2o Ro"},
            "stock: Ro is also in hands: seat 2",
        ),
        ({"variant": "habanero", "hands": ["oA", "oR"], "stock": "2o 9o"}, "stock: 9o is not in"),
        ({"variant": "habanero", "hands": ["oA", "oR"], "carried": [1]}, "carried: one number"),
        (
            {"variant": "habanero", "hands": ["oA", "oR"], "carried": [1, 2, 3]},
            "carried: one number",
        ),
        ({"variant": "guinote", "hands": ["oA", "oR"]}, "trump: missing"),
        ({"variant": "butifarra", "hands": ["oA", "oR", "o9", "o8"]}, "trump: missing.* or none"),
        ({"variant": "subastado", "hands": ["oA", "oR", "o2"], "trump": "o"}, "seat 3: 2o is not"),
        ({"variant": "cabrero", "hands": ["oA", "oR", "o2"], "trump": "o"}, "seat 3: 2o is not"),
        ({"variant": "cuatrola", "hands": ["oA", "oR", "o3"], "trump": "o"}, "contract: cuatrola"),
        (
            {"variant": "cuatrola", "hands": ["oA", "oR", "o3"], "trump": "o", "contract": "grand"},
            "contract: solo, cuatrola or quintola, not 'grand'",
        ),
        (
            {"variant": "cabron", "hands": ["oA", "oR", "o3"], "declared": "o"},
            "declared: the first cante of cabron makes trumps",
        ),
        (
            {
                "variant": "subastado",
                "hands": ["oA", "oR", "o3"],
                "trump": "o",
                "widow": "3o",
                "rules": {"subastado_widow": True},
            },
            "widow: 3o is also in hands: seat 3",
        ),
        (
            {
                "variant": "subastado",
                "hands": ["oA", "oR", "o3"],
                "trump": "o",
                "widow": "oCS",
                "rules": {"subastado_widow": True},
            },
            "widow: one card, not 2",
        ),
    ],
)
def test_deals_of_other_games_that_cannot_be(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(DealError, match=says):
        deal_from_fields(fields).position()


def test_what_depends_on_trumps_is_in_the_deck_where_they_differ() -> None:
    hands = ["oA c2", "oR c3", "oS cA"]
    with pytest.raises(DealError, match="hands: seat 1: 2c is not in the deck of cabrero"):
        Deal(variant="cabrero", hands=hands, trump="c")
    assert "2c" in Deal(variant="cabrero", hands=hands, trump="o").hands[0]
    for deck, twos in (("36", False), ("39", True), (39, True)):
        rules = {"tute3_deck": deck}
        if twos:
            Deal(variant="tute-individual", hands=hands, trump="o", rules=rules)
        else:
            with pytest.raises(DealError, match="2c is not in the deck"):
                Deal(variant="tute-individual", hands=hands, trump="o", rules=rules)


@given(st.dictionaries(st.sampled_from(sorted(PLAIN | {"played": 1, "leader": 1})), st.integers()))
def test_wrong_types_never_end_in_anything_but_a_refusal(changes: dict[str, int]) -> None:
    wrong = PLAIN | changes
    plain = not changes or set(changes) == {"leader"}
    if plain and 1 <= changes.get("leader", 1) <= 4:
        assert deal_from_fields(wrong).variant.id == "tute"
    else:
        with pytest.raises(TuteError):
            deal_from_fields(wrong)


def test_replace_checks_again() -> None:
    deal = deal_from_fields(PLAIN)
    assert deal.replace(leader=3).leader == 3
    assert deal.replace(leader=3).replace(leader=None) == deal
    with pytest.raises(DealError, match="leader"):
        deal.replace(leader=5)
