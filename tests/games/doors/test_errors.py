from __future__ import annotations

import json
import logging
from collections.abc import Callable

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils.log import log_response
from rest_framework.exceptions import APIException

from games.doors.rest.errors import exception_handler, handler400, handler404, handler500
from games.play.refusals import AlreadyAttempted, Conflict
from games.runtime.outages import outages
from tests.games.api import Api, refusal

pytestmark = pytest.mark.usefixtures("clock")

API, PAGE = RequestFactory().get("/api/nowhere/"), RequestFactory().get("/nowhere/")


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Conflict("too late"), 409, "conflict"),
        (OperationalError("no connection"), 503, "unavailable"),
        (InterfaceError("connection already closed"), 503, "unavailable"),
        (Http404(), 404, "not_found"),
        (PermissionDenied(), 403, "forbidden"),
        (APIException(), 500, "server_error"),
    ],
)
def test_an_error_of_any_origin_has_one_shape(error: Exception, status: int, code: str) -> None:
    response = exception_handler(error, {"request": API})
    assert response is not None
    assert (response.status_code, response.data["code"]) == (status, code)
    assert set(response.data) == {"code", "message"}


PROBLEMS = {"accept": "application/json, application/problem+json;q=0.9"}


def test_clients_that_accept_problems_get_them_with_the_page_of_the_code(client: Client) -> None:
    response = client.post("/api/sign-in/", {"handle": "alice"}, "application/json", headers=PROBLEMS)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert "Accept" in response.headers["Vary"].split(", ")
    problem = response.json()
    assert (problem["type"], problem["title"]) == ("http://testserver/docs/errors/#invalid_request", "Bad Request")
    assert (problem["status"], problem["code"], list(problem["fields"])) == (400, "invalid_request", ["password"])
    assert "message" not in problem
    page = client.get("/docs/errors/").content.decode()
    assert '<tr id="invalid_request">' in page


def test_what_leads_nowhere_is_a_problem_too_and_other_clients_get_what_they_know(client: Client) -> None:
    problem = client.get("/api/nowhere/", headers=PROBLEMS)
    assert (problem.headers["Content-Type"], problem.json()["code"]) == ("application/problem+json", "not_found")
    plain = client.get("/api/nowhere/", headers={"accept": "*/*"})
    assert (plain.headers["Content-Type"], set(plain.json())) == ("application/json", {"code", "message"})


def test_a_granted_answer_is_json_whatever_else_is_accepted(client: Client) -> None:
    assert client.get("/api/rules/", headers=PROBLEMS).headers["Content-Type"] == "application/json"
    assert client.get("/api/rules/", headers={"accept": "application/problem+json"}).status_code == 406


@pytest.mark.django_db
@pytest.mark.usefixtures("clock")
def test_answers_say_what_is_left_of_the_limit(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "anon", (2, 60))
    answers = [client.get("/api/status/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [answer.headers["RateLimit"] for answer in answers[:2]] == ['"anon";r=1;t=30', '"anon";r=0;t=30']
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"anon";q=2;w=60'}
    assert answers[2].headers["RateLimit"].startswith('"anon";r=0;t=')


@pytest.mark.django_db
def test_what_a_shared_cache_may_keep_says_nothing_of_whose_limit_it_was(client: Client) -> None:
    answer = client.get("/api/daily/")
    assert "public" in answer.headers["Cache-Control"]
    assert "RateLimit" not in answer.headers


def test_what_a_program_needs_comes_with_the_code() -> None:
    response = exception_handler(AlreadyAttempted("you have had it", "26b7f3kq2m8p1xz"), {"request": API})
    assert response is not None
    assert response.data == {"code": "already_attempted", "message": "you have had it", "game": "26b7f3kq2m8p1xz"}


def test_a_database_that_is_away_is_one_line_for_all_requests_without_a_traceback(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outages, "_told_at", {})
    for _ in range(3):
        response = exception_handler(OperationalError("no connection"), {"request": API})
        assert response is not None
        log_response("Service Unavailable: %s", "/api/", response=response, level="error")
    (record,) = caplog.records
    assert (record.levelno, record.exc_info) == (logging.ERROR, None)
    assert "no connection" in record.getMessage()


@pytest.mark.parametrize("fault", [ZeroDivisionError(), KeyError("x"), RecursionError(), DataError("out of range")])
def test_a_fault_of_ours_is_not_dressed_up_as_the_clients(fault: Exception) -> None:
    assert exception_handler(fault, {}) is None


Handler = Callable[[HttpRequest], HttpResponse]


@pytest.mark.parametrize(
    ("handler", "status", "code"),
    [
        (lambda request: handler400(request, SuspiciousOperation()), 400, "malformed_request"),
        (lambda request: handler404(request, Http404()), 404, "not_found"),
        (handler500, 500, "server_error"),
    ],
    ids=["400", "404", "500"],
)
def test_outside_of_views_the_api_has_the_same_shape_and_pages_are_pages(
    handler: Handler, status: int, code: str
) -> None:
    answer, page = handler(API), handler(PAGE)
    assert (answer.status_code, json.loads(answer.content)["code"]) == (status, code)
    assert (page.status_code, page["Content-Type"]) == (status, "text/html; charset=utf-8")


@pytest.mark.usefixtures("clock")
def test_a_player_who_asks_too_often_waits(as_alice: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "user", (2, 60))
    assert [as_alice.get("/api/me/").status_code for _ in range(2)] == [200, 200]
    refused = as_alice.get("/api/me/")
    assert refusal(refused) == (429, "too_many_requests")
    assert refused["Retry-After"] == "31"
