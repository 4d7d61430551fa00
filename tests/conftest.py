"""What all tests share: property tests are repeatable and have no deadline, texts are English."""

from __future__ import annotations

import gettext
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from golden import Golden
from masking import Masked
from tute.language import language

settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    print_blob=False,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True, scope="session")
def plain_surroundings() -> Iterator[None]:
    """The machine's locale and terminal do not matter, to a process that a test starts either."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LC_ALL", "C.UTF-8")
        patch.setenv("LANGUAGE", "en")
        patch.setenv("COLUMNS", "80")
        yield


@pytest.fixture
def golden() -> Golden:
    """Compares a text with the one kept: `golden("solve", "es", printed)`."""
    return Golden()


@pytest.fixture
def masked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Texts come in a language of one letter: see `masking.left`."""
    monkeypatch.setattr(gettext, "translation", lambda *_, **__: Masked())
    with language("es"):
        yield
