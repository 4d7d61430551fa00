"""The frozen corpus: deals with their answers, a JSON Lines file for each game and kind.

A line has the deal in the project's own format, the objective, and the answer: the value and,
where all moves were solved, that of each:

    {"deal": {...}, "objective": "points", "value": 87, "cards": {"Ao": 87, ...}}

`make_corpus.py` writes and checks the files; everything else only reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import msgspec

from tute import Deal, Solution
from tute.files import deal_fields, deal_from_fields

CORPUS = Path(__file__).parent / "corpus"
GAMES = (
    "tute",
    "tute-individual",
    "subastado",
    "subastado-parejas",
    "cuatrola",
    "guinote",
    "butifarra",
    "habanero",
)
# Whole deals; positions with about half of the cards played; 3 to 5 cards left; whole deals that
# took the most nodes among some hundreds.
KINDS = ("full", "middle", "ending", "hard")
# Positions with cards to draw, in the games that have a stock.
WITH_STOCK = ("habanero", "guinote")
STOCK = "stock"


@dataclass(frozen=True)
class Frozen:
    """A deal and its answer.

    Attributes:
        deal: the deal, with an `id`.
        objective: what the values count.
        value: the exact value.
        cards: the value of every legal move, as written; empty where only the value is frozen.
    """

    deal: Deal
    objective: str
    value: int
    cards: dict[str, int]

    @property
    def line(self) -> bytes:
        """The line of the file."""
        fields = {
            "deal": deal_fields(self.deal),
            "objective": self.objective,
            "value": self.value,
            **({"cards": self.cards} if self.cards else {}),
        }
        return msgspec.json.encode(fields) + b"\n"

    def agrees(self, solution: Solution) -> bool:
        """Whether a solution, or the bounds that it got to, can be true if this answer is."""
        bounds = {str(move.card): (move.lower, move.upper) for move in solution.cards}
        if self.cards and solution.cards and bounds.keys() != self.cards.keys():
            return False
        return solution.lower <= self.value <= solution.upper and all(
            bounds[card][0] <= value <= bounds[card][1]
            for card, value in self.cards.items()
            if solution.cards
        )


def kinds(game: str) -> tuple[str, ...]:
    """The kinds of deal that there are of a game."""
    return (*KINDS, STOCK) if game in WITH_STOCK else KINDS


def path(game: str, kind: str) -> Path:
    """The file of a game and a kind of deal."""
    return CORPUS / f"{game}-{kind}.jsonl"


def read(game: str, kind: str, count: int | None = None) -> list[Frozen]:
    """The first so many deals of a file, or all."""
    return list(islice(_lines(path(game, kind)), count))


def write(game: str, kind: str, answers: Iterable[Frozen]) -> None:
    """Write a file."""
    path(game, kind).write_bytes(b"".join(answer.line for answer in answers))


def _lines(file: Path) -> Iterator[Frozen]:
    for line in file.read_bytes().splitlines():
        fields = msgspec.json.decode(line)
        deal = deal_from_fields(fields["deal"])
        yield Frozen(deal, fields["objective"], fields["value"], fields.get("cards", {}))
