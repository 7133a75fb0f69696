"""Requests through the ASGI application, as web servers make them."""

from __future__ import annotations

import asyncio
import json
import threading
from datetime import UTC, datetime
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.urls import get_resolver

from games.calendar.dailies import ensure_dailies
from pyramid_server.asgi import application
from pyramid_server.http import ThreadedHandler, requests

pytestmark = pytest.mark.django_db(transaction=True)

LONGEST = settings.DATA_UPLOAD_MAX_MEMORY_SIZE


async def ask(path: str, *body: bytes, method: str = "", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Send a request, its body in so many parts, and return status, headers and body of the answer."""
    given = {"host": "localhost", "content_type": "application/json", **headers}
    scope = {
        "type": "http",
        "method": method or ("POST" if body else "GET"),
        "path": path,
        "query_string": b"",
        "headers": [(name.replace("_", "-").encode(), value.encode("latin1")) for name, value in given.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    request: Any = ApplicationCommunicator(application, scope)  # type: ignore[no-untyped-call]
    parts = list(body) or [b""]
    for number, part in enumerate(parts, 1):
        await request.send_input({"type": "http.request", "body": part, "more_body": number < len(parts)})
    start = await request.receive_output(timeout=90)
    answer = await request.receive_output(timeout=90)
    told = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    return start["status"], told, answer["body"]


def test_no_two_addresses_have_the_same_name() -> None:
    named = get_resolver().reverse_dict
    assert [name for name in named if isinstance(name, str) and len(named.getlist(name)) > 1] == []


async def test_a_request_in_parts_is_answered_with_status_headers_and_body() -> None:
    status, headers, body = await ask("/api/guests/", b'{"display_', b'name": "Alice"}')
    assert (status, headers["content-type"]) == (201, "application/json")
    assert json.loads(body)["player"]["display_name"] == "Alice"


async def test_a_page_a_file_and_a_form_with_its_cookie_are_answered() -> None:
    assert (await ask("/rules/standard/"))[0] == 200
    status, headers, body = await ask("/static/games/icon.svg")
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert body.startswith(b"<svg")
    assert "csrftoken" in (await ask("/account/sign-in/"))[1]["set-cookie"]


@pytest.mark.parametrize("path", ["/", "/api/rules/", "/static/games/icon.svg", "/health/live", "/nowhere/", "/docs"])
async def test_each_answer_says_how_long_it_is(path: str) -> None:
    _, headers, body = await ask(path)
    assert headers["content-length"] == str(len(body))


@pytest.mark.parametrize("path", ["/", "/api/guests/", "/admin/login/"])
async def test_a_body_that_is_too_long_is_not_read(path: str) -> None:
    announced = await ask(path, b"{", content_length=str(LONGEST + 1))
    counted = await ask(path, *[b"x" * 1000] * (LONGEST // 1000 + 1))
    for status, _, body in (announced, counted):
        assert (status, json.loads(body)["code"]) == (413, "message_too_large")
        assert "at most 65536 bytes" in json.loads(body)["message"]


async def test_a_page_of_another_site_reads_why_its_request_is_refused_before_any_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long = await ask("/api/games/", b"{", content_length=str(LONGEST + 1), origin="https://client.example")
    monkeypatch.setattr(requests, "_most", 0)
    asked = {"origin": "https://client.example", "access_control_request_method": "POST"}
    status, headers, _ = await ask("/api/games/", method="OPTIONS", **asked)
    assert (status, headers["access-control-allow-origin"]) == (204, "*")  # or a browser would not send the request
    assert {"authorization", "content-type"} <= set(headers["access-control-allow-headers"].split(", "))
    assert "POST" in headers["access-control-allow-methods"].split(", ")
    assert (await ask("/account/", method="OPTIONS", **asked))[0] == 503
    busy = await ask("/api/games/", b"{}", origin="https://client.example")
    assert [(status, headers["access-control-allow-origin"]) for status, headers, _ in (long, busy)] == [
        (413, "*"),
        (503, "*"),
    ]


async def test_a_wrong_length_says_nothing() -> None:
    for length in ("many", "-1", "1", "\u00b2"):
        assert (await ask("/api/guests/", b"{}", content_length=length))[0] == 201


async def test_whoever_has_a_board_already_is_told_so_without_a_body() -> None:
    await sync_to_async(ensure_dailies)(datetime.now(UTC))
    path = "/api/boards/all-time.standard.open.fastest/"
    _, known, _ = await ask(path)
    status, headers, body = await ask(path, if_none_match=known["etag"])
    assert (status, body) == (304, b"")
    assert {name: known[name] for name in ("etag", "cache-control", "vary")}.items() <= headers.items()


async def test_a_client_that_goes_away_is_not_answered() -> None:
    scope: dict[str, Any] = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": []}
    request: Any = ApplicationCommunicator(application, scope)  # type: ignore[no-untyped-call]
    await request.send_input({"type": "http.disconnect"})
    assert await request.receive_nothing()


async def test_a_process_that_answers_is_live_whatever_its_threads_do(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(application.application_mapping["http"], "_answer_on_thread", never)
    assert (await ask("/health/live"))[::2] == (200, b'{"status": "ok"}')
    assert (await ask("/health/live", b"{}"))[0] == 405


async def test_many_requests_share_a_few_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {*threading.enumerate()}  # those of other handlers
    monkeypatch.setitem(application.application_mapping, "http", ThreadedHandler())
    for _ in range(3 * settings.PYRAMID_HTTP_THREADS):
        await ask("/static/games/icon.svg")
    threads = [thread for thread in threading.enumerate() if thread not in known and thread.name.startswith("http")]
    assert 1 <= len(threads) <= settings.PYRAMID_HTTP_THREADS
