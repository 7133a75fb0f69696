"""Everything for people is in their language, whatever was asked before and by whom; codes are the same in all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core import mail as outbox
from django.test import Client
from django.utils.formats import get_format
from django.utils.translation import get_language, override

from games.accounts.refusals import HandleTaken
from games.calendar.models import DailyDeal
from games.doors import mail
from games.doors.refusals import Declaration, Refusal, declared, message_of, reason_of, refusals
from games.keys.authentication import issue_ticket
from games.play.words import percent_text
from games.players.models import Player
from leaderboards.boards.catalog import BoardKey
from leaderboards.boards.titles import short_title, title_of
from pyramid_server import schema
from pyramid_server.error_index import error_codes
from pyramid_server.handshakes import language_of
from tests.games.conftest import MakeGame, practice  # noqa: F401  a fixture
from tests.games.play.test_socket import DECK
from tests.games.site.test_texts import TEMPLATES
from tests.games.sockets import connected

GERMAN: Any = {"accept-language": "de-AT,de;q=0.9,en;q=0.5"}
ENGLISH: Any = {"accept-language": "en-GB,en;q=0.9,de;q=0.5"}


@pytest.fixture
def in_german() -> Iterator[None]:
    with override("de"):
        yield


def language_of_page(response: Any) -> tuple[str, str]:
    (language,) = re.findall(r'<html lang="(\w+)"', response.content.decode())
    return language, response["Content-Language"]


@pytest.mark.django_db
def test_a_page_is_in_the_language_that_the_browser_asks_for(client: Client) -> None:
    german, english = client.get("/", headers=GERMAN), client.get("/", headers=ENGLISH)
    assert ">Üben</a>" in german.content.decode()
    assert ">Practice</a>" in english.content.decode()
    assert (language_of_page(german), language_of_page(english)) == (("de", "de"), ("en", "en"))
    assert {"Accept-Language", "Cookie"} <= set(re.split(", *", german["Vary"]))
    assert get_language() == settings.LANGUAGE_CODE, "a request leaves no language behind"


@pytest.mark.parametrize("asked", ["", "fr", "xx;q=2", "*", "zh-Hant-" + "x" * 600])
def test_a_language_that_nobody_has_translated_is_english(client: Client, asked: str) -> None:
    assert language_of_page(client.get("/settings/", headers={"accept-language": asked})) == ("en", "en")


def test_the_language_of_the_settings_page_wins_until_it_is_forgotten(client: Client) -> None:
    chosen = client.post("/settings/language/", {"language": "de", "next": "/games/1/"}, headers=ENGLISH)
    assert (chosen.status_code, chosen["Location"]) == (303, "/settings/?next=%2Fgames%2F1%2F")
    cookie = chosen.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie["samesite"], cookie["httponly"], cookie["max-age"]) == ("Lax", True, 365 * 24 * 60 * 60)
    page = client.get("/settings/", headers=ENGLISH)
    assert language_of_page(page) == ("de", "de")
    assert re.findall(r'value="(\w*)"[^>]*aria-current', page.content.decode()) == ["de"]
    client.post("/settings/language/", {"language": ""})
    assert language_of_page(client.get("/settings/", headers=ENGLISH)) == ("en", "en")


@pytest.mark.parametrize("language", ["fr", "DE", "de\n", "../de"])
def test_another_language_cannot_be_chosen(client: Client, language: str) -> None:
    refused = client.post("/settings/language/", {"language": language})
    assert (refused.status_code, settings.LANGUAGE_COOKIE_NAME in refused.cookies) == (400, False)


def test_a_page_has_the_texts_of_its_scripts_and_no_others(client: Client) -> None:
    page = client.get("/settings/", headers=GERMAN).content.decode()
    (texts,) = re.findall(r'<script id="texts-of-scripts" type="application/json">(.*?)</script>', page)
    assert json.loads(texts)["Saved."] == "Gespeichert."
    assert "{count} player" not in json.loads(texts)
    assert 'id="texts-of-scripts"' not in client.get("/settings/", headers=ENGLISH).content.decode()


@pytest.mark.django_db
def test_an_error_over_rest_has_one_code_and_a_message_in_each_language(client: Client) -> None:
    def refused(address: str, body: object, headers: Any) -> Any:
        return client.post(address, body, content_type="application/json", headers=headers).json()

    wrong = {"handle": "nobody", "password": "never"}
    for headers, message in ((ENGLISH, "wrong handle or password"), (GERMAN, "Benutzername oder Passwort ist falsch.")):
        answer = refused("/api/sign-in/", wrong, headers)
        assert answer == {"code": "sign_in_failed", "message": message}
    answer = refused("/api/sign-in/", {"handle": 7, "colour": "red"}, GERMAN)
    assert (answer["code"], answer["message"]) == ("invalid_request", "einige Felder fehlen oder sind falsch")
    assert answer["fields"] == {"non_field_errors": ["Ein Feld 'colour' gibt es nicht."]}
    nowhere = client.get("/api/nowhere/", headers=GERMAN)
    assert nowhere.json() == {"code": "not_found", "message": "Hier ist nichts."}
    assert "Accept-Language" in nowhere["Vary"]


def test_every_code_has_a_reason_for_people() -> None:
    """A weak password has none: Django's validators say in the reader's language what is wrong with it."""
    kinds: list[type[Refusal] | Declaration] = [*refusals(), *declared.values()]
    explained = {kind.code for kind in kinds if kind.reason is not None}
    assert {error.code for error in error_codes()} - explained == {"weak_password", "invalid_request"}


def test_a_message_is_precise_in_english_and_a_reason_in_german() -> None:
    taken = HandleTaken("the handle 'bob' is taken")
    with override("en"):
        assert message_of(taken) == "the handle 'bob' is taken"
    with override("de"):
        assert message_of(taken) == reason_of(taken) == "Dieser Benutzername ist vergeben. Wähle einen anderen."


@pytest.mark.django_db
def test_what_is_remembered_is_not_remembered_in_a_language(client: Client, daily: DailyDeal) -> None:
    board = f"/api/boards/daily.{daily.day}.standard.open.fewest-moves/"
    for address in (board, "/api/daily/", "/api/schema/?format=json"):
        schema.document.cache_clear()
        german = client.get(address, headers=GERMAN)
        english = client.get(address, headers=ENGLISH)
        assert re.sub(rb'"server_now":"[^"]+"', b"", german.content) == re.sub(
            rb'"server_now":"[^"]+"', b"", english.content
        )
        if address == board:
            known = GERMAN | {"if-none-match": english["ETag"]}
            assert client.get(address, headers=known).status_code == 304


@pytest.mark.django_db
def test_a_feed_and_its_tag_are_those_of_a_language(client: Client) -> None:
    for address, said in (
        ("/feeds/results/", "Die ersten Plätze jedes Tages."),
        ("/feeds/programme.ics", "Tagesspiele"),
        ("/feeds/puzzles/", "Aufgabe vom"),
    ):
        german, english = client.get(address, headers=GERMAN), client.get(address, headers=ENGLISH)
        assert said in german.content.decode()
        assert said not in english.content.decode()
        assert german["ETag"] != english["ETag"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_no_deadline")
async def test_a_socket_answers_in_the_language_of_its_handshake(practice: MakeGame, alice: Player) -> None:  # noqa: F811
    game = await practice(DECK)
    headers = [(b"accept-language", b"de-DE,de;q=0.9")]
    ticket = await sync_to_async(issue_ticket)(alice)
    async with connected(f"/ws/games/{game}/?ticket={ticket}", headers) as client:
        await client.receive()
        refused = await client.ask("play", version=0, move="R")
        assert (refused["code"], refused["message"]) == ("illegal_move", "Die Regeln erlauben das hier nicht.")
        hinted = await client.ask("hint", version=0)
        assert re.search("[a-zäöü]+ (Sieg|gewinn|Zug|Karten)", hinted["reason"])


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ([], "en"),
        ([(b"accept-language", b"de")], "de"),
        ([(b"accept-language", b"de"), (b"cookie", b"a=b; pyramid_language=en")], "en"),
        ([(b"accept-language", b"\xff\x00;;q=")], "en"),
        ([(b"cookie", b"pyramid_language=../../x")], "en"),
    ],
)
def test_the_language_of_a_handshake(headers: list[tuple[bytes, bytes]], language: str) -> None:
    assert language_of({"headers": headers}) == language


@pytest.mark.usefixtures("in_german")
def test_a_mail_that_is_sent_later_is_in_the_language_of_who_asked_for_it(alice: Player) -> None:
    context: dict[str, object] = {"player": alice, "url": "https://pyramid.example/"}
    sending = mail.send_later("alice@example.org", "Betreff", "games/mail_reset.txt", context)
    assert sending is not None
    sending.result(30)
    assert "Der Link gilt einmal." in str(outbox.outbox[-1].body)


@pytest.mark.usefixtures("in_german")
def test_names_of_boards_times_and_dates_are_german() -> None:
    daily = BoardKey.parse("daily.2026-03-08.standard.open.fewest-moves")
    assert title_of(daily) == "8. März 2026, Standard, offen: wenigste Züge"
    assert short_title("weekly.2026-W47.standard.main.points") == "Woche 47 2026, Punkte"
    assert short_title("monthly.2026-11.standard.main.points") == "November 2026, Punkte"
    assert short_title("all-time.standard.main.fastest") == "Insgesamt, am schnellsten"
    assert percent_text(0) == "0\u00a0%"


NAMED = re.compile(r"""\|date:["']([^"']+)["']""")


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_date_is_in_a_format_that_each_language_has(language: str) -> None:
    named = {name for path in TEMPLATES for name in NAMED.findall(path.read_text(encoding="utf-8"))} - {"Y-m-d"}
    assert len(named) > 5
    assert {name for name in named if get_format(name, language) == name} == set()
