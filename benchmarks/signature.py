"""The node signature: how many nodes the search takes for a fixed part of the corpus.

    python benchmarks/signature.py

It is the same on every machine. A change that should leave the search alone leaves the number
alone; one that alters it puts the new number into `SIGNATURE` (`--write`), and says why.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from frozen import Frozen, read

from tute import Solver

SIGNATURE = Path(__file__).parent / "SIGNATURE"
GAMES = ("tute", "subastado")
KINDS = ("full", "middle", "ending")
STOCKS = (("habanero", "stock"), ("guinote", "stock"))
COUNT = 20


def nodes(answer: Frozen, solver: Solver | None = None) -> int:
    """The nodes for the value of one deal, with a new solver unless one is given."""
    solver = solver or Solver()
    solution = solver.value_bounds(answer.deal, objective=answer.objective)
    assert solution.value == answer.value, answer.deal.id
    return solution.nodes


def signature() -> int:
    """The sum over the first deals of each file."""
    parts = [*((game, kind) for game in GAMES for kind in KINDS), *STOCKS]
    return sum(nodes(answer) for game, kind in parts for answer in read(game, kind, COUNT))


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
