"""Pages about scores that the event loop answers: never older than the last change that their process has heard of."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import Client

from games.accounts.accounts import rename
from games.doors import kept_pages
from games.personal_data.erasure import erase_player
from games.players.models import Player
from games.runtime.pubsub import PubSub, pubsub
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from leaderboards.boards.publishing import TOPIC
from pyramid_server.asgi import application
from tests.games.runtime.test_remembered import wait_until
from tests.leaderboards.boards.test_lost_signal import run_in_another_process
from tests.leaderboards.boards.test_processes import SUBMIT
from tests.leaderboards.conftest import BEST, FASTEST, FEWEST_MOVES, NOON, Finish, ban, submit_score
from tests.pyramid_server.test_http import ask

pytestmark = pytest.mark.django_db(transaction=True)

BOARD, FRONT, TODAY, DAY, PLAYER = (
    f"/boards/{FEWEST_MOVES}/",
    "/",
    "/boards/",
    f"/days/{NOON.date()}/",
    "/players/alice/",
)
WITH_SCORES = [BOARD, FRONT, TODAY]


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    """Noon; for the cache no time passes, so that nothing goes by itself."""
    monkeypatch.setattr(PubSub, "period", 1)
    monkeypatch.setattr(kept_pages._pages, "_clock", lambda: 0.0)
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def views(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses of the requests that views answer."""
    handler: Any = application.application_mapping["http"]
    answered, answer = list[str](), handler._answer_on_thread

    async def noted(scope: dict[str, Any], body: bytes) -> object:
        answered.append(scope["path"])
        return await answer(scope, body)

    monkeypatch.setattr(handler, "_answer_on_thread", noted)
    return answered


async def read(path: str, **headers: str) -> str:
    status, _, body = await ask(path, **headers)
    assert status == 200
    return body.decode()


@pytest.mark.parametrize("path", WITH_SCORES)
async def test_a_new_score_is_seen_at_once_and_other_boards_stay(
    path: str, alice: Player, finish: Finish, views: list[str]
) -> None:
    other = f"/boards/{BEST.replace('open', 'main')}/"
    for _ in range(2):
        assert ">Alice<" not in await read(path)
        await read(other)
    await sync_to_async(submit_score)(await sync_to_async(finish)(alice), NOON)
    assert ">Alice<" in await read(path)
    await read(other)
    assert (views.count(path), views.count(other)) == (2, 1)


@pytest.mark.parametrize("path", WITH_SCORES)
async def test_a_score_that_is_disqualified_is_gone_at_once(path: str, alice: Player, finish: Finish) -> None:
    game = await sync_to_async(finish)(alice)
    await sync_to_async(submit_score)(game, NOON)
    assert ">Alice<" in await read(path)
    decision = Decision(game=game, state=EntryState.DISQUALIFIED, reason="a bot", at=NOON)
    await sync_to_async(decide)(decision)
    assert ">Alice<" not in await read(path)


async def test_all_scores_of_a_banned_player_are_gone_at_once(alice: Player, finish: Finish) -> None:
    await sync_to_async(submit_score)(await sync_to_async(finish)(alice), NOON)
    assert all([">Alice<" in await read(path) for path in WITH_SCORES])
    await sync_to_async(ban)(alice, "a bot", None, NOON)
    assert not any([">Alice<" in await read(path) for path in WITH_SCORES])


def _rename(player: Player) -> None:
    rename(player, "Alicia")


def _close(player: Player) -> None:
    erase_player(player, "asked by mail", None, NOON)


@pytest.mark.parametrize("change", [_rename, _close])
async def test_a_name_is_gone_at_once_when_it_is_changed_or_the_account_deleted(
    change: Callable[[Player], None], alice: Player, finish: Finish
) -> None:
    await sync_to_async(submit_score)(await sync_to_async(finish)(alice), NOON)
    for path in (*WITH_SCORES, PLAYER):
        assert "Alice<" in await read(path)
    await sync_to_async(change)(alice)
    for path in WITH_SCORES:
        assert "Alice<" not in await read(path)
    status, _, body = await ask(PLAYER)
    assert (status, b"Alice<" in body) == ((404 if change is _close else 200), False)


@pytest.mark.parametrize("path", [*WITH_SCORES, PLAYER])
async def test_alice_sees_the_own_page_and_visitors_theirs(
    path: str, alice: Player, finish: Finish, views: list[str]
) -> None:
    await sync_to_async(submit_score)(await sync_to_async(finish)(alice), NOON)
    client = Client()
    await sync_to_async(client.force_login)(alice)
    own = f"sessionid={client.cookies['sessionid'].value}"
    for _ in range(2):
        assert "Signed in as" in await read(path, cookie=own)
        assert "Signed in as" not in await read(path)
    assert len(views) == 3


async def test_what_changes_while_a_page_is_made_is_not_kept(daily: object, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = kept_pages.begin

    def begin_and_be_late() -> object:
        began = begin()
        pubsub()._deliver("boards", {"board": FASTEST, "version": 7})
        return began

    monkeypatch.setattr(kept_pages, "begin", begin_and_be_late)
    assert ">Alice<" not in await read(BOARD)
    assert not kept_pages._pages._values


@pytest.mark.parametrize(
    ("path", "at", "before", "after"),
    [
        (FRONT, NOON + timedelta(hours=12), "Friday, 20 November", "Saturday, 21 November"),
        (TODAY, NOON + timedelta(hours=12), "Friday, 20 November", "Saturday, 21 November"),
        (BOARD, NOON + timedelta(hours=12), "<h1>Today", "<h1>Table of the day"),
        (DAY, NOON + timedelta(hours=12, minutes=30), "public on", "Check that it was fair"),
    ],
)
async def test_pages_turn_at_the_very_moment(
    path: str, at: datetime, before: str, after: str, coming_days: None, clock: time_machine.Traveller, views: list[str]
) -> None:
    moments = (at - timedelta(minutes=1), at - timedelta(microseconds=1), at, at + timedelta(seconds=1))
    for moment, (expected, others) in zip(moments, [(before, after)] * 2 + [(after, before)] * 2, strict=True):
        clock.move_to(moment)
        text = await read(path)
        assert (expected in text, others in text) == (True, False), moment
    assert len(views) == 2


async def test_what_nobody_is_notified_of_is_seen_after_two_seconds(
    alice: Player, views: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for seconds, asked in ((0.0, 1), (1.9, 1), (2.0, 2)):
        monkeypatch.setattr(kept_pages._pages, "_clock", lambda at=seconds: at)
        await read(PLAYER)
        assert len(views) == asked


@pytest.mark.servers
@pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers")
async def test_a_page_is_forgotten_with_the_notice_of_another_process(alice: Player, finish: Finish) -> None:
    game, heard = await sync_to_async(finish)(alice), asyncio.Event()
    await asyncio.to_thread(wait_until, lambda: pubsub()._others.period)  # type: ignore[union-attr]
    pubsub().subscribe(TOPIC, lambda notice: heard.set() if notice["board"] == FEWEST_MOVES else None)
    assert ">Alice<" not in await read(BOARD)
    entered = await asyncio.to_thread(run_in_another_process, SUBMIT, game.id, str(NOON.timestamp()))
    assert entered.returncode == 0, entered.stderr
    async with asyncio.timeout(30):
        await heard.wait()
    assert ">Alice<" in await read(BOARD)
