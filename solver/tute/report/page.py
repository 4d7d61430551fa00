"""A hand as one self-contained page: what it says is put together here, the rest is a template."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remark:
    """What a page says about one moment, in the reader's language.

    Attributes:
        sentences: one paragraph each.
        decisive: whether the moment is marked as one that decided the hand.
    """

    sentences: tuple[str, ...] = ()
    decisive: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """A question that is shown before the solution.

    Attributes:
        question: what is asked.
        hints: each says a little more than the one before.
    """

    question: str
    hints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """A table above the hand, such as what each player's cards cost.

    Attributes:
        sentences: one paragraph each.
        head: the columns' names; empty where there is no table.
        rows: the cells.
    """

    sentences: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
