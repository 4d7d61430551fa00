"""Walking through a hand: every value is the oracle's and that of cold searches."""

from __future__ import annotations

import threading
from random import Random

import pytest
from hypothesis import given, settings

import tute
from strategies import deals, random_full_deal, random_game_deal, random_record, seeds
from tute import Card, Deal, Position
from tute.minimax import minimax
from tute.notation import Move
from tute.objectives import score
from tute.results import Walk
from tute.walk import Walker, walk

_FOR_POINTS = (
    "tute",
    "tute-individual",
    "subastado",
    "subastado-parejas",
    "cuatrola",
    "guinote",
    "butifarra",
    "habanero",
)


def _after(position: Position, line: tuple[Move, ...]) -> Position:
    for move in line:
        position = position.play(move)
    return position


def _auto(rng: Random, deal: Deal) -> Deal:
    """The deal with random cards as its record, which shows no declaration."""
    cards: list[Card] = []
    for _ in range(rng.randint(0, 20)):
        deal = deal.replace(played=cards, cantes="auto")
        legal = [move for move in deal.position().legal() if isinstance(move, Card)]
        if not legal:
            break
        cards.append(rng.choice(legal))
    return deal.replace(played=cards, cantes="auto")


def _is_right(found: Walk) -> None:
    """Every value, every line and the chain of positions."""
    place = found.seat - 1
    assert found.complete
    positions = [moment.position for moment in found.moments] + [found.end]
    for moment, after in zip(found.moments, positions[1:], strict=True):
        assert moment.position.play(moment.move).settled() == after.settled()
        values = {
            move: minimax(position, place, found.objective)
            for move, position in moment.position.successors()
        }
        assert {answer.card: answer.value for answer in moment.solution.cards} == values
        assert moment.played.value == values[moment.move]
        mine = moment.seat in found.side
        best = max(values.values()) if mine else min(values.values())
        assert moment.solution.value == best
        assert moment.cost == abs(best - values[moment.move])
        for answer, line in zip(moment.solution.cards, moment.lines, strict=True):
            assert line[0] == answer.card
            end = _after(moment.position, line)
            assert end.over
            assert score(end, place, found.objective) == answer.value
        assert moment.line[0] == moment.move


@given(deal=deals(_FOR_POINTS, 2, with_record=True))
def test_every_moment_of_an_explicit_record_is_the_oracles(deal: Deal) -> None:
    objective = (
        "win" if deal.rules.tute_wins or deal.carried or deal.rules.capote != "none" else None
    )
    if objective == "win" and deal.variant.sides == "alone":
        return
    _is_right(walk(deal, objective=objective))


@settings(max_examples=40)
@given(seed=seeds)
def test_what_auto_declares_is_a_moment_of_its_own(seed: int) -> None:
    rng = Random(seed)
    variant = rng.choice(("tute", "subastado", "subastado-parejas", "cuatrola", "guinote"))
    deal = _auto(rng, random_game_deal(rng, variant, 3, switches={}, stock=0))
    found = walk(deal)
    _is_right(found)
    played = [moment for moment in found.moments if moment.index is not None]
    assert [moment.move for moment in played] == list(deal.played)
    assert [moment.index for moment in played] == list(range(len(deal.played)))
    assert [(index, move) for index, move, _ in deal.replay()] == list(enumerate(deal.played))


@pytest.mark.parametrize("variant", ["tute", "subastado", "cuatrola", "guinote"])
def test_a_whole_hand_agrees_with_cold_searches(variant: str) -> None:
    rng = Random(f"walk {variant}")
    switches = {"stock_duty": "full"} if variant == "guinote" else {}
    deal = random_full_deal(rng, variant, switches=switches).replace(stock="")
    deal = random_record(rng, deal, 24)
    found = walk(deal, tute.solve(deal).line)
    assert found.complete
    assert found.end.over
    for moment in found.moments[::5]:
        cold = tute.solve(moment.position, seat=deal.asked)
        assert (moment.solution.value, moment.solution.cards) == (cold.value, cold.cards)
    for moment in found.moments[len(deal.played) :]:
        assert moment.index is None
        assert moment.cost == 0


def test_a_walk_that_is_cancelled_keeps_what_was_proven_at_the_end() -> None:
    deal = Deal.read("examples/record-subastado.toml")
    cancel = threading.Event()
    done: list[tuple[int, int]] = []

    def progress(moments: int, of: int) -> None:
        done.append((moments, of))
        if moments == 10:
            cancel.set()
            # The watch on `cancel` looks at it ten times a second.
            assert stopped.wait(10)

    stopped = threading.Event()

    class Watched(Walker):
        def stop(self) -> None:
            super().stop()
            stopped.set()

    walker = Watched(deal, progress=progress)
    with walker.limited(None, cancel):
        moments = walker.moments(list(deal.history()))
    assert done[-1] == (36, 36)
    assert all(moment.solution.exact for moment in moments[-10:])
    assert not moments[0].solution.exact
    assert moments[0].solution.lower < 79 < moments[0].solution.upper
    assert walker.with_lines(moments[-2]).line == ()


def test_a_walk_without_time_has_bounds_and_no_lines() -> None:
    deal = Deal.read("examples/record-subastado.toml")
    found = walk(deal, time_limit=0)
    assert not found.complete
    first = found.moments[0]
    assert first.solution.lower <= 79 <= first.solution.upper
    assert first.cost is None
    assert first.line == ()


def test_a_game_played_not_to_lose_has_no_such_walk() -> None:
    with pytest.raises(tute.QuestionError, match="tute safe"):
        walk(Deal.read("examples/cabrero.toml"))


def test_nothing_played_is_a_walk_of_no_moments() -> None:
    found = walk(Deal.read("examples/tute.toml"))
    assert found.moments == ()
    assert found.complete


def test_a_walk_without_its_lines_is_not_complete() -> None:
    deal = Deal.read("examples/record-subastado.toml")
    walker = Walker(deal)
    moments = walker.moments(list(deal.history()))
    assert not walker.walk(moments, deal.position()).complete
    whole = [walker.with_lines(moment) for moment in moments]
    assert walker.walk(whole, deal.position()).complete
