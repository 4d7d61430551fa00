"""Results as text for people: renderables of rich, in colour on a terminal and plain elsewhere.

The game's things have their Spanish names (baza, cante, triunfo); the rest is English.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table as Columns
from rich.text import Text

from tute.cards import SUIT_NAMES, SUITS, Card
from tute.check import Verdict
from tute.deal import Deal
from tute.game import Game
from tute.notation import Move
from tute.position import Position
from tute.report.bazas import Baza, Event, gather, on_table
from tute.report.json import HALF_OF_BUTIFARRA
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

_COLOURS = {"o": "yellow", "c": "red", "e": "cyan", "b": "green"}
_DUTIES = {
    "asistir": "asistir: whoever holds the suit led must follow it",
    "montar": "montar: whoever follows must beat the card that is winning, if he can",
    "fallar": "fallar: whoever is void in the suit led must trump",
    "pisar": "pisar: whoever is void must overtrump, if he can",
    "no_cargar": "no cargar: no points on a baza that one does not win, if avoidable",
    "obligada": "obligada: whoever cannot win plays the lowest card of the suit",
}
_CALLS = {
    "*tute": "tute",
    "*7": "7 for the turned-up card",
    "*2": "2 for the turned-up card",
    "*capote": "capote",
}


def solution(answer: Solution, deal: Deal) -> RenderableType:
    """The answer of `solve`: the position, each card with its value, the line."""
    seats = _Seats(deal)
    parts: list[RenderableType] = [
        _heading(deal, answer.position.game),
        Text(),
        *_position(answer.position, seats),
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
        parts += [Text(), _line(answer.position, answer.line, seats, answer.objective)]
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
    seats = _Seats(deal)
    game = answer.position.game
    parts: list[RenderableType] = [
        _heading(deal, game),
        Text(),
        *_position(answer.position, seats),
        Text(),
        _bid(answer.bid, answer.made, answer.margin),
        Text(f"{_capital(_makes(answer.side, seats))} {_between(answer.lower, answer.upper)}."),
        *_highest(game, answer.highest_bid),
    ]
    if answer.line:
        parts += [Text(), _line(answer.position, answer.line, seats, "points")]
    return Group(*parts, Text(), *_effort(answer.complete, answer.nodes, answer.seconds))


def table(answer: Table, deal: Deal) -> RenderableType:
    """The answer of `table`: a row for each declarer or side, a column for each trump."""
    seats = _Seats(deal)
    trumps = list(dict.fromkeys(row.trump for row in answer.rows))
    grid = _columns("")
    for trump in trumps:
        grid.add_column(_suit_name(trump), justify="right")
    cells = {(row.declarer, row.trump): row for row in answer.rows}
    for declarer in dict.fromkeys(row.declarer for row in answer.rows):
        side = [declarer, declarer + 2] if deal.variant.sides == "pairs" else [declarer]
        line = [Text(_capital(seats.several(side)))]
        for trump in trumps:
            row = cells[declarer, trump]
            line.append(_cell(row, bids=deal.variant.bids is not None))
        grid.add_row(*line)
    about = "The most points that the declaring side makes"
    about += ", with the highest bid that is made." if deal.variant.bids else "."
    return Group(
        *_title(deal),
        Text(deal.variant.title, style="bold"),
        Text(),
        _hands(deal.hands, None, seats),
        Text(),
        Text(about),
        Text(),
        grid,
        Text(),
        *_effort(answer.exact, answer.nodes, answer.seconds),
    )


def safety(answer: Safety, deal: Deal) -> RenderableType:
    """The answer of `safe`: safe or not, the risk of each card, who should lose, the line."""
    seats = _Seats(deal)
    position = answer.position
    parts: list[RenderableType] = [
        _heading(deal, position.game),
        Text(),
        *_position(position, seats),
        Text(),
        _safe_seats(answer, seats),
    ]
    if answer.cards:
        parts += [Text(), _risks(answer, seats), *_good(answer)]
    parts += [Text(), *_who_should_lose(answer, seats)]
    if answer.line:
        safe = answer.players[answer.seat - 1].safe
        how = "safe play against the sharpest defence" if safe else "the others do it so"
        parts += [Text(), Text(f"{_capital(seats.one(answer.seat))}, {how}:")]
        parts.append(_line(position, answer.line, seats, "points"))
    took = _effort(True, answer.nodes, answer.seconds)
    if not answer.complete:
        stopped = "Stopped before everything was decided."
        took.insert(0, Text(stopped, style="bold yellow"))
    return Group(*parts, Text(), *took)


def verdict(answer: Verdict) -> RenderableType:
    """The answer of `check`: legal or not, the first renuncio with its duty, or the totals."""
    seats = _Seats(answer.deal)
    if answer.refusal is not None:
        return Group(*_title(answer.deal), *_renuncio(answer, seats))
    position = answer.position
    bazas = sum(position.tricks) - sum(answer.deal.tricks)
    what = "deal" if not answer.deal.played else f"record: {_count(bazas, 'baza')} complete"
    parts = [*_title(answer.deal), Text.assemble(("Legal", "bold green"), f" {what}.")]
    if position.over:
        parts.append(Text(f"The hand is over. {_capital(_score(answer, seats))}."))
        if answer.losers is not None:
            lost = seats.several(answer.losers)
            verb = "loses" if len(answer.losers) == 1 else "lose"
            parts.append(Text(f"{_capital(lost)} {verb}." if lost else "Nobody loses."))
    elif answer.deal.played:
        parts.append(Text(f"So far: {_score(answer, seats)}."))
        parts.append(Text(f"To play: {seats.one(position.turn + 1)}, baza {answer.trick}."))
    if answer.result_agrees is not None:
        written = " ".join(str(total) for total in answer.deal.result or ())
        agrees = "agrees" if answer.result_agrees else "does not agree"
        style = "" if answer.result_agrees else "bold red"
        parts.append(Text(f"The result written down, {written}, {agrees}.", style=style))
    return Group(*parts)


# -------------------------------------------------------------------- seats and cards


class _Seats:
    """What the players are called: by name where the deal has names, else by seat."""

    def __init__(self, deal: Deal) -> None:
        self._names = [_clean(name).strip() for name in deal.names] or [""] * deal.players

    def one(self, seat: int) -> str:
        """The player in a sentence."""
        return self._names[seat - 1] or f"seat {seat}"

    def several(self, seats: Sequence[int]) -> str:
        """Several players in a sentence."""
        if len(seats) > 1 and not any(self._names[seat - 1] for seat in seats):
            return f"seats {_list([str(seat) for seat in seats])}"
        return _list([self.one(seat) for seat in seats])

    def head(self, seat: int) -> str:
        """The player at the head of a column."""
        return f"{seat} {self._names[seat - 1]}".strip()


def _card(card: str) -> Text:
    return Text(card, style=_COLOURS[card[-1]])


def _cards(cards: Iterable[Card]) -> Text:
    return Text(" ").join(_card(card) for card in cards)


def _move(move: Move | str, trump: str | None) -> Text:
    """A move in words: a card, `20 copas`, `7c put away`."""
    if isinstance(move, Card):
        return _card(move)
    if move.startswith("-"):
        return _card(move[1:]) + Text(" put away")
    if move in _CALLS:
        return Text(_CALLS[move])
    suit = move[3:] or trump
    return Text(f"{move[1:3]} {_suit_name(suit)}", style=_COLOURS.get(suit or "", ""))


def _suit_name(suit: str | None) -> str:
    return SUIT_NAMES.get(suit or "", "none")


# -------------------------------------------------------------------- the deal and the position


def _title(deal: Deal) -> list[Text]:
    return [Text(_clean(deal.title), style="bold")] if deal.title.strip() else []


def _heading(deal: Deal, game: Game) -> Group:
    seats = _Seats(deal)
    facts = [deal.variant.title]
    trump = _suit_name(game.trump)
    facts.append("no triunfo" if game.trump is None else f"triunfo {trump}")
    facts.append(f"{seats.one(game.first + 1)} leads")
    if game.declarer is not None:
        facts.append(f"{seats.one(game.declarer + 1)} declares")
    if game.contract is not None:
        facts.append(game.contract)
    if game.bid is not None:
        facts.append(f"bid {game.bid}")
    return Group(*_title(deal), Text(", ".join(facts), style="bold"))


def _position(position: Position, seats: _Seats) -> list[RenderableType]:
    """The hands, what lies on the table, and what has been made so far."""
    game = position.game
    parts: list[RenderableType] = [_hands(position.hands, position.trump, seats)]
    if position.stock:
        parts.append(Text("Stock: ") + _cards(position.stock) + Text(" (turned up)"))
    if position.to_discard and game.widow is not None:
        parts.append(Text("The 40th card: ") + _card(game.widow))
    if position.trick:
        table = Text(", ").join(
            Text(f"{seats.one(place + 1)} ") + _card(card) for place, card in on_table(position)
        )
        parts.append(Text(f"Baza {sum(position.tricks) + 1}, on the table: ") + table)
    if any(position.points) or any(position.tricks):
        sides = [f"{seats.several(side)}: {_sum(position.points, side)}" for side in _sides(game)]
        declared = [_suit_name(suit) for suit in SUITS if suit in position.declared]
        made = f"Points so far: {', '.join(sides)}"
        parts.append(Text(made + (f"; cantes of {', '.join(declared)}" if declared else "") + "."))
    return parts


def _hands(hands: Sequence[Sequence[Card]], trump: str | None, seats: _Seats) -> Columns:
    """A column for each seat and a row for each suit, the trump suit marked."""
    grid = _columns("")
    for place in range(len(hands)):
        grid.add_column(seats.head(place + 1))
    for suit in SUITS:
        style = _COLOURS[suit] + (" bold" if suit == trump else "")
        row = [Text(SUIT_NAMES[suit], style=style)]
        for hand in hands:
            ranks = " ".join(card.rank for card in hand if card.suit == suit)
            row.append(Text(ranks or "-", style=style if ranks else "dim"))
        grid.add_row(*row)
    return grid


# -------------------------------------------------------------------- values


def _best_play(answer: Solution, seats: _Seats) -> Text:
    """The value of the position in a sentence."""
    low, high = answer.lower, answer.upper
    who = _capital(seats.several(answer.side))
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
    return Text(f"{_capital(_makes(answer.side, seats))} {amount}{beside}.", style="bold")


def _makes(side: Sequence[int], seats: _Seats) -> str:
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


def _values(answer: Solution, seats: _Seats) -> Columns:
    """Each card with its value, what it costs the seat to move, and what becomes of the bid."""
    bid = answer.contract.bid if answer.contract and _counts_for_bid(answer) else None
    grid = _columns(f"{_capital(seats.one(answer.position.turn + 1))} plays")
    grid.add_column("value", justify="right")
    grid.add_column("costs", justify="right")
    if bid is not None:
        grid.add_column(f"bid {bid}")
    for move in answer.cards:
        best = move.card in answer.best
        row = [
            _move(move.card, answer.position.trump),
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


def _safe_seats(answer: Safety, seats: _Seats) -> Group:
    """Each seat against all the others together."""
    individual = answer.position.game.variant.winning == "most"
    grid = _columns("to win" if individual else "not to lose")
    for name in ("against all the others", "aiming", "points it is sure of"):
        grid.add_column(name)
    for player in answer.players:
        aims = [name for name, sure in (("high", player.high), ("low", player.low)) if sure]
        grid.add_row(
            _capital(seats.one(player.seat)), _safe(player), " or ".join(aims), _sure_points(player)
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


def _risks(answer: Safety, seats: _Seats) -> Columns:
    """Each card with its safety and the risk of its seat after it."""
    grid = _columns(f"{_capital(seats.one(answer.position.turn + 1))} plays")
    grid.add_column("against all the others")
    grid.add_column("risk" if answer.risk_exact else "risk, estimated", justify="right")
    for move in answer.cards:
        row = [_move(move.card, answer.position.trump), _safe(move), _risk(move, answer)]
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
    cards = Text(" ").join(_move(move, answer.position.trump) for move in answer.good)
    return [Text("As good as any when everyone looks after himself: ") + cards]


def _who_should_lose(answer: Safety, seats: _Seats) -> list[RenderableType]:
    """Each seat's risk, and the sets of losers of the equilibria where they are known."""
    individual = answer.position.game.variant.winning == "most"
    what = "not to win" if individual else "to lose"
    about = "Everyone looks after himself: the chance " + what
    parts: list[RenderableType] = [
        Text(f"{about}{':' if answer.risk_exact else ', an estimate:'}"),
        Text("  ").join(
            Text(f"{_capital(seats.one(player.seat))} ") + _risk(player, answer)
            for player in answer.players
        ),
    ]
    if answer.losers is not None:
        sets = [seats.several(lost) or "nobody" for lost in answer.losers]
        parts.append(Text(f"Losers that an equilibrium may reach: {'; '.join(sets)}."))
    return parts


# -------------------------------------------------------------------- a line of play


def _line(
    position: Position, line: Sequence[Move], seats: _Seats, objective: Objective
) -> RenderableType:
    """Best play trick by trick: who leads, the cards with the winning one in brackets, totals."""
    game = position.game
    sides = _sides(game)
    counting = "bazas" if objective == "tricks" else "points"
    grid = _columns("baza")
    for name in ("leads", "cards", "wins"):
        grid.add_column(name)
    grid.add_column("points", justify="right")
    grid.add_column("cantes")
    for side in sides:
        grid.add_column(_side(side), justify="right")
    for baza in gather(position, line):
        totals = baza.tricks if objective == "tricks" else baza.totals
        grid.add_row(
            "" if baza.number is None else str(baza.number),
            seats.head(baza.cards[0][0] + 1) if baza.cards else "",
            _played(baza),
            "" if baza.winner is None else seats.head(baza.winner + 1),
            "" if baza.winner is None else str(baza.points),
            _events(baza.events),
            *(str(_sum(totals, side)) for side in sides),
        )
    note = Text(f"The winning card is in brackets; on the right, {counting} so far.", style="dim")
    return Group(grid, note)


def _played(baza: Baza) -> Text:
    shown = Text()
    for place, card in baza.cards:
        if place == baza.winner:
            shown += Text("[") + Text(card, style=f"bold {_COLOURS[card.suit]}") + Text("] ")
        else:
            shown += Text(" ") + _card(card) + Text("  ")
    return shown


def _events(events: Sequence[Event]) -> Text:
    return Text(", ").join(
        _move(event.move, None) + Text(f" (seat {event.place + 1})") for event in events
    )


# -------------------------------------------------------------------- checks


def _renuncio(answer: Verdict, seats: _Seats) -> list[RenderableType]:
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
        parts.append(Text(f"A renuncio. {_capital(_DUTIES[refusal.duty])}."))
    else:
        parts.append(Text(f"{_capital(refusal.reason)}."))
    table = Text(", ").join(
        Text(f"{seats.one(place + 1)} ") + _card(card) for place, card in on_table(position)
    )
    if table:
        parts.append(Text("On the table: ") + table)
    if not position.over:
        hand = position.hands[refusal.seat - 1]
        parts.append(Text(f"{_capital(seats.one(refusal.seat))} holds: ") + _cards(hand))
    if refusal.legal:
        allowed = Text(" ").join(_move(move, position.trump) for move in refusal.legal)
        parts.append(Text("Allowed: ") + allowed)
    return parts


def _score(answer: Verdict, seats: _Seats) -> str:
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


# -------------------------------------------------------------------- small things


def _effort(exact: bool, nodes: int, seconds: float) -> list[Text]:
    took = Text(f"{nodes:,} positions in {seconds:.2f} s", style="dim")
    if exact:
        return [took]
    stopped = "Stopped before the proof was complete: these are proven bounds."
    return [Text(stopped, style="bold yellow"), took]


def _columns(first: str) -> Columns:
    grid = Columns(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column(first)
    return grid


def _sides(game: Game) -> list[tuple[int, ...]]:
    """The seats of each side, the side of seat 1 first."""
    sides = dict.fromkeys(game.side(place) for place in range(game.players))
    return [tuple(place + 1 for place in side) for side in sides]


def _side(seats: Sequence[int]) -> str:
    """A side at the head of a column."""
    return "+".join(str(seat) for seat in seats)


def _sum(numbers: Sequence[int], seats: Sequence[int]) -> int:
    return sum(numbers[seat - 1] for seat in seats)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _list(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _clean(text: str) -> str:
    """Text from a file on one line, without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
