"""What reports are put together from: players' names, cards, hands, a position, a line of play.

Renderables of rich, in colour on a terminal and plain elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import Formatter

from rich.console import Group, RenderableType
from rich.table import Table as Columns
from rich.text import Text

from tute.cards import SUIT_NAMES, SUITS, Card
from tute.deal import Deal
from tute.game import Game
from tute.language import count, later, say, word
from tute.notation import Move
from tute.position import Position
from tute.report.bazas import Baza, Event, gather, on_table
from tute.variants import Objective

_COLOURS = {"o": "yellow", "c": "red", "e": "cyan", "b": "green"}
# Said with `say` where they are shown.
DUTIES = {
    "asistir": later("asistir: whoever holds the suit led must follow it"),
    "montar": later("montar: whoever follows must beat the card that is winning, if he can"),
    "fallar": later("fallar: whoever is void in the suit led must trump"),
    "pisar": later("pisar: whoever is void must overtrump, if he can"),
    "no_cargar": later("no cargar: no points on a baza that one does not win, if avoidable"),
    "obligada": later("obligada: whoever cannot win plays the lowest card of the suit"),
}
_CALLS = {
    "*tute": later("tute"),
    "*7": later("7 for the turned-up card"),
    "*2": later("2 for the turned-up card"),
    "*capote": later("capote"),
}


# -------------------------------------------------------------------- seats and cards


class Seats:
    """What the players are called: by name where the deal has names, else by seat."""

    def __init__(self, deal: Deal) -> None:
        self._names = [clean(name).strip() for name in deal.names] or [""] * deal.players

    def one(self, seat: int) -> str:
        """The player in a sentence."""
        return self._names[seat - 1] or say("seat {seat}").format(seat=seat)

    def several(self, seats: Sequence[int]) -> str:
        """Several players in a sentence."""
        if len(seats) > 1 and not any(self._names[seat - 1] for seat in seats):
            return say("seats {seats}").format(seats=listed([str(seat) for seat in seats]))
        return listed([self.one(seat) for seat in seats])

    def points(self, seats: Sequence[int], number: int) -> str:
        """What players have made together, in a list of such."""
        made = count("{players}: {points}", "{players}: {points}", len(seats))
        return made.format(players=self.several(seats), points=number)

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
        return filled(say("{card} put away"), card=card_text(move[1:]))
    if move in _CALLS:
        return Text(say(_CALLS[move]))
    suit = move[3:] or trump
    return Text(f"{move[1:3]} {suit_name(suit)}", style=_COLOURS.get(suit or "", ""))


def suit_name(suit: str | None) -> str:
    """A suit's name; `none` where there is no suit."""
    return SUIT_NAMES[suit] if suit else word("trump", "none")


# -------------------------------------------------------------------- the deal and the position


def title(deal: Deal) -> list[Text]:
    """The deal's title, if it has one."""
    return [Text(clean(deal.title), style="bold")] if deal.title.strip() else []


def hand_name(deal: Deal) -> str:
    """What a hand is called: its title, else the game."""
    return clean(deal.title).strip() or deal.variant.title


def heading(deal: Deal, game: Game) -> Group:
    """The title, and in one line the game, the trumps, who leads, who declares, the bid."""
    seats = Seats(deal)
    facts = [deal.variant.title]
    if game.trump is None:
        facts.append(say("no triunfo"))
    else:
        facts.append(say("triunfo {suit}").format(suit=suit_name(game.trump)))
    facts.append(say("{player} leads").format(player=seats.one(game.first + 1)))
    if game.declarer is not None:
        facts.append(say("{player} declares").format(player=seats.one(game.declarer + 1)))
    if game.contract is not None:
        facts.append(game.contract)
    if game.bid is not None:
        facts.append(say("bid {points}").format(points=game.bid))
    return Group(*title(deal), Text(", ".join(facts), style="bold"))


def position_parts(position: Position, seats: Seats) -> list[RenderableType]:
    """The hands, what lies on the table, and what has been made so far."""
    game = position.game
    parts: list[RenderableType] = [hands_table(position.hands, position.trump, seats)]
    if position.stock:
        parts.append(filled(say("Stock: {cards} (turned up)"), cards=cards_text(position.stock)))
    if position.to_discard and game.widow is not None:
        parts.append(filled(say("The 40th card: {card}"), card=card_text(game.widow)))
    if position.trick:
        on_it = say("Baza {number}, on the table: {cards}")
        number = str(sum(position.tricks) + 1)
        parts.append(filled(on_it, number=number, cards=table_text(position, seats)))
    if any(position.points) or any(position.tricks):
        made = say("Points so far: {points}.")
        if position.declared:
            made = say("Points so far: {points}; cantes of {suits}.")
        points = ", ".join(
            seats.points(side, total(position.points, side)) for side in sides_of(game)
        )
        declared = ", ".join(suit_name(suit) for suit in SUITS if suit in position.declared)
        parts.append(Text(made.format(points=points, suits=declared)))
    return parts


def table_text(position: Position, seats: Seats) -> Text:
    """The cards of the trick in progress with those who played them."""
    return Text(", ").join(
        filled(say("{player} {card}"), player=seats.one(place + 1), card=card_text(card))
        for place, card in on_table(position)
    )


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
    grid = columns(say("baza"))
    for name in (say("leads"), say("cards"), say("wins")):
        grid.add_column(name)
    grid.add_column(say("points"), justify="right")
    grid.add_column(say("cantes"))
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
    note = say("The winning card is in brackets; on the right, points so far.")
    if objective == "tricks":
        note = say("The winning card is in brackets; on the right, bazas so far.")
    return Group(grid, Text(note, style="dim"))


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
        filled(say("{move} (seat {seat})"), move=move_text(event.move, None), seat=event.place + 1)
        for event in events
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


def filled(sentence: str, **fields: Text | str | int) -> Text:
    """A sentence with its named fields filled in; those that are coloured stay so."""
    text = Text()
    for words, name, _, _ in Formatter().parse(sentence):
        text.append(words)
        if name is not None:
            field = fields[name]
            text.append_text(field if isinstance(field, Text) else Text(str(field)))
    return text


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return say("{several} and {last}").format(several=", ".join(words[:-1]), last=words[-1])


def capital(sentence: str) -> str:
    """The sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def clean(text: str) -> str:
    """Text from a file on one line, without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def effort(nodes: int, seconds: float) -> Text:
    """What a search took."""
    searched = say("{nodes:,} positions in {seconds:.2f} s").format(nodes=nodes, seconds=seconds)
    return Text(searched, style="dim")
