"""Documents, docstrings, comments, messages and pages are written in plain English."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documents.words import mistakes_in

PROJECT = Path(__file__).parents[2]
FOLDERS = ["clients", "docs", "games", "leaderboards", "pyramid_server", "tests"]
KINDS = {".md", ".py", ".html", ".js", ".mjs", ".css", ".txt", ".toml", ".yml", ".svg", ".service", ".template", ".sh"}
NAMES = {"Makefile", "Dockerfile", ".env.example"}
# Applied migrations do not change; the others are data, tools of others, or the list of phrases itself.
OTHERS = {"migrations", "data", "node_modules", "__pycache__", "documents"}


def texts() -> Iterator[Path]:
    """Yield all files of the project that people read."""
    yield from (path for path in PROJECT.iterdir() if path.suffix in KINDS or path.name in NAMES)
    for folder in FOLDERS:
        for path in (PROJECT / folder).rglob("*"):
            if path.suffix in KINDS and not OTHERS & set(path.parts):
                yield path


def test_no_sentence_sounds_translated() -> None:
    mistakes = [str(mistake) for path in texts() for mistake in mistakes_in(path, str(path.relative_to(PROJECT)))]
    assert not mistakes, "\n".join(["write instead:", *mistakes])


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("A handle stays for\n ever; some are kept for the server.", "for\n ever"),
        ("# on one of the own\n# games", "the own"),
        ("No code at all, or one that is not there (1006, 1011), means: with back-off.", "No code at all"),
        ("No code at all, or one that is not there (1006, 1011), means: with back-off.", "one that is not there"),
        ("A password is refused if it is one that many use or like the names", "that many use"),
        ("A password is refused if it is one that many use or like the names", "like the names"),
        ("A wrong one is refused everywhere, also where nobody needs one", "A wrong one"),
        ("A wrong one is refused everywhere, also where nobody needs one", "also where"),
        ("A field that does not exist, or a value that is none, is told at the start", "is told"),
        ("A field that does not exist, or a value that is none, is told at the start", "that is none"),
        ("The time of an answer makes no other answer of it", "makes no other answer"),
        ("An ace is no king", "is no king"),
        ("what waits is handed to the journal at once", "what waits"),
        ("what waits is handed to the journal at once", "handed to"),
        ("whatever arrives unasked is the server's goodbye", "unasked"),
        ("whatever arrives unasked is the server's goodbye", "goodbye"),
        ("the countdown, and how far\n everyone is", "how far\n everyone is"),
    ],
)
def test_a_phrase_is_found_across_lines_with_its_place(tmp_path: Path, text: str, phrase: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"Fine.\n{text}")
    found = {mistake.phrase.rstrip(): mistake.place for mistake in mistakes_in(page, "page.md")}
    assert found[phrase] == "page.md:2"


@pytest.mark.parametrize(
    ("docstring", "is_fine"),
    [
        ("Return True if a game is over.", True),
        ("The times of actions.", True),
        ("Tell whether a game is over.", False),
        ("What a game costs.", False),
        ("Whether a game is over.", False),
        ("Whatever happens.", True),
    ],
)
def test_a_docstring_does_not_open_with_a_question_word(tmp_path: Path, docstring: str, is_fine: bool) -> None:
    module = tmp_path / "module.py"
    module.write_text(f'def function():\n    """{docstring}"""\n')
    assert (not list(mistakes_in(module, "module.py"))) is is_fine


def test_the_better_sentences_pass(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "A handle cannot be changed; some are reserved. An invalid token is rejected even on public endpoints. "
        "Unknown fields and invalid values are reported at startup. All pending changes are passed to the journal. "
        "There is no such game. The owner's games are no longer secret. Some deals are played forever, for everyone."
    )
    assert list(mistakes_in(page, "page.md")) == []
