"""Is this a legal record? The first renuncio, or what the play came to."""

from __future__ import annotations

from dataclasses import dataclass

from tute.deal import Deal
from tute.errors import IllegalPlayError
from tute.position import Position


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of `check`.

    Attributes:
        deal: the deal that was checked.
        position: the position after the record, or the one before the first illegal move.
        refusal: why that move is illegal: its index, seat, duty and the moves allowed; or None.
    """

    deal: Deal
    position: Position
    refusal: IllegalPlayError | None

    @property
    def legal(self) -> bool:
        """Whether every move of the record was allowed."""
        return self.refusal is None

    @property
    def trick(self) -> int:
        """The number of the trick to which the position belongs, from 1."""
        return sum(self.position.tricks) + 1

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side; in a game with a declarer his side first."""
        game = self.position.game
        numbers = sorted(set(game.side_of))
        return tuple(
            tuple(place + 1 for place in range(game.players) if game.side_of[place] == number)
            for number in numbers
        )

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each side."""
        points = self.position.totals()
        return tuple(sum(points[seat - 1] for seat in side) for side in self.sides)

    @property
    def losers(self) -> tuple[int, ...] | None:
        """The seats that lose; None before the end, and where one plays for points."""
        if not self.position.over or self.position.game.variant.objectives:
            return None
        return tuple(sorted(self.position.losers()))

    @property
    def result_agrees(self) -> bool | None:
        """Whether the deal's `result` is that of the play; None before the end or without one."""
        result = self.deal.result
        if result is None or not self.legal or not self.position.over:
            return None
        return result in (self.totals, self.position.totals())


def check(deal: Deal) -> Verdict:
    """Replay a deal's record under its rules.

    Raises:
        DealError: the trump is missing.
    """
    position = deal.start()
    try:
        for _, _, before in deal.replay():
            position = before
        return Verdict(deal, deal.position(), None)
    except IllegalPlayError as refusal:
        return Verdict(deal, position, refusal)
