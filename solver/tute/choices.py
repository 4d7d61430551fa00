"""What a player decided at one moment: a move, or first whether to declare.

Where a declaration or an exchange is open, leading a card declines it: that is a choice of its own,
made before the choice among the cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tute.notation import Declaration, Move
from tute.results import MoveValue, Solution


@dataclass(frozen=True)
class Choice:
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


def choices(solution: Solution, move: Move) -> tuple[Choice, ...]:
    """What a move decided: where declarations were open, a card first passes them by."""
    calls = [answer for answer in solution.cards if isinstance(answer.card, Declaration)]
    whole = _options(solution.cards)
    if not calls or isinstance(move, Declaration):
        return (Choice(move, solution.value, whole),)
    cards = _options(answer for answer in solution.cards if answer not in calls)
    led = cards[0][1] if all(value is not None for _, value in cards) else None
    passing = (*_options(calls), (None, led))
    return Choice(None, solution.value, passing), Choice(move, led, cards)


def _options(answers: Iterable[MoveValue]) -> tuple[tuple[Move | None, int | None], ...]:
    return tuple((answer.card, answer.value) for answer in answers)
