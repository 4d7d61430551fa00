"""A line of play gathered trick by trick, as reports show it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tute.cards import SUITS, Card
from tute.notation import Declaration, Move
from tute.position import Position


@dataclass
class Event:
    """A cante, an exchange or another act that is no card.

    Attributes:
        place: the player whose act it is, or who is credited.
        move: as it is written, a forty with its suit: `*20c`, `*40o`, `*7`, `-7c`.
        points: what it brings.
    """

    place: int
    move: str
    points: int


@dataclass
class Baza:
    """One trick, with what happened before the next.

    Attributes:
        number: of the hand, from 1; None before the first card.
        cards: who played what, in order.
        winner: a place; None where the trick is not complete.
        points: of its cards, with those for the last trick.
        events: declarations and exchanges after it, and cantes that fall in it.
        totals: points by player after all that.
        tricks: tricks by player after it.
    """

    number: int | None
    totals: tuple[int, ...]
    tricks: tuple[int, ...]
    cards: list[tuple[int, Card]] = field(default_factory=list)
    winner: int | None = None
    points: int = 0
    events: list[Event] = field(default_factory=list)


def on_table(position: Position) -> list[tuple[int, Card]]:
    """The cards of the trick in progress with those who played them."""
    game = position.game
    place = position.turn
    for _ in range(game.trick_size - len(position.trick)):
        place = game.after(place)
    played = []
    for card in position.trick:
        played.append((place, card))
        place = game.after(place)
    return played


def gather(position: Position, line: Iterable[Move]) -> list[Baza]:
    """The tricks of a line from a position; the first holds what lies on the table already."""
    bazas: list[Baza] = []
    for move in line:
        before, position = position, position.play(move)
        if not bazas or (isinstance(move, Card) and not before.trick):
            number = sum(before.tricks) + 1 if isinstance(move, Card) or before.trick else None
            bazas.append(Baza(number, before.points, before.tricks, on_table(before)))
        baza = bazas[-1]
        credited = _credited(move, before, position)
        if isinstance(move, Card):
            baza.cards.append((before.turn, move))
            baza.events += credited
            if not position.trick:
                baza.winner = position.took_last
                baza.points = sum(position.points) - sum(before.points)
                baza.points -= sum(event.points for event in credited)
        else:
            baza.events += credited or [Event(before.turn, str(move), 0)]
        baza.totals, baza.tricks = position.points, position.tricks
    return bazas


def _credited(move: Move, before: Position, after: Position) -> list[Event]:
    """The cantes that one move brings, each with the player who gets it."""
    events = []
    for suit in sorted(after.declared - before.declared, key=SUITS.index):
        if isinstance(move, Declaration):
            # Under `cante_who = side` a partner may be the one who declares.
            gains = [now - then for now, then in zip(after.points, before.points, strict=True)]
            place = gains.index(max(gains))
        elif suit in before.parted:
            place = before.turn
        else:
            place = after.turn
        points = 40 if suit == after.trump else 20
        events.append(Event(place, f"*{points}{suit}", points))
    return events
