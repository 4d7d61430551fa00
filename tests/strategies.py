"""Random deals, switches and positions of every variant, for property tests.

The `random_*` functions take a `random.Random` and are repeatable for a seed; the hypothesis
strategies at the end wrap them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from hypothesis import strategies as st

from tute.cards import SUITS, Card
from tute.deal import Deal
from tute.notation import Declaration
from tute.position import Position
from tute.rules import OUTSIDE_THE_HAND, switches, with_switches
from tute.variants import VARIANTS, Variant

VARIANT_IDS: tuple[str, ...] = tuple(VARIANTS)

SwitchValue = bool | int | str

_NUMBERS: Mapping[str, Sequence[int]] = {
    "hand_size": (6, 7, 8),
    "score_limit": (30, 50, 70, 100, 130),
}
_TUTES = ("none", "wins_hand", "wins_match", "counts_3")


def switch_values(name: str) -> tuple[SwitchValue, ...]:
    """Values of a switch, in the types that a deal file has for them."""
    if name in _NUMBERS:
        return tuple(_NUMBERS[name])
    if name == "tute":
        return _TUTES
    if name in OUTSIDE_THE_HAND:
        return OUTSIDE_THE_HAND[name].values
    (found,) = (switch for switch in switches() if switch.name == name)
    if found.values == ("no", "yes"):
        return (False, True)
    if all(value.isdecimal() for value in found.values):
        # A cuatrola number may be written as a number, a deck as text; both are read.
        return tuple(int(value) if len(value) == 1 else value for value in found.values)
    return found.values


SWITCHES: Mapping[str, tuple[SwitchValue, ...]] = {
    name: switch_values(name)
    for name in (*(switch.name for switch in switches()), *OUTSIDE_THE_HAND)
}


def random_switches(rng: Random, variant_id: str) -> dict[str, SwitchValue]:
    """Any subset of all switches with random values: none, a few or nearly all of them.

    A switch that cannot matter in the variant is among them too.
    """
    assert variant_id in VARIANTS
    share = rng.choice((0.0, 0.1, 0.3, 0.5, 0.9))
    return {name: rng.choice(values) for name, values in SWITCHES.items() if rng.random() < share}


def random_game_deal(
    rng: Random,
    variant_id: str,
    cards: int | None = None,
    players: int | None = None,
    switches: Mapping[str, SwitchValue] | None = None,
    *,
    stock: int | None = None,
    contract: str | None = None,
    carried: bool | None = None,
    widow: bool | None = None,
    history: bool = True,
) -> Deal:
    """A random deal or ending.

    Args:
        rng: where the randomness comes from.
        variant_id: the game.
        cards: cards in each hand; None for 3 to 5. No more than the deck holds.
        players: how many hands; None for any number that the game has.
        switches: changes to the game's rules.
        stock: cards that each player will draw, in games with a stock; None for 0 to 3.
        contract: cuatrola: "none", "solo", "cuatrola" or "quintola"; None for any of them.
        carried: whether it is a second hand, in games that have one; None: one in five is.
        widow: whether there is a 40th card, in subastado with `subastado_widow`; None: sometimes.
        history: whether points, tricks and declared suits from before may be there.
    """
    variant = VARIANTS[variant_id]
    thrown = dict(switches or {})
    rules = with_switches(variant.rules, thrown)
    seats = rng.choice(variant.players) if players is None else players
    made = _contract(rng, variant, seats, contract)
    trump = _trump(rng, variant)
    deck = variant.deck(seats, rules, None if trump == "none" else trump)

    wanted = rng.randint(3, 5) if cards is None else cards
    held = min(wanted, len(deck.cards) // seats)
    shuffled = _favouring_pairs(rng, list(deck.cards), variant)
    in_hands = _take(shuffled, held * seats)
    if variant.cantes in ("caught", "both") and rng.random() < 0.6:
        rng.shuffle(in_hands)  # so that pairs lie apart and can fall together
    hands = [_take(in_hands, held) for _ in range(seats)]
    rng.shuffle(hands)
    declarer = None
    if variant.sides == "declarer" or variant.bids or made:
        declarer = rng.choice((None, *range(1, seats + 1)))
    if made and seats == 4:
        asleep = ((declarer or 1) + 1) % 4
        hands[asleep] = hands[asleep][: rng.choice((0, 1, held))]

    drawn: list[Card] = []
    if variant.stock and held:
        each = rng.choice((0, 0, 1, 2, 3)) if stock is None else stock
        drawn = _take(shuffled, min(each, len(shuffled) // seats) * seats)
        if drawn:
            trump = drawn[-1].suit
    fortieth = None
    if variant.deck3 == "subastado_widow" and rules.subastado_widow and shuffled:
        wants = rng.random() < 0.7 if widow is None else widow
        fortieth = _take(shuffled, 1)[0] if wants else None

    second_hand = variant.stock and (rng.random() < 0.2 if carried is None else carried)
    points, tricks, declared = _history(rng, variant, trump, hands, shuffled, history)
    bids = variant.bids is not None
    return Deal(
        variant=variant_id,
        hands=hands,
        trump=trump,
        leader=rng.choice((None, *range(1, seats + 1))),
        declarer=declarer,
        seat=rng.choice((None, None, *range(1, seats + 1))),
        bid=rng.randrange(10, 131, 5) if bids else None,
        stock=drawn,
        points=points,
        tricks=tricks,
        declared=declared,
        contract=made,
        widow=fortieth,
        carried=[rng.randint(0, 100), rng.randint(0, 100)] if second_hand else None,
        rules=thrown,
    )


def random_position(rng: Random, deal: Deal, max_moves: int) -> Position:
    """The position after some random legal moves, none to `max_moves` of them.

    It may lie inside a trick, between tricks with declarations open, or at the end of the hand.
    Declarations are rare: they are taken, and stopped at, more often than chance would.
    """
    position = deal.position()
    cards = sum(map(len, position.hands)) + len(position.stock)
    for _ in range(rng.randint(0, min(max_moves, cards))):
        if position.over or (position.window is not None and rng.random() < 0.3):
            break
        position = position.play(random_move(rng, position))
    return position


def random_move(rng: Random, position: Position) -> str:
    """One legal move; a declaration, where there is one, every other time."""
    legal = position.legal()
    calls = [move for move in legal if isinstance(move, Declaration)]
    return rng.choice(calls if calls and rng.random() < 0.5 else legal)


def random_record(rng: Random, deal: Deal, max_moves: int) -> Deal:
    """The deal with a random legal record as `played`, every declaration written down."""
    position = deal.start()
    moves: list[str] = []
    for _ in range(rng.randint(0, max_moves)):
        if position.over:
            break
        move = random_move(rng, position)
        moves.append(move)
        position = position.play(move)
    return deal.replace(played=moves, cantes="explicit")


def random_full_deal(
    rng: Random,
    variant_id: str,
    players: int | None = None,
    switches: Mapping[str, SwitchValue] | None = None,
) -> Deal:
    """A whole deal as it comes from the pack, nothing played before."""
    variant = VARIANTS[variant_id]
    seats = rng.choice(variant.players) if players is None else players
    if variant.stock:
        held = 8 if variant_id == "habanero" else 6
        each = 10 - held if seats == 4 else 20 - held
        return random_game_deal(
            rng, variant_id, held, seats, switches, stock=each, carried=False, history=False
        )
    return random_game_deal(
        rng, variant_id, 48, seats, switches, contract="none", widow=False, history=False
    )


# ---------------------------------------------------------------- parts of a deal


def _take(cards: list[Card], number: int) -> list[Card]:
    taken, cards[:] = cards[:number], cards[number:]
    return taken


def _favouring_pairs(rng: Random, cards: list[Card], variant: Variant) -> list[Card]:
    """A shuffled deck, often with a pair, or four kings, next to each other near the top."""
    rng.shuffle(cards)
    ahead: list[str] = []
    if variant.pair and rng.random() < 0.6:
        for suit in rng.sample(SUITS, rng.choice((1, 1, 2))):
            ahead += [rank + suit for rank in variant.pair]
    elif variant.pair and rng.random() < 0.3:
        ahead = [rng.choice(variant.pair) + suit for suit in SUITS]
    first = [Card(name) for name in ahead]
    return first + [card for card in cards if card not in first]


def _trump(rng: Random, variant: Variant) -> str:
    trumps = list(SUITS)
    if variant.trump == "suit or none":
        trumps += ["none"]
    elif variant.trump == "first cante":
        trumps += ["none"] * 4
    return rng.choice(trumps)


def _contract(rng: Random, variant: Variant, seats: int, wanted: str | None) -> str | None:
    if variant.id != "cuatrola":
        return None
    kinds = ["solo", "cuatrola", "quintola"]
    if wanted is not None and (wanted != "none" or seats == 4):
        return None if wanted == "none" else wanted
    if seats == 4:
        kinds += ["none"] * 3
    chosen = rng.choice(kinds)
    return None if chosen == "none" else chosen


def _history(
    rng: Random,
    variant: Variant,
    trump: str,
    hands: Sequence[Sequence[Card]],
    gone: Sequence[Card],
    wanted: bool,
) -> tuple[list[int], list[int], str]:
    """Points, tricks and declared suits that the cards out of play could have left."""
    seats = len(hands)
    points, tricks = [0] * seats, [0] * seats
    kind = rng.choice(("nothing", "from the cards", "anything")) if wanted else "nothing"
    if kind == "nothing":
        return points, tricks, ""
    if kind == "anything":
        points = [rng.choice((0, rng.randint(0, 120))) for _ in range(seats)]
        tricks = [rng.choice((0, rng.randint(0, 3))) for _ in range(seats)]
    else:
        for start in range(0, len(gone) - seats + 1, seats):
            taker = rng.randrange(seats)
            tricks[taker] += 1
            worth = (variant.values.get(card.rank, 0) for card in gone[start : start + seats])
            points[taker] += sum(worth) + variant.per_trick
    declared = ""
    if variant.pair and not (variant.trump == "first cante" and trump == "none"):
        for suit in SUITS:
            pair = [Card(rank + suit) for rank in variant.pair]
            whole = all(card in gone for card in pair)
            apart = not any(all(card in hand for card in pair) for hand in hands)
            possible = whole or (apart and variant.cantes != "caught" and pair[0] in gone)
            if (possible and rng.random() < 0.4) or rng.random() < 0.03:
                declared += suit
                points[rng.randrange(seats)] += 40 if suit == trump else 20
    return points, tricks, declared


# ---------------------------------------------------------------- for hypothesis

seeds: st.SearchStrategy[int] = st.integers(min_value=0, max_value=2**32 - 1)


@st.composite
def deals(
    draw: st.DrawFn,
    variant_ids: Sequence[str] = VARIANT_IDS,
    cards: int | None = None,
    *,
    with_switches_thrown: bool = True,
    with_record: bool = False,
) -> Deal:
    """Random deals of these variants, under random switches, with a random record if asked."""
    variant_id = draw(st.sampled_from(list(variant_ids)))
    rng = Random(draw(seeds))
    thrown = random_switches(rng, variant_id) if with_switches_thrown else {}
    deal = random_game_deal(rng, variant_id, cards, switches=thrown)
    return random_record(rng, deal, 30) if with_record else deal


@st.composite
def positions(
    draw: st.DrawFn,
    variant_ids: Sequence[str] = VARIANT_IDS,
    cards: int | None = None,
    max_moves: int = 30,
) -> Position:
    """Random positions of these variants, under random switches."""
    deal = draw(deals(variant_ids, cards))
    return random_position(Random(draw(seeds)), deal, max_moves)
