"""Text to cards and back: every form that is read, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strategies import VARIANT_IDS, deals, random_game_deal, random_record, seeds
from tute.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS, Card, Deck
from tute.deal import Deal
from tute.errors import CardError
from tute.notation import (
    CAPOTE,
    FORTY,
    SEVEN,
    TUTE,
    TWENTY,
    TWO,
    Declaration,
    Discard,
    format_cards,
    format_hand,
    format_moves,
    parse_card,
    parse_hand,
    parse_move,
    parse_moves,
    parse_suit,
)
from tute.variants import VARIANTS

CARDS = [Card(rank + suit) for suit in SUITS for rank in RANKS]
NUMBERS = {"A": "1", "S": "10", "C": "11", "R": "12"}
FULL_DECK = Deck("A3RCS9876542", {})


def written(card: Card) -> set[str]:
    """Every form in which a card may be written, in small letters."""
    forms = set()
    for rank in {card.rank, NUMBERS.get(card.rank, card.rank)}:
        forms |= {rank + card.suit, card.suit + rank}
        forms |= {f"{rank} de {SUIT_NAMES[card.suit]}", f"{rank} de {card.suit}"}
    forms.add(f"{RANK_NAMES[card.rank]} de {SUIT_NAMES[card.suit]}")
    forms.add(f"{RANK_NAMES[card.rank]} de {SUIT_NAMES[card.suit].removesuffix('s')}")
    return {form.lower() for form in forms}


@pytest.mark.parametrize("card", CARDS)
def test_every_form_of_a_card_is_read(card: Card) -> None:
    for form in written(card):
        assert parse_card(form) == card
        assert parse_card(form.upper()) == card
        assert parse_card(form.title()) == card
        assert parse_card(f"  {form}\t") == card
        assert parse_hand(form) == (card,)
        assert parse_moves(form) == (card,)


def test_no_text_is_two_cards() -> None:
    meaning: dict[str, Card] = {}
    for card in CARDS:
        for form in written(card):
            assert meaning.setdefault(form, card) == card


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("Co", "Co"),
        ("oC", "Co"),
        ("CC", "Cc"),
        ("cc", "Cc"),
        ("Sc", "Sc"),
        ("cS", "Sc"),
        ("12e", "Re"),
        ("e12", "Re"),
        ("1B", "Ab"),
        ("10o", "So"),
        ("As de Oros", "Ao"),
        ("ancho de espadas", "Ae"),
        ("caballo  de copas", "Cc"),
        ("12 de espadas", "Re"),
    ],
)
def test_cards_as_people_write_them(text: str, card: str) -> None:
    assert parse_card(text) == card


ENGLISH = [rank + suit for rank in RANKS for suit in "sdh" if rank + suit != "Cs"]  # that is cS


@pytest.mark.parametrize("text", [*ENGLISH, "s7", "h12", "d1", "3S"])
def test_english_initials_are_refused_with_a_word_about_the_sota(text: str) -> None:
    with pytest.raises(CardError, match=r"o c e b .*S is the sota") as refusal:
        parse_card(text)
    assert repr(text) in str(refusal.value)
    with pytest.raises(CardError, match="sota"):
        parse_hand(f"Ao {text}")
    with pytest.raises(CardError, match="sota"):
        parse_moves(f"Ao | {text}")


NO_CARDS = ["", " ", "o", "7", "é", "oo", "77", "0o", "13o", "11", "Ko", "Qc", "Jb", "7x", "Aoo"]
NO_CARDS += ["as", "de", "rey de", "de oros", "rey de picas", "uno de oros", "7 oros", "-7c", "*40"]
NO_CARDS += ["7\u0301o", "7\no"]


@pytest.mark.parametrize("text", NO_CARDS)
def test_what_is_no_card_is_refused_on_one_line(text: str) -> None:
    with pytest.raises(CardError) as refusal:
        parse_card(text)
    assert repr(text) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_long_text_is_cut_in_the_message() -> None:
    with pytest.raises(CardError) as refusal:
        parse_card("x" * 10_000)
    assert len(str(refusal.value)) < 120


@pytest.mark.parametrize(
    ("text", "suit"),
    [(f(form), s) for s in SUITS for form in (s, SUIT_NAMES[s]) for f in (str, str.upper)]
    + [("oro", "o"), ("Copa", "c"), ("espada", "e"), (" basto ", "b")],
)
def test_suits_are_read_by_letter_and_name(text: str, suit: str) -> None:
    assert parse_suit(text) == suit


@pytest.mark.parametrize("text", ["", "s", "d", "h", "x", "oc", "none", "picas"])
def test_what_is_no_suit_is_refused(text: str) -> None:
    with pytest.raises(CardError, match="is no suit: oros, copas, espadas or bastos"):
        parse_suit(text)


# ---------------------------------------------------------------- hands


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("oA3R7 cRC42 eS76 b5", "Ao 3o Ro 7o Rc Cc 4c 2c Se 7e 6e 5b"),
        ("O:A3R7 C:- E:C65 B:S2", "Ao 3o Ro 7o Ce 6e 5e Sb 2b"),
        ("oa3r CRC", "Ao 3o Ro Rc Cc"),
        ("cCS", "Cc Sc"),
        ("CCS", "Cc Sc"),
        ("cc", "Cc"),
        ("o9 c8", "9o 8c"),
        ("Ao, 3c; 12e\n4b", "Ao 3c Re 4b"),
        ("Ao oR cS7", "Ao Ro Sc 7c"),
        ("as de oros, rey de copas", "Ao Rc"),
        ("As de oros rey DE copas 7b", "Ao Rc 7b"),
        ("12e 10o", "Re So"),
        ("Ao Ao", "Ao Ao"),
        ("", ""),
        (" , ", ""),
        ("c:-", ""),
    ],
)
def test_hands_are_groups_or_lists(text: str, cards: str) -> None:
    assert format_cards(parse_hand(text)) == cards


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("oA1", "two ways"),
        ("c10", None),
        ("o1210", "two ways"),
        ("oAK", "'k' is no rank"),
        ("oA3 x7", "'x7' is no card"),
        ("oA3 c", "'c' is no card"),
        ("oA3 c:", "'c:' is no card"),
        ("oA3R de c", "no card"),
    ],
)
def test_groups_that_cannot_be_read(text: str, says: str | None) -> None:
    if says is None:
        assert parse_hand(text) == ("Sc",)
        return
    with pytest.raises(CardError, match=says):
        parse_hand(text)


@given(st.sets(st.sampled_from(CARDS)), seeds)
def test_hand_to_text_and_back(cards: set[Card], seed: int) -> None:
    mixed = sorted(cards)
    Random(seed).shuffle(mixed)
    text = format_hand(mixed, FULL_DECK)
    assert parse_hand(text) == FULL_DECK.sort(cards)
    assert [group[0] for group in text.split()] == sorted(
        {card.suit for card in cards}, key=SUITS.index
    )
    assert parse_hand(format_cards(mixed)) == tuple(mixed)
    assert parse_hand(text.upper()) == FULL_DECK.sort(cards)


def test_a_hand_is_written_high_to_low_in_the_order_of_the_game() -> None:
    cards = parse_hand("Cb Sb Rb Ab 3b 2b")
    tute, guinote = VARIANTS["tute"], VARIANTS["guinote"]
    assert format_hand(cards, Deck(tute.ranks, tute.values)) == "bA3RCS2"
    assert format_hand(cards, Deck(guinote.ranks, guinote.values)) == "bA3RSC2"


# ---------------------------------------------------------------- records


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("*40", FORTY),
        ("*tute", TUTE),
        ("*TUTE", TUTE),
        ("*7", SEVEN),
        ("*2", TWO),
        ("*capote", CAPOTE),
        *((f"*20{suit}", TWENTY[suit]) for suit in SUITS),
        *((f"*20{suit}".upper(), TWENTY[suit]) for suit in SUITS),
        ("*20copas", TWENTY["c"]),
        ("*40o", Declaration("*40o")),
        ("*40ESPADAS", Declaration("*40e")),
    ],
)
def test_declarations(text: str, move: Declaration) -> None:
    read = parse_move(text)
    assert read == move
    assert isinstance(read, Declaration)


def test_the_suit_of_a_declaration() -> None:
    assert Declaration("*20c").suit == "c"
    assert Declaration("*40b").suit == "b"
    assert FORTY.suit is None
    assert TWO.suit is None
    assert TUTE.suit is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("*20", r"\*20o \*20c \*20e or \*20b"),
        ("*20s", "'s' is no suit"),
        ("*30c", "no declaration"),
        ("*", "no declaration"),
        ("*7c", "no declaration"),
        ("*Ao", "no declaration"),
        ("-", "no card"),
        ("-*40", "no card"),
        ("-7s", "sota"),
    ],
)
def test_what_is_no_move_is_refused(text: str, says: str) -> None:
    with pytest.raises(CardError, match=says):
        parse_move(text)


def test_a_discard_is_a_card_with_a_dash() -> None:
    move = parse_move("-12c")
    assert isinstance(move, Discard)
    assert move == "-Rc"
    assert move.card == "Rc"


def test_a_record_is_read_with_and_without_bars() -> None:
    with_bars = parse_moves("Ao 7o 4o | Rc *20c 3c|as de copas")
    assert with_bars[:3] == ("Ao", "7o", "4o")
    assert with_bars == parse_moves("ao o7 4O 12c *20C c3 cA")
    assert [type(move) for move in with_bars] == [Card] * 4 + [Declaration] + [Card] * 2


def test_a_record_is_written_with_a_bar_after_each_trick() -> None:
    moves = parse_moves("-7c Ao 7o 4o *20c Rc 3c Ac *40 6o")
    assert format_moves(moves, 3) == "-7c Ao 7o 4o *20c | Rc 3c Ac *40 | 6o"
    assert format_moves((), 3) == ""


@given(deals(with_record=True))
@example(random_record(Random(7), random_game_deal(Random(7), "habanero", 5, stock=3), 40))
def test_record_to_text_and_back(deal: Deal) -> None:
    for size in (2, 3, 4, 5):
        assert parse_moves(format_moves(deal.played, size)) == deal.played


# ---------------------------------------------------------------- any text at all

letters = st.text(st.sampled_from("oceb OCEB arcs ARCS 1234567890 89 sdh *-|:,;de t\n_é"))


@pytest.mark.parametrize("read", [parse_card, parse_hand, parse_moves, parse_move, parse_suit])
@given(text=letters | st.text())
@example(text="\x1f")
@example(text="de")
@example(text="a de ")
def test_any_text_is_read_or_refused_in_one_line(read: Callable[[str], object], text: str) -> None:
    message = ""
    try:
        read(text)
    except CardError as refusal:
        message = str(refusal)
    assert len(message.splitlines()) <= 1


@given(letters)
def test_what_is_read_once_is_read_again_from_its_own_text(text: str) -> None:
    try:
        moves = parse_moves(text)
    except CardError:
        return
    assert parse_moves(format_moves(moves, 3)) == moves


@pytest.mark.parametrize("name", ["", "A", "Aoo", "oA", "ao", "Ax", "1o"])
def test_card_values_are_canonical_names_only(name: str) -> None:
    with pytest.raises(CardError, match="no card"):
        Card(name)


def test_the_variants_have_the_cards_that_the_rules_name() -> None:
    assert len(VARIANT_IDS) >= 10
    for variant_id, players, ranks, size in [
        ("tute", 4, "A3RCS76542", 40),
        ("tute-individual", 3, "A3RCS7654", 36),
        ("tute-individual", 4, "A3RCS76542", 40),
        ("subastado", 3, "A3RCS7654", 36),
        ("subastado-parejas", 4, "A3RCS76542", 40),
        ("habanero", 2, "A3RCS76542", 40),
        ("cabron", 3, "A3RCS7654", 36),
        ("cabron", 4, "A3RCS76542", 40),
        ("cabrero", 3, "A3RCS76542", 39),
        ("cabrero", 4, "A3RCS76542", 40),
        ("cabrero", 5, "A3RCS76542", 40),
        ("cuatrola", 4, "A3RCS", 20),
        ("guinote", 2, "A3RSC76542", 40),
        ("guinote", 4, "A3RSC76542", 40),
        ("butifarra", 4, "9ARCS8765432", 48),
    ]:
        variant = VARIANTS[variant_id]
        deck = variant.deck(players, variant.rules, "o")
        assert deck.ranks == ranks, variant_id
        assert len(deck.cards) == size, variant_id
        assert sum(deck.points.values()) == (60 if variant_id == "butifarra" else 120), variant_id


@pytest.mark.parametrize(
    ("variant_id", "values"),
    [
        ("tute", {"A": 11, "3": 10, "R": 4, "C": 3, "S": 2, "7": 0, "2": 0}),
        ("cuatrola", {"A": 11, "3": 10, "R": 4, "C": 3, "S": 2}),
        ("guinote", {"A": 11, "3": 10, "R": 4, "S": 3, "C": 2, "7": 0, "2": 0}),
        ("butifarra", {"9": 5, "A": 4, "R": 3, "C": 2, "S": 1, "8": 0, "3": 0}),
    ],
)
def test_the_points_of_the_cards(variant_id: str, values: dict[str, int]) -> None:
    variant = VARIANTS[variant_id]
    deck = variant.deck(4, variant.rules, "o")
    assert {rank: deck.points[Card(rank + "e")] for rank in values} == values
