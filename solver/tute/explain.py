"""Explain a hand: an optimal line as a lesson, move by move.

What each move does is recognised by `tute.motifs`; here are the choice of the line, of the
alternatives that tempt, and of how much of their refutation is shown.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tute.cards import Card
from tute.deal import Deal
from tute.motifs import Scene, motifs, takes_for_certain
from tute.notation import Move
from tute.objectives import score
from tute.position import Position
from tute.results import Explanation, Moment, Reason, Solution, Step, Tempting
from tute.safety_walk import SafetyWalker
from tute.solver import MEMORY
from tute.walk import Walker

# A refutation is no longer than this, unless the reply comes later.
_LONGEST = 8


def explain(
    deal: Deal,
    *,
    objective: str | None = None,
    time_limit: float | None = None,
    memory: int = MEMORY,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: threading.Event | None = None,
) -> Explanation:
    """Best play from the position after `played` to the end, taught.

    Among equally good moves the line takes the easiest to follow (`easiest`). In cabrón and cabrero
    it is the line of `tute.safe`, for the deal's seat, else the one to move: 1 is the value where
    that seat can be sure not to lose, −1 where the others can make it.

    Args:
        deal: the deal; its `seat` says whose values are asked for.
        objective: as for `tute.solve`.
        time_limit: seconds after which the line ends where it has come to.
        memory: MiB that the table may use.
        threads: how many search together where there is a stock to draw from.
        progress: called from this thread with the moves done and about how many there are in all.
        cancel: to be set by another thread that wants what has been found by then.

    Raises:
        QuestionError: the game does not have the objective; cabrón and cabrero have none.
        TuteError: the deal or its record cannot be.
    """
    losing = deal.variant.winning == "not to lose"
    walker = (
        SafetyWalker(deal, objective=objective, memory=memory)
        if losing
        else Walker(deal, objective=objective, memory=memory, threads=threads)
    )
    position = deal.position()
    with walker.limited(time_limit, cancel):
        solution = walker.values(position)
        choose = _sharpest(walker, solution) if losing else _Easiest(_led_before(deal))
        moments = []
        for moment in _moments(walker, solution, choose):
            moments.append(moment)
            if progress is not None:
                left = sum(len(hand) for hand in moment.position.hands) + len(position.stock)
                progress(len(moments), len(moments) + left)
    end = moments[-1].position.play(moments[-1].move) if moments else position
    line = tuple(moment.move for moment in moments)
    if end.over:
        moments = [_followed(moment, line[number:]) for number, moment in enumerate(moments)]
    return Explanation(
        solution=solution,
        walk=walker.walk(moments, end),
        steps=tuple(_step(moment, line[number + 1 :]) for number, moment in enumerate(moments)),
    )


def _followed(moment: Moment, line: tuple[Move, ...]) -> Moment:
    """The moment with the line that is taught after its move."""
    lines = zip(moment.solution.cards, moment.lines, strict=True)
    own = (line if answer.card == moment.move else other for answer, other in lines)
    return replace(moment, lines=tuple(own))


# ---------------------------------------------------------------------- the line


def easiest(solution: Solution, led: str | None) -> Move:
    """The best move that is easiest to follow.

    A declaration or an exchange before a card. On lead, a card that nobody can take, the highest of
    them; else any other. Of these the suit led before, if it is among them; then the fewest points,
    the lowest rank (of cards that nobody can take, the highest), the first in deck order.

    Args:
        solution: the position, with the value of every move.
        led: the suit that was led last, or None.
    """
    return min(solution.best, key=lambda move: _ease(solution.position, move, led))


def _ease(position: Position, move: Move, led: str | None) -> tuple[int, ...]:
    if not isinstance(move, Card):
        return (0,)
    deck = position.game.deck
    if position.trick:
        return (1, deck.points[move], deck.strength[move])
    if takes_for_certain(position, move):
        return (1, 0, move.suit != led, -deck.strength[move])
    return (1, 1, move.suit != led, deck.points[move], deck.strength[move])


class _Easiest:
    """Chooses the easiest move of one position after the other of a line."""

    def __init__(self, led: str | None) -> None:
        self._led = led

    def __call__(self, solution: Solution) -> Move:
        move = easiest(solution, self._led)
        if isinstance(move, Card) and not solution.position.trick:
            self._led = move.suit
        return move


def _sharpest(walker: Walker, solution: Solution) -> Callable[[Solution], Move]:
    """Chooses the moves of the line that `tute.safe` shows."""
    line = iter(() if solution.value is None else walker.line(solution.position, solution.value))
    return lambda _: next(line)


def _moments(
    walker: Walker, first: Solution, choose: Callable[[Solution], Move]
) -> Iterator[Moment]:
    """A line as far as every move's value, and best play after it, are found in time."""
    solution = first
    while not solution.position.over:
        if walker.stopped or any(answer.value is None for answer in solution.cards):
            return
        move = choose(solution)
        moment = walker.with_lines(Moment(None, move, solution, ((),) * len(solution.cards)))
        if not all(moment.lines):
            return
        yield moment
        solution = walker.values(solution.position.play(move), solution.value)


def _led_before(deal: Deal) -> str | None:
    """The suit of the last lead in the record."""
    led = [move.suit for _, move, at in deal.history() if isinstance(move, Card) and not at.trick]
    return led[-1] if led else None


# ---------------------------------------------------------------------- a step


def _step(moment: Moment, rest: tuple[Move, ...]) -> Step:
    solution = moment.solution
    duty = None if moment.position.to_discard else moment.position.duty()[1]
    return Step(
        moment=moment,
        equal=tuple(move for move in solution.best if move != moment.move),
        forced=_forced(moment),
        duty=duty if isinstance(moment.move, Card) else None,
        does=motifs(Scene(moment, rest)),
        tempting=_tempting(moment),
    )


def _forced(moment: Moment) -> Reason | None:
    """Why the card was the only move, if it was."""
    if len(moment.solution.cards) > 1 or not isinstance(moment.move, Card):
        return None
    return moment.position.duty()[1] or "only card"


def _tempting(moment: Moment) -> Tempting | None:
    """The move, among those that cost something, that looks best if one sees this trick alone.

    In this order: a declaration; a card that takes the trick for certain; one that takes it for
    now, or goes to a trick that one's side is winning; any other. Of the others the one with fewest
    points, the lowest; of the rest the one with most points, the highest. Of equals the least bad.
    """
    solution = moment.solution
    worse = [answer for answer in solution.cards if answer.card not in solution.best]
    if not worse:
        return None
    chosen = max(worse, key=lambda answer: _appeal(Scene(replace(moment, move=answer.card), ())))
    assert chosen.value is not None
    assert solution.value is not None
    cost = abs(solution.value - chosen.value)
    lines = dict(zip((answer.card for answer in solution.cards), moment.lines, strict=True))
    refutation = _refutation(moment, lines[chosen.card], cost)
    reply = _first_reply(moment, refutation)
    return Tempting(
        card=chosen.card,
        value=chosen.value,
        cost=cost,
        refutation=refutation,
        reply=None if reply is None else refutation[reply],
        replier=None if reply is None else _positions(moment.position, refutation)[reply].turn + 1,
    )


def _appeal(scene: Scene) -> tuple[int, ...]:
    """How much a move appeals to who looks at this trick alone; more is more."""
    card = scene.card
    if card is None:
        return (3,)
    worth = (scene.points(card), scene.before.game.deck.strength[card])
    if takes_for_certain(scene.before, card):
        return (2, *worth)
    if scene.follows and (scene.takes(card) or scene.winning_so_far in scene.mine):
        return (1, *worth)
    return (0, -worth[0], -worth[1])


# ---------------------------------------------------------------------- a refutation


def _refutation(moment: Moment, line: tuple[Move, ...], cost: int) -> tuple[Move, ...]:
    """As much of best play after a move that costs so much as shows it.

    Up to the first lead before which the totals differ by as much from those before the same lead
    in best play. Where that is more than `_LONGEST` moves away, or no total is asked for: up to the
    last lead that is not, but not before the other side's first reply.
    """
    asked, objective = moment.solution.seat - 1, moment.solution.objective
    ends = _between_tricks(moment.position, line)
    near = {end: at for end, at in ends.items() if end <= _LONGEST}
    if objective != "win":
        best = {
            sum(at.tricks): score(at, asked, objective)
            for at in _between_tricks(moment.position, moment.line).values()
        }
        for end, at in near.items():
            if abs(best[sum(at.tricks)] - score(at, asked, objective)) >= cost:
                return line[:end]
    reply = _first_reply(moment, line)
    least = 1 if reply is None else reply + 1
    return line[: max((end for end in near if end >= least), default=max(least, _LONGEST))]


def _first_reply(moment: Moment, line: Sequence[Move]) -> int | None:
    """Which move of a line is the first of those who do not share the mover's value."""
    mine = Scene(moment, ()).mine
    turns = [position.turn for position in _positions(moment.position, line)]
    return next((number for number in range(len(line)) if turns[number] not in mine), None)


def _between_tricks(position: Position, line: Sequence[Move]) -> dict[int, Position]:
    """The positions of a line before each lead and at its end, by how many moves come before.

    Only those after a trick: what is declared or exchanged before it is none.
    """
    begun = sum(position.tricks)
    return {
        number: at
        for number, at in enumerate(_positions(position, line))
        if sum(at.tricks) > begun and not at.trick and (at.over or isinstance(line[number], Card))
    }


def _positions(position: Position, line: Sequence[Move]) -> list[Position]:
    """The position before each move of a line, and after the last."""
    positions = [position]
    for move in line:
        positions.append(positions[-1].play(move))
    return positions
