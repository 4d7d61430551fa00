"""What is asked of a two-sided search, and the packed form in which the search takes it.

A search counts what side 0 still gains, in units that grow with the objective; a `Question` knows
the units, how a position's totals add to them, and which value of the objective they stand for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tute import evaluation, stock_evaluation
from tute.cards import SUITS, Card
from tute.game import Game
from tute.packing import bits_in_play, rank_bit
from tute.position import Position
from tute.variants import Objective

_EXEMPT = {"none": 0, "beat": 1, "all": 2}
_NO_WINDOW, _DECLARED, _TOO_LATE = 0, 1, 2
_MOMENTS = {"before draw": 0, "after draw": 1, "start": 2}
_STOCK_DUTIES = {"none": 0, "trump_only_follow": 1, "trump_only_full": 2, "full": 3}
_UNTIL = {"whole_hand": 0, "stock_only": 1, "until_two_left": 2, "first_win_after_stock": 3}
# The turned-up cards for which the seven and the two of trumps are exchanged.
_FOR_SEVEN, _FOR_TWO = "A3RCS", "7654"
# Points by which the first guess of a lopsided question is raised.
_GUESS_HIGH = 8
# Places for ranks in a packed suit, and in the tables of the search of games with a stock.
_RANK_BITS = 16
_STOCK_RANKS = 12
# Beyond every sum of units, and short of the value of a tute in the search.
_HIGHEST_BID = 9000


@dataclass(frozen=True)
class Question:
    """One objective for one side of one game.

    Attributes:
        game: the fixed facts of the hand.
        place: a player of the side asked for, from 0.
        objective: what is counted.
        with_stock: whether the search is the one that knows of a stock and of a capote.
    """

    game: Game
    place: int
    objective: Objective
    with_stock: bool = False

    # ---------------------------------------------------------------- sides and units

    @cached_property
    def kind(self) -> str:
        """How the objective is counted: an `Objective` other than `win`, or what `win` means."""
        if self.objective != "win":
            return self.objective
        if self.game.contract in ("cuatrola", "quintola"):
            return "tricks made"
        return {
            "contract": "points made",
            "most": "more",
            "hundred": "hundred",
            "hundred or last trick": "hundred",
        }[self.game.variant.winning]

    @cached_property
    def sign(self) -> int:
        """−1 where side 0 of the search is the other side than the one asked for."""
        made = self.kind in ("tricks made", "points made")
        return -1 if made and self.game.declarer not in self.game.side(self.place) else 1

    @cached_property
    def first_side(self) -> frozenset[int]:
        """The players of side 0, who maximise: the side asked for, or the declarer's."""
        mine = frozenset(self.game.side(self.place))
        return mine if self.sign == 1 else frozenset(range(self.game.players)) - mine

    @property
    def by_last(self) -> bool:
        """Whether equal totals go to the winner of the last trick."""
        return self.kind == "more" and self.game.rules.tie_hand == "last_trick"

    @cached_property
    def units(self) -> tuple[int, int, int, int, int]:
        """Units for a card point, a trick, the last trick, and a cante point of side 0 and 1."""
        variant = self.game.variant
        if self.kind in ("tricks", "tricks made"):
            return 0, 1, 0, 0, 0
        if self.kind == "hundred":
            return 0, 0, 0, 0, 0
        card, mine, theirs, extra = 1, 1, 0, 0
        if self.kind in ("difference", "more"):
            card, theirs = 2, -1
        if self.by_last:
            card, mine, theirs, extra = 4, 2, -2, 2
        return card, card * variant.per_trick, card * variant.last_trick + extra, mine, theirs

    def base(self, position: Position) -> int:
        """The units that the position's totals stand for, if side 0 gains nothing more."""
        if self.kind == "hundred":
            return 0
        if self.kind in ("tricks", "tricks made"):
            return sum(position.tricks[place] for place in self.first_side)
        mine = sum(position.points[place] for place in self.first_side)
        if self.kind in ("points", "points made"):
            return mine
        difference = 2 * mine - sum(position.points) - _left(position)
        return 2 * difference - 1 if self.by_last else difference

    def value(self, units: int) -> int:
        """The objective's value, for the side asked for, that so many units stand for."""
        if self.kind in ("points", "difference", "tricks", "hundred"):
            return units
        if self.kind == "more":
            return (units > 0) - (units < 0)
        return self.sign if units >= self._needed else -self.sign

    def units_for(self, value: int) -> int:
        """The fewest units with which side 0 has at least a value (of its own)."""
        if self.kind in ("points made", "tricks made"):
            return self._needed
        return value

    def range(self, position: Position) -> tuple[int, int]:
        """The least and the greatest value (of side 0) that are conceivable from here."""
        if self.objective == "win":
            return -1, 1
        if self.kind == "tricks":
            made = self.base(position)
            return made, made + max(len(hand) for hand in position.hands)
        mine = theirs = 0
        for suit in SUITS:
            to_draw = any(Card(rank + suit) in position.stock for rank in self.game.variant.pair)
            holders = [p for p in self.game.singers if to_draw or _pair_cards(position, p, suit)]
            if suit in position.declared or not holders:
                continue
            cante = 40 if suit == self.game.trump else 20
            mine += cante if any(p in self.first_side for p in holders) else 0
            theirs += cante if any(p not in self.first_side for p in holders) else 0
        card, _, _, gain, loss = self.units
        base = self.base(position)
        return base + loss * theirs, base + card * _left(position) + gain * mine

    @property
    def lopsided(self) -> bool:
        """Whether one hand plays against several.

        Then to prove a value takes two to three times the nodes of refuting the next one (the same
        where sides are equal), so that it is better to come at the value from above.
        """
        return len(self.first_side) == 1 and len(self.seats) > 2

    def first_guess(self, position: Position, estimate: int) -> int:
        """A value (of side 0) to try first, from the search's estimate of what side 0 gains."""
        if self.objective not in ("points", "difference"):
            return 0
        gain = estimate / evaluation.POINT
        if not self.with_stock:
            gain += evaluation.BASE[self._shape] / evaluation.POINT
            gain += _GUESS_HIGH if self.lopsided else 0
        return self.base(position) + round(self.units[0] * gain)

    @property
    def _needed(self) -> int:
        if self.kind == "tricks made":
            return 5 if self.game.contract == "quintola" else self.game.rules.cuatrola_tricks
        return max(-_HIGHEST_BID, min(self.game.bid or 0, _HIGHEST_BID))

    # ---------------------------------------------------------------- packed forms

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """The players who take part, in order of play."""
        return tuple(p for p in range(self.game.players) if p != self.game.asleep)

    @cached_property
    def packed_game(self) -> dict[str, Any]:
        """The fixed facts as `engine.two_sides.Solver.set_game` takes them."""
        game, rules, deck = self.game, self.game.rules, self.game.deck
        bits = deck.bits
        pair = [
            sum(1 << rank_bit(rank, suit, game) for rank in game.variant.pair)
            for suit in range(len(SUITS))
        ]
        declares = bool(game.singers) and (self.with_stock or not self._too_late_for_pairs)
        fours = [
            sum(1 << rank_bit(rank, suit, game) for suit in range(len(SUITS)))
            for rank in game.variant.pair
        ]
        return {
            "players": len(self.seats),
            "trumps": 0 if game.trump is None else 0xFFFF << 16 * SUITS.index(game.trump),
            "montar_si_fallado": rules.montar_si_fallado,
            "undertrump_must": rules.undertrump == "must",
            "exempt": _EXEMPT[rules.exemption],
            "obligada": rules.boti_school == "obligada",
            "no_cargar": rules.no_cargar,
            "worthless": sum(
                1 << rank_bit(rank, suit, game)
                for suit in range(len(SUITS))
                for rank in deck.ranks
                if rank not in deck.values
            ),
            "points": {bit: deck.points[card] for card, bit in bits.items()},
            "side": [0 if place in self.first_side else 1 for place in self.seats],
            "partners": [
                self._mask(p for p in self.seats if game.partners(p, q)) for q in self.seats
            ],
            "callers": [self._mask(game.may_declare_after(p)) for p in self.seats],
            "pair": pair if declares else [0] * len(SUITS),
            "pair_points": [40 if suit == game.trump else 20 for suit in SUITS],
            "fours": fours if game.singers and rules.tute_wins else [],
            "at_second_card": rules.cante_timing == "at_second_card",
            "several": rules.cante_per_trick == "several",
            "forty_first": rules.cante_order == "forty_first",
            "first_win": self._first_win_only,
            "outcome": self.kind == "hundred",
            "by_last": game.variant.winning == "hundred or last trick",
            "vuelta": game.vuelta,
            "last_trick": game.variant.last_trick,
            # Whether of a card nothing counts but its points and its rank among those in play.
            "neighbours": not (
                rules.cante_timing == "at_second_card"
                or self.kind == "hundred"
                or (game.singers and rules.tute_wins)
                or rules.boti_school == "obligada"
                or rules.no_cargar
            ),
            "units": self.units,
            **(self._packed_stock if self.with_stock else self._packed_weights),
        }

    @property
    def _packed_weights(self) -> dict[str, Any]:
        return {"weights": self._weights(), "lead": evaluation.LEAD[self._shape]}

    @property
    def _packed_stock(self) -> dict[str, Any]:
        """What `engine.known_stock.Solver.set_game` takes beside that."""
        game, rules = self.game, self.game.rules
        suit = SUITS.index(str(game.trump))
        automatic = rules.cante_timing == "at_second_card"
        return {
            "stock_duty": _STOCK_DUTIES[rules.stock_duty],
            "cante_until": _UNTIL["whole_hand" if automatic else rules.cante_until],
            "until_lead": rules.cante_window == "until_lead",
            "exchange_last_draw": rules.exchange_last_draw,
            "capote": game.capote,
            "seven": 1 << rank_bit("7", suit, game),
            "two": 1 << rank_bit("2", suit, game),
            "for_seven": sum(1 << rank_bit(rank, suit, game) for rank in _FOR_SEVEN),
            "for_two": sum(1 << rank_bit(rank, suit, game) for rank in _FOR_TWO),
            "stock_weights": self._stock_weights(),
        }

    def packed_position(self, position: Position) -> dict[str, Any]:
        """A position (mid-trick or not) as `set_position` of its engine takes it."""
        game, seats = self.game, self.seats
        bits = game.deck.bits if self.with_stock else bits_in_play(position)
        leader = seats.index(position.turn) - len(position.trick)
        window = position.window
        done = _NO_WINDOW
        if window is not None:
            done = _TOO_LATE if window.too_late else _DECLARED if window.declared else _NO_WINDOW
        made = [0, 0]
        for place, points in enumerate(position.points):
            made[place not in self.first_side] += points
        cards = _in_play(position)
        ended = 0
        if position.passed_goal is not None:
            ended = 1 if position.passed_goal in self.first_side else -1
        return {
            "hands": [sum(1 << bits[card] for card in position.hands[place]) for place in seats],
            "trick": [1 << bits[card] for card in position.trick],
            "leader": leader % len(seats),
            "cards": len(position.hands[position.turn]),
            "rest": sum(game.deck.points[card] for card in cards),
            "declared": sum(1 << SUITS.index(suit) for suit in position.declared),
            "won": self._won(position),
            "made": made,
            "ended": ended,
            "owner": [self._owner(position, suit) for suit in SUITS],
            "open_window": window is not None,
            "done": done,
            "stock": [1 << bits[card] for card in position.stock],
            "moment": 0 if window is None else _MOMENTS[window.moment],
            "compulsory": window is not None and window.compulsory,
            "parted": sum(1 << SUITS.index(suit) for suit in position.parted),
            "capote": self._capote(position),
            "failed": position.capote_failed,
        }

    @property
    def _first_win_only(self) -> bool:
        """Whether a pair may be declared only after the first trick won since the stock ran out."""
        until = self.game.rules.cante_until
        return self.game.variant.stock and until == "first_win_after_stock"

    @property
    def _shape(self) -> str:
        """Whose fitted weights the evaluation uses."""
        if self.game.variant.id == "butifarra":
            return "butifarra"
        if self.game.variant.sides == "alone":
            return "alone"
        return "declarer" if len(self.seats) == 3 else "pairs"

    def _weights(self) -> list[int]:
        """The evaluation's weights, with ranks as bits: those over the deck's are sure trumps."""
        weights = evaluation.WEIGHTS[self._shape]
        half = len(weights) // 2
        if self._shape == "declarer" and self.game.declarer not in self.first_side:
            # The weights are the declarer's: what he gains the others lose.
            weights = tuple(-weight for weight in weights[half:] + weights[:half])
        number = len(self.game.deck.ranks)
        by_bit: list[int] = []
        for kind in range(0, len(weights), evaluation.RANKS * evaluation.HIGHER):
            for bit in range(_RANK_BITS):
                rank = number - 1 - bit if bit < number else evaluation.SURE
                row = kind + rank * evaluation.HIGHER
                by_bit += weights[row : row + evaluation.HIGHER]
        return by_bit

    @property
    def _too_late_for_pairs(self) -> bool:
        """Whether `cante_until` forbids every pair, the stock being gone."""
        rules = self.game.rules
        declared = self.game.variant.stock and rules.cante_timing != "at_second_card"
        return declared and rules.cante_until in ("stock_only", "until_two_left")

    def _stock_weights(self) -> list[int]:
        """The evaluation's weights by phase: cards by kind of suit, rank (as a bit) and higher
        cards; pairs; the lead.
        """
        packed: list[int] = []
        for phase in stock_evaluation.PHASES:
            for kind in phase.cards:
                table = [[0] * _STOCK_RANKS for _ in range(_STOCK_RANKS)]
                for below, weights in enumerate(kind):
                    table[len(self.game.deck.ranks) - 1 - below][: len(weights)] = weights
                packed += [weight for row in table for weight in row]
            packed += [phase.pair[0], phase.half[0], phase.pair[1], phase.half[1], phase.lead]
        return packed

    def _capote(self, position: Position) -> int:
        """1 + the side that has announced the last eight tricks, or 0."""
        if position.capote is None:
            return 0
        return 1 if position.capote in self.first_side else 2

    def _mask(self, places: Any) -> int:
        return sum(1 << self.seats.index(place) for place in places)

    def _won(self, position: Position) -> int:
        """Seats with a trick: their own or a partner's (AT_SECOND_CARD), or one since the stock."""
        if self.game.rules.cante_timing == "at_second_card":
            return self._mask(
                p for p in self.seats if any(position.tricks[q] for q in self.game.side(p))
            )
        if self._first_win_only:
            return self._mask(p for p in self.seats if p in position.won_after_stock)
        return 0

    def _owner(self, position: Position, suit: str) -> int:
        """AT_SECOND_CARD: the seat that held this suit's whole pair and may still be credited."""
        if self.game.rules.cante_timing != "at_second_card" or suit in position.declared:
            return -1
        for seat, place in enumerate(self.seats):
            held = _pair_cards(position, place, suit)
            whole = held == len(self.game.variant.pair) or (held and suit in position.parted)
            if whole and place in self.game.singers:
                return seat
        return -1


def _left(position: Position) -> int:
    """Points still to be won, the last trick's included, without cantes."""
    game = position.game
    if position.over:
        return 0
    tricks = max(len(hand) for hand in position.hands) + len(position.stock) // game.trick_size
    last = game.variant.last_trick + game.variant.per_trick * tricks
    return sum(game.deck.points[card] for card in _in_play(position)) + last


def _in_play(position: Position) -> list[Card]:
    """The cards on the table, in hands and in the stock."""
    held = (card for hand in position.hands for card in hand)
    return [*position.trick, *held, *position.stock]


def _pair_cards(position: Position, place: int, suit: str) -> int:
    """How many of a suit's pair a player holds."""
    hand = position.hands[place]
    return sum(rank + suit in hand for rank in position.game.variant.pair)
