"""What an analysis answers: frozen values, without a word about how they are found or shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tute.cards import Card
from tute.check import Verdict
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
    def losing(self) -> bool:
        """Whether the game is played not to lose.

        Then a value of 1 says that the seat asked for can be sure not to, and −1 that the others
        can make it.
        """
        return self.end.game.variant.winning == "not to lose"

    @property
    def complete(self) -> bool:
        """Whether every value is proven, and every line is there."""
        return all(
            answer.value is not None and line
            for moment in self.moments
            for answer, line in zip(moment.solution.cards, moment.lines, strict=True)
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


# What left a player no other move: a duty, or that there was nothing else.
Reason = Duty | Literal["only card"]

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
        position: the position before the move.
        cards: every legal move, in the order of `Position.legal`, with whether the seat that moved
            is safe after it.
    """

    index: int
    seat: int
    card: Move
    before: tuple[bool | None, ...]
    after: tuple[bool | None, ...]
    position: Position
    cards: tuple[tuple[Move, bool | None], ...]

    @property
    def complete(self) -> bool:
        """Whether no limit left anything open."""
        return None not in (*self.before, *self.after, *(safe for _, safe in self.cards))

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves after which the seat that moved is safe."""
        return tuple(move for move, safe in self.cards if safe)

    @property
    def forced(self) -> bool:
        """Whether there was no other move."""
        return len(self.cards) == 1

    @property
    def duty(self) -> Reason | None:
        """The duty that shut out other cards; "only card" where something else forced the move."""
        duty = self.position.duty()[1] if isinstance(self.card, Card) else None
        return duty or "only card" if self.forced else duty

    @property
    def lost(self) -> tuple[int, ...]:
        """The seats that lost their safety with this move."""
        return self._changed(True, False)

    @property
    def gained(self) -> tuple[int, ...]:
        """The seats that were given safety by this move, or earned it."""
        return self._changed(False, True)

    @property
    def turned(self) -> bool | None:
        """Whether some seat lost its safety or was given it; None where that is not known."""
        if self.lost or self.gained:
            return True
        return None if None in (*self.before, *self.after) else False

    def _changed(self, before: bool, after: bool) -> tuple[int, ...]:
        pairs = zip(self.before, self.after, strict=True)
        return tuple(place + 1 for place, pair in enumerate(pairs) if pair == (before, after))


# -------------------------------------------------------------------- reviews

# A gain counts as seen in the sampled deals where it exceeds so many standard errors.
STANDARD_ERRORS = 2


@dataclass(frozen=True, slots=True)
class Gain:
    """What another move gains over the one made, over deals that its player cannot tell apart.

    Attributes:
        move: the other move; None is not to declare.
        mean: the mean gain for the side of the seat that moved.
        error: the standard error of that mean.
    """

    move: Move | None
    mean: float
    error: float

    @property
    def sure(self) -> bool:
        """Whether it gains beyond chance: a mean above 0 by more than two standard errors."""
        return self.mean > 0 and self.mean > STANDARD_ERRORS * self.error


@dataclass(frozen=True, slots=True)
class Blame:
    """What a player could have known about a move that cost something.

    Attributes:
        wanted: how many deals were to be sampled.
        deals: how many were; fewer where deals consistent with the play are hard to find.
        objective: what the gains count; `win` for a move that decided a contract.
        gains: the other moves, the one with the highest mean first.
    """

    wanted: int
    deals: int
    objective: Objective
    gains: tuple[Gain, ...]

    @property
    def better(self) -> tuple[Gain, ...]:
        """The moves that gain beyond chance."""
        return tuple(gain for gain in self.gains if gain.sure)

    @property
    def blameless(self) -> bool | None:
        """Whether no other move gains beyond chance; None where deals were too few to tell."""
        return None if self.deals < self.wanted else not self.better


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of a record, or a declaration or an exchange that was passed by, and what it cost.

    Attributes:
        index: the token of the record that it is, or that it stands before, from 0.
        moment: which of the moments of the walk it belongs to, from 0.
        trick: the number of the trick, from 1.
        seat: the seat that moved.
        card: the move; None for one passed by.
        automatic: whether the program made it, under `auto`; then nobody is to blame.
        value_before, value_after: the asked side's value; None where a limit came first.
        best: the moves that keep the value, best for the one who plays; None is to pass.
        forced: whether there was no other move.
        duty: the duty that shut out other cards, if any did; where the move was forced for another
            reason, "only card".
        made_before, made_after: whether the contract is made, before and after; None without one.
        decisive: whether it decided the hand: it broke or gave back the contract; without one, it
            cost as much as any move; None where a limit came first.
        blame: what the player could have known; None where nothing was asked or a limit came first.
    """

    index: int
    moment: int
    trick: int
    seat: int
    card: Move | None
    automatic: bool
    value_before: int | None
    value_after: int | None
    best: tuple[Move | None, ...]
    forced: bool
    duty: Reason | None
    made_before: bool | None
    made_after: bool | None
    decisive: bool | None
    blame: Blame | None

    @property
    def cost(self) -> int | None:
        """What the move cost the side that made it, at least 0; None where a limit came first."""
        if self.value_before is None or self.value_after is None:
            return None
        return abs(self.value_before - self.value_after)

    @property
    def blameless(self) -> bool | None:
        """Whether the player is not to blame; None where that is not known.

        He is not if he was forced, if it cost nothing, if the program moved, or if no other move is
        better over the deals that he could not tell apart.
        """
        if self.forced or self.automatic:
            return True
        if self.cost == 0 and self.made_before == self.made_after:
            return True
        return None if self.cost is None or self.blame is None else self.blame.blameless


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """How many choices a player had, and how many were good.

    Attributes:
        choices: moves that were not forced, and of which it is known how good they were.
        kept: those of them that kept what there was to keep: the value, or safety.
    """

    choices: int = 0
    kept: int = 0

    @property
    def accuracy(self) -> float | None:
        """The share of the choices that kept it, in per cent; None without a choice."""
        return 100 * self.kept / self.choices if self.choices else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally(Choices):
    """What a player's choices cost. What the program declared by itself does not count.

    Attributes:
        cost: what all moves cost together.
        decisive: decisive moves.
        blameless: moves that cost something, or decided, without blame.
        blamed: such moves that were better avoided, as far as the player could know.
    """

    cost: int = 0
    decisive: int = 0
    blameless: int = 0
    blamed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReview(Tally):
    """How one seat played.

    Attributes:
        seat: from 1.
    """

    seat: int


@dataclass(frozen=True, slots=True)
class TrumpChoice:
    """What the choice of trumps cost the side that named them, or that is asked about.

    Attributes:
        seat: the declarer, else the seat asked for; the points are those of its side.
        rows: each trump with the points that best play makes from the first card; the first of
            them is the trump that was chosen.
    """

    seat: int
    rows: tuple[TableRow, ...]

    @property
    def chosen(self) -> TableRow:
        """The trump that was chosen."""
        return self.rows[0]

    @property
    def best(self) -> tuple[TableRow, ...]:
        """The trumps that make the most; empty where a limit came first."""
        values = [row.value for row in self.rows]
        if None in values:
            return ()
        most = max(row.lower for row in self.rows)
        return tuple(row for row in self.rows if row.lower == most)

    @property
    def cost(self) -> int | None:
        """By how much the best trump makes more; None where a limit came first."""
        return self.best[0].lower - self.chosen.lower if self.best else None


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Another move at one token of a record.

    Attributes:
        index: the token of the record, from 0.
        seat: the seat that moves.
        card: the move.
        value: the asked side's value after it; None where a limit came first, and where one plays
            not to lose.
        played: the asked side's value after what was played; None likewise.
        best: the asked side's value before it; None likewise.
        safe: for each seat, whether it can be sure not to lose after the move; empty where one
            plays for points.
        line: best play after the move; empty where a limit came first.
        position: the position before the move.
        gain: what the move gains, for the side that makes it, over the one played.
    """

    index: int
    seat: int
    card: Move
    value: int | None
    played: int | None
    best: int | None
    safe: tuple[bool | None, ...]
    line: tuple[Move, ...]
    position: Position
    gain: int | None

    @property
    def cost(self) -> int | None:
        """What the move costs the side that makes it, against the best; at least 0."""
        return None if self.value is None or self.best is None else abs(self.best - self.value)


@dataclass(frozen=True, slots=True)
class Review:
    """The answer of `review` where one plays for points, tricks or to win.

    Attributes:
        walk: the moves with every other's value, and best play after each.
        moves: what was played or passed by, in order; of what `auto` declared, what cost something.
        value_dealt: the asked side's value before the record.
        value_final: its value after it: its result, if the hand is over.
        players: every seat that plays, in order.
        trump: what the trumps of the deal cost the side, against the best for it; None where there
            is no table of them (with a stock, under a contract), or something was made before.
        what_if: the other moves asked about.
        samples: how many deals each move that cost something was judged by; 0 where none was.
        seed: of those deals.
        renuncio: the first illegal move of the record, up to which the review goes; or None.
        stopped: whether a limit came first.
        seconds: time taken.
    """

    walk: Walk
    moves: tuple[ReviewedMove, ...]
    value_dealt: int | None
    value_final: int | None
    players: tuple[PlayerReview, ...]
    trump: TrumpChoice | None
    what_if: tuple[WhatIf, ...]
    samples: int
    seed: int
    renuncio: Verdict | None
    stopped: bool
    seconds: float

    @property
    def deal(self) -> Deal:
        """What was reviewed: the deal with its record up to the renuncio, if there is one."""
        return self.walk.deal

    @property
    def decisive(self) -> tuple[ReviewedMove, ...]:
        """The moves that decided the hand."""
        return tuple(move for move in self.moves if move.decisive)

    @property
    def lost(self) -> int | None:
        """What the asked side's own moves cost it; None where a limit came first."""
        return self._cost(True)

    @property
    def given(self) -> int | None:
        """What the other side's moves gave it; None where a limit came first."""
        return self._cost(False)

    def _cost(self, own: bool) -> int | None:
        costs = [m.cost for m in self.moves if (m.seat in self.walk.side) == own]
        return None if None in costs else sum(cost or 0 for cost in costs)

    @property
    def contract(self) -> bool:
        """Whether decisive is what broke or gave back a contract."""
        return any(move.made_before is not None for move in self.moves)

    @property
    def complete(self) -> bool:
        """Whether no limit came first."""
        return not self.stopped

    @property
    def legal(self) -> bool:
        """Whether the record has no renuncio."""
        return self.renuncio is None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSafety(Choices):
    """How one seat looked after its safety; it had choices while it was safe.

    Attributes:
        seat: from 1.
        lost: moves with which it lost its own safety.
        gave: how often a move of its own gave another seat safety.
        took: how often a move of its own cost another seat its safety.
    """

    seat: int
    lost: int
    gave: int
    took: int


@dataclass(frozen=True, slots=True)
class SafetyReview:
    """The answer of `review` where one plays not to lose (tute-individual with `win`: to win).

    Attributes:
        deal: what was reviewed: the deal with its record up to the renuncio, if there is one.
        steps: the moves, each with who was safe before and after it.
        players: every seat, in order.
        what_if: the other moves asked about.
        losers: the seats that lost; None before the end of the hand, and where one plays to win.
        renuncio: as in `Review`.
        seconds: time taken.
    """

    deal: Deal
    steps: tuple[SafetyStep, ...]
    players: tuple[PlayerSafety, ...]
    what_if: tuple[WhatIf, ...]
    losers: tuple[int, ...] | None
    renuncio: Verdict | None
    seconds: float

    @property
    def decisive(self) -> tuple[SafetyStep, ...]:
        """The moves with which some seat lost its safety or was given it."""
        return tuple(step for step in self.steps if step.turned)

    @property
    def complete(self) -> bool:
        """Whether no limit left anything open."""
        asked = all(None not in other.safe and other.line for other in self.what_if)
        return asked and all(step.complete for step in self.steps)

    @property
    def legal(self) -> bool:
        """Whether the record has no renuncio."""
        return self.renuncio is None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlayer(Tally):
    """One player over the hands of a match, with the sums of what is told of him in each.

    In games that one plays not to lose, `decisive` counts the moves that lost safety.

    Attributes:
        name: his name in the deals; empty where they have none.
        seat: his seat where he has no name; None for one with a name, who may change seats.
        hands: how many hands he played.
    """

    name: str
    seat: int | None
    hands: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """The answer of `review_match`: a review of each hand, and every player's sums."""

    hands: tuple[Review | SafetyReview, ...]
    players: tuple[MatchPlayer, ...]

    @property
    def complete(self) -> bool:
        """Whether no limit came first in any hand."""
        return all(hand.complete for hand in self.hands)

    @property
    def legal(self) -> bool:
        """Whether no record has a renuncio."""
        return all(hand.legal for hand in self.hands)


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
    forced: Reason | None
    duty: Duty | None
    does: tuple[str, ...]
    tempting: Tempting | None

    @property
    def turns_the_bid(self) -> bool:
        """Whether the tempting move turns made into broken, or back."""
        solution, tempting = self.moment.solution, self.tempting
        if tempting is None or solution.contract is None or solution.objective != "points":
            return False
        bid, value = solution.contract.bid, solution.value
        if bid is None or value is None:
            return False
        return (value >= bid) != (tempting.value >= bid)


@dataclass(frozen=True, slots=True)
class Explanation:
    """The answer of `explain`.

    Attributes:
        solution: the position asked about, with its value and every move's; without a line.
        walk: the line move by move, as far as a limit let it be found.
        steps: what each move of it does.
    """

    solution: Solution
    walk: Walk
    steps: tuple[Step, ...]

    @property
    def losing(self) -> bool:
        """Whether the values say who can be sure not to lose; see `Walk.losing`."""
        return self.walk.losing

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves that are taught."""
        return tuple(step.moment.move for step in self.steps)

    @property
    def bid_asked(self) -> int | None:
        """The bid, where it is for the side to move first to make it, or to break it."""
        solution = self.solution
        bid = None if solution.contract is None else solution.contract.bid
        if bid is None or solution.value is None or solution.objective != "points":
            return None
        mine = solution.position.turn + 1 in solution.side
        return bid if (solution.value >= bid) == mine else None

    def misses(self, step: Step) -> tuple[Move, ...]:
        """The moves of a step after which the bid asked for, else the value, is out of reach."""
        bid, solution = self.bid_asked, step.moment.solution
        if bid is None or solution.value is None:
            return tuple(a.card for a in solution.cards if a.card not in solution.best)
        made = solution.value >= bid
        return tuple(a.card for a in solution.cards if (a.lower >= bid) != made)

    @property
    def key(self) -> Step | None:
        """The first step of the side to move first at which something misses, if there is one."""
        mine = self.solution.position.turn + 1 in self.solution.side
        own = (s for s in self.steps if (s.moment.seat in self.solution.side) == mine)
        return next((step for step in own if self.misses(step)), None)

    @property
    def complete(self) -> bool:
        """Whether the line reaches the end of the hand."""
        return self.walk.end.over
