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

import jinja2
import msgspec

from tute.cards import SUIT_NAMES, SUITS, Card
from tute.deal import Deal
from tute.game import Game
from tute.language import say, spoken
from tute.notation import Move
from tute.position import Position
from tute.report.page_data import (
    Choice,
    End,
    MovesOfAPage,
    PointsChoices,
    State,
    Step,
    cante_name,
    meaning,
    move_name,
    says,
)
from tute.report.parts import Seats, clean, sides_of, suit_name
from tute.results import Moment, Walk

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
    """A seat: what it is called in a sentence and at its hand, where it is, its marks, its side."""

    name: str
    head: str
    place: str
    marks: tuple[str, ...]
    side: int


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
    start = walk.moments[0].position if walk.moments else walk.end
    moves = MovesOfAPage(start.game, seats)
    kind = PointsChoices(walk, seats, moves)
    hand = _Hand(
        deck=start.game.deck.cards,
        suits=dict(SUIT_NAMES),
        names=_names(walk, start.game),
        says={
            str(move): says(move, "{player}", start.game.trump) for move in _moves(walk, start.game)
        },
        seats=_seats(start.game, seats),
        sides=tuple(seats.several(side) for side in sides_of(start.game)),
        start=moves.state(start),
        steps=moves.steps([(moment.move, moment.position) for moment in walk.moments], walk.end),
        choices=tuple(
            kind.choice(moment, remark.sentences, decisive=remark.decisive)
            for moment, remark in zip(walk.moments, remarks, strict=True)
        ),
        end=kind.end(walk),
        level=_level(walk, start.game),
        words=_script_words(),
    )
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
        subtitle=clean(walk.deal.title).strip(),
        facts=_facts(walk.deal, start, seats),
        meaning=meaning(walk.objective, seats.several(walk.side)),
        summary=summary,
        problem=problem,
        cards=hand.deck,
        hands=_hands(start, seats),
        suits=[SUIT_NAMES[suit] for suit in SUITS],
        bazas=_bazas(walk, hand, seats),
        hand=hand,
        words=_words(),
        style=(_FOLDER / "page.css").read_text(encoding="utf-8"),
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        data=msgspec.json.encode(hand, enc_hook=str).decode().translate(_ESCAPED),
    )


# -------------------------------------------------------------------- the hand


def _moves(walk: Walk, game: Game) -> set[Move]:
    """Every move that the page may have to name: the cards, and what else is in its lines."""
    made: set[Move] = set(game.deck.cards)
    for moment in walk.moments:
        made.update((moment.move, *(answer.card for answer in moment.solution.cards)))
        made.update(move for line in moment.lines for move in line)
    return made


def _names(walk: Walk, game: Game) -> dict[str, str]:
    names = {str(move): move_name(move, game.trump) for move in _moves(walk, game)}
    for points in ("20", "40"):
        for suit in SUITS:
            names[f"*{points}{suit}"] = cante_name(points, suit)
    return names


def _seats(game: Game, seats: Seats) -> tuple[_Seat, ...]:
    side_of = {seat: n for n, side in enumerate(sides_of(game)) for seat in side}
    return tuple(
        _Seat(
            name=seats.one(place + 1),
            head=seats.head(place + 1),
            place=_PLACES[game.players][place],
            marks=_marks(game, place),
            side=side_of[place + 1],
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


def _level(walk: Walk, game: Game) -> _Level | None:
    """The bid as a line across the graph, where its values are the points promised."""
    if game.bid is None or walk.objective != "points" or (game.declarer or 0) + 1 not in walk.side:
        return None
    return _Level(height=game.bid, label=say("bid {bid}").format(bid=game.bid))


# -------------------------------------------------------------------- without the script


def _facts(deal: Deal, start: Position, seats: Seats) -> list[tuple[str, str]]:
    """The game, the trumps, who leads, who declares, the bid: each with its name."""
    game = start.game
    facts = [(say("Game"), deal.variant.title), (say("Triunfo"), suit_name(start.trump))]
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


def _bazas(walk: Walk, hand: _Hand, seats: Seats) -> list[_Baza]:
    """The moves trick by trick; where the record ends and best play goes on, a new part begins."""
    bazas: list[_Baza] = []
    recorded = [n for n, moment in enumerate(walk.moments) if moment.index is not None]
    record_end = recorded[-1] + 1 if recorded else 0
    for number, (moment, choice) in enumerate(zip(walk.moments, hand.choices, strict=True)):
        text = say("Baza {number}") if number < record_end else say("Baza {number}, best play")
        title = text.format(number=sum(moment.position.tricks) + 1)
        if not bazas or bazas[-1].title != title:
            bazas.append(_Baza(title, []))
        bazas[-1].rows.append(_row(number, moment, choice, hand, seats))
    return bazas


def _row(number: int, moment: Moment, choice: Choice, hand: _Hand, seats: Seats) -> _Row:
    made = next(option for option in choice.options if option.move == moment.move)
    return _Row(
        number=number,
        player=seats.one(moment.seat),
        name=hand.names[moment.move],
        card=made.card,
        mark="" if made.grade == "best" else made.mark,
        grade=made.grade,
        decisive=choice.decisive,
        texts=(*choice.says, *choice.remark),
    )


# -------------------------------------------------------------------- words


def _words() -> dict[str, str]:
    """The words of the template."""
    return {
        "deal": say("The deal"),
        "hand": say("Hand"),
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
        "how": say(
            "Step with the buttons, the arrow keys or a swipe; choose a card to see what follows."
        ),
        "no_script": say("Without JavaScript the page shows the deal and the moves as a list."),
    }


def _script_words() -> dict[str, str]:
    """The words of the script; what stands in braces is filled in there."""
    return {
        "counter": say("{step} of {steps}"),
        "what_if": say("What if: {move} Value {value}, with best play after it."),
        "value": say("Value: {value}"),
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
