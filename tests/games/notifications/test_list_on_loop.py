"""The list of a player's notifications, which the event loop answers as its view does."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.doors.rest import on_loop
from games.doors.scopes import Scope
from games.keys.tokens import issue_token
from games.notifications import notifications, rest
from games.notifications.notifications import NotificationKind, notify
from games.players.models import Player
from games.runtime.clock import clock
from tests.pyramid_server.test_http import ask

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("views")]

LIST = "/api/me/notifications/"
LAW = NotificationKind("law", "The law", lambda facts: f"Law {facts['number']}.", lambda facts: "/", is_optional=False)
OF_ONE_ANSWER = {"x-request-id", "content-length", "ratelimit"}
Key = dict[str, str]


@pytest.fixture(autouse=True)
def _kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "_kinds", {LAW.code: LAW})


@sync_to_async
def key_of(player: Player, laws: int = 0, **more: Any) -> Key:
    """Notify a player of so many laws, and return the headers of a key, whose token is cached."""
    for number in range(laws):
        notify(LAW, {player.pk: {"number": number}}, str(number), clock.now())
    return {"authorization": f"Bearer {issue_token(player, **more).token}"}


@pytest.mark.parametrize("language", ["en", "de"])
async def test_the_loop_lists_what_the_view_lists(
    views: list[str], alice: Player, bob: Player, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rest, "PER_PAGE", 2)
    keys = [await key_of(player, laws) | {"accept_language": language} for player, laws in ((alice, 3), (bob, 1))]
    by_view = []
    for key in keys:
        on_loop.forget()
        by_view.append(await ask(LIST, **key))
    views.clear()
    by_loop = [await ask(LIST, **key) for key in keys]
    assert views == []
    assert [status for status, _, _ in (*by_view, *by_loop)] == [200] * 4
    assert [json.loads(body) for _, _, body in by_loop] == [json.loads(body) for _, _, body in by_view]
    assert [lasting(headers) for _, headers, _ in by_loop] == [lasting(headers) for _, headers, _ in by_view]
    assert [json.loads(body)["unread"] for _, _, body in by_loop] == [3, 1]
    assert "private" in by_loop[0][1]["cache-control"] or "no-store" in by_loop[0][1]["cache-control"]


def lasting(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in OF_ONE_ANSWER}


async def test_what_has_a_query_a_body_or_no_key_for_it_goes_the_whole_way(views: list[str], alice: Player) -> None:
    key, to_play = await key_of(alice, 1), await key_of(alice, scopes=frozenset({Scope.PLAY}))
    assert (await ask(LIST, **key))[0] == 200
    views.clear()
    assert (await ask(LIST, **to_play))[0] == 403
    assert (await ask(LIST, authorization="Bearer nobody"))[0] == 401
    assert (await ask(LIST))[0] == 401
    assert (await ask(LIST, b"{}", **key))[0] == 405
    assert views == [LIST] * 4


async def test_a_crowd_that_comes_back_is_read_together(views: list[str], alice: Player, bob: Player) -> None:
    keys = [await key_of(alice, 2), await key_of(bob, 1)]
    assert (await ask(LIST, **keys[0]))[0] == 200
    read, newest_of = [], notifications.newest_of

    def noted(players: set[int], most: int) -> object:
        read.append(players)
        return newest_of(players, most)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(notifications, "newest_of", noted)
        answers = await asyncio.gather(*(ask(LIST, **key) for key in keys * 10))
    assert {json.loads(body)["unread"] for _, _, body in answers} == {1, 2}
    assert views == [LIST]
    assert len(read) < 5
