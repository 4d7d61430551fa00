"""The examples: each loads, is as it was dealt, and has the values that its comments give."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tute
from tute.check import check
from tute_cli.main import main

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "examples").glob("*.toml"))
NAMES = [file.stem for file in FILES]
NOT_SOLVED = {"cabron", "cabrero", "cabron-lost-at-once", "cabrero-never-a-baza"}
OVER = {"cabron", "cabrero", "cabron-lost-at-once", "record-subastado", "subastado-blameless"}
RENUNCIO = {"record-renuncio"}
# Not dealt by the program.
COMPOSED = {
    "golpe-de-viena",
    "problem-drive-out-the-as",
    "problem-let-the-partner-in",
    "problem-pair-that-waits",
}
# Solved in the long tests only.
LONG = {"habanero-whole"}


@dataclass(frozen=True)
class Claim:
    """What the comments of a file say about the best move and the others."""

    value: int
    best: str
    next_best: int
    others: Mapping[str, int] = field(default_factory=dict)
    objective: str | None = None


CLAIMS = {
    "butifarra": [Claim(44, "Sb", 43, {"Ac": 35, "Ao": 27})],
    "butifarra-no-trump": [Claim(38, "8b", 37, {"6o": 37, "Sb": 37, "Se": 35, "8e": 35})],
    "cuatrola": [Claim(110, "Co", 72), Claim(1, "Co", -1, objective="win")],
    "cuatrola-contract": [
        Claim(4, "Se", 3, objective="tricks"),
        Claim(1, "Se", -1, objective="win"),
    ],
    "golpe-de-viena": [
        Claim(75, "Ao", 69, {"6e": 69, "Ab": 59, "7b": 47}),
        Claim(1, "Ao 6e", -1, {"Ab": -1, "7b": -1}, objective="win"),
    ],
    "guinote-arrastre": [Claim(104, "6b", 57), Claim(1, "6b", 0, objective="win")],
    "habanero": [Claim(0, "6b", 4, {"*2": 6, "3e": 22})],
    "habanero-last-eight": [
        Claim(34, "So", 14),
        Claim(102, "3o So Ac 5c 6e 3b", 100, objective="points"),
        Claim(1, "3o So Ac 5c 6e 3b", 0, {"Ce": 0, "2e": 0}, objective="win"),
    ],
    "habanero-whole": [Claim(94, "7b", 90, {"2e": 64, "Ae": 56, "Ro": 40})],
    "problem-drive-out-the-as": [Claim(18, "Se", 10, {"Cb": 3})],
    "problem-let-the-partner-in": [Claim(51, "7o", 20, {"Ae": 14})],
    "problem-pair-that-waits": [Claim(32, "Cb", 14, {"Rc": 12})],
    "subastado-broken-pair": [Claim(141, "Ab", 161)],
    "subastado-killing-lead": [Claim(79, "Rc", 81, {"6c": 83, "5c": 83, "4c": 83})],
    "subastado-only-lead": [Claim(109, "Ac", 102, {"Ae": 102})],
    "subastado-parejas": [Claim(106, "Ac", 87)],
    "subastado-three-cantes": [Claim(110, "*20c", 90, {"*20b": 90, "Cc": 90})],
    "subastado-two-twenties": [Claim(99, "*20e", 89, {"*20c": 89})],
    "tute": [Claim(111, "Ac", 78)],
    "tute-individual-3": [Claim(22, "Co", 15)],
    "tute-individual-4": [Claim(31, "Ac", 0)],
}


def read(name: str) -> tute.Deal:
    return tute.Deal.read(ROOT / "examples" / f"{name}.toml")


def run(command: str) -> Result:
    """A command in this process, from the folder of the project."""
    program, *arguments = shlex.split(command)
    assert program == "tute"
    return CliRunner().invoke(main, arguments)


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def values_of(solution: tute.Solution) -> dict[str, int | None]:
    return {str(move.card): move.value for move in solution.cards}


def commands() -> Iterator[tuple[str, str]]:
    """The commands that the comments tell the reader to run, by file."""
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        for command in re.findall(r"^#     (tute .*)$", text, flags=re.MULTILINE):
            yield file.stem, command


# -------------------------------------------------------------------- the files


def test_every_variant_has_an_example() -> None:
    from tute.variants import VARIANTS

    assert {read(name).variant.id for name in NAMES} == set(VARIANTS)


def test_every_example_has_its_values_here() -> None:
    assert set(NAMES) == set(CLAIMS) | NOT_SOLVED | OVER | RENUNCIO


@pytest.mark.parametrize("name", NAMES)
def test_says_what_it_is(name: str) -> None:
    deal = read(name)
    assert deal.title
    assert deal.source
    told = [command for file, command in commands() if file == name]
    assert told
    assert all(f"examples/{name}.toml" in command for command in told)


@pytest.mark.parametrize("name", NAMES)
def test_is_a_legal_record(name: str) -> None:
    verdict = check(read(name))
    assert verdict.legal == (name not in RENUNCIO)
    assert verdict.position.over == (name in OVER)
    assert verdict.result_agrees is (True if name in OVER else None)


@pytest.mark.parametrize("name", NAMES)
def test_was_dealt_as_it_says(name: str, tmp_path: Path) -> None:
    deal = read(name)
    dealt = re.match(r"dealt by `(tute deal [^`]*)`", deal.source)
    if dealt is None:
        assert name in COMPOSED
        return
    result = run(dealt[1])
    assert result.exit_code == 0, result.stderr
    (tmp_path / "dealt.toml").write_text(result.stdout, encoding="utf-8")
    original = tute.Deal.read(tmp_path / "dealt.toml")
    for name_of_field in ("variant", "hands", "trump", "stock", "contract"):
        assert getattr(deal, name_of_field) == getattr(original, name_of_field)
    if deal.variant.bids or deal.contract:
        assert deal.declarer == original.declarer


@pytest.mark.parametrize(("name", "command"), list(commands()))
def test_commands_in_the_comments_run(name: str, command: str) -> None:
    result = run(command)
    assert result.exit_code == (1 if name in RENUNCIO else 0), result.output
    assert result.stdout
    assert result.stderr == ""


# -------------------------------------------------------------------- their values


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        pytest.param(name, claim, marks=[pytest.mark.long] if name in LONG else [])
        for name, claims in CLAIMS.items()
        for claim in claims
    ],
)
def test_values(name: str, claim: Claim) -> None:
    solution = tute.solve(read(name), objective=claim.objective)
    assert solution.value == claim.value
    assert " ".join(solution.best) == claim.best
    others = [move.value for move in solution.cards if move.card not in solution.best]
    assert others[0] == claim.next_best
    values = values_of(solution)
    for card, value in claim.others.items():
        assert values[card] == value


@pytest.mark.parametrize(
    ("name", "bid", "made"),
    [
        ("problem-pair-that-waits", 30, True),
        ("subastado-broken-pair", 150, False),
        ("subastado-killing-lead", 80, False),
        ("subastado-only-lead", 105, True),
        ("subastado-parejas", 100, True),
        ("subastado-three-cantes", 110, True),
        ("subastado-two-twenties", 95, True),
    ],
)
def test_one_move_decides_the_contract(name: str, bid: int, made: bool) -> None:
    """Exactly one move makes it, or exactly one breaks it."""
    deal = read(name)
    assert deal.bid == bid
    solution = tute.solve(deal)
    assert solution.contract is not None
    assert solution.contract.made is made
    deciding = [m for m in solution.cards if m.value is not None and (m.value >= bid) == made]
    assert [m.card for m in deciding] == list(solution.best)
    assert len(deciding) == 1


def test_north_keeps_the_knight_in_the_golpe_de_viena() -> None:
    position = read("golpe-de-viena").position()
    assert (position.points[0] + position.points[2], position.declared) == (55, frozenset())
    solution = tute.solve(position.play("Ao").play("6o"), seat=2)
    assert values_of(solution) == {"7o": 75, "Co": 69}


def test_east_is_squeezed_in_the_golpe_de_viena() -> None:
    """South leads the 6e, which North has to trump: whatever East throws away, he loses all."""
    position = read("golpe-de-viena").position()
    for move in ("Ao", "6o", "7o", "4o", "6e"):
        position = position.play(move)
    assert values_of(tute.solve(position, seat=2)) == {"3o": 75, "Rb": 75, "6b": 75}


def test_the_lead_of_the_rey_is_the_four_points() -> None:
    """Without it the declarer makes at least 81, and the contract."""
    deal = read("subastado-killing-lead")
    assert list(values_of(tute.solve(deal)).values()) == [79] + 7 * [81] + [82] + 3 * [83]
    assert tute.contract(deal.replace(played="6c 7c Ac")).value == 83


def test_the_pair_is_broken_before_it_can_be_declared() -> None:
    solution = tute.solve(read("subastado-broken-pair"))
    assert "*20b" not in solution.line
    others = tute.solve(read("subastado-broken-pair").replace(played="Ao"))
    assert "*20b" in others.line


def test_what_is_squandered_in_the_record() -> None:
    """Worth 81 after the lead; the Ro of the fourth baza costs 7."""
    deal = read("record-subastado")
    before = tute.solve(deal.replace(played=deal.played[:1]))
    assert before.value == 81
    fourth = tute.solve(deal.replace(played=deal.played[:9]))
    assert (fourth.value, deal.played[9]) == (81, "Ro")
    assert values_of(fourth)["Ro"] == 74
    assert check(deal).totals == (74, 56)


def test_the_renuncio() -> None:
    verdict = check(read("record-renuncio"))
    assert verdict.refusal is not None
    assert (verdict.refusal.seat, verdict.refusal.duty, verdict.trick) == (3, "fallar", 2)


def test_losers_of_the_records() -> None:
    assert check(read("cabron")).losers == (2,)
    assert check(read("cabrero")).losers == (2,)
    assert check(read("cabron")).position.tricks == (3, 5, 4)
    assert check(read("cabrero")).position.tricks[3] == 0


def test_an_exchange_in_habanero() -> None:
    deal = read("habanero")
    position = deal.position()
    assert position.stock[-1] == "7c"
    assert "Sc" in position.hands[1]
    assert "*7" in deal.played


@pytest.mark.parametrize("name", sorted(NOT_SOLVED))
def test_what_is_not_solved_says_so(name: str) -> None:
    with pytest.raises(tute.QuestionError):
        tute.solve(read(name).replace(played=""))


# -------------------------------------------------------------------- not to lose


def test_seat_1_never_takes_a_baza() -> None:
    answer = tute.safe(read("cabrero-never-a-baza"))
    assert [player.safe for player in answer.players] == [True, False, True, False]
    assert [player.low for player in answer.players] == [True, False, False, False]
    assert [player.high for player in answer.players] == [False, False, True, False]
    assert answer.safe_cards == ("3e",)
    position = answer.position
    for move in answer.line:
        position = position.play(move)
    assert position.tricks[0] == 0


def test_the_first_card_loses_the_hand() -> None:
    deal = read("cabron-lost-at-once")
    steps = tute.safety_history(deal)
    assert [(step.index, step.card) for step in steps if 1 in step.lost] == [(0, "Ao")]
    assert all(not step.after[0] for step in steps)
    assert check(deal).losers == (1,)
    position = deal.replace(played="").position()
    safe = [tute.safety_history(deal.replace(played=[card]))[0] for card in position.legal()]
    assert [step.card for step in safe if step.after[0]] == ["5o"]
