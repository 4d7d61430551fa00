"""Results as text for people: renderables of rich, in colour on a terminal and plain elsewhere.

The game's things have their Spanish names (baza, cante, triunfo); the rest is English.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table as Columns
from rich.text import Text

from tute.check import Verdict
from tute.deal import Deal
from tute.game import Game
from tute.report.bazas import on_table
from tute.report.json import HALF_OF_BUTIFARRA
from tute.report.parts import (
    DUTIES,
    Seats,
    capital,
    card_text,
    cards_text,
    columns,
    counted,
    hands_table,
    heading,
    line_table,
    move_text,
    position_parts,
    suit_name,
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
        parts.append(f"value {_between(so_far.lower, so_far.upper)}")
        if so_far.estimate is not None and so_far.lower < so_far.upper:
            parts.append(f"estimate about {so_far.estimate}")
    parts.append(f"{nodes:,} positions")
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
        Text(f"{capital(_makes(answer.side, seats))} {_between(answer.lower, answer.upper)}."),
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
    about = "The most points that the declaring side makes"
    about += ", with the highest bid that is made." if deal.variant.bids else "."
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
        how = "safe play against the sharpest defence" if safe else "the others do it so"
        parts += [Text(), Text(f"{capital(seats.one(answer.seat))}, {how}:")]
        parts.append(line_table(position, answer.line, seats, "points"))
    took = _effort(True, answer.nodes, answer.seconds)
    if not answer.complete:
        stopped = "Stopped before everything was decided."
        took.insert(0, Text(stopped, style="bold yellow"))
    return Group(*parts, Text(), *took)


def verdict(answer: Verdict) -> RenderableType:
    """The answer of `check`: legal or not, the first renuncio with its duty, or the totals."""
    seats = Seats(answer.deal)
    if answer.refusal is not None:
        return Group(*title(answer.deal), *_renuncio(answer, seats))
    position = answer.position
    bazas = sum(position.tricks) - sum(answer.deal.tricks)
    what = "deal" if not answer.deal.played else f"record: {counted(bazas, 'baza')} complete"
    parts = [*title(answer.deal), Text.assemble(("Legal", "bold green"), f" {what}.")]
    if position.over:
        parts.append(Text(f"The hand is over. {capital(_score(answer, seats))}."))
        if answer.losers is not None:
            lost = seats.several(answer.losers)
            verb = "loses" if len(answer.losers) == 1 else "lose"
            parts.append(Text(f"{capital(lost)} {verb}." if lost else "Nobody loses."))
    elif answer.deal.played:
        parts.append(Text(f"So far: {_score(answer, seats)}."))
        parts.append(Text(f"To play: {seats.one(position.turn + 1)}, baza {answer.trick}."))
    if answer.result_agrees is not None:
        written = " ".join(str(total) for total in answer.deal.result or ())
        agrees = "agrees" if answer.result_agrees else "does not agree"
        style = "" if answer.result_agrees else "bold red"
        parts.append(Text(f"The result written down, {written}, {agrees}.", style=style))
    return Group(*parts)


# -------------------------------------------------------------------- values


def _best_play(answer: Solution, seats: Seats) -> Text:
    """The value of the position in a sentence."""
    low, high = answer.lower, answer.upper
    who = capital(seats.several(answer.side))
    one = len(answer.side) == 1
    if answer.objective == "win":
        words = {1: ("wins", "win"), 0: ("draws", "draw"), -1: ("loses", "lose")}
        said = " or ".join(words[value][0 if one else 1] for value in range(high, low - 1, -1))
        return Text(f"{who} {said}.", style="bold")
    if answer.objective == "difference":
        return Text(f"{who} {'ends' if one else 'end'} {_ahead(low, high)}.", style="bold")
    amount = _between(low, high)
    if answer.objective == "tricks":
        return Text(f"{who} {'takes' if one else 'take'} {amount} bazas.", style="bold")
    beside = ""
    if answer.position.game.variant.id == "butifarra" and low == high:
        excess = low - HALF_OF_BUTIFARRA
        beside = f", {abs(excess)} {'over' if excess >= 0 else 'under'} {HALF_OF_BUTIFARRA}"
    return Text(f"{capital(_makes(answer.side, seats))} {amount}{beside}.", style="bold")


def _makes(side: Sequence[int], seats: Seats) -> str:
    return f"{seats.several(side)} {'makes' if len(side) == 1 else 'make'}"


def _ahead(low: int, high: int) -> str:
    if low != high:
        return f"between {low:+} and {high:+}"
    if low == 0:
        return "level"
    return f"{abs(low)} {'ahead' if low > 0 else 'behind'}"


def _between(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _bid(bid: int, made: bool | None, margin: int | None) -> Text:
    if made is None:
        return Text(f"Bid {bid}: not decided.", style="bold yellow")
    if not made:
        short = "" if margin is None else f", {-margin} short"
        return Text(f"Bid {bid}: not made{short}.", style="bold red")
    spare = "" if margin is None else f", {margin} to spare" if margin else ", exactly"
    return Text(f"Bid {bid}: made{spare}.", style="bold green")


def _highest(game: Game, highest: int | None) -> list[Text]:
    if game.variant.bids is None or highest is None:
        return []
    return [Text(f"Highest bid that is made: {highest}.")]


def _values(answer: Solution, seats: Seats) -> Columns:
    """Each card with its value, what it costs the seat to move, and what becomes of the bid."""
    bid = answer.contract.bid if answer.contract and _counts_for_bid(answer) else None
    grid = columns(f"{capital(seats.one(answer.position.turn + 1))} plays")
    grid.add_column("value", justify="right")
    grid.add_column("costs", justify="right")
    if bid is not None:
        grid.add_column(f"bid {bid}")
    for move in answer.cards:
        best = move.card in answer.best
        row = [
            move_text(move.card, answer.position.trump),
            Text(_value(move, answer.objective)),
            Text("best" if best else _cost(move, answer), style="bold green" if best else ""),
        ]
        if bid is not None:
            row.append(_against(move, bid))
        grid.add_row(*row)
    return grid


def _value(move: MoveValue, objective: Objective) -> str:
    low, high = move.lower, move.upper
    if objective == "win":
        words = {1: "wins", 0: "draws", -1: "loses"}
        return " or ".join(words[value] for value in range(high, low - 1, -1))
    if objective == "difference":
        return f"{low:+}" if low == high else f"{low:+} to {high:+}"
    return _between(low, high)


def _cost(move: MoveValue, answer: Solution) -> str:
    if move.value is None or answer.value is None or answer.objective == "win":
        return ""
    return str(abs(answer.value - move.value))


def _against(move: MoveValue, bid: int) -> Text:
    if move.lower >= bid:
        over = move.lower - bid
        at_least = "" if move.value is not None else "at least "
        return Text(f"made, {at_least}{over} over" if over else "made", style="green")
    if move.upper < bid:
        at_least = "" if move.value is not None else "at least "
        return Text(f"{at_least}{bid - move.upper} short", style="red")
    return Text("not decided", style="yellow")


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
    grid = columns("to win" if individual else "not to lose")
    for name in ("against all the others", "aiming", "points it is sure of"):
        grid.add_column(name)
    for player in answer.players:
        aims = [name for name, sure in (("high", player.high), ("low", player.low)) if sure]
        grid.add_row(
            capital(seats.one(player.seat)), _safe(player), " or ".join(aims), _sure_points(player)
        )
    return Group(grid)


def _safe(one: SeatSafety | MoveSafety) -> Text:
    if one.safe:
        return Text("segura", style="bold green")
    if one.safe is None:
        return Text("not decided", style="yellow")
    if one.credible is None:
        return Text("not segura", style="red")
    if one.credible == 0:
        return Text("expuesta", style="bold red")
    times = "" if one.credible in (1, "all") else f" ({one.credible} times)"
    return Text(f"segura salvo que un rival se perjudique{times}", style="green")


def _sure_points(player: SeatSafety) -> str:
    most = "?" if player.max_points is None else str(player.max_points)
    fewest = "?" if player.min_points is None else str(player.min_points)
    return f"{most} or more, {fewest} or fewer"


def _risks(answer: Safety, seats: Seats) -> Columns:
    """Each card with its safety and the risk of its seat after it."""
    grid = columns(f"{capital(seats.one(answer.position.turn + 1))} plays")
    grid.add_column("against all the others")
    grid.add_column("risk" if answer.risk_exact else "risk, estimated", justify="right")
    for move in answer.cards:
        row = [move_text(move.card, answer.position.trump), _safe(move), _risk(move, answer)]
        grid.add_row(*row)
    return grid


def _risk(one: SeatSafety | MoveSafety, answer: Safety) -> Text:
    """An exact risk in per cent; an estimate as a band."""
    if one.risk is None:
        return Text("?")
    style = {"low": "green", "medium": "yellow", "high": "red"}[one.risk.band]
    if answer.risk_exact or one.safe:
        return Text(f"{100 * one.risk.chance:.0f}%", style=style)
    return Text(one.risk.band, style=style)


def _good(answer: Safety) -> list[Text]:
    if not answer.good:
        return []
    cards = Text(" ").join(move_text(move, answer.position.trump) for move in answer.good)
    return [Text("As good as any when everyone looks after himself: ") + cards]


def _who_should_lose(answer: Safety, seats: Seats) -> list[RenderableType]:
    """Each seat's risk, and the sets of losers of the equilibria where they are known."""
    individual = answer.position.game.variant.winning == "most"
    what = "not to win" if individual else "to lose"
    about = "Everyone looks after himself: the chance " + what
    parts: list[RenderableType] = [
        Text(f"{about}{':' if answer.risk_exact else ', an estimate:'}"),
        Text("  ").join(
            Text(f"{capital(seats.one(player.seat))} ") + _risk(player, answer)
            for player in answer.players
        ),
    ]
    if answer.losers is not None:
        sets = [seats.several(lost) or "nobody" for lost in answer.losers]
        parts.append(Text(f"Losers that an equilibrium may reach: {'; '.join(sets)}."))
    return parts


# -------------------------------------------------------------------- checks


def _renuncio(answer: Verdict, seats: Seats) -> list[RenderableType]:
    """The first illegal move of a record: where, whose, which duty, and what was allowed."""
    refusal, position = answer.refusal, answer.position
    if refusal is None:
        return []
    first = Text.assemble(
        ("Illegal", "bold red"),
        f": baza {answer.trick}, token {(refusal.index or 0) + 1} of the record: ",
        f"{seats.one(refusal.seat)} plays {refusal.move}.",
    )
    parts: list[RenderableType] = [first]
    if refusal.duty is not None:
        parts.append(Text(f"A renuncio. {capital(DUTIES[refusal.duty])}."))
    else:
        parts.append(Text(f"{capital(refusal.reason)}."))
    table = Text(", ").join(
        Text(f"{seats.one(place + 1)} ") + card_text(card) for place, card in on_table(position)
    )
    if table:
        parts.append(Text("On the table: ") + table)
    if not position.over:
        hand = position.hands[refusal.seat - 1]
        parts.append(Text(f"{capital(seats.one(refusal.seat))} holds: ") + cards_text(hand))
    if refusal.legal:
        allowed = Text(" ").join(move_text(move, position.trump) for move in refusal.legal)
        parts.append(Text("Allowed: ") + allowed)
    return parts


def _score(answer: Verdict, seats: Seats) -> str:
    """The points of each side, and of each player where sides are more than one."""
    points = answer.position.totals()
    shared = any(len(side) > 1 for side in answer.sides)
    whole = [
        f"{seats.several(side)}: {total}"
        for side, total in zip(answer.sides, answer.totals, strict=True)
    ]
    if not shared:
        return ", ".join(whole)
    each = [f"{seats.one(place + 1)}: {made}" for place, made in enumerate(points)]
    return f"{', '.join(whole)} ({', '.join(each)})"


def _effort(exact: bool, nodes: int, seconds: float) -> list[Text]:
    took = Text(f"{nodes:,} positions in {seconds:.2f} s", style="dim")
    if exact:
        return [took]
    stopped = "Stopped before the proof was complete: these are proven bounds."
    return [Text(stopped, style="bold yellow"), took]
