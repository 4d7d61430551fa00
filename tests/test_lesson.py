"""What a lesson says, on paper, as JSON and on a terminal."""

from __future__ import annotations

import json as plain_json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from rich.console import Console, RenderableType

import tute
from strategies import random_game_deal
from tute import Deal, Explanation
from tute.report import json, lesson
from tute_cli.main import main

ROOT = Path(__file__).parent.parent
SMALL = """\
variant = "subastado"
trump = "oros"
hands = ["oA7 cRC", "o3R e54", "oC cA3 b4"]
declarer = 1
bid = 35
tricks = [1, 0, 0]
"""
SAID = [
    "Seat 1 leads Ao: it keeps a pair together for the cante; it draws triunfos. "
    "Tempting is 7o, but it costs 7: seat 2 answers with 3o (7o, 3o, Co). "
    "Then the bid of 35 is not made.",
    "Seat 2 plays Ro, one of 2 cards that asistir leaves: it gives away as little as it can. "
    "Tempting is 3o, but it costs 6: seat 1 answers with 20 copas (3o, Co, 20 copas).",
    "Seat 3 has to play Co (asistir): it does nothing special.",
    "Seat 1 declares 20 copas: it is declared at once; with this the bid is made. "
    "Tempting is 7o, but it costs 20: seat 2 answers with 3o (7o, 3o, Ac). "
    "Then the bid of 35 is not made.",
    "Seat 1 leads 7o: it draws the opponents' last triunfos; it leaves the lead to an opponent. "
    "Anything else is as good.",
    "Seat 2 has to play 3o (asistir): it wins the baza.",
    "Seat 3 plays 4b: it does nothing special. Anything else is as good.",
    "Seat 2 leads 5e: nobody can take it. Anything else is as good.",
    "Seat 3 plays 3c: it does nothing special. Anything else is as good.",
    "Seat 1 plays Cc: it gives away as little as it can. Anything else is as good.",
    "Seat 2 has only 4e left: it wins the last baza.",
    "Seat 3 has only Ac left: it does nothing special.",
    "Seat 1 has only Rc left: it does nothing special.",
]


def plain(report: RenderableType) -> str:
    console = Console(width=1000, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(report)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def run(*arguments: str, text: str | None = None) -> Result:
    result = CliRunner().invoke(main, ["explain", *arguments], input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture
def deal(small: Path) -> Deal:
    return Deal.read(small)


@pytest.fixture
def explanation(deal: Deal) -> Explanation:
    return tute.explain(deal)


# -------------------------------------------------------------------- in words


def test_what_is_said_of_each_step(explanation: Explanation) -> None:
    assert list(lesson.texts(explanation)) == SAID


def test_a_lesson_goes_baza_by_baza(explanation: Explanation) -> None:
    shown = plain(lesson.lesson(explanation))
    begin = shown.index("Best play for seat 1: 38 points.\nOf equally good moves the line takes")
    bazas = shown[begin:].split("\nBaza ")[1:]
    heads = [baza.splitlines()[0] for baza in bazas]
    assert heads == [
        "2: seat 1 wins 18",
        "3: seat 2 wins 10",
        "4: seat 2 wins 13",
        "5: seat 2 wins 25",
    ]
    steps = [line for baza in bazas for line in baza.splitlines()[1:] if line.startswith("  ")]
    assert steps == [f"  {text}" for text in SAID]


def test_remarks_go_with_the_moments_of_the_walk(explanation: Explanation) -> None:
    remarks = lesson.remarks(explanation)
    assert len(remarks) == len(explanation.walk.moments)
    # What is as good stands in the page already.
    said = [re.sub(r" (As good: [^.]*|Anything else is as good)\.", "", text) for text in SAID]
    assert [" ".join(remark.sentences) for remark in remarks] == said
    # To part with the pair breaks the bid, and not to declare it.
    assert [number for number, remark in enumerate(remarks) if remark.decisive] == [0, 3]
    summary = lesson.summary(explanation)
    assert summary.sentences[0] == "Best play for seat 1: 38 points."


@pytest.mark.parametrize(
    ("fields", "objective", "achieved", "question"),
    [
        ({}, None, "seat 1: 38 points.", "Seat 1 to play: make the bid of 35."),
        ({"bid": 60}, None, "seat 1: 38 points.", "Seat 1 to play: make 38."),
        ({"bid": None}, None, "seat 1: 38 points.", "Seat 1 to play: make 38."),
        (
            {"seat": 2},
            None,
            "seats 2 and 3: 42 points.",
            "Seat 1 to play: hold seats 2 and 3 to 42.",
        ),
        (
            {"leader": 2, "bid": 60},
            None,
            "seat 1: 34 points.",
            "Seat 2 to play: break the bid of 60.",
        ),
        (
            {"leader": 2, "bid": 30},
            None,
            "seat 1: 34 points.",
            "Seat 2 to play: hold seat 1 to 34.",
        ),
        ({}, "difference", "a difference of -10.", "Seat 1 to play: end no more than 10 behind."),
        ({"seat": 2}, "difference", "a difference of +10.", "end no more than 10 behind."),
        ({"leader": 2}, "difference", "a difference of -18.", "Seat 2 to play: end 18 ahead."),
        ({"points": [10, 0, 0]}, "difference", "a difference of +0.", "Seat 1 to play: end level."),
        ({}, "win", "seat 1: the hand is won.", "Seat 1 to play: win the hand."),
        ({"bid": 60}, "win", "the hand is lost.", "the hand is lost; make it hard for the others."),
        ({"played": "Ao Ro Co *20c 7o 3o 4b 5e 3c Cc 4e Ac Rc"}, None, "38 points.", "over"),
    ],
)
def test_what_is_achieved_and_asked(
    deal: Deal, fields: dict[str, Any], objective: str | None, achieved: str, question: str
) -> None:
    deal = deal.replace(**fields)
    explanation = tute.explain(deal, objective=objective)
    assert achieved in lesson.summary(explanation).sentences[0]
    assert question in lesson.problem(explanation).question


def test_hints_go_from_vague_to_concrete(explanation: Explanation) -> None:
    assert lesson.problem(explanation).hints == (
        "Look at seat 1 in baza 2: of 4 moves 1 will do.",
        "Not 7o: it costs 7.",
        "A right move does this: Keeps together a pair that it declares later; "
        "to part with it now would cost.",
        "The suit is oros.",
        "Seat 1: Ao.",
    )


def test_in_a_losing_game_safety_stands_for_the_value() -> None:
    deal = Deal.read(ROOT / "examples" / "cabrero-never-a-baza.toml")
    explanation = tute.explain(deal)
    first = lesson.texts(explanation)[0]
    assert "Tempting is 4b, but then seat 1 is no longer sure not to lose: seat 2 answers" in first
    assert "whatever the others do" in lesson.summary(explanation).sentences[0]
    assert "tute safe" in lesson.rule(explanation)
    assert lesson.problem(explanation).question == "Seat 1 to play: be sure not to lose."
    shape = shape_of(explanation)
    assert (shape["objective"], shape["value"], shape["safe"]) == (None, None, True)
    step = shape["steps"][0]
    assert (step["value"], step["safe"], step["tempting"]["cost"]) == (None, True, None)


def test_names_cannot_steer_a_terminal(deal: Deal) -> None:
    deal = deal.replace(names=["A\x1b[31mnn", "Bo\nb", "{0}"])
    shown = plain(lesson.lesson(tute.explain(deal)))
    assert "\x1b" not in shown
    assert "A [31mnn leads Ao" in shown
    assert "Bo b plays Ro" in shown
    assert "{0} has to play Co" in shown


# -------------------------------------------------------------------- as JSON


def shape_of(explanation: Explanation) -> dict[str, Any]:
    texts = lesson.texts(explanation)
    answer = json.explanation(explanation, lesson.rule(explanation), texts, None)
    shape: dict[str, Any] = plain_json.loads(msgspec.json.encode(answer))
    return shape


def test_json_has_every_step(explanation: Explanation) -> None:
    shape = shape_of(explanation)
    assert (shape["format"], shape["value"], shape["side"]) == ("tute.explain.v1", 38, [1])
    assert shape["contract"] == {"bid": 35, "made": True, "highest_bid": None}
    assert shape["line"] == [step["card"] for step in shape["steps"]]
    assert shape["line"] == [
        "Ao",
        "Ro",
        "Co",
        "*20c",
        "7o",
        "3o",
        "4b",
        "5e",
        "3c",
        "Cc",
        "4e",
        "Ac",
        "Rc",
    ]
    assert [step["text"] for step in shape["steps"]] == SAID
    assert shape["steps"][3] == {
        "seat": 1,
        "card": "*20c",
        "value": 38,
        "equal": [],
        "forced": None,
        "does": ["declares", "makes_the_contract"],
        "tempting": {"card": "7o", "cost": 20, "refutation": ["7o", "3o", "Ac"], "reply": "3o"},
        "text": SAID[3],
    }
    assert shape["steps"][4]["equal"] == ["Rc", "Cc"]
    assert [step["forced"] for step in shape["steps"]] == [
        *(None, None, "asistir", None, None, "asistir", None, None, None, None),
        *("only card", "only card", "only card"),
    ]


# -------------------------------------------------------------------- the command


def test_the_command_prints_the_lesson(small: Path) -> None:
    result = run(str(small))
    assert (result.exit_code, result.stderr) == (0, "")
    for text in SAID:
        assert f"\n  {text}\n" in result.stdout
    assert "Hint" not in result.stdout


def test_the_command_as_json(small: Path, explanation: Explanation) -> None:
    shape = plain_json.loads(run(str(small), "--json").stdout)
    expected = shape_of(explanation)
    assert shape.pop("seconds") >= 0
    del expected["seconds"]
    assert shape == expected
    asked = plain_json.loads(run(str(small), "--json", "--problem").stdout)["problem"]
    problem = lesson.problem(explanation)
    assert asked == {"question": problem.question, "hints": list(problem.hints)}


def test_a_problem_in_a_pipe_is_printed_in_order(small: Path) -> None:
    result = run(str(small), "--problem", text="")
    assert result.exit_code == 0
    heads = ["Question", *(f"Hint {number}" for number in range(1, 6)), "Solution"]
    lines = result.stdout.splitlines()
    assert [line for line in lines if line in heads] == heads
    question = result.stdout.index("Seat 1 to play: make the bid of 35.")
    assert "Ao" not in result.stdout[:question].replace("A 7", "")
    assert SAID[-1] in result.stdout[result.stdout.index("Solution") :]


def test_motifs_are_listed_with_their_definitions() -> None:
    definitions = lesson.definitions()
    shown = run("--motifs").stdout
    for name, definition in definitions.items():
        assert f"{name} " in shown
        assert f" {definition}\n" in shown
    shape = plain_json.loads(run("--motifs", "--json").stdout)
    assert shape["format"] == "tute.motifs.v1"
    assert {each["name"]: each["definition"] for each in shape["motifs"]} == definitions


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nothing.toml"],
        ["{small}", "--objective", "tricks"],
        ["{small}", "--played", "7o Co"],
        [str(ROOT / "examples" / "cabrero-never-a-baza.toml"), "--objective", "points"],
    ],
)
def test_wrong_input_is_one_line(small: Path, arguments: list[str]) -> None:
    result = run(*(argument.format(small=small) for argument in arguments))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("tute: error: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("objective", "words"),
    [("points", "Seat 1: between "), ("win", "Seat 1: not decided in time.")],
)
def test_a_limit_leaves_bounds_and_status_3(objective: str, words: str) -> None:
    file = str(ROOT / "examples" / "habanero-whole.toml")
    limited = [file, "--time-limit", "0.2", "--objective", objective]
    result = run(*limited)
    assert result.exit_code == 3
    assert f"\n{words}" in result.stdout
    assert "Stopped before the line was found to its end." in result.stdout
    shape = plain_json.loads(run(*limited, "--json", "--problem").stdout)
    assert (shape["complete"], shape["value"], shape["steps"]) == (False, None, [])
    assert shape["lower"] < shape["upper"]
    assert shape["problem"]["question"] == "Seat 1 to play: find the best play."


# -------------------------------------------------------------------- on a terminal


class Terminal:
    """The command on a terminal of its own."""

    def __init__(self, small: Path) -> None:
        self._master, slave = pty.openpty()
        command = [sys.executable, "-m", "tute_cli", "explain", str(small), "--problem"]
        plain_terminal = os.environ | {"TERM": "dumb", "COLUMNS": "200"}
        self._running = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=plain_terminal,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(slave)
        self.shown = ""

    def read_until(self, words: str) -> None:
        """What is shown up to the words; it fails where they do not come."""
        while words not in self.shown:
            try:
                more = os.read(self._master, 4096).decode()
            except OSError:
                more = ""
            assert more, f"{words!r} never came: {self.shown}"
            self.shown += more

    def press(self, keys: bytes) -> None:
        """What was shown is forgotten, and keys are pressed."""
        self.shown = ""
        os.write(self._master, keys)

    def end(self) -> int:
        """The exit status, with all that was shown till then."""
        while True:
            try:
                more = os.read(self._master, 4096).decode()
            except OSError:
                break
            if not more:
                break
            self.shown += more
        os.close(self._master)
        return self._running.wait(60)


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


ENTER, END_OF_INPUT, CTRL_C = b"\n", b"\x04", b"\x03"
ASKS = "Enter shows more"


def test_on_a_terminal_each_hint_waits_for_enter(small: Path) -> None:
    terminal = Terminal(small)
    terminal.read_until(ASKS)
    assert "make the bid of 35" in terminal.shown
    assert "Hint" not in terminal.shown
    for number in range(1, 6):
        terminal.press(ENTER)
        terminal.read_until(ASKS)
        assert f"Hint {number}" in terminal.shown
        assert f"Hint {number + 1}" not in terminal.shown
        assert "Solution" not in terminal.shown
    terminal.press(ENTER)
    assert terminal.end() == 0
    assert "Solution" in terminal.shown
    assert SAID[-1] in terminal.shown
    assert ASKS not in terminal.shown


@pytest.mark.parametrize(("keys", "status"), [(END_OF_INPUT, 0), (CTRL_C, 130)])
def test_a_reader_who_has_enough(small: Path, keys: bytes, status: int) -> None:
    terminal = Terminal(small)
    terminal.read_until(ASKS)
    terminal.press(keys)
    assert terminal.end() == status
    assert "Hint" not in terminal.shown
    assert "Traceback" not in terminal.shown


# -------------------------------------------------------------------- hints about a bid


@pytest.mark.parametrize(("bid", "good"), [(30, 1), (14, 2), (12, 3), (10, None)])
def test_hints_about_a_bid_count_what_makes_it(bid: int, good: int | None) -> None:
    """The four leads of this problem make 32, 14, 12 and 11."""
    deal = Deal.read(ROOT / "examples" / "problem-pair-that-waits.toml").replace(bid=bid)
    asked = lesson.problem(tute.explain(deal))
    assert asked.question == f"Seat 1 to play: make the bid of {bid}."
    if good is None:
        # Whatever seat 1 does now or later makes it.
        assert asked.hints == ()
        return
    assert asked.hints[0] == f"Look at seat 1 in baza 1: of 4 moves {good} will do."
    refused = [hint for hint in asked.hints if hint.startswith("Not ")]
    assert refused == (["Not Rc: it costs 20."] if bid > 12 else [])


def test_hints_are_for_those_who_are_asked() -> None:
    """Whoever is to achieve something is told where to look, not the other side."""
    for seed in range(40):
        deal = random_game_deal(Random(seed), "subastado", 4, switches={}, history=False)
        explanation = tute.explain(deal.replace(bid=Random(seed).randrange(10, 60, 5)))
        hints = lesson.problem(explanation).hints
        side = explanation.solution.side
        mine = explanation.solution.position.turn + 1 in side
        if hints:
            seat = int(hints[0].split()[3])
            assert (seat in side) == mine
