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
    MoveSafety,
    MoveValue,
    Progress,
    Safety,
    SafetyStep,
    SeatSafety,
    Solution,
    Table,
)
from tute.rules import Rules
from tute.safety import safe, safety_history
from tute.solve import contract, solve, solve_many
from tute.solver import Solver
from tute.table import table

__all__ = [
    "Card",
    "CardError",
    "ContractResult",
    "Deal",
    "DealError",
    "Deck",
    "Explanation",
    "IllegalPlayError",
    "MoveSafety",
    "MoveValue",
    "Position",
    "Progress",
    "QuestionError",
    "Rules",
    "RulesError",
    "Safety",
    "SafetyStep",
    "SeatSafety",
    "Solution",
    "Solver",
    "Table",
    "TuteError",
    "contract",
    "explain",
    "safe",
    "safety_history",
    "solve",
    "solve_many",
    "table",
]
