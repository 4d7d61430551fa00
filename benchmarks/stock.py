"""Seconds and nodes for the value of random deals of habanero, by how many cards are to be drawn.

    python benchmarks/stock.py --write

writes the table into benchmarks/README.md. With `--whole N` it ends with so many whole deals, on
all processors, each within five minutes; that takes some minutes.
"""

from __future__ import annotations

import argparse
import time
from random import Random
from statistics import median

import generated

from tute import Solver
from tute.dealing import random_deal
from tute.threads import processors

DEALS = {12: 20, 16: 10, 18: 6}
WHOLE = 24
LIMIT = 300.0
MEMORY = 2048


def row(stock: int, deals: int, threads: int, limit: float | None) -> list[str]:
    """A line of the table: the difference of so many deals, each with a new table."""
    nodes, seconds, exact = [], [], 0
    for number in range(deals):
        deal = random_deal("habanero", Random(f"bench {number}"), players=2, stock=stock)
        begun = time.perf_counter()
        solution = Solver(MEMORY, threads).value_bounds(
            deal, objective="difference", time_limit=limit
        )
        seconds.append(time.perf_counter() - begun)
        nodes.append(solution.nodes)
        exact += solution.exact
    return [
        str(stock),
        str(threads),
        f"{exact} of {deals}",
        f"{median(nodes):,.0f}",
        f"{median(seconds):.2f}",
        f"{max(seconds):.2f}",
    ]


def main() -> None:
    """Measure, print the table, and write it into the README if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the table into the README")
    parser.add_argument("--whole", type=int, default=0, help="how many whole deals")
    options = parser.parse_args()
    heads = ["cards to draw", "threads", "exact", "nodes, median", "seconds, median", "most"]
    rows = [heads, *(row(stock, deals, 1, None) for stock, deals in DEALS.items())]
    if options.whole:
        rows.append(row(WHOLE, options.whole, processors(), LIMIT))
    text = generated.table(rows)
    print(text)
    if options.write:
        generated.write("stock", text)


if __name__ == "__main__":
    main()
