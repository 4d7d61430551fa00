"""Results as text for people: renderables of rich, in colour on a terminal and plain elsewhere.

The game's things have their Spanish names (baza, cante, triunfo); the rest is English.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table as Columns
from rich.text import Text

from tute.check import Verdict
from tute.deal import Deal
from tute.game import Game
from tute.language import alternatives, count, say, word
from tute.position import Position
from tute.report.json import HALF_OF_BUTIFARRA
from tute.report.parts import (
    DUTIES,
    Seats,
    capital,
    cards_text,
    columns,
    effort,
    filled,
    hands_table,
    heading,
    line_table,
    move_text,
    position_parts,
    suit_name,
    table_text,
    title,
)
from tute.results import (
    ContractResult,
    MoveSafety,
    MoveValue,
    Progress,
    Safety,
    SeatSafety,
    Solution,
    Table,
    TableRow,
)
from tute.variants import Objective


def solution(answer: Solution, deal: Deal) -> RenderableType:
    """The answer of `solve`: the position, each card with its value, the line."""
    seats = Seats(deal)
    parts: list[RenderableType] = [
        heading(deal, answer.position.game),
        Text(),
        *position_parts(answer.position, seats),
        Text(),
        _best_play(answer, seats),
    ]
    if answer.contract is not None:
        asked = answer.contract
        if asked.bid is not None:
            counted = answer.value is not None and _counts_for_bid(answer)
            margin = (answer.value or 0) - asked.bid if counted else None
            parts.append(_bid(asked.bid, asked.made, margin))
        parts += _highest(answer.position.game, asked.highest_bid)
    if answer.cards:
        parts += [Text(), _values(answer, seats)]
    if answer.line:
        parts += [Text(), line_table(answer.position, answer.line, seats, answer.objective)]
    return Group(*parts, Text(), *_effort(answer.complete, answer.nodes, answer.seconds))


def progress(so_far: Progress | None, nodes: int, seconds: float, table_bytes: int) -> Text:
    """One line about a search that is still running."""
    parts = []
    if so_far is not None:
        parts.append(say("value {value}").format(value=_between(so_far.lower, so_far.upper)))
        if so_far.estimate is not None and so_far.lower < so_far.upper:
            parts.append(say("estimate about {value}").format(value=so_far.estimate))
    parts.append(say("{nodes:,} positions").format(nodes=nodes))
    parts.append(f"{seconds:.0f} s")
    parts.append(f"{table_bytes / (1 << 20):.0f} MiB")
    return Text(", ".join(parts))


def contract(answer: ContractResult, deal: Deal) -> RenderableType:
    """The answer of `contract`: made or not, by how much, and the line that shows it."""
    seats = Seats(deal)
    game = answer.position.game
    parts: list[RenderableType] = [
        heading(deal, game),
        Text(),
        *position_parts(answer.position, seats),
        Text(),
        _bid(answer.bid, answer.made, answer.margin),
        Text(_makes(answer.side, seats, _between(answer.lower, answer.upper))),
        *_highest(game, answer.highest_bid),
    ]
    if answer.line:
        parts += [Text(), line_table(answer.position, answer.line, seats, "points")]
    return Group(*parts, Text(), *_effort(answer.complete, answer.nodes, answer.seconds))


def table(answer: Table, deal: Deal) -> RenderableType:
    """The answer of `table`: a row for each declarer or side, a column for each trump."""
    seats = Seats(deal)
    trumps = list(dict.fromkeys(row.trump for row in answer.rows))
    grid = columns("")
    for trump in trumps:
        grid.add_column(suit_name(trump), justify="right")
    cells = {(row.declarer, row.trump): row for row in answer.rows}
    for declarer in dict.fromkeys(row.declarer for row in answer.rows):
        side = [declarer, declarer + 2] if deal.variant.sides == "pairs" else [declarer]
        line = [Text(capital(seats.several(side)))]
        for trump in trumps:
            row = cells[declarer, trump]
            line.append(_cell(row, bids=deal.variant.bids is not None))
        grid.add_row(*line)
    about = say("The most points that the declaring side makes.")
    if deal.variant.bids:
        about = say(
            "The most points that the declaring side makes, with the highest bid that is made."
        )
    return Group(
        *title(deal),
        Text(deal.variant.title, style="bold"),
        Text(),
        hands_table(deal.hands, None, seats),
        Text(),
        Text(about),
        Text(),
        grid,
        Text(),
        *_effort(answer.exact, answer.nodes, answer.seconds),
    )


def safety(answer: Safety, deal: Deal) -> RenderableType:
    """The answer of `safe`: safe or not, the risk of each card, who should lose, the line."""
    seats = Seats(deal)
    position = answer.position
    parts: list[RenderableType] = [
        heading(deal, position.game),
        Text(),
        *position_parts(position, seats),
        Text(),
        _safe_seats(answer, seats),
    ]
    if answer.cards:
        parts += [Text(), _risks(answer, seats), *_good(answer)]
    parts += [Text(), *_who_should_lose(answer, seats)]
    if answer.line:
        safe = answer.players[answer.seat - 1].safe
        how = say("{player}, the others do it so:")
        if safe:
            how = say("{player}, safe play against the sharpest defence:")
        parts += [Text(), Text(capital(how.format(player=seats.one(answer.seat))))]
        parts.append(line_table(position, answer.line, seats, "points"))
    took = _effort(True, answer.nodes, answer.seconds)
    if not answer.complete:
        stopped = say("Stopped before everything was decided.")
        took.insert(0, Text(stopped, style="bold yellow"))
    return Group(*parts, Text(), *took)


def verdict(answer: Verdict) -> RenderableType:
    """The answer of `check`: legal or not, the first renuncio with its duty, or the totals."""
    seats = Seats(answer.deal)
    if answer.refusal is not None:
        return Group(*title(answer.deal), *_renuncio(answer, seats))
    position = answer.position
    bazas = sum(position.tricks) - sum(answer.deal.tricks)
    legal = say("Legal deal.")
    if answer.deal.played:
        legal = count(
            "Legal record: {number} baza complete.", "Legal record: {number} bazas complete.", bazas
        ).format(number=bazas)
    parts = [*title(answer.deal), Text(legal, style="bold green")]
    if position.over:
        over = say("The hand is over. {score}.")
        parts.append(Text(over.format(score=capital(_score(answer, seats)))))
        if answer.losers is not None:
            parts.append(Text(_lost(answer.losers, seats)))
    elif answer.deal.played:
        parts.append(Text(say("So far: {score}.").format(score=_score(answer, seats))))
        to_play = say("To play: {player}, baza {number}.")
        player = seats.one(position.turn + 1)
        parts.append(Text(to_play.format(player=player, number=answer.trick)))
    if answer.result_agrees is not None:
        agrees, style = say("The result written down, {totals}, agrees."), ""
        if not answer.result_agrees:
            agrees, style = say("The result written down, {totals}, does not agree."), "bold red"
        written = " ".join(str(total) for total in answer.deal.result or ())
        parts.append(Text(agrees.format(totals=written), style=style))
    return Group(*parts)


def _lost(losers: Sequence[int], seats: Seats) -> str:
    if not losers:
        return say("Nobody loses.")
    lost = count("{players} loses.", "{players} lose.", len(losers))
    return capital(lost.format(players=seats.several(losers)))


# -------------------------------------------------------------------- values


def _best_play(answer: Solution, seats: Seats) -> Text:
    """The value of the position in a sentence."""
    return Text(_achieves(answer, seats), style="bold")


def _achieves(answer: Solution, seats: Seats) -> str:
    low, high, side = answer.lower, answer.upper, answer.side
    number = len(side)
    if answer.objective == "win":
        result = {
            1: count("wins", "win", number),
            0: count("draws", "draw", number),
            -1: count("loses", "lose", number),
        }
        words = alternatives([result[value] for value in range(high, low - 1, -1)])
        ends = say("{players} {wins_or_loses}.").format(
            players=seats.several(side), wins_or_loses=words
        )
        return capital(ends)
    if answer.objective == "difference":
        return _ends(side, seats, low, high)
    amount = _between(low, high)
    if answer.objective == "tricks":
        takes = count("{players} takes {number} bazas.", "{players} take {number} bazas.", number)
        return capital(takes.format(players=seats.several(side), number=amount))
    if answer.position.game.variant.id == "butifarra" and low == high:
        excess = low - HALF_OF_BUTIFARRA
        makes = count(
            "{players} makes {points}, {excess} over {half}.",
            "{players} make {points}, {excess} over {half}.",
            number,
        )
        if excess < 0:
            makes = count(
                "{players} makes {points}, {excess} under {half}.",
                "{players} make {points}, {excess} under {half}.",
                number,
            )
        shown = {"points": amount, "excess": abs(excess), "half": HALF_OF_BUTIFARRA}
        return capital(makes.format(players=seats.several(side), **shown))
    return _makes(side, seats, amount)


def _makes(side: Sequence[int], seats: Seats, points: str) -> str:
    makes = count("{players} makes {points}.", "{players} make {points}.", len(side))
    return capital(makes.format(players=seats.several(side), points=points))


def _ends(side: Sequence[int], seats: Seats, low: int, high: int) -> str:
    number = len(side)
    if low != high:
        ends = count(
            "{players} ends between {low:+} and {high:+}.",
            "{players} end between {low:+} and {high:+}.",
            number,
        )
    elif low == 0:
        ends = count("{players} ends level.", "{players} end level.", number)
    elif low > 0:
        ends = count("{players} ends {points} ahead.", "{players} end {points} ahead.", number)
    else:
        ends = count("{players} ends {points} behind.", "{players} end {points} behind.", number)
    players = seats.several(side)
    return capital(ends.format(players=players, low=low, high=high, points=abs(low)))


def _between(low: int, high: int) -> str:
    return str(low) if low == high else say("{low} to {high}").format(low=low, high=high)


def _bid(bid: int, made: bool | None, margin: int | None) -> Text:
    if made is None:
        said, style = say("Bid {bid}: not decided."), "bold yellow"
    elif not made:
        said, style = say("Bid {bid}: not made."), "bold red"
        if margin is not None:
            said = count(
                "Bid {bid}: not made, {short} short.",
                "Bid {bid}: not made, {short} short.",
                -margin,
            )
    else:
        said, style = say("Bid {bid}: made."), "bold green"
        if margin == 0:
            said = say("Bid {bid}: made, exactly.")
        elif margin is not None:
            said = count(
                "Bid {bid}: made, {spare} to spare.", "Bid {bid}: made, {spare} to spare.", margin
            )
    spare = margin or 0
    return Text(said.format(bid=bid, short=-spare, spare=spare), style=style)


def _highest(game: Game, highest: int | None) -> list[Text]:
    if game.variant.bids is None or highest is None:
        return []
    return [Text(say("Highest bid that is made: {bid}.").format(bid=highest))]


def _values(answer: Solution, seats: Seats) -> Columns:
    """Each card with its value, what it costs the seat to move, and what becomes of the bid."""
    bid = answer.contract.bid if answer.contract and _counts_for_bid(answer) else None
    grid = columns(_plays(answer.position, seats))
    grid.add_column(say("value"), justify="right")
    grid.add_column(say("costs"), justify="right")
    if bid is not None:
        grid.add_column(say("bid {points}").format(points=bid))
    for move in answer.cards:
        best = move.card in answer.best
        row = [
            move_text(move.card, answer.position.trump),
            Text(_value(move, answer.objective)),
            Text(say("best"), style="bold green") if best else Text(_cost(move, answer)),
        ]
        if bid is not None:
            row.append(_against(move, bid))
        grid.add_row(*row)
    return grid


def _plays(position: Position, seats: Seats) -> str:
    """The head of the column of a player's cards."""
    return capital(say("{player} plays").format(player=seats.one(position.turn + 1)))


def _value(move: MoveValue, objective: Objective) -> str:
    low, high = move.lower, move.upper
    if objective == "win":
        words = {1: say("wins"), 0: say("draws"), -1: say("loses")}
        return alternatives([words[value] for value in range(high, low - 1, -1)])
    if objective == "difference":
        between = say("{low:+} to {high:+}").format(low=low, high=high)
        return f"{low:+}" if low == high else between
    return _between(low, high)


def _cost(move: MoveValue, answer: Solution) -> str:
    if move.value is None or answer.value is None or answer.objective == "win":
        return ""
    return str(abs(answer.value - move.value))


def _against(move: MoveValue, bid: int) -> Text:
    if move.lower >= bid:
        over = move.lower - bid
        made = (
            say("made, {over} over")
            if move.value is not None
            else say("made, at least {over} over")
        )
        return Text(made.format(over=over) if over else say("made"), style="green")
    if move.upper < bid:
        failed = say("{short} short") if move.value is not None else say("at least {short} short")
        return Text(failed.format(short=bid - move.upper), style="red")
    return Text(say("not decided"), style="yellow")


def _counts_for_bid(answer: Solution) -> bool:
    """Whether the values are points of the side that promised some."""
    game = answer.position.game
    declarer = (game.declarer or 0) + 1
    return answer.objective == "points" and declarer in answer.side


def _cell(row: TableRow, *, bids: bool) -> Text:
    value = Text(_between(row.lower, row.upper), style="bold")
    if not bids:
        return value
    return value + Text(f" ({'-' if row.highest_bid is None else row.highest_bid})".rjust(6))


# -------------------------------------------------------------------- safe or not


def _safe_seats(answer: Safety, seats: Seats) -> Group:
    """Each seat against all the others together."""
    individual = answer.position.game.variant.winning == "most"
    grid = columns(say("to win") if individual else say("not to lose"))
    for name in (say("against all the others"), say("aiming"), say("points it is sure of")):
        grid.add_column(name)
    for player in answer.players:
        grid.add_row(
            capital(seats.one(player.seat)),
            _safe(player, _of_a_seat()),
            _aims(player),
            _sure_points(player),
        )
    return Group(grid)


def _aims(player: SeatSafety) -> str:
    aims = [word("aim", "high")] if player.high else []
    if player.low:
        aims.append(word("aim", "low"))
    return alternatives(aims)


class _Words(NamedTuple):
    """How safe something is: in Spanish a card and a player differ in gender."""

    safe: str
    not_safe: str
    exposed: str
    unless: str
    unless_often: str


def _of_a_card() -> _Words:
    return _Words(
        safe=say("segura"),
        not_safe=say("not segura"),
        exposed=say("expuesta"),
        unless=say("segura salvo que un rival se perjudique"),
        unless_often=say("segura salvo que un rival se perjudique ({number} times)"),
    )


def _of_a_seat() -> _Words:
    return _Words(
        safe=word("seat", "segura"),
        not_safe=word("seat", "not segura"),
        exposed=word("seat", "expuesta"),
        unless=word("seat", "segura salvo que un rival se perjudique"),
        unless_often=word("seat", "segura salvo que un rival se perjudique ({number} times)"),
    )


def _safe(one: SeatSafety | MoveSafety, words: _Words) -> Text:
    if one.safe:
        return Text(words.safe, style="bold green")
    if one.safe is None:
        return Text(say("not decided"), style="yellow")
    if one.credible is None:
        return Text(words.not_safe, style="red")
    if one.credible == 0:
        return Text(words.exposed, style="bold red")
    unless = words.unless if one.credible in (1, "all") else words.unless_often
    return Text(unless.format(number=one.credible), style="green")


def _sure_points(player: SeatSafety) -> str:
    most = "?" if player.max_points is None else player.max_points
    fewest = "?" if player.min_points is None else player.min_points
    return say("{most} or more, {fewest} or fewer").format(most=most, fewest=fewest)


def _risks(answer: Safety, seats: Seats) -> Columns:
    """Each card with its safety and the risk of its seat after it."""
    grid = columns(_plays(answer.position, seats))
    grid.add_column(say("against all the others"))
    grid.add_column(say("risk") if answer.risk_exact else say("risk, estimated"), justify="right")
    words = _of_a_card()
    for move in answer.cards:
        row = [move_text(move.card, answer.position.trump), _safe(move, words), _risk(move, answer)]
        grid.add_row(*row)
    return grid


def _risk(one: SeatSafety | MoveSafety, answer: Safety) -> Text:
    """An exact risk in per cent; an estimate as a band."""
    if one.risk is None:
        return Text("?")
    style = {"low": "green", "medium": "yellow", "high": "red"}[one.risk.band]
    if answer.risk_exact or one.safe:
        return Text(f"{100 * one.risk.chance:.0f}%", style=style)
    bands = {
        "low": word("risk", "low"),
        "medium": word("risk", "medium"),
        "high": word("risk", "high"),
    }
    return Text(bands[one.risk.band], style=style)


def _good(answer: Safety) -> list[Text]:
    if not answer.good:
        return []
    cards = Text(" ").join(move_text(move, answer.position.trump) for move in answer.good)
    good = say("As good as any when everyone looks after himself: {cards}")
    return [filled(good, cards=cards)]


def _who_should_lose(answer: Safety, seats: Seats) -> list[RenderableType]:
    """Each seat's risk, and the sets of losers of the equilibria where they are known."""
    if answer.position.game.variant.winning == "most":
        exact = say("Everyone looks after himself: the chance not to win:")
        estimated = say("Everyone looks after himself: the chance not to win, an estimate:")
    else:
        exact = say("Everyone looks after himself: the chance to lose:")
        estimated = say("Everyone looks after himself: the chance to lose, an estimate:")
    parts: list[RenderableType] = [
        Text(exact if answer.risk_exact else estimated),
        Text("  ").join(
            filled(
                say("{player} {risk}"),
                player=capital(seats.one(player.seat)),
                risk=_risk(player, answer),
            )
            for player in answer.players
        ),
    ]
    if answer.losers is not None:
        sets = "; ".join(seats.several(lost) or say("nobody") for lost in answer.losers)
        parts.append(
            Text(say("Losers that an equilibrium may reach: {players}.").format(players=sets))
        )
    return parts


# -------------------------------------------------------------------- checks


def _renuncio(answer: Verdict, seats: Seats) -> list[RenderableType]:
    """The first illegal move of a record: where, whose, which duty, and what was allowed."""
    refusal = answer.refusal
    if refusal is None:
        return []
    first = say(
        "Illegal: baza {baza}, token {number} of the record: {player} plays {move}."
    ).format(
        baza=answer.trick,
        number=(refusal.index or 0) + 1,
        player=seats.one(refusal.seat),
        move=refusal.move,
    )
    return [Text(first, style="bold red"), *why_illegal(answer, seats)]


def why_illegal(answer: Verdict, seats: Seats) -> list[RenderableType]:
    """The duty that the first illegal move of a record breaks, and what was allowed."""
    refusal, position = answer.refusal, answer.position
    if refusal is None:
        return []
    parts: list[RenderableType] = []
    if refusal.duty is not None:
        duty = capital(say(DUTIES[refusal.duty]))
        parts.append(Text(say("A renuncio. {duty}.").format(duty=duty)))
    else:
        parts.append(Text(f"{capital(refusal.reason)}."))
    if position.trick:
        parts.append(filled(say("On the table: {cards}"), cards=table_text(position, seats)))
    if not position.over:
        holds = say("{player} holds: {cards}")
        player, hand = capital(seats.one(refusal.seat)), position.hands[refusal.seat - 1]
        parts.append(filled(holds, player=player, cards=cards_text(hand)))
    if refusal.legal:
        allowed = Text(" ").join(move_text(move, position.trump) for move in refusal.legal)
        parts.append(filled(say("Allowed: {moves}"), moves=allowed))
    return parts


def _score(answer: Verdict, seats: Seats) -> str:
    """The points of each side, and of each player where sides are more than one."""
    points = answer.position.totals()
    shared = any(len(side) > 1 for side in answer.sides)
    whole = ", ".join(
        seats.points(side, total) for side, total in zip(answer.sides, answer.totals, strict=True)
    )
    if not shared:
        return whole
    each = ", ".join(seats.points([place + 1], made) for place, made in enumerate(points))
    return f"{whole} ({each})"


def _effort(exact: bool, nodes: int, seconds: float) -> list[Text]:
    took = effort(nodes, seconds)
    if exact:
        return [took]
    stopped = say("Stopped before the proof was complete: these are proven bounds.")
    return [Text(stopped, style="bold yellow"), took]
