"""The texts that people read, taken from the sources, and the catalogues of their translations.

`python tests/catalogue.py` brings `solver/tute/locale` up to date with the sources: new texts stand
in the .po without a translation, those that are gone are dropped, and the .mo is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
LOCALE = ROOT / "solver/tute/locale"
TEMPLATE = LOCALE / "tute.pot"
SPANISH = LOCALE / "es/LC_MESSAGES/tute.po"
# Click looks up its own words; this catalogue is kept by hand.
CLICK = ROOT / "cli/tute_cli/locale/es/LC_MESSAGES/click.po"

_SOURCES = ("solver/tute", "cli/tute_cli")
_METHODS = [("**.py", "python"), ("**.html", "jinja2")]
# Which arguments are texts; in a `word` the first is its context.
_KEYWORDS = {
    "say": None,
    "later": None,
    "count": (1, 2),
    "word": ((1, "c"), 2),
    "_switch": (2,),  # of the rules
}
_WIDTH = 100


def read(path: Path) -> Catalog:
    """The catalogue of a file, in Spanish."""
    with path.open("rb") as file:
        return read_po(file, locale="es")


def extracted() -> Catalog:
    """Every text of the sources: those in calls, and the helps of the commands."""
    authors = "The tute authors"
    catalogue = Catalog(
        project="tute",
        header_comment=f"# The texts of tute.\n# Copyright (C) 2026 {authors}",
        last_translator=authors,
        language_team="es",
        charset="utf-8",
        fuzzy=False,
    )
    catalogue.msgid_bugs_address = ""
    for source in _SOURCES:
        for name, _, text, _, context in extract_from_dir(
            ROOT / source, method_map=_METHODS, keywords=_KEYWORDS
        ):
            catalogue.add(text, locations=[(f"{source}/{name}", 0)], context=context)
    for name, text in _helps():
        catalogue.add(text, locations=[(f"cli/tute_cli/{name}.py", 0)])
    return catalogue


def _helps() -> Iterator[tuple[str, str]]:
    """What a command says in the help, with the name of its module."""
    import click

    from tute_cli.language import translated
    from tute_cli.main import main

    texts: list[str] = []

    def collect(text: str) -> str:
        texts.append(text)
        return text

    group = translated(main, collect)
    yield from (("main", text) for text in texts)
    group.say = collect
    for name in group.list_commands(click.Context(group)):
        texts.clear()
        group.get_command(click.Context(group), name)
        yield from ((name, text) for text in texts)


def main() -> None:
    """Bring the catalogues up to date with the sources."""
    template, spanish = extracted(), read(SPANISH)
    # The date is that of the catalogue's beginning, so that only a text changes the file.
    template.creation_date = spanish.creation_date
    spanish.update(template, no_fuzzy_matching=True)
    for path, catalogue in ((TEMPLATE, template), (SPANISH, spanish)):
        with path.open("wb") as file:
            write_po(
                file,
                catalogue,
                width=_WIDTH,
                sort_by_file=True,
                include_lineno=False,
                ignore_obsolete=True,
            )
    for path in (SPANISH, CLICK):
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, read(path))
    for message in spanish:
        if message.id and not message.string:
            print("no translation:", repr(message.id))


if __name__ == "__main__":
    main()
