from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.conf import settings

from games.players.models import Player
from tests.leaderboards.boards.test_lost_signal import run_in_another_process
from tests.leaderboards.boards.test_socket import ranks, watching
from tests.leaderboards.conftest import FASTEST, NOON, Finish

SUBMIT = """
import time_machine
time_machine.travel(float(words[1])).start()  # the channel layer forgets whom it has not seen for a day
from django.utils import timezone
from games.play.models import Game
from tests.leaderboards.conftest import submit_score
submit_score(Game.objects.get(pk=words[0]), timezone.now())
"""


@pytest.fixture(autouse=True)
def _today() -> Iterator[None]:
    with time_machine.travel(NOON, tick=True):
        yield


@pytest.mark.servers
@pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers")
@pytest.mark.django_db(transaction=True)
async def test_a_watcher_hears_of_what_another_process_entered(alice: Player, finish: Finish) -> None:
    game = await sync_to_async(finish)(alice)
    async with watching(FASTEST) as watcher:
        assert (await watcher.told())["version"] == 0
        entered = await asyncio.to_thread(run_in_another_process, SUBMIT, game.id, str(NOON.timestamp()))
        assert entered.returncode == 0, entered.stderr
        (changes,) = await watcher.told_of(1)
        assert ranks(changes["rows"]) == [(1, "alice")]
