"""Requests that are refused before a view looks at them: they count like others, and once."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from games.doors.scopes import Scope
from games.keys.keys import make_token
from games.keys.tokens import forget_tokens
from games.players.models import Player
from games.runtime.limits import Hit, counted
from tests.games.api import Api

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

UNKNOWN = {"authorization": f"Bearer {'0' * 64}"}


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"path": "/api/me/", "headers": UNKNOWN}, 401),
        ({"path": "/api/rules/", "headers": UNKNOWN}, 401),
        ({"path": "/api/me/", "headers": {"authorization": "Bearer"}}, 401),
        ({"path": "/api/me/"}, 401),
        ({"path": "/api/games/", "method": "POST"}, 401),
        ({"path": "/api/nowhere/"}, 404),
        ({"path": "/api/me/%00/"}, 400),
        ({"path": "/api/rules"}, 301),
        ({"path": "/api/rules/", "headers": {"accept": "text/html"}}, 406),
        ({"path": "/api/rules/", "method": "PUT", "headers": UNKNOWN}, 401),
    ],
    ids=str,
)
def test_what_nobody_is_granted_counts_once_for_the_address(
    asked: dict[str, Any], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "anon", (2, 60))
    answers = [Client().generic(**{"method": "GET", **asked}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [status, status, 429]
    assert [answer["RateLimit"] for answer in answers[:2]] == ['"anon";r=1;t=30', '"anon";r=0;t=30']
    if status != 406:  # where no JSON is accepted
        assert (answers[2].json()["code"], answers[2]["Retry-After"]) == ("too_many_requests", "31")
    elsewhere = Client(REMOTE_ADDR="192.0.2.66").generic(**{"method": "GET", **asked})
    assert elsewhere.status_code == status


def test_a_missing_scope_counts_once_for_the_player_alone(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "user", (2, 60))
    token = make_token(alice, "a program", frozenset({Scope.READ})).token
    post = [
        Client().post("/api/games/", {}, "application/json", headers={"authorization": f"Bearer {token}"})
        for _ in range(3)
    ]
    assert [answer.status_code for answer in post] == [403, 403, 429]
    assert [answer["RateLimit"] for answer in post[:2]] == ['"user";r=1;t=30', '"user";r=0;t=30']
    assert counted(Hit("anon", "127.0.0.1")).left == settings.PYRAMID_LIMITS["anon"][0] - 1


def test_mallory_whose_requests_are_refused_locks_out_nobody_on_the_same_network(
    as_alice: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "anon", (1, 60))
    assert [Client().get("/api/me/", headers=UNKNOWN).status_code for _ in range(3)] == [401, 429, 429]
    assert as_alice.player is not None
    forget_tokens(as_alice.player.pk)  # as a process does after seconds
    assert as_alice.get("/api/me/").status_code == 200
