"""Who can be sure not to lose, in games in which each plays alone, and how.

Every answer for a seat is about that seat against all the others together. Beside it stands what
to expect when everyone looks after himself (`tute.riesgo`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import IntEnum

from tute.alone import packed_game, packed_position
from tute.deal import Deal
from tute.engine import safety as engine
from tute.errors import QuestionError
from tute.language import say
from tute.notation import Move
from tute.position import Position
from tute.results import MoveSafety, Risk, Safety, SafetyStep, SeatSafety
from tute.riesgo import Outlook, RiskSolver
from tute.solver import checked_memory
from tute.threads import alarm, limited, processors, wait_for_all

MEMORY = 64
_NO_RISK = Risk(0.0, 0.0)


class Aim(IntEnum):
    """What a seat aims at, in the numbers of engine/goal.pxd."""

    SAFE = 0
    HIGH = 1
    LOW = 2
    MORE = 3
    NOT_MORE = 4


class Prover:
    """Asks the search about one position after another, keeping its table while the goal stays.

    Not to be used by two threads at once; `stop` may be called from any thread.

    Args:
        memory: MiB that the table may use.
    """

    def __init__(self, memory: int) -> None:
        self._engine = engine.Solver(memory)
        self._goal: tuple[object, ...] = ()

    @property
    def nodes(self) -> int:
        """Positions searched since it was made."""
        return self._engine.nodes

    def stop(self) -> None:
        """Make the running call return soon, and all later ones: nothing more is decided."""
        self._engine.stop()

    def sure(self, position: Position, place: int, aim: Aim = Aim.SAFE) -> bool | None:
        """Whether the player at `place` can be sure of an aim; None if stopped."""
        self._load(position, place, aim)
        return self._engine.test()

    def points(self, position: Position, place: int, aim: Aim) -> int | None:
        """The most (MORE) or fewest (NOT_MORE) points that a player is sure of; None if stopped.

        Each test halves what is conceivable, or better; the first asks for points at all, of which
        many seats are not sure.
        """
        self._load(position, place, aim)
        lower, upper = position.points[place], _most_points(position, place)
        level = lower
        while lower < upper:
            bound = self._engine.test_points(level)
            if bound is None:
                return None
            if bound > level:
                lower = min(bound, upper)
            else:
                upper = max(bound, lower)
            assert lower <= upper, "two proofs contradict each other"
            level = (lower + upper) // 2
        return lower

    def _load(self, position: Position, place: int, aim: Aim) -> None:
        if self._goal != (position.game, place, aim):
            self._goal = (position.game, place, aim)
            self._engine.set_game(packed_game(position.game))
            self._engine.set_goal(place, aim)
        self._engine.set_position(packed_position(position))


@dataclass
class _Found:
    """What has been found out about a seat."""

    safe: bool | None = None
    high: bool | None = None
    low: bool | None = None
    max_points: int | None = None
    min_points: int | None = None
    cards: dict[Move, bool | None] = field(default_factory=dict)
    line: tuple[Move, ...] = ()


def safe(
    subject: Deal | Position,
    *,
    seat: int | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int = MEMORY,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: threading.Event | None = None,
) -> Safety:
    """Who can be sure not to lose, by which cards, and what threatens the others.

    Args:
        subject: a deal (after `played`) or a position of cabron, cabrero or tute-individual; in the
            last, to lose is not to win the hand.
        seat: whose line is shown, from 1; the deal's by default, else that of the seat to move.
        seed: of the estimate of the risks.
        time_limit: seconds after which what is not decided is None.
        memory: MiB that all tables together may use.
        workers: threads; as many as there are processors by default.
        progress: called from this thread with the parts of the answer done and the parts in all.
        cancel: to be set by another thread that wants what has been decided by then.

    Raises:
        QuestionError: in this game somebody has a partner, or there is no such seat.
        TuteError: the deal cannot be.
    """
    position, seat = _asked(subject, seat)
    players = position.game.players
    workers = workers or processors()
    share = max(1, memory // (workers + 1))
    idle = [Prover(share) for _ in range(workers)]
    provers = list(idle)
    fortune = RiskSolver(share)
    found = [_Found() for _ in range(players)]
    stopped = threading.Event()
    begun = time.perf_counter()

    def stop() -> None:
        stopped.set()
        for prover in provers:
            prover.stop()
        fortune.stop()

    def with_prover(work: Callable[[Prover, Position, int, _Found], None], place: int) -> None:
        prover = idle.pop()
        try:
            if not stopped.is_set():
                work(prover, position, place, found[place])
        finally:
            idle.append(prover)

    def outlook() -> Outlook:
        return fortune.outlook(position, seed=seed, time_limit=0 if stopped.is_set() else None)

    def safety_of(prover: Prover, position: Position, place: int, seat_found: _Found) -> None:
        _safety(prover, position, place, seat_found, with_line=place == seat - 1)

    places = [(position.turn + turn) % players for turn in range(players)]
    with ThreadPoolExecutor(workers) as pool, alarm(time_limit, stop):
        jobs: list[Future[None]] = [pool.submit(with_prover, safety_of, place) for place in places]
        risks = pool.submit(outlook)
        jobs += [pool.submit(with_prover, _points, place) for place in places]
        wait_for_all([*jobs, risks], stop, progress, cancel)
    for job in jobs:
        job.result()
    expected = risks.result()
    return Safety(
        position=position,
        seat=seat,
        players=tuple(_seat(place, found[place], expected) for place in range(players)),
        cards=_cards(found[position.turn], expected),
        losers=expected.losers,
        risk_exact=expected.exact,
        line=found[seat - 1].line,
        nodes=expected.nodes + sum(prover.nodes for prover in provers),
        seconds=time.perf_counter() - begun,
    )


def safety_history(
    deal: Deal,
    *,
    time_limit: float | None = None,
    memory: int = MEMORY,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: threading.Event | None = None,
) -> tuple[SafetyStep, ...]:
    """Every move of a record with who could be sure not to lose before and after it.

    It is searched from the end of the record, so that a limit leaves open the beginning.

    Args:
        deal: a deal of cabron, cabrero or tute-individual with its record in `played`.
        time_limit: seconds after which what is not decided is None.
        memory: MiB that all tables together may use.
        workers: threads; as many as there are processors by default.
        progress: called from this thread with the questions answered and the questions in all.
        cancel: to be set by another thread that wants what has been decided by then.

    Raises:
        QuestionError: in this game somebody has a partner.
        TuteError: the deal or its record cannot be.
    """
    _asked(deal, None)
    moments = [(index, move, position) for index, move, position in deal.replay()]
    positions = [position for _, _, position in moments] + [deal.position()]
    workers = min(deal.players, workers or processors())
    if workers < 1:
        raise QuestionError(say("workers: 1 or more, not {number}").format(number=workers))
    memory = checked_memory(memory)
    provers = [Prover(max(1, memory // workers)) for _ in range(workers)]
    idle = list(provers)
    answered: list[int] = []

    def stop() -> None:
        for prover in provers:
            prover.stop()

    def of_seat(place: int) -> list[tuple[bool | None, tuple[tuple[Move, bool | None], ...]]]:
        """From the end on: whether the seat is safe, and after which of its own moves."""
        prover = idle.pop()
        found: list[tuple[bool | None, tuple[tuple[Move, bool | None], ...]]] = []
        for number in reversed(range(len(positions))):
            position = positions[number]
            safe = prover.sure(position, place)
            cards: tuple[tuple[Move, bool | None], ...] = ()
            if position.turn == place and number < len(moments):
                cards = tuple(
                    (move, safe and prover.sure(after, place))
                    for move, after in position.successors()
                )
            found.append((safe, cards))
            answered.append(place)
        idle.append(prover)
        return found[::-1]

    def report(_done: int, _total: int) -> None:
        if progress is not None:
            progress(len(answered), deal.players * len(positions))

    with ThreadPoolExecutor(workers) as pool, alarm(time_limit, stop):
        jobs = [pool.submit(of_seat, place) for place in range(deal.players)]
        wait_for_all(jobs, stop, report, cancel)
    seats = [job.result() for job in jobs]
    safe_at = [tuple(seat[number][0] for seat in seats) for number in range(len(positions))]
    return tuple(
        SafetyStep(
            index=index,
            seat=position.turn + 1,
            card=move,
            before=safe_at[number],
            after=safe_at[number + 1],
            position=position,
            cards=seats[position.turn][number][1],
        )
        for number, (index, move, position) in enumerate(moments)
    )


def safety_after(
    position: Position,
    move: Move,
    *,
    time_limit: float | None = None,
    memory: int = MEMORY,
    cancel: threading.Event | None = None,
) -> tuple[tuple[bool | None, ...], tuple[Move, ...]]:
    """Who is sure not to lose after a move, and a line from that move on.

    The line shows whether the seat that moves is safe, as that of `safe` does; it is empty where a
    limit came first.

    Args:
        position: the position before the move.
        move: a legal move.
        time_limit, memory, cancel: as for `safety_history`.
    """
    after, mover = position.play(move), position.turn
    prover = Prover(memory)
    with limited(time_limit, cancel, prover.stop):
        safe = [prover.sure(after, place) for place in range(position.game.players)]
        mine = safe[mover]
        line = () if mine is None else safe_line(prover, after, mover, mine)
    return tuple(safe), (move, *line) if line or after.over else ()


# ---------------------------------------------------------------------- one seat


def _safety(
    prover: Prover, position: Position, place: int, found: _Found, *, with_line: bool
) -> None:
    """Whether a seat is safe, with which moves if it is to move, the line if wanted, and how."""
    found.safe = prover.sure(position, place)
    if found.safe is None:
        return
    if place == position.turn:
        for move, after in position.successors():
            found.cards[move] = found.safe and prover.sure(after, place)
    if with_line:
        found.line = safe_line(prover, position, place, found.safe)
    found.high = found.safe and prover.sure(position, place, Aim.HIGH)
    found.low = found.safe and prover.sure(position, place, Aim.LOW)


def _points(prover: Prover, position: Position, place: int, found: _Found) -> None:
    """The most and the fewest points that a seat can be sure of."""
    found.max_points = prover.points(position, place, Aim.MORE)
    found.min_points = prover.points(position, place, Aim.NOT_MORE)


def _most_points(position: Position, place: int) -> int:
    """No fewer points than a player can have at the end."""
    game = position.game
    cards = [*position.trick, *(card for hand in position.hands for card in hand)]
    cantes = 20 * 4 + 20 if game.variant.pair else 0
    left = sum(game.deck.points[card] for card in cards) + game.variant.last_trick
    return position.points[place] + (0 if position.over else left + cantes)


# ---------------------------------------------------------------------- the line


def safe_line(prover: Prover, position: Position, place: int, safe: bool) -> tuple[Move, ...]:
    """Play that shows whether a seat is safe; empty if stopped.

    The side that gets its way plays the first of its moves, in the order of `Position.legal`, that
    keep it so. The other side plays the move that leaves the fewest such moves for the reply, the
    first of equals; where its own side moves next, or nobody does, a move leaves more than any.
    """
    line: list[Move] = []
    while not position.over:
        moves = list(position.successors())
        choice: int | None = 0
        if len(moves) > 1 and (position.turn == place) == safe:
            choice = _first_keeping(prover, moves, place, safe)
        elif len(moves) > 1:
            choice = _sharpest(prover, moves, place, safe)
        if choice is None:
            return ()
        move, position = moves[choice]
        line.append(move)
    return tuple(line)


def _first_keeping(
    prover: Prover, moves: Sequence[tuple[Move, Position]], place: int, safe: bool
) -> int | None:
    """The first move after which the answer is still the same; None if stopped."""
    for number, (_, after) in enumerate(moves[:-1]):
        answer = prover.sure(after, place)
        if answer is None:
            return None
        if answer == safe:
            return number
    return len(moves) - 1


def _sharpest(
    prover: Prover, moves: Sequence[tuple[Move, Position]], place: int, safe: bool
) -> int | None:
    """The move that leaves the fewest replies that keep the answer; None if stopped."""
    best, fewest = 0, 0
    for number, (_, after) in enumerate(moves):
        if after.over or (after.turn == place) != safe:
            continue
        kept = 0
        for answer in _answers(prover, after, place):
            if answer is None:
                return None
            kept += answer == safe
            if fewest and kept >= fewest:
                break
        if not fewest or kept < fewest:
            best, fewest = number, kept
        if fewest == 1:
            break
    return best


def _answers(prover: Prover, position: Position, place: int) -> Iterator[bool | None]:
    return (prover.sure(after, place) for _, after in position.successors())


# ---------------------------------------------------------------------- putting it together


def _asked(subject: Deal | Position, seat: int | None) -> tuple[Position, int]:
    """The position, and the seat whose line is shown."""
    position = subject.position() if isinstance(subject, Deal) else subject
    game = position.game
    if game.variant.sides != "alone":
        wrong = say("{variant} is played by two sides: `tute solve` says what each achieves")
        raise QuestionError(wrong.format(variant=game.variant.id))
    if seat is None and isinstance(subject, Deal):
        seat = subject.seat
    seat = position.turn + 1 if seat is None else seat
    if not 1 <= seat <= game.players:
        wrong = say("seat: a seat from 1 to {players}, not {seat}")
        raise QuestionError(wrong.format(players=game.players, seat=seat))
    return position, seat


def _seat(place: int, found: _Found, expected: Outlook) -> SeatSafety:
    """A seat's answers together. Who is safe against all has no risk, whatever is estimated."""
    outlook = expected.seats[place]
    return SeatSafety(
        seat=place + 1,
        safe=found.safe,
        high=found.high,
        low=found.low,
        max_points=found.max_points,
        min_points=found.min_points,
        risk=_NO_RISK if found.safe else outlook.risk,
        credible="all" if found.safe else outlook.credible,
    )


def _cards(found: _Found, expected: Outlook) -> tuple[MoveSafety, ...]:
    """The moves of the seat to move: safe ones first, then those not decided."""
    moves = []
    for outlook in expected.cards:
        is_safe = found.cards.get(outlook.card)
        moves.append(
            MoveSafety(
                card=outlook.card,
                safe=is_safe,
                risk=_NO_RISK if is_safe else outlook.risk,
                credible="all" if is_safe else outlook.credible,
            )
        )
    return tuple(sorted(moves, key=lambda move: (True, None, False).index(move.safe)))
