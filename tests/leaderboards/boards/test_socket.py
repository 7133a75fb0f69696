"""Watchers of boards."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import time_machine
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.calendar.models import DailyDeal
from games.keys.authentication import issue_ticket
from games.play.models import Game
from games.players.models import Player
from games.runtime.pubsub import PubSub
from leaderboards.boards import feed
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from pyramid_server.socket_urls import websocket_urlpatterns
from tests.leaderboards.conftest import FASTEST, NOON, Finish, named, submit_score

application = URLRouter(websocket_urlpatterns)
Json = dict[str, Any]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _today() -> Iterator[None]:
    with time_machine.travel(NOON, tick=True):
        yield


class Watcher:
    def __init__(self, socket: WebsocketCommunicator) -> None:
        self.socket = socket

    async def told(self) -> Json:
        message: Json = json.loads(await self.socket.receive_from(timeout=120))
        return message

    async def told_of(self, version: int) -> list[Json]:
        """Return all messages up to this version."""
        heard = [await self.told()]
        while heard[-1]["version"] < version:
            heard.append(await self.told())
        return heard

    async def close_code(self) -> int:
        event = await self.socket.receive_output(timeout=120)
        assert event["type"] == "websocket.close", event
        code: int = event["code"]
        return code


@asynccontextmanager
async def watching(slug: str, player: Player | None = None) -> AsyncIterator[Watcher]:
    ticket = f"?ticket={await sync_to_async(issue_ticket)(player)}" if player else ""
    socket = WebsocketCommunicator(application, f"ws/boards/{slug}/{ticket}", headers=[(b"host", b"localhost")])
    accepted, _ = await socket.connect(timeout=120)
    assert accepted
    try:
        yield Watcher(socket)
    finally:
        await socket.disconnect()


async def submit(game: Game) -> None:
    await sync_to_async(submit_score)(game, NOON)


def ranks(rows: list[Json]) -> list[tuple[int, str]]:
    return [(row["rank"], row["player"]["handle"]) for row in rows]


async def test_a_watcher_is_told_the_table_and_then_what_changes(alice: Player, bob: Player, finish: Finish) -> None:
    slow = await sync_to_async(finish)(alice, elapsed_ms=90)
    fast = await sync_to_async(finish)(bob, elapsed_ms=10)
    await submit(slow)
    async with watching(FASTEST) as watcher:
        table = await watcher.told()
        assert (table["type"], table["version"], table["own"]) == ("table", 1, None)
        assert ranks(table["rows"]) == [(1, "alice")]
        await submit(fast)
        (changes,) = await watcher.told_of(2)
        assert (changes["type"], changes["count"]) == ("changes", 2)
        assert ranks(changes["rows"]) == [(1, "bob"), (2, "alice")]


async def test_a_row_says_no_more_than_the_table_over_rest(alice: Player, finish: Finish, daily: DailyDeal) -> None:
    game = await sync_to_async(finish)(alice)
    await submit(game)
    async with watching(FASTEST) as watcher:
        text = json.dumps(await watcher.told())
        for secret in (game.deal.deck, daily.seed, str(daily.deal_id)):
            assert secret not in text


async def test_who_is_disqualified_is_gone_and_the_others_move_up(alice: Player, bob: Player, finish: Finish) -> None:
    games = [await sync_to_async(finish)(player, elapsed_ms=ms) for player, ms in ((alice, 10), (bob, 90))]
    for game in games:
        await submit(game)
    async with watching(FASTEST) as watcher:
        await watcher.told()
        decision = Decision(game=games[0], state=EntryState.DISQUALIFIED, reason="a program", at=NOON)
        await sync_to_async(decide)(decision)
        (changes,) = await watcher.told_of(3)
        assert (changes["gone"], ranks(changes["rows"])) == (["alice"], [(1, "bob")])


async def test_alice_is_told_her_own_rank_outside_of_the_first_rows(alice: Player, bob: Player, finish: Finish) -> None:
    def fill() -> list[Game]:
        games = [finish(named(f"player-{number}"), elapsed_ms=number) for number in range(20)]
        for game in [*games, finish(alice, elapsed_ms=1000)]:
            submit_score(game, NOON)
        return [finish(bob, elapsed_ms=500)]

    (later,) = await sync_to_async(fill)()
    async with watching(FASTEST, alice) as watcher:
        table = await watcher.told()
        assert len(table["rows"]) == 20
        assert ranks([table["own"]]) == [(21, "alice")]
        await submit(later)
        (changes,) = await watcher.told_of(22)
        assert (changes["rows"], ranks([changes["own"]])) == ([], [(22, "alice")])


async def test_many_changes_come_in_few_messages_and_none_is_lost(finish: Finish) -> None:
    games = [await sync_to_async(finish)(await sync_to_async(named)(f"player-{n}"), elapsed_ms=n) for n in range(12)]
    async with watching(FASTEST) as watcher:
        await watcher.told()
        for game in games:
            await submit(game)
        heard = await watcher.told_of(12)
        rows = {row["player"]["handle"]: row for changes in heard for row in changes["rows"]}
        assert sorted(ranks(list(rows.values()))) == [(n + 1, f"player-{n}") for n in range(12)]
        assert [changes["version"] for changes in heard] == sorted({changes["version"] for changes in heard})


async def test_a_watcher_whose_notices_are_lost_hears_of_changes_all_the_same(
    alice: Player, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await sync_to_async(finish)(alice)
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(PubSub, "publish", lambda *notice: None)
    async with watching(FASTEST) as watcher:
        await watcher.told()
        await submit(game)
        assert (await watcher.told_of(1))[-1]["version"] == 1


async def test_a_player_who_comes_just_after_a_change_is_told_their_own_row(
    alice: Player, bob: Player, finish: Finish
) -> None:
    games = [await sync_to_async(finish)(player) for player in (alice, bob)]
    async with watching(FASTEST) as nobody:
        await nobody.told()
        async with watching(FASTEST, alice) as watcher:
            await watcher.told()
            for number, game in enumerate(games, 1):
                await submit(game)
                assert (await watcher.told_of(number))[-1]["own"]["player"]["handle"] == "alice"


async def test_two_watchers_share_what_is_told(alice: Player, finish: Finish) -> None:
    game = await sync_to_async(finish)(alice)
    async with watching(FASTEST) as one, watching(FASTEST) as other:
        assert await one.told() == await other.told()
        await submit(game)
        assert (await one.told_of(1))[-1] == (await other.told_of(1))[-1]


def test_a_look_at_a_board_takes_as_many_queries_for_many_players_as_for_one(finish: Finish) -> None:
    players = [named(f"player-{number}") for number in range(5)]
    for player in players:
        submit_score(finish(player), NOON)

    def queries(handles: list[str]) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert set(feed._snapshot(FASTEST, frozenset(handles)).own) == set(handles)
        return len(captured)

    handles = [player.username for player in players]
    assert queries(handles) == queries(handles[:1])


@pytest.mark.usefixtures("daily")
@pytest.mark.parametrize("slug", ["daily.2026-11-21.standard.open.fastest", "daily.yesterday", "%00", "a" * 500])
async def test_nobody_watches_a_board_that_is_not_there(slug: str) -> None:
    async with watching(slug) as watcher:
        assert await watcher.close_code() == 4404


@pytest.mark.usefixtures("daily")
async def test_a_watcher_may_ask_for_a_sign_of_life() -> None:
    async with watching(FASTEST) as watcher:
        await watcher.told()
        await watcher.socket.send_to(text_data='{"type": "ping", "id": 7}')
        assert await watcher.told() == {"type": "pong", "id": 7, "version": 0}


@pytest.mark.usefixtures("daily")
@pytest.mark.parametrize(
    "frame", ["[]", "{}", '{"id": 1}', '{"type": "ping"}', '{"type": "ping", "id": -1}', "[" * 2000]
)
async def test_what_is_not_understood_is_refused_and_the_socket_stays(frame: str) -> None:
    async with watching(FASTEST) as watcher:
        await watcher.told()
        await watcher.socket.send_to(text_data=frame)
        assert (await watcher.told())["code"] == "bad_message"
        await watcher.socket.send_to(bytes_data=b"\x00")
        assert (await watcher.told())["code"] == "bad_message"


@pytest.mark.usefixtures("daily")
async def test_a_watcher_who_sends_too_much_is_sent_away() -> None:
    async with watching(FASTEST) as watcher:
        await watcher.told()
        await watcher.socket.send_to(text_data=" " * 5000)
        assert await watcher.close_code() == 1009
