"""A reviewer watches a game of a retest over its socket; nobody else does."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async

from games.play.models import Game
from games.players.models import Player
from leaderboards.retests.models import Retest
from leaderboards.retests.playing import accept, play_next
from tests.games.conftest import Connect, connect
from tests.leaderboards.retests.conftest import LATER

__all__ = ["connect"]

pytestmark = pytest.mark.django_db(transaction=True)


def begun(retest: Retest, player: Player) -> Game:
    accept(retest.pk, player, LATER)
    return play_next(retest.pk, player, LATER)


async def test_ines_sees_each_move_of_alice_as_she_does_and_mallory_is_turned_away(
    retest: Retest, alice: Player, ines: Player, mallory: Player, connect: Connect
) -> None:
    game = await sync_to_async(begun)(retest, alice)
    async with connect(game, alice) as player:
        layout = await player.receive()
        async with connect(game, ines) as watcher:
            seen = await watcher.receive()
            assert seen == {**layout, "elapsed_ms": seen["elapsed_ms"]}
            answer = await player.play("D")
            assert await watcher.receive() == {**answer, "id": None}
            assert (await watcher.ask("resign", version=player.version))["code"] == "not_yours"
        async with connect(game, mallory) as stranger:
            assert await stranger.close_code() == 4403
