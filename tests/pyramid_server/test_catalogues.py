"""The catalogues of translations are complete, compiled, and fit the texts of the code."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections import defaultdict
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest

from tests.processes import PROJECT
from tests.texts import LANGUAGES, PACKAGES, collect

Texts = dict[tuple[str, int], str]  # by the text in English and the number of the plural form

needs_gettext = pytest.mark.skipif(shutil.which("msgfmt") is None, reason="apt-get install gettext")
CATALOGUES = sorted(PROJECT.glob("*/locale/*/LC_MESSAGES/*.po"))
TRANSLATES = re.compile(r"_$|n?p?gettext(_lazy)?$")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}|</?[a-z]+")


def texts_of(compiled: bytes) -> Texts:
    catalogue = GNUTranslations(BytesIO(compiled))._catalog  # type: ignore[attr-defined]
    found = {key if isinstance(key, tuple) else (key, 0): text for key, text in catalogue.items()}
    return {key: text for key, text in found.items() if key[0]}


def compiled(*command: str | Path, given: bytes = b"") -> bytes:
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


def english(catalogue: Path) -> Texts:
    """Return all texts of a catalogue of English, each as its own translation."""
    return texts_of(compiled("msgfmt", "-", "-o", "-", given=compiled("msgen", catalogue)))


def in_language(language: str) -> dict[str, Texts]:
    found = PROJECT.glob(f"*/locale/{language}/LC_MESSAGES/*.mo")
    return {f"{path.parts[-5]}/{path.stem}": texts_of(path.read_bytes()) for path in found}


@pytest.fixture(scope="module")
def in_code(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Texts]:
    """All texts of the code, by package and domain, collected again in a copy."""
    copy = tmp_path_factory.mktemp("texts")
    for package in PACKAGES:
        shutil.copytree(PROJECT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__", "de"))
        (copy / package / "locale").mkdir(exist_ok=True)
    collect(copy, "en")
    return {f"{path.parts[-5]}/{path.stem}": english(path) for path in copy.glob("*/locale/en/LC_MESSAGES/*.po")}


@needs_gettext
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_has_a_translation_and_every_translation_a_text(language: str, in_code: dict[str, Texts]) -> None:
    """After a new text: `make texts`, then translate what is empty or fuzzy in the catalogue, and again."""
    translated = in_language(language)
    missing = {
        name: sorted({key[0] for key in texts.keys() - translated[name].keys()}) for name, texts in in_code.items()
    }
    surplus = {
        name: sorted({key[0] for key in texts.keys() - in_code[name].keys()}) for name, texts in translated.items()
    }
    assert [text for texts in missing.values() for text in texts] == []
    assert [text for texts in surplus.values() for text in texts] == []
    assert sum(map(len, in_code.values())) > 1000


def test_no_text_to_translate_stands_within_an_f_string() -> None:
    """Versions of gettext before 0.23 do not look there, so the catalogues would lack it."""
    modules = [path for package in PACKAGES for path in (PROJECT / package).rglob("*.py")]
    inside = {
        (path.relative_to(PROJECT).as_posix(), call.lineno)
        for path in modules
        for text in ast.walk(ast.parse(path.read_text()))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and TRANSLATES.match(call.func.id)
        if isinstance(call.args[0], ast.Constant)
    }
    assert len(modules) > 500
    assert inside == set()


@needs_gettext
@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: f"{path.parts[-5]}-{path.stem}-{path.parts[-3]}")
def test_what_is_compiled_is_what_is_written(path: Path) -> None:
    assert texts_of(path.with_suffix(".mo").read_bytes()) == texts_of(compiled("msgfmt", path, "-o", "-"))


@needs_gettext
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_placeholders_and_elements_of_its_text(language: str, in_code: dict[str, Texts]) -> None:
    """A singular may leave one out: `The last day`."""
    for name, texts in in_language(language).items():
        for key, translation in texts.items():
            several = in_code[name].get((key[0], 1))
            expected = sorted(PLACEHOLDER.findall(several or key[0]))
            found = sorted(PLACEHOLDER.findall(translation))
            assert found == expected or (several and key[1] == 0 and set(found) < set(expected)), key[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_has_one_translation_wherever_it_stands(language: str) -> None:
    """Django looks all packages up at once, so of two translations one would never be seen."""
    found = defaultdict(set)
    for name, texts in in_language(language).items():
        for key, translation in texts.items():
            found[name.partition("/")[2], key].add(translation)
    assert {key: translations for key, translations in found.items() if len(translations) > 1} == {}
