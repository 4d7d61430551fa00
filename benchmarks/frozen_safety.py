"""The frozen corpus of games in which each plays alone: make it from fixed seeds, or check it.

    python benchmarks/frozen_safety.py --check

A file for each game and number of players, and for each kind of deal: `full`, whole deals with
every seat's safety; `ending`, the last cards of random play with all that a seat can be sure of.
Without `--check` the files are written anew; the same deals come out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
from frozen import CORPUS

from tute import Deal
from tute.dealing import random_deal
from tute.files import deal_fields, deal_from_fields
from tute.notation import Declaration
from tute.safety import Aim, Prover

GAMES = (
    ("cabron", 3),
    ("cabron", 4),
    ("cabrero", 3),
    ("cabrero", 4),
    ("cabrero", 5),
    ("tute-individual", 3),
    ("tute-individual", 4),
)
KINDS = ("full", "ending")
COUNTS = {"full": 10, "ending": 100}
ENDING_CARDS = {3: 7, 4: 6, 5: 5}

Answers = dict[str, list[bool | int | None]]


@dataclass(frozen=True)
class FrozenSafety:
    """A deal and what its seats can be sure of, by seat: `safe`; in endings the rest too."""

    deal: Deal
    answers: Answers

    @property
    def line(self) -> bytes:
        """The line of the file."""
        return msgspec.json.encode({"deal": deal_fields(self.deal), **self.answers}) + b"\n"


def path(game: str, players: int, kind: str) -> Path:
    """The file of a game and a kind of deal."""
    return CORPUS / f"{game}-{players}-safe-{kind}.jsonl"


def read(game: str, players: int, kind: str, count: int | None = None) -> list[FrozenSafety]:
    """The first so many deals of a file, or all."""
    return list(islice(_lines(path(game, players, kind)), count))


def _lines(file: Path) -> Iterator[FrozenSafety]:
    for line in file.read_bytes().splitlines():
        fields = msgspec.json.decode(line)
        yield FrozenSafety(deal_from_fields(fields.pop("deal")), fields)


def safe_seats(deal: Deal, memory: int = 64) -> tuple[list[bool | None], int]:
    """Whether each seat is safe, and the positions searched, with a new table for each."""
    position, nodes = deal.position(), 0
    found = []
    for place in range(deal.players):
        prover = Prover(memory)
        found.append(prover.sure(position, place))
        nodes += prover.nodes
    return found, nodes


def answers(deal: Deal, kind: str) -> Answers:
    """All that a deal of that kind is frozen with."""
    safe, _ = safe_seats(deal)
    found: Answers = {"safe": [*safe]}
    if kind == "full":
        return found
    position, places, prover = deal.position(), range(deal.players), Prover(16)
    found["high"] = [prover.sure(position, place, Aim.HIGH) for place in places]
    found["low"] = [prover.sure(position, place, Aim.LOW) for place in places]
    found["max_points"] = [prover.points(position, place, Aim.MORE) for place in places]
    found["min_points"] = [prover.points(position, place, Aim.NOT_MORE) for place in places]
    return found


def deals(game: str, players: int, kind: str) -> Iterator[Deal]:
    """Random deals, without end, always the same ones."""
    number = 0
    while True:
        number += 1
        name = f"{game}-{players}-{kind}-{number}"
        rng = Random(name)
        deal = random_deal(game, rng, players=players, id=name)
        yield deal if kind == "full" else _ending(deal, rng)


def _ending(deal: Deal, rng: Random) -> Deal:
    """What random play leaves, with the points, tricks and trumps that it made."""
    position = deal.start()
    while len(position.hands[0]) > ENDING_CARDS[deal.players] or position.trick:
        legal = position.legal()
        calls = [move for move in legal if isinstance(move, Declaration)]
        position = position.play(rng.choice(calls or legal))
    return deal.replace(
        hands=position.settled().hands,
        trump="none" if position.trump is None else position.trump,
        leader=position.turn + 1,
        points=position.points,
        tricks=position.tricks,
        declared="".join(position.declared),
    )


def main() -> None:
    """Write or check the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="check the files as they are")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--first", type=int, help="check the first so many of each file only")
    options = parser.parse_args()
    checked, refuted = 0, []
    for game, players in GAMES:
        for kind in options.kind or KINDS:
            if not options.check:
                dealt = islice(deals(game, players, kind), COUNTS[kind])
                frozen = (FrozenSafety(deal, answers(deal, kind)) for deal in dealt)
                path(game, players, kind).write_bytes(b"".join(each.line for each in frozen))
                continue
            for each in read(game, players, kind, options.first):
                checked += 1
                if answers(each.deal, kind) != each.answers:
                    refuted.append(each.deal.id)
    for name in refuted:
        print(f"{name}: the answer differs")
    if options.check:
        print(f"{checked} answers checked, {len(refuted)} differ")
    sys.exit(1 if refuted else 0)


if __name__ == "__main__":
    main()
