"""Who loses a hand of cabrón or cabrero: the published cases, the tables, and the decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given

from strategies import deals, random_move, random_switches, seeds
from tute.deal import Deal
from tute.losers import cabrero_losers, cabron_losers
from tute.rules import Rules, with_switches
from tute.variants import VARIANTS

CABRERO = VARIANTS["cabrero"].rules


def cabron(points: Sequence[int], tricks: Sequence[int] | None = None, **rules: object) -> str:
    """The losing seats, as digits."""
    lost = cabron_losers(points, tricks or [1] * len(points), with_switches(Rules(), rules))
    return "".join(str(place + 1) for place in sorted(lost))


def cabrero(
    points: Sequence[int | None],
    switches: Mapping[str, object] | None = None,
    *,
    sang: str = "",
    tute: int | None = None,
    mano: int = 1,
) -> str:
    """The losing seats, as digits; None stands for a player without a trick."""
    lost = cabrero_losers(
        [number or 0 for number in points],
        [0 if number is None else 2 for number in points],
        frozenset(int(seat) - 1 for seat in sang),
        None if tute is None else tute - 1,
        mano - 1,
        with_switches(CABRERO, switches or {}),
    )
    return "".join(str(place + 1) for place in sorted(lost))


# ---------------------------------------------------------------- cabrón


@pytest.mark.parametrize(
    ("points", "tricks", "losers"),
    [
        ([60, 50, 20], None, "2"),
        ([60, 60, 10], None, "12"),
        ([90, 20, 20], None, "23"),
        ([101, 20, 9], None, "1"),
        ([100, 20, 10], None, "2"),  # 100 itself is safe
        ([101, 102, 9], None, "12"),
        ([120, 10, 0], [8, 4, 0], "3"),
        ([130, 0, 0], [12, 0, 0], "23"),
        ([120, 10, 0], [8, 3, 1], "1"),  # no points is not no tricks
        ([50, 50, 20, 10], None, "3"),
        ([50, 50, 15, 15], None, "1234"),
        ([50, 40, 30, 10], None, "23"),
        ([50, 40, 40, 10], None, "23"),
        ([50, 50, 50, 10], None, "123"),
        ([50, 30, 30, 30], None, "234"),
        ([40, 40, 40], None, "123"),
        ([30, 30, 30, 30], None, "1234"),
        ([230, 0, 0], [10, 1, 1], "1"),
        ([20, 60, 50], None, "3"),
    ],
)
def test_cabron(points: list[int], tricks: list[int] | None, losers: str) -> None:
    assert cabron(points, tricks) == losers


@pytest.mark.parametrize(
    ("points", "both", "second", "third"),
    [
        ([10, 40, 30, 50], "23", "2", "3"),
        ([10, 40, 40, 50], "23", "23", "23"),
        ([50, 50, 20, 10], "3", "3", "3"),
        ([50, 20, 10, 10], "2", "2", "2"),
        ([50, 50, 15, 15], "1234", "1234", "1234"),
    ],
)
def test_the_middle_of_four(points: list[int], both: str, second: str, third: str) -> None:
    assert cabron(points, middle4="both") == both
    assert cabron(points, middle4="second") == second
    assert cabron(points, middle4="third") == third


def test_all_tied() -> None:
    assert cabron([40, 40, 40], all_tied="none") == ""
    assert cabron([30, 30, 30, 30], all_tied="none") == ""
    assert cabron([40, 40, 0], [1, 1, 0], all_tied="none") == "3"
    assert cabron([60, 60, 10], all_tied="none") == "12"
    assert cabron([110, 110, 110], all_tied="none") == "123"


def test_the_score_limit() -> None:
    assert cabron([70, 40, 20], score_limit=69) == "1"
    assert cabron([70, 40, 20], score_limit=70) == "2"
    assert cabron([160, 40, 20], score_limit=230) == "2"
    assert cabron([70, 40, 20], score_limit=0) == "123"
    assert cabron([160, 40, 20], [9, 3, 0], score_limit=100) == "3"


# ---------------------------------------------------------------- cabrero


@pytest.mark.parametrize(
    ("points", "losers"),
    [
        # Two or three takers of three: the second.
        ([70, None, 60], "3"),
        ([70, 40, 20], "2"),
        # Four: the second of two, else the third.
        ([None, 70, 60, None], "3"),
        ([70, 50, 10, None], "3"),
        ([60, 40, 20, 10], "3"),
        ([10, 20, 40, 60], "2"),
        # Five likewise.
        ([70, None, 60, None, None], "3"),
        ([70, 50, 10, None, None], "3"),
        ([60, 40, 20, 10, None], "3"),
        ([50, 40, 20, 15, 5], "3"),
        # A taker without points ranks below all other takers, above nobody else.
        ([90, 40, 0, None], "3"),
        ([90, 40, 0], "2"),
        # Equal in the losing place: all of them.
        ([60, 30, 30, 10], "23"),
        ([60, 40, 15, 15], "34"),
        ([60, 35, 35], "23"),
        ([60, 40, 10, 10, 10], "345"),
        ([60, 30, 30, 30, None], "234"),
    ],
)
def test_cabrero_by_rank(points: list[int | None], losers: str) -> None:
    assert cabrero(points) == losers


@pytest.mark.parametrize(
    ("points", "rank", "second", "middle"),
    [
        ([60, 40, 20, 10], "3", "2", "23"),
        ([50, 40, 20, 15, 5], "3", "2", "234"),
        ([50, 40, 20, 20, 5], "34", "2", "234"),
        ([70, 50, 10, None], "3", "2", "2"),
        ([70, 60, None, None], "2", "2", "2"),  # nobody is between two takers
        ([70, 40, 20], "2", "2", "2"),
        ([70, 30, 30], "23", "23", "23"),
        ([70, 20, 20, 20], "234", "234", "234"),
    ],
)
def test_which_rank_loses(points: list[int | None], rank: str, second: str, middle: str) -> None:
    assert cabrero(points, {"loser_rule": "rank"}) == rank
    assert cabrero(points, {"loser_rule": "second"}) == second
    assert cabrero(points, {"loser_rule": "middle"}) == middle


@pytest.mark.parametrize(
    ("points", "mano", "losers"),
    [
        # Second and third are equal: the one nearer to the mano is second.
        ([60, 30, 30, 10], 1, "3"),
        ([60, 30, 30, 10], 2, "3"),
        ([60, 30, 30, 10], 3, "2"),
        ([60, 30, 30, 10], 4, "3"),
        # Third and fourth.
        ([60, 40, 15, 15], 1, "3"),
        ([60, 40, 15, 15], 4, "4"),
        # The top: nobody ties, so the third loses.
        ([50, 50, 20, 10], 1, "3"),
        ([50, 50, 50, 10], 1, "3"),
        ([50, 50, 50, 10], 3, "2"),
        ([65, 65, None, None], 1, "2"),
        ([65, 65, None, None], 2, "1"),
        ([65, 65, None], 3, "2"),
        ([35, 35, 35], 2, "3"),
    ],
)
def test_equal_scores_ranked_by_seat(points: list[int | None], mano: int, losers: str) -> None:
    switches = {"cabrero_tie": "seat"}
    assert cabrero(points, switches, mano=mano) == losers
    assert cabrero(points, switches | {"top_tie": "tied_lose"}, mano=mano) == losers


def test_by_seat_the_middle_is_all_but_first_and_last() -> None:
    switches = {"cabrero_tie": "seat", "loser_rule": "middle"}
    assert cabrero([50, 50, 20, 10], switches) == "23"
    assert cabrero([50, 40, 10, 10], switches) == "23"
    assert cabrero([50, 40, 10, 10], switches, mano=4) == "24"
    assert cabrero([65, 65, None], switches) == "2"
    assert cabrero([65, 35, 30, None], switches | {"loser_rule": "second"}) == "2"


@pytest.mark.parametrize(
    ("points", "other_loses", "tied_lose"),
    [
        ([65, 65, None, None], "12", "12"),  # no other taker
        ([60, 60, 10, None], "3", "12"),
        ([50, 50, 20, 10], "3", "12"),
        ([20, 50, 50, 20], "14", "23"),
        ([45, 45, 45, None], "123", "123"),
        ([45, 45, 45, 0], "4", "123"),
        ([60, 60, 10], "3", "12"),
        ([40, 40, 40], "123", "123"),
    ],
)
def test_the_top_is_shared(points: list[int | None], other_loses: str, tied_lose: str) -> None:
    assert cabrero(points, {"top_tie": "other_loses"}) == other_loses
    assert cabrero(points, {"top_tie": "tied_lose"}) == tied_lose


@pytest.mark.parametrize(
    ("points", "all_lose", "by_rank"),
    [
        ([130, 0, None, None], "2", "2"),
        ([130, 0, 0, None], "23", "23"),
        ([0, 130, 0, 0], "134", "134"),
        ([130, 0, 0, 0, 0], "2345", "2345"),
        ([130, 0, 0], "23", "23"),
    ],
)
def test_one_taker_has_all_the_points(
    points: list[int | None], all_lose: str, by_rank: str
) -> None:
    assert cabrero(points, {"zero_point_takers": "all_lose"}) == all_lose
    assert cabrero(points, {"zero_point_takers": "by_rank"}) == by_rank


def test_takers_without_points_by_seat() -> None:
    for cabrero_tie, by_rank in (("joint", "234"), ("seat", "3")):
        switches = {"cabrero_tie": cabrero_tie, "zero_point_takers": "all_lose"}
        assert cabrero([130, 0, 0, 0], switches) == "234"
        switches["zero_point_takers"] = "by_rank"
        assert cabrero([130, 0, 0, 0], switches) == by_rank


def test_a_capote_turns_against_him_who_sang() -> None:
    assert cabrero([130, None, None, None]) == "234"
    assert cabrero([150, None, None, None], sang="1") == "1"
    assert cabrero([None, None, 150], sang="3") == "3"
    assert cabrero([150, None, 0, None], sang="1") == "3"  # no capote
    assert cabrero([150, None, None, None], sang="2") == "234"


def test_a_tute_outranks_everything() -> None:
    assert cabrero([20, None, 10, None], tute=3) == "124"
    assert cabrero([20, None, None, None], tute=1) == "234"
    assert cabrero([150, None, None], tute=1, sang="2") == "23"


def test_nobody_has_a_trick_before_the_first() -> None:
    assert cabrero([None, None, None]) == ""


# ---------------------------------------------------------------- the decisions, line by line


def decided_cabron(points: Sequence[int], tricks: Sequence[int], limit: int) -> set[int]:
    """The decision's four lines."""
    players = set(range(len(points)))
    if without := {p for p in players if tricks[p] == 0}:
        return without
    if over := {p for p in players if points[p] > limit}:
        return over
    if middle := {p for p in players if min(points) < points[p] < max(points)}:
        return middle
    return {p for p in players if any(points[p] == points[q] for q in players - {p})}


def decided_cabrero(points: Sequence[int], tricks: Sequence[int]) -> set[int]:
    """The decision's lines with every switch at its default."""
    takers = {p: points[p] for p in range(len(points)) if tricks[p]}
    best = max(takers.values())
    if len(takers) == 1:
        return set(range(len(points))) - set(takers)
    if sum(score == 0 for score in takers.values()) == len(takers) - 1:
        return {p for p, score in takers.items() if score == 0}
    below = {p: score for p, score in takers.items() if score < best}
    if len(takers) - len(below) > 1:
        if not below:
            return set(takers)
        return {p for p, score in below.items() if score == max(below.values())}
    rank = 2 if len(points) == 3 or len(takers) == 2 else 3
    losing = sorted(takers.values(), reverse=True)[rank - 1]
    return {p for p, score in takers.items() if score == losing}


@given(seeds)
def test_random_scores_by_the_decisions(seed: int) -> None:
    rng = Random(seed)
    for _ in range(40):
        players = rng.choice((3, 4, 5))
        few = rng.sample(range(0, 131, 10), rng.choice((1, 2, 3, 5)))
        tricks = [rng.choice((0, 1, 3)) for _ in range(players)]
        points = [rng.choice((0, *few)) if number else 0 for number in tricks]
        if players < 5:
            assert cabron_losers(points, tricks, Rules()) == decided_cabron(points, tricks, 100)
        if any(tricks):
            lost = cabrero_losers(points, tricks, frozenset(), None, rng.randrange(3), CABRERO)
            assert lost == decided_cabrero(points, tricks)


@given(seeds)
def test_somebody_always_loses_and_by_seat_only_one(seed: int) -> None:
    rng = Random(seed)
    players = rng.choice((3, 4, 5))
    tricks = [rng.choice((0, 1, 3)) for _ in range(players)]
    tricks[rng.randrange(players)] = 2
    points = [rng.choice((0, 10, 20, 70)) if number else 0 for number in tricks]
    rules = with_switches(CABRERO, random_switches(rng, "cabrero"))
    first = rng.randrange(players)
    lost = cabrero_losers(points, tricks, frozenset(), None, first, rules)
    takers = sum(number > 0 for number in tricks)
    assert 0 < len(lost) < players or takers == players
    by_seat = with_switches(
        rules, {"cabrero_tie": "seat", "zero_point_takers": "by_rank", "loser_rule": "rank"}
    )
    if takers > 1:
        assert len(cabrero_losers(points, tricks, frozenset(), None, first, by_seat)) == 1


@given(deals(["cabron", "cabrero"]), seeds)
def test_finished_hands_have_losers_by_seat_number(deal: Deal, seed: int) -> None:
    rng, position = Random(seed), deal.start()
    while not position.over:
        position = position.play(random_move(rng, position))
    lost = position.losers()
    assert lost <= set(range(1, deal.players + 1))
    if deal.variant.id == "cabron":
        tied = len(set(position.points)) == 1 and deal.rules.all_tied == "none"
        assert lost or tied
        without = {place + 1 for place, number in enumerate(position.tricks) if number == 0}
        assert not without or lost == without
    elif position.showed_tute is None:
        without = {place + 1 for place, number in enumerate(position.tricks) if number == 0}
        alone = len(without) == deal.players - 1
        assert lost == without or (alone and len(lost) == 1) or not lost & without


def test_other_games_have_no_losers() -> None:
    deal = Deal(variant="tute-individual", hands=["oA", "oR", "o3"], trump="c")
    position = deal.start()
    for card in ("Ao", "Ro", "3o"):
        position = position.play(card)
    assert position.over
    assert position.losers() == frozenset()
