"""The errors of the library: one family, so that a caller can catch all of them at once."""

from __future__ import annotations

from collections.abc import Sequence

from tute.language import say


class TuteError(ValueError):
    """Base of every error this library raises for wrong input."""


class CardError(TuteError):
    """A text that is no card, hand, declaration or suit."""


class RulesError(TuteError):
    """An unknown variant or switch, or a value that a switch does not have."""


class DealError(TuteError):
    """A deal that cannot be: the message names the field, the seat and the card."""


class QuestionError(TuteError):
    """A question that this game does not have, or that another command answers."""


class IllegalPlayError(TuteError):
    """A card or declaration that the rules forbid.

    Attributes:
        move: what was played, as written.
        seat: who played it, from 1.
        reason: why not, in words.
        duty: the duty that it breaks (`asistir`, `montar`, `fallar`, `pisar`, `no_cargar`,
            `obligada`), or None where no duty is at stake (a card not held, no such declaration).
        legal: the moves that were allowed.
        index: which token of the record it was, from 0, or None outside a record.
    """

    def __init__(
        self,
        *,
        move: str,
        seat: int,
        reason: str,
        duty: str | None,
        legal: Sequence[str],
        index: int | None = None,
    ) -> None:
        message = say("seat {seat} may not play {move}: {reason}")
        message = message.format(seat=seat, move=move, reason=reason)
        if legal:
            allowed = " ".join(legal)
            message = say("{message}; allowed: {moves}").format(message=message, moves=allowed)
        if index is not None:
            in_record = say("played: token {number}: {message}")
            message = in_record.format(number=index + 1, message=message)
        super().__init__(message)
        self.move = move
        self.seat = seat
        self.reason = reason
        self.duty = duty
        self.legal = tuple(legal)
        self.index = index

    def at(self, index: int) -> IllegalPlayError:
        """The same error as that of a token of a record, counted from 0."""
        return IllegalPlayError(
            move=self.move,
            seat=self.seat,
            reason=self.reason,
            duty=self.duty,
            legal=self.legal,
            index=index,
        )
