"""The node signature: how many nodes the searches take for a fixed part of the corpus.

    python benchmarks/signature.py

A line for each search. It is the same on every machine. A change that should leave a search alone
leaves its number alone; one that alters it puts the new number into `SIGNATURE` (`--write`), and
says why.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import frozen_safety
from frozen import Frozen, read
from frozen_safety import FrozenSafety, safe_seats

from tute import Solver

SIGNATURE = Path(__file__).parent / "SIGNATURE"
GAMES = ("tute", "subastado")
KINDS = ("full", "middle", "ending")
STOCKS = (("habanero", "stock"), ("guinote", "stock"))
COUNT = 20
# Games of which a whole deal is in it; that of cabrero for three would outweigh all the others.
WHOLE_HANDS = [each for each in frozen_safety.GAMES if each != ("cabrero", 3)]


def nodes(answer: Frozen, solver: Solver | None = None) -> int:
    """The nodes for the value of one deal, with a new solver unless one is given."""
    solver = solver or Solver()
    solution = solver.value_bounds(answer.deal, objective=answer.objective)
    assert solution.value == answer.value, answer.deal.id
    return solution.nodes


def safety_nodes(answer: FrozenSafety) -> int:
    """The nodes for the safety of every seat of one deal."""
    safe, searched = safe_seats(answer.deal)
    assert safe == answer.answers["safe"], answer.deal.id
    return searched


def signature() -> str:
    """The sums over the first deals of each file."""
    two_sides = sum(
        nodes(answer) for game in GAMES for kind in KINDS for answer in read(game, kind, COUNT)
    )
    stock = sum(nodes(answer) for game, kind in STOCKS for answer in read(game, kind, COUNT))
    safety = sum(
        safety_nodes(answer)
        for game, players in frozen_safety.GAMES
        for kind, count in (("full", (game, players) in WHOLE_HANDS), ("ending", COUNT))
        for answer in frozen_safety.read(game, players, kind, count)
    )
    return f"two sides {two_sides}\nstock {stock}\nsafety {safety}"


def main() -> None:
    """Print the signature, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write it to the file SIGNATURE")
    options = parser.parse_args()
    total = signature()
    print(total)
    if options.write:
        SIGNATURE.write_text(f"{total}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
