"""Lessons: their numbers, lines, alternatives and motifs, on small endings and on whole deals."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from random import Random

import pytest

import tute
from claims import Judge, Told, always_wins, check_step, winner_now
from strategies import (
    random_full_deal,
    random_game_deal,
    random_position,
    random_record,
    random_switches,
)
from tute import Card, Deal, Explanation, Position, Solver
from tute.minimax import minimax
from tute.motifs import takes_for_certain
from tute.notation import Declaration, Move
from tute.objectives import score
from tute.report import lesson
from tute.report.parts import move_text
from tute.results import Step
from tute.safety import Prover
from tute.variants import VARIANTS
from tute.walk import Walker

TWO_SIDED = [name for name, variant in VARIANTS.items() if variant.objectives]
LOSING = ["cabron", "cabrero"]
ROOT = Path(__file__).parent.parent


def read(name: str) -> Deal:
    return Deal.read(ROOT / "examples" / f"{name}.toml")


def by_minimax(explanation: Explanation) -> Judge:
    solution = explanation.solution

    @cache
    def value(position: Position) -> int:
        if explanation.losing:
            return safe(position, solution.seat)
        return minimax(position, solution.seat - 1, solution.objective)

    return value


def by_engine(explanation: Explanation) -> Judge:
    """The searches, with tables of their own."""
    solver, prover, solution = Solver(memory=16), Prover(16), explanation.solution

    @cache
    def value(position: Position) -> int:
        if explanation.losing:
            return 1 if prover.sure(position, solution.seat - 1) else -1
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
    """A lesson about a random ending under random switches, of an objective that the game has."""
    while True:
        stock = rng.choice((0, 1)) if cards == 2 else 0
        thrown = random_switches(rng, variant_id) if rng.random() < 0.5 else {}
        deal = random_game_deal(rng, variant_id, cards=cards, stock=stock, switches=thrown)
        if VARIANTS[variant_id].bids and deal.declarer:
            deal = deal.replace(bid=rng.choice((20, 40, 60, 80)))
        deal = deal.replace(seat=rng.choice((None, rng.randint(1, deal.players))))
        if rng.random() < 0.4:
            deal = random_record(rng, deal, deal.players + 2)
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
    for step, text in zip(explanation.steps, lesson.texts(explanation), strict=True):
        check_text(step, text)
    solution = explanation.solution
    if explanation.losing:
        assert solution.value == (-1 if solution.seat in end.losers() else 1)
    else:
        assert solution.value == score(end, solution.seat - 1, solution.objective)
        check_easiest(explanation)


def check_text(step: Step, text: str) -> None:
    """The text names the move, why it is forced, what is as good, what tempts at which price."""
    trump, tempting = step.moment.position.trump, step.tempting

    def named(moves: Iterable[Move]) -> str:
        return ", ".join(move_text(move, trump).plain for move in moves)

    opening, _, rest = text.partition(":")
    assert isinstance(step.moment.move, Declaration) or str(step.moment.move).strip("-") in opening
    assert step.forced in (None, "only card") or opening.endswith(f"({step.forced})")
    assert ("nothing special" in text) == (not step.does)
    assert (f"As good: {named(step.equal)}." in rest) == bool(step.equal and tempting)
    assert ("Anything else is as good." in rest) == bool(step.equal and not tempting)
    assert ("Tempting is " in rest) == bool(tempting)
    if tempting is None:
        return
    assert f"Tempting is {named([tempting.card])}, but " in rest
    at_once = len(tempting.refutation) == 1
    assert (" at once." if at_once else f" ({named(tempting.refutation)}).") in rest
    if tempting.reply is not None:
        assert f"seat {tempting.replier} answers with {named([tempting.reply])} (" in rest
    if step.moment.solution.objective != "win":
        assert re.search(rf", but it costs {tempting.cost}\b", rest)


def check_easiest(explanation: Explanation) -> None:
    """At each step nothing as good would have been easier, by the rule as it is told."""
    led: str | None = None
    for _, played, before in explanation.walk.deal.history():
        if isinstance(played, Card) and not before.trick:
            led = played.suit
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


def check_temptations(explanation: Explanation) -> None:
    """Of the moves that cost something the one that tempts is that of the rule as it is told."""
    for number, step in enumerate(explanation.steps):
        if step.tempting is None:
            continue
        told = Told(explanation, number, lambda _: 0)
        good = {step.moment.move, *step.equal}
        worse = [a.card for a in step.moment.solution.cards if a.card not in good]
        calls = [move for move in worse if not isinstance(move, Card)]
        cards = [move for move in worse if isinstance(move, Card)]
        deck, at = told.at.game.deck, told.at
        sure = [card for card in cards if always_wins(at, card)]
        ours = bool(at.trick) and winner_now(at) in told.mine
        now = [c for c in cards if at.trick and (ours or told.leading_after(c))]
        order = [(deck.points[card], deck.strength[card]) for card in sure or now or cards]
        best = max(order, default=None) if sure or now else min(order, default=None)
        ranked = dict(zip(sure or now or cards, order, strict=True))
        tempting = [card for card, rank in ranked.items() if rank == best]
        assert step.tempting.card == (calls[0] if calls else tempting[0])


@pytest.mark.parametrize("variant_id", [*TWO_SIDED, *LOSING])
def test_every_claim_about_small_endings_is_true(variant_id: str) -> None:
    rng = Random(f"lessons of {variant_id}")
    for _ in range(30):
        explanation = random_lesson(rng, variant_id, rng.choice((2, 3)))
        check(explanation, by_minimax)
        check_temptations(explanation)


@pytest.mark.parametrize("variant_id", [*TWO_SIDED, *LOSING])
def test_who_may_take_a_trick_is_found_without_looking_at_every_reply(variant_id: str) -> None:
    rng = Random(f"takers in {variant_id}")
    for _ in range(100):
        thrown = random_switches(rng, variant_id)
        deal = random_game_deal(rng, variant_id, cards=rng.choice((2, 3, 4)), switches=thrown)
        position = random_position(rng, deal, 6)
        for move in position.legal():
            if isinstance(move, Card):
                assert takes_for_certain(position, move) == always_wins(position, move)


def whole_lesson(rng: Random, variant_id: str) -> Explanation:
    """A lesson about a whole deal; of a game played not to lose, about half of one."""
    variant = VARIANTS[variant_id]
    if not variant.objectives:
        return tute.explain(random_game_deal(rng, variant_id, cards=5, switches={}))
    deal = random_full_deal(rng, variant_id, switches={})
    if variant.bids:
        deal = deal.replace(declarer=deal.declarer or 1, bid=rng.choice((60, 70, 80, 90, 100)))
    return tute.explain(deal)


WITHOUT_STOCK = [name for name in (*TWO_SIDED, *LOSING) if not VARIANTS[name].stock]


@pytest.mark.parametrize("variant_id", WITHOUT_STOCK)
def test_every_claim_about_whole_deals_is_true(variant_id: str) -> None:
    rng = Random(f"whole lessons of {variant_id}")
    for _ in range(2):
        check(whole_lesson(rng, variant_id), by_engine)


@pytest.mark.long
@pytest.mark.parametrize("variant_id", WITHOUT_STOCK)
def test_every_claim_about_very_many_deals_is_true(variant_id: str) -> None:
    rng = Random(f"many lessons of {variant_id}")
    for _ in range(100):
        check(whole_lesson(rng, variant_id), by_engine)
    for _ in range(300):
        check(random_lesson(rng, variant_id, rng.choice((2, 3))), by_minimax)


def test_the_line_of_a_losing_game_is_that_of_safe() -> None:
    rng = Random("safe lines")
    for variant_id in LOSING * 5:
        deal = random_game_deal(rng, variant_id, cards=3)
        explanation, answer = tute.explain(deal), tute.safe(deal)
        assert explanation.line == answer.line
        assert explanation.solution.seat == answer.seat
        assert (explanation.solution.value == 1) == answer.players[answer.seat - 1].safe


@pytest.mark.parametrize(("record", "first"), [("Ae 5e 6e", "4e"), ("Ac 5c 6c", "4c")])
def test_the_suit_of_the_record_is_led_on(record: str, first: str) -> None:
    """The 4c and the 4e are the same to everybody."""
    suit = record[1]
    hands = [f"{suit}A c4 e4", f"{suit}5 c7 e7", f"{suit}6 cS eS"]
    deal = Deal(variant="subastado", trump="oros", hands=hands, declarer=1, played=record)
    explanation = tute.explain(deal)
    assert explanation.line[0] == first
    assert len(explanation.steps[0].equal) == 1


def test_an_exchange_may_tempt() -> None:
    explanation = tute.explain(read("habanero"))
    tempting = explanation.steps[0].tempting
    assert tempting is not None
    assert (tempting.card, tempting.cost) == ("*2", 6)
    assert len(tempting.refutation) > 1
    assert explanation.complete


# -------------------------------------------------------------------- limits


@pytest.mark.parametrize("name", ["tute", "cabrero-never-a-baza"])
def test_cancelled_at_once_leaves_bounds_and_no_steps(name: str) -> None:
    cancel = threading.Event()
    cancel.set()
    deal = read("habanero-whole") if name == "tute" else read(name)
    explanation = tute.explain(deal, time_limit=0.0, cancel=cancel)
    assert not explanation.complete
    assert explanation.solution.lower <= explanation.solution.upper
    assert explanation.walk.end.to_move is not None


def test_a_limit_keeps_the_steps_that_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped after the third step, by the progress that is told."""
    cancel, stopped = threading.Event(), threading.Event()
    deal = read("subastado-broken-pair")
    stop = Walker.stop

    def stopping(walker: Walker) -> None:
        stop(walker)
        stopped.set()

    monkeypatch.setattr(Walker, "stop", stopping)

    def told(done: int, total: int) -> None:
        assert 0 < done <= total
        if done == 3:
            cancel.set()
            assert stopped.wait(60)

    explanation = tute.explain(deal, progress=told, cancel=cancel)
    whole = tute.explain(deal)
    assert not explanation.complete
    assert len(explanation.steps) == 3
    assert explanation.line == whole.line[:3]
    assert whole.complete


def test_progress_ends_with_all_moves() -> None:
    told: list[tuple[int, int]] = []
    explanation = tute.explain(read("golpe-de-viena"), progress=lambda *so_far: told.append(so_far))
    assert [done for done, _ in told] == list(range(1, len(explanation.steps) + 1))
