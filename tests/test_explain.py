"""Lessons: their numbers, lines, alternatives and motifs, on small endings and on whole deals."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

import tute
from claims import Judge, Told, always_wins, check_step
from strategies import random_full_deal, random_game_deal
from tute import Card, Explanation, Position, Solver
from tute.minimax import minimax
from tute.objectives import score
from tute.variants import VARIANTS

TWO_SIDED = [name for name, variant in VARIANTS.items() if variant.objectives]
LOSING = ["cabron", "cabrero"]


def by_minimax(explanation: Explanation) -> Judge:
    solution = explanation.solution

    @cache
    def value(position: Position) -> int:
        if explanation.losing:
            return safe(position, solution.seat)
        return minimax(position, solution.seat - 1, solution.objective)

    return value


def by_solver(explanation: Explanation) -> Judge:
    solver, solution = Solver(memory=16), explanation.solution

    @cache
    def value(position: Position) -> int:
        answer = solver.value_bounds(position, objective=solution.objective, seat=solution.seat)
        assert answer.value is not None
        return answer.value

    return value


def safe(position: Position, seat: int) -> int:
    """1 if the seat can be sure not to lose, else −1: every line is looked at."""
    if position.over:
        return -1 if seat in position.losers() else 1
    values = (safe(after, seat) for _, after in position.successors())
    return max(values) if position.turn == seat - 1 else min(values)


def random_lesson(rng: Random, variant_id: str, cards: int) -> Explanation:
    """A lesson about a random ending, of an objective that the game has."""
    while True:
        stock = rng.choice((0, 1)) if cards == 2 else 0
        deal = random_game_deal(rng, variant_id, cards=cards, stock=stock)
        if VARIANTS[variant_id].bids and deal.declarer:
            deal = deal.replace(bid=rng.choice((20, 40, 60, 80)))
        deal = deal.replace(seat=rng.choice((None, rng.randint(1, deal.players))))
        objective = rng.choice((None, None, "points", "difference", "win", "tricks"))
        try:
            return tute.explain(deal, objective=objective, memory=1)
        except tute.QuestionError:
            continue


def check(explanation: Explanation, judge: Callable[[Explanation], Judge]) -> None:
    """Every claim, and that the line is one of best play to the end."""
    value = judge(explanation)
    for number in range(len(explanation.steps)):
        check_step(Told(explanation, number, value))
    end = explanation.solution.position
    for move in explanation.line:
        end = end.play(move)
    assert end == explanation.walk.end
    assert end.over
    assert explanation.complete
    solution = explanation.solution
    if explanation.losing:
        assert solution.value == (-1 if solution.seat in end.losers() else 1)
    else:
        assert solution.value == score(end, solution.seat - 1, solution.objective)
        check_easiest(explanation)


def check_easiest(explanation: Explanation) -> None:
    """At each step nothing as good would have been easier, by the rule as it is told."""
    led: str | None = None
    for step in explanation.steps:
        moment = step.moment
        at, move = moment.position, moment.move
        good = [m for m in at.legal() if m == move or m in step.equal]
        calls = [m for m in good if not isinstance(m, Card)]
        cards = [m for m in good if isinstance(m, Card)]
        if calls:
            assert move == calls[0]
            continue
        sure = [] if at.trick else [card for card in cards if always_wins(at, card)]
        choice = sure or cards
        if not at.trick and any(card.suit == led for card in choice):
            choice = [card for card in choice if card.suit == led]
        deck = at.game.deck
        if sure:
            rank = min(deck.ranks.index(card.rank) for card in choice)
        else:
            fewest = min(deck.points[card] for card in choice)
            choice = [card for card in choice if deck.points[card] == fewest]
            rank = max(deck.ranks.index(card.rank) for card in choice)
        assert move == next(card for card in choice if deck.ranks.index(card.rank) == rank)
        if not at.trick:
            led = move[1]


@pytest.mark.parametrize("variant_id", [*TWO_SIDED, *LOSING])
def test_every_claim_about_small_endings_is_true(variant_id: str) -> None:
    rng = Random(f"lessons of {variant_id}")
    for _ in range(30):
        check(random_lesson(rng, variant_id, rng.choice((2, 3))), by_minimax)


@pytest.mark.parametrize("variant_id", [name for name in TWO_SIDED if not VARIANTS[name].stock])
def test_every_claim_about_whole_deals_is_true(variant_id: str) -> None:
    rng = Random(f"whole lessons of {variant_id}")
    deal = random_full_deal(rng, variant_id, switches={})
    check(tute.explain(deal), by_solver)
