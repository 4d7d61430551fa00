"""A hand as one self-contained page: what it says is put together here, the rest is a template.

The folder `web` has the template, the cards, the style and the script. The page loads nothing: the
hand stands in it as JSON (see `page_data`), and so do all the words that its script shows.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tute.cards import SUIT_NAMES, SUITS, Card
from tute.deal import Deal
from tute.game import Game
from tute.language import say, spoken
from tute.notation import Move, parse_move
from tute.position import Position
from tute.report.page_data import (
    Choice,
    End,
    MovesOfAPage,
    PointsChoices,
    SafetyChoices,
    State,
    Step,
    cante_name,
    meaning,
    move_name,
    says,
)
from tute.report.parts import Seats, clean, hand_name, sides_of, suit_name
from tute.results import SafetyReview, Walk

_FOLDER = Path(__file__).parent / "web"
# Where the seats are, seen from above; play goes to the right. Seat 1 is the nearest.
_PLACES = {
    2: ("bottom", "top"),
    3: ("bottom", "right", "left"),
    4: ("bottom", "right", "top", "left"),
    5: ("bottom", "right", "top-right", "top-left", "left"),
}
# What could end the element that the JSON stands in, or a line of a script.
_ESCAPED = str.maketrans({letter: f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"})


@dataclass(frozen=True, slots=True)
class Remark:
    """What a page says about one moment, in the reader's language.

    Attributes:
        sentences: one paragraph each.
        decisive: whether the moment is marked as one that decided the hand.
    """

    sentences: tuple[str, ...] = ()
    decisive: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """A question that is shown before the solution.

    Attributes:
        question: what is asked.
        hints: each says a little more than the one before.
    """

    question: str
    hints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """A table above the hand, such as what each player's cards cost.

    Attributes:
        sentences: one paragraph each.
        head: the columns' names; empty where there is no table.
        rows: the cells.
    """

    sentences: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class _Seat(msgspec.Struct, frozen=True):
    """A seat: what it is called in a sentence and at its hand, where it is, its marks."""

    name: str
    head: str
    place: str
    marks: tuple[str, ...]


class _Level(msgspec.Struct, frozen=True):
    """A line across the graph, such as the bid."""

    height: int
    label: str


class _Hand(msgspec.Struct, frozen=True):
    """All that the script of a page is given."""

    deck: tuple[Card, ...]
    suits: dict[str, str]
    names: dict[str, str]
    says: dict[str, str]
    seats: tuple[_Seat, ...]
    sides: tuple[str, ...]
    start: State
    steps: tuple[Step, ...]
    choices: tuple[Choice, ...]
    end: End
    level: _Level | None
    words: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Told:
    """A hand with what is said of it, whatever its values are.

    Attributes:
        deal: the deal.
        made: the moves, each with its index in the record, or None, and the position before it.
        end: the position after the last.
        choices: what could be chosen at each of them.
        last: what is shown after the last.
        level: a line across the graph, or None.
        heading: of the value of a position, with `{value}` to fill in.
        meaning: what the values are.
        how: what a reader can do.
    """

    deal: Deal
    made: Sequence[tuple[int | None, Move, Position]]
    end: Position
    choices: tuple[Choice, ...]
    last: End
    level: _Level | None
    heading: str
    meaning: str
    how: str

    @property
    def start(self) -> Position:
        """The first position."""
        return self.made[0][2] if self.made else self.end


def page(
    walk: Walk,
    *,
    title: str,
    summary: Summary,
    remarks: Sequence[Remark],
    problem: Problem | None,
) -> str:
    """A hand as an HTML document that needs no network and no other file.

    Args:
        walk: the hand, with the lines after its moves.
        title: what stands above it.
        summary: stands between the title and the hand.
        remarks: one for each moment of the walk.
        problem: what is asked before anything is given away; None to show all at once.

    Raises:
        ValueError: there is not one remark for each moment.
    """
    seats = Seats(walk.deal)
    kind = PointsChoices(walk, seats, MovesOfAPage(walk.end.game))
    told = _Told(
        deal=walk.deal,
        made=[(moment.index, moment.move, moment.position) for moment in walk.moments],
        end=walk.end,
        choices=tuple(
            kind.choice(moment, remark.sentences, decisive=remark.decisive)
            for moment, remark in zip(walk.moments, remarks, strict=True)
        ),
        last=kind.end(walk),
        level=_bid(walk),
        heading=say("Value: {value}"),
        meaning=meaning(walk, seats.several(walk.side)),
        how=say(
            "Step with the buttons, the arrow keys or a swipe; choose a card to see what follows."
        ),
    )
    return _document(told, title=title, summary=summary, problem=problem)


def plain_page(walk: Walk) -> str:
    """A hand as such a document, with nothing said of it but the values."""
    return page(
        walk,
        title=hand_name(walk.deal),
        summary=Summary(),
        remarks=[Remark() for _ in walk.moments],
        problem=None,
    )


def safety_page(
    answer: SafetyReview, *, title: str, summary: Summary, remarks: Sequence[Remark]
) -> str:
    """A hand that one plays not to lose, as such a document.

    Args:
        answer: the hand, with who was safe at each moment.
        title, summary: as for `page`.
        remarks: one for each step of the answer.

    Raises:
        ValueError: there is not one remark for each step.
    """
    seats = Seats(answer.deal)
    end = answer.deal.position()
    individual = end.game.variant.winning == "most"
    kind = SafetyChoices(seats, individual=individual)
    told = _Told(
        deal=answer.deal,
        made=[(step.index, step.card, step.position) for step in answer.steps],
        end=end,
        choices=tuple(
            kind.choice(step, remark.sentences, decisive=remark.decisive)
            for step, remark in zip(answer.steps, remarks, strict=True)
        ),
        last=kind.end(answer.steps, end),
        level=None,
        heading=kind.heading,
        meaning=kind.meaning,
        how=say("Step with the buttons, the arrow keys or a swipe."),
    )
    return _document(told, title=title, summary=summary, problem=None)


def _document(told: _Told, *, title: str, summary: Summary, problem: Problem | None) -> str:
    # Not for those who only want the words of a page: it takes longer to load than all of them.
    import jinja2

    seats = Seats(told.deal)
    hand = _hand(told, seats)
    script = (_FOLDER / "page.js").read_text(encoding="utf-8")
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return templates.get_template("page.html").render(
        language=spoken(),
        title=clean(title).strip(),
        facts=_facts(told.deal, told.start, seats),
        meaning=told.meaning,
        how=told.how,
        summary=summary,
        problem=problem,
        cards=hand.deck,
        hands=_hands(told.start, seats),
        suits=hand.suits,
        bazas=_bazas(told, hand),
        words=_words(),
        style=(_FOLDER / "page.css").read_text(encoding="utf-8"),
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        data=msgspec.json.encode(hand, enc_hook=str).decode().translate(_ESCAPED),
    )


# -------------------------------------------------------------------- the hand


def _hand(told: _Told, seats: Seats) -> _Hand:
    game, moves = told.start.game, MovesOfAPage(told.start.game)
    steps = moves.steps([(move, position) for _, move, position in told.made], told.end)
    named = {*game.deck.cards, *(parse_move(token) for token in _tokens(steps, told.choices))}
    names = {str(move): move_name(move, game.trump) for move in named}
    for points in ("20", "40"):
        for suit in SUITS:
            names[f"*{points}{suit}"] = cante_name(points, suit)
    return _Hand(
        deck=game.deck.cards,
        suits=dict(SUIT_NAMES),
        names=names,
        says={str(move): says(move, "{player}", game.trump) for move in named},
        seats=_seats(game, seats),
        sides=tuple(seats.several(side) for side in sides_of(game)),
        start=moves.state(told.start),
        steps=steps,
        choices=told.choices,
        end=told.last,
        level=told.level,
        words=_script_words() | {"value": told.heading},
    )


def _tokens(steps: Sequence[Step], choices: Sequence[Choice]) -> set[str]:
    """Every move that is shown."""
    tokens = {step.move for step in steps}
    for choice in choices:
        for option in choice.options:
            tokens.update((option.move, *(step.move for step in option.line)))
    return tokens


def _seats(game: Game, seats: Seats) -> tuple[_Seat, ...]:
    return tuple(
        _Seat(
            name=seats.one(place + 1),
            head=seats.head(place + 1),
            place=_PLACES[game.players][place],
            marks=_marks(game, place),
        )
        for place in range(game.players)
    )


def _marks(game: Game, place: int) -> tuple[str, ...]:
    marks = []
    if place == game.declarer:
        marks.append(say("declarer"))
    if place == game.first:
        marks.append(say("mano"))
    if place == game.asleep:
        marks.append(say("asleep"))
    return tuple(marks)


def _bid(walk: Walk) -> _Level | None:
    """The bid as a line across the graph, where the values are the points promised."""
    game = walk.end.game
    if game.bid is None or walk.objective != "points" or (game.declarer or 0) + 1 not in walk.side:
        return None
    return _Level(height=game.bid, label=say("bid {bid}").format(bid=game.bid))


# -------------------------------------------------------------------- without the script


def _facts(deal: Deal, start: Position, seats: Seats) -> list[tuple[str, str]]:
    """The game, the trumps, who leads, who declares, the bid: each with its name."""
    game = start.game
    facts = [(say("Game"), deal.variant.title), (say("Triunfo"), _trump(start.trump))]
    facts.append((say("Leads"), seats.one(game.first + 1)))
    if game.declarer is not None:
        facts.append((say("Declares"), seats.one(game.declarer + 1)))
    if game.contract is not None:
        facts.append((say("Contract"), game.contract))
    if game.bid is not None:
        facts.append((say("Bid"), str(game.bid)))
    if deal.declared:
        declared = ", ".join(SUIT_NAMES[suit] for suit in deal.declared)
        facts.append((say("Cantes before"), declared))
    return facts


def _trump(suit: str | None) -> str:
    return "–" if suit is None else suit_name(suit)


@dataclass(frozen=True, slots=True)
class _Holding:
    """A player's cards as a row: the ranks of each suit."""

    player: str
    ranks: tuple[str, ...]


def _hands(start: Position, seats: Seats) -> list[_Holding]:
    rows = [(seats.head(place + 1), hand) for place, hand in enumerate(start.hands)]
    if start.stock:
        rows.append((say("stock"), start.stock))
    return [_Holding(player, tuple(_ranks(hand, suit) for suit in SUITS)) for player, hand in rows]


def _ranks(hand: Iterable[Card], suit: str) -> str:
    return " ".join(card.rank for card in hand if card.suit == suit) or "–"


@dataclass(frozen=True, slots=True)
class _Row:
    """A move in the list of moves: its number, whose it is, how good it was, what is said."""

    number: int
    player: str
    name: str
    card: Card | None
    mark: str
    grade: str
    decisive: bool
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Baza:
    """The moves of a trick in the list of moves."""

    title: str
    rows: list[_Row]


def _bazas(told: _Told, hand: _Hand) -> list[_Baza]:
    """The moves trick by trick; where the record ends and best play goes on, a new part begins."""
    bazas: list[_Baza] = []
    recorded = [number for number, (index, _, _) in enumerate(told.made) if index is not None]
    record_end = recorded[-1] + 1 if recorded else 0
    for number, (_, move, position) in enumerate(told.made):
        text = say("Baza {number}") if number < record_end else say("Baza {number}, best play")
        title = text.format(number=sum(position.tricks) + 1)
        if not bazas or bazas[-1].title != title:
            bazas.append(_Baza(title, []))
        player = hand.seats[position.turn].name
        bazas[-1].rows.append(_row(number, move, player, told.choices[number], hand.names[move]))
    return bazas


def _row(number: int, move: Move, player: str, choice: Choice, name: str) -> _Row:
    made = next(option for option in choice.options if option.move == move)
    return _Row(
        number=number,
        player=player,
        name=name,
        card=made.card,
        mark="" if made.grade == "best" else made.mark,
        grade=made.grade,
        decisive=choice.decisive,
        texts=(*choice.says[1:], *choice.remark),
    )


# -------------------------------------------------------------------- words


def _words() -> dict[str, str]:
    """The words of the template."""
    return {
        "deal": say("The deal"),
        "moves": say("The moves"),
        "decisive": say("decisive"),
        "problem": say("Problem"),
        "hint": say("A hint"),
        "solution": say("Show the solution"),
        "summary": say("Summary"),
        "table": say("The table"),
        "controls": say("Step through the hand"),
        "first": say("First"),
        "back": say("Back"),
        "next": say("Next"),
        "last": say("Last"),
        "leave": say("Back to the hand"),
        "moment": say("This moment"),
        "score": say("So far"),
        "players": say("Players"),
        "points": say("points"),
        "bazas": say("bazas"),
        "cantes": say("cantes"),
        "graph": say("The value, move by move"),
        "no_script": say("Without JavaScript the page shows the deal and the moves as a list."),
    }


def _script_words() -> dict[str, str]:
    """The words of the script; what stands in braces is filled in there."""
    return {
        "counter": say("{step} of {steps}"),
        "what_if": say("What if: {move} Value {value}, with best play after it."),
        "hand_of": say("Cards of {player}"),
        "to_move": say("to move"),
        "leads": say("leads"),
        "played": say("played"),
        "takes": say("{player} takes the baza."),
        "credited": say("{cante} for {player}."),
        "stock": say("Stock: {cards} cards"),
        "turned": say("turned up"),
        "aside": say("The 40th card"),
        "declarations": say("Other moves"),
        "empty": say("No card on the table."),
        "moment": say("Move {step}: {value}"),
        "decisive": say("decisive"),
        "line": say("Best play after it"),
        "line_over": say("The line ends here."),
        "trump": say("triunfo"),
    }
