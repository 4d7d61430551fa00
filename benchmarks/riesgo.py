"""What exact riesgo costs, how often it tells cards apart, and how far estimates are from it.

    python benchmarks/riesgo.py --write

Positions are what random play leaves of random deals, with so many cards in each hand, the leader
to move. An answer is the whole outlook of a position and of every legal card, with a new table.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from random import Random
from statistics import mean, median

import generated

from tute import Position
from tute.dealing import random_deal
from tute.results import NEAR
from tute.riesgo import EXACT_CARDS, Outlook, RiskSolver, riesgo

GAMES = (
    ("cabron", 3),
    ("cabron", 4),
    ("cabrero", 3),
    ("cabrero", 4),
    ("cabrero", 5),
    ("tute-individual", 3),
    ("tute-individual", 4),
)
COUNT = 50
HEAD = (
    "game",
    "players",
    "cards",
    "nodes, median",
    "most",
    "ms, median",
    "most",
    "told apart",
    "by points",
    "not exposed",
    "estimate off by",
    "its pick costs",
)


def played_down(game: str, players: int, cards: int) -> Iterator[Position]:
    """Endings with so many cards in each hand, without end, always the same ones."""
    number = 0
    while True:
        number += 1
        rng = Random(f"{game} {players} {cards} {number}")
        position = random_deal(game, rng, players=players).start()
        while not position.over and (position.trick or len(position.hands[0]) > cards):
            position = position.play(rng.choice(position.legal()))
        if not position.over:
            yield position


def spread(answer: Outlook) -> float | None:
    """How far apart the risks of the cards are, in points; None where there is no choice."""
    chances = [move.risk.chance for move in answer.cards if move.risk is not None]
    return 100 * (max(chances) - min(chances)) if len(chances) > 1 else None


def compared(answer: Outlook) -> tuple[list[float], float]:
    """How far the estimate of each card is from its exact risk, in points, and how many points more
    than necessary the card risks that the estimate puts first.
    """
    exact = {move.card: move.risk.chance for move in answer.cards if move.risk is not None}
    _, moves, _ = RiskSolver()._estimate(answer.position, seed=0)
    estimates = {move.card: move.risk.chance for move in moves if move.risk is not None}
    pick = min(estimates, key=estimates.__getitem__)
    off = [100 * abs(exact[card] - estimates[card]) for card in exact]
    return off, 100 * (exact[pick] - min(exact.values()))


def row(game: str, players: int, cards: int) -> list[str]:
    """Figures of one kind of ending.

    Told apart: decisions in which the risks of two cards differ by more than 5 points, and by how
    many points there on average. Not exposed: of the seats that are not safe against all the others
    together, those that can be hurt only by players who hurt themselves. The last two are of the
    decisions told apart, as if their exact risks were not known.
    """
    answers = [riesgo(p) for p in islice(played_down(game, players, cards), COUNT)]
    spreads = [points for points in map(spread, answers) if points is not None]
    apart = [points for points in spreads if points > 100 * NEAR]
    unsafe = [seat for a in answers for seat in a.seats if seat.credible != "all"]
    estimates = [compared(a) for a in answers if (spread(a) or 0) > 100 * NEAR]
    nodes = [answer.nodes for answer in answers]
    ms = [1000 * answer.seconds for answer in answers]
    return [
        game,
        str(players),
        str(cards),
        f"{median(nodes):,.0f}",
        f"{max(nodes):,}",
        f"{median(ms):.0f}",
        f"{max(ms):.0f}",
        f"{100 * len(apart) / len(spreads):.0f}%",
        f"{mean(apart):.0f}",
        f"{100 * sum(seat.credible != 0 for seat in unsafe) / len(unsafe):.0f}%",
        f"{mean(points for off, _ in estimates for points in off):.1f}",
        f"{mean(cost for _, cost in estimates):.1f}",
    ]


def main() -> None:
    """Measure, print the table, and write it into the README if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the table into the README")
    options = parser.parse_args()
    rows: list[list[str]] = [list(HEAD)]
    for game, players in GAMES:
        for cards in (EXACT_CARDS[players] - 1, EXACT_CARDS[players]):
            rows.append(row(game, players, cards))
    text = generated.table(rows)
    print(text)
    if options.write:
        generated.write("riesgo", text)


if __name__ == "__main__":
    main()
