"""Double-dummy analysis of the tute family of card games."""

from tute.cards import Card, Deck
from tute.deal import Deal
from tute.errors import (
    CardError,
    DealError,
    IllegalPlayError,
    QuestionError,
    RulesError,
    TuteError,
)
from tute.position import Position
from tute.rules import Rules

__all__ = [
    "Card",
    "CardError",
    "Deal",
    "DealError",
    "Deck",
    "IllegalPlayError",
    "Position",
    "QuestionError",
    "Rules",
    "RulesError",
    "TuteError",
]
