"""The README: its commands are run and their output compared, its Python is run as doctests."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import tute
from tute_cli.main import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
# The README shows a renuncio.
STATUS = {"tute check examples/record-renuncio.toml": 1}
# The last line of a report says how long it took.
EFFORT = re.compile(r"\n*[\d,]+ positions in [\d.]+ s\n\Z")


def blocks(language: str) -> list[str]:
    """The fenced blocks of the README in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


def shown_commands() -> Iterator[tuple[str, str]]:
    """Each command that the README shows, and what it says that the command prints."""
    for block in blocks("console"):
        for shown in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = shown.partition("\n")
            yield command, output


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize(("command", "output"), list(shown_commands()))
def test_commands_print_what_is_shown(command: str, output: str) -> None:
    """A line `…` stands for any lines left out; so does the end of a report, its effort."""
    program, *arguments = shlex.split(command)
    assert program == "tute"
    result = CliRunner().invoke(main, arguments)
    status = STATUS.get(command.removesuffix(" --json"), 0)
    assert result.exit_code == status, result.output
    printed = EFFORT.sub("\n", result.stdout)
    pattern = "(?:.*\n)*?".join(re.escape(part) for part in output.split("…\n"))
    assert re.fullmatch(pattern, printed), printed


def test_python_does_what_is_shown() -> None:
    """All blocks are one session."""
    session = "\n".join(blocks("python"))
    parsed = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    report: list[str] = []
    failed, tried = doctest.DocTestRunner().run(parsed, out=report.append)
    assert tried > 0
    assert failed == 0, "".join(report)


def test_every_example_is_reachable() -> None:
    assert "[examples](examples)" in README
    named = re.findall(r"examples/[\w-]+\.toml", README)
    assert named
    for name in named:
        tute.Deal.read(name)


def test_every_variant_is_listed() -> None:
    from tute.variants import VARIANTS

    listed = re.findall(r"^\| `([\w-]+)` \|", README, flags=re.MULTILINE)
    assert sorted(listed) == sorted(VARIANTS)


def test_objectives_are_those_of_the_variants() -> None:
    from tute.variants import VARIANTS

    for name, objectives in re.findall(
        r"^\| `([\w-]+)` \|.*\| ([^|]*)\|$", README, flags=re.MULTILINE
    ):
        told = [word.strip() for word in objectives.partition(";")[0].split(",") if word.strip()]
        assert told == list(VARIANTS[name].objectives)
