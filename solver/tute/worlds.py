"""Deals that a seat cannot tell apart from the one that was dealt, drawn at random.

What a seat knows at its turn: its own cards, those it has drawn, every card played, the pairs and
exchanges shown, the turned-up card, the cards out of play in an ending, and that the others kept
their duties (and, under `auto`, declared as soon as they could). The declarer knows the 40th card
and what he put away; the others know neither. The partner who sleeps in a cuatrola shows nothing.

Cards are laid in places where no single card contradicts what was seen, uniformly among all ways to
do so; a replay of the record then throws out the worlds that contradict it after all. So what is
left is uniform among the worlds that are consistent with all of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from math import factorial, inf
from random import Random

from tute.cards import Card
from tute.deal import Deal, Made
from tute.errors import IllegalPlayError
from tute.notation import FORTY, SEVEN, TWENTY, TWO, Discard
from tute.position import Position

# Ways to lay the cards that are tried for one world before it is given up.
_TRIES = 1000

_Cards = tuple[Card, ...]
# What a layout gives: the dealt hands by place, and the stock.
_Dealt = tuple[tuple[_Cards, ...], _Cards]


class Worlds:
    """The worlds of the seat to move at one token of a legal record.

    Args:
        deal: the deal, with its record.
        index: the token of the record, from 0; what the seat does there is its own choice, and
            says nothing about the others.

    Raises:
        DealError, IllegalPlayError: as for `Deal.history`, up to that token.
    """

    def __init__(self, deal: Deal, index: int) -> None:
        made = _up_to(deal, index)
        place = made[-1][2].turn
        put_away = made[0][1]
        aside = 0
        if isinstance(put_away, Discard) and index > 0 and made[0][2].turn != place:
            deal, index, aside = deal.after_discard(made[1][2].hands), index - 1, 1
            made = _up_to(deal, index)
        self._deal = deal.cut(index + 1)
        self._made = made
        self._place = place
        self._seen = [_public(position) for _, _, position in made]
        self._offered = [
            position.legal() if position.turn == place else None for _, _, position in made
        ]
        unseen_aside = (put_away.card,) if aside and isinstance(put_away, Discard) else ()
        self._layout: _Hands | _Draws
        if deal.stock:
            self._layout = _Draws(deal, made, place)
        else:
            self._layout = _Hands(deal, made, place, unseen_aside)

    @property
    def seat(self) -> int:
        """The seat that cannot tell these worlds apart."""
        return self._place + 1

    def sample(self, rng: Random) -> Position | None:
        """The position before the move in a random world; None if none is found soon enough."""
        for _ in range(_TRIES):
            dealt = self._layout.lay(rng)
            if dealt is not None:
                position = self._replayed(*dealt)
                if position is not None:
                    return position
        return None

    def _replayed(self, hands: tuple[_Cards, ...], stock: _Cards) -> Position | None:
        """The record in another world, up to the move; None if it would have gone differently."""
        position: Position | None = None
        history = self._deal.history(self._deal.start_with(hands, stock))
        try:
            for (index, move, _), seen, offered, (number, made, position) in zip(
                self._made, self._seen, self._offered, history, strict=False
            ):
                if (number, made) != (index, move) or _public(position) != seen:
                    return None
                if offered is not None and position.legal() != offered:
                    return None
        except IllegalPlayError:
            return None
        return position


# ---------------------------------------------------------------------- the record


def _up_to(deal: Deal, index: int) -> list[Made]:
    """What was made up to a token of the record, that one included."""
    made: list[Made] = []
    for entry in deal.history():
        made.append(entry)
        if entry[0] == index:
            break
    return made


def _public(position: Position) -> tuple[object, ...]:
    """What everybody sees of a position."""
    return (
        position.turn,
        position.trick,
        position.trump,
        position.points,
        position.tricks,
        position.declared,
        len(position.stock),
        position.stock[-1:],
        position.capote,
        position.capote_failed,
        position.to_discard,
    )


def _showed(made: Sequence[Made]) -> Iterator[tuple[int, int, Card]]:
    """The cards that became known, each as the number of the move, the player and the card."""
    for number, (_, move, position) in enumerate(made[:-1]):
        if isinstance(move, Card):
            yield number, position.turn, move
        elif move in (SEVEN, TWO):
            yield number, position.turn, Card(move[1] + str(position.trump))
        elif move == FORTY or move in TWENTY.values():
            suit = str(position.trump) if move == FORTY else move[3]
            before, after = position.points, position.play(move).points
            singer = next(place for place, made in enumerate(after) if made > before[place])
            for rank in position.game.variant.pair:
                yield number, singer, Card(rank + suit)


def _betraying(
    made: Sequence[Made], place: int, hidden: Sequence[Card]
) -> dict[int, list[tuple[int, frozenset[Card]]]]:
    """By player, the moves with which he showed that he did not hold some of the hidden cards."""
    turns: dict[int, list[tuple[int, frozenset[Card]]]] = {}
    for number, (_, move, position) in enumerate(made[:-1]):
        if isinstance(move, Card) and position.turn != place and position.trick:
            lacked = frozenset(c for c in hidden if c != move and not position.allows(move, c))
            turns.setdefault(position.turn, []).append((number, lacked))
    return turns


# ---------------------------------------------------------------------- without a stock


class _Hands:
    """Lays the cards that a seat has not seen in the hands of the others.

    Cards that the same players may hold are one class. How many of each class go where is drawn
    with the number of ways to complete the choice as its weight, counted by dynamic programming
    over the classes and the room that is left; so every way to lay the cards is equally likely.

    Args:
        deal: the deal, its record cut at the moment.
        made: the record up to the moment.
        place: the player whose view it is.
        aside: cards put away unseen.
    """

    def __init__(self, deal: Deal, made: Sequence[Made], place: int, aside: _Cards) -> None:
        now = made[-1][2]
        asleep = deal.sleeper
        holdings = {other: now.hands[other] for other in range(deal.players) if other != place}
        if asleep is not None:
            holdings[asleep] = deal.hands[asleep]
        holdings[deal.players] = aside
        shown = {(player, card) for _, player, card in _showed(made)}
        self._fixed = {
            other: tuple(card for card in cards if (other, card) in shown)
            for other, cards in holdings.items()
        }
        hidden = [
            card
            for other, cards in holdings.items()
            for card in cards
            if card not in self._fixed[other]
        ]
        self._gone = tuple(
            tuple(card for card in dealt if place == owner or card not in holdings[owner])
            for owner, dealt in enumerate(deal.hands)
        )
        self._holders = tuple(holdings)
        self._room = tuple(
            len(holdings[other]) - len(self._fixed[other]) for other in self._holders
        )
        lacking: dict[int, set[Card]] = {other: set() for other in self._holders}
        for other, turns in _betraying(made, place, hidden).items():
            lacking[other].update(*(lacked for _, lacked in turns))
        classes: dict[tuple[int, ...], list[Card]] = {}
        for card in sorted(hidden, key=now.game.deck.index.__getitem__):
            able = tuple(
                number
                for number, other in enumerate(self._holders)
                if card not in lacking[other] and self._room[number]
            )
            classes.setdefault(able, []).append(card)
        self._classes = sorted(classes.items(), key=lambda item: len(item[0]))
        self._ways = cache(self._count)
        self._sort = now.game.deck.sort

    def lay(self, rng: Random) -> _Dealt:
        """One way to lay the cards, all equally likely."""
        given: dict[int, list[Card]] = {other: list(c) for other, c in self._fixed.items()}
        room = self._room
        for number, (able, cards) in enumerate(self._classes):
            options = list(_shares(len(cards), able, room))
            weights = [
                ways * self._ways(number + 1, _less(room, able, share)) for share, ways in options
            ]
            share = _weighted(rng, options, weights)
            rng.shuffle(shuffled := list(cards))
            for place, size in zip(able, share, strict=True):
                given[self._holders[place]] += shuffled[:size]
                shuffled = shuffled[size:]
            room = _less(room, able, share)
        hands = (
            self._sort((*gone, *given.get(owner, ()))) for owner, gone in enumerate(self._gone)
        )
        return tuple(hands), ()

    def _count(self, number: int, room: tuple[int, ...]) -> int:
        """In how many ways the classes from one on fill the room."""
        if number == len(self._classes):
            return 1
        able, cards = self._classes[number]
        return sum(
            ways * self._ways(number + 1, _less(room, able, share))
            for share, ways in _shares(len(cards), able, room)
        )


def _shares(
    size: int, able: Sequence[int], room: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], int]]:
    """How a class may be shared out: cards to each of `able`, and in how many ways."""
    if not able:
        if size == 0:
            yield (), 1
        return
    first, *rest = able
    most = min(size, room[first])
    for number in range(most + 1):
        for share, ways in _shares(size - number, rest, room):
            chosen = factorial(size) // factorial(number) // factorial(size - number)
            yield (number, *share), chosen * ways


def _less(room: tuple[int, ...], able: Sequence[int], share: Sequence[int]) -> tuple[int, ...]:
    left = list(room)
    for place, size in zip(able, share, strict=True):
        left[place] -= size
    return tuple(left)


def _weighted(
    rng: Random, options: Sequence[tuple[tuple[int, ...], int]], weights: Sequence[int]
) -> tuple[int, ...]:
    """One of the shares, by whole-number weights of any size."""
    below = list(accumulate(weights))
    return options[bisect_right(below, rng.randrange(below[-1]))][0]


# ---------------------------------------------------------------------- with a stock


@dataclass(frozen=True)
class _Slot:
    """A place for one card.

    Attributes:
        owner: who is dealt or draws the card, or None while it lies in the stock.
        since: from when on he has it, in numbers of moves.
        drawn: its place in the stock; None for a card dealt.
    """

    owner: int | None
    since: float
    drawn: int | None


class _Draws:
    """Lays the cards that a seat has not seen in hands, draws and stock.

    A card that a player has shown goes where he had it by then: in his hand as dealt, or among his
    draws before. Such sets of places are nested or apart, so that filling them from the smallest
    on, each card in any free place of its own, makes every way equally likely. Ways that break a
    duty are thrown out here; where that happens too often, worlds are few.

    Args:
        deal: the deal, its record cut at the moment.
        made: the record up to the moment.
        place: the player whose view it is. Where he is about to draw and lead, the card that he
            draws is known to him, since he may lead it.
    """

    def __init__(self, deal: Deal, made: Sequence[Made], place: int) -> None:
        self._deal, self._place = deal, place
        drawers = dict(_drawers(made))
        self._slots = [
            _Slot(owner, -1.0, None)
            for owner, hand in enumerate(deal.hands)
            if owner != place
            for _ in hand
        ]
        # The last card of the stock lies face up.
        for drawn in range(len(deal.stock) - 1):
            owner, since = drawers.get(drawn, (None, inf))
            if owner != place:
                self._slots.append(_Slot(owner, since, drawn))
        hidden = [card for owner, hand in enumerate(deal.hands) if owner != place for card in hand]
        hidden += [deal.stock[slot.drawn] for slot in self._slots if slot.drawn is not None]
        first: dict[Card, tuple[int, int]] = {}
        self._left: dict[Card, int] = {}
        for number, player, card in _showed(made):
            if card in hidden:
                first.setdefault(card, (number, player))
                if made[number][1] == card or made[number][1] in (SEVEN, TWO):
                    self._left.setdefault(card, number)
        self._betraying = _betraying(made, place, hidden)
        allowed = {card: self._where(first.get(card)) for card in hidden}
        order = made[-1][2].game.deck.index
        self._cards = sorted(hidden, key=lambda card: (len(allowed[card]), order[card]))
        self._allowed = allowed
        self._sort = made[-1][2].game.deck.sort

    def lay(self, rng: Random) -> _Dealt | None:
        """One way to lay the cards, all equally likely; None if it breaks a duty."""
        free = [True] * len(self._slots)
        laid: dict[Card, _Slot] = {}
        for card in self._cards:
            number = rng.choice([slot for slot in self._allowed[card] if free[slot]])
            free[number] = False
            laid[card] = self._slots[number]
        if self._breaks_a_duty(laid):
            return None
        hands: list[list[Card]] = [[] for _ in self._deal.hands]
        hands[self._place] = list(self._deal.hands[self._place])
        stock = list(self._deal.stock)
        for card, slot in laid.items():
            if slot.drawn is not None:
                stock[slot.drawn] = card
            elif slot.owner is not None:
                hands[slot.owner].append(card)
        return tuple(self._sort(hand) for hand in hands), tuple(stock)

    def _where(self, shown: tuple[int, int] | None) -> list[int]:
        """The slots that a card may have come from, given who showed it first and when."""
        if shown is None:
            return list(range(len(self._slots)))
        when, player = shown
        return [
            number
            for number, slot in enumerate(self._slots)
            if slot.owner == player and slot.since < when
        ]

    def _breaks_a_duty(self, laid: Mapping[Card, _Slot]) -> bool:
        for player, turns in self._betraying.items():
            for number, lacked in turns:
                for card in lacked:
                    slot = laid[card]
                    if slot.owner == player and slot.since < number < self._left.get(card, inf):
                        return True
        return False


def _drawers(made: Sequence[Made]) -> Iterator[tuple[int, tuple[int, float]]]:
    """Who draws which card of the stock, and when: before the lead, or once a trick is complete.

    The mover at the last moment counts as having drawn, if that comes before his lead.
    """
    drawn = 0
    for number, ((_, _, before), (_, _, after)) in enumerate(pairwise(made)):
        place = after.turn if before.window is None else before.turn
        since = number + (0.5 if before.window is None else -0.5)
        for _ in range(len(before.stock) - len(after.stock)):
            yield drawn, (place, since)
            drawn, place = drawn + 1, before.game.after(place)
    last = made[-1][2]
    if last.window is not None and last.window.moment == "before draw" and last.stock:
        yield drawn, (last.turn, len(made) - 1.5)
