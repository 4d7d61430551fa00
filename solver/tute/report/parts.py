"""What reports are put together from: players' names, cards, hands, a position, a line of play.

Renderables of rich, in colour on a terminal and plain elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table as Columns
from rich.text import Text

from tute.cards import SUIT_NAMES, SUITS, Card
from tute.deal import Deal
from tute.game import Game
from tute.notation import Move
from tute.position import Position
from tute.report.bazas import Baza, Event, gather, on_table
from tute.variants import Objective

_COLOURS = {"o": "yellow", "c": "red", "e": "cyan", "b": "green"}
DUTIES = {
    "asistir": "asistir: whoever holds the suit led must follow it",
    "montar": "montar: whoever follows must beat the card that is winning, if he can",
    "fallar": "fallar: whoever is void in the suit led must trump",
    "pisar": "pisar: whoever is void must overtrump, if he can",
    "no_cargar": "no cargar: no points on a baza that one does not win, if avoidable",
    "obligada": "obligada: whoever cannot win plays the lowest card of the suit",
}
_CALLS = {
    "*tute": "tute",
    "*7": "7 for the turned-up card",
    "*2": "2 for the turned-up card",
    "*capote": "capote",
}


# -------------------------------------------------------------------- seats and cards


class Seats:
    """What the players are called: by name where the deal has names, else by seat."""

    def __init__(self, deal: Deal) -> None:
        self._names = [clean(name).strip() for name in deal.names] or [""] * deal.players

    def one(self, seat: int) -> str:
        """The player in a sentence."""
        return self._names[seat - 1] or f"seat {seat}"

    def several(self, seats: Sequence[int]) -> str:
        """Several players in a sentence."""
        if len(seats) > 1 and not any(self._names[seat - 1] for seat in seats):
            return f"seats {listed([str(seat) for seat in seats])}"
        return listed([self.one(seat) for seat in seats])

    def head(self, seat: int) -> str:
        """The player at the head of a column."""
        return f"{seat} {self._names[seat - 1]}".strip()


def card_text(card: str) -> Text:
    """A card in the colour of its suit."""
    return Text(card, style=_COLOURS[card[-1]])


def cards_text(cards: Iterable[Card]) -> Text:
    """Cards with a blank between them."""
    return Text(" ").join(card_text(card) for card in cards)


def move_text(move: Move | str, trump: str | None) -> Text:
    """A move in words: a card, `20 copas`, `7c put away`."""
    if isinstance(move, Card):
        return card_text(move)
    if move.startswith("-"):
        return card_text(move[1:]) + Text(" put away")
    if move in _CALLS:
        return Text(_CALLS[move])
    suit = move[3:] or trump
    return Text(f"{move[1:3]} {suit_name(suit)}", style=_COLOURS.get(suit or "", ""))


def suit_name(suit: str | None) -> str:
    """A suit's name; `none` where there is no suit."""
    return SUIT_NAMES.get(suit or "", "none")


# -------------------------------------------------------------------- the deal and the position


def title(deal: Deal) -> list[Text]:
    """The deal's title, if it has one."""
    return [Text(clean(deal.title), style="bold")] if deal.title.strip() else []


def heading(deal: Deal, game: Game) -> Group:
    """The title, and in one line the game, the trumps, who leads, who declares, the bid."""
    seats = Seats(deal)
    facts = [deal.variant.title]
    trump = suit_name(game.trump)
    facts.append("no triunfo" if game.trump is None else f"triunfo {trump}")
    facts.append(f"{seats.one(game.first + 1)} leads")
    if game.declarer is not None:
        facts.append(f"{seats.one(game.declarer + 1)} declares")
    if game.contract is not None:
        facts.append(game.contract)
    if game.bid is not None:
        facts.append(f"bid {game.bid}")
    return Group(*title(deal), Text(", ".join(facts), style="bold"))


def position_parts(position: Position, seats: Seats) -> list[RenderableType]:
    """The hands, what lies on the table, and what has been made so far."""
    game = position.game
    parts: list[RenderableType] = [hands_table(position.hands, position.trump, seats)]
    if position.stock:
        parts.append(Text("Stock: ") + cards_text(position.stock) + Text(" (turned up)"))
    if position.to_discard and game.widow is not None:
        parts.append(Text("The 40th card: ") + card_text(game.widow))
    if position.trick:
        table = Text(", ").join(
            Text(f"{seats.one(place + 1)} ") + card_text(card) for place, card in on_table(position)
        )
        parts.append(Text(f"Baza {sum(position.tricks) + 1}, on the table: ") + table)
    if any(position.points) or any(position.tricks):
        sides = [
            f"{seats.several(side)}: {total(position.points, side)}" for side in sides_of(game)
        ]
        declared = [suit_name(suit) for suit in SUITS if suit in position.declared]
        made = f"Points so far: {', '.join(sides)}"
        parts.append(Text(made + (f"; cantes of {', '.join(declared)}" if declared else "") + "."))
    return parts


def hands_table(hands: Sequence[Sequence[Card]], trump: str | None, seats: Seats) -> Columns:
    """A column for each seat and a row for each suit, the trump suit marked."""
    grid = columns("")
    for place in range(len(hands)):
        grid.add_column(seats.head(place + 1))
    for suit in SUITS:
        style = _COLOURS[suit] + (" bold" if suit == trump else "")
        row = [Text(SUIT_NAMES[suit], style=style)]
        for hand in hands:
            ranks = " ".join(card.rank for card in hand if card.suit == suit)
            row.append(Text(ranks or "-", style=style if ranks else "dim"))
        grid.add_row(*row)
    return grid


# -------------------------------------------------------------------- a line of play


def line_table(
    position: Position, line: Sequence[Move], seats: Seats, objective: Objective
) -> RenderableType:
    """Best play trick by trick: who leads, the cards with the winning one in brackets, totals."""
    game = position.game
    sides = sides_of(game)
    counting = "bazas" if objective == "tricks" else "points"
    grid = columns("baza")
    for name in ("leads", "cards", "wins"):
        grid.add_column(name)
    grid.add_column("points", justify="right")
    grid.add_column("cantes")
    for side in sides:
        grid.add_column(side_head(side), justify="right")
    for baza in gather(position, line):
        totals = baza.tricks if objective == "tricks" else baza.totals
        grid.add_row(
            "" if baza.number is None else str(baza.number),
            seats.head(baza.cards[0][0] + 1) if baza.cards else "",
            _played(baza),
            "" if baza.winner is None else seats.head(baza.winner + 1),
            "" if baza.winner is None else str(baza.points),
            _events(baza.events),
            *(str(total(totals, side)) for side in sides),
        )
    note = Text(f"The winning card is in brackets; on the right, {counting} so far.", style="dim")
    return Group(grid, note)


def _played(baza: Baza) -> Text:
    shown = Text()
    for place, card in baza.cards:
        if place == baza.winner:
            shown += Text("[") + Text(card, style=f"bold {_COLOURS[card.suit]}") + Text("] ")
        else:
            shown += Text(" ") + card_text(card) + Text("  ")
    return shown


def _events(events: Sequence[Event]) -> Text:
    return Text(", ").join(
        move_text(event.move, None) + Text(f" (seat {event.place + 1})") for event in events
    )


# -------------------------------------------------------------------- small things


def columns(first: str) -> Columns:
    """A table without rules; its first column is named."""
    grid = Columns(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column(first)
    return grid


def sides_of(game: Game) -> list[tuple[int, ...]]:
    """The seats of each side, the side of seat 1 first."""
    sides = dict.fromkeys(game.side(place) for place in range(game.players))
    return [tuple(place + 1 for place in side) for side in sides]


def side_head(seats: Sequence[int]) -> str:
    """A side at the head of a column."""
    return "+".join(str(seat) for seat in seats)


def total(numbers: Sequence[int], seats: Sequence[int]) -> int:
    """The sum of the numbers of these seats."""
    return sum(numbers[seat - 1] for seat in seats)


def counted(number: int, thing: str) -> str:
    """A number of things."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def capital(sentence: str) -> str:
    """The sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def clean(text: str) -> str:
    """Text from a file on one line, without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
