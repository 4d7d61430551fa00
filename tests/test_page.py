"""The page of a hand: its data against the positions, and the page itself in a real browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from strategies import random_game_deal, random_record, seeds
from tute.cards import SUIT_NAMES, SUITS, Card
from tute.deal import Deal
from tute.explain import explain
from tute.notation import Move
from tute.position import Position
from tute.report import lesson, page_data
from tute.report import page as page_module
from tute.report import review as review_report
from tute.report.bazas import on_table
from tute.report.page import Problem, Remark, Summary, page
from tute.report.page_data import MovesOfAPage, PointsChoices, State, Step
from tute.report.parts import Seats, sides_of, total
from tute.results import Moment, MoveValue, Review, SafetyReview, Solution, Walk
from tute.review import review
from tute.solve import solve
from tute.variants import VARIANTS, Objective
from tute.walk import walk
from tute_cli.main import main
from tute_cli.show import write_page

EXAMPLES = Path(__file__).parent.parent / "examples"
WEB = Path(page_module.__file__).parent / "web"
TWO_SIDED = [variant.id for variant in VARIANTS.values() if variant.objectives]
HOSTILE = "</script><script>window.hit=1</script><img src=x onerror='window.hit=1'>{{7*7}}\"'\u2028"


def example(name: str, **changes: Any) -> Deal:
    deal = Deal.read(EXAMPLES / name)
    return deal.replace(**changes) if changes else deal


def walked(deal: Deal, **limits: Any) -> Walk:
    """The record of a deal and best play after it."""
    objective = limits.get("objective")
    return walk(deal, solve(deal, objective=objective).line, **limits)


def stock_deal() -> Deal:
    """A game with a stock in which cards are drawn, exchanged and declared."""
    return Deal(
        variant="habanero",
        hands=["oA5 eC7", "oR cA bR3"],
        stock="Re 2e 7b 7c Co Se",
        tricks=[1, 1],
        cantes="explicit",
    )


GAMES: dict[str, Callable[[], Walk]] = {
    "subastado": lambda: walked(example("record-subastado.toml", names=["Ana", "Berta", "Eva"])),
    "butifarra": lambda: walked(example("butifarra.toml")),
    "tute": lambda: walked(example("tute.toml")),
    "guinote": lambda: walked(example("guinote-arrastre.toml")),
    "cuatrola contract": lambda: walked(example("cuatrola-contract.toml")),
    "stock": lambda: walked(stock_deal()),
    "from mid-trick on": lambda: replace(game("subastado"), moments=game("subastado").moments[4:]),
    "widow": lambda: walked(
        Deal(
            variant="subastado",
            hands=["oA3 cRC", "oR5 e76", "oC7 cA3"],
            trump="oros",
            declarer=1,
            widow="7c",
            tricks=[1, 0, 0],
            rules={"subastado_widow": True},
        )
    ),
}
_WALKS: dict[str, Walk] = {}


def game(name: str) -> Walk:
    """One of the games; each is solved once."""
    if name not in _WALKS:
        _WALKS[name] = GAMES[name]()
    return _WALKS[name]


def page_of(
    hand: Walk,
    *,
    title: str = "A hand",
    summary: Summary | None = None,
    remarks: Sequence[Remark] | None = None,
    problem: Problem | None = None,
) -> str:
    return page(
        hand,
        title=title,
        summary=summary or Summary(),
        remarks=[Remark() for _ in hand.moments] if remarks is None else remarks,
        problem=problem,
    )


def data_of(text: str) -> Any:
    """The hand that stands in a page."""
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text)
    return json.loads(found)


# -------------------------------------------------------------------- the data


def apply(state: State, step: Step, deck: Sequence[Card]) -> State:
    """The state after a step, by nothing but what the step says."""
    assert state.turn is not None
    hands = [set(hand) for hand in state.hands]
    for place, card in step.came:
        hands[place].add(card)
    for place, card in step.gone:
        hands[place].remove(card)
    trick = list(state.trick)
    if step.lays:
        laid = Card(step.move)
        hands[state.turn].remove(laid)
        trick.append((state.turn, laid))
    stock = list(state.stock[step.drawn :])
    if step.turned is not None:
        stock[-1] = step.turned
    return State(
        hands=tuple(tuple(card for card in deck if card in hand) for hand in hands),
        trick=() if step.taken is not None else tuple(trick),
        turn=step.turn,
        trump=step.trump or state.trump,
        stock=tuple(stock),
        aside=None if state.aside in {card for _, card in step.came} else state.aside,
        points=step.points or state.points,
        tricks=step.tricks or state.tricks,
    )


def shown(value: int, objective: Objective) -> str:
    """A value as a page writes it."""
    if objective == "win":
        return {1: "win", 0: "draw", -1: "loss"}[value]
    signed = f"{value:+d}" if objective == "difference" and value else str(value)
    return signed.replace("-", "−")


def play(position: Position, line: Sequence[Move]) -> Position:
    for move in line:
        position = position.play(move)
    return position


@given(seeds, st.sampled_from(TWO_SIDED))
@settings(max_examples=120)
def test_steps_lead_through_the_hand_and_through_every_line(seed: int, variant: str) -> None:
    rng = Random(seed)
    deal = random_record(rng, random_game_deal(rng, variant, rng.randint(2, 4)), 12)
    wanted = rng.choice(VARIANTS[variant].objectives[:2])
    hand = walked(deal, objective="win" if deal.game().vuelta else wanted)
    if not hand.moments:
        return
    start = hand.moments[0].position
    game, seats = start.game, Seats(deal)
    moves = MovesOfAPage(game)
    kind = PointsChoices(hand, seats, moves)
    made = [(moment.move, moment.position) for moment in hand.moments]
    ends = [*(moment.position for moment in hand.moments[1:]), hand.end]

    state = moves.state(start)
    cantes: set[str] = set()
    for step, end in zip(moves.steps(made, hand.end), ends, strict=True):
        before, state = state, apply(state, step, game.deck.cards)
        for side, cante in step.cantes:
            cantes.add(cante[3])
            if step.lays:  # the second card of a pair, under `cante_timing = at_second_card`
                assert (before.turn or 0) + 1 in sides_of(game)[side]
            else:
                assert state.points[side] - before.points[side] == int(cante[1:3])
        assert state == moves.state(end)
        assert state.points == tuple(total(end.points, side) for side in sides_of(game))
    assert cantes == hand.end.declared - start.declared

    for moment in hand.moments:
        choice = kind.choice(moment, (), decisive=False)
        answers = {str(answer.card): answer for answer in moment.solution.cards}
        assert [option.move for option in choice.options] == list(answers)
        for option, line in zip(choice.options, moment.lines, strict=True):
            value = answers[option.move].value
            assert value is not None
            assert option.label == shown(value, hand.objective)
            if option.move == moment.move:
                assert option.line == ()
                continue
            assert [step.move for step in option.line] == list(line)
            state = moves.state(moment.position)
            for step in option.line:
                state = apply(state, step, game.deck.cards)
            assert state == moves.state(play(moment.position, line))
            assert state.turn is None
            if hand.objective == "points":
                mine = {n for n, side in enumerate(sides_of(game)) if set(side) <= set(hand.side)}
                assert sum(state.points[n] for n in mine) == int(option.label)


def test_a_move_that_costs_is_marked_with_its_cost() -> None:
    hand = walked(example("record-subastado.toml"))
    data = data_of(page_of(hand))
    for moment, choice in zip(hand.moments, data["choices"], strict=True):
        best = moment.solution.value
        assert best is not None
        assert choice["value"] == str(best)
        for answer, option in zip(moment.solution.cards, choice["options"], strict=True):
            assert answer.value is not None
            cost = abs(best - answer.value)
            assert option["mark"] == (f"▾{cost}" if cost else "★")
            assert option["grade"] == ("worse" if cost else "best")
    said = data["choices"][9]["says"]
    assert said == [
        "Seat 2 plays the rey of oros.",
        "It costs 7 points.",
        "Better: three of espadas, caballo of bastos, four of bastos.",
    ]
    assert data["end"]["value"] == "74"
    assert data["level"] == {"height": 80, "label": "bid 80"}


@pytest.mark.parametrize(
    ("changes", "has"), [({}, True), ({"seat": 1}, False), ({"bid": None}, False)]
)
def test_the_bid_is_a_level_of_the_declarers_points_only(
    changes: dict[str, Any], has: bool
) -> None:
    hand = walk(example("record-subastado.toml", **changes))
    assert (data_of(page_of(hand))["level"] is not None) == has


@pytest.mark.parametrize(
    ("objective", "label", "value"), [("difference", "+18", 74), ("win", "loss", 74)]
)
def test_values_of_other_objectives_in_words(objective: str, label: str, value: int) -> None:
    hand = walk(example("record-subastado.toml"), objective=objective)
    data = data_of(page_of(hand))
    assert data["end"]["value"] == label
    assert data["end"]["head"] == "The hand is over."
    assert total(hand.end.points, hand.side) == value
    if objective == "win":
        before, after = data["choices"][9], data["choices"][10]
        assert (before["value"], after["value"]) == ("win", "loss")
        assert "It changes the result from “win” to “loss”." in before["says"]


def test_a_limit_leaves_bounds_and_no_lines() -> None:
    hand = walk(example("record-subastado.toml"), time_limit=0)
    choice = data_of(page_of(hand))["choices"][0]
    first = hand.moments[0].solution
    assert first.lower < first.upper
    assert choice["value"] == f"{first.lower}–{first.upper}"
    assert choice["height"] is None
    assert {option["grade"] for option in choice["options"]} == {"unknown"}
    assert not any("line" in option for option in choice["options"])
    assert "What it costs is not proven." in choice["says"]


@pytest.mark.parametrize("name", ["butifarra.toml", "habanero-last-eight.toml"])
def test_a_hand_of_which_nothing_was_played(name: str) -> None:
    text = page_of(walk(example(name)))
    data = data_of(text)
    assert data["choices"] == data["steps"] == []
    assert data["end"]["head"] == "The record ends here."
    assert 'id="graph"' not in text
    assert 'id="moves"' not in text


def test_there_is_a_remark_for_each_moment() -> None:
    hand = walk(example("record-subastado.toml"))
    with pytest.raises(ValueError, match="zip"):
        page_of(hand, remarks=[Remark()])


def test_the_list_of_moves_tells_the_record_from_best_play() -> None:
    record = example("record-subastado.toml")
    cut = record.replace(played=record.played[:8], result=None)
    text = page_of(walked(cut))
    titles = re.findall(r"<h3>(.*?)</h3>", text)
    assert titles[:5] == ["Baza 1", "Baza 2", "Baza 3", "Baza 3, best play", "Baza 4, best play"]
    assert len(re.findall(r'<a href="#\d+"', text)) == 36


# -------------------------------------------------------------------- the document


class Document(HTMLParser):
    """The elements of a page: that they are closed in order, their ids and what refers to them."""

    VOID = frozenset({"meta", "link"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value or "")
            elif (tag == "use" and name == "href") or name == "aria-labelledby":
                self.references.add((value or "").removeprefix("#"))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


PROBLEM = Problem("Seat 1 to lead: hold the declarer to 79.", ("A first hint.", "A second hint."))


@pytest.mark.parametrize("problem", [None, PROBLEM])
@pytest.mark.parametrize("name", ["subastado", "butifarra", "guinote"])
def test_the_document_is_whole_and_loads_nothing(name: str, problem: Problem | None) -> None:
    text = page_of(
        game(name),
        summary=Summary(("One.", "Two."), ("player", "cost"), (("seat 1", "2"), ("seat 2", "7"))),
        problem=problem,
    )
    document = Document(text)
    assert len(document.ids) == len(set(document.ids))
    assert document.references <= set(document.ids)
    assert not [attribute for attribute in document.attributes if attribute[1].startswith("on")]
    assert not [a for a in document.attributes if a[1] in ("src", "srcset", "action", "style")]
    links = {value for tag, name, value in document.attributes if name == "href"}
    assert all(link.startswith("#") or link == "data:," for link in links)
    # The only address is the name of SVG, which nothing is loaded from.
    assert set(re.findall(r"\w+://[^\s\"']+", text)) == {"http://www.w3.org/2000/svg"}
    assert "url(" not in text
    assert "@import" not in text


def test_a_page_is_small_but_for_its_hand() -> None:
    text = page_of(game("butifarra"))
    hand = r'<script type="application/json".*?</script>|<div id="bazas">.*?</div>'
    rest, found = re.subn(hand, "", text, flags=re.DOTALL)
    assert found == 2
    assert len(rest.encode()) < 60_000


@pytest.mark.parametrize(
    "name", ["butifarra.toml", "tute.toml", "cuatrola.toml", "guinote-arrastre.toml"]
)
def test_every_card_of_the_deck_is_drawn_with_its_pips(name: str) -> None:
    hand = walk(example(name))
    text = page_of(hand)
    drawn = dict(re.findall(r'<symbol id="card-(\w+)">(.*?)</symbol>', text, re.DOTALL))
    numbers = {"A": "1", "S": "10", "C": "11", "R": "12"}
    assert set(drawn) == set(hand.end.game.deck.cards)
    for card in hand.end.game.deck.cards:
        large, small = drawn[card].split("</g>")
        number = numbers.get(card.rank, card.rank)
        assert f'href="#frame-{card.suit}"' in drawn[card]
        assert large.count(f'href="#suit-{card.suit}"') == (
            int(card.rank) if card.rank.isdecimal() else 1
        )
        assert f">{number}</text>" in large
        assert f">{number}</text>" in small
        assert (f'href="#figure-{card.rank}"' in large) == (card.rank in "SCR")
        assert (f">{card.rank}</text>" in large) == (card.rank in {*"ASCR", number})
    for suit, breaks in zip(SUITS, (0, 1, 2, 3), strict=True):
        frame = re.search(rf'<symbol id="frame-{suit}".*?</symbol>', text, re.DOTALL)
        assert frame is not None
        assert frame[0].count("<path") == breaks


def _light(colour: str) -> float:
    parts = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1])
def test_text_has_the_contrast_that_wcag_asks_for(scheme: int) -> None:
    style = (WEB / "page.css").read_text()
    light, dark, *_ = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#\w{6});", light))
    if scheme:
        colours |= dict(re.findall(r"--([\w-]+): (#\w{6});", dark))
    text = [("ink", "paper"), ("ink", "sheet"), ("soft", "paper"), ("soft", "sheet")]
    text += [("accent", "sheet"), ("accent", "paper"), ("on-felt", "felt"), ("on-felt", "box")]
    text += [(grade, "label") for grade in ("best", "worse", "unknown")]
    text += [("worse", "paper"), ("worse", "sheet"), ("level", "sheet"), ("unknown", "paper")]
    shapes = [("mark", "box"), ("mark", "felt"), ("level", "paper")]
    for pairs, least in ((text, 4.5), (shapes, 3.0)):
        for one, other in pairs:
            low, high = sorted((_light(colours[one]), _light(colours[other])))
            assert (high + 0.05) / (low + 0.05) >= least, (one, other)


# -------------------------------------------------------------------- in a browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# What a reader sees of the table.
SEEN = """() => ({
    hash: location.hash,
    counter: document.getElementById("counter").textContent,
    hands: [...document.querySelectorAll(".seat")].map((seat) =>
        [...seat.querySelectorAll(".cards use")].map((use) => use.getAttribute("href").slice(6))),
    turn: [...document.querySelectorAll(".seat.turn")].map((seat) => Number(seat.dataset.seat)),
    trick: [...document.querySelectorAll(".trick use")].map((use) =>
        use.getAttribute("href").slice(6)),
    taker: [...document.querySelectorAll(".taker .who")].map((who) => who.textContent),
    stock: [...document.querySelectorAll("#stock:not([hidden]) use")].map((use) =>
        use.getAttribute("href").slice(6)),
    options: Object.fromEntries([...document.querySelectorAll(".option")].map((option) => [
        option.dataset.move,
        [option.querySelector("b").textContent, option.querySelector("i").textContent,
            option.classList.contains("played"), option.disabled]])),
    score: [...document.querySelectorAll("#sides tr")].map((row) =>
        [...row.querySelectorAll("td")].slice(0, 2).map((cell) => Number(cell.textContent))),
    value: document.getElementById("value").textContent,
    texts: [...document.querySelectorAll("#texts p")].map((text) => text.textContent),
    banner: !document.getElementById("banner").hidden,
    heard: document.getElementById("live").textContent,
    overflow: document.documentElement.scrollWidth - window.innerWidth,
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's chromium; without it the tests are left out, but for where all must run."""
    if CHROMIUM is None:
        message = "no chromium: the page cannot be looked at"
        if os.environ.get("CI", "") not in ("", "0", "false"):
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield launched
        launched.close()


@dataclass(frozen=True)
class Reader:
    """A page that is open in a browser."""

    page: Page

    def seen(self) -> Any:
        return self.page.evaluate(SEEN)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def click(self, selector: str) -> None:
        self.page.click(selector, timeout=3000)

    def visible(self, selector: str) -> bool:
        return self.page.locator(selector).first.is_visible()


Opened = Callable[..., Reader]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """Opens pages from disk; whatever goes wrong in them, or is asked for elsewhere, fails."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []
    wanted: list[str] = []

    def open_(text: str, *, hash: str = "", **options: Any) -> Reader:
        file = tmp_path / f"{len(contexts)}.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        context.set_default_timeout(5000)
        contexts.append(context)
        shown = context.new_page()
        shown.on("console", lambda message: wrong.append(f"{message.type}: {message.text}"))
        shown.on("pageerror", lambda error: wrong.append(str(error)))
        shown.on("requestfailed", lambda request: wrong.append(f"failed: {request.url}"))
        shown.on("request", lambda request: wanted.append(request.url.partition("#")[0]))
        shown.goto(file.as_uri() + hash)
        return Reader(shown)

    yield open_
    own = {(tmp_path / f"{number}.html").as_uri() for number in range(len(contexts))}
    for context in contexts:
        context.close()
    assert wrong == []
    assert set(wanted) == own


def test_the_games_have_what_pages_find_hard() -> None:
    moves = {str(moment.move) for name in GAMES for moment in game(name).moments}
    assert {"-7c", "*7"} <= moves
    assert any(move.startswith("*20") for move in moves)
    assert any(move.startswith("*40") for move in moves)
    # A card is led that is drawn only after what else could have been declared.
    assert any(
        card_of not in moment.position.hands[moment.position.turn]
        for moment in game("stock").moments
        for card_of in (answer.card for answer in moment.solution.cards)
        if isinstance(card_of, Card)
    )
    assert game("cuatrola contract").end.game.asleep is not None


@pytest.mark.parametrize("name", GAMES)
def test_every_step_shows_the_position_and_every_value(opened: Opened, name: str) -> None:
    hand = game(name)
    sides = sides_of(hand.end.game)
    reader = opened(page_of(hand))
    completed: list[Card] = []
    positions = [*(moment.position for moment in hand.moments), hand.end]
    for number, position in enumerate(positions):
        seen = reader.seen()
        assert seen["counter"] == f"{number} of {len(hand.moments)}"
        assert seen["hands"] == [list(cards) for cards in position.hands]
        assert seen["stock"] == list(position.stock)
        assert seen["turn"] == ([] if position.over else [position.turn + 1])
        assert seen["score"] == [
            [total(position.points, side), total(position.tricks, side)] for side in sides
        ]
        lying = [card for _, card in on_table(position)] or completed
        if not position.to_discard:
            assert seen["trick"] == lying
        taker = position.took_last if not position.trick and completed else None
        assert len(seen["taker"]) == (taker is not None)
        assert seen["overflow"] <= 0
        if number == len(hand.moments):
            assert seen["options"] == {}
            final = hand.moments[-1].played.value
            assert final is not None
            assert seen["value"] == f"Value: {shown(final, hand.objective)}"
            break
        moment = hand.moments[number]
        best = moment.solution.value
        assert best is not None
        expected = {}
        for answer in moment.solution.cards:
            assert answer.value is not None
            cost = abs(best - answer.value)
            label = shown(answer.value, hand.objective)
            mark = f"▾{cost}" if cost else "★"
            expected[answer.card] = [label, mark, answer.card == moment.move, False]
        assert seen["options"] == expected
        costs = [text for text in seen["texts"] if text.startswith("It costs")]
        unit = "point" if moment.cost == 1 else "points"
        assert costs == ([f"It costs {moment.cost} {unit}."] if moment.cost else [])
        if isinstance(moment.move, Card):
            completed = [card for _, card in on_table(position)] + [moment.move]
        reader.press("ArrowRight")


def test_ways_to_move_about(opened: Opened) -> None:
    hand = game("subastado")
    reader = opened(page_of(hand), hash="#7")
    assert reader.seen()["hash"] == "#7"
    assert reader.seen()["counter"] == "7 of 36"
    for action, value, number in (
        (reader.press, "ArrowLeft", 6),
        (reader.click, "#back", 5),
        (reader.click, "#next", 6),
        (reader.press, "End", 36),
        (reader.press, "ArrowRight", 36),
        (reader.press, "Home", 0),
        (reader.press, "ArrowLeft", 0),
        (reader.click, "#last", 36),
        (reader.click, "#first", 0),
        (reader.click, '#bazas a[href="#12"]', 12),
        (reader.click, ".option.played", 13),
    ):
        action(value)
        assert reader.seen()["counter"] == f"{number} of 36", value
        assert reader.seen()["hash"] == f"#{number}"
    assert reader.page.locator('#bazas a[aria-current="step"]').get_attribute("href") == "#13"
    reader.press("Control+ArrowLeft")
    assert reader.seen()["counter"] == "13 of 36"
    reader.page.reload()
    assert reader.seen()["counter"] == "13 of 36"


def test_a_swipe_steps(opened: Opened) -> None:
    reader = opened(
        page_of(game("subastado")),
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
    )
    session = reader.page.context.new_cdp_session(reader.page)

    def swipe(start: tuple[int, int], end: tuple[int, int]) -> None:
        for kind, points in (
            ("touchStart", [start]),
            ("touchMove", [end]),
            ("touchEnd", []),
        ):
            touches = [{"x": x, "y": y} for x, y in points]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    box = reader.page.locator("#middle").bounding_box()
    assert box is not None
    x, y = int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] / 2)
    swipe((x + 70, y), (x - 70, y))
    assert reader.seen()["counter"] == "1 of 36"
    swipe((x + 70, y), (x - 70, y))
    swipe((x - 70, y), (x + 70, y))
    assert reader.seen()["counter"] == "1 of 36"
    swipe((x, y), (x + 20, y))
    swipe((x, y), (x - 60, y + 90))
    assert reader.seen()["counter"] == "1 of 36"


def test_what_if_walks_down_a_line_and_back(opened: Opened) -> None:
    hand = game("subastado")
    moment = hand.moments[9]
    reader = opened(page_of(hand), hash="#9")
    for answer, line in zip(moment.solution.cards, moment.lines, strict=True):
        if answer.card == moment.move:
            continue
        reader.click(f'.option[data-move="{answer.card}"]')
        seen = reader.seen()
        assert seen["banner"]
        assert seen["counter"] == f"1 of {len(line)}"
        assert seen["options"] == {}
        assert seen["value"] == f"Value: {answer.value}"
        assert reader.page.evaluate("document.activeElement.id") == "leave"
        after = moment.position.play(answer.card)
        assert seen["hands"] == [list(cards) for cards in after.hands]
        reader.press("End")
        seen = reader.seen()
        assert seen["counter"] == f"{len(line)} of {len(line)}"
        # Seat 2 declares; its side stands second.
        assert seen["score"][1][0] == answer.value
        assert sum(points for points, _ in seen["score"]) == sum(play(moment.position, line).points)
        reader.press("Home")
        assert reader.seen()["hands"] == [list(cards) for cards in moment.position.hands]
        if answer.card == moment.solution.cards[0].card:
            reader.press("Escape")
        else:
            reader.click("#leave")
        seen = reader.seen()
        assert not seen["banner"]
        assert seen["counter"] == "9 of 36"
        assert len(seen["options"]) == len(moment.solution.cards)
    banner = reader.page.locator("#banner-text")
    reader.page.focus(f'.option[data-move="{moment.solution.cards[0].card}"]')
    reader.press("Enter")
    assert banner.text_content() == (
        "What if: Berta plays the three of espadas. Value 81, with best play after it."
    )


def test_the_graph_marks_the_moments_and_jumps_to_them(opened: Opened) -> None:
    hand = game("subastado")
    remarks = [Remark(("It matters.",), True) if n in (9, 20) else Remark() for n in range(36)]
    reader = opened(page_of(hand, remarks=remarks))
    dots = reader.page.locator("#graph a")
    values = [moment.solution.value for moment in hand.moments] + [hand.moments[-1].played.value]
    assert [dot.get_attribute("aria-label") for dot in dots.all()] == [
        f"Move {n}: {value}" + (" (decisive)" if n in (9, 20) else "")
        for n, value in enumerate(values)
    ]
    assert reader.page.locator("#graph .dot.decisive").count() == 2
    assert reader.page.locator("#graph .level-text").text_content() == "bid 80"
    assert reader.page.locator("#bazas li.decisive").count() == 2
    # Higher values stand higher, and the bid between the values around it.
    heights = reader.page.evaluate(
        """() => [...document.querySelectorAll("#graph a .reach")].map((c) => c.cy.baseVal.value)"""
    )
    for one, low in zip(values, heights, strict=True):
        for other, high in zip(values, heights, strict=True):
            assert one is not None
            assert other is not None
            assert (one < other) == (low > high)
    level = reader.page.locator("#graph .level").get_attribute("d") or ""
    across = float(level.split()[1].partition("H")[0])
    assert min(heights) < across < max(heights)
    reader.page.locator('#graph a[data-step="20"]').click()
    seen = reader.seen()
    assert seen["counter"] == "20 of 36"
    assert "It matters." in seen["texts"]
    assert reader.page.locator("#graph a.current").get_attribute("data-step") == "20"


def test_a_problem_gives_nothing_away_before_it_is_solved(opened: Opened) -> None:
    hand = game("subastado")
    summary = Summary(("The declarer makes 81.",))
    remarks = [Remark(("It matters.",), True) for _ in hand.moments]
    text = page_of(hand, summary=summary, remarks=remarks, problem=PROBLEM)
    reader = opened(text, hash="#9")
    hidden = ("#summary", "#moment", "#graph", "#controls", "#moves", ".meaning", "#banner")
    start = hand.moments[0].position
    for key in (None, "ArrowRight", "End"):
        if key is not None:
            reader.press(key)
        seen = reader.seen()
        assert seen["hands"] == [list(cards) for cards in start.hands]
        assert seen["options"] == {}
        assert seen["value"] == ""
        assert seen["heard"] == ""
        assert not any(reader.visible(selector) for selector in hidden)
        assert reader.page.locator("#graph svg").count() == 0
    shown = reader.page.locator("body").inner_text()
    assert PROBLEM.question in shown
    assert "81" not in shown
    assert not reader.visible("#hints li")
    reader.click("#hint")
    assert [hint.is_visible() for hint in reader.page.locator("#hints li").all()] == [True, False]
    reader.click("#hint")
    assert [hint.is_visible() for hint in reader.page.locator("#hints li").all()] == [True, True]
    assert reader.page.locator("#hint").is_disabled()
    reader.click("#solve")
    assert not reader.visible("#solve")
    assert all(reader.visible(selector) for selector in hidden[:-1])
    reader.press("Home")
    assert reader.seen()["options"]
    reader.press("ArrowRight")
    assert reader.seen()["counter"] == "1 of 36"


@pytest.mark.parametrize("name", ["subastado", "butifarra", "cuatrola contract", "stock"])
def test_no_sideways_scrolling(opened: Opened, name: str) -> None:
    hand = game(name)
    long = "Maximiliano de la Torre y Castellanos" + 60 * "x"
    deal = hand.deal.replace(names=[long] * hand.deal.players)
    summary = Summary(
        (f"{long} " * 3,), ("player", *["a long word"] * 6), ((long, *["100,0 %"] * 6),)
    )
    reader = opened(page_of(replace(hand, deal=deal), title=long * 3, summary=summary))
    for width in (320, 360, 800, 1100):
        reader.page.set_viewport_size({"width": width, "height": 740})
        for key in ("Home", "ArrowRight", "ArrowRight", "End"):
            reader.press(key)
            assert reader.seen()["overflow"] <= 0, width


def test_five_players_fit_on_a_phone(opened: Opened) -> None:
    deal = random_game_deal(Random(7), "cabrero", 8, 5, switches={"tute": "none"}, history=False)
    position = deal.start()
    moments = []
    while not position.over:
        move = position.legal()[0]
        values = tuple(MoveValue(move, 0, 1) for move in position.legal())
        solution = Solution(position, "points", 1, (1,), 0, 1, values, (), None, 0, 0.0)
        moments.append(Moment(None, move, solution, ((),) * len(values)))
        position = position.play(move)
    hand = Walk(deal, "points", 1, (1,), tuple(moments), position, 0, 0.0)
    reader = opened(page_of(hand), viewport={"width": 360, "height": 740})
    for number, moment in enumerate(moments):
        seen = reader.seen()
        assert seen["hands"] == [list(cards) for cards in moment.position.hands]
        assert seen["overflow"] <= 0
        assert all(off for _, _, played, off in seen["options"].values() if not played)
        if number == 9:
            assert len(seen["trick"]) == 4
        reader.press("ArrowRight")
    boxes = [seat.bounding_box() for seat in reader.page.locator(".seat").all()]
    assert len({(box["x"], box["y"]) for box in boxes if box is not None}) == 5


def test_dark_and_light(opened: Opened) -> None:
    text = page_of(game("subastado"))
    colours = {
        scheme: opened(text, color_scheme=scheme).page.evaluate(
            "() => [getComputedStyle(document.body).backgroundColor,"
            " getComputedStyle(document.body).color]"
        )
        for scheme in ("light", "dark")
    }
    assert colours["light"][0] == "rgb(247, 243, 232)"
    assert colours["dark"][0] == "rgb(23, 21, 17)"
    assert colours["light"][1] != colours["dark"][1]


def test_hostile_texts_are_shown_as_they_are(opened: Opened) -> None:
    hand = game("subastado")
    deal = hand.deal.replace(title=HOSTILE, names=[HOSTILE, "{player}", "$& ${x} `b`"])
    text = page_of(
        replace(hand, deal=deal),
        title=HOSTILE + "!",
        summary=Summary((HOSTILE,), (HOSTILE,), ((HOSTILE,),)),
        remarks=[Remark((HOSTILE,), True) for _ in hand.moments],
        problem=Problem(HOSTILE, (HOSTILE,)),
    )
    reader = opened(text)
    reader.click("#hint")
    reader.click("#solve")
    clean = HOSTILE.replace("\u2028", " ")
    for number in (0, 1, 9, 10):
        reader.click(f'#bazas a[href="#{number}"]')
        assert HOSTILE in reader.seen()["texts"]
        reader.click(".option:not(.played)")
        assert reader.seen()["banner"]
        reader.click("#leave")
        assert reader.page.evaluate("window.hit") is None
    shown = reader.page.locator("body").inner_text()
    assert "49" not in reader.page.locator("h1").inner_text()
    assert clean.strip() in shown
    assert reader.page.locator("h1").inner_text() == f"{clean}!"
    names = [head.inner_text() for head in reader.page.locator(".seat h2").all()]
    assert "{player}" in names[1]
    assert "$& ${x} `b`" in names[2]
    assert "{player}" in reader.page.locator("#sides").inner_text()


def test_without_a_script_the_deal_and_the_moves_are_there(opened: Opened) -> None:
    hand = game("subastado")
    remarks = [Remark(("It matters.",), True) if n == 9 else Remark() for n in range(36)]
    reader = opened(page_of(hand, remarks=remarks), java_script_enabled=False)
    assert reader.visible("noscript p")
    assert reader.visible("#deal")
    assert not reader.visible("#controls")
    moves = reader.page.locator("#bazas li")
    assert moves.count() == 36
    assert " ".join((moves.nth(9).inner_text()).split()) == (
        "Berta rey of oros ▾7 ◆ decisive "
        "It costs 7 points. Better: three of espadas, caballo of bastos, four of bastos. "
        "It matters."
    )
    rows = reader.page.locator("#deal tbody tr")
    assert rows.nth(1).inner_text().split("\t") == ["2 Berta", "A 3 R 7 4", "7", "A 3 6 5", "C 4"]


def test_in_print_there_are_the_deal_and_the_moves_and_no_buttons(opened: Opened) -> None:
    reader = opened(page_of(game("subastado")))
    assert not reader.visible("#deal")
    reader.page.emulate_media(media="print")
    assert reader.visible("#deal")
    assert reader.visible("#bazas .texts")
    assert reader.visible("#graph")
    assert not any(button.is_visible() for button in reader.page.locator("button").all())
    assert len(reader.page.pdf()) > 10_000


def test_what_is_heard(opened: Opened) -> None:
    hand = game("subastado")
    reader = opened(page_of(hand))
    assert reader.seen()["heard"] == ""
    reader.press("ArrowRight")
    assert reader.seen()["heard"] == ("Ana plays the sota of oros. Baza 1: Berta to play Value: 81")
    reader.press("ArrowRight")
    reader.press("ArrowRight")
    assert reader.seen()["heard"].startswith(
        "Eva plays the five of oros. Berta takes the baza. Baza 2: Berta to lead"
    )
    names = reader.page.evaluate(
        """() => [...document.querySelectorAll("button, svg[role=img], section, #graph a")]
            .filter((e) => !(e.getAttribute("aria-label") || e.textContent).trim())
            .map((e) => e.outerHTML)"""
    )
    assert names == []
    card = reader.page.locator('.seat .card[aria-label="ace of espadas"]')
    assert card.count() == 1
    option = reader.page.locator('.option[data-move="3o"]').get_attribute("aria-label")
    assert option == "Three of oros: 81, none is better. (played)"


def test_cantes_stand_in_the_score(opened: Opened) -> None:
    hand = game("tute")
    reader = opened(page_of(hand))
    reader.press("End")
    shown = " ".join(reader.page.locator("#sides td:last-child").all_inner_texts())
    cantes = [str(m.move) for m in hand.moments if str(m.move).startswith("*")]
    assert len(cantes) >= 2
    for cante in cantes:
        suit = SUIT_NAMES[cante[3:] or hand.end.trump or ""]
        assert f"{cante[1:3]} in {suit}" in shown


def test_the_page_is_wholly_in_the_readers_language(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a language in which every text stands in brackets, no letter is outside them."""
    hand = game("subastado")
    for module in (page_module, page_data):
        monkeypatch.setattr(module, "say", lambda text: f"«{text}»")
    monkeypatch.setattr(page_data, "count", lambda one, several, n: f"«{several}»")
    monkeypatch.setattr(page_data, "word", lambda of, text: f"«{text}»")
    monkeypatch.setattr(page_module, "spoken", lambda: "xx")
    remarks = [Remark(("«x»",), n == 9) for n in range(36)]
    text = page_of(hand, title="«x»", remarks=remarks, problem=Problem("«x»", ("«x»",)))
    reader = opened(text)
    assert reader.page.locator("html").get_attribute("lang") == "xx"
    reader.click("#hint")
    reader.click("#solve")
    seats = Seats(hand.deal)
    given = {"Ana", "Berta", "Eva", hand.deal.title, hand.deal.variant.title}
    given |= {seats.several(side) for side in sides_of(hand.end.game)}
    given |= {"triunfo", *SUIT_NAMES.values(), *"ASCR"}
    found = """() => {
        const texts = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            if (!node.parentElement.closest("script, style, noscript")) texts.push(node.data);
        }
        for (const e of document.querySelectorAll("[aria-label]")) texts.push(e.ariaLabel);
        return texts;
    }"""

    def strange() -> set[str]:
        outside = set()
        for shown in reader.page.evaluate(found):
            rest = shown
            while (shorter := re.sub(r"«[^«»]*»", "", rest)) != rest:
                rest = shorter
            for name in sorted(given, key=len, reverse=True):
                rest = re.sub(rf"\b{re.escape(name)}\b", "", rest)
            if re.search(r"[^\W\d_]", rest):
                outside.add(shown)
        return outside

    for number in (0, 9, 35, 36):
        reader.page.evaluate(f"location.hash = '#{number}'")
        reader.page.wait_for_function(
            f"() => document.getElementById('counter').textContent.includes('{number}')"
        )
        assert strange() == set()
    reader.click("#first")
    reader.page.locator(".option:not(.played)").first.click()
    assert reader.seen()["banner"]
    assert strange() == set()


# -------------------------------------------------------------------- the command


def test_solve_writes_the_page_beside_its_report(tmp_path: Path) -> None:
    out = tmp_path / "hand.html"
    arguments = ["solve", str(EXAMPLES / "record-subastado.toml")]
    plain = CliRunner().invoke(main, arguments)
    result = CliRunner().invoke(main, [*arguments, "--html", str(out)])
    assert result.exit_code == 0
    timing = re.compile(r"[\d,]+ positions in .*")
    assert timing.sub("", result.stdout) == timing.sub("", plain.stdout)
    assert result.stderr == ""
    data = data_of(out.read_text(encoding="utf-8"))
    assert [step["move"] for step in data["steps"]] == list(example("record-subastado.toml").played)


def test_solve_goes_on_with_best_play_and_writes_to_standard_output() -> None:
    result = CliRunner().invoke(
        main, ["solve", str(EXAMPLES / "subastado-killing-lead.toml"), "--html", "-"]
    )
    assert result.exit_code == 0
    assert result.stdout.startswith("<!doctype html>")
    assert result.stdout.endswith("</html>")
    line = solve(example("subastado-killing-lead.toml")).line
    assert [step["move"] for step in data_of(result.stdout)["steps"]] == list(line)


def test_a_page_of_bounds_has_the_exit_status_of_bounds(tmp_path: Path) -> None:
    record = str(EXAMPLES / "record-subastado.toml")
    out = tmp_path / "hand.html"
    result = CliRunner().invoke(main, ["solve", record, "--time-limit", "0", "--html", str(out)])
    assert result.exit_code == 3
    assert data_of(out.read_text(encoding="utf-8"))["choices"][0]["height"] is None


def test_a_page_that_cannot_be_written_is_refused_in_one_line(tmp_path: Path) -> None:
    record = str(EXAMPLES / "record-subastado.toml")
    result = CliRunner().invoke(main, ["solve", record, "--html", str(tmp_path / "no" / "x.html")])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1


# -------------------------------------------------------------------- answers as pages


def test_a_review_as_a_page_says_what_decided_it_and_who_could_have_known(opened: Opened) -> None:
    answer = review(example("record-subastado.toml"))
    assert isinstance(answer, Review)
    reader = opened(review_report.page(answer), hash="#9")
    assert reader.page.title() == "Review: Eighty thrown away"
    remark = review_report.remarks(answer)[9]
    assert remark.sentences[0] == "Decisive: move 9, Ro of seat 2, broke the contract."
    # Not by the colour of a border alone.
    assert reader.page.locator("#moment-head").inner_text() == "Baza 4: seat 2 to lead (decisive)"
    texts = reader.seen()["texts"]
    assert texts[1] == "It costs 7 points."
    assert texts[-2:] == list(remark.sentences)
    decisive = reader.page.locator("#graph .dot.decisive").all()
    assert len(decisive) == 2
    rows = reader.page.locator("#summary tbody tr").all_inner_texts()
    assert [row.split() for row in rows] == [
        list(row) for row in review_report.summary(answer).rows
    ]


def test_keys_leave_the_focus_at_the_table_and_scroll_wide_tables(opened: Opened) -> None:
    answer = review(example("record-subastado.toml"), samples=0)
    reader = opened(review_report.page(answer))
    reader.page.locator(".option").first.focus()
    reader.press("ArrowRight")
    assert reader.seen()["counter"] == "1 of 36"
    assert reader.page.evaluate("document.activeElement.id") == "board"
    reader.page.locator("#summary .wide").focus()
    reader.press("ArrowRight")
    assert reader.seen()["counter"] == "1 of 36"


def test_a_hand_played_not_to_lose_as_a_page(opened: Opened) -> None:
    answer = review(example("cabron-lost-at-once.toml"))
    assert isinstance(answer, SafetyReview)
    reader = opened(review_report.page(answer))
    last = len(answer.steps)
    for number, step in enumerate(answer.steps):
        seen = reader.seen()
        assert seen["hands"] == [list(hand) for hand in step.position.hands]
        labels = {True: ["segura", "★"], False: ["no", "▾" if step.best else ""]}
        assert seen["options"] == {
            move: [*labels[bool(safe)], move == step.card, move != step.card]
            for move, safe in step.cards
        }
        sure = [place + 1 for place, safe in enumerate(step.before) if safe]
        names = Seats(answer.deal).several(sure) or "nobody"
        assert seen["value"] == f"Sure not to lose: {names}"
        changes = [text for text in seen["texts"] if text.startswith("Move ")]
        assert bool(changes) == bool(step.lost or step.gained)
        assert seen["counter"] == f"{number} of {last}"
        reader.press("ArrowRight")
    assert reader.seen()["value"] == "Sure not to lose: seats 2 and 3"
    assert len(reader.page.locator("#graph .dot.decisive").all()) == len(answer.decisive)


def test_a_lesson_as_a_page_warns_of_what_tempts(opened: Opened) -> None:
    answer = explain(example("subastado-two-twenties.toml"))
    reader = opened(lesson.page(answer))
    assert reader.page.title() == "Lesson: Which twenty first?"
    texts = reader.seen()["texts"]
    assert "Seat 1 declares 20 espadas: it is declared at once." in texts
    assert texts[-1] == "Then the bid of 95 is not made."
    reader.click('[data-move="*20c"]')
    assert reader.seen()["banner"]
    assert reader.seen()["value"] == "Value: 89"


def test_a_problem_as_a_page_asks_before_it_tells(opened: Opened) -> None:
    answer = explain(example("subastado-two-twenties.toml"))
    reader = opened(lesson.problem_page(answer))
    assert reader.page.title() == "Problem: Which twenty first?"
    shown = reader.page.locator("body").inner_text()
    assert "Seat 1 to play: make the bid of 95." in shown
    assert "99" not in shown
    for _ in lesson.problem(answer).hints:
        reader.click("#hint")
    assert reader.page.locator("#hints li").last.inner_text() == "Seat 1: 20 espadas."
    reader.click("#solve")
    assert reader.seen()["value"] == "Value: 99"


def test_a_lesson_about_not_losing_as_a_page(opened: Opened) -> None:
    answer = explain(example("cabrero-never-a-baza.toml"))
    reader = opened(lesson.page(answer))
    seen = reader.seen()
    assert seen["value"] == "Value: segura"
    assert seen["options"]["3e"][:2] == ["segura", "★"]
    assert seen["options"]["7o"][:2] == ["no", "▾"]
    assert "seat 1 can be sure not to lose" in reader.page.locator(".meaning").inner_text()


@pytest.mark.parametrize("command", ["review", "explain"])
def test_reports_that_are_pages_too(tmp_path: Path, command: str) -> None:
    record = str(EXAMPLES / "record-subastado.toml")
    out = tmp_path / "hand.html"
    arguments = [command, record, "--played", "So Ao 5o | 3o"]
    plain = CliRunner().invoke(main, arguments)
    both = CliRunner().invoke(main, [*arguments, "--html", str(out)])
    assert (both.exit_code, both.stderr) == (0, "")
    assert both.stdout.splitlines()[:5] == plain.stdout.splitlines()[:5]
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert os.listdir(tmp_path) == ["hand.html"]
    only = CliRunner().invoke(main, [*arguments, "--html", "-"])
    assert only.stdout.startswith("<!doctype html>")
    assert only.stdout.endswith("</html>")
    nowhere = CliRunner().invoke(main, [*arguments, "--html", str(tmp_path / "no" / "x.html")])
    assert nowhere.exit_code == 2
    assert nowhere.stderr.count("\n") == 1
    assert os.listdir(tmp_path) == ["hand.html"]


def test_a_page_does_not_replace_a_deal_and_keeps_permissions(tmp_path: Path) -> None:
    record = tmp_path / "record.toml"
    shutil.copy(EXAMPLES / "record-subastado.toml", record)
    refused = CliRunner().invoke(main, ["explain", str(record), "--html", str(record)])
    assert refused.exit_code == 2
    assert "which a page would replace" in refused.stderr
    assert record.read_bytes() == (EXAMPLES / "record-subastado.toml").read_bytes()
    out = tmp_path / "hand.html"
    out.write_text("old")
    out.chmod(0o640)
    write_page(str(out), "new")
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


def test_a_match_is_no_page(tmp_path: Path) -> None:
    out = tmp_path / "hand.html"
    match = str(EXAMPLES / "match.jsonl")
    result = CliRunner().invoke(main, ["review", match, "--html", str(out)])
    assert result.exit_code == 2
    assert result.stderr == "tute: error: html: a page shows one hand, and there are several\n"
    assert not out.exists()


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real.html", tmp_path / "link.html", tmp_path / "pipe"
    real.write_text("old")
    link.symlink_to(real)
    write_page(str(link), "new")
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "new"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_text, encoding="utf-8")
        write_page(str(pipe), "page")
        assert read.result(timeout=60) == "page"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_page_that_is_interrupted_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_page(str(tmp_path / "hand.html"), "page")
    assert os.listdir(tmp_path) == []
