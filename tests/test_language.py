"""Everything people read is in their language, and every translation is there and fits."""

from __future__ import annotations

import ast
import gettext
import io
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.catalog import Message
from click.testing import CliRunner, Result

import catalogue
import tute
import tute_cli.search
from golden import Golden
from masking import left, plain
from tute.check import check
from tute.language import alternatives, count, language, later, say, why, word
from tute.notation import parse_move
from tute.report import rules, text
from tute.report.page_data import says
from tute.report.parts import filled, move_text
from tute.variants import VARIANTS
from tute_cli.language import wanted
from tute_cli.main import main

RECORD = "examples/record-subastado.toml"
RENUNCIO = "examples/record-renuncio.toml"
# Seat 1 declares, and has won a trick: 38 points.
ENDING = tute.Deal(
    variant="subastado",
    trump="oros",
    hands=["oA7 cRC", "o3R e54", "oC cA3 b4"],
    declarer=1,
    bid=60,
    tricks=[1, 0, 0],
)


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(catalogue.ROOT)


def run(*arguments: str, **environment: str) -> Result:
    result = CliRunner().invoke(main, list(arguments), env=environment, prog_name="tute")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


# -------------------------------------------------------------------- catalogues

Key = tuple[str | None, tuple[str, ...]]


def strings(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def messages(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def keys(catalogue: Catalog) -> set[Key]:
    return {(message.context, strings(message.id)) for message in messages(catalogue)}


def fields(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", text))


def test_catalogues_have_the_texts_of_the_sources_and_no_others() -> None:
    found = keys(catalogue.extracted())
    assert found == keys(catalogue.read(catalogue.TEMPLATE))
    assert found == keys(catalogue.read(catalogue.SPANISH))
    assert (None, ("{players} makes {points}.", "{players} make {points}.")) in found
    assert ("risk", ("high",)) in found
    assert (None, ("The game; `tute rules` lists them.",)) in found
    assert (None, (VARIANTS["tute"].title,)) not in found


@pytest.mark.parametrize("path", [catalogue.SPANISH, catalogue.CLICK], ids=lambda path: path.stem)
def test_every_translation_is_there_and_has_the_fields_of_its_text(path: Path) -> None:
    spanish = catalogue.read(path)
    assert not spanish.obsolete
    for message in messages(spanish):
        originals, translations = strings(message.id), strings(message.string)
        assert not message.fuzzy, message.id
        assert len(translations) == len(originals), message.id
        for original, translation in zip(originals, translations, strict=True):
            assert translation, message.id
            assert fields(translation) == fields(original)
            assert (original[0] == " ") is (translation[0] == " ")


def test_what_is_installed_is_what_was_translated() -> None:
    spoken = catalogue.read(catalogue.SPANISH)
    with language("es"):
        for message in messages(spoken):
            first, *several = strings(message.id)
            translations = list(strings(message.string))
            if message.context is not None:
                assert [word(message.context, first)] == translations
            elif several:
                assert [count(first, several[0], number) for number in (1, 2)] == translations
            else:
                assert [say(first)] == translations
    folder = Path(tute_cli.search.__file__).parent / "locale"
    click_words = gettext.translation("click", folder, ["es"])
    for message in messages(catalogue.read(catalogue.CLICK)):
        assert click_words.gettext(strings(message.id)[0]) == strings(message.string)[0]


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for folder in ("solver/tute", "cli/tute_cli"):
        for source in Path(folder).rglob("*.py"):
            yield source, ast.parse(source.read_text())


def test_texts_stand_whole_where_they_are_said() -> None:
    """No text is put together before it is looked up, and none escapes the catalogues."""
    found = {text for _, texts in keys(catalogue.extracted()) for text in texts}
    said = 0
    for source, tree in sources():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if (name := node.func.id) in ("say", "later", "count", "word"):
                texts = {"word": node.args[1:], "count": node.args[:2]}.get(name, node.args)
                for text in texts:
                    assert not isinstance(text, ast.JoinedStr | ast.BinOp), (source, text.lineno)
                    if isinstance(text, ast.Constant):
                        said += 1
                        assert text.value in found, (source, text.lineno)
    assert said > 200


def test_errors_are_said_through_the_catalogue() -> None:
    """What stands in the code of an error's text is the name of a field at most."""
    raised = 0
    for source, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                raised += 1
                text = node.exc.args[0]
                parts = text.values if isinstance(text, ast.JoinedStr) else [text]
                written = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
                assert all(re.fullmatch(r"\w*: ?", part) for part in written), (source, node.lineno)
    assert raised > 50


# -------------------------------------------------------------------- the library


def test_english_is_the_default_and_comes_back() -> None:
    assert say("nobody") == "nobody"
    with language("es"):
        assert say("nobody") == "nadie"
        with language("en"):
            assert say("nobody") == "nobody"
        assert say("nobody") == "nadie"
    assert say("nobody") == "nobody"


def test_numbers_and_contexts_choose_the_words() -> None:
    with language("es"):
        assert [count("wins", "win", number) for number in (1, 2, 0)] == ["gana", "ganan", "ganan"]
        assert say("wins") == "gana"
        assert (word("risk", "high"), word("aim", "high")) == ("alto", "a más")
        assert alternatives(["a", "b", "c"]) == "a o b o c"
        assert alternatives([]) == ""
        assert later("nobody") == "nobody"


def test_a_field_keeps_its_colour_wherever_the_sentence_has_it() -> None:
    from rich.text import Text

    shown = filled("a {two} b {one}", one=1, two=Text("Ao", style="red"))
    assert shown.plain == "a Ao b 1"
    assert [(span.start, span.end, span.style) for span in shown.spans] == [(2, 4, "red")]


def test_errors_speak_the_language_in_which_they_are_raised() -> None:
    with language("es"), pytest.raises(tute.CardError) as refused:
        tute.Card("Xx")
    assert "no es una carta" in str(refused.value)
    with pytest.raises(tute.CardError, match="is no card"):
        tute.Card("Xx")
    illegal = check(tute.Deal.read(RENUNCIO)).refusal
    assert illegal is not None
    with language("es"):
        assert "jugada 8: el jugador 3 no puede jugar So" in str(illegal.at(7))


def test_what_the_system_says() -> None:
    missing = FileNotFoundError(2, "No such file or directory")
    assert why(missing) == "No such file or directory"
    assert why(OSError("odd")) == "odd"
    with language("es"):
        assert why(missing) == "no existe ese archivo o directorio"
        assert why(OSError(1, "Something new")) == "Something new"


def test_threads_of_the_library_speak_the_language_of_the_caller() -> None:
    cabron = tute.Deal(variant="cabron", hands=["oA", "o3", "oR"])
    pairs = tute.Deal(variant="tute", hands=["oA", "o3", "oR", "oC"], rules={"tute": "wins_hand"})
    with language("es"):
        with pytest.raises(tute.QuestionError, match="se juega a no perder"):
            list(tute.solve_many([cabron]))
        with pytest.raises(tute.QuestionError, match="un tute gana la mano"):
            tute.table(pairs)


def test_a_search_of_the_command_line_speaks_the_language_of_the_caller() -> None:
    with language("es"):
        assert tute_cli.search.wait_for(lambda: say("nobody"), lambda: None) == "nadie"


def test_the_line_about_a_search_is_in_the_language_of_the_caller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(tute_cli.search, "_PATIENCE", 0.0)
    with language("es"), tute_cli.search.live_line(tute.Solver(1)):
        # The display shows the line from a thread of its own.
        for _ in range(600):
            if "posiciones" in shown.getvalue():
                break
            time.sleep(0.1)
    assert "posiciones" in shown.getvalue()
    assert "positions" not in shown.getvalue()


def test_importing_reads_no_catalogue_whatever_the_locale() -> None:
    code = (
        "import sys\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, given: opened.append(str(given[0])) "
        "if event == 'open' else None)\n"
        "import tute\n"
        "try: tute.Card('Xx')\n"
        "except tute.CardError as error: print(error)\n"
        "print([name for name in opened if name.endswith('.mo')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        text=True, capture_output=True, timeout=60, check=True,
        env={"LANGUAGE": "es", "LC_ALL": "es_ES.UTF-8", "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    error, opened = done.stdout.splitlines()
    assert "is no card" in error
    assert opened == "[]"


# -------------------------------------------------------------------- nothing is left out


@pytest.mark.usefixtures("masked")
@pytest.mark.parametrize("objective", ["points", "difference", "win"])
@pytest.mark.parametrize("limit", [None, 0])
def test_solutions_are_translated_whole(objective: str, limit: float | None) -> None:
    for deal in (ENDING, ENDING.replace(declarer=2, bid=20, played="Ao")):
        answer = tute.solve(deal, objective=objective, time_limit=limit)
        assert left(text.solution(answer, deal)) == {"Tute", "subastado"}
        asked = tute.contract(deal, time_limit=limit)
        assert left(text.contract(asked, deal)) == {"Tute", "subastado"}
    answer = tute.solve(ENDING, time_limit=limit)
    assert left(text.table(tute.table(ENDING, time_limit=limit), ENDING)) == {"Tute", "subastado"}


@pytest.mark.usefixtures("masked")
def test_other_games_are_translated_whole() -> None:
    butifarra = tute.Deal(variant="butifarra", trump="none", hands=["o9", "oA", "oR", "oC"])
    assert left(text.solution(tute.solve(butifarra), butifarra)) == {"Butifarra"}
    stock = tute.Deal.read("examples/habanero-last-eight.toml")
    shown = left(text.solution(tute.solve(stock, objective="win", time_limit=0), stock))
    assert shown - set(stock.title.split()) <= {"Tute", "habanero"}
    tricks = tute.Deal.read("examples/cuatrola-contract.toml")
    found = left(text.solution(tute.solve(tricks, objective="tricks"), tricks))
    assert found <= {"Cuatrola", "cuatrola", "solo", "quintola", *tricks.title.split()}


@pytest.mark.usefixtures("masked")
@pytest.mark.parametrize("limit", [None, 0])
def test_safety_is_translated_whole(limit: float | None) -> None:
    for name in ("cabron", "cabrero", "tute-individual"):
        deal = tute.Deal(variant=name, trump="none" if name == "cabron" else "oros",
                         hands=["oA c7", "o3 cR", "oC cA", "o7 e4"])  # fmt: skip
        answer = tute.safe(deal, time_limit=limit)
        assert left(text.safety(answer, deal)) <= {"Tute", "cabrón", "cabrero", "individual"}


@pytest.mark.usefixtures("masked")
def test_verdicts_are_translated_whole() -> None:
    for name in ("record-renuncio", "record-subastado", "cabron-lost-at-once"):
        deal = tute.Deal.read(f"examples/{name}.toml").replace(title="")
        for played in (deal.played, deal.played[:4], ()):
            result = (1, 2) if played == deal.played else None
            assert left(text.verdict(check(deal.replace(played=played, result=result)))) == set()
    wrong = tute.Deal.read("examples/record-renuncio.toml").replace(title="", played="*20c")
    assert left(text.verdict(check(wrong))) == set()


@pytest.mark.usefixtures("masked")
@pytest.mark.parametrize("move", ["*20c", "*40", "*tute", "*7", "*2", "*capote", "-7c"])
def test_moves_are_translated_whole(move: str) -> None:
    assert left(move_text(parse_move(move), "o")) == set()


def test_the_article_is_that_of_the_card() -> None:
    moves = [parse_move(token) for token in ("Ao", "Sc", "-7e", "-Sb")]
    with language("es"):
        assert [says(move, "Ana", "o") for move in moves] == [
            "Ana juega el as de oros.",
            "Ana juega la sota de copas.",
            "Ana descarta el siete de espadas.",
            "Ana descarta la sota de bastos.",
        ]
    assert says(moves[1], "Ana", "o") == "Ana plays the sota of copas."


def test_one_loses_and_several_lose() -> None:
    deal = tute.Deal(
        variant="cabron",
        hands=["oA", "o7", "o6", "o5"],
        played="Ao 7o 6o 5o",
        tricks=[1, 1, 1, 1],
        points=[50, 30, 20, 10],
    )
    with language("es"):
        assert "\nLos jugadores 2 y 3 pierden.\n" in plain(text.verdict(check(deal)))
        over = deal.replace(points=[80, 30, 20, 10])
        assert "\nEl jugador 1 pierde.\n" in plain(text.verdict(check(over)))
        tied = deal.replace(points=[9, 30, 30, 30], rules={"all_tied": "none"})
        assert "\nNo pierde nadie.\n" in plain(text.verdict(check(tied)))


@pytest.mark.usefixtures("masked")
def test_rules_are_translated_whole() -> None:
    from tute.rules import OUTSIDE_THE_HAND, switches

    named = {"NAME", "VALUE", "rule", "rules"}
    for switch in (*switches(), *OUTSIDE_THE_HAND.values()):
        for name in (switch.name, *switch.values):
            named.update(re.split(r"[\W\d_]+", name))
    for variant in VARIANTS.values():
        named.update(re.split(r"[\W_]+", f"{variant.id} {variant.title}"))
        named.update(variant.objectives)
    assert left(rules.variants(VARIANTS.values())) <= named
    for variant in VARIANTS.values():
        assert left(rules.variant(variant)) <= named


# -------------------------------------------------------------------- the command line


@pytest.mark.parametrize(
    ("environment", "spoken"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "es_AR@euro"}, "es"),
        ({"LANG": "ES.utf8"}, "es"),
        ({"LANG": "est_EE"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "es_ES.UTF-8"}, "es"),
        ({"LC_MESSAGES": "es_ES.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LC_MESSAGES": "es_ES.UTF-8", "LC_ALL": ""}, "es"),
        ({"LC_ALL": "de_DE.UTF-8", "LANGUAGE": "es"}, "es"),
        ({"LC_ALL": "es_ES.UTF-8", "LANGUAGE": "en"}, "en"),
        ({"LANGUAGE": "ca:es:en"}, "es"),
        ({"LANGUAGE": "en:es"}, "en"),
        ({"LANGUAGE": "C:es"}, "en"),
        ({"LANGUAGE": "ca", "LANG": "es_ES"}, "en"),
    ],
)
def test_the_locale_chooses(environment: dict[str, str], spoken: str) -> None:
    assert wanted([], environment) == spoken
    assert wanted(["--lang", "en"], environment) == "en"
    assert wanted(["--lang", "fr"], environment) == spoken
    unset = dict.fromkeys(("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"), "")
    help_shown = run("--help", **unset | environment).stdout
    assert help_shown.startswith({"en": "Usage:", "es": "Uso:"}[spoken])


@pytest.mark.parametrize(
    "arguments",
    [
        ["--lang", "es", "check", RENUNCIO],
        ["--lang=es", "check", RENUNCIO],
        ["check", "--lang", "es", RENUNCIO],
        ["check", RENUNCIO, "--lang", "es"],
        ["check", RENUNCIO, "--lang=es"],
        ["--lang", "en", "check", RENUNCIO, "--lang", "es"],
    ],
)
def test_lang_may_stand_anywhere(arguments: list[str]) -> None:
    shown = run(*arguments)
    assert shown.exit_code == 1
    assert "Es renuncio. Fallar: " in shown.stdout
    assert "A renuncio. Fallar: " in run("check", RENUNCIO).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--lang", "es", "--help"], "Órdenes:"),
        (["--help", "--lang", "es"], "Órdenes:"),
        (["--lang", "es"], "Órdenes:"),
        (["solve", "--help", "--lang", "es"], "Uso: "),
        (["--lang", "es", "solve", "-h"], "Uso: "),
    ],
)
def test_lang_chooses_the_language_of_the_help(arguments: list[str], words: str) -> None:
    shown = run(*arguments)
    assert shown.exit_code == 0
    assert words in shown.stdout
    assert "--lang [en|es]" in shown.stdout
    assert "Usage:" in run("solve", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--lang", "fr", "rules"], "Invalid value for '--lang': 'fr' is not one of 'en', 'es'."),
        (["rules", "--lang=ES"], "Invalid value for '--lang': 'ES' is not one of 'en', 'es'."),
        (["rules", "--lang"], "Option '--lang' requires an argument."),
        (["rules", "--lang", "es", "--bogus"], "No existe la opción '--bogus'."),
        (["rules", "--bogus", "--lang", "es"], "No existe la opción '--bogus'."),
        (["--lang", "es", "bogus"], "No existe la orden 'bogus'."),
        (["--lang", "es", "deal"], "Falta el argumento 'VARIANTE'."),
        (["deal", "tute", "-n", "x", "--lang", "es"],
         "Valor no válido para '-n': 'x' no es un entero válido."),
        (["deal", "tute", "-n", "0", "--lang", "es"],
         "Valor no válido para '-n': 0 no está en el intervalo x>=1."),
        (["rules", "a", "b", "--lang", "es"], "Sobra un argumento (b)"),
        (["rules", "whist", "--", "--lang", "es"], "Got unexpected extra arguments (--lang es)"),
        (["solve", "none.toml", "--lang", "es"], "none.toml: no existe ese archivo o directorio"),
        (["solve", "--lang", "es", "--points", "x", "-"],
         "Valor no válido para '--points': 'x' no son números enteros, como 12,30,0"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], line: str) -> None:
    shown = run(*arguments)
    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert shown.stderr == f"tute: error: {line}\n"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("x y", "-: no es TOML: falta '=' tras el nombre del campo (línea 1, columna 3)"),
        ("x = [", "-: no es TOML: valor no válido (al final del documento)"),
        ('{"variant"', "-: no es JSON: los datos están incompletos"),
        ("{} {}", "-: no es JSON: sobran caracteres al final (byte 4)"),
        ("{}", "al reparto le falta el campo variant"),
        ('{"variant": 3, "hands": []}', "variant: se esperaba texto, no entero"),
        ('{"variant": "tute", "hands": [3]}',
         "hands: jugador 1: se esperaba texto | lista, no entero"),
        ('{"x": 3}', "el reparto contiene un campo desconocido: x"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said_too(content: str, line: str) -> None:
    result = CliRunner().invoke(main, ["check", "-", "--lang", "es"], input=content)
    assert result.stderr == f"tute: error: {line}\n"


def test_one_language_does_not_stay_for_the_next_run() -> None:
    english = run("deal", "--help").stdout
    assert run("deal", "--help", "--lang", "es").stdout != english
    assert run("deal", "--help").stdout == english
    assert gettext.textdomain() == "messages"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk_is_told_in_the_language_too() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tute_cli", "rules", "--lang", "es"],
            text=True, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
    assert done.stderr == "tute: error: no queda espacio en el dispositivo\n"


def test_json_keeps_its_words() -> None:
    english = run("rules", "guinote", "--json").stdout
    assert run("rules", "guinote", "--json", "--lang", "es").stdout == english


SMALL = ["--variant", "subastado", "--trump", "oros", "--tricks", "1,0,0", "oA7 cRC", "o3R e54",
         "oC cA3 b4"]  # fmt: skip
PRINTED = {
    "help": ["--help"],
    "deal-help": ["deal", "--help"],
    "solve-help": ["solve", "--help"],
    "solve": ["solve", "examples/subastado-two-twenties.toml"],
    "solve-difference": ["solve", *SMALL, "--objective", "difference", "--played", "Ao"],
    "solve-bounds": ["solve", *SMALL, "--time-limit", "0", "--bid", "60"],
    "table": ["table", "examples/subastado-killing-lead.toml"],
    "contract": ["contract", *SMALL, "--bid", "30"],
    "safe": ["safe", "examples/cabrero-never-a-baza.toml", "--played", "3e Se Ae 6e Co 5o 7o Ro"],
    "check": ["check", RECORD],
    "check-renuncio": ["check", RENUNCIO],
    "rules": ["rules"],
    "rules-subastado": ["rules", "subastado"],
    "review": ["review", RECORD],
    "review-blameless": ["review", "examples/subastado-blameless.toml"],
    "review-safety": ["review", "examples/cabron-lost-at-once.toml"],
    "review-match": ["review", "examples/match.jsonl", "--samples", "50"],
    "review-renuncio": ["review", RENUNCIO],
    "review-what-if": ["review", RECORD, "--samples", "0", "--what-if", "9=3e"],
    "review-safety-what-if": ["review", "examples/cabron-lost-at-once.toml", "--what-if", "0=5o"],
    "review-help": ["review", "--help"],
    "explain": ["explain", "examples/problem-pair-that-waits.toml"],
    "explain-problem": ["explain", "examples/problem-drive-out-the-as.toml", "--problem"],
    "explain-safety": ["explain", "examples/cabrero-never-a-baza.toml"],
    "explain-motifs": ["explain", "--motifs"],
    "explain-help": ["explain", "--help"],
    "error": ["check", "--variant", "tute", "oA", "o3", "oR", "oCS"],
}


@pytest.mark.parametrize("spoken", ["en", "es"])
@pytest.mark.parametrize("name", PRINTED)
def test_texts_are_those_kept(name: str, spoken: str, golden: Golden) -> None:
    golden(name, spoken, run(*PRINTED[name], "--lang", spoken).output)
