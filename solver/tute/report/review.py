"""A review as text for people, and what a page says about it. Computes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table as Columns
from rich.text import Text

from tute.check import Verdict
from tute.language import count, say, word
from tute.notation import Move
from tute.position import Position
from tute.report.page import Remark, Summary, safety_page
from tute.report.page import page as points_page
from tute.report.parts import (
    Seats,
    capital,
    clean,
    columns,
    hand_name,
    heading,
    line_table,
    listed,
    move_text,
    position_parts,
    sides_of,
    suit_name,
)
from tute.report.text import why_illegal
from tute.results import (
    Blame,
    Match,
    MatchPlayer,
    PlayerReview,
    PlayerSafety,
    Review,
    ReviewedMove,
    SafetyReview,
    SafetyStep,
    Tally,
    WhatIf,
)
from tute.variants import Objective


def review(answer: Review | SafetyReview) -> RenderableType:
    """The answer of `review`: the deal, each move, what decided the hand, the players."""
    seats = Seats(answer.deal)
    start = answer.deal.start()
    body = _points(answer, seats) if isinstance(answer, Review) else _safety(answer, seats)
    ending: list[RenderableType] = []
    if answer.renuncio is not None:
        ending += [Text(), *_renuncio(answer, answer.renuncio)]
    if not answer.complete:
        stopped = say("Stopped before everything was known.")
        ending += [Text(), Text(stopped, style="bold yellow")]
    took = say("{seconds:.2f} s").format(seconds=answer.seconds)
    return Group(
        heading(answer.deal, start.game),
        Text(),
        *position_parts(start, seats),
        Text(),
        *body,
        *ending,
        Text(),
        Text(took, style="dim"),
    )


def match(answer: Match) -> RenderableType:
    """The answer of `review_match`: a line for each hand, then every player's sums."""
    hands: list[RenderableType] = []
    for number, hand in enumerate(answer.hands, start=1):
        name = hand_name(hand.deal)
        facts = " ".join([*_outcome(hand), *_short_renuncio(hand)])
        told = say("Hand {number}, {name}: {facts}")
        hands.append(Text(told.format(number=number, name=name, facts=facts)))
    parts = [*hands, Text(), _table(_match_head(), [_match_row(p) for p in answer.players])]
    if not answer.complete:
        parts += [Text(), Text(say("Stopped before everything was known."), style="bold yellow")]
    return Group(*parts)


def page(answer: Review | SafetyReview) -> str:
    """A review as a page."""
    title = say("Review: {hand}").format(hand=hand_name(answer.deal))
    if isinstance(answer, SafetyReview):
        return safety_page(answer, title=title, summary=summary(answer), remarks=remarks(answer))
    return points_page(
        answer.walk,
        title=title,
        summary=summary(answer),
        remarks=remarks(answer),
        problem=None,
    )


def summary(answer: Review | SafetyReview) -> Summary:
    """What stands above the hand on a page."""
    seats = Seats(answer.deal)
    said = [*_outcome(answer), *_short_renuncio(answer)]
    if isinstance(answer, Review):
        said += [*_trump(answer, seats), *_method(answer)]
        rows = [_player_row(player, seats) for player in answer.players]
        return Summary(tuple(said), _player_head(), tuple(rows))
    safety_rows = [_safety_row(player, seats) for player in answer.players]
    return Summary(tuple(said), _safety_head(), tuple(safety_rows))


def remarks(answer: Review | SafetyReview) -> tuple[Remark, ...]:
    """What a page says about each moment: of `walk.moments`, or of `steps`."""
    seats = Seats(answer.deal)
    if isinstance(answer, SafetyReview):
        return tuple(
            Remark(tuple(_changes(step, seats)), bool(step.turned)) for step in answer.steps
        )
    found: list[Remark] = []
    for number in range(len(answer.walk.moments)):
        moves = [move for move in answer.moves if move.moment == number]
        sentences = [sentence for move in moves for sentence in _about(answer, move, seats)]
        found.append(Remark(tuple(sentences), any(move.decisive for move in moves)))
    return tuple(found)


# -------------------------------------------------------------------- values and moves in words


def _amount(value: int | None, objective: Objective) -> str:
    if value is None:
        return "?"
    if objective == "win":
        return {1: say("won"), 0: say("drawn"), -1: say("lost")}[value]
    return f"{value:+}" if objective == "difference" else str(value)


def _move(move: Move | None, position: Position) -> Text:
    return Text(say("pass")) if move is None else move_text(move, position.trump)


def _moves(moves: Iterable[Move | None], position: Position) -> str:
    return ", ".join(_move(move, position).plain for move in moves)


def _before(answer: Review, move: ReviewedMove) -> Position:
    return answer.walk.moments[move.moment].position


# -------------------------------------------------------------------- sentences


def _outcome(answer: Review | SafetyReview) -> list[str]:
    """What the hand was worth and came to, and what decided it."""
    seats = Seats(answer.deal)
    if isinstance(answer, SafetyReview):
        return [
            *_lost_the_hand(answer, seats),
            *(sentence for step in answer.decisive for sentence in _changes(step, seats)),
        ]
    objective = answer.walk.objective
    told = (
        say("{players}: {dealt} as dealt, {final} as played.")
        if answer.walk.end.over
        else say("{players}: {dealt} as dealt, {final} after the record with best play.")
    )
    worth = told.format(
        players=capital(seats.several(answer.walk.side)),
        dealt=_amount(answer.value_dealt, objective),
        final=_amount(answer.value_final, objective),
    )
    decisive = [_decided(answer, move, seats) for move in answer.decisive]
    if decisive or answer.stopped or not answer.moves:
        return [worth, *decisive]
    nothing = say("No move decided the contract.") if answer.contract else say("Nothing was lost.")
    return [worth, nothing]


def _decided(answer: Review, move: ReviewedMove, seats: Seats) -> str:
    if not answer.contract:
        told = say("Costliest: move {index}, {card} of {player}, cost {cost}.")
    elif move.made_before:
        told = say("Decisive: move {index}, {card} of {player}, broke the contract.")
    else:
        told = say("Decisive: move {index}, {card} of {player}, let the contract be made.")
    return told.format(
        index=move.index,
        player=seats.one(move.seat),
        card=_moves([move.card], _before(answer, move)),
        cost=move.cost,
    )


def _about(answer: Review, move: ReviewedMove, seats: Seats) -> list[str]:
    """A move's duty and blame, and what passing cost; the page itself tells what a card did."""
    position = _before(answer, move)
    said = []
    if move.forced and move.duty == "only card":
        said.append(say("Forced: the only card."))
    elif move.forced:
        said.append(say("Forced: {duty}.").format(duty=move.duty))
    if move.cost and move.card is None and move.best:
        best = _moves(move.best, position)
        said.append(say("To pass cost {cost}; better: {best}.").format(cost=move.cost, best=best))
    if move.decisive and (answer.contract or not move.cost):
        said.append(_decided(answer, move, seats))
    if move.automatic:
        said.append(say("Declared as soon as allowed, so nobody is to blame."))
    return [*said, *_blame(answer, move)]


def _blame(answer: Review, move: ReviewedMove) -> list[str]:
    """What the player could have known of a move that cost something."""
    blame = move.blame
    if blame is None:
        return []
    if blame.blameless is None:
        told = say("Not judged: only {deals} of {wanted} deals were found that fit what was seen.")
        return [told.format(deals=blame.deals, wanted=blame.wanted)]
    best = blame.gains[0]
    if blame.blameless:
        told = say(
            "Blameless: over {deals} deals that fit what was seen, nothing else is surely better "
            "(the best, {card}, by {gain} on average, standard error {error})."
        )
    else:
        told = say(
            "Avoidable: over {deals} deals that fit what was seen, {card} is better by {gain} on "
            "average (standard error {error})."
        )
        best = blame.better[0]
    said = told.format(
        deals=blame.deals,
        card=_moves([best.move], _before(answer, move)),
        gain=_gain(best.mean, blame, answer),
        error=_gain(best.error, blame, answer),
    )
    return [said]


def _gain(number: float, blame: Blame, answer: Review) -> str:
    """Points, or deals in a hundred in which the contract goes the other way."""
    if blame.objective == "win" and answer.contract:
        return say("{share:.1f}% of the contracts").format(share=50 * number)
    return f"{number:.2f}"


def _trump(answer: Review, seats: Seats) -> list[str]:
    """What the choice of trumps cost, apart from the play."""
    choice = answer.trump
    if choice is None or choice.cost is None:
        return []
    side = next(s for s in sides_of(answer.walk.end.game) if choice.seat in s)
    facts = {
        "players": seats.several(side),
        "chosen": suit_name(choice.chosen.trump),
        "value": choice.chosen.value,
        "best": listed([suit_name(row.trump) for row in choice.best]),
        "most": choice.best[0].value,
        "cost": choice.cost,
    }
    if not choice.cost:
        told = say("Triunfo: {players} could make {value} with {chosen}; no other makes more.")
    elif answer.walk.end.game.declarer is None:
        told = say(
            "Triunfo: {players} could make {value} with {chosen}, {most} with {best}: "
            "{cost} points lay in the triunfo."
        )
    else:
        told = say(
            "Triunfo: {players} could make {value} with {chosen}, {most} with {best}: "
            "the choice cost {cost}."
        )
    return [told.format(**facts), *_play(answer, seats)]


def _play(answer: Review, seats: Seats) -> list[str]:
    """What the play cost the side asked for, and what it was given."""
    if answer.walk.objective == "win" or answer.lost is None or answer.given is None:
        return []
    told = count(
        "Play: {players} lost {lost} and was given {given} by the other side.",
        "Play: {players} lost {lost} and were given {given} by the other side.",
        len(answer.walk.side),
    )
    players = seats.several(answer.walk.side)
    return [told.format(players=players, lost=answer.lost, given=answer.given)]


def _method(answer: Review) -> list[str]:
    """How blame was judged."""
    if not any(move.blame is not None for move in answer.moves):
        costly = [move for move in answer.moves if move.blameless is None]
        return [say("Blame: not judged.")] if costly else []
    told = say(
        "Blame: each choice that cost something was compared with the others over {deals} random "
        "deals that fit all that its player had seen (seed {seed}), each with open cards. It is "
        "avoidable if another is better by more than two standard errors on average, else "
        "blameless."
    )
    return [told.format(deals=answer.samples, seed=answer.seed)]


def _short_renuncio(answer: Review | SafetyReview) -> list[str]:
    if answer.renuncio is None or answer.renuncio.refusal is None:
        return []
    refusal = answer.renuncio.refusal
    told = (
        say("Renuncio: move {index}, {card} of {player}, breaks {duty}; reviewed up to there.")
        if refusal.duty
        else say("Illegal: move {index}, {card} of {player}; reviewed up to there.")
    )
    player = Seats(answer.deal).one(refusal.seat)
    card = clean(str(refusal.move))
    return [told.format(index=refusal.index, player=player, card=card, duty=refusal.duty)]


def _renuncio(answer: Review | SafetyReview, refused: Verdict) -> list[RenderableType]:
    """The illegal move under the number that the others have here, and what `check` says of it."""
    first = [Text(line, style="bold red") for line in _short_renuncio(answer)]
    return [*first, *why_illegal(refused, Seats(answer.deal))]


# -------------------------------------------------------------------- points


def _points(answer: Review, seats: Seats) -> list[RenderableType]:
    parts: list[RenderableType] = [Text(line) for line in _outcome(answer)]
    if answer.moves:
        parts += [Text(), _move_table(answer, seats)]
    judged = [
        say("Move {index}: {verdict}").format(index=move.index, verdict=sentence)
        for move in answer.moves
        for sentence in _blame(answer, move)
    ]
    if judged:
        parts += [Text(), *(Text(line) for line in judged)]
    rows = [_player_row(player, seats) for player in answer.players]
    parts += [Text(), _table(_player_head(), rows)]
    told = [*_trump(answer, seats), *_method(answer)]
    if told:
        parts += [Text(), *(Text(line) for line in told)]
    for other in answer.what_if:
        parts += [Text(), *_what_if(other, answer, seats)]
    return parts


def _move_table(answer: Review, seats: Seats) -> Columns:
    """A row for each move: its number, whose, the value before and after, what is to be said."""
    grid = columns(say("number"))
    grid.add_column(say("baza"))
    grid.add_column(say("player"))
    grid.add_column(say("move"))
    grid.add_column(say("value"), justify="right")
    grid.add_column(say("costs"), justify="right")
    grid.add_column("")
    objective = answer.walk.objective
    shown = 0
    for move in answer.moves:
        value = _amount(move.value_before, objective)
        if move.cost != 0:
            value += f" -> {_amount(move.value_after, objective)}"
        grid.add_row(
            str(move.index),
            "" if move.trick == shown else str(move.trick),
            seats.head(move.seat),
            _move(move.card, _before(answer, move)),
            Text(value),
            "" if move.cost == 0 else "?" if move.cost is None else str(move.cost),
            _marks(answer, move),
        )
        shown = move.trick
    return grid


def _marks(answer: Review, move: ReviewedMove) -> Text:
    """Forced or costly, decisive, avoidable or blameless, in a few words."""
    marks: list[Text] = []
    if move.decisive:
        marks.append(Text(say("decisive"), style="bold red"))
    if move.cost or move.decisive:
        if move.best:
            better = _moves(move.best, _before(answer, move))
            marks.append(Text(say("better: {cards}").format(cards=better)))
        if move.blameless is not None:
            avoidable = not move.blameless
            told = say("avoidable") if avoidable else say("blameless")
            marks.append(Text(told, style="red" if avoidable else "green"))
    if move.automatic:
        marks.append(Text(say("declared by itself")))
    if move.forced and move.duty == "only card":
        marks.append(Text(say("only card"), style="dim"))
    elif move.forced:
        marks.append(Text(say("forced: {duty}").format(duty=move.duty), style="dim"))
    elif move.duty is not None:
        marks.append(Text(str(move.duty), style="dim"))
    return Text("; ").join(marks)


def _what_if(other: WhatIf, answer: Review | SafetyReview, seats: Seats) -> list[RenderableType]:
    """Another move: what it was worth, and the line after it."""
    facts = {
        "index": other.index,
        "player": seats.one(other.seat),
        "card": _moves([other.card], other.position),
        "safe": seats.several([place + 1 for place, safe in enumerate(other.safe) if safe]),
    }
    objective: Objective = "points"
    if isinstance(answer, Review):
        objective = answer.walk.objective
        facts["value"] = _amount(other.value, objective)
        facts["gain"] = "?" if other.gain is None else f"{other.gain:+}"
        facts["cost"] = "?" if other.cost is None else other.cost
        told = say(
            "What if, move {index}: {player} plays {card}: {value}; against what was played "
            "{gain} for the side that moves; against the best it costs {cost}."
        )
    elif None in other.safe:
        told = say("What if, move {index}: {player} plays {card}: not decided.")
    elif any(other.safe):
        told = say("What if, move {index}: {player} plays {card}: then safe: {safe}.")
    else:
        told = say("What if, move {index}: {player} plays {card}: then nobody is safe.")
    parts: list[RenderableType] = [Text(told.format(**facts), style="bold")]
    if other.line:
        parts.append(line_table(other.position, other.line, seats, objective))
    return parts


# -------------------------------------------------------------------- not to lose


def _lost_the_hand(answer: SafetyReview, seats: Seats) -> list[str]:
    if answer.losers is None:
        return []
    if not answer.losers:
        return [say("Nobody loses.")]
    told = count("{players} loses.", "{players} lose.", len(answer.losers))
    return [told.format(players=capital(seats.several(answer.losers)))]


def _changes(step: SafetyStep, seats: Seats) -> list[str]:
    """Whose safety a move cost, and to whom it gave it."""
    said = []
    own = step.seat in step.lost
    others = [seat for seat in step.lost if seat != step.seat]
    facts = {
        "index": step.index,
        "player": seats.one(step.seat),
        "card": _moves([step.card], step.position),
    }
    if own:
        kept = _moves(step.best, step.position)
        told = say("Move {index}: {player} lost safety with {card}; safe were: {kept}.")
        said.append(told.format(**facts, kept=kept))
    if others:
        told = say("Move {index}: {card} of {player} took the safety of {others}.")
        said.append(told.format(**facts, others=seats.several(others)))
    if step.gained:
        told = say("Move {index}: {card} of {player} made safe: {others}.")
        said.append(told.format(**facts, others=seats.several(step.gained)))
    return said


def _safety(answer: SafetyReview, seats: Seats) -> list[RenderableType]:
    grid = columns(say("number"))
    grid.add_column(say("baza"))
    grid.add_column(say("player"))
    grid.add_column(say("move"))
    for player in answer.players:
        grid.add_column(say("safe: {player}").format(player=seats.head(player.seat)))
    shown = 0
    for step in answer.steps:
        trick = sum(step.position.tricks) + 1
        grid.add_row(
            str(step.index),
            "" if trick == shown else str(trick),
            seats.head(step.seat),
            _move(step.card, step.position),
            *(_state(*states) for states in zip(step.before, step.after, strict=True)),
        )
        shown = trick
    parts: list[RenderableType] = [Text(line) for line in _lost_the_hand(answer, seats)]
    if answer.steps:
        parts += [grid, Text()]
    changes = [line for step in answer.decisive for line in _changes(step, seats)]
    if changes:
        parts += [*(Text(line) for line in changes), Text()]
    rows = [_safety_row(player, seats) for player in answer.players]
    parts.append(_table(_safety_head(), rows))
    for other in answer.what_if:
        parts += [Text(), *_what_if(other, answer, seats)]
    return parts


def _state(before: bool | None, after: bool | None) -> Text:
    if after is None:
        return Text("?", style="yellow")
    if before == (not after):
        return Text(say("given"), style="bold green") if after else Text(say("lost"), style="red")
    return Text(say("yes"), style="green") if after else Text(say("no"), style="dim")


# -------------------------------------------------------------------- players


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Columns:
    grid = columns(head[0])
    for name in head[1:]:
        grid.add_column(name, justify="right")
    for row in rows:
        grid.add_row(*row)
    return grid


def _player_head() -> tuple[str, ...]:
    return (say("player"), *_sums_head())


def _sums_head() -> tuple[str, ...]:
    return (
        say("choices"),
        say("kept the value"),
        say("accuracy"),
        say("cost"),
        word("a number of cards", "decisive"),
        word("a number of cards", "blameless"),
        word("a number of cards", "avoidable"),
    )


def _sums(player: Tally) -> tuple[str, ...]:
    numbers = (player.cost, player.decisive, player.blameless, player.blamed)
    return (
        str(player.choices),
        str(player.kept),
        _accuracy(player.accuracy),
        *(str(number) for number in numbers),
    )


def _player_row(player: PlayerReview, seats: Seats) -> tuple[str, ...]:
    return (seats.head(player.seat), *_sums(player))


def _match_head() -> tuple[str, ...]:
    return (say("player"), say("hands"), *_sums_head())


def _match_row(player: MatchPlayer) -> tuple[str, ...]:
    name = clean(player.name) if player.seat is None else str(player.seat)
    return (name, str(player.hands), *_sums(player))


def _safety_head() -> tuple[str, ...]:
    return (
        say("player"),
        say("choices"),
        say("kept safety"),
        say("accuracy"),
        say("lost its own"),
        say("made others safe"),
        say("took from others"),
    )


def _safety_row(player: PlayerSafety, seats: Seats) -> tuple[str, ...]:
    numbers = (player.lost, player.gave, player.took)
    return (
        seats.head(player.seat),
        str(player.choices),
        str(player.kept),
        _accuracy(player.accuracy),
        *(str(number) for number in numbers),
    )


def _accuracy(share: float | None) -> str:
    return "" if share is None else f"{share:.0f}%"
