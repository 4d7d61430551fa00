"""The command as a user types it: exit statuses, JSON, one-line errors, pipes and Ctrl-C."""

from __future__ import annotations

import _thread
import dataclasses
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tute import Deal
from tute_cli.main import main
from tute_cli.search import wait_for

ENDING = """\
variant = "subastado"
trump = "oros"
hands = ["oA7 cRC", "o3R e54", "oC cA3 b4"]
declarer = 1
bid = 60
tricks = [1, 0, 0]
"""
# Seat 1 has taken a trick, so that he may declare; the record shows it.
RECORD = "Ao 3o Co | *20c 7o Ro Ac"


@pytest.fixture
def ending(tmp_path: Path) -> str:
    path = tmp_path / "ending.toml"
    path.write_text(ENDING)
    return str(path)


def tute(*arguments: str, text: str | None = None) -> Result:
    """Run the command in this process; anything but an orderly exit fails the test."""
    result = CliRunner().invoke(main, list(arguments), input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def answer(*arguments: str, text: str | None = None, status: int = 0) -> Any:
    result = tute(*arguments, "--json", text=text)
    assert result.exit_code == status, result.stderr
    assert result.stderr == ""
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def refusal(*arguments: str, text: str | None = None) -> str:
    """The one line of an error; nothing else is written."""
    result = tute(*arguments, text=text)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("tute: error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("tute: error: ").rstrip("\n")


def process(
    arguments: Sequence[str], *, flags: Sequence[str] = (), **settings: Any
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *flags, "-m", "tute_cli", *arguments]
    return subprocess.run(command, text=True, timeout=120, check=False, **settings)


# -------------------------------------------------------------------- start


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_imports_nothing_heavy(argument: str) -> None:
    code = (
        "import sys; from tute_cli.main import main\n"
        f"try: main([{argument!r}])\n"
        "except SystemExit: pass\n"
        "print(sorted({'rich', 'msgspec', 'numpy', 'tute', 'tomllib'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], text=True, capture_output=True, timeout=60, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_help_lists_every_command() -> None:
    shown = tute("--help").stdout
    for command in ("solve", "table", "contract", "check", "deal", "rules"):
        assert f"\n  {command} " in shown
        assert "Options:" in tute(command, "-h").stdout
    assert tute().stdout == shown


def test_version() -> None:
    assert tute("--version").stdout.startswith("tute ")


@pytest.mark.parametrize("module", ["tute_cli", "tute_cli.main"])
def test_runs_as_a_module(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "rules", "tute"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("Tute por parejas")
    assert done.stderr == ""


# -------------------------------------------------------------------- solve


def test_solve_json(ending: str) -> None:
    found = answer("solve", ending)
    assert list(found) == [
        "format", "variant", "trump", "leader", "declarer", "objective", "side", "value", "lower",
        "upper", "exact", "to_move", "cards", "best", "line", "contract", "nodes", "seconds",
    ]  # fmt: skip
    assert found["format"] == "tute.solve.v1"
    assert (found["variant"], found["trump"]) == ("subastado", "oros")
    assert (found["leader"], found["declarer"], found["side"]) == (1, 1, [1])
    assert found["value"] == found["lower"] == found["upper"]
    assert found["exact"] is True
    assert {tuple(card) for card in found["cards"]} == {("card", "value")}
    values = [card["value"] for card in found["cards"]]
    assert values == sorted(values, reverse=True)
    assert values[0] == found["value"]
    assert found["best"] == [c["card"] for c in found["cards"] if c["value"] == values[0]]
    assert found["line"][0] == found["best"][0]
    assert found["contract"]["bid"] == 60
    assert found["contract"]["made"] is (found["value"] >= 60)


def test_solve_at_the_end_of_a_hand(ending: str) -> None:
    record = answer("solve", ending)["line"]
    found = answer("solve", ending, "--played", " ".join(record))
    assert found["to_move"] is None
    assert found["cards"] == found["best"] == found["line"] == []
    assert tute("solve", ending, "--played", " ".join(record)).exit_code == 0


def test_a_time_limit_of_nothing_gives_bounds(ending: str) -> None:
    found = answer("solve", ending, "--time-limit", "0", status=3)
    assert found["exact"] is False
    assert found["value"] is None
    for card in found["cards"]:
        assert found["lower"] <= card["lower"] <= card["upper"] <= found["upper"]
        assert card["value"] is None
    shown = tute("solve", ending, "--time-limit", "0")
    assert shown.exit_code == 3
    assert "proven bounds" in shown.stdout


def test_a_time_limit_shows_bounds_where_they_met_too(ending: str) -> None:
    for card in answer("solve", ending, "--time-limit", "60")["cards"]:
        assert card["lower"] == card["value"] == card["upper"]


def test_solve_text_is_plain_in_a_pipe(ending: str) -> None:
    done = process(["solve", ending], capture_output=True)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert all(line == line.rstrip() for line in done.stdout.splitlines())
    assert not set("─│┃━┏╭") & set(done.stdout)


def test_solve_text(ending: str) -> None:
    shown = tute("solve", ending).stdout
    assert shown.startswith(
        "Tute subastado, triunfo oros, seat 1 leads, seat 1 declares, bid 60\n"
        "\n"
        "         1    2    3\n"
        "oros     A 7  3 R  C\n"
        "copas    R C  -    A 3\n"
        "espadas  -    5 4  -\n"
        "bastos   -    -    4\n"
    )
    assert "20 copas (seat 1)" in shown
    assert "baza  leads  cards" in shown


def test_colours_on_a_terminal(ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in tute("solve", ending).stdout


# -------------------------------------------------------------------- table and contract


def test_table_json(ending: str) -> None:
    found = answer("table", ending)
    assert found["format"] == "tute.table.v1"
    trumps = ["oros", "copas", "espadas", "bastos"]
    rows = [(row["declarer"], row["trump"]) for row in found["rows"]]
    assert rows == [(seat, trump) for seat in (1, 2, 3) for trump in trumps]
    assert found["rows"][0]["value"] == answer("solve", ending)["value"]


def test_table_text(ending: str) -> None:
    shown = tute("table", ending).stdout
    assert [line[:6] for line in shown.splitlines() if line.startswith("Seat")] == [
        "Seat 1", "Seat 2", "Seat 3",
    ]  # fmt: skip


def test_table_past_its_time_gives_bounds() -> None:
    dealt = tute("deal", "butifarra", "--seed", "1").stdout
    found = answer("table", "-", "--time-limit", "0", text=dealt, status=3)
    assert found["exact"] is False
    assert tute("table", "-", "--time-limit", "0", text=dealt).exit_code == 3


def test_contract_json(ending: str) -> None:
    value = answer("solve", ending)["value"]
    for bid in (value, value + 1):
        found = answer("contract", ending, "--bid", str(bid))
        assert found["format"] == "tute.contract.v1"
        assert found["bid"] == bid
        assert found["made"] is (value >= bid)
        assert found["margin"] == value - bid
        assert found["value"] == value
        assert found["line"]
        assert "highest_bid" in found


def test_contract_text(ending: str) -> None:
    value = answer("solve", ending)["value"]
    assert "made, exactly." in tute("contract", ending, "--bid", str(value)).stdout
    assert "made, 5 to spare." in tute("contract", ending, "--bid", str(value - 5)).stdout
    assert "not made, 5 short." in tute("contract", ending, "--bid", str(value + 5)).stdout
    assert tute("contract", ending, "--time-limit", "0").exit_code == 3


# -------------------------------------------------------------------- where a deal comes from


def test_hands_as_arguments(ending: str) -> None:
    hands = ["oA7 cRC", "o3R e54", "oC cA3 b4"]
    options = ["--variant", "subastado", "--trump", "o", "--tricks", "1,0,0", "--bid", "60"]
    typed = answer("solve", *hands, *options)
    read = answer("solve", ending)
    assert typed["cards"] == read["cards"]
    assert typed["line"] == read["line"]


def test_options_override_the_file(ending: str) -> None:
    found = answer("solve", ending, "--trump", "copas", "--leader", "3", "--seat", "2")
    assert (found["trump"], found["leader"], found["side"]) == ("copas", 3, [2, 3])
    swapped = answer("solve", ending, "oR3 e54", "oA7 cRC", "oC cA3 b4")
    assert swapped["cards"][0]["card"] in ("3o", "Ro", "5e", "4e")


def test_a_rule_on_the_command_line_joins_those_of_the_file() -> None:
    text = ENDING + '[rules]\nundertrump = "must"\n'
    assert refusal("check", "-", "--rule", "undertrump=perhaps", text=text).startswith("rules:")
    assert answer("check", "-", "--rule", "montar_si_fallado=yes", text=text)["legal"]


def test_standard_input() -> None:
    assert answer("check", "-", text=ENDING)["legal"]
    assert answer("check", "-", text='{"variant":"tute","hands":["","","",""],"trump":"o"}')["over"]


def test_a_variant_may_change_that_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "deal.toml"
    path.write_text('variant = "tute"\ntrump = "oros"\nhands = ["oA", "o3", "oR", "oC"]\n')
    assert answer("solve", str(path), "--variant", "guinote")["variant"] == "guinote"


# -------------------------------------------------------------------- check


def test_check_of_a_legal_record(ending: str) -> None:
    found = answer("check", ending, "--played", RECORD)
    assert found["format"] == "tute.check.v1"
    assert found["legal"] is True
    assert found["over"] is False
    assert found["to_move"] == 2
    assert found["points"] == [44, 15, 0]
    assert found["totals"] == [44, 15]
    assert found["sides"] == [[1], [2, 3]]
    assert found["losers"] is None
    assert found["result_agrees"] is None
    assert "Legal record: 2 bazas complete." in tute("check", ending, "--played", RECORD).stdout


@pytest.mark.parametrize(
    ("record", "index", "trick", "seat", "card", "duty", "allowed"),
    [
        ("7o 4e", 1, 2, 2, "4e", "asistir", ["3o", "Ro"]),
        ("Rc 4e", 1, 2, 2, "4e", "fallar", ["3o", "Ro"]),
        ("Rc 3o 3c | 5e 4b", 4, 3, 3, "4b", "fallar", ["Co"]),
        ("7o Ao", 1, 2, 2, "Ao", None, ["3o", "Ro"]),
        ("*20c", 0, 2, 1, "*20c", None, ["Ao", "7o", "Rc", "Cc"]),
    ],
)
def test_check_of_an_illegal_record(
    ending: str,
    record: str,
    index: int,
    trick: int,
    seat: int,
    card: str,
    duty: str | None,
    allowed: list[str],
) -> None:
    found = answer("check", ending, "--played", record, status=1)
    assert found.pop("message").startswith(f"played: token {index + 1}: seat {seat} may not")
    assert found == {
        "format": "tute.check.v1",
        "legal": False,
        "index": index,
        "trick": trick,
        "card": card,
        "seat": seat,
        "duty": duty,
        "legal_cards": allowed,
    }
    shown = tute("check", ending, "--played", record)
    assert shown.exit_code == 1
    assert f"Allowed: {' '.join(allowed)}" in shown.stdout
    assert "Illegal" in shown.stdout
    if duty:
        assert f"A renuncio. {duty.capitalize()}: " in shown.stdout


@pytest.mark.parametrize(("result", "agrees"), [([38, 48], True), ([38, 47], False)])
def test_check_compares_the_result(ending: str, result: list[int], agrees: bool) -> None:
    record = " ".join(answer("solve", ending)["line"])
    text = ENDING + f"played = {json.dumps(record)}\nresult = {result}\n"
    found = answer("check", "-", text=text)
    assert found["over"] is True
    assert found["totals"] == [38, 48]
    assert found["result_agrees"] is agrees
    words = "agrees" if agrees else "does not agree"
    assert (
        f"The result written down, 38 {result[1]}, {words}." in tute("check", "-", text=text).stdout
    )


def test_check_names_the_losers() -> None:
    dealt = tute("deal", "cabron", "--cards", "1", "--seed", "5").stdout
    options = ("--points", "70,30,20", "--tricks", "4,4,3")
    record = [hand.split('"')[1] for hand in dealt.splitlines()[2:5]]
    found = answer("check", "-", *options, "--played", " ".join(record), text=dealt)
    assert found["over"] is True
    assert found["losers"]
    shown = tute("check", "-", *options, "--played", " ".join(record), text=dealt).stdout
    assert "lose" in shown


# -------------------------------------------------------------------- deal and rules


def test_a_seed_repeats_its_deals() -> None:
    one = tute("deal", "tute", "--seed", "3", "-n", "4").stdout
    assert one == tute("deal", "tute", "--seed", "3", "-n", "4").stdout
    deals = [json.loads(line) for line in one.splitlines()]
    assert len({tuple(deal["hands"]) for deal in deals}) == 4
    assert [deal["id"] for deal in deals] == ["3-1", "3-2", "3-3", "3-4"]
    assert one != tute("deal", "tute", "--seed", "4", "-n", "4").stdout


def test_a_seed_means_the_same_for_ever() -> None:
    assert tute("deal", "tute", "--seed", "3").stdout == (
        'variant = "tute"\n'
        "hands = [\n"
        '    "oA762 c7 e37 b542",\n'
        '    "o3R4 c3C4 eS5 bRS",\n'
        '    "oCS cS62 eARC4 bA",\n'
        '    "o5 cAR5 e62 b3C76",\n'
        "]\n"
        'trump = "copas"\n'
        'source = "tute deal tute, seed 3"\n'
        'id = "3-1"\n'
    )


def test_without_a_seed_the_deal_names_the_one_it_took() -> None:
    first = tute("deal", "guinote").stdout
    seed = first.split('id = "')[1].split("-")[0]
    assert tute("deal", "guinote", "--seed", seed).stdout == first


def test_forms_of_deals() -> None:
    line = tute("deal", "tute", "--seed", "1", "--json").stdout
    assert line == tute("deal", "tute", "--seed", "1", "--format", "jsonl").stdout
    assert json.loads(line)["variant"] == "tute"
    assert answer("check", "-", text=line)["legal"]
    assert answer("check", "-", text=tute("deal", "tute").stdout)["legal"]


def test_dealt_endings_are_solved() -> None:
    for variant in ("tute", "subastado", "guinote", "butifarra", "cuatrola"):
        dealt = tute("deal", variant, "--cards", "3", "--seed", "8").stdout
        assert answer("solve", "-", text=dealt)["exact"]


def test_rules_list_variants_and_switches() -> None:
    found = answer("rules")
    assert "subastado" in [variant["variant"] for variant in found["variants"]]
    (switch,) = (s for s in found["switches"] if s["name"] == "undertrump")
    assert switch["values"] == ["free", "must"]
    assert switch["default"] == "free"
    shown = tute("rules").stdout
    assert all(variant["variant"] in shown for variant in found["variants"])
    assert all(switch["name"] in shown for switch in found["switches"])


def test_rules_of_one_variant() -> None:
    found = answer("rules", "subastado-parejas")
    presets = {switch["name"]: switch["preset"] for switch in found["switches"]}
    assert presets["undertrump"] == "must"
    assert presets["cante_timing"] == "at_second_card"
    assert found["values"]["A"] == 11
    assert "from 60 to 100 by 10" in tute("rules", "subastado-parejas").stdout


# -------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["empty"]),
        ("  \n", ["empty"]),
        ("this is no deal", ["no TOML"]),
        ("{", ["no JSON"]),
        ("[1]", ["unknown field"]),
        ("x = 1", ["unknown field x"]),
        ('variant = "tute"', ["hands"]),
        ('hands = ["oA", "o3", "oR", "oC"]', ["variant"]),
        ('variant = 3\nhands = ["oA", "o3", "oR", "oC"]', ["variant", "str"]),
        ('variant = "whist"\nhands = []', ["variant", "whist"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR"]', ["hands", "4 players"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oA"]', ["hands", "seat 4", "Ao"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "o8"]', ["hands", "seat 4", "8o"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "Qh"]', ["hands", "seat 4", "Qh"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "As"]', ["hands", "seat 4", "As"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oCS"]', ["hands", "seat 4", "equal"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oC"]', ["trump", "missing"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oC"]\ntrump = "none"', ["trump"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oC"]\ntrump = 7', ["trump"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oC"]\nleader = 5', ["leader", "5"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oC"]\nleader = true', ["leader"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oC"]\nbid = 1' + "0" * 30, ["bid"]),
        pytest.param("bid = 1" + "0" * 9999, ["no TOML"], id="huge number"),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oC"]\npoints = [1]', ["points"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oC"]\nplayed = "x"', ["played", "x"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oC"]\nstock = "o7"', ["stock"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oC"]\n[rules]\nx = 1', ["rules", "x"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oC"]\nrules = 1', ["rules"]),
        ('variant = "tute"\nhands = ["oA", "o3", "oR", "oC"]\nfoo = 1', ["foo"]),
        pytest.param("x = " + "[" * 100_000, ["no TOML"], id="deep TOML"),
        pytest.param('{"variant": ' * 100_000, ["no JSON"], id="deep JSON"),
        ('{"variant": 1e999}', ["no JSON"]),
        ('{"variant": "tute"} {"variant": "tute"}', ["no JSON"]),
    ],
)
@pytest.mark.parametrize("command", ["check", "solve"])
def test_a_bad_deal_is_one_line(command: str, text: str, words: list[str]) -> None:
    message = refusal(command, "-", text=text)
    assert len(message) < 600
    for word in words:
        assert word in message


def test_a_whole_deck_in_one_hand() -> None:
    deck = " ".join(suit + "A3RCS76542" for suit in "oceb")
    text = f'variant = "tute"\ntrump = "o"\nhands = ["{deck}", "", "", ""]'
    assert "seat 2" in refusal("solve", "-", text=text)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["bogus"], "bogus"),
        (["--bogus"], "--bogus"),
        (["solve"], "no deal"),
        (["solve", "--variant", "tute"], "no deal"),
        (["solve", "oA", "o3", "oR", "oC"], "--variant"),
        (["solve", "--variant", "tute", "oA"], "4 players"),
        (["solve", "--variant", "tute", "oA", "o3", "oR", "oC"], "trump: missing"),
        (["solve", "--variant", "tute", "oA", "o3", "oR", "oX", "--trump", "o"], "seat 4"),
        (["solve", "no such file.toml"], "No such file"),
        (["solve", "--variant", "tute", "no such file.toml"], "No such file"),
        (["solve", "\x1b[31m\nred"], "red"),
        (["solve", "."], "directory"),
        (["solve", "-", "--leader", "x"], "--leader"),
        (["solve", "-", "--points", "1;2"], "--points"),
        (["solve", "-", "--rule", "undertrump"], "NAME=VALUE"),
        (["solve", "-", "--memory", "0"], "--memory"),
        (["solve", "-", "--time-limit", "nan"], "--time-limit"),
        (["solve", "-", "--time-limit", "-1"], "--time-limit"),
        (["deal"], "VARIANT"),
        (["deal", "whist"], "whist"),
        (["deal", "tute", "-n", "0"], "-n"),
        (["deal", "tute", "--cards", "11"], "cards"),
        (["deal", "tute", "--players", "3"], "players"),
        (["deal", "tute", "--trump", "none"], "trump"),
        (["deal", "tute", "--stock", "4"], "stock"),
        (["deal", "guinote", "--stock", "some"], "--stock"),
        (["deal", "guinote", "--rule", "hand_size=12"], "hand_size"),
        (["deal", "tute", "-n", "2", "--format", "toml"], "jsonl"),
        (["rules", "whist"], "whist"),
    ],
)
def test_a_bad_command_line_is_one_line(arguments: list[str], words: str) -> None:
    assert words in refusal(*arguments)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--objective", "glory"], "objective"),
        (["--objective", "tricks"], "objective"),
        (["--played", "7o 4e"], "asistir"),
        (["--seat", "4"], "seat"),
        (["--variant", "cabron", "--trump", "oros"], "safe"),
        (["--rule", "tute=wins_hand", "--variant", "tute-individual"], "win"),
    ],
)
def test_a_question_that_the_deal_does_not_have(
    ending: str, options: list[str], words: str
) -> None:
    assert words in refusal("solve", ending, *options)


def test_a_contract_needs_a_bid(ending: str) -> None:
    text = ENDING.replace("bid = 60\n", "")
    assert refusal("contract", "-", text=text).startswith("bid:")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "deal.toml"
    path.write_bytes(bytes(range(256)))
    assert "UTF-8" in refusal("check", str(path))


# -------------------------------------------------------------------- fuzz

_FIELD_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
_GOOD_DEAL = {
    "variant": "guinote",
    "hands": ["oA7 c3", "o3R e5", "oCc cA b4", "bA32"],
    "trump": "oros",
}
_FIELDS = [field.name for field in dataclasses.fields(Deal)]


@given(st.text(max_size=200) | st.binary(max_size=100).map(lambda raw: raw.decode("latin-1")))
@example("\ufeff{}")
@example("variant = \"tute\"\r\nhands = ['','','','']\r\ntrump='o'\x00")
def test_any_text_as_a_deal_is_refused(text: str) -> None:
    refusal("solve", "-", text=text)


@given(st.lists(st.text(max_size=12), min_size=1, max_size=5))
def test_any_text_as_hands_is_refused(hands: list[str]) -> None:
    result = tute("check", "--variant", "tute", "--trump", "o", "--", *hands)
    assert result.exit_code in (0, 2)
    assert result.exit_code == 2 or not "".join(hands).strip(" ,;")


@given(st.dictionaries(st.sampled_from(_FIELDS), _FIELD_VALUES, max_size=4))
@settings(max_examples=300)
def test_any_fields_are_answered_or_refused(fields: dict[str, Any]) -> None:
    result = tute("check", "-", text=json.dumps(_GOOD_DEAL | fields, ensure_ascii=False))
    assert result.exit_code in (0, 1, 2)
    assert result.stderr.count("\n") == (result.exit_code == 2)


_TOKENS = ["Ao", "7o", "3c", "3o", "5e", "Co", "*20c", "*40", "-7o", "|", "*", "Qh", "oA7"]


@given(st.lists(st.sampled_from(_TOKENS), max_size=12))
def test_any_record_is_answered_or_refused(tokens: list[str]) -> None:
    arguments = ("check", "-", "--played", " ".join(tokens))
    assert tute(*arguments, text=json.dumps(_GOOD_DEAL)).exit_code in (0, 1, 2)


# -------------------------------------------------------------------- pipes and Ctrl-C


def test_a_closed_pipe_ends_quietly() -> None:
    command = [sys.executable, "-m", "tute_cli", "deal", "tute", "-n", "100000"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait(timeout=60) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        done = process(["rules"], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.startswith("tute: error: ")
    assert done.stderr.count("\n") == 1


def test_an_output_without_our_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "iso8859-7")
    done = process(["rules", "guinote"], capture_output=True)
    assert done.returncode == 0
    assert done.stdout.startswith("Gui\\xf1ote")


def press_ctrl_c() -> None:
    """As somebody would who watches the main thread wait."""
    time.sleep(0.3)
    _thread.interrupt_main()


class _Search:
    """A search that lasts until it is stopped; it presses Ctrl-C when it has begun."""

    def __init__(self, then: Callable[[], None]) -> None:
        self._stopped = threading.Event()
        self._then = then

    def __call__(self) -> str:
        press_ctrl_c()
        if not self._stopped.wait(60):
            return "never stopped"
        self._then()
        return "bounds"

    def stop(self) -> None:
        self._stopped.set()


def test_ctrl_c_stops_the_search() -> None:
    search = _Search(then=lambda: None)
    assert wait_for(search, search.stop) == "bounds"


def test_a_second_ctrl_c_ends_the_program() -> None:
    over = threading.Event()

    def again() -> None:
        press_ctrl_c()
        over.wait(60)

    search = _Search(then=again)
    with pytest.raises(SystemExit) as ended:
        wait_for(search, search.stop)
    over.set()
    assert ended.value.code == 130


def test_an_error_of_the_search_is_that_of_the_command() -> None:
    def fails() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        wait_for(fails, lambda: None)


@pytest.mark.parametrize("command", ["solve", "contract", "review", "explain", "check"])
def test_names_and_titles_are_no_markup(tmp_path: Path, command: str) -> None:
    path = tmp_path / "named.toml"
    record = "" if command in ("solve", "contract") else f'played = "{RECORD}"\n'
    names = 'title = "[bold]T[/bold]"\nnames = ["[/red]Ana", "x:heart:y", "[b]c"]\n'
    path.write_text(ENDING + record + names)
    result = tute(command, str(path))
    assert result.exit_code == 0
    assert "[bold]T[/bold]" in result.stdout
    for name in ("[/red]Ana", "x:heart:y", "[b]c"):
        assert name in result.stdout
