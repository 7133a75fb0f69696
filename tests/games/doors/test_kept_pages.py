"""Pages that are the same for all visitors: answered by the event loop as the view does, and to nobody else."""

from __future__ import annotations

import gzip
import logging
import re
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import Client, override_settings
from prometheus_client import REGISTRY

from games.doors import kept_pages
from games.doors.kept_pages import likeness_of
from games.players.models import Player
from games.runtime import tracing
from games.runtime.memory import forget_everything
from games.runtime.pubsub import PubSub
from pyramid_server.asgi import application
from pyramid_server.http import ThreadedHandler
from tests.games.conftest import PASSWORD
from tests.games.doors.test_on_loop import lasting
from tests.games.tlog.test_tree import fill
from tests.pyramid_server.test_http import ask

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("views")]

PAGE, LISTED, LANGUAGE = "/rules/standard/", "/rules/", "/settings/language/"
FORM_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w{64})"')


@pytest.fixture(autouse=True)
def _others_are_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PubSub, "period", 1)


def scope_of(path: str = PAGE, query: str = "", method: str = "GET", **headers: str) -> dict[str, Any]:
    given = {"host": "localhost", **headers}
    named = [(name.replace("_", "-").encode(), value.encode("latin1")) for name, value in given.items()]
    return {"method": method, "path": path, "query_string": query.encode(), "headers": named}


def text_of(answer: tuple[int, dict[str, str], bytes]) -> str:
    _, headers, body = answer
    return (gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body).decode()


def token_and_cookie(answer: tuple[int, dict[str, str], bytes]) -> tuple[str, str]:
    found = FORM_TOKEN.search(text_of(answer))
    assert found
    return found[1], answer[1]["set-cookie"].partition(";")[0]


def cookie_of(answer: tuple[int, dict[str, str], bytes]) -> dict[str, str]:
    """Return the header of the cookie, if there is one, without its value and its day."""
    cookie = answer[1].get("set-cookie", "")
    return {"set-cookie": re.sub(r"csrftoken=\w{32}|expires=[^;]+", "", cookie)} if cookie else {}


def without_token(answer: tuple[int, dict[str, str], bytes]) -> str:
    return FORM_TOKEN.sub("", text_of(answer))


@pytest.mark.parametrize("path", [PAGE, LISTED, "/programs/"])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"accept_language": "de, en;q=0.5"},
        {"accept_encoding": "gzip, deflate, br"},
        {"accept_language": "fr", "user_agent": "curl", "accept": "text/plain", "if_none_match": '"other"'},
    ],
)
async def test_the_loop_answers_with_the_status_headers_and_text_of_the_view(
    views: list[str], path: str, headers: dict[str, str]
) -> None:
    by_view, by_loop = [await ask(path, **headers) for _ in range(2)]
    assert (by_view[0], by_loop[0], views) == (200, 200, [path])
    assert without_token(by_view) == without_token(by_loop)
    assert by_view[1].keys() == by_loop[1].keys()
    own = {"set-cookie"}
    assert {n: v for n, v in lasting(by_view[1]).items() if n not in own} == {
        n: v for n, v in lasting(by_loop[1]).items() if n not in own
    }
    assert by_loop[1]["content-length"] == str(len(by_loop[2]))
    assert (
        re.sub(r"=\w{32};", "", by_view[1].get("set-cookie", "")).partition("expires")[0]
        == (re.sub(r"=\w{32};", "", by_loop[1].get("set-cookie", "")).partition("expires")[0])
    )


@pytest.mark.parametrize("encoding", ["", "gzip"])
async def test_a_page_that_a_visitor_has_is_not_sent_again_by_view_or_loop(views: list[str], encoding: str) -> None:
    etag = (await ask(LISTED, accept_encoding=encoding))[1]["etag"]
    by_loop = await ask(LISTED, accept_encoding=encoding, if_none_match=etag)
    forget_everything()
    by_view = await ask(LISTED, accept_encoding=encoding, if_none_match=etag)
    assert (by_view[0], by_view[2], views) == (304, b"", [LISTED, LISTED])
    assert (by_loop[0], by_loop[2], by_loop[1]["etag"]) == (304, b"", etag)
    assert lasting(by_loop[1]) == lasting(by_view[1])


async def test_a_page_in_another_language_or_with_a_form_is_sent_again(views: list[str]) -> None:
    etag = (await ask(LISTED))[1]["etag"]
    for _ in range(2):
        assert (await ask(LISTED, accept_language="de", if_none_match=etag))[0] == 200
        with_form = await ask(PAGE, if_none_match="*")
        assert (with_form[0], "etag" in with_form[1]) == (200, False)
    assert sorted(views) == [LISTED, LISTED, PAGE]


async def test_languages_hosts_and_encodings_do_not_get_each_others_pages(views: list[str]) -> None:
    for _ in range(2):
        english, german = await ask(PAGE), await ask(PAGE, accept_language="de")
        assert ('<html lang="en"' in text_of(english), '<html lang="de"' in text_of(german)) == (True, True)
        assert (english[1]["content-language"], german[1]["content-language"]) == ("en", "de")
        other = await ask(PAGE, host="127.0.0.1:8000")
        assert "http://127.0.0.1:8000/pictures/" in text_of(other)
        assert "ws://127.0.0.1:8000" in other[1]["content-security-policy"]
        assert "ws://localhost;" in english[1]["content-security-policy"]
        packed = await ask(PAGE, accept_encoding="gzip")
        assert packed[1]["content-encoding"] == "gzip"
        assert "content-encoding" not in english[1]
        assert without_token(packed) == without_token(english)
        assert len(packed[2]) < len(english[2]) / 2
    assert len(views) == 4


async def test_each_visitor_gets_a_token_that_fits_the_own_cookie_and_no_others(views: list[str]) -> None:
    answers = [await ask(PAGE, accept_encoding=encoding) for encoding in ("", "", "gzip", "gzip")]
    held = [token_and_cookie(answer) for answer in answers]
    assert len(set(held)) == len({cookie for _, cookie in held}) == 4
    for token, cookie in held:
        assert (await _choose_german(token, cookie))[0] == 303
    for (token, _), (_, cookie) in pairwise(held):
        assert (await _choose_german(token, cookie))[0] == 403
    assert views.count(PAGE) == 2


async def test_a_visitor_who_comes_back_keeps_the_cookie_and_gets_another_token(views: list[str]) -> None:
    first, cookie = token_and_cookie(await ask(PAGE))
    token, kept = token_and_cookie(await ask(PAGE, cookie=cookie))
    assert (kept, token != first) == (cookie, True)
    assert (await _choose_german(token, cookie))[0] == (await _choose_german(first, cookie))[0] == 303
    assert token_and_cookie(await ask(PAGE, cookie="csrftoken=mallory"))[1] != "csrftoken=mallory"
    assert views.count(PAGE) == 1


async def _choose_german(token: str, cookie: str) -> tuple[int, dict[str, str], bytes]:
    form = urlencode({"csrfmiddlewaretoken": token, "language": "de"}).encode()
    return await ask(LANGUAGE, form, content_type="application/x-www-form-urlencoded", cookie=cookie)


@pytest.mark.parametrize(
    "scope",
    [
        scope_of(query="next=/account/"),
        scope_of(method="HEAD"),
        scope_of(method="POST"),
        scope_of(authorization="Bearer nobody"),
        scope_of(cookie="sessionid=alices"),
        scope_of(cookie="csrftoken=1; pyramid_language=de"),
        scope_of(cookie="pyramid_options=dark"),
        scope_of(cookie="messages=hello"),
        scope_of(cookie="csrftoken=\0"),
        scope_of(host="x" * 300),
        scope_of(host=""),
        scope_of() | {"headers": []},
        scope_of() | {"headers": [(b"host", b"localhost"), (b"host", b"mallory.example")]},
        scope_of() | {"headers": [(b"host", b"localhost"), (b"accept_language", b"de")]},
    ],
)
def test_what_may_be_answered_otherwise_is_left_to_the_view(scope: dict[str, Any]) -> None:
    assert likeness_of(scope_of(cookie="csrftoken=1"), b"") == likeness_of(scope_of(), b"")
    assert likeness_of(scope, b"") == ""
    assert likeness_of(scope_of(), b"a body") == ""


async def test_whoever_is_signed_in_sees_the_own_name_and_nobody_else_does(views: list[str], carol: Player) -> None:
    client = Client()
    await sync_to_async(client.login)(username="carol", password=PASSWORD)
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    for _ in range(2):
        assert ">Carol<" in text_of(await ask(PAGE, cookie=cookie))
        assert ">Carol<" not in text_of(await ask(PAGE))
    assert len(views) == 3


async def test_pages_that_do_not_say_so_and_those_that_are_not_there_are_not_kept(views: list[str]) -> None:
    for path, status in (("/account/sign-in/", 200), ("/rules/chess/", 404), ("/rules/Standard/", 301)):
        for _ in range(2):
            assert (await ask(path))[0] == status
    assert (await ask(PAGE, host="mallory.example"))[0] == 400
    assert len(views) == 7
    assert not kept_pages._pages._values


async def test_what_was_read_over_tls_is_redirected_without(views: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    tls = {"SECURE_SSL_REDIRECT": True, "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https")}
    with override_settings(**tls, SECURE_HSTS_SECONDS=60):
        monkeypatch.setitem(application.application_mapping, "http", ThreadedHandler())
        answers = [await ask(PAGE, x_forwarded_proto=scheme) for scheme in ("https", "http", "https, http", "https")]
        assert [status for status, _, _ in answers] == [200, 301, 200, 200]
        answer = answers[-1]
        assert answer[1]["strict-transport-security"] == "max-age=60"
        assert "https://localhost/pictures/" in text_of(answer)
    assert len(kept_pages._pages._values) == 1


async def test_kept_pages_count_for_the_limit_of_pages(views: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "pages", (3, 3600))
    answers = [await ask(PAGE) for _ in range(4)]
    assert [status for status, _, _ in answers] == [200, 200, 200, 429]
    assert "retry-after" in answers[-1][1]
    assert len(views) == 2


async def test_kept_tiles_of_the_log_count_for_a_limit_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "pages", (1, 3600))
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "log_files", (3, 3600))
    await sync_to_async(fill)(1)
    answers = [await ask("/tlog/tile/0/000.p/1") for _ in range(4)]
    assert [status for status, _, _ in answers] == [200, 200, 200, 429]
    assert [(await ask(PAGE))[0] for _ in range(2)] == [200, 429]


async def test_what_the_loop_could_not_answer_is_answered_by_the_view_and_logged(
    views: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*hits: object) -> None:
        raise ZeroDivisionError

    await ask(PAGE)
    monkeypatch.setattr(kept_pages, "count_on_loop", fail)
    assert (await ask(PAGE))[0] == 200
    assert views == [PAGE] * 2
    [record] = caplog.records
    assert "ZeroDivisionError" in str(record.exc_info)


async def test_kept_pages_are_counted_and_have_identifiers_of_their_own(views: list[str]) -> None:
    before = REGISTRY.get_sample_value("pyramid_http_answers_total", {"status": "200"}) or 0
    answers = [await ask(PAGE) for _ in range(3)]
    assert REGISTRY.get_sample_value("pyramid_http_answers_total", {"status": "200"}) == before + 3
    assert len({headers["x-request-id"] for _, headers, _ in answers}) == 3
    assert (await ask(PAGE, x_request_id="proxy-0001"))[1]["x-request-id"] == "proxy-0001"
    assert len(views) == 1


async def test_a_request_that_is_traced_or_logged_goes_the_whole_way(
    views: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await ask(PAGE)
    with caplog.at_level(logging.DEBUG):
        await ask(PAGE)
    monkeypatch.setattr(tracing, "is_recording", lambda: True)
    await ask(PAGE)
    assert len(views) == 3


async def test_mallory_fills_nothing_with_ports_languages_and_addresses(
    views: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_pages._pages, "_most", 5)
    for number in range(20):
        await ask(PAGE, host=f"localhost:{number + 1}")
        assert len(kept_pages._pages._values) <= 5
    kept = len(kept_pages._pages._values)
    for number in range(5):
        await ask(PAGE, host="localhost:20", accept_language=f"x{number}", accept_encoding=f"mallory{number}")
        await ask(f"/rules/mallory{number}/")
    assert len(kept_pages._pages._values) == kept
    assert views.count(PAGE) == 20


async def test_what_is_too_long_is_not_kept(views: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_pages, "LONGEST_PAGE", 1000)
    for encoding in ("gzip", "gzip", ""):
        await ask(PAGE, accept_encoding=encoding)
    assert len(views) == 3


async def test_nothing_is_kept_while_other_processes_cannot_be_heard(
    views: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await ask(PAGE)
    monkeypatch.setattr(PubSub, "period", 0)
    for _ in range(2):
        await ask(PAGE)
    assert len(views) == 3


async def test_a_page_ends_at_its_time_whatever_the_notices(views: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with time_machine.travel("2026-03-01T23:59:59.9Z", tick=False) as clock:
        monkeypatch.setattr(kept_pages._pages, "_clock", lambda: 0.0)
        for moment, seen in (("23:59:59.9Z", 1), ("23:59:59.999Z", 1)):
            clock.move_to(f"2026-03-01T{moment}")
            await ask("/fairness/")
            assert len(views) == seen
        clock.move_to("2026-03-02T00:00:00Z")
        await ask("/fairness/")
    assert len(views) == 2
