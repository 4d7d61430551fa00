"""The frozen corpus still holds, and the search takes the nodes that it is known to take."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


def run(script: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, BENCHMARKS / script, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_node_signature() -> None:
    """A change that alters the search says so: it puts the new number into benchmarks/SIGNATURE."""
    assert run("signature.py") == (BENCHMARKS / "SIGNATURE").read_text(encoding="utf-8")


def test_sample_of_the_frozen_answers_holds() -> None:
    run("make_corpus.py", "--check", "--first", "3", "--limit", "0.3")


def test_sample_of_the_frozen_safety_holds() -> None:
    run("frozen_safety.py", "--check", "--kind", "ending", "--first", "15")


@pytest.mark.long
def test_frozen_answers_hold() -> None:
    run("make_corpus.py", "--check")
    run("frozen_safety.py", "--check")
