"""A deal: who holds what, under which rules, and what has been played since.

The fields are those of a deal file (`files` reads and writes those). A `Deal` is checked when it is
made; what needs the trump or the record is checked by `start` and `position`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Literal, get_args

from tute.cards import Card, Deck
from tute.errors import CardError, DealError, IllegalPlayError
from tute.game import Contract, Game
from tute.language import alternatives, say
from tute.notation import TUTE, Declaration, Move, parse_hand, parse_move, parse_moves, parse_suit
from tute.position import Position, Window
from tute.rules import Rules, with_switches
from tute.variants import Variant, variant

if TYPE_CHECKING:
    from os import PathLike

# A move with its index in the record, if it is there, and the position before it.
Made = tuple[int | None, Move, Position]

_MOST_POINTS = 1000
_MOST_TRICKS = 40
_LARGEST_BID = 10**9


@dataclass(frozen=True, init=False)
class Deal:
    """One deal. Cards, hands and moves may be given as text or as card values.

    Attributes:
        variant: the preset.
        hands: each seat's cards in deck order, seat 1 first.
        trump: `o c e b`, `none`, or None where it is not said.
        leader, declarer, seat, bid: as in a deal file; None where not said.
        stock: cards in the order drawn, the turned-up card last.
        played: what has been played from these hands.
        points, tricks: made before this moment, by seat.
        declared: suits whose pair has been declared before this moment.
        cantes: how `played` is read: `auto` or `explicit`.
        contract: a cuatrola contract, or None.
        widow: the 40th card of a subastado deal, or None.
        carried: points of the first hand by side, when this is the second, or None.
        result: totals as written down at the table, or None.
        title, source, names, id: kept as they are.
        rules: every switch.

    Raises:
        DealError: a field that cannot be; the message names it, the seat and the card.
        RulesError: an unknown variant or switch, or a value that a switch does not have.
    """

    variant: Variant
    hands: tuple[tuple[Card, ...], ...]
    trump: str | None
    leader: int | None
    declarer: int | None
    seat: int | None
    bid: int | None
    stock: tuple[Card, ...]
    played: tuple[Move, ...]
    points: tuple[int, ...]
    tricks: tuple[int, ...]
    declared: str
    cantes: Literal["auto", "explicit"]
    contract: Contract | None
    widow: Card | None
    carried: tuple[int, int] | None
    result: tuple[int, ...] | None
    title: str
    source: str
    names: tuple[str, ...]
    id: str | int | None
    rules: Rules

    def __init__(
        self,
        *,
        variant: str,
        hands: Sequence[str | Iterable[str]],
        trump: str | None = None,
        leader: int | None = None,
        declarer: int | None = None,
        seat: int | None = None,
        bid: int | None = None,
        stock: str | Iterable[str] = "",
        played: str | Iterable[str] = "",
        points: Sequence[int] = (),
        tricks: Sequence[int] = (),
        declared: str = "",
        cantes: str | None = None,
        contract: str | None = None,
        widow: str | None = None,
        carried: Sequence[int] | None = None,
        result: Sequence[int] | None = None,
        title: str = "",
        source: str = "",
        names: Sequence[str] = (),
        id: str | int | None = None,
        rules: Mapping[str, object] | Rules | None = None,
    ) -> None:
        preset = _variant(variant)
        switches = rules if isinstance(rules, Rules) else with_switches(preset.rules, rules or {})
        players = len(hands)
        if players not in preset.players:
            raise DealError(f"hands: {wrong_number(preset, players)}")
        order = Deck(preset.ranks, preset.values)
        stock_read = tuple(_cards(stock, "stock"))
        widow_read = None if widow is None else _one_card(widow, "widow")
        read = {
            "variant": preset,
            "rules": switches,
            "hands": tuple(
                _hand(hand, _hand_field(place), order) for place, hand in enumerate(hands)
            ),
            "stock": stock_read,
            "widow": widow_read,
            "trump": _trump(trump, preset, stock_read),
            "leader": _seat(leader, "leader", players),
            "declarer": _seat(declarer, "declarer", players),
            "seat": _seat(seat, "seat", players),
            "bid": _bid(bid),
            "played": _moves(played),
            "points": _counts(points, "points", players, _MOST_POINTS) or (0,) * players,
            "tricks": _counts(tricks, "tricks", players, _MOST_TRICKS) or (0,) * players,
            "declared": _suits(declared),
            "cantes": _cantes(cantes, preset),
            "contract": _contract(contract, preset, players),
            "carried": _carried(carried, preset),
            "result": _result(result, players),
            "title": title,
            "source": source,
            "names": _names(names, players),
            "id": id,
        }
        for name, value in read.items():
            object.__setattr__(self, name, value)
        self._check_cards()
        self._check_rest()

    # ---------------------------------------------------------------- reading and writing

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Deal:
        """Read one deal from a TOML, JSON or one-line JSON Lines file; `-` is standard input.

        Raises:
            DealError: the file cannot be read, or is no deal.
        """
        from tute.files import read_deal

        return read_deal(path)

    def replace(self, **changes: object) -> Deal:
        """The deal with some fields changed, checked again.

        Raises:
            DealError: as for a new deal.
        """
        kept: dict[str, object] = {f.name: getattr(self, f.name) for f in fields(self)}
        kept["variant"] = self.variant.id
        return Deal(**(kept | changes))  # type: ignore[arg-type]

    def cut(self, index: int) -> Deal:
        """The deal with only so many tokens of its record, read in the same way."""
        return self.replace(played=self.played[:index], cantes=self._read_as)

    def after_discard(self, hands: Sequence[tuple[Card, ...]]) -> Deal:
        """The deal as it is, with these hands, once the first token has put a card away."""
        return self.replace(hands=hands, widow=None, played=self.played[1:], cantes=self._read_as)

    @property
    def _read_as(self) -> str:
        return "explicit" if self.explicit else "auto"

    # ---------------------------------------------------------------- the game and its positions

    @property
    def players(self) -> int:
        """The number of hands."""
        return len(self.hands)

    @property
    def asked(self) -> int:
        """The seat whose value is asked for: `seat`, else the declarer, else 1."""
        return self.seat or self.declarer or 1

    @property
    def explicit(self) -> bool:
        """Whether the record shows every declaration that was made."""
        return self.cantes == "explicit" or any(isinstance(m, Declaration) for m in self.played)

    def game(self) -> Game:
        """The fixed facts of this hand.

        Raises:
            DealError: the trump is missing.
        """
        if self.trump is None:
            if self.variant.trump == "suit or none":
                raise DealError(say("trump: missing; oros, copas, espadas, bastos or none"))
            raise DealError(say("trump: missing; oros, copas, espadas, bastos"))
        declarer = self.declarer
        if declarer is None and (self.variant.bids or self.contract):
            declarer = 1
        game = Game(
            variant=self.variant,
            rules=_in_force(self.rules, self.variant),
            players=self.players,
            trump=None if self.trump == "none" else self.trump,
            first=0,
            declarer=None if declarer is None else declarer - 1,
            contract=self.contract,
            bid=self.bid,
            vuelta=self.carried is not None,
            widow=self.widow,
        )
        return replace(game, first=self._first(game))

    def start(self) -> Position:
        """The position before the first card of `played`.

        Raises:
            DealError: the trump is missing.
        """
        return self.start_with(self.hands, self.stock)

    def start_with(self, dealt: Sequence[tuple[Card, ...]], stock: tuple[Card, ...]) -> Position:
        """The position before the first card, had these cards been dealt; they are not checked.

        Raises:
            DealError: the trump is missing.
        """
        game = self.game()
        hands = tuple(() if place == game.asleep else hand for place, hand in enumerate(dealt))
        declared = frozenset(self.declared)
        if game.variant.trump == "first cante" and game.trump:
            declared |= {game.trump}
        position = Position(
            game=game,
            hands=hands,
            trump=game.trump,
            turn=game.first,
            points=self._starting_points(),
            tricks=self.tricks,
            declared=declared,
            stock=stock,
            sang=self._sang_before(game),
            passed_goal=self._past_goal_before(game),
        )
        if self.widow is not None and game.declarer is not None:
            return replace(position, turn=game.declarer, to_discard=True)
        if stock and self.rules.exchange_from_start and not any(self.tricks):
            opened = replace(position, window=Window(moment="start"))
            return opened if len(opened.legal()) > len(hands[game.first]) else position
        return position

    def history(self, start: Position | None = None) -> Iterator[Made]:
        """Every move up to now: its index in `played`, the move, and the position before it.

        Declarations that `auto` makes have no index.

        Args:
            start: where the record begins, if not at `start()`.

        Raises:
            DealError: the trump is missing.
            IllegalPlayError: a token that the rules forbid, with its index.
        """
        position = self.start() if start is None else start
        for index, move in enumerate(self.played):
            if index and not self.explicit:
                while pairs := position.pairs_open():
                    yield None, pairs[0], position
                    position = position.play(pairs[0])
            yield index, position.canonical(move), position
            position = _play(position, move, index)
        if self.played and not self.explicit:
            while (call := self._due_at_end(position)) is not None:
                yield None, call, position
                position = position.play(call)

    def replay(self) -> Iterator[tuple[int, Move, Position]]:
        """The record token by token: its index, the move, and the position before it.

        Declarations that `auto` makes stand in the positions only.

        Raises:
            DealError: the trump is missing.
            IllegalPlayError: a token that the rules forbid, with its index.
        """
        for index, move, position in self.history():
            if index is not None:
                yield index, move, position

    def position(self) -> Position:
        """The position after `played`.

        Raises:
            DealError: the trump is missing.
            IllegalPlayError: a token of the record that the rules forbid, with its index.
        """
        if not self.played:
            return self.start()
        for index, move, before in self.history():
            position = before.play(move) if index is None else _play(before, move, index)
        if self.explicit:
            return position
        if self._twenties_compete(position):
            window = position.window or Window()
            return replace(position, window=window._replace(compulsory=True))
        return position if position.showed_tute is not None else position.settled()

    def _first(self, game: Game) -> int:
        """Who leads the first trick: the leader given, or as the switches say, or seat 1."""
        first = 0
        rules = self.rules
        if self.leader is not None:
            first = self.leader - 1
        elif game.declarer is not None and (
            (self.variant.bids and rules.subastado_lead == "declarer")
            or (game.contract and rules.cuatrola_lead == "bidder")
        ):
            first = game.declarer
        return game.after(first) if first == game.asleep else first

    def _starting_points(self) -> tuple[int, ...]:
        if self.carried is None:
            return self.points
        carried = (*self.carried, *(0,) * (self.players - 2))
        return tuple(now + before for now, before in zip(self.points, carried, strict=True))

    def _sang_before(self, game: Game) -> frozenset[int]:
        """Who declared the pairs of `declared`, where that decides a capote or bars a tute.

        He who still holds a card of the pair; where none is left, the only one with tricks.
        """
        if game.variant.cantes != "both":
            return frozenset()
        takers = [place for place, number in enumerate(self.tricks) if number]
        sang: set[int] = set()
        for suit in self.declared:
            pair = {Card(rank + suit) for rank in game.variant.pair}
            holders = [place for place, hand in enumerate(self.hands) if pair & set(hand)]
            likely = holders or takers
            if len(likely) == 1:
                sang.add(likely[0])
        return frozenset(sang)

    def _past_goal_before(self, game: Game) -> int | None:
        """In a second hand, a player of the side that was past 100 before this moment, if any."""
        if not game.vuelta:
            return None
        points = self._starting_points()
        totals = [sum(points[side::2]) for side in (0, 1)]
        return totals.index(max(totals)) if totals[0] != totals[1] and max(totals) > 100 else None

    def _due_at_end(self, position: Position) -> Declaration | None:
        """What `auto` declares after the last trick, one after the other.

        A tute goes first; a choice between twenties stays open.
        """
        if TUTE in position.legal():
            return TUTE
        pairs = position.pairs_open()
        return None if not pairs or self._twenties_compete(position) else pairs[0]

    def _twenties_compete(self, position: Position) -> bool:
        """Whether several twenties are open of which one alone may be declared now."""
        pairs = position.pairs_open()
        twenties = [call for call in pairs if call.startswith("*20")]
        return len(twenties) == len(pairs) > 1 and self.rules.cante_per_trick == "one"

    # ---------------------------------------------------------------- checks

    def _check_cards(self) -> None:
        trump = None if self.trump == "none" else self.trump
        deck = self.variant.deck(self.players, self.rules, trump)
        seen: dict[Card, str] = {}
        places = [(_hand_field(place), hand) for place, hand in enumerate(self.hands)]
        places.append(("stock", self.stock))
        places.append(("widow", () if self.widow is None else (self.widow,)))
        for where, cards in places:
            for card in cards:
                if card not in deck.index:
                    wrong = say("{field}: {card} is not in the deck of {variant}")
                    variant = self.variant.id
                    raise DealError(wrong.format(field=where, card=card, variant=variant))
                if card in seen:
                    wrong = say("{field}: {card} is also in {other}")
                    if seen[card] == where:
                        wrong = say("{field}: {card} is there twice")
                    raise DealError(wrong.format(field=where, card=card, other=seen[card]))
                seen[card] = where
        asleep = self.sleeper
        sizes = [len(hand) for place, hand in enumerate(self.hands) if place != asleep]
        for place, hand in enumerate(self.hands):
            if place != asleep and len(hand) != sizes[0]:
                wrong = say(
                    "hands: seat {seat} has {number} cards, but another has {other}: "
                    "all hands must be equal"
                )
                raise DealError(wrong.format(seat=place + 1, number=len(hand), other=sizes[0]))

    @property
    def sleeper(self) -> int | None:
        """The place of the declarer's partner under a cuatrola contract for four, or None."""
        if self.contract is None or self.players != 4:
            return None
        return ((self.declarer or 1) + 1) % 4

    def _check_rest(self) -> None:
        chosen = self.variant
        if self.stock and not chosen.stock:
            raise DealError(no_stock(chosen))
        if len(self.stock) % self.players:
            wrong = say("stock: {number} cards cannot be shared out among {players} players")
            raise DealError(wrong.format(number=len(self.stock), players=self.players))
        if self.stock and not any(self.hands):
            raise DealError(say("stock: there are no cards in the hands"))
        if self.stock and self.trump != self.stock[-1].suit:
            wrong = say("trump: the turned-up card is {card}, so it makes trumps")
            raise DealError(wrong.format(card=self.stock[-1]))
        if self.widow is not None and not self.rules.subastado_widow:
            raise DealError(say("widow: only subastado with subastado_widow = yes has one"))
        if chosen.id == "cuatrola" and self.players == 3 and self.contract is None:
            raise DealError(say("contract: cuatrola for three is a solo, cuatrola or quintola"))
        if chosen.trump == "first cante" and self.declared and self.trump == "none":
            raise DealError(
                say("declared: the first cante of cabron makes trumps, so name the trump")
            )


def _play(position: Position, move: Move, index: int) -> Position:
    try:
        return position.play(move)
    except IllegalPlayError as error:
        raise error.at(index) from None


def _in_force(rules: Rules, chosen: Variant) -> Rules:
    """The rules without what belongs to another game: there a switch does nothing."""
    if chosen.id != "cabrero":
        rules = replace(rules, no_cargar=False)
    if chosen.id != "butifarra":
        rules = replace(rules, boti_school="lliure", boti_void_partner="any")
    elif rules.boti_school == "obligada":
        # The table of section 2.9 leaves nothing open that these could settle.
        rules = replace(
            rules,
            partner_exempt="all",
            boti_void_partner="any",
            undertrump="free",
            montar_si_fallado=False,
        )
    return rules


# -------------------------------------------------------------------- fields, one by one


def _variant(name: object) -> Variant:
    if not isinstance(name, str):
        raise DealError(say("variant: missing; `tute rules` lists them"))
    return variant(name)


def _cards(cards: str | Iterable[str], field: str) -> tuple[Card, ...]:
    try:
        return parse_hand(cards if isinstance(cards, str) else " ".join(cards))
    except CardError as error:
        raise DealError(f"{field}: {error}") from None


def _hand(cards: str | Iterable[str], field: str, order: Deck) -> tuple[Card, ...]:
    read = _cards(cards, field)
    for card in read:
        if card not in order.index:
            raise DealError(
                say("{field}: {card} is not in the deck").format(field=field, card=card)
            )
    return order.sort(read)


def _one_card(text: str, field: str) -> Card:
    cards = _cards(text, field)
    if len(cards) != 1:
        raise DealError(
            say("{field}: one card, not {number}").format(field=field, number=len(cards))
        )
    return cards[0]


def _moves(moves: str | Iterable[str]) -> tuple[Move, ...]:
    try:
        if isinstance(moves, str):
            return parse_moves(moves)
        return tuple(parse_move(move) for move in moves)
    except CardError as error:
        raise DealError(f"played: {error}") from None


def _trump(text: str | None, preset: Variant, stock: tuple[Card, ...]) -> str | None:
    if text is None or not text.strip():
        if stock:
            return stock[-1].suit
        return "none" if preset.trump == "first cante" else None
    if text.strip().lower() in ("none", "sin", "-"):
        if preset.trump == "suit":
            raise DealError(needs_trump(preset))
        return "none"
    try:
        return parse_suit(text)
    except CardError as error:
        raise DealError(f"trump: {error}") from None


def _seat(seat: int | None, field: str, players: int) -> int | None:
    if seat is not None and not 1 <= seat <= players:
        wrong = say("{field}: a seat from 1 to {players}, not {seat}")
        raise DealError(wrong.format(field=field, players=players, seat=_short(seat)))
    return seat


def _bid(bid: int | None) -> int | None:
    if bid is not None and abs(bid) > _LARGEST_BID:
        raise DealError(say("bid: {bid} is no bid; a number of points").format(bid=_short(bid)))
    return bid


def _counts(numbers: Sequence[int], field: str, players: int, most: int) -> tuple[int, ...]:
    if numbers and len(numbers) != players:
        wrong = say("{field}: one number for each of the {players} seats, not {given}")
        raise DealError(wrong.format(field=field, players=players, given=len(numbers)))
    for place, number in enumerate(numbers):
        if not 0 <= number <= most:
            wrong = say("{field}: seat {seat}: 0 to {most}, not {number}")
            raise DealError(
                wrong.format(field=field, seat=place + 1, most=most, number=_short(number))
            )
    return tuple(numbers)


def _suits(text: str) -> str:
    suits: set[str] = set()
    for word in text.replace(",", " ").split():
        try:
            suits.add(parse_suit(word))
        except CardError:
            try:
                suits.update(parse_suit(letter) for letter in word)
            except CardError as error:
                raise DealError(f"declared: {error}") from None
    return "".join(suit for suit in "oceb" if suit in suits)


def _cantes(text: str | None, preset: Variant) -> Literal["auto", "explicit"]:
    if text is None:
        return "explicit" if preset.cantes == "both" else "auto"
    if text.lower() == "auto":
        return "auto"
    if text.lower() == "explicit":
        return "explicit"
    raise DealError(say("cantes: auto or explicit, not {text!r}").format(text=text[:40]))


def _contract(text: str | None, preset: Variant, players: int) -> Contract | None:
    if text is None:
        return None
    if preset.id != "cuatrola":
        raise DealError(say("contract: only cuatrola has contracts; elsewhere there is `bid`"))
    for contract in get_args(Contract):
        if text.lower() == contract:
            return contract  # type: ignore[no-any-return]
    wrong = say("contract: solo, cuatrola or quintola, not {text!r}")
    raise DealError(wrong.format(text=text[:40]))


def _carried(points: Sequence[int] | None, preset: Variant) -> tuple[int, int] | None:
    if points is None:
        return None
    if not preset.stock:
        raise DealError(say("carried: {variant} has no second hand").format(variant=preset.id))
    one, other = _counts(points, "carried", 2, _MOST_POINTS) or (0, 0)
    return one, other


def _result(totals: Sequence[int] | None, players: int) -> tuple[int, ...] | None:
    if totals is not None and len(totals) not in (2, players):
        wrong = say("result: one total for each of the {players} seats, or for each side")
        raise DealError(wrong.format(players=players))
    return None if totals is None else tuple(totals)


def _names(names: Sequence[str], players: int) -> tuple[str, ...]:
    if names and len(names) != players:
        wrong = say("names: one for each of the {players} seats, not {given}")
        raise DealError(wrong.format(players=players, given=len(names)))
    return tuple(names)


def _short(number: int) -> str:
    return str(number) if abs(number) < 10**9 else say("such a number")


def _hand_field(place: int) -> str:
    return say("hands: seat {seat}").format(seat=place + 1)


# -------------------------------------------------------------------- said of random deals too


def wrong_number(preset: Variant, players: int) -> str:
    """That a variant is not for so many players."""
    known = [str(number) for number in sorted(preset.players)]
    wrong = say("{variant} is for {known} players, not {players}")
    return wrong.format(variant=preset.id, known=alternatives(known), players=players)


def needs_trump(preset: Variant) -> str:
    """That a variant is not played without trumps."""
    wrong = say("trump: {variant} is played with a trump suit, not none")
    return wrong.format(variant=preset.id)


def no_stock(preset: Variant) -> str:
    """That a variant has no stock."""
    return say("stock: {variant} has no stock").format(variant=preset.id)
