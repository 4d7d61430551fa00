"""Review a played hand: what each card cost, what decided it, what the player could have known.

The values are those of a walk through the record. Whether a player is to blame for a costly card is
judged by other deals that he could not tell apart from this one (`tute.worlds`), each solved with
open cards: a card is better only if its mean over them is, by more than two standard errors.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import sqrt
from random import Random

from tute.cards import Card
from tute.check import Verdict, check
from tute.deal import Deal
from tute.errors import IllegalPlayError, QuestionError
from tute.notation import CAPOTE, Declaration, Move
from tute.objectives import check_objective
from tute.position import Position
from tute.results import (
    Blame,
    Gain,
    Match,
    MatchPlayer,
    Moment,
    MoveValue,
    PlayerReview,
    PlayerSafety,
    Reason,
    Review,
    ReviewedMove,
    SafetyReview,
    SafetyStep,
    Solution,
    TableRow,
    TrumpChoice,
    Walk,
    WhatIf,
)
from tute.safety import safety_after, safety_history
from tute.solver import MEMORY, Solver, highest_bid
from tute.table import TABLE_VARIANTS, trumps_of
from tute.threads import alarm, on_cancel, processors, wait_for_all
from tute.variants import Objective
from tute.walk import Walker
from tute.worlds import Worlds

SAMPLES = 200
# Deals that one thread solves before it takes others.
_PART = 20

Asked = Sequence[tuple[int, str]]


def review(
    deal: Deal,
    *,
    objective: str | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
    what_if: Asked = (),
    time_limit: float | None = None,
    memory: int = MEMORY,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: threading.Event | None = None,
) -> Review | SafetyReview:
    """A played hand, card by card.

    In cabrón and cabrero, and in tute-individual asked for `win`, it is about who could be sure not
    to lose (to win); elsewhere about the value of the side asked for. A record with a renuncio is
    reviewed up to it.

    Args:
        deal: the deal, with its record in `played`; its `seat` says whose values are asked for.
        objective: as for `tute.solve`.
        samples: deals by which each move that cost something is judged; 0 for none.
        seed: of those deals.
        what_if: other moves to look at, each with the token of the record (from 0) in whose place
            it is put.
        time_limit: seconds after which what is not known is None.
        memory: MiB that all tables together may use.
        workers: threads; as many as there are processors by default.
        progress: called from this thread with the parts done and the parts in all, which become
            more when it is known which moves are to be judged.
        cancel: to be set by another thread that wants what is known by then.

    Raises:
        IllegalPlayError: a move of `what_if` that the rules forbid; it names the duty.
        QuestionError: there is no such objective, or no such token in the record.
        TuteError: the deal cannot be.
    """
    begun = time.perf_counter()
    if samples < 0:
        raise QuestionError(f"samples: a number of deals from 0, not {samples}")
    deal, renuncio = _legal_part(deal)
    others = _checked(deal, what_if)
    workers = workers or processors()
    game = deal.game()
    alone = game.variant.sides == "alone"
    if alone and (objective == "win" or (objective is None and not game.variant.objectives)):
        return _review_safety(
            deal, renuncio, others, begun, time_limit, memory, workers, progress, cancel
        )
    limits = _Limits(progress)
    with limits.running(time_limit, cancel):
        found = _walk(deal, objective, memory, workers, limits)
        walk = found.walk
        moves = _decisive(list(_moves(found)), contract=found.contract is not None)
        trump = _trump_choice(deal, memory, limits)
        moves = _judged(walk, moves, samples, seed, memory, workers, limits)
    return Review(
        walk=walk,
        moves=tuple(moves),
        value_dealt=walk.moments[0].solution.value if walk.moments else found.final,
        value_final=found.final,
        players=_players(deal, moves),
        trump=trump,
        what_if=tuple(_what_if(walk, index, move) for index, move in others),
        samples=samples,
        seed=seed,
        renuncio=renuncio,
        stopped=limits.stopped,
        seconds=time.perf_counter() - begun,
    )


def review_match(
    deals: Sequence[Deal],
    *,
    objective: str | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int = MEMORY,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: threading.Event | None = None,
) -> Match:
    """A review of each hand, and what every player's cards cost over all of them.

    Players are told apart by name where a deal has names, else by seat. A renuncio ends the review
    of its hand only.

    Args:
        deals: the hands, in order.
        objective, samples, seed, memory, workers: as for `review`.
        time_limit: seconds for all hands together.
        progress: called from this thread with the hands done and the hands in all.
        cancel: as for `review`.

    Raises:
        TuteError: as for `review`.
    """
    begun = time.perf_counter()
    hands = []
    for number, deal in enumerate(deals):
        if progress is not None:
            progress(number, len(deals))
        left = None if time_limit is None else _left(time_limit, begun)
        hand = review(
            deal,
            objective=objective,
            samples=samples,
            seed=seed,
            time_limit=left,
            memory=memory,
            workers=workers,
            cancel=cancel,
        )
        hands.append(hand)
    return Match(hands=tuple(hands), players=tuple(_over_all(hands)))


# ---------------------------------------------------------------------- the question


def _legal_part(deal: Deal) -> tuple[Deal, Verdict | None]:
    """The deal with its record up to the first illegal move, and what is wrong with that."""
    verdict = check(deal)
    if verdict.refusal is None:
        return deal, None
    cantes = "explicit" if deal.explicit else "auto"
    return deal.replace(played=deal.played[: verdict.refusal.index], cantes=cantes), verdict


def _checked(deal: Deal, what_if: Asked) -> list[tuple[int, Move]]:
    """The other moves asked about, each legal at its token."""
    positions = {index: position for index, _, position in deal.replay()}
    others = []
    for index, text in what_if:
        if index not in positions:
            there = f"0 to {len(positions) - 1}" if positions else "none"
            raise QuestionError(f"what if: no token {index} in the record; there are {there}")
        try:
            others.append((index, positions[index].read(text)))
        except IllegalPlayError as refusal:
            raise refusal.at(index) from None
    return others


class _Limits:
    """What ends the whole review early: time, another thread; and who hears of its progress."""

    def __init__(self, progress: Callable[[int, int], None] | None) -> None:
        self._ended = threading.Event()
        self._searches: list[Walker | Solver] = []
        self._progress = progress
        self._walked = 0

    @contextmanager
    def running(self, time_limit: float | None, cancel: threading.Event | None) -> Iterator[None]:
        """Stop once so many seconds have passed, or another thread has set `cancel`."""
        with alarm(time_limit, self.stop), on_cancel(cancel, self.stop):
            yield

    @property
    def stopped(self) -> bool:
        """Whether a limit came."""
        return self._ended.is_set()

    @property
    def search_time(self) -> float | None:
        """The time limit of a search that begins now."""
        return 0 if self.stopped else None

    def stop(self) -> None:
        """End every search; from any thread."""
        self._ended.set()
        for search in self._searches:
            search.stop()

    def watch(self, *searches: Walker | Solver) -> None:
        """Let these searches be stopped too."""
        self._searches += searches
        if self.stopped:
            self.stop()

    def walked(self, done: int, total: int) -> None:
        """Report moments of the walk."""
        self._walked = done
        if self._progress is not None:
            self._progress(done, total)

    def judged(self, done: int, total: int) -> None:
        """Report moves judged, after the walk."""
        if self._progress is not None:
            self._progress(self._walked + done, self._walked + total)


# ---------------------------------------------------------------------- what each move cost


@dataclass(frozen=True)
class _Found:
    """What the walk through the record has found.

    Attributes:
        walk: its moments.
        contract: the same moments asked about the contract, for the declarer's side; or None.
        final: the value after the record.
    """

    walk: Walk
    contract: tuple[Moment, ...] | None
    final: int | None


def _walk(deal: Deal, objective: str | None, memory: int, workers: int, limits: _Limits) -> _Found:
    game = deal.game()
    made, end = list(deal.history()), deal.position()
    bid = game.variant.winning == "contract" and game.bid is not None
    share = memory
    contract = None
    if (bid or game.contract in ("cuatrola", "quintola")) and game.declarer is not None:
        share = max(1, memory // 2)
        declaring = deal.replace(seat=game.declarer + 1)
        asked = Walker(declaring, objective="win", memory=share, threads=workers)
        limits.watch(asked)
        contract = asked.moments(made)
    walker = Walker(
        deal, objective=objective, memory=share, threads=workers, progress=limits.walked
    )
    limits.watch(walker)
    final = walker.values(end).value
    moments = [walker.with_lines(moment) for moment in walker.moments(made)]
    return _Found(walker.walk(moments, end), contract, final)


@dataclass(frozen=True)
class _Choice:
    """What a player chose at one moment: to declare or pass, or a move.

    Attributes:
        move: what he chose; None is to pass.
        before: the value before, for the asked side; None where it is not known.
        options: what he could choose, best for him first, with the values after it.
    """

    move: Move | None
    before: int | None
    options: tuple[tuple[Move | None, int | None], ...]

    @property
    def after(self) -> int | None:
        """The value after what he chose."""
        return dict(self.options)[self.move]

    @property
    def best(self) -> tuple[Move | None, ...]:
        """The options that keep the value."""
        if self.before is None:
            return ()
        return tuple(move for move, value in self.options if value == self.before)


def _choices(solution: Solution, move: Move) -> tuple[_Choice, ...]:
    """What a move decided: where declarations were open, a card first passes them by."""
    calls = [answer for answer in solution.cards if isinstance(answer.card, Declaration)]
    whole = _options(solution.cards)
    if not calls or isinstance(move, Declaration):
        return (_Choice(move, solution.value, whole),)
    cards = _options(answer for answer in solution.cards if answer not in calls)
    led = cards[0][1] if all(value is not None for _, value in cards) else None
    passing = (*_options(calls), (None, led))
    return _Choice(None, solution.value, passing), _Choice(move, led, cards)


def _options(answers: Iterable[MoveValue]) -> tuple[tuple[Move | None, int | None], ...]:
    return tuple((answer.card, answer.value) for answer in answers)


def _moves(found: _Found) -> Iterator[ReviewedMove]:
    """The moves of the record; of what `auto` declared, what cost something."""
    following = len(found.walk.deal.played)
    tokens = []
    for moment in reversed(found.walk.moments):
        following = following if moment.index is None else moment.index
        tokens.append(following)
    for number, moment in enumerate(found.walk.moments):
        choices = _choices(moment.solution, moment.move)
        bids: Sequence[_Choice | None] = [None] * len(choices)
        if found.contract is not None:
            bids = _choices(found.contract[number].solution, moment.move)
        for choice, bid in zip(choices, bids, strict=True):
            move = _reviewed(moment, tokens[-1 - number], number, choice, bid)
            if move.cost != 0 or not _only_if_it_cost(moment, choice):
                yield move


def _only_if_it_cost(moment: Moment, choice: _Choice) -> bool:
    """Whether a choice is not worth a word otherwise: automatic, or a capote not announced."""
    silent = choice.move is None and all(move in (None, CAPOTE) for move, _ in choice.options)
    return silent or moment.index is None


def _reviewed(
    moment: Moment, index: int, number: int, choice: _Choice, bid: _Choice | None
) -> ReviewedMove:
    duty: Reason | None = None
    forced = len(choice.options) == 1
    if isinstance(choice.move, Card):
        duty = moment.position.duty()[1]
    return ReviewedMove(
        index=index,
        moment=number,
        trick=sum(moment.position.tricks) + 1,
        seat=moment.seat,
        card=choice.move,
        automatic=moment.index is None,
        value_before=choice.before,
        value_after=choice.after,
        best=choice.best,
        forced=forced,
        duty=duty or "only card" if forced else duty,
        made_before=None if bid is None else _made(bid.before),
        made_after=None if bid is None else _made(bid.after),
        decisive=False,
        blame=None,
    )


def _made(value: int | None) -> bool | None:
    return None if value is None else value > 0


def _decisive(moves: Sequence[ReviewedMove], *, contract: bool) -> list[ReviewedMove]:
    """The moves, those marked that decided the hand; none where a limit leaves that open."""
    if contract:
        return [
            replace(move, decisive=None not in ends and ends[0] != ends[1])
            for move in moves
            for ends in [(move.made_before, move.made_after)]
        ]
    costs = [move.cost for move in moves]
    most = max((cost for cost in costs if cost is not None), default=0)
    if None in costs or most == 0:
        return list(moves)
    return [replace(move, decisive=move.cost == most) for move in moves]


# ---------------------------------------------------------------------- who is to blame


def _judged(
    walk: Walk,
    moves: Sequence[ReviewedMove],
    samples: int,
    seed: int,
    memory: int,
    workers: int,
    limits: _Limits,
) -> list[ReviewedMove]:
    """The moves with what their players could have known, as far as it was sampled.

    The end of the record comes first: it is quick to solve, so that a limit leaves little open.
    """
    doubtful = [number for number, move in enumerate(moves) if samples and move.blameless is None]
    doubtful.reverse()
    judge = _Judge(walk, samples, seed, limits)
    solvers = [Solver(max(1, memory // workers)) for _ in range(workers)]
    limits.watch(*solvers)
    idle = list(solvers)

    def gains(move: ReviewedMove, positions: Sequence[Position]) -> _Gains | None:
        solver = idle.pop()
        try:
            return judge.gains(solver, move, positions)
        finally:
            idle.append(solver)

    with ThreadPoolExecutor(workers) as pool:
        jobs: dict[int, list[Future[_Gains | None]]] = {}
        for number in doubtful:
            positions = judge.worlds(moves[number])
            parts = [positions[at : at + _PART] for at in range(0, len(positions), _PART)]
            jobs[number] = [pool.submit(gains, moves[number], part) for part in parts]
        every = [job for parts in jobs.values() for job in parts]
        wait_for_all(every, limits.stop, limits.judged, None)
    judged = list(moves)
    for number, of_move in jobs.items():
        found = [job.result() for job in of_move]
        judged[number] = replace(moves[number], blame=judge.blame(moves[number], found))
    return judged


# What every other move gains over the one made, deal by deal.
_Gains = dict[Move | None, list[int]]


@dataclass(frozen=True)
class _Judge:
    """Judges moves by deals that their players could not tell apart.

    Attributes:
        walk: what is reviewed.
        samples: how many deals a move is judged by.
        seed: of those deals.
        limits: what ends it early.
    """

    walk: Walk
    samples: int
    seed: int
    limits: _Limits

    def worlds(self, move: ReviewedMove) -> list[Position]:
        """The position before a move in other deals; fewer where they are too hard to find."""
        worlds = Worlds(self.walk.deal, move.index)
        rng = Random(f"{self.seed} {move.index}")
        positions: list[Position] = []
        while len(positions) < self.samples and not self.limits.stopped:
            position = worlds.sample(rng)
            if position is None:
                break
            positions.append(position)
        return positions

    def objective(self, move: ReviewedMove) -> Objective:
        """What is counted: whether the contract is made, if the move decided that."""
        return "win" if move.made_before != move.made_after else self.walk.objective

    def gains(
        self, solver: Solver, move: ReviewedMove, positions: Sequence[Position]
    ) -> _Gains | None:
        """What each other move gains in these positions, for its own side; None if stopped."""
        objective, seat = self.objective(move), self.walk.seat
        sign = 1 if move.seat in self.walk.side else -1
        made = self.walk.moments[move.moment].move
        gained: _Gains = {}
        for position in positions:
            limit = self.limits.search_time
            solution = solver.values(position, objective=objective, seat=seat, time_limit=limit)
            if any(answer.value is None for answer in solution.cards):
                return None
            chosen = next(c for c in _choices(solution, made) if c.move == move.card)
            values = dict(chosen.options)
            for other, value in values.items():
                after = values[move.card]
                if other != move.card and value is not None and after is not None:
                    gained.setdefault(other, []).append(sign * (value - after))
        return gained

    def blame(self, move: ReviewedMove, parts: Sequence[_Gains | None]) -> Blame | None:
        """The gains of all deals together; None if a limit came first."""
        gained: _Gains = {}
        for part in parts:
            if part is None:
                return None
            for other, numbers in part.items():
                gained.setdefault(other, []).extend(numbers)
        deals = max((len(numbers) for numbers in gained.values()), default=0)
        if self.limits.stopped and deals < self.samples:
            return None
        gains = [Gain(other, *_mean_and_error(numbers)) for other, numbers in gained.items()]
        return Blame(
            wanted=self.samples,
            deals=deals,
            objective=self.objective(move),
            gains=tuple(sorted(gains, key=lambda gain: -gain.mean)),
        )


def _mean_and_error(numbers: Sequence[int]) -> tuple[float, float]:
    """The mean, and its standard error (0.0 for a single number)."""
    size = len(numbers)
    mean = sum(numbers) / size
    spread = sum((number - mean) ** 2 for number in numbers) / max(1, size - 1)
    return mean, sqrt(spread / size)


# ---------------------------------------------------------------------- players, trumps, what if


def _players(deal: Deal, moves: Sequence[ReviewedMove]) -> tuple[PlayerReview, ...]:
    players = []
    for place in range(deal.players):
        own = [move for move in moves if move.seat == place + 1 and not move.automatic]
        choices = [move.cost for move in own if not move.forced and move.cost is not None]
        costly = [move for move in own if move.cost or move.decisive]
        if place != deal.sleeper:
            reviewed = PlayerReview(
                seat=place + 1,
                choices=len(choices),
                kept=choices.count(0),
                cost=sum(choices),
                decisive=sum(move.decisive for move in own),
                blameless=sum(move.blameless is True for move in costly),
                blamed=sum(move.blameless is False for move in costly),
            )
            players.append(reviewed)
    return tuple(players)


def _trump_choice(deal: Deal, memory: int, limits: _Limits) -> TrumpChoice | None:
    """Each trump with its points; None where there is no table, or the hand is no whole one."""
    variant = deal.variant
    begun = any(deal.points) or any(deal.tricks) or bool(deal.declared)
    if variant.id not in TABLE_VARIANTS or deal.stock or deal.contract or begun:
        return None
    try:
        check_objective(deal.game(), "points")
    except QuestionError:
        return None
    seat = deal.declarer or (1 if variant.bids else deal.asked)
    solver = Solver(memory)
    limits.watch(solver)
    rows = []
    for trump in sorted(trumps_of(variant), key=lambda suit: suit != deal.trump):
        job = deal.replace(trump=trump, seat=seat, played="")
        answer = solver.value_bounds(job, objective="points", time_limit=limits.search_time)
        highest = highest_bid(variant, answer.lower) if answer.exact else None
        suit = answer.position.game.trump
        rows.append(TableRow(seat, suit, answer.lower, answer.upper, highest))
    return TrumpChoice(seat, tuple(rows))


def _what_if(walk: Walk, index: int, move: Move) -> WhatIf:
    moment = next(moment for moment in walk.moments if moment.index == index)
    solution = moment.solution
    values = {answer.card: answer.value for answer in solution.cards}
    lines = dict(zip(values, moment.lines, strict=True))
    value, played = values[move], moment.played.value
    sign = 1 if moment.seat in walk.side else -1
    return WhatIf(
        index=index,
        seat=moment.seat,
        card=move,
        value=value,
        played=played,
        best=solution.value,
        gain=None if value is None or played is None else sign * (value - played),
        safe=(),
        line=lines[move],
        position=moment.position,
    )


# ---------------------------------------------------------------------- not to lose


def _review_safety(
    deal: Deal,
    renuncio: Verdict | None,
    others: Sequence[tuple[int, Move]],
    begun: float,
    time_limit: float | None,
    memory: int,
    workers: int,
    progress: Callable[[int, int], None] | None,
    cancel: threading.Event | None,
) -> SafetyReview:
    steps = safety_history(
        deal,
        time_limit=time_limit,
        memory=memory,
        workers=workers,
        progress=progress,
        cancel=cancel,
    )
    by_index = {step.index: step for step in steps}
    answers = []
    for index, move in others:
        step = by_index[index]
        left = None if time_limit is None else _left(time_limit, begun)
        safe, line = safety_after(
            step.position, move, time_limit=left, memory=memory, cancel=cancel
        )
        other = WhatIf(
            index=index,
            seat=step.seat,
            card=move,
            value=None,
            played=None,
            best=None,
            gain=None,
            safe=safe,
            line=line,
            position=step.position,
        )
        answers.append(other)
    end = deal.position()
    known = end.over and not deal.variant.objectives
    return SafetyReview(
        deal=deal,
        steps=steps,
        players=tuple(_player_safety(steps, seat + 1) for seat in range(deal.players)),
        what_if=tuple(answers),
        losers=tuple(sorted(end.losers())) if known else None,
        renuncio=renuncio,
        seconds=time.perf_counter() - begun,
    )


def _player_safety(steps: Sequence[SafetyStep], seat: int) -> PlayerSafety:
    own = [step for step in steps if step.seat == seat]
    choices = [
        step.after[seat - 1]
        for step in own
        if not step.forced and step.before[seat - 1] and step.after[seat - 1] is not None
    ]
    return PlayerSafety(
        seat=seat,
        choices=len(choices),
        kept=choices.count(True),
        lost=sum(seat in step.lost for step in own),
        gave=sum(len(set(step.gained) - {seat}) for step in own),
        took=sum(len(set(step.lost) - {seat}) for step in own),
    )


# ---------------------------------------------------------------------- a match


def _over_all(hands: Sequence[Review | SafetyReview]) -> Iterator[MatchPlayer]:
    """Every player's sums, in the order in which they appear."""
    sums: dict[tuple[str, int | None], MatchPlayer] = {}
    for hand in hands:
        names = hand.deal.names or ("",) * hand.deal.players
        for player in hand.players:
            name = names[player.seat - 1].strip()
            key = (name, None if name else player.seat)
            so_far = sums.get(key, MatchPlayer(*key, 0, 0, 0, 0, 0, 0, 0))
            sums[key] = _with_hand(so_far, player)
    yield from sums.values()


def _with_hand(so_far: MatchPlayer, hand: PlayerReview | PlayerSafety) -> MatchPlayer:
    added = replace(
        so_far,
        hands=so_far.hands + 1,
        choices=so_far.choices + hand.choices,
        kept=so_far.kept + hand.kept,
    )
    if isinstance(hand, PlayerSafety):
        return replace(added, decisive=so_far.decisive + hand.lost)
    return replace(
        added,
        cost=so_far.cost + hand.cost,
        decisive=so_far.decisive + hand.decisive,
        blameless=so_far.blameless + hand.blameless,
        blamed=so_far.blamed + hand.blamed,
    )


def _left(time_limit: float, begun: float) -> float:
    """Seconds of a time limit that are left."""
    return max(0.0, time_limit - (time.perf_counter() - begun))
