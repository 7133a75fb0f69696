from __future__ import annotations

import os
import signal
from subprocess import CompletedProcess
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.utils import timezone

from games.calendar.models import DailyDeal
from games.play.journal.batcher import writer
from games.play.live import requests
from games.play.models import Game
from games.play.starting import start_ranked
from games.players.models import Player
from leaderboards.boards.submission import submit_missing
from tests.calendar import prepared_dailies
from tests.games.play.nodes import running
from tests.games.ways_to_play import open_session
from tests.leaderboards.conftest import FASTEST, FEWEST_MOVES, NOON
from tests.processes import MANAGE, run

# A single writer has not published the end of the game yet.
RESIGN_AND_DIE = """
import os, signal
from games.play.journal.batcher import writer
from games.play.models import Game
from tests.games.ways_to_play import open_session

game = Game.objects.get(pk=words[0])
session = open_session(game, game.created_at)
writer.submit(session.resign(session.play.version, game.created_at)).result()
os.kill(os.getpid(), signal.SIGKILL)
"""


def environment_of_this_database() -> dict[str, str]:
    name = str(connection.settings_dict["NAME"])
    shared = os.environ.get("DATABASE_URL", "sqlite")
    url = f"sqlite:///{name}" if shared.startswith("sqlite") else urlsplit(shared)._replace(path=f"/{name}").geturl()
    settings = {"DATABASE_URL": url, "PYRAMID_SECRET_KEY": "x" * 50}
    return {**os.environ, **settings}


def run_in_another_process(code: str, *words: str) -> CompletedProcess[str]:
    """Run code, to which these are known as `words`, in another process on this database."""
    return run([*MANAGE, "shell", "-c", f"words = {words}\n{code}"], environment_of_this_database())


@pytest.mark.django_db(transaction=True)
def test_a_game_whose_server_died_between_commit_and_signal_is_entered_by_the_worker(
    alice: Player, daily: DailyDeal
) -> None:
    game = start_ranked(alice, "standard", NOON)
    killed = run_in_another_process(RESIGN_AND_DIE, game.id)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert Game.objects.get(pk=game.pk).status == Game.Status.RESIGNED
    assert not game.entries.exists()
    submit_missing(NOON)
    assert {FASTEST, FEWEST_MOVES} <= set(game.entries.values_list("board__slug", flat=True))


@pytest.fixture
def ended_unheard(alice: Player) -> Game:
    """A ranked attempt of today that has ended through a process that has not published it."""
    now = timezone.now()
    prepared_dailies(now, 1)
    game = start_ranked(alice, "standard", now)
    writer.submit(open_session(game, now).resign(0, now)).result()
    assert not game.entries.exists()
    return game


@pytest.mark.django_db(transaction=True)
def test_a_player_who_resigns_again_elsewhere_finds_the_game_on_its_boards(ended_unheard: Game) -> None:
    with running(1) as (node,):
        node.run(requests.resign(ended_unheard.pk, ended_unheard.player, 0, timezone.now()))
        assert ended_unheard.entries.exists()


@pytest.mark.django_db(transaction=True)
def test_a_player_who_connects_elsewhere_after_the_end_finds_the_game_on_its_boards(ended_unheard: Game) -> None:
    heard = list[bool]()

    async def hear(text: str) -> None:
        heard.append(await ended_unheard.entries.aexists())

    with running(1) as (node,):
        node.run(node.keep(ended_unheard).tell_end(hear))
    assert heard[0]
