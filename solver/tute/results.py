"""What an analysis answers: frozen values, without a word about how they are found or shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tute.deal import Deal
from tute.duties import Duty
from tute.notation import Move
from tute.position import Position
from tute.variants import Objective


@dataclass(frozen=True, slots=True)
class MoveValue:
    """One legal move with the proven bounds of the value after it.

    Attributes:
        card: the card, declaration or discard.
        lower: a value that the asked side is sure to reach.
        upper: a value that the asked side cannot exceed.
    """

    card: Move
    lower: int
    upper: int

    @property
    def value(self) -> int | None:
        """The exact value, or None where the bounds have not met."""
        return self.lower if self.lower == self.upper else None


@dataclass(frozen=True, slots=True)
class ContractAnswer:
    """Whether a bid is made.

    Attributes:
        bid: the points promised, or None where the deal names none.
        made: yes or no, or None where there is no bid or a limit came before the proof.
        highest_bid: the highest bid of the auction's steps that is made, or None.
    """

    bid: int | None
    made: bool | None
    highest_bid: int | None


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer of `solve`.

    Attributes:
        position: the position that was solved.
        objective: what the values count.
        seat: the seat asked for.
        side: the seats that share the value.
        lower, upper: proven bounds of the value; equal when it is exact.
        cards: every legal move of the seat to move, best for that seat first; empty at the end.
        line: best play to the end of the hand; empty where a limit came first.
        contract: whether the bid is made; None in games without bids, and for other objectives
            or sides.
        nodes: positions searched.
        seconds: time taken.
    """

    position: Position
    objective: Objective
    seat: int
    side: tuple[int, ...]
    lower: int
    upper: int
    cards: tuple[MoveValue, ...]
    line: tuple[Move, ...]
    contract: ContractAnswer | None
    nodes: int
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether the value is proven."""
        return self.lower == self.upper

    @property
    def complete(self) -> bool:
        """Whether the value and every move's are proven, and the line is there."""
        cards = all(answer.value is not None for answer in self.cards)
        return self.exact and cards and bool(self.line or self.position.over)

    @property
    def value(self) -> int | None:
        """The exact value, or None where the bounds have not met."""
        return self.lower if self.lower == self.upper else None

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that keep the value, in the order of `cards`; empty where it is not proven."""
        value = self.value
        return () if value is None else tuple(m.card for m in self.cards if m.value == value)


@dataclass(frozen=True, slots=True)
class Moment:
    """One move of a hand, with what every other would have been worth.

    Attributes:
        index: the token of the record, from 0; None for a declaration that `auto` made, and in a
            line that nobody has played.
        move: what was played, or declared.
        solution: the position before it, with the value and every move's, best first.
        lines: best play after each of `solution.cards`, in their order, from that move on; each
            empty where it was not looked for, or a limit came first.
    """

    index: int | None
    move: Move
    solution: Solution
    lines: tuple[tuple[Move, ...], ...]

    @property
    def position(self) -> Position:
        """The position before the move."""
        return self.solution.position

    @property
    def seat(self) -> int:
        """The seat that moves."""
        return self.position.turn + 1

    @property
    def played(self) -> MoveValue:
        """The move that was made, with its value."""
        return next(answer for answer in self.solution.cards if answer.card == self.move)

    @property
    def cost(self) -> int | None:
        """What the move cost its own side, at least 0; None where a limit came first."""
        before, after = self.solution.value, self.played.value
        return None if before is None or after is None else abs(before - after)

    @property
    def line(self) -> tuple[Move, ...]:
        """Best play from the move that was made on; empty where it was not looked for."""
        lines = dict(zip((a.card for a in self.solution.cards), self.lines, strict=True))
        return lines[self.move]


@dataclass(frozen=True, slots=True)
class Walk:
    """A hand, or a part of one, move by move; each moment's position follows from the one before.

    Attributes:
        deal: what was walked through.
        objective: what the values count.
        seat: the seat whose values they are.
        side: the seats that share them.
        moments: the moves, in order.
        end: the position after the last of them.
        nodes: positions searched.
        seconds: time taken.
    """

    deal: Deal
    objective: Objective
    seat: int
    side: tuple[int, ...]
    moments: tuple[Moment, ...]
    end: Position
    nodes: int
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether every value is proven."""
        return all(
            answer.value is not None for moment in self.moments for answer in moment.solution.cards
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """What a search of a position's value has come to so far.

    Attributes:
        lower, upper: proven bounds of the value for the side asked for; they never widen.
        estimate: what the value may be, not proven; None where no estimate was made.
        nodes: positions searched.
        seconds: time taken.
    """

    lower: int
    upper: int
    estimate: int | None
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class TableRow:
    """One cell of a table: a declarer (or side) and a trump.

    Attributes:
        declarer: the declarer's seat; in pairs the first seat of the side.
        trump: `o c e b`, or None for no trumps.
        lower, upper: proven bounds of the points that the declaring side makes.
        highest_bid: the highest bid that is made, or None.
    """

    declarer: int
    trump: str | None
    lower: int
    upper: int
    highest_bid: int | None

    @property
    def value(self) -> int | None:
        """The exact points, or None where the bounds have not met."""
        return self.lower if self.lower == self.upper else None


@dataclass(frozen=True, slots=True)
class Table:
    """The answer of `table`: every declarer × every trump, the rows declarer by declarer."""

    rows: tuple[TableRow, ...]
    nodes: int
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether every row is proven."""
        return all(row.value is not None for row in self.rows)


@dataclass(frozen=True, slots=True)
class ContractResult:
    """The answer of `contract`.

    Attributes:
        position: the position asked about.
        seat: the declarer's seat.
        side: the seats of his side.
        bid: the points promised.
        lower, upper: proven bounds of the points that his side makes.
        made: whether the bid is made; None where a limit came before the proof.
        highest_bid: the highest bid that is made, or None.
        line: play that makes the contract, or breaks it.
        nodes: positions searched.
        seconds: time taken.
    """

    position: Position
    seat: int
    side: tuple[int, ...]
    bid: int
    lower: int
    upper: int
    made: bool | None
    highest_bid: int | None
    line: tuple[Move, ...]
    nodes: int
    seconds: float

    @property
    def value(self) -> int | None:
        """The exact points, or None where the bounds have not met."""
        return self.lower if self.lower == self.upper else None

    @property
    def complete(self) -> bool:
        """Whether the points are proven, and the line is there."""
        return self.value is not None and bool(self.line or self.position.over)

    @property
    def margin(self) -> int | None:
        """By how many points the bid is made (or, negative, missed); None where not exact."""
        return None if self.value is None else self.value - self.bid


Band = Literal["low", "medium", "high"]
Credible = int | Literal["all"] | None

# Risks below the first are low, from the second on high.
LOW, HIGH = 0.2, 0.5
# Cards whose risk is so little above the least are as good as any.
NEAR = 0.05


@dataclass(frozen=True, slots=True)
class Risk:
    """A chance to lose.

    Attributes:
        chance: from 0 to 1.
        error: half the width of the 95% interval of the estimate; 0.0 where it is exact. How much
            the searches differ is in it, not what all of them miss.
    """

    chance: float
    error: float

    @property
    def band(self) -> Band:
        """Low, medium or high: below 20%, below 50%, the rest."""
        return "low" if self.chance < LOW else "medium" if self.chance < HIGH else "high"


def as_good_as_any(moves: Iterable[tuple[Move, Risk | None]]) -> tuple[Move, ...]:
    """The moves whose risk is within 5 points of the least; those not known are left out."""
    risks = [(move, risk.chance) for move, risk in moves if risk is not None]
    least = min((chance for _, chance in risks), default=0.0)
    return tuple(move for move, chance in risks if chance <= least + NEAR)


@dataclass(frozen=True, slots=True)
class SeatSafety:
    """What a seat can be sure of against all the others together, and what threatens it.

    In tute-individual to lose is not to win the hand. What a limit left undecided is None.

    Attributes:
        seat: from 1.
        safe: whether it can be sure not to lose.
        high: whether it can, by aiming from the start to have more points than everyone else.
        low: likewise fewer; in cabrero also by taking no trick.
        max_points: the most points that it can be sure to have at the end, or more.
        min_points: the fewest points that it can be sure to have, or fewer.
        risk: its chance to lose when everyone looks after himself.
        credible: how many plays that harm the one who makes them it takes to make it lose; "all"
            if no number does, None too where the position is too large to tell.
    """

    seat: int
    safe: bool | None
    high: bool | None
    low: bool | None
    max_points: int | None
    min_points: int | None
    risk: Risk | None
    credible: Credible


@dataclass(frozen=True, slots=True)
class MoveSafety:
    """One legal move of the seat to move; the other attributes are its seat's, after the move."""

    card: Move
    safe: bool | None
    risk: Risk | None
    credible: Credible


@dataclass(frozen=True, slots=True)
class Safety:
    """The answer of `safe`.

    Attributes:
        position: the position asked about.
        seat: the seat that the line is about.
        players: every seat, in order.
        cards: every legal move of the seat to move, the safe ones first; empty at the end.
        losers: every set of losing seats that some subgame-perfect equilibrium reaches when nobody
            cares about anything but not losing; None where the position is too large to tell.
        risk_exact: whether every risk is exact, not estimated.
        line: play to the end of the hand: the seat's safe play against the sharpest defence, or how
            the others make it lose. Empty where a limit came first.
        nodes: positions searched.
        seconds: time taken.
    """

    position: Position
    seat: int
    players: tuple[SeatSafety, ...]
    cards: tuple[MoveSafety, ...]
    losers: tuple[tuple[int, ...], ...] | None
    risk_exact: bool
    line: tuple[Move, ...]
    nodes: int
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether no limit left anything open."""
        known = [
            value
            for player in self.players
            for value in (
                player.safe,
                player.high,
                player.low,
                player.max_points,
                player.min_points,
                player.risk,
            )
        ]
        known += [value for move in self.cards for value in (move.safe, move.risk)]
        return None not in known and bool(self.line or self.position.over)

    @property
    def good(self) -> tuple[Move, ...]:
        """The moves about as little at risk as any; empty where the risks are not known."""
        return as_good_as_any((move.card, move.risk) for move in self.cards)

    @property
    def safe_cards(self) -> tuple[Move, ...]:
        """The moves after which the seat to move can still be sure not to lose."""
        return tuple(move.card for move in self.cards if move.safe)


@dataclass(frozen=True, slots=True)
class SafetyStep:
    """A moment of a record: who could be sure not to lose, and the move that was made then.

    Attributes:
        index: the token of the record, from 0.
        seat: the seat that moved.
        card: its move.
        before: for each seat, whether it was safe before the move; None where a limit came first.
        after: likewise after it.
    """

    index: int
    seat: int
    card: Move
    before: tuple[bool | None, ...]
    after: tuple[bool | None, ...]

    @property
    def lost(self) -> tuple[int, ...]:
        """The seats that lost their safety with this move."""
        return self._changed(True, False)

    @property
    def gained(self) -> tuple[int, ...]:
        """The seats that were given safety by this move, or earned it."""
        return self._changed(False, True)

    def _changed(self, before: bool, after: bool) -> tuple[int, ...]:
        pairs = zip(self.before, self.after, strict=True)
        return tuple(place + 1 for place, pair in enumerate(pairs) if pair == (before, after))


@dataclass(frozen=True, slots=True)
class Tempting:
    """The move that one would think of although it is not as good, and what punishes it.

    Attributes:
        card: the move.
        value: the value after it, for the side asked for.
        cost: what it costs the side of the seat that moves, more than 0.
        refutation: best play from it on, itself first, as far as the loss shows.
        reply: the first move of the other side in that line; None where the loss shows before it.
        replier: the seat that makes it.
    """

    card: Move
    value: int
    cost: int
    refutation: tuple[Move, ...]
    reply: Move | None
    replier: int | None


Forced = Duty | Literal["only card"]


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a line that is taught.

    Attributes:
        moment: the move, the position before it, every move's value and best play after each.
        equal: the other moves with the same value.
        forced: why no other move was legal; None where there was a choice, or a declaration.
        duty: the duty that shut out cards of the hand, or None.
        does: the names of its motifs (`tute.motifs`).
        tempting: None where no legal move is worse.
    """

    moment: Moment
    equal: tuple[Move, ...]
    forced: Forced | None
    duty: Duty | None
    does: tuple[str, ...]
    tempting: Tempting | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The answer of `explain`.

    Attributes:
        solution: the position asked about, with its value and every move's; without a line.
        walk: the line move by move, as far as a limit let it be found.
        steps: what each move of it does.
        losing: whether the values say whether the seat asked for loses (-1) or not (1).
    """

    solution: Solution
    walk: Walk
    steps: tuple[Step, ...]
    losing: bool

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves that are taught."""
        return tuple(step.moment.move for step in self.steps)

    @property
    def key(self) -> Step | None:
        """The first step at which something worse was legal, if there is one."""
        return next((step for step in self.steps if step.tempting is not None), None)

    @property
    def complete(self) -> bool:
        """Whether the line reaches the end of the hand."""
        return self.walk.end.over
