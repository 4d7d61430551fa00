"""What a page knows of a hand: where it starts, what each move changes, what can be chosen.

All of it is put in words and numbers here, so that the page itself knows neither rules nor
languages: it applies the changes and shows the words. `MovesOfAPage` is the same for every game;
what can be said of each choice is the affair of `PointsChoices`.
Places count from 0, as in positions; sides are in the order of `parts.sides_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from tute.cards import SUIT_NAMES, Card
from tute.game import Game
from tute.language import count, say, word
from tute.notation import CAPOTE, SEVEN, TUTE, TWO, Discard, Move
from tute.position import Position
from tute.report.bazas import gather, on_table
from tute.report.parts import Seats, capital, sides_of, suit_name, total
from tute.results import Moment, MoveValue, SafetyStep, Solution, Walk

# -------------------------------------------------------------------- what a page is given


class State(msgspec.Struct, frozen=True):
    """The table at one moment.

    Attributes:
        hands: each place's cards in deck order.
        trick: who laid which card on the table, in order.
        turn: the place to move; None at the end.
        trump: a suit, or None.
        stock: cards to draw, the turned-up one last.
        aside: the card that lies aside until the declarer takes it, or None.
        points, tricks: made so far, by side.
    """

    hands: tuple[tuple[Card, ...], ...]
    trick: tuple[tuple[int, Card], ...]
    turn: int | None
    trump: str | None
    stock: tuple[Card, ...]
    aside: Card | None
    points: tuple[int, ...]
    tricks: tuple[int, ...]


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one move changes; it is made by whoever is to move.

    Attributes:
        move: as it is written.
        turn: the place to move then; None at the end.
        lays: whether the move is a card that goes from the hand to the table.
        taken: the place that takes the trick, where the move completes one.
        came: cards that come to hands, before anything leaves them.
        gone: cards that leave hands, except for the one that is laid.
        drawn: how many cards leave the stock.
        turned: the new turned-up card, where it is another.
        trump: the new trump suit, where there is another.
        points, tricks: by side, where they change.
        cantes: sides and cantes that are credited.
    """

    move: str
    turn: int | None = None
    lays: bool = False
    taken: int | None = None
    came: tuple[tuple[int, Card], ...] = ()
    gone: tuple[tuple[int, Card], ...] = ()
    drawn: int = 0
    turned: Card | None = None
    trump: str | None = None
    points: tuple[int, ...] | None = None
    tricks: tuple[int, ...] | None = None
    cantes: tuple[tuple[int, str], ...] = ()


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move that can be chosen.

    Attributes:
        move: as it is written.
        label: what it is worth, in a word or a number.
        mark: a sign that tells without colour how good it is.
        grade: `best`, `worse` or `unknown`.
        says: how good it is, for those who hear it.
        card: the card that it is about, or None.
        line: the move and what follows it; empty for the move that was made, and where it is not
            known.
    """

    move: str
    label: str
    mark: str
    grade: str
    says: str
    card: Card | None = None
    line: tuple[Step, ...] = ()


class Choice(msgspec.Struct, frozen=True):
    """A moment at which somebody chooses.

    Attributes:
        head: where we are and whose turn it is.
        value: what the position is worth, in a few words.
        height: the same as a height in the graph; None where it is not known.
        tick: what the graph's axis says at that height.
        options: the moves, best first.
        says: what was done and how good it was, a sentence each.
        remark: more about it, a paragraph each.
        decisive: whether it decided the hand.
    """

    head: str
    value: str
    height: float | None
    tick: str
    options: tuple[Option, ...]
    says: tuple[str, ...]
    remark: tuple[str, ...]
    decisive: bool


class End(msgspec.Struct, frozen=True):
    """What is shown after the last move; the attributes are as in a choice."""

    head: str
    value: str
    height: float | None
    tick: str


# -------------------------------------------------------------------- the moves


class MovesOfAPage:
    """The moves of a hand as changes, and as words.

    Args:
        game: the game.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._sides = sides_of(game)
        self._side_of = {seat - 1: n for n, side in enumerate(self._sides) for seat in side}

    def state(self, position: Position) -> State:
        """A position whole."""
        return State(
            hands=position.hands,
            trick=tuple(on_table(position)),
            turn=None if position.over else position.turn,
            trump=position.trump,
            stock=position.stock,
            aside=self._game.widow if position.to_discard else None,
            points=self._by_side(position.points),
            tricks=self._by_side(position.tricks),
        )

    def steps(self, made: Sequence[tuple[Move, Position]], end: Position) -> tuple[Step, ...]:
        """The changes of moves, each with the position before it, up to the last position."""
        positions = [*(position for _, position in made), end]
        return tuple(
            self._step(before, move, after)
            for (move, before), after in zip(made, positions[1:], strict=True)
        )

    def line(self, position: Position, moves: Iterable[Move]) -> tuple[Step, ...]:
        """The changes of a line from a position on."""
        made = []
        for move in moves:
            made.append((move, position))
            position = position.play(move)
        return self.steps(made, position)

    def _step(self, before: Position, move: Move, after: Position) -> Step:
        came, gone = self._exchanged(before, move, after)
        lays = isinstance(move, Card)
        points, tricks = self._by_side(after.points), self._by_side(after.tricks)
        turned = after.stock[-1:] != before.stock[-1:] and after.stock
        return Step(
            move=move,
            turn=None if after.over else after.turn,
            lays=lays,
            taken=after.took_last if lays and not after.trick else None,
            came=came,
            gone=gone,
            drawn=len(before.stock) - len(after.stock),
            turned=after.stock[-1] if turned else None,
            trump=after.trump if after.trump != before.trump else None,
            points=points if points != self._by_side(before.points) else None,
            tricks=tricks if tricks != self._by_side(before.tricks) else None,
            cantes=self._cantes(before, move, after),
        )

    def _exchanged(
        self, before: Position, move: Move, after: Position
    ) -> tuple[tuple[tuple[int, Card], ...], tuple[tuple[int, Card], ...]]:
        """The cards that come to hands and those that leave them, but for the one laid."""
        if isinstance(move, Discard):
            widow = self._game.widow
            came = () if widow is None else ((before.turn, widow),)
            return came, ((before.turn, move.card),)
        had = {(place, card) for place, hand in enumerate(before.hands) for card in hand}
        has = {(place, card) for place, hand in enumerate(after.hands) for card in hand}
        if isinstance(move, Card):
            has.add((before.turn, move))
        return tuple(sorted(has - had)), tuple(sorted(had - has))

    def _cantes(self, before: Position, move: Move, after: Position) -> tuple[tuple[int, str], ...]:
        if after.declared == before.declared:
            return ()
        (baza,) = gather(before, [move])
        return tuple((self._side_of[event.place], event.move) for event in baza.events)

    def _by_side(self, numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple(total(numbers, side) for side in self._sides)


# -------------------------------------------------------------------- the choices, in points


class PointsChoices:
    """The moments of a hand of two sides: every move with the value after it.

    Args:
        walk: the hand.
        seats: what the players are called.
        moves: the moves of its lines.
    """

    def __init__(self, walk: Walk, seats: Seats, moves: MovesOfAPage) -> None:
        self._objective = walk.objective
        self._losing = walk.losing
        self._seats = seats
        self._moves = moves

    def choice(self, moment: Moment, remark: Sequence[str], *, decisive: bool) -> Choice:
        """What can be chosen at a moment, and what was."""
        solution = moment.solution
        label = self._label(solution.lower, solution.upper)
        lines = zip(solution.cards, moment.lines, strict=True)
        return Choice(
            head=head(moment.position, self._seats),
            value=label,
            height=solution.value,
            tick=label,
            options=tuple(self._option(moment, answer, line) for answer, line in lines),
            says=(
                capital(says(moment.move, self._seats.one(moment.seat), moment.position.trump)),
                *self._verdict(moment),
            ),
            remark=tuple(remark),
            decisive=decisive,
        )

    def end(self, walk: Walk) -> End:
        """What is shown after the last move of a hand."""
        if not walk.moments:
            return End(head=_last_words(walk.end), value="", height=None, tick="")
        last = walk.moments[-1].played
        label = self._label(last.lower, last.upper)
        return End(head=_last_words(walk.end), value=label, height=last.value, tick=label)

    def _option(self, moment: Moment, answer: MoveValue, line: Sequence[Move]) -> Option:
        cost = _cost(moment.solution, answer)
        name = move_name(answer.card, moment.position.trump)
        label = self._label(answer.lower, answer.upper)
        if cost is None:
            mark, grade, how = "?", "unknown", say("{move}: {value}, not proven.")
        elif cost == 0:
            mark, grade, how = "★", "best", say("{move}: {value}, none is better.")
        elif self._objective == "win":
            mark, grade, how = "▾", "worse", say("{move}: {value}, which is worse.")
        else:
            mark, grade, how = f"▾{cost}", "worse", say("{move}: {value}, {cost} worse.")
        made = answer.card == moment.move
        return Option(
            move=answer.card,
            label=label,
            mark=mark,
            grade=grade,
            says=capital(how.format(move=name, value=label, cost=cost)),
            card=card_of(answer.card),
            line=() if made else self._moves.line(moment.position, line),
        )

    def _verdict(self, moment: Moment) -> tuple[str, ...]:
        solution, cost = moment.solution, moment.cost
        if len(solution.cards) == 1:
            return (say("There is no other move."),)
        if cost is None:
            return (say("What it costs is not proven."),)
        others = [answer.card for answer in solution.cards if answer.card != moment.move]
        equal = [move for move in solution.best if move != moment.move]
        names = ", ".join(move_name(move, moment.position.trump) for move in equal)
        if cost == 0 and len(equal) == len(others):
            return (say("Every other move is as good."),)
        if cost == 0 and not equal:
            return (say("Every other move is worse."),)
        if cost == 0:
            return (say("As good: {moves}.").format(moves=names),)
        return (self._costs(moment, cost), say("Better: {moves}.").format(moves=names))

    def _costs(self, moment: Moment, cost: int) -> str:
        if self._objective == "win":
            before = self._label(moment.solution.lower, moment.solution.upper)
            after = self._label(moment.played.lower, moment.played.upper)
            return say("It changes the result from “{before}” to “{after}”.").format(
                before=before, after=after
            )
        if self._objective == "tricks":
            return count("It costs {cost} baza.", "It costs {cost} bazas.", cost).format(cost=cost)
        return count("It costs {cost} point.", "It costs {cost} points.", cost).format(cost=cost)

    def _label(self, lower: int, upper: int) -> str:
        if lower == upper:
            return self._value(lower)
        ends = (self._value(lower), self._value(upper))
        return "–".join(ends)

    def _value(self, value: int) -> str:
        if self._losing:
            return _safe(value > 0)
        if self._objective == "win":
            return (say("draw"), say("win"), say("loss"))[value]
        if self._objective == "difference":
            return f"{value:+d}".replace("-", "−") if value else "0"
        return str(value)


def meaning(walk: Walk, players: str) -> str:
    """What the numbers of such a walk are."""
    texts = {
        "points": say("The numbers: the points of {players} in the end, if all play best."),
        "difference": say(
            "The numbers: the points of {players} less those of the others in the end, "
            "if all play best."
        ),
        "tricks": say("The numbers: the bazas of {players} in the end, if all play best."),
        "win": say("The words: what the hand is for {players} in the end, if all play best."),
    }
    text = texts[walk.objective]
    if walk.losing:
        text = say("The words: whether {players} can be sure not to lose, whatever the others do.")
    return text.format(players=players)


def _cost(solution: Solution, answer: MoveValue) -> int | None:
    """What a move costs the side that makes it; None where a limit came first."""
    if solution.value is None or answer.value is None:
        return None
    return abs(solution.value - answer.value)


# -------------------------------------------------------------------- the choices, safe or not


class SafetyChoices:
    """The moments of a hand that one plays not to lose: each move with what it makes of its seat.

    Args:
        seats: what the players are called.
        individual: whether one plays to win the hand instead.
    """

    def __init__(self, seats: Seats, *, individual: bool) -> None:
        self._seats = seats
        self._individual = individual

    @property
    def heading(self) -> str:
        """Of the value of a position, with `{value}` to fill in."""
        return say("Sure to win: {value}") if self._individual else say("Sure not to lose: {value}")

    @property
    def meaning(self) -> str:
        """What is said of each choice, and what the graph shows."""
        if self._individual:
            return say(
                "The words: whether the player can still be sure to win, whatever the others do "
                "together. The graph: how many players can."
            )
        return say(
            "The words: whether the player can still be sure not to lose, whatever the others do "
            "together. The graph: how many players can."
        )

    def choice(self, step: SafetyStep, remark: Sequence[str], *, decisive: bool) -> Choice:
        """What can be chosen at a moment, and what was."""
        player = self._seats.one(step.seat)
        return Choice(
            head=head(step.position, self._seats),
            value=self._who_is_safe(step.before),
            height=_safe_seats(step.before),
            tick=str(_safe_seats(step.before)),
            options=tuple(self._option(step, move, safe) for move, safe in step.cards),
            says=(
                capital(says(step.card, player, step.position.trump)),
                *((say("There is no other move."),) if step.forced else ()),
            ),
            remark=tuple(remark),
            decisive=decisive,
        )

    def end(self, steps: Sequence[SafetyStep], position: Position) -> End:
        """What is shown after the last move of a hand."""
        after = steps[-1].after if steps else ()
        return End(
            head=_last_words(position),
            value=self._who_is_safe(after) if steps else "",
            height=_safe_seats(after) if steps else None,
            tick=str(_safe_seats(after)),
        )

    def _option(self, step: SafetyStep, move: Move, safe: bool | None) -> Option:
        name = move_name(move, step.position.trump)
        if safe is None:
            label, mark, grade = "?", "", "unknown"
            how = say("{move}: not decided.")
        elif not step.best:
            # Nothing was left to lose, so none is worse than another.
            label, mark, grade = _safe(False), "", "unknown"
            how = say("{move}: the player is not safe.")
        elif safe:
            label, mark, grade = _safe(True), "★", "best"
            how = say("{move}: the player stays safe.")
        else:
            label, mark, grade = _safe(False), "▾", "worse"
            how = say("{move}: the player is not safe.")
        return Option(
            move=move,
            label=label,
            mark=mark,
            grade=grade,
            says=capital(how.format(move=name)),
            card=card_of(move),
        )

    def _who_is_safe(self, safe: Sequence[bool | None]) -> str:
        if None in safe:
            return say("not decided")
        sure = [place + 1 for place, is_safe in enumerate(safe) if is_safe]
        return self._seats.several(sure) or say("nobody")


def _safe(safe: bool) -> str:
    """A label, short enough to stand at a card."""
    return say("segura") if safe else word("segura", "no")


def _safe_seats(safe: Sequence[bool | None]) -> int | None:
    return None if None in safe else sum(1 for sure in safe if sure)


# -------------------------------------------------------------------- words


def _last_words(position: Position) -> str:
    return say("The hand is over.") if position.over else say("The record ends here.")


def head(position: Position, seats: Seats) -> str:
    """Which trick it is, and whose turn."""
    number, player = sum(position.tricks) + 1, seats.one(position.turn + 1)
    if position.trick:
        return say("Baza {number}: {player} to play").format(number=number, player=player)
    return say("Baza {number}: {player} to lead").format(number=number, player=player)


def card_of(move: Move) -> Card | None:
    """The card that a move is about: the one played or put away."""
    if isinstance(move, Discard):
        return move.card
    return move if isinstance(move, Card) else None


def card_name(card: Card) -> str:
    """A card in full: `ace of oros`, `as de oros`."""
    ranks = {
        "A": say("ace"),
        "2": say("two"),
        "3": say("three"),
        "4": say("four"),
        "5": say("five"),
        "6": say("six"),
        "7": say("seven"),
        "8": say("eight"),
        "9": say("nine"),
        "S": say("sota"),
        "C": say("caballo"),
        "R": say("rey"),
    }
    return say("{rank} of {suit}").format(rank=ranks[card.rank], suit=SUIT_NAMES[card.suit])


def move_name(move: Move, trump: str | None) -> str:
    """A move as a thing: a card, `20 in copas`, `the seven for the turned-up card`."""
    if isinstance(move, Card):
        return card_name(move)
    if isinstance(move, Discard):
        return say("{card} put away").format(card=card_name(move.card))
    names = {
        TUTE: say("tute"),
        SEVEN: say("the seven for the turned-up card"),
        TWO: say("the two for the turned-up card"),
        CAPOTE: say("capote"),
    }
    return names.get(move) or cante_name(move[1:3], move.suit or trump)


def cante_name(points: str, suit: str | None) -> str:
    """A pair that is declared: `20 in copas`."""
    return say("{points} in {suit}").format(points=points, suit=suit_name(suit))


def says(move: Move, player: str, trump: str | None) -> str:
    """The sentence that a player makes a move."""
    # In Spanish the article is that of the rank.
    if isinstance(move, Card):
        sentence = say("{player} plays the {card}.")
        if move.rank == "S":
            sentence = word("sota", "{player} plays the {card}.")
        return sentence.format(player=player, card=card_name(move))
    if isinstance(move, Discard):
        sentence = say("{player} puts the {card} away.")
        if move.card.rank == "S":
            sentence = word("sota", "{player} puts the {card} away.")
        return sentence.format(player=player, card=card_name(move.card))
    acts = {
        TUTE: say("{player} shows a tute."),
        SEVEN: say("{player} exchanges the seven for the turned-up card."),
        TWO: say("{player} exchanges the two for the turned-up card."),
        CAPOTE: say("{player} announces capote."),
    }
    if move in acts:
        return acts[move].format(player=player)
    return say("{player} declares {cante}.").format(player=player, cante=move_name(move, trump))
