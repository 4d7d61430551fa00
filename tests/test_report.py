"""Reports say what was found and nothing else, for every variant and every kind of answer."""

from __future__ import annotations

import dataclasses
import json as plain_json
from random import Random

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rich.console import Console, RenderableType

import tute
from strategies import deals, seeds
from tute.check import check
from tute.notation import Declaration
from tute.report import json, text
from tute.report.bazas import gather
from tute.results import ContractAnswer, MoveValue, Solution, TableRow
from tute.variants import VARIANTS

SOLVED = [name for name, variant in VARIANTS.items() if variant.objectives]


def plain(report: RenderableType) -> str:
    console = Console(width=1000, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(report)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def solved(deal: tute.Deal, objective: str | None = None) -> Solution:
    try:
        return tute.solve(deal, objective=objective, memory=1)
    except tute.QuestionError:
        assume(False)
        raise


@pytest.fixture
def deal() -> tute.Deal:
    return tute.Deal(
        variant="subastado",
        trump="oros",
        hands=["oA7 cRC", "o3R e54", "oC cA3 b4"],
        declarer=1,
        bid=60,
        tricks=[1, 0, 0],
    )


# -------------------------------------------------------------------- lines of play


@given(deals(cards=4), seeds, st.integers(0, 12))
def test_bazas_add_up(deal: tute.Deal, seed: int, skipped: int) -> None:
    rng = Random(seed)
    positions, line = [deal.start()], []
    while not positions[-1].over:
        line.append(rng.choice(positions[-1].legal()))
        positions.append(positions[-1].play(line[-1]))
    skipped = min(skipped, len(line))
    first, last = positions[skipped], positions[-1]
    bazas = gather(first, line[skipped:])
    played = [str(card) for baza in bazas for _, card in baza.cards]
    rest = [move for move in line[skipped:] if not move.startswith(("*", "-"))]
    assert played == [*first.trick, *rest]
    points = first.points
    for baza in bazas:
        gains = [0] * deal.players
        if baza.winner is not None:
            gains[baza.winner] += baza.points
        for event in baza.events:
            gains[event.place] += event.points
        points = tuple(now + gain for now, gain in zip(points, gains, strict=True))
        assert baza.totals == points
    assert points == last.points
    numbers = [baza.number for baza in bazas if baza.winner is not None]
    assert numbers == list(range(sum(first.tricks) + 1, sum(last.tricks) + 1))


def test_a_line_shows_leaders_winners_and_cantes(deal: tute.Deal) -> None:
    shown = plain(text.solution(tute.solve(deal), deal))
    assert shown.endswith(" s")
    assert shown.split("\n\n")[-2].splitlines()[:5] == [
        "baza  leads  cards            wins  points  cantes              1  2+3",
        "2     1      [Ao]  Ro   Co    1         18  20 copas (seat 1)  38    0",
        "3     1       7o  [3o]  Ac    2         21                     38   21",
        "4     2      [5e]  3c   Rc    2         14                     38   35",
        "5     2      [4e]  4b   Cc    2         13                     38   48",
    ]


# -------------------------------------------------------------------- solutions


@given(deals(SOLVED, cards=2), st.sampled_from([None, "points", "difference", "win"]))
def test_every_solution_is_shown(deal: tute.Deal, objective: str | None) -> None:
    answer = solved(deal, objective)
    shape = plain_json.loads(msgspec.json.encode(json.solution(answer)))
    assert shape["value"] == answer.value
    assert [card["card"] for card in shape["cards"]] == [str(move.card) for move in answer.cards]
    assert shape["best"] == [str(move) for move in answer.best]
    shown = plain(text.solution(answer, deal))
    assert shown.count("best") == len(answer.best)
    for move in answer.line:
        assert isinstance(move, Declaration) or move.removeprefix("-") in shown


def test_bounds_are_shown_as_bounds(deal: tute.Deal) -> None:
    exact = tute.solve(deal)
    moves = (MoveValue(exact.cards[0].card, 38, 38), MoveValue(exact.cards[1].card, 20, 65))
    contract = ContractAnswer(60, None, None)
    answer = dataclasses.replace(exact, lower=38, upper=65, cards=moves, line=(), contract=contract)
    shape = json.solution(answer)
    assert (shape["value"], shape["lower"], shape["upper"], shape["exact"]) == (None, 38, 65, False)
    assert shape["best"] == []
    assert shape["cards"] == [
        {"card": "Ao", "value": 38, "lower": 38, "upper": 38},
        {"card": "7o", "value": None, "lower": 20, "upper": 65},
    ]
    shown = plain(text.solution(answer, deal))
    assert "Seat 1 makes 38 to 65." in shown
    assert "Bid 60: not decided." in shown
    assert "20 to 65         not decided" in shown
    assert "proven bounds" in shown


@pytest.mark.parametrize(
    ("objective", "bid", "words"),
    [
        ("points", 60, ["Seat 1 makes 38.", "Bid 60: not made, 22 short.", "best  22 short"]),
        ("points", 30, ["Bid 30: made, 8 to spare.", "made, 8 over", "6 short"]),
        ("difference", 60, ["Seat 1 ends 10 behind.", "-10"]),
        ("win", 30, ["Seat 1 wins.", "Bid 30: made.", "loses"]),
        ("win", 60, ["Seat 1 loses.", "Bid 60: not made."]),
    ],
)
def test_each_objective_in_words(
    deal: tute.Deal, objective: str, bid: int, words: list[str]
) -> None:
    shown = plain(text.solution(tute.solve(deal, objective=objective, bid=bid), deal))
    for word in words:
        assert word in shown


def test_the_value_of_butifarra_has_its_excess_beside_it() -> None:
    deal = tute.Deal(variant="butifarra", trump="none", hands=["o9", "oA", "oR", "oC"])
    answer = tute.solve(deal)
    assert (answer.value, json.solution(answer)["excess"]) == (15, -21)
    assert "Seats 1 and 3 make 15, 21 under 36." in plain(text.solution(answer, deal))


def test_a_trick_in_progress_and_the_points_before(deal: tute.Deal) -> None:
    now = deal.replace(played="7o 3o", points=[30, 10, 5], names=["Ana", "Luis", "Eva"])
    shown = plain(text.solution(tute.solve(now), now))
    assert "         1 Ana  2 Luis  3 Eva\n" in shown
    assert "Baza 2, on the table: Ana 7o, Luis 3o" in shown
    assert "Points so far: Ana: 30, Luis and Eva: 15." in shown
    assert "Eva plays" in shown


def test_text_of_a_file_cannot_steer_a_terminal(deal: tute.Deal) -> None:
    sly = deal.replace(title="\x1b[2J[red]title", names=["[b]A[/b]\x1b[1m", "B\n", "C\r"])
    shown = plain(text.solution(tute.solve(sly), sly))
    assert "\x1b" not in shown
    assert "\r" not in shown
    assert "[2J[red]title" in shown
    assert "[b]A[/b]" in shown


# -------------------------------------------------------------------- other answers


def test_contract(deal: tute.Deal) -> None:
    answer = tute.contract(deal)
    assert json.contract(answer) | {"nodes": 0, "seconds": 0} == {
        "format": "tute.contract.v1",
        "variant": "subastado",
        "trump": "oros",
        "declarer": 1,
        "side": [1],
        "bid": 60,
        "made": False,
        "margin": -22,
        "value": 38,
        "lower": 38,
        "upper": 38,
        "highest_bid": None,
        "line": [str(move) for move in answer.line],
        "nodes": 0,
        "seconds": 0,
    }
    assert "Bid 60: not made, 22 short.\nSeat 1 makes 38." in plain(text.contract(answer, deal))
    proven = dataclasses.replace(answer, bid=45, lower=45, upper=80, made=True, line=())
    assert "Bid 45: made.\nSeat 1 makes 45 to 80." in plain(text.contract(proven, deal))


def test_table(deal: tute.Deal) -> None:
    answer = tute.table(deal)
    rows = plain_json.loads(msgspec.json.encode(json.table(answer, deal)))["rows"]
    assert len(rows) == 12
    assert rows[0] == {
        "declarer": 1,
        "trump": "oros",
        "value": 38,
        "lower": 38,
        "upper": 38,
        "highest_bid": None,
    }
    cells = (TableRow(1, "o", 95, 95, 95), TableRow(1, "c", 3, 50, None))
    shown = plain(text.table(dataclasses.replace(answer, rows=cells), deal))
    assert "Seat 1  95  (95)  3 to 50   (-)\n" in shown
    assert "proven bounds" in shown


def test_table_of_pairs() -> None:
    deal = tute.Deal(variant="butifarra", hands=["o9", "oA", "oR", "oC"])
    shown = plain(text.table(tute.table(deal), deal))
    assert "oros  copas  espadas  bastos  none\nSeats 1 and 3" in shown
    shape = plain_json.loads(msgspec.json.encode(json.table(tute.table(deal), deal)))
    trumps = [row["trump"] for row in shape["rows"]]
    assert trumps == ["oros", "copas", "espadas", "bastos", "none"] * 2


@given(deals(with_record=True), seeds)
def test_every_verdict_is_shown(deal: tute.Deal, seed: int) -> None:
    rng = Random(seed)
    if deal.played and rng.random() < 0.5:
        moves = list(deal.played)
        rng.shuffle(moves)
        deal = deal.replace(played=moves)
    verdict = check(deal)
    shape = plain_json.loads(msgspec.json.encode(json.verdict(verdict)))
    shown = plain(text.verdict(verdict))
    assert shape["legal"] is verdict.legal is shown.startswith("Legal")
    if verdict.refusal is None:
        assert sum(shape["totals"]) == sum(shape["points"])
        assert shape["over"] is ("The hand is over." in shown)
    else:
        assert shape["card"] == str(deal.played[shape["index"]])
        assert f"plays {shape['card']}." in shown
        assert (shape["duty"] is not None) is ("A renuncio." in shown)
