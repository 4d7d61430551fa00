"""How the search compares with DDS, the solver of bridge deals, in one run on one machine.

    python benchmarks/peers.py --write

DDS (through endplay) scores random bridge deals, this project the deals of the corpus, in turn, so
that whatever else the machine does falls on both. A row is the median over the deals of the wall
time of each, or a ratio of two such medians. Everything is on one thread, but for the tables, which
both make on two.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from random import Random
from statistics import median

import generated
from endplay._dds import SetMaxThreads
from endplay.dds import calc_dd_table, solve_board
from endplay.dds.solve import SolveMode
from endplay.types import Deal as BridgeDeal
from endplay.types import Denom, Player
from frozen import Frozen, read

import tute
from tute import Solver

SUITS, RANKS = "SHDC", "AKQJT98765432"
BID_STEP = 5
THREADS = 2
WARM_UP = 2

DDS_CARDS = "DDS, every card scored"
DDS_BEST = "DDS, one best card"
DDS_TABLE = f"DDS, table of 20 values, {THREADS} threads"
SUBASTADO = "subastado, exact value"
PAIRS = "pairs (tute), exact value"
SUBASTADO_CARDS = "subastado, every card scored"
PAIRS_CARDS = "pairs (tute), every card scored"
TABLE = f"subastado, table of 12 values, {THREADS} threads"
MADE = "subastado, one bid made or not"


@dataclass
class Times:
    """Seconds by deal of each kind of work."""

    of: dict[str, list[float]] = field(default_factory=dict)

    def take(self, work: str, run: Callable[[], object], *, count: bool = True) -> None:
        """Run something and note how long it took, unless it is a warm-up."""
        begun = time.perf_counter()
        run()
        seconds = time.perf_counter() - begun
        if count:
            self.of.setdefault(work, []).append(seconds)

    def median(self, work: str) -> float:
        """The median, in milliseconds."""
        return 1000 * median(self.of[work])

    def largest(self, work: str) -> float:
        """The largest, in milliseconds."""
        return 1000 * max(self.of[work])


def bridge_deals() -> Iterator[BridgeDeal]:
    """Random bridge deals with a random trump, or none, always the same ones."""
    rng = Random("bridge")
    while True:
        pack = sorted((suit + rank for suit in SUITS for rank in RANKS), key=lambda _: rng.random())
        hands = [pack[start : start + 13] for start in range(0, 52, 13)]
        written = (".".join(_suit(hand, suit) for suit in SUITS) for hand in hands)
        trump = list(Denom)[int(rng.random() * len(Denom))]
        yield BridgeDeal("N:" + " ".join(written), first=Player.west, trump=trump)


def _suit(hand: list[str], suit: str) -> str:
    return "".join(rank for rank in RANKS if suit + rank in hand)


def bid_question(answer: Frozen, number: int) -> Frozen:
    """Is the bid made? The highest that is, or the next, in turn: the hardest to tell."""
    bid = answer.value // BID_STEP * BID_STEP + BID_STEP * (number % 2)
    made = 1 if answer.value >= bid else -1
    return Frozen(answer.deal.replace(bid=bid), "win", made, {})


def value(answer: Frozen) -> None:
    """Find the value, with a new solver."""
    solution = Solver().value_bounds(answer.deal, objective=answer.objective)
    assert answer.agrees(solution), answer.deal.id


def all_cards(answer: Frozen) -> None:
    """Find the value of every legal card, and best play, with a new solver."""
    solution = Solver().solve(answer.deal, objective=answer.objective)
    assert answer.agrees(solution), answer.deal.id


def measure(deals: int, tables: int) -> Times:
    """Run everything, deal by deal."""
    SetMaxThreads(THREADS)
    times = Times()
    subastado, pairs = read("subastado", "full", deals), read("tute", "full", deals)
    bridge = bridge_deals()
    for turn in range(-WARM_UP, deals):
        number, count = max(turn, 0), turn >= 0
        ours, theirs, dealt = subastado[number], pairs[number], next(bridge)
        for work, run in (
            (DDS_CARDS, partial(solve_board, dealt)),
            (SUBASTADO, partial(value, ours)),
            (PAIRS, partial(value, theirs)),
            (SUBASTADO_CARDS, partial(all_cards, ours)),
            (PAIRS_CARDS, partial(all_cards, theirs)),
            (MADE, partial(value, bid_question(ours, number))),
            # A deal of its own, since DDS keeps its table from one call to the next of the same.
            (DDS_BEST, partial(solve_board, next(bridge), SolveMode.OptimalOne)),
        ):
            times.take(work, run, count=count)
    for turn in range(-1, tables):
        deal, dealt = subastado[max(turn, 0)].deal, next(bridge)
        times.take(DDS_TABLE, partial(calc_dd_table, dealt), count=turn >= 0)
        times.take(TABLE, partial(tute.table, deal, workers=THREADS), count=turn >= 0)
    return times


def rows(times: Times) -> list[tuple[str, str, str, str, str]]:
    """The table: the work, its median, what it is compared with, the ratio and the target."""
    made = median(
        test / exact for test, exact in zip(times.of[MADE], times.of[SUBASTADO], strict=True)
    )
    found = [("work", "median, ms", "against", "ratio", "target")]
    for work, against, ratio, target in (
        (DDS_CARDS, "", None, ""),
        (DDS_BEST, "", None, ""),
        (DDS_TABLE, "", None, ""),
        (SUBASTADO, DDS_CARDS, None, "0.3"),
        (PAIRS, DDS_CARDS, None, "0.5"),
        (SUBASTADO_CARDS, DDS_CARDS, None, "1.0"),
        (PAIRS_CARDS, DDS_CARDS, None, "1.0"),
        (TABLE, DDS_TABLE, None, "1.0"),
        (MADE, "its exact value", made, "0.4"),
    ):
        if against and ratio is None:
            ratio = times.median(work) / times.median(against)
        number = "" if ratio is None else f"{ratio:.2f}"
        found.append((work, f"{times.median(work):.1f}", against, number, target))
    for work in (SUBASTADO, PAIRS):
        largest, usual = times.largest(work), times.median(work)
        slowest = f"{work}, slowest of {len(times.of[work])}"
        found.append((slowest, f"{largest:.1f}", "its median", f"{largest / usual:.1f}", "8"))
    return found


def machine() -> str:
    """The processor, how many there are, and the versions of what ran."""
    info = Path("/proc/cpuinfo")
    text = info.read_text(encoding="utf-8") if info.exists() else ""
    models = [line.split(":")[1].strip() for line in text.splitlines() if "model name" in line]
    model = models[0] if models else platform.processor() or platform.machine()
    return (
        f"{model}, {os.cpu_count()} processors; Python {platform.python_version()}, "
        f"endplay {version('endplay')}."
    )


def main() -> None:
    """Measure, print the table, and write it into the README if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--write", action="store_true", help="write the table into the README")
    options = parser.parse_args()
    times = measure(options.deals, options.tables)
    text = f"{machine()}\n\n{generated.table(rows(times))}"
    print(text)
    if options.write:
        generated.write("peers", text)


if __name__ == "__main__":
    main()
