"""A watcher sees what the player sees, and nothing more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from pytest_django import Settings

from games.play.journal import batcher
from games.play.models import Game
from games.play.refusals import NotYours
from games.play.starting import start_practice, start_ranked
from games.play.visibility import require_watchable
from games.players.models import Player
from tests.calendar import prepared_dailies
from tests.games.conftest import Connect, MakeGame
from tests.games.play.test_socket import DECK
from tests.games.sockets import Client
from tests.games.ways_to_play import resign, take_action

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("_no_deadline")]


@asynccontextmanager
async def watched(connect: Connect, game: Game, player: Client, watcher: Player) -> AsyncIterator[Client]:
    """Have a player look at the layout first, then someone else, who can only watch from then on."""
    await started(player)
    async with connect(game, watcher) as client:
        await started(client)
        yield client


async def started(client: Client) -> None:
    assert (await client.receive())["type"] == "state"


async def test_bob_sees_each_move_of_alice_as_she_does(
    connect: Connect, practice: MakeGame, alice: Player, bob: Player
) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as player:
        layout = await player.receive()
        async with connect(game, bob) as watcher:
            seen = await watcher.receive()
            assert seen == {**layout, "elapsed_ms": seen["elapsed_ms"]}
            for move in ("D", "D", "Kd"):
                answer = await player.play(move)
                assert await watcher.receive() == {**answer, "id": None}
            await player.ask("undo", version=player.version)
            assert (await watcher.receive())["move"] == "U"
            await player.ask("resign", version=player.version)
            assert (await watcher.receive())["type"] == "finished"


async def test_nobody_is_shown_an_action_or_an_end_that_is_not_durable_yet(
    connect: Connect, practice: MakeGame, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: asyncio.Queue[tuple[Any, ...]] = asyncio.Queue()
    game = await practice(DECK)
    async with connect(game, alice) as player, watched(connect, game, player, bob) as watcher:
        put = batcher.writer.put
        monkeypatch.setattr(batcher.writer, "put", lambda *written: held.put_nowait(written))
        for version, command in enumerate([{"type": "play", "move": "D"}, {"type": "resign"}]):
            await player.send(json.dumps({"id": 7, "version": version, **command}))
            written = await held.get()
            state = await watcher.ask("sync")
            assert (state["type"], state["version"], state["result"]) == ("state", version, "*")
            assert (await watcher.ask("sync", version=0))["version"] == version
            assert (await watcher.ask("undo", version=version))["version"] == version
            put(*written)
            assert [(await socket.receive())["version"] for socket in (watcher, player)] == [1, 1]


async def test_watchers_cannot_play(connect: Connect, practice: MakeGame, alice: Player, mallory: Player) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as player, watched(connect, game, player, mallory) as watcher:
        for kind in ("undo", "redo", "hint", "resign"):
            assert (await watcher.ask(kind, version=0))["code"] == "not_yours"
        assert (await watcher.ask("restart"))["code"] == "not_yours"
        assert (await watcher.ask("play", version=0, move="D"))["code"] == "not_yours"
        assert (await watcher.ask("ping"))["type"] == "pong"
        assert (await player.play("D"))["version"] == 1


async def test_a_watcher_that_missed_moves_asks_for_them(
    connect: Connect, practice: MakeGame, alice: Player, bob: Player
) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as player:
        await started(player)
        await player.play("D")
        async with connect(game, bob) as watcher:
            await started(watcher)
            assert (await watcher.ask("sync", version=0))["actions"].startswith("D@")


async def test_a_move_made_over_rest_reaches_the_player_and_all_watchers(
    connect: Connect, practice: MakeGame, alice: Player, bob: Player
) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as player, watched(connect, game, player, bob) as watcher:
        answer = await sync_to_async(take_action)(game, "D", 0, timezone.now())
        expected = {"type": "played", "id": None, "version": 1, "move": "D", "revealed": answer.revealed}
        for socket in (player, watcher):
            assert (await socket.receive()).items() >= expected.items()
        assert (await player.play("Kd"))["version"] == 2


async def test_whoever_gives_up_over_rest_ends_the_game_on_every_socket(
    connect: Connect, practice: MakeGame, alice: Player, bob: Player
) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as player, watched(connect, game, player, bob) as watcher:
        await sync_to_async(resign)(game, 0, timezone.now())
        for socket in (player, watcher):
            assert (await socket.receive())["type"] == "finished"


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def ranked(alice: Player, settings: Settings) -> Game:
    """Alice's attempt at a deal that its operator lets those watch who have played it."""
    settings.PYRAMID_DAILY_POLICIES = {"standard": {"watch_after": True}}
    prepared_dailies(NOON)
    return start_ranked(alice, "standard", NOON)


def test_a_daily_deal_is_shown_only_to_those_whose_own_attempt_at_it_has_ended(ranked: Game, bob: Player) -> None:
    with pytest.raises(NotYours):
        require_watchable(ranked, bob, NOON)
    own = start_ranked(bob, "standard", NOON)
    with pytest.raises(NotYours):
        require_watchable(ranked, bob, NOON)
    resign(own, 0, NOON)
    require_watchable(ranked, bob, NOON)


def test_whoever_has_another_attempt_left_watches_nobody(alice: Player, bob: Player, settings: Settings) -> None:
    settings.PYRAMID_DAILY_POLICIES = {"standard": {"attempts": 2, "watch_after": True}}
    prepared_dailies(NOON)
    game = start_ranked(alice, "standard", NOON)
    resign(start_ranked(bob, "standard", NOON), 0, NOON)
    with pytest.raises(NotYours, match="another ranked attempt"):
        require_watchable(game, bob, NOON)
    resign(start_ranked(bob, "standard", NOON), 0, NOON)
    require_watchable(game, bob, NOON)


def test_a_closed_daily_deal_is_shown_to_everyone(ranked: Game, bob: Player) -> None:
    last_moment = datetime(2026, 3, 2, 0, 30, tzinfo=UTC)
    with pytest.raises(NotYours):
        require_watchable(ranked, bob, last_moment - timedelta(milliseconds=1))
    require_watchable(ranked, bob, last_moment)


def test_practice_is_shown_to_everyone(alice: Player, bob: Player) -> None:
    require_watchable(start_practice(alice, "standard", NOON), bob, NOON)
