"""Review a played hand: what each card cost, what decided it, what the player could have known.

The values are those of a walk through the record. Whether a player is to blame for a costly card is
judged by other deals that he could not tell apart from this one (`tute.worlds`), each solved with
open cards: a card is better only if its mean over them is, by more than two standard errors.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tute.blame import judged
from tute.cards import Card
from tute.check import Verdict, check
from tute.choices import Choice, choices
from tute.deal import Deal, Made
from tute.errors import QuestionError, TuteError
from tute.language import say
from tute.notation import CAPOTE, Move
from tute.objectives import check_objective
from tute.results import (
    Match,
    MatchPlayer,
    Moment,
    PlayerReview,
    PlayerSafety,
    Reason,
    Review,
    ReviewedMove,
    SafetyReview,
    SafetyStep,
    TrumpChoice,
    Walk,
    WhatIf,
)
from tute.safety import safety_after, safety_history
from tute.solver import MEMORY, Solver
from tute.table import TABLE_VARIANTS, table_row, trumps_of
from tute.threads import Limits, processors
from tute.walk import Walker

SAMPLES = 200

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
        QuestionError: there is no such objective, number of samples or workers, amount of memory,
            time limit or token in the record; or the rules forbid a move of `what_if` (the message
            names the duty).
        TuteError: the deal cannot be.
    """
    begun = time.perf_counter()
    if samples < 0:
        wrong = say("samples: a number of deals from 0, not {number}")
        raise QuestionError(wrong.format(number=samples))
    deal, renuncio = _legal_part(deal)
    others = _checked(deal, what_if)
    workers = workers or processors()
    game = deal.game()
    alone = game.variant.sides == "alone"
    to_win = objective == "win" and game.variant.winning == "most"
    if alone and (to_win or (objective is None and not game.variant.objectives)):
        return _review_safety(
            deal, renuncio, others, begun, time_limit, memory, workers, progress, cancel
        )
    limits = Limits(progress)
    with limits.running(time_limit, cancel):
        found = _walk(deal, objective, memory, workers, limits)
        walk = found.walk
        moves = _decisive(list(_moves(found)), contract=found.contract is not None)
        trump = _trump_choice(deal, memory, limits)
        moves = judged(walk, moves, samples, seed, memory, workers, limits)
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
    return deal.cut(verdict.refusal.index or 0), verdict


def _checked(deal: Deal, what_if: Asked) -> list[tuple[int, Move]]:
    """The other moves asked about, each legal at its token."""
    positions = {index: position for index, _, position in deal.replay()}
    others = []
    for index, text in what_if:
        if index not in positions:
            wrong = say("what if: no token {index} in the record; there are 0 to {last}")
            if not positions:
                wrong = say("what if: no token {index} in the record; there are none")
            raise QuestionError(wrong.format(index=index, last=len(positions) - 1))
        try:
            others.append((index, positions[index].read(text)))
        except TuteError as wrong_move:
            wrong = say("what if: move {index}: {reason}")
            raise QuestionError(wrong.format(index=index, reason=wrong_move)) from None
    return others


# ---------------------------------------------------------------------- what each move cost


def _contract(
    declaring: Deal, made: Sequence[Made], memory: int, workers: int, limits: Limits
) -> tuple[Moment, ...]:
    """The moments asked about the contract; with a table of their own, which is then given up."""
    walker = Walker(declaring, objective="win", memory=memory, threads=workers)
    with limits.watching(walker):
        return walker.moments(made)


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


def _walk(deal: Deal, objective: str | None, memory: int, workers: int, limits: Limits) -> _Found:
    game = deal.game()
    made, end = list(deal.history()), deal.position()
    bid = game.variant.winning == "contract" and game.bid is not None
    contract = None
    if (bid or game.contract in ("cuatrola", "quintola")) and game.declarer is not None:
        contract = _contract(deal.replace(seat=game.declarer + 1), made, memory, workers, limits)
    walker = Walker(
        deal, objective=objective, memory=memory, threads=workers, progress=limits.walked
    )
    with limits.watching(walker):
        final = walker.values(end).value
        moments = [walker.with_lines(moment) for moment in walker.moments(made)]
    return _Found(walker.walk(moments, end), contract, final)


def _moves(found: _Found) -> Iterator[ReviewedMove]:
    """The moves of the record; of what `auto` declared, what cost something."""
    following = len(found.walk.deal.played)
    tokens = []
    for moment in reversed(found.walk.moments):
        following = following if moment.index is None else moment.index
        tokens.append(following)
    for number, moment in enumerate(found.walk.moments):
        chosen = choices(moment.solution, moment.move)
        bids: Sequence[Choice | None] = [None] * len(chosen)
        if found.contract is not None:
            bids = choices(found.contract[number].solution, moment.move)
        for choice, bid in zip(chosen, bids, strict=True):
            move = _reviewed(moment, tokens[-1 - number], number, choice, bid)
            if move.cost != 0 or not _only_if_it_cost(moment, choice):
                yield move


def _only_if_it_cost(moment: Moment, choice: Choice) -> bool:
    """Whether a choice is not worth a word otherwise: automatic, or a capote not announced."""
    silent = choice.move is None and all(move in (None, CAPOTE) for move, _ in choice.options)
    return silent or moment.index is None


def _reviewed(
    moment: Moment, index: int, number: int, choice: Choice, bid: Choice | None
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
    """The moves, those marked that decided the hand; None where a limit leaves that open."""
    if contract:
        return [
            replace(move, decisive=None if None in ends else ends[0] != ends[1])
            for move in moves
            for ends in [(move.made_before, move.made_after)]
        ]
    costs = [move.cost for move in moves]
    if None in costs:
        return [replace(move, decisive=None) for move in moves]
    most = max((cost for cost in costs if cost is not None), default=0)
    return [replace(move, decisive=bool(move.cost) and move.cost == most) for move in moves]


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
                decisive=sum(move.decisive is True for move in own),
                blameless=sum(move.blameless is True for move in costly),
                blamed=sum(move.blameless is False for move in costly),
            )
            players.append(reviewed)
    return tuple(players)


def _trump_choice(deal: Deal, memory: int, limits: Limits) -> TrumpChoice | None:
    """Each trump with its points; None where there is no table, or something was made before."""
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
    rows = []
    with limits.watching(solver):
        for trump in sorted(trumps_of(variant), key=lambda suit: suit != deal.trump):
            job = deal.replace(trump=trump, seat=seat, played="")
            if limits.stopped:
                solver.stop()
            rows.append(table_row(solver.value_bounds(job, objective="points")))
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
    """Every player's sums, in the order in which they appear.

    Where two players of a deal have the same name, or none, seats tell players apart.
    """
    sums: dict[tuple[str, int | None], MatchPlayer] = {}
    for hand in hands:
        names = [name.strip() for name in hand.deal.names]
        if len(set(names)) < hand.deal.players:
            names = [""] * hand.deal.players
        for player in hand.players:
            name = names[player.seat - 1]
            key = (name, None if name else player.seat)
            so_far = sums.get(key, MatchPlayer(name=key[0], seat=key[1]))
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
