"""Every text that a page or script shows is marked for translation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import override

from games.accounts.refusals import HandleTaken, WeakPassword
from games.deals.daily import DailyKey, DailyState, Division
from games.deals.grading import Grade
from games.doors.pages import sentence
from games.doors.refusals import refusals
from games.play.models import Game
from games.play.words import WORDS, result_text, when_committed, word
from games.rules import RULE_SETS
from leaderboards.boards.models import EntryState
from leaderboards.desk.words import DETECTORS
from leaderboards.moderation.models import Outcome

BASE = Path(settings.BASE_DIR)
APPS = [BASE / app for app in ("games", "leaderboards")]
TEMPLATES = sorted(
    path for folder in (*APPS, BASE / "pyramid_server") for path in folder.glob("**/templates/**/*.html")
)
SCRIPTS = sorted(path for app in APPS for path in app.glob("**/static/**/*.js"))
VIEW = re.compile(r"(\w*pages?|admin\w*|forms|\w*feeds?|words|game_data|readers|visitors|options|sketches)\.py")
VIEWS = sorted(
    path
    for app in APPS
    for path in app.rglob("*.py")
    if (VIEW.fullmatch(path.name) and path.parent.name != "sockets") or path.parent.name in {"admin", "desk"}
)
NAMES = {"Pyramid", "nbsp", "rsaquo", "UTC"}

MARKED = re.compile(
    r"{%\s*blocktranslate.*?endblocktranslate\s*%}|{#.*?#}|{% block (?:body(?:class)?|shown_with) %}.*?{% endblock %}"
    r"|<(code|kbd|script|svg)\b.*?</\1>",
    re.DOTALL,
)
TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
READ_OUT = re.compile(r'\b(?:aria-label|title|alt|placeholder|data-first|data-follow|data-unfollow)="([^"]*)"')
WORD = re.compile(r"[A-Za-z]{2,}")

COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
LITERAL = re.compile(r'(?:(\w+)\()?(?<=[\s(\[{,:])"((?:\\.|[^"\\\n])*)"')
SENTENCE = re.compile(r"[A-Za-z]{2,},? [a-z]{2,}|^[A-Z][a-z]{2,}\b")
NO_TEXT = {"all", "one", "closest", "querySelector", "querySelectorAll", "Error", "make", "setAttribute"}
MARKS = {"gettext", "ngettext", "filled", "_", "gettext_lazy", "pgettext"}


def unmarked_in(template: str) -> list[str]:
    plain = TAG.sub(" ", MARKED.sub(" ", template))
    texts = [*READ_OUT.findall(plain), *re.split(r"<[^>]*>", plain)]
    return [text.strip() for text in texts if set(WORD.findall(text)) - NAMES]


def test_templates_have_no_text_that_cannot_be_translated() -> None:
    found = {path: unmarked_in(path.read_text(encoding="utf-8")) for path in TEMPLATES}
    assert {path: texts for path, texts in found.items() if texts} == {}


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<p>Play on</p>", ["Play on"]),
        ('<p>{% translate "Play on" %}</p>', []),
        ("<p>{% blocktranslate %}Play <b>on</b>{% endblocktranslate %}</p>", []),
        ('<button aria-label="Play on"></button>', ["Play on"]),
        ("{{ moves }} move{{ moves|pluralize }}", ["move"]),
        ("<b>Pyramid</b> <code>4s9s and more</code>", []),
    ],
)
def test_the_search_finds_what_is_not_marked(template: str, found: list[str]) -> None:
    assert unmarked_in(template) == found


def sentences_in(script: str) -> Iterator[str]:
    """Yield the texts of a script that look like words for people and are not given to `gettext`."""
    plain = COMMENT.sub("", script)
    for found in LITERAL.finditer(plain):
        called = re.search(r"(\w+)\([^()]*$", plain[: found.start(2)])
        if SENTENCE.search(found[2]) and (called is None or called[1] not in MARKS | NO_TEXT):
            yield found[2]


def test_scripts_have_no_text_that_cannot_be_translated() -> None:
    keys = re.compile(r"^(Arrow\w*|Escape|Enter|Accept|Event|Mac|Notification|card back|not won)$")
    found = {path.name: list(sentences_in(path.read_text(encoding="utf-8"))) for path in SCRIPTS}
    found = {name: [text for text in texts if not keys.match(text)] for name, texts in found.items()}
    assert {name: texts for name, texts in found.items() if texts} == {}
    assert list(sentences_in('say("Play on now"); say(gettext("Play on"))')) == ["Play on now"]


class _Texts(ast.NodeVisitor):
    """Collects the texts of a module that are for people: no docstrings, errors for programs, or names of things."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def visit_Call(self, call: ast.Call) -> None:
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        if name not in MARKS | {"path", "Http404", "compile", "exception", "LinksFeed", "TypeVar"}:
            self.generic_visit(call)

    def visit_Expr(self, expression: ast.Expr) -> None:
        if not isinstance(expression.value, ast.Constant):
            self.generic_visit(expression)

    def visit_Raise(self, raised: ast.Raise) -> None:
        """Leave out messages to programs; `NotYours` and `ValidationError` of the pages are marked by hand."""

    def visit_Constant(self, constant: ast.Constant) -> None:
        if isinstance(constant.value, str) and SENTENCE.search(constant.value):
            self.found.append(constant.value)


def test_views_have_no_text_that_cannot_be_translated() -> None:
    headers = r"Content-\w+|Location|Cache-Control|Clear-Site-Data|Referer|Referrer-Policy|Retry-After"
    allowed = re.compile(rf"^([<{{].*|Pyramid\b.*|{headers}|GET|HEAD|POST|Lax)$", re.DOTALL)
    for path in VIEWS:
        texts = _Texts()
        texts.visit(ast.parse(path.read_text(encoding="utf-8")))
        said = [text for text in texts.found if text not in DETECTORS and not allowed.match(text.lstrip())]
        assert said == [], path


def test_templates_show_the_name_of_a_rule_set_in_the_language_of_the_page() -> None:
    shown = re.compile(r"(?:rules|rule_set|best)\.title\b(?!\|word)")
    assert [path for path in TEMPLATES if shown.search(path.read_text(encoding="utf-8"))] == []


def test_every_rule_set_has_a_name_that_can_be_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    source = (BASE / "games/rules/rulesets.py").read_text(encoding="utf-8")
    marked = {ast.literal_eval(text) for text in re.findall(r"\b_\((\".+?\")\)", source)}
    assert marked == {rules.title for rules in RULE_SETS.values()}
    monkeypatch.setattr("games.play.words._", lambda text: f"<{text}>")
    assert (word("Tut's Tomb"), word("")) == ("<Tut's Tomb>", "")


def test_every_refusal_has_a_reason_in_the_language_of_its_reader() -> None:
    """A weak password has none: Django's validators say in that language what is wrong with it."""
    assert {kind for kind in refusals() if kind.reason is None} == {WeakPassword}
    assert sentence(HandleTaken("the handle 'bob' is taken")) == "This handle is taken. Choose another one."
    assert sentence(WeakPassword("too short")) == "Too short."


def test_every_state_decision_grade_and_division_has_a_word() -> None:
    for kind in (DailyState, Division, Grade, Game.Status, EntryState, Outcome):
        assert {str(name) for name in kind} <= set(WORDS)
    assert (word("resigned"), word("-"), word(Grade.HARD)) == ("given up", "-", "hard")


@pytest.mark.parametrize(
    ("language", "left", "moves", "text"),
    [
        ("en", 0, 1, "1 move"),
        ("en", 1, 2, "1 card left after 2 moves"),
        ("en", 3, 41, "3 cards left after 41 moves"),
        ("de", 0, 9, "9 Züge"),
        ("de", 25, 9, "25 Karten übrig nach 9 Zügen"),
        ("de", 1, 1, "1 Karte übrig nach 1 Zug"),
    ],
)
def test_a_result_is_told_in_words(language: str, left: int, moves: int, text: str) -> None:
    with override(language):
        assert result_text(Game(cards_left=left, moves=moves)) == text


@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (timedelta(days=7), "7 days before the day opened"),
        (timedelta(hours=47), "1 day before the day opened"),
        (timedelta(minutes=90), "1 hour before the day opened"),
        (timedelta(seconds=1), "less than a minute before the day opened"),
        (-timedelta(hours=13), "on the day itself, 13 hours after it opened"),
        (timedelta(), "on the day itself, less than a minute after it opened"),
        (-timedelta(days=1, minutes=2), "2 minutes after the day closed"),
    ],
)
def test_how_early_a_deal_was_committed_to_is_said_in_words(ahead: timedelta, words: str) -> None:
    key = DailyKey(date(2028, 2, 29), "standard", "open")
    assert when_committed(key, key.opens_at - ahead) == words


@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (timedelta(days=7), "7 Tage vor Beginn des Tages"),
        (timedelta(hours=47), "1 Tag vor Beginn des Tages"),
        (-timedelta(hours=13), "am Tag selbst, 13 Stunden nach dessen Beginn"),
        (-timedelta(days=1, seconds=2), "weniger als eine Minute nach Ende des Tages"),
    ],
)
def test_and_in_german_too(ahead: timedelta, words: str) -> None:
    key = DailyKey(date(2028, 2, 29), "standard", "open")
    with override("de"):
        assert when_committed(key, key.opens_at - ahead) == words
