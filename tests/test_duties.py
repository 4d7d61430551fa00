"""Asistir, montar, fallar, pisar: published cases, single switches, and the definition itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given

from strategies import deals, random_move, random_switches, seeds
from tute.cards import SUITS, Card, Deck
from tute.deal import Deal
from tute.duties import Turn, beats, winning
from tute.errors import IllegalPlayError
from tute.notation import parse_hand
from tute.position import Position
from tute.rules import Rules, with_switches
from tute.variants import VARIANTS

TUTE = VARIANTS["tute"].deck(4, Rules(), "o")
BUTIFARRA = VARIANTS["butifarra"].deck(4, Rules(), "o")
CUATROLA = VARIANTS["cuatrola"].deck(4, Rules(), "o")
GUINOTE = VARIANTS["guinote"].deck(4, Rules(), "o")


def legal(
    trump: str | None,
    trick: str,
    hand: str,
    switches: Mapping[str, object] | None = None,
    *,
    deck: Deck = TUTE,
    partner: bool = False,
    stock: bool = False,
) -> str:
    """The playable cards, written in the order of the hand as given."""
    held = parse_hand(hand)
    rules = with_switches(Rules(), switches or {})
    turn = Turn(deck.sort(held), parse_hand(trick), trump, rules, deck, partner, stock)
    cards, _ = turn.playable()
    return " ".join(card for card in held if card in cards)


@pytest.mark.parametrize(
    ("trick", "hand", "duty"),
    [
        ("4c 5o", "7o 4o Ae", "pisar"),
        ("4c 5o", "7o 6o Ae", "fallar"),  # every trump overtrumps
        ("4c", "Ac 2c Ao", "montar"),
        ("4c", "Ac 3c Ao", "asistir"),  # every copa beats
        ("4c", "Ac 3c", None),
        ("4c 5o", "7o 6o", None),
    ],
)
def test_the_duty_that_shuts_out_the_rest(trick: str, hand: str, duty: str | None) -> None:
    turn = Turn(TUTE.sort(parse_hand(hand)), parse_hand(trick), "o", Rules(), TUTE)
    assert turn.playable()[1] == duty


# ---------------------------------------------------------------- published cases (section 7)


@pytest.mark.parametrize(
    ("trump", "trick", "hand", "wanted"),
    [
        ("b", "7c", "3c 5c Ao 2b", "3c"),  # item 3
        ("b", "Ae", "2b Ro 5c", "2b"),  # item 4
        *((trump, "2c", "5o So 5c Sc 5e Se 5b Sb", "5c Sc") for trump in SUITS),  # item 7
        ("b", "Rc", "Ao Sb Ce 2b", "Sb 2b"),  # item 9
        # Item 8: copas led and trumped with the 5 of oros.
        ("o", "4c 5o", "Ac 2c 7o", "Ac 2c"),  # follows suit, need not beat
        ("o", "4c 5o", "7o 4o Ae", "7o"),  # void: overtrumps
        ("o", "4c 5o", "4o 2o Ae", "4o 2o Ae"),  # void, cannot overtrump: anything
    ],
)
def test_published_cases(trump: str, trick: str, hand: str, wanted: str) -> None:
    assert legal(trump, trick, hand) == wanted


@pytest.mark.parametrize(
    ("trump", "trick", "hand", "wanted"),
    [
        ("b", "So", "Ao 3o Se Cb Rc", "Ao 3o"),  # item 10: an oro
        ("b", "Ao", "3o Se Cb Rc", "3o"),
        ("c", "Se", "Ao 3o Sc Cb", "Sc"),  # void: trumps
    ],
)
def test_published_cases_of_cuatrola(trump: str, trick: str, hand: str, wanted: str) -> None:
    assert legal(trump, trick, hand, deck=CUATROLA) == wanted


@pytest.mark.parametrize(
    ("duty", "wanted"),
    [("trump_only_full", "3b"), ("full", "3b"), ("trump_only_follow", "3b 5b")],
)
def test_published_case_with_a_stock(duty: str, wanted: str) -> None:
    assert legal("b", "7b", "3b 5b Ac 2o", {"stock_duty": duty}, stock=True) == wanted  # item 5


@pytest.mark.parametrize(
    ("trick", "hand", "partner", "wanted"),
    [
        ("7c", "4c Ac", False, "Ac"),
        ("9c", "4c 7c", True, "4c 7c"),
        ("3c 2o", "2c Ac", False, "2c Ac"),
    ],
)
def test_published_cases_of_butifarra(trick: str, hand: str, partner: bool, wanted: str) -> None:
    found = legal("o", trick, hand, {"partner_exempt": "all"}, deck=BUTIFARRA, partner=partner)
    assert found == wanted  # item 11


@pytest.mark.parametrize(
    ("trump", "trick", "winner"),
    [
        ("c", "5o 6o", "6o"),  # item 2
        ("c", "5o 4o", "5o"),
        ("c", "5o 2c", "2c"),
        ("c", "5o Ab", "5o"),
        ("o", "Rc 2o 4c 4b", "2o"),  # item 12
        ("o", "7e Rb 2e 3c", "7e"),
        ("c", "Ao 3c Ae Sc", "3c"),  # item 10
        (None, "5o Ac Ae Ab", "5o"),
        (None, "5o Ac 6o 3o", "3o"),
    ],
)
def test_who_wins_a_trick(trump: str | None, trick: str, winner: str) -> None:
    cards = parse_hand(trick)
    assert cards[winning(cards, trump, TUTE)] == winner


def test_the_order_of_the_cards() -> None:
    for deck, order in (
        (TUTE, "A3RCS76542"),
        (GUINOTE, "A3RSC76542"),
        (BUTIFARRA, "9ARCS8765432"),
        (CUATROLA, "A3RCS"),
    ):
        for high, low in pairwise(order):
            assert beats(Card(high + "e"), Card(low + "e"), None, deck)
            assert not beats(Card(low + "e"), Card(high + "e"), "e", deck)


# ---------------------------------------------------------------- single switches


@pytest.mark.parametrize(
    ("switches", "trick", "hand", "wanted"),
    [
        # After a ruff the suit led need not be beaten, unless montar_si_fallado.
        ({}, "5c 2o", "Ac 4c 7o", "Ac 4c"),
        ({"montar_si_fallado": True}, "5c 2o", "Ac 4c 7o", "Ac"),
        ({"montar_si_fallado": True}, "5c 2o Rc", "Ac Cc 7o", "Ac"),
        ({"montar_si_fallado": True}, "5c 2o Ac", "3c Cc 7o", "3c Cc"),
        ({"montar_si_fallado": True}, "5o 2o", "Ao 4o 7c", "Ao"),  # trumps led: no ruff
        # Void and unable to overtrump.
        ({}, "5c 7o", "2o 4o Ae", "2o 4o Ae"),
        ({"undertrump": "must"}, "5c 7o", "2o 4o Ae", "2o 4o"),
        ({"undertrump": "must"}, "5c 7o", "2o Ao Ae", "Ao"),
        ({"undertrump": "must"}, "5c 7o", "2e Ae", "2e Ae"),
        # Void in trumps that were led: anything.
        ({"undertrump": "must"}, "5o 7o", "2e Ae", "2e Ae"),
        # Following a lead of trumps: beat the best trump there.
        ({}, "5o 7o", "6o So Ae", "So"),
        ({}, "5o 7o", "6o 4o Ae", "6o 4o"),
        # The money rule of cabrero.
        ({"no_cargar": True}, "Ac", "3c 4c Rc", "4c"),
        ({"no_cargar": True}, "Ac", "3c Cc Rc", "Cc"),
        ({"no_cargar": True}, "Ac", "4c 2c Rc", "4c 2c"),
        ({"no_cargar": True}, "4c", "3c 5c 2c", "3c 5c"),  # cards that beat are no load
        ({"no_cargar": True}, "Ac", "Ae 5e Rb", "5e"),
        ({"no_cargar": True}, "Ac 7o", "Ae 4o Rb", "4o"),
        ({"no_cargar": True, "undertrump": "must"}, "Ac 7o", "Ae 4o 5o", "4o 5o"),
        ({"no_cargar": True}, "4c 2o", "Ac 3c Sc", "Sc"),
    ],
)
def test_switches_of_duty(switches: dict[str, object], trick: str, hand: str, wanted: str) -> None:
    assert legal("o", trick, hand, switches) == wanted


@pytest.mark.parametrize(
    ("trick", "hand", "none", "beat", "all_"),
    [
        ("7c", "Ac 4c", "Ac", "Ac 4c", "Ac 4c"),  # can follow
        ("7c", "4o 2o Ae", "4o 2o", "4o 2o", "4o 2o Ae"),  # void
        ("4c 5o", "7o 4o Ae", "7o", "7o 4o Ae", "7o 4o Ae"),  # the partner has ruffed
        ("4c 5o", "4o 2o Ae", "4o 2o Ae", "4o 2o Ae", "4o 2o Ae"),
        ("7c", "Ae 5e", "Ae 5e", "Ae 5e", "Ae 5e"),
    ],
)
def test_the_partner_is_winning(trick: str, hand: str, none: str, beat: str, all_: str) -> None:
    for exempt, wanted in (("none", none), ("beat", beat), ("all", all_)):
        assert legal("o", trick, hand, {"partner_exempt": exempt}, partner=True) == wanted
        assert legal("o", trick, hand, {"partner_exempt": exempt}, partner=False) == none


def test_undertrumping_is_owed_to_a_ruffing_partner_under_beat_and_must_only() -> None:
    for exempt, wanted in (("none", "7o"), ("beat", "7o 4o"), ("all", "7o 4o Ae")):
        switches = {"partner_exempt": exempt, "undertrump": "must"}
        assert legal("o", "4c 5o", "7o 4o Ae", switches, partner=True) == wanted


@pytest.mark.parametrize(
    ("duty", "trump_led", "plain_led"),
    [
        ("none", "3b 5b Ac 2o", "3b 5b Ac 2o"),
        ("trump_only_follow", "3b 5b", "3b 5b Ac 2o"),
        ("trump_only_full", "3b", "3b 5b Ac 2o"),
        ("full", "3b", "Ac"),
    ],
)
def test_duties_while_the_stock_lasts(duty: str, trump_led: str, plain_led: str) -> None:
    hand = "3b 5b Ac 2o"
    assert legal("b", "7b", hand, {"stock_duty": duty}, stock=True) == trump_led
    assert legal("b", "7c", hand, {"stock_duty": duty}, stock=True) == plain_led
    assert legal("b", "7b", "Ac 2o", {"stock_duty": duty}, stock=True) == "Ac 2o"
    assert legal("b", "Ab", hand, {"stock_duty": duty}, stock=True) == (
        hand if duty == "none" else "3b 5b"
    )
    assert legal("b", "7c", hand, {"stock_duty": duty}, stock=False) == "Ac"


@pytest.mark.parametrize(
    ("trick", "hand", "partner", "lliure", "obligada"),
    [
        # The partner wins: points or the lowest of the suit; void, of any suit.
        ("9c", "Ac 7c 4c", True, "Ac 7c 4c", "Ac 4c"),
        ("9c", "8c 7c 4c", True, "8c 7c 4c", "4c"),
        ("9c", "Ae 7e 4e 8b 2b", True, "Ae 7e 4e 8b 2b", "Ae 4e 2b"),
        ("9c", "8o 2o 5b", True, "8o 2o 5b", "2o 5b"),
        # An opponent wins, and one can follow: beat, else the lowest.
        ("7c", "Ac 8c 4c", False, "Ac 8c", "Ac 8c"),
        ("9c", "Ac 7c 4c", False, "Ac 7c 4c", "4c"),
        ("7c 2o", "Ac 4c", False, "Ac 4c", "4c"),
        # An opponent wins, and one is void: win with a trump, else the lowest of one suit.
        ("7c", "8o 2o Ae", False, "8o 2o", "8o 2o"),
        ("7c 6o", "8o 2o Ae", False, "8o", "8o"),
        ("7c Ro", "8o 2o Ae 5e", False, "8o 2o Ae 5e", "2o 5e"),
        ("7c", "Ae 5e 3b", False, "Ae 5e 3b", "5e 3b"),
    ],
)
def test_schools_of_butifarra(
    trick: str, hand: str, partner: bool, lliure: str, obligada: str
) -> None:
    for school, wanted in (("lliure", lliure), ("obligada", obligada)):
        switches = {"partner_exempt": "all", "boti_school": school}
        found = legal("o", trick, hand, switches, deck=BUTIFARRA, partner=partner)
        assert found == wanted, school


@pytest.mark.parametrize(("void", "wanted"), [("any", "8o 2o Ae"), ("trump", "8o 2o")])
def test_void_while_the_partner_wins_in_butifarra(void: str, wanted: str) -> None:
    switches = {"partner_exempt": "all", "boti_void_partner": void}
    assert legal("o", "9c", "8o 2o Ae", switches, deck=BUTIFARRA, partner=True) == wanted
    assert legal("o", "9c", "8c 2c Ae", switches, deck=BUTIFARRA, partner=True) == "8c 2c"
    assert legal("o", "9c", "8o 2o Ae", switches, deck=BUTIFARRA, partner=False) == "8o 2o"


def test_no_trumps() -> None:
    assert legal(None, "7c", "Ae 5e 3b") == "Ae 5e 3b"
    assert legal(None, "7c", "Ac 5c 3b") == "Ac"
    assert legal(None, "7c 2o", "Ac 5c 3b") == "Ac"  # nothing is trumped
    assert legal("c", "", "Ac 5c 3b") == "Ac 5c 3b"


# ---------------------------------------------------------------- which duty is broken


@pytest.mark.parametrize(
    ("trick", "hand", "card", "duty"),
    [
        ("7c", "Ac 4c 7o", "7o", "asistir"),
        ("Ac", "3c 4c 7o", "7o", "asistir"),
        ("7c", "Ac 4c 7o", "4c", "montar"),
        ("7c", "Ac 4c 7o", "Ac", None),
        ("7c", "Ae 4o 7o", "Ae", "fallar"),
        ("7c", "Ae 4o 7o", "4o", None),
        ("7c 5o", "Ae 4o 7o", "4o", "pisar"),
        ("7c 5o", "Ae 4o 7o", "Ae", "fallar"),
        ("7c Ao", "Ae 4o 7o", "Ae", None),
        ("5o", "Ae 4o 7o", "4o", "montar"),
        ("5o", "Ae 4o 7o", "Ae", "asistir"),
    ],
)
def test_a_card_breaks_the_duty_that_it_breaks_first(
    trick: str, hand: str, card: str, duty: str | None
) -> None:
    turn = Turn(TUTE.sort(parse_hand(hand)), parse_hand(trick), "o", Rules(), TUTE)
    assert turn.broken(Card(card)) == duty


@pytest.mark.parametrize(
    ("switches", "trick", "hand", "card", "duty"),
    [
        ({"undertrump": "must"}, "7c Ao", "Ae 4o 7o", "Ae", "fallar"),
        ({"montar_si_fallado": True}, "7c 2o", "Ac 4c", "4c", "montar"),
        ({"no_cargar": True}, "Ac", "3c 4c", "3c", "no_cargar"),
        ({"no_cargar": True}, "Ac", "3c 4c 2e", "2e", "asistir"),
        ({"no_cargar": True}, "7c", "3e 4e", "3e", "no_cargar"),
        ({"boti_school": "obligada"}, "Ac", "3c 4c 5e", "3c", "obligada"),
        ({"boti_school": "obligada"}, "Ac", "3c 4c 5e", "5e", "asistir"),
    ],
)
def test_duties_under_switches(
    switches: dict[str, object], trick: str, hand: str, card: str, duty: str
) -> None:
    rules = with_switches(Rules(), switches)
    held, table = TUTE.sort(parse_hand(hand)), parse_hand(trick)
    assert Turn(held, table, "o", rules, TUTE).broken(Card(card)) == duty


@pytest.mark.parametrize(
    ("hands", "played", "duty", "allowed"),
    [
        (["c7", "c4", "cA", "b2"], "7c Ac", None, "4c"),
        (["c7 e2", "cA4", "c5 b2", "b43"], "7c 4c", "montar", "Ac"),
        (["c7 e2", "cA4", "c5 b2", "b43"], "7c Ac 2b", "asistir", "5c"),
        (["c7 e2", "cA4", "c5 b2", "b43"], "2e 4c 5c 4b", None, "3b 4b"),
        (["c7 e2", "eA o4", "o52", "b43"], "7c Ae", "fallar", "4o"),
        (["c7 e2", "eA o4", "oA2", "b43"], "7c 4o 2o", "pisar", "Ao"),
    ],
)
def test_a_refused_card_names_seat_duty_and_what_was_allowed(
    hands: list[str], played: str, duty: str | None, allowed: str
) -> None:
    *before, last = played.split()
    position = Deal(variant="tute", hands=hands, trump="o").start()
    for card in before:
        position = position.play(card)
    if last in position.legal():
        assert duty is None
        assert " ".join(position.legal()) == allowed
        return
    with pytest.raises(IllegalPlayError) as refusal:
        position.play(last)
    error = refusal.value
    assert error.move == last
    assert error.seat == len(before) + 1
    assert error.duty == duty
    assert " ".join(error.legal) == allowed
    assert str(error).startswith(f"seat {error.seat} may not play {last}: ")
    assert str(error).endswith(f"allowed: {allowed}")
    assert (f"duty of {duty};" in str(error)) == (duty is not None)


# ---------------------------------------------------------------- the definition, word by word


def defined(
    hand: Sequence[Card],
    trick: Sequence[Card],
    trump: str | None,
    rules: Rules,
    deck: Deck,
    partner_winning: bool,
) -> set[Card]:
    """The pseudo-code of section 1.4."""

    def cargar(cards: Sequence[Card]) -> set[Card]:
        if not rules.no_cargar:
            return set(cards)
        least = min(deck.points[card] for card in cards)
        return {card for card in cards if deck.points[card] == least}

    def above(card: Card, other: Card) -> bool:
        return card.suit == other.suit and deck.ranks.index(card.rank) < deck.ranks.index(
            other.rank
        )

    if not trick:
        return set(hand)
    led = trick[0].suit
    on_top = trick[0]
    for card in trick[1:]:
        if above(card, on_top) or (card.suit == trump and on_top.suit != trump):
            on_top = card
    trumped = trump is not None and on_top.suit == trump and led != trump
    in_led = [card for card in hand if card.suit == led]
    if in_led:
        if partner_winning and rules.partner_exempt in ("beat", "all"):
            return cargar(in_led)
        if not trumped:
            up = [card for card in in_led if above(card, on_top)]
        elif rules.montar_si_fallado:
            (best,) = (
                card
                for card in trick
                if card.suit == led
                and not any(above(other, card) for other in trick if other.suit == led)
            )
            up = [card for card in in_led if above(card, best)]
        else:
            up = []
        return set(up) if up else cargar(in_led)
    if partner_winning and rules.partner_exempt == "all":
        return cargar(hand)
    trumps = [card for card in hand if card.suit == trump]
    if not trumps:
        return cargar(hand)
    if on_top.suit != trump:
        return set(trumps)
    up = [card for card in trumps if above(card, on_top)]
    if up and not (partner_winning and rules.partner_exempt == "beat"):
        return set(up)
    return set(trumps) if rules.undertrump == "must" else cargar(hand)


@given(seeds)
def test_playable_is_the_definition(seed: int) -> None:
    rng = Random(seed)
    deck = rng.choice((TUTE, GUINOTE, BUTIFARRA, CUATROLA))
    for _ in range(20):
        thrown = random_switches(rng, "tute")
        rules = with_switches(Rules(), thrown | {"boti_school": "lliure"})
        rules = with_switches(rules, {"boti_void_partner": "any"})
        # Few suits, so that following, beating and ruffing all come about.
        cards = [card for card in deck.cards if card.suit in "oce"[: rng.choice((2, 3))]]
        rng.shuffle(cards)
        size = rng.randint(0, 4)
        trick, hand = cards[:size], deck.sort(cards[size : size + rng.randint(1, 6)])
        trump = rng.choice((None, *SUITS))
        partner = size > 0 and not rules.no_cargar and rng.random() < 0.5
        turn = Turn(hand, trick, trump, rules, deck, partner)
        found, duty = turn.playable()
        wanted = defined(hand, trick, trump, rules, deck, partner)
        assert found == tuple(card for card in hand if card in wanted)
        assert (duty is None) == (set(found) == set(hand))
        for card in hand:
            fault = turn.broken(card)
            assert (fault is None) == (card in wanted)
            follows = trick and card.suit != trick[0].suit
            if fault == "asistir":
                assert follows
                assert any(held.suit == trick[0].suit for held in hand)
            elif fault == "montar":
                assert card.suit == trick[0].suit
            elif fault == "fallar":
                assert follows
                assert card.suit != trump
            elif fault == "pisar":
                assert follows
                assert card.suit == trump


def played_so_far(position: Position) -> list[tuple[int, Card]]:
    """The cards on the table with the place of who played each."""
    seats = []
    place = position.turn
    for _ in range(position.game.trick_size - len(position.trick)):
        place = position.game.after(place)
    for card in position.trick:
        seats.append((place, card))
        place = position.game.after(place)
    return seats


WITHOUT_STOCK = ["tute", "tute-individual", "subastado", "subastado-parejas"]
WITHOUT_STOCK += ["cabron", "cabrero", "cuatrola"]


@given(deals(WITHOUT_STOCK), seeds)
def test_positions_keep_the_definition_in_whole_hands(deal: Deal, seed: int) -> None:
    """As above, in play: who is winning, whose partner he is, which suit is trumps by now."""
    rng, position = Random(seed), deal.start()
    while not position.over:
        if position.trick:
            table = played_so_far(position)
            deck, rules = position.game.deck, position.game.rules
            best = winning(position.trick, position.trump, deck)
            winner = table[best][0]
            side = position.game.side_of
            partner = side[winner] == side[position.turn]
            hand = position.hands[position.turn]
            wanted = defined(hand, position.trick, position.trump, rules, deck, partner)
            assert position.legal() == [card for card in hand if card in wanted]
        position = position.play(random_move(rng, position))
