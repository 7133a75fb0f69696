"""Answers about boards are remembered, and nobody notices but by the time they take."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from games.doors.scopes import Scope
from games.keys.keys import make_token
from games.keys.tokens import issue_token, token_holder
from games.keys.unchanged import unchanged
from games.players.models import Player
from games.runtime.pubsub import pubsub
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, Entry, EntryState
from leaderboards.bots.bots import active_bots
from tests.leaderboards.api import get, ranks
from tests.leaderboards.conftest import FASTEST, FEWEST_MOVES, NOON, Finish, named, submit_score

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("table"),
    pytest.mark.usefixtures("_noon"),
]

BOARD = f"/api/boards/{FASTEST}/"
ASKED = ["", "players/alice/?verified=false", "?around=bob&limit=3", "histogram/", "players/?handles=alice,mallory"]


@pytest.fixture(autouse=True)
def _others_are_heard() -> None:
    deadline = time.monotonic() + 30
    while not pubsub().period:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_unchanged(etag: str, path: str = BOARD, query: str = "", method: str = "GET", **headers: str) -> bool:
    given = {"host": "localhost", "if_none_match": etag, **headers}
    scope: dict[str, Any] = {
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode("latin1")) for name, value in given.items()],
    }
    return unchanged(scope) is not None


@pytest.mark.parametrize("path", ASKED)
def test_the_database_is_asked_once_and_again_after_a_change(path: str, finish: Finish) -> None:
    first = get(f"{FASTEST}/{path}")
    assert first.status_code == 200
    with CaptureQueriesContext(connection) as queries:
        assert get(f"{FASTEST}/{path}").content == first.content
    assert len(queries) == 0
    submit_score(finish(named("carol"), elapsed_ms=1), NOON)
    assert get(f"{FASTEST}/{path}").content != first.content


def test_a_board_is_forgotten_alone_and_also_when_another_process_tells_of_a_change() -> None:
    for slug in (FASTEST, FEWEST_MOVES):
        get(f"{slug}/")
    pubsub()._deliver("boards", {"board": FASTEST, "version": 3})
    for slug, expected in ((FASTEST, True), (FEWEST_MOVES, False)):
        with CaptureQueriesContext(connection) as queries:
            get(f"{slug}/")
        assert bool(queries) is expected, slug


def test_a_decision_is_seen_at_once() -> None:
    assert ranks(get(f"{FASTEST}/")) == [(1, "alice"), (2, "bob")]
    game = Entry.objects.filter(board__slug=FASTEST, player__username="alice").get().game
    assert game is not None
    decide(Decision(game=game, state=EntryState.DISQUALIFIED, reason="a bot", at=NOON))
    assert ranks(get(f"{FASTEST}/")) == [(1, "bob")]


def test_whom_a_player_follows_is_remembered_for_nobody(alice: Player) -> None:
    as_alice = APIClient(headers={"Authorization": f"Bearer {issue_token(alice).token}"})
    asked = f"{BOARD}?following=true"
    assert [row["rank"] for row in as_alice.get(asked).json()["rows"]] == [1]
    assert APIClient().get(asked).status_code == 401
    as_alice.put("/api/boards/following/bob/")
    assert [row["rank"] for row in as_alice.get(asked).json()["rows"]] == [1, 2]


def test_a_token_that_may_not_read_is_left_to_the_view(alice: Player) -> None:
    etag = get(f"{FASTEST}/")["ETag"]
    for scope, expected in ((Scope.READ, True), (Scope.PLAY, False)):
        token = make_token(alice, "x", frozenset({scope})).token
        assert token_holder(token)
        assert is_unchanged(etag, authorization=f"Bearer {token}") is expected


def test_whoever_has_the_answer_is_told_so_without_a_view(finish: Finish) -> None:
    etag = get(f"{FASTEST}/")["ETag"]
    assert is_unchanged(etag)
    assert is_unchanged(f'"x", {etag.removeprefix("W/")}')
    assert not is_unchanged('W/"x"')
    assert not is_unchanged(etag, query="limit=3")
    assert not is_unchanged(etag, f"/api/boards/{FEWEST_MOVES}/")
    assert not is_unchanged(etag, method="HEAD")
    submit_score(finish(named("carol")), NOON)
    assert not is_unchanged(etag)


def test_a_key_is_looked_at_all_the_same(alice: Player) -> None:
    etag, token = get(f"{FASTEST}/")["ETag"], issue_token(alice).token
    assert is_unchanged(etag, authorization=f"Bearer {token}")
    for wrong in (f"Bearer {token}x", "Bearer ", f"Basic {token}", token):
        assert not is_unchanged(etag, authorization=wrong)
        known = {"Authorization": wrong, "If-None-Match": etag}
        assert APIClient(headers=known).get(BOARD).status_code in {304, 401}


def test_behind_a_tls_proxy_plain_requests_are_left_to_be_redirected(monkeypatch: pytest.MonkeyPatch) -> None:
    etag = get(f"{FASTEST}/")["ETag"]
    monkeypatch.setattr(settings, "SECURE_SSL_REDIRECT", True)
    assert not is_unchanged(etag)
    assert not is_unchanged(etag, x_forwarded_proto="http")
    assert is_unchanged(etag, x_forwarded_proto="https")


def test_the_games_of_bots_are_counted_once_for_all_who_ask_within_seconds(finish: Finish) -> None:
    robot = named("robot", is_bot=True)
    submit_score(finish(robot), NOON)
    assert [bot.player for bot in active_bots(NOON)] == [robot]
    with CaptureQueriesContext(connection) as queries:
        assert [bot.played for bot in active_bots(NOON)] == [1]
    assert len(queries) == 0
