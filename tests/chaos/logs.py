"""Do what the worker would have done, and print what is kept of every game, as JSON: python -m tests.chaos.logs"""

from __future__ import annotations

import json
import os
from datetime import timedelta
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
django.setup()

from django.db.models import Count  # noqa: E402  what follows needs the setup
from django.utils import timezone  # noqa: E402

from games.models import Game, Move  # noqa: E402  models exist only from here on
from games.services.sealed_logs import seal_logs  # noqa: E402
from leaderboards.models import Entry, PendingGame  # noqa: E402
from leaderboards.services.submission import submit_missing  # noqa: E402


def settle() -> None:
    """Enter the games whose ends nobody heard of, and seal all logs; require that each score is there once."""
    submit_missing(timezone.now())
    assert not PendingGame.objects.exists()
    entries = Entry.objects.filter(valid_to=None, game__isnull=False).order_by().values("board", "game")
    assert not entries.annotate(times=Count("pk")).filter(times__gt=1).exists()
    while seal_logs(timezone.now() + timedelta(days=1)):
        pass
    assert not Move.objects.exclude(game__status=Game.Status.PLAYING).exists()


def kept(game: Game) -> dict[str, Any]:
    """Return a game's log and its end, and how both come out when the log is replayed, which raises if it cannot be."""
    replayed = game.record().replay()
    return {
        "log": [(row.version, row.action) for row in game.whole_log()],
        "status": game.status,
        "replayed": replayed.version,
        "result": replayed.result,
    }


settle()
print(json.dumps({game.id: kept(game) for game in Game.objects.select_related("player", "deal")}))
