"""Draws the picture of the README anew: `python docs/picture.py`, with the test extra installed.

It is the page of `tute review examples/record-subastado.toml` at its decisive card, as chromium
shows it.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import tute
from tute.report import review

HERE = Path(__file__).parent
DECISIVE = 9


def main() -> None:
    """Write review.png beside this file."""
    deal = tute.Deal.read(HERE.parent / "examples" / "record-subastado.toml")
    page = review.page(tute.review(deal))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "review.html"
        file.write_text(page, encoding="utf-8")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        shown = browser.new_page(viewport={"width": 1200, "height": 1000})
        shown.goto(f"{file.as_uri()}#{DECISIVE}")
        shown.screenshot(path=HERE / "review.png")
        browser.close()


if __name__ == "__main__":
    main()
