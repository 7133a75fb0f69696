from __future__ import annotations

import os
import signal
import sys
from urllib.parse import urlsplit

import pytest
from django.db import connection

from games.models import DailyDeal, Game, Player
from games.services.starting import start_ranked
from leaderboards.tasks import submit_missing
from tests.leaderboards.conftest import FASTEST, FEWEST_MOVES, NOON
from tests.processes import run

# A single writer has not published the end of the game yet.
RESIGN_AND_DIE = """
import os, signal, sys
import django
django.setup()
from games.journal.batcher import writer
from games.models import Game
from tests.games.doors import open_session

game = Game.objects.get(pk=sys.argv[1])
session = open_session(game, game.created_at)
writer.submit(session.resign(session.play.version, game.created_at)).result()
os.kill(os.getpid(), signal.SIGKILL)
"""


def environment_of_this_database() -> dict[str, str]:
    name = str(connection.settings_dict["NAME"])
    shared = os.environ.get("DATABASE_URL", "sqlite")
    url = f"sqlite:///{name}" if shared.startswith("sqlite") else urlsplit(shared)._replace(path=f"/{name}").geturl()
    settings = {"DATABASE_URL": url, "PYRAMID_SECRET_KEY": "x" * 50}
    return {**os.environ, **settings, "DJANGO_SETTINGS_MODULE": "pyramid_server.settings"}


@pytest.mark.django_db(transaction=True)
def test_a_game_whose_server_died_between_commit_and_signal_is_entered_by_the_worker(
    alice: Player, daily: DailyDeal
) -> None:
    game = start_ranked(alice, "standard", NOON)
    killed = run([sys.executable, "-c", RESIGN_AND_DIE, game.id], environment_of_this_database())
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert Game.objects.get(pk=game.pk).status == Game.Status.RESIGNED
    assert not game.entries.exists()
    submit_missing(NOON)
    assert {FASTEST, FEWEST_MOVES} <= set(game.entries.values_list("board__slug", flat=True))
