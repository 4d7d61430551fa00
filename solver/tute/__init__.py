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
from tute.explain import explain
from tute.position import Position
from tute.results import (
    ContractResult,
    Explanation,
    Match,
    Moment,
    MoveSafety,
    MoveValue,
    Progress,
    Review,
    Safety,
    SafetyReview,
    SafetyStep,
    SeatSafety,
    Solution,
    Table,
    Walk,
)
from tute.review import review, review_match
from tute.rules import Rules
from tute.safety import safe, safety_history
from tute.solve import contract, solve, solve_many
from tute.solver import Solver
from tute.table import table
from tute.walk import walk

__all__ = [
    "Card",
    "CardError",
    "ContractResult",
    "Deal",
    "DealError",
    "Deck",
    "Explanation",
    "IllegalPlayError",
    "Match",
    "Moment",
    "MoveSafety",
    "MoveValue",
    "Position",
    "Progress",
    "QuestionError",
    "Review",
    "Rules",
    "RulesError",
    "Safety",
    "SafetyReview",
    "SafetyStep",
    "SeatSafety",
    "Solution",
    "Solver",
    "Table",
    "TuteError",
    "Walk",
    "contract",
    "explain",
    "review",
    "review_match",
    "safe",
    "safety_history",
    "solve",
    "solve_many",
    "table",
    "walk",
]
