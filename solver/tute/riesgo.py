"""What to expect when everyone looks after himself, in games in which each plays alone.

Riesgo, a player's chance to lose the hand (in tute-individual, not to win it); credible safety, how
often the others would have to hurt themselves to make him lose; and the sets of losers that
subgame-perfect equilibria reach. All are exact near the end of a hand; before, riesgo is estimated
and the others are not known. What each is, exactly, stands in `engine.riesgo`.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from tute.alone import packed_game, packed_position
from tute.deal import Deal
from tute.engine import riesgo as engine
from tute.errors import QuestionError
from tute.game import Game
from tute.language import say
from tute.notation import Declaration, Move
from tute.position import Position
from tute.results import NEAR, Credible, Risk, as_good_as_any
from tute.solver import MEMORY, checked_memory
from tute.threads import alarm

# Up to so many cards in each hand, by players, all is exact.
EXACT_CARDS: Mapping[int, int] = {3: 7, 4: 6, 5: 5}

SEARCHES = 8
_HANDS = 1_250  # sampled by each search after each move
# From so many cards on a sampled hand is worth its exact risk: more where less lies before.
_ENDING, _ENDING_OF_MANY, _MANY = 4, 3, 9
_NORMAL_95 = 1.96
_NEVER = 255


@dataclass(frozen=True, slots=True)
class SeatOutlook:
    """What a seat can expect.

    Attributes:
        seat: from 1.
        risk: its chance to lose; None where a limit came first.
        credible: how many plays that harm the one who makes them it takes to make this seat lose:
            0 if none, "all" if no number does. None where it is not known.
    """

    seat: int
    risk: Risk | None
    credible: Credible


@dataclass(frozen=True, slots=True)
class MoveOutlook:
    """What the seat to move can expect after a move; `risk` and `credible` as in `SeatOutlook`."""

    card: Move
    risk: Risk | None
    credible: Credible


@dataclass(frozen=True, slots=True)
class Outlook:
    """What to expect of a position.

    Attributes:
        position: the position.
        seats: every seat, in order.
        cards: every legal move of the seat to move, in the order of `Position.legal`.
        exact: whether the risks are exact; false too where they are not known.
        losers: every set of losing seats that some subgame-perfect equilibrium reaches; None where
            that is not known.
        nodes: leads searched exactly, and hands sampled.
        seconds: time taken.
    """

    position: Position
    seats: tuple[SeatOutlook, ...]
    cards: tuple[MoveOutlook, ...]
    exact: bool
    losers: tuple[tuple[int, ...], ...] | None
    nodes: int
    seconds: float

    @property
    def decided(self) -> bool:
        """Whether the risks are known, exactly or by an estimate."""
        return all(seat.risk is not None for seat in self.seats)

    @property
    def good(self) -> tuple[Move, ...]:
        """The moves whose risk is within 5 points of the least; empty where it is not known."""
        return as_good_as_any((move.card, move.risk) for move in self.cards)


class RiskSolver:
    """Finds outlooks, keeping its table from one position to the next of the same game.

    Not to be used by two threads at once; `stop` may be called from any thread.

    Args:
        memory: MiB that the table may use.

    Raises:
        QuestionError: no such amount of memory.
    """

    def __init__(self, memory: int = MEMORY) -> None:
        self._engine = engine.Solver(checked_memory(memory))
        self._game: Game | None = None
        self._busy = threading.Lock()

    def stop(self) -> None:
        """Make the running call return soon, without an answer if it has none yet."""
        self._engine.stop()

    def outlook(
        self, subject: Deal | Position, *, seed: int = 0, time_limit: float | None = None
    ) -> Outlook:
        """The outlook of a deal (after `played`) or a position.

        Args:
            subject: what is asked about.
            seed: of the estimate; the same seed gives the same estimate.
            time_limit: seconds after which the answer is that nothing is known.

        Raises:
            QuestionError: the game is not one in which each plays alone.
        """
        position = subject.position() if isinstance(subject, Deal) else subject
        if position.game.variant.sides != "alone":
            wrong = say("riesgo: in {variant} nobody plays alone")
            raise QuestionError(wrong.format(variant=position.game.variant.id))
        if not self._busy.acquire(blocking=False):
            raise QuestionError(say("this solver is at work in another thread: use one for each"))
        begun, nodes = time.perf_counter(), self._engine.nodes
        try:
            with alarm(time_limit, self.stop):
                if _cards(position) <= EXACT_CARDS[position.game.players]:
                    seats, moves, losers = self._exact(position)
                else:
                    seats, moves, losers = self._estimate(position, seed)
        finally:
            self._engine.resume()
            self._busy.release()
        return Outlook(
            position=position,
            seats=seats,
            cards=moves,
            exact=losers is not None,
            losers=losers,
            nodes=self._engine.nodes - nodes,
            seconds=time.perf_counter() - begun,
        )

    # ---------------------------------------------------------------- exact

    def _exact(self, position: Position) -> _Found:
        whole = self._look(position)
        after = [(move, self._look(later)) for move, later in position.successors()]
        if whole is None or any(found is None for _, found in after):
            return _nothing(position)
        risks, credible, losers = whole
        moves = tuple(
            MoveOutlook(
                move, Risk(found[0][position.turn], 0.0), _credible(found[1][position.turn])
            )
            for move, found in after
            if found is not None
        )
        seats = tuple(
            SeatOutlook(place + 1, Risk(risk, 0.0), _credible(number))
            for place, (risk, number) in enumerate(zip(risks, credible, strict=True))
        )
        sets = (tuple(p + 1 for p in range(len(risks)) if lost >> p & 1) for lost in losers)
        return seats, moves, tuple(sorted(sets))

    def _look(self, position: Position) -> tuple[list[float], list[int], list[int]] | None:
        self._load(position)
        return self._engine.outlook()

    # ---------------------------------------------------------------- estimated

    def _estimate(self, position: Position, seed: int) -> _Found:
        sampled: dict[Move, _Samples] = {}
        for move, later in position.successors():
            samples = self._sample(later, seed)
            if samples is None:
                return _nothing(position)
            sampled[move] = samples
        mover = position.turn
        cards = [s for move, s in sampled.items() if not isinstance(move, Declaration)]
        calls = [s for move, s in sampled.items() if isinstance(move, Declaration)]
        # Declining every declaration is a decision of its own, before the lead.
        options = [*calls, _decided(cards, mover)] if cards else calls
        seats = tuple(
            SeatOutlook(place + 1, risk, None)
            for place, risk in enumerate(_risks(_decided(options, mover)))
        )
        moves = tuple(
            MoveOutlook(move, _risks(samples)[mover], None) for move, samples in sampled.items()
        )
        return seats, moves, None

    def _sample(self, position: Position, seed: int) -> _Samples | None:
        """Every seat's risk as each search finds it; None if stopped."""
        ending = _ENDING if _cards(position) < _MANY else _ENDING_OF_MANY
        self._load(position)
        samples = []
        for search in range(SEARCHES):
            number = (seed * SEARCHES + search) % (1 << 64)
            risks = self._engine.estimate(number, _HANDS, ending)
            if risks is None:
                return None
            samples.append(risks)
        return samples

    def _load(self, position: Position) -> None:
        if position.game != self._game:
            self._engine.set_game(packed_game(position.game))
            self._game = position.game
        self._engine.set_position(packed_position(position))


# By search, by place: risks.
_Samples = Sequence[Sequence[float]]
_Found = tuple[tuple[SeatOutlook, ...], tuple[MoveOutlook, ...], tuple[tuple[int, ...], ...] | None]


def riesgo(
    subject: Deal | Position,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int = MEMORY,
) -> Outlook:
    """What to expect when everyone looks after himself; see `RiskSolver.outlook`."""
    return RiskSolver(memory).outlook(subject, seed=seed, time_limit=time_limit)


def _cards(position: Position) -> int:
    """Cards in each hand at the start of the trick."""
    return max(map(len, position.hands))


def _decided(options: Sequence[_Samples], mover: int) -> _Samples:
    """What the searches make of a decision: the plain mean of the options that are as good as any.

    Which of them is the best by a hair is noise.
    """
    chances = [fmean(risks[mover] for risks in samples) for samples in options]
    least = min(chances)
    good = [s for s, chance in zip(options, chances, strict=True) if chance <= least + NEAR]
    return [
        [fmean(samples[search][place] for samples in good) for place in range(len(good[0][0]))]
        for search in range(SEARCHES)
    ]


def _risks(samples: _Samples) -> list[Risk]:
    """Every seat's risk, with the error of the mean of independent searches."""
    by_place = [[risks[place] for risks in samples] for place in range(len(samples[0]))]
    return [
        Risk(fmean(found), _NORMAL_95 * stdev(found) / math.sqrt(SEARCHES)) for found in by_place
    ]


def _credible(number: int) -> Credible:
    return "all" if number == _NEVER else number


def _nothing(position: Position) -> _Found:
    """The answer where a limit came first."""
    seats = tuple(SeatOutlook(seat, None, None) for seat in range(1, position.game.players + 1))
    return seats, tuple(MoveOutlook(move, None, None) for move in position.legal()), None
