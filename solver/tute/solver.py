"""The driver of the two-sided search: bounds, values of all moves, best play.

Every answer is put together from zero-window tests, each of which proves a bound. So whatever
stops a search early (a time limit, `Solver.stop`), what it has by then is true.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from tute.deal import Deal
from tute.engine import known_stock, two_sides
from tute.errors import QuestionError
from tute.language import say
from tute.notation import Move
from tute.objectives import check_objective, score
from tute.position import Position
from tute.question import Question
from tute.results import ContractAnswer, ContractResult, MoveValue, Progress, Solution
from tute.threads import alarm
from tute.variants import Variant

MEMORY = 64
_LARGEST_MEMORY = 1 << 20
_MOST_THREADS = 64
# The points that win a hand of habanero or guiñote.
_HAND_WON = 101
# A value reached proves little more than itself, so the next test is this much higher, and twice
# as much each time.
_STEP_UP = 8
# Beyond every value.
_ANY_VALUE = 1 << 20
# How far from the estimate the first tests are when there is a time limit.
_FAR = (40, 20, 10)
# The same in the long searches of games with a stock, whether there is a time limit or not.
_DISTANT = (160, 120, 80, 40, 20, 10)


def checked_memory(memory: int) -> int:
    """An amount of memory for a table, in MiB.

    Raises:
        QuestionError: no table is so small or so large.
    """
    if not 1 <= memory <= _LARGEST_MEMORY:
        wrong = say("memory: 1 to {most} MiB, not {memory}")
        raise QuestionError(wrong.format(most=_LARGEST_MEMORY, memory=memory))
    return memory


@dataclass
class _Bounds:
    """Proven bounds of one position's value, for side 0 of the question."""

    lower: int
    upper: int

    @property
    def met(self) -> bool:
        return self.lower == self.upper


class Solver:
    """Solves positions, keeping its table from one to the next of the same game.

    Not to be used by two threads at once; `stop` may be called from any thread.

    Args:
        memory: MiB that the table may use.
        threads: how many threads search together where there is a stock to draw from; the values
            are the same for any number of them.

    Raises:
        QuestionError: no such amount of memory, or number of threads.
    """

    def __init__(self, memory: int = MEMORY, threads: int = 1) -> None:
        if not 1 <= threads <= _MOST_THREADS:
            wrong = say("threads: 1 to {most}, not {threads}")
            raise QuestionError(wrong.format(most=_MOST_THREADS, threads=threads))
        self._memory, self._threads = checked_memory(memory), threads
        self._engine: two_sides.Solver | known_stock.Solver = two_sides.Solver(memory)
        self._test_mode: dict[str, Any] = {}
        self._nodes_before = 0
        self._begun, self._nodes_begun = 0.0, 0
        self._progress: Callable[[Progress], None] | None = None
        self._watched: Position | None = None
        self._guess: int | None = None
        self._stopping = False
        self._question: Question | None = None
        self._hurried = False
        self._busy = threading.Lock()

    @property
    def table_bytes(self) -> int:
        """How much of the table is in use; that grows as it fills, within `memory`."""
        return self._engine.table_bytes

    @property
    def nodes(self) -> int:
        """Positions searched since the solver was made; it may be read while a search runs."""
        return self._nodes_before + self._engine.nodes

    def stop(self) -> None:
        """Make the running call, or else the next one, return soon, with what it has proven."""
        self._stopping = True
        self._engine.stop()

    def solve(
        self,
        subject: Deal | Position,
        *,
        objective: str | None = None,
        seat: int | None = None,
        bid: int | None = None,
        time_limit: float | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> Solution:
        """Solve a deal (after `played`) or a position; see `tute.solve`."""
        position, question = _asked(subject, objective, seat, bid)
        with self._measured(time_limit, progress) as spent:
            self._watched = position
            root, moves = self._all_moves(question, position)
            line = self._line(question, position, root.lower) if root.met else ()
        answers = tuple(MoveValue(move, *_for_asker(question, b)) for move, b in moves)
        return _solution(position, question, root, answers, line, spent)

    def contract(
        self,
        subject: Deal | Position,
        *,
        bid: int | None = None,
        time_limit: float | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> ContractResult:
        """Whether a bid is made; see `tute.contract`."""
        position, question = _asked(subject, "points", _declaring_seat(subject), bid)
        bid = position.game.bid
        if bid is None and question.game.variant.stock:
            bid = _HAND_WON
        if bid is None:
            raise QuestionError(say("bid: the deal names none, so say how many points"))
        with self._measured(time_limit, progress) as spent:
            self._watched = position
            bounds = self._first_bounds(question, position)
            self._narrow(question, position, bounds, guess=bid)
            line = self._line(question, position, bounds.lower) if bounds.met else ()
        made = True if bounds.lower >= bid else False if bounds.upper < bid else None
        return ContractResult(
            position=position,
            seat=question.place + 1,
            side=tuple(place + 1 for place in question.game.side(question.place)),
            bid=bid,
            lower=bounds.lower,
            upper=bounds.upper,
            made=made,
            highest_bid=highest_bid(position.game.variant, bounds.lower) if bounds.met else None,
            line=line,
            nodes=spent.nodes,
            seconds=spent.seconds,
        )

    def values(
        self,
        subject: Deal | Position,
        *,
        objective: str | None = None,
        seat: int | None = None,
        guess: int | None = None,
    ) -> Solution:
        """The value and every move's, without the line (which is left empty).

        Args:
            subject, objective, seat: as for `tute.solve`.
            guess: what the value may be, for the side asked for; a good one saves time.

        Raises:
            TuteError: as for `tute.solve`.
        """
        position, question = _asked(subject, objective, seat, None)
        with self._measured(None, None) as spent:
            guess = None if guess is None else question.sign * guess
            root, moves = self._all_moves(question, position, guess=guess)
        answers = tuple(MoveValue(move, *_for_asker(question, b)) for move, b in moves)
        return _solution(position, question, root, answers, (), spent)

    def best_play(
        self,
        position: Position,
        value: int,
        *,
        objective: str | None = None,
        seat: int | None = None,
    ) -> tuple[Move, ...]:
        """Best play from a position whose value is known; empty if the search is stopped.

        Args:
            position: where the line begins.
            value: its exact value for the side asked for.
            objective, seat: as for `tute.solve`.

        Raises:
            QuestionError: as for `tute.solve`.
        """
        position, question = _asked(position, objective, seat, None)
        with self._measured(None, None):
            return self._line(question, position, question.sign * value)

    def value_bounds(
        self,
        subject: Deal | Position,
        *,
        objective: str | None = None,
        seat: int | None = None,
        time_limit: float | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> Solution:
        """The value alone, without each move's value and the line (both are left empty)."""
        position, question = _asked(subject, objective, seat, None)
        with self._measured(time_limit, progress) as spent:
            self._watched = position
            bounds = self._first_bounds(question, position)
            self._narrow(question, position, bounds)
        return _solution(position, question, bounds, (), (), spent)

    # ---------------------------------------------------------------- the driver

    def _narrow(
        self,
        question: Question,
        position: Position,
        bounds: _Bounds,
        *,
        guess: int | None = None,
    ) -> None:
        """Test until the bounds meet or the search is stopped.

        The memory-enhanced test driver MTD(f) of Plaat and others, from an estimate: after a miss
        the test is for what is still possible, after a hit for more, in steps that double. Misses
        that prove one unit at a time are followed by steps that double too, where hits are not
        dear. Against the clock, tests far from the estimate come first: they are quick, so that
        there are bounds to speak of.
        """
        if position.to_discard:
            self._narrow_over_moves(question, position, bounds)
            return
        if bounds.met or self._stopping:
            return
        self._load(question, position)
        if position.stock:
            self._halve(question, position, bounds, guess)
            return
        if guess is None:
            guess = question.first_guess(position, self._engine.estimate())
            for far in _FAR if self._hurried else ():
                for goal in (guess + far, guess - far):
                    if not self._test(question, position, bounds, goal):
                        return
        up, down = _STEP_UP, 1
        while not bounds.met:
            goal = max(bounds.lower + 1, min(guess, bounds.upper))
            if not self._test(question, position, bounds, goal):
                return
            if bounds.lower < goal:
                if bounds.upper == goal - 1 and not question.lopsided:
                    down *= 2
                guess = bounds.upper - down + 1
            elif down > 1:
                guess = (bounds.lower + bounds.upper + 1) // 2
            else:
                guess = bounds.lower + up
                up *= 2

    def _halve(
        self, question: Question, position: Position, bounds: _Bounds, guess: int | None
    ) -> None:
        """Test in a long search: the quick tests first, far from the value, then ever nearer.

        Near a known guess it is the other way round, until the value lies between two tests. What
        is left is halved.
        """
        if guess is None:
            guess = question.first_guess(position, self._engine.estimate())
            if position is self._watched and question.objective in ("points", "difference"):
                self._guess = min(max(guess, bounds.lower), bounds.upper)
                self._report(question, bounds)
            goals = [goal for far in _DISTANT for goal in (guess + far, guess - far)]
        else:
            goals = [
                guess,
                *(goal for far in _DISTANT[::-1] for goal in (guess + far, guess - far)),
            ]
        for goal in goals:
            if not self._test(question, position, bounds, goal):
                return
        while not bounds.met:
            middle = (bounds.lower + bounds.upper + 1) // 2
            if not self._test(question, position, bounds, middle):
                return

    def _test(self, question: Question, position: Position, bounds: _Bounds, goal: int) -> bool:
        """Ask whether the loaded position's value is at least `goal`, and narrow the bounds.

        Nothing is asked where the bounds say it. False if the search was stopped.
        """
        if not bounds.lower < goal <= bounds.upper:
            return True
        base, needed = question.base(position), question.units_for(goal)
        result = self._engine.test(needed - base)
        if result is None:
            return False
        value = question.value(result + base) * question.sign
        if result + base >= needed:
            bounds.lower = max(bounds.lower, value)
        else:
            bounds.upper = min(bounds.upper, value)
        assert bounds.lower <= bounds.upper, "two proofs contradict each other"
        if position is self._watched:
            self._report(question, bounds)
        return True

    def _report(self, question: Question, bounds: _Bounds) -> None:
        """Tell who asked for it what the bounds of the value are."""
        if self._progress is None:
            return
        estimate = None if self._guess is None else question.sign * self._guess
        lower, upper = _for_asker(question, bounds)
        seconds = time.perf_counter() - self._begun
        self._progress(Progress(lower, upper, estimate, self.nodes - self._nodes_begun, seconds))

    def _all_moves(
        self, question: Question, position: Position, *, guess: int | None = None
    ) -> tuple[_Bounds, list[tuple[Move, _Bounds]]]:
        """The bounds of a position, and of each of its moves, as narrow as can be."""
        root = self._first_bounds(question, position)
        moves = [
            (move, after, self._first_bounds(question, after))
            for move, after in position.successors()
        ]
        if not position.to_discard:
            self._narrow(question, position, root, guess=guess)
        maximise = position.turn in question.first_side
        for _, after, bounds in moves:
            guess = None
            if maximise:
                bounds.upper = min(bounds.upper, root.upper)
            else:
                bounds.lower = max(bounds.lower, root.lower)
            if root.met:
                guess = root.lower if maximise else root.lower + 1
            self._narrow(question, after, bounds, guess=guess)
        if moves:
            pick = max if maximise else min
            root.lower = max(root.lower, pick(bounds.lower for _, _, bounds in moves))
            root.upper = min(root.upper, pick(bounds.upper for _, _, bounds in moves))
        return root, [(move, bounds) for move, _, bounds in moves]

    def _narrow_over_moves(self, question: Question, position: Position, bounds: _Bounds) -> None:
        """The discard of the widow is a move that the search does not know: try each."""
        root, _ = self._all_moves(question, position)
        bounds.lower, bounds.upper = root.lower, root.upper

    def _line(self, question: Question, position: Position, value: int) -> tuple[Move, ...]:
        """Best play to the end: at each step the first move, in the order of `legal`, that keeps
        the value. Empty if the search is stopped on the way.
        """
        line: list[Move] = []
        while not position.over:
            maximise = position.turn in question.first_side
            *others, last = position.legal()
            for move in others:
                after = position.play(move)
                enough = self._at_least(question, after, value if maximise else value + 1)
                if enough is None:
                    return ()
                if enough == maximise:
                    break
            else:
                move, after = last, position.play(last)
            line.append(move)
            position = after
        return tuple(line)

    def _at_least(self, question: Question, position: Position, value: int) -> bool | None:
        """Whether side 0 has at least a value; None if the search is stopped first."""
        if position.over:
            return self._first_bounds(question, position).lower >= value
        bounds = _Bounds(-_ANY_VALUE, _ANY_VALUE)
        self._load(question, position)
        if not self._test(question, position, bounds, value):
            return None
        return bounds.lower >= value

    def _first_bounds(self, question: Question, position: Position) -> _Bounds:
        """What is known without a search."""
        if position.over:
            final = score(position, question.place, question.objective) * question.sign
            return _Bounds(final, final)
        if position.to_discard:
            # The 40th card is not in play yet, so that its points are in no sum over the position.
            bounds = [self._first_bounds(question, after) for _, after in position.successors()]
            return _Bounds(min(b.lower for b in bounds), max(b.upper for b in bounds))
        return _Bounds(*question.range(position))

    def _load(self, question: Question, position: Position) -> None:
        if question != self._question:
            self._use(with_stock=question.with_stock)
            self._engine.set_game(question.packed_game)
            self._question = question
        self._engine.set_position(question.packed_position(position))

    def _use(self, *, with_stock: bool) -> None:
        """Search with the engine for such games from now on; the other's table is given up."""
        if isinstance(self._engine, known_stock.Solver) != with_stock:
            self._nodes_before += self._engine.nodes
            if with_stock:
                self._engine = known_stock.Solver(self._memory, self._threads)
            else:
                self._engine = two_sides.Solver(self._memory)
            if self._stopping:
                self._engine.stop()
            self._engine.set_test_mode(**self._test_mode)

    def _set_test_mode(self, **mode: Any) -> None:
        """Search as `set_test_mode` of the engines says: slower, the same values."""
        self._test_mode = mode
        self._engine.set_test_mode(**mode)

    @contextmanager
    def _measured(
        self, time_limit: float | None, progress: Callable[[Progress], None] | None
    ) -> Iterator[_Spent]:
        """Count nodes and seconds, and stop the search when its time is over."""
        if not self._busy.acquire(blocking=False):
            raise QuestionError(say("this solver is at work in another thread: use one for each"))
        spent = _Spent()
        self._begun, self._nodes_begun = time.perf_counter(), self.nodes
        self._progress, self._watched, self._guess = progress, None, None
        self._hurried = time_limit is not None
        try:
            with alarm(time_limit, self.stop):
                yield spent
        finally:
            self._stopping = False
            self._engine.resume()
            self._busy.release()
            spent.seconds = time.perf_counter() - self._begun
            spent.nodes = self.nodes - self._nodes_begun


@dataclass
class _Spent:
    nodes: int = 0
    seconds: float = 0.0


def highest_bid(variant: Variant, value: int) -> int | None:
    """The highest bid of the auction's steps that so many points make, or None."""
    if variant.bids is None:
        return None
    least, most, step = variant.bids
    bid = value // step * step if most is None else min(value // step * step, most)
    return bid if bid >= least else None


def _solution(
    position: Position,
    question: Question,
    bounds: _Bounds,
    answers: tuple[MoveValue, ...],
    line: tuple[Move, ...],
    spent: _Spent,
) -> Solution:
    """The result value, from what the driver has found."""
    lower, upper = _for_asker(question, bounds)
    return Solution(
        position=position,
        objective=question.objective,
        seat=question.place + 1,
        side=tuple(place + 1 for place in question.game.side(question.place)),
        lower=lower,
        upper=upper,
        cards=_best_first(question, position, answers),
        line=line,
        contract=_contract(question, lower, upper),
        nodes=spent.nodes,
        seconds=spent.seconds,
    )


def _asked(
    subject: Deal | Position, objective: str | None, seat: int | None, bid: int | None
) -> tuple[Position, Question]:
    """The position to search, with the bid that holds, and the question about it."""
    if isinstance(subject, Deal):
        position = subject.position()
        seat = seat if seat is not None else subject.asked
    else:
        position = subject
        seat = seat if seat is not None else (position.game.declarer or 0) + 1
    if bid is not None:
        position = replace(position, game=replace(position.game, bid=bid))
    game = position.game
    if not 1 <= seat <= game.players:
        wrong = say("seat: a seat from 1 to {players}, not {seat}")
        raise QuestionError(wrong.format(players=game.players, seat=seat))
    with_stock = bool(position.stock) or game.capote
    question = Question(game, seat - 1, check_objective(game, objective), with_stock)
    return position, question


def _declaring_seat(subject: Deal | Position) -> int | None:
    """The seat that makes a contract: the declarer's, or None for the seat asked for."""
    game = subject.game() if isinstance(subject, Deal) else subject.game
    return None if game.declarer is None else game.declarer + 1


def _for_asker(question: Question, bounds: _Bounds) -> tuple[int, int]:
    """Bounds for side 0 as bounds for the side asked for."""
    if question.sign == 1:
        return bounds.lower, bounds.upper
    return -bounds.upper, -bounds.lower


def _best_first(
    question: Question, position: Position, moves: tuple[MoveValue, ...]
) -> tuple[MoveValue, ...]:
    """The moves in the order of their worth for the seat to move; equal ones keep their order."""
    if position.turn in question.game.side(question.place):
        return tuple(sorted(moves, key=lambda move: (-move.lower, -move.upper)))
    return tuple(sorted(moves, key=lambda move: (move.upper, move.lower)))


def _contract(question: Question, lower: int, upper: int) -> ContractAnswer | None:
    """Whether the bid is made, as far as this question's value tells."""
    game = question.game
    if question.kind == "points made":
        declares = question.sign
        made = None if lower != upper else lower == declares
        return ContractAnswer(game.bid, made, None)
    if question.objective != "points" or not (game.variant.bids or game.bid is not None):
        return None
    if game.variant.bids and game.declarer not in game.side(question.place):
        return None
    made = None
    if game.bid is not None and (lower >= game.bid or upper < game.bid):
        made = lower >= game.bid
    highest = highest_bid(game.variant, lower) if lower == upper else None
    return ContractAnswer(game.bid, made, highest)
