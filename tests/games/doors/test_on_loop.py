"""Requests that the event loop answers: as their views do, and only if a view has granted one like them."""

from __future__ import annotations

import json
import logging

import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import override_settings
from prometheus_client import REGISTRY

from games.accounts import guests, rest
from games.doors.rest import on_loop
from games.players.models import Player
from games.runtime import tracing
from games.runtime.outages import outages
from pyramid_server.asgi import application
from pyramid_server.http import ThreadedHandler
from tests.pyramid_server.test_http import LONGEST, ask

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("views")]

GUESTS, ALICE, BOB = "/api/guests/", b'{"display_name": "Alice"}', b'{"display_name": "Bob"}'
OF_ONE_ANSWER = {"x-request-id", "content-length", "ratelimit"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "https://elsewhere.example"},
        {"accept_language": "de"},
        {"accept": "application/json", "authorization": "Bearer nobody", "user_agent": "curl"},
    ],
)
async def test_the_loop_answers_with_the_status_headers_and_fields_of_the_view(
    views: list[str], headers: dict[str, str]
) -> None:
    by_view = await ask(GUESTS, ALICE, **headers)
    by_loop = await ask(GUESTS, BOB, **headers)
    assert (by_view[0], by_loop[0], views) == (201, 201, [GUESTS])
    assert by_view[1].keys() == by_loop[1].keys()
    assert lasting(by_view[1]) == lasting(by_loop[1])
    assert by_loop[1]["content-length"] == str(len(by_loop[2]))
    assert json.loads(by_loop[2]).keys() == json.loads(by_view[2]).keys()
    assert json.loads(by_loop[2])["player"]["display_name"] == "Bob"
    assert "content-security-policy" in by_loop[1]


def lasting(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in OF_ONE_ANSWER}


async def test_each_answer_has_an_identifier_of_its_own_or_the_given_one(views: list[str]) -> None:
    answers = [await ask(GUESTS, b'{"is_bot": true}') for _ in range(3)]
    assert len({headers["x-request-id"] for _, headers, _ in answers}) == 3
    assert (await ask(GUESTS, ALICE, x_request_id="proxy-0001"))[1]["x-request-id"] == "proxy-0001"
    assert (await ask(GUESTS, ALICE, x_request_id="no\tid"))[1]["x-request-id"] != "no\tid"
    assert views == [GUESTS]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "mallory.example"}, 400),
        ({"content_type": "text/plain"}, 415),
        ({"content_type": "application/x-www-form-urlencoded"}, 415),
        ({"accept": "text/html"}, 406),
        ({"cookie": "sessionid=\0"}, 400),
        ({"cookie": "sessionid=nobodys"}, 201),
        ({"x_padding": "x" * on_loop.LONGEST_HEAD}, 201),
    ],
)
async def test_a_request_unlike_those_that_were_granted_goes_the_whole_way(
    views: list[str], headers: dict[str, str], status: int
) -> None:
    await ask(GUESTS, ALICE)
    for _ in range(2):
        assert (await ask(GUESTS, BOB, **headers))[0] == status
    assert views == [GUESTS] * 3


async def test_what_was_granted_over_tls_is_redirected_without(
    views: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with override_settings(SECURE_SSL_REDIRECT=True, SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")):
        monkeypatch.setitem(application.application_mapping, "http", ThreadedHandler())
        for scheme, status in (("https", 201), ("http", 301), ("https", 201)):
            assert (await ask(GUESTS, ALICE, x_forwarded_proto=scheme))[0] == status
    assert on_loop._granted.keys() == {key for key in on_loop._granted if (b"x-forwarded-proto", b"https") in key}


async def test_an_empty_body_whose_type_nobody_looks_at_lets_no_other_pass(views: list[str]) -> None:
    assert (await ask(GUESTS, b"", content_type="text/plain"))[0] == 201
    assert (await ask(GUESTS, ALICE, content_type="text/plain"))[0] == 415


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"display_name": "Pyramid staff"}', 409),
        (b'{"display_name": ""}', 400),
        (b'{"display_name": "Alice", "colour": 1}', 400),
        (b'{"display_name": "Alice", "display_name": "Bob"}', 400),
        (b'{"display_name": "\\u0000"}', 400),
        (b"[]", 400),
        (b"[" * 5000, 400),
        (b"\xff", 400),
        (b"{" + b" " * LONGEST + b"}", 413),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
async def test_a_refusal_is_that_of_the_view(views: list[str], body: bytes, status: int, language: str) -> None:
    by_view = await ask(GUESTS, body, accept_language=language)
    await ask(GUESTS, ALICE, accept_language=language)
    by_loop = await ask(GUESTS, body, accept_language=language)
    assert (by_view[0], by_loop[0], by_view[2]) == (status, status, by_loop[2])
    assert lasting(by_view[1]) == lasting(by_loop[1])
    assert await Player.objects.acount() == 1


@pytest.mark.parametrize("limit", ["anon", "guests", "guests_a_day"])
async def test_view_and_loop_count_for_the_same_limits(
    views: list[str], monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, limit, (3, 3600))
    statuses = [(await ask(GUESTS, b'{"is_bot": true}'))[0] for _ in range(4)]
    by_loop = await ask(GUESTS, b'{"is_bot": true}')
    on_loop.forget()
    by_view = await ask(GUESTS, b'{"is_bot": true}')
    assert (statuses, len(views)) == ([201, 201, 201, 429], 2)
    assert (by_loop[0], by_loop[2]) == (by_view[0], by_view[2])
    assert by_loop[1].keys() == by_view[1].keys()
    assert abs(int(by_loop[1]["retry-after"]) - int(by_view[1]["retry-after"])) <= 1
    assert await Player.objects.acount() == 3


async def test_naming_another_address_in_a_header_does_not_help_mallory(
    views: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "guests", (2, 3600))
    statuses = [(await ask(GUESTS, ALICE, x_forwarded_for=f"192.0.2.{last}"))[0] for last in range(3)]
    assert (statuses, views) == ([201, 201, 429], [GUESTS])


async def test_a_database_that_is_away_is_the_answer_of_view_and_loop_alike(
    views: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(rows: object) -> None:
        raise OperationalError("the disk is full")

    await ask(GUESTS, ALICE)
    monkeypatch.setattr(outages, "_told_at", {})
    monkeypatch.setattr(guests, "insert_rows", fail)
    by_loop = await ask(GUESTS, BOB)
    on_loop.forget()
    by_view = await ask(GUESTS, BOB)
    assert (by_loop[0], json.loads(by_loop[2])["code"], by_loop[2]) == (503, "unavailable", by_view[2])
    assert lasting(by_loop[1]) == lasting(by_view[1])
    assert not any(record.exc_info for record in caplog.records)
    assert await Player.objects.acount() == 1


async def test_what_the_loop_could_not_answer_is_answered_by_the_view_and_logged(
    views: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    await ask(GUESTS, ALICE)
    monkeypatch.setattr(rest, "unsaved_guest", fail)
    assert (await ask(GUESTS, BOB))[0] == 201
    assert views == [GUESTS] * 2
    [record] = caplog.records
    assert "ZeroDivisionError" in str(record.exc_info)


async def test_a_request_that_is_traced_or_logged_goes_the_whole_way(
    views: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await ask(GUESTS, ALICE)
    with caplog.at_level(logging.DEBUG):
        await ask(GUESTS, ALICE)
    monkeypatch.setattr(tracing, "is_recording", lambda: True)
    await ask(GUESTS, ALICE)
    assert len(views) == 3


async def test_strangers_do_not_drive_anyone_out_of_memory(views: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_loop, "MOST_KEPT", 3)
    for number in range(10):
        await ask(GUESTS, ALICE, x_mallory=str(number))
        assert len(on_loop._granted) <= 3


async def test_guests_of_the_loop_are_counted_in_the_metrics(views: list[str]) -> None:
    before = REGISTRY.get_sample_value("pyramid_http_answers_total", {"status": "201"}) or 0
    for _ in range(3):
        await ask(GUESTS, ALICE)
    assert REGISTRY.get_sample_value("pyramid_http_answers_total", {"status": "201"}) == before + 3
    assert views == [GUESTS]
