from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.conf import settings

from games.players.models import Player
from tests.leaderboards.boards.test_lost_signal import environment_of_this_database
from tests.leaderboards.boards.test_socket import ranks, watching
from tests.leaderboards.conftest import FASTEST, NOON, Finish
from tests.processes import run

SUBMIT = """
import sys
import time_machine
time_machine.travel(float(sys.argv[2])).start()  # the channel layer forgets whom it has not seen for a day
import django
django.setup()
from django.utils import timezone
from games.play.models import Game
from tests.leaderboards.conftest import submit_score
submit_score(Game.objects.get(pk=sys.argv[1]), timezone.now())
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
        command = [sys.executable, "-c", SUBMIT, game.id, str(NOON.timestamp())]
        entered = await asyncio.to_thread(run, command, environment_of_this_database())
        assert entered.returncode == 0, entered.stderr
        (changes,) = await watcher.told_of(1)
        assert ranks(changes["rows"]) == [(1, "alice")]
