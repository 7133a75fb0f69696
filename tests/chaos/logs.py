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

from games.play.models import Game, Move  # noqa: E402  models exist only from here on
from games.play.sealed_logs import seal_logs  # noqa: E402
from games.races.course import result_of  # noqa: E402
from games.races.models import RESULT_FIELDS, Race, RatingChange  # noqa: E402  models exist only from here on
from games.races.order import Result, places  # noqa: E402
from games.races.ratings import rate_races  # noqa: E402
from leaderboards.boards.models import Entry, PendingGame  # noqa: E402
from leaderboards.boards.submission import submit_missing  # noqa: E402


def settle() -> None:
    """Enter the games whose ends nobody heard of, and seal all logs; require that each score is there once."""
    submit_missing(timezone.now())
    assert not PendingGame.objects.exists()
    entries = Entry.objects.filter(valid_to=None, game__isnull=False).order_by().values("board", "game")
    assert not entries.annotate(times=Count("pk")).filter(times__gt=1).exists()
    while seal_logs(timezone.now() + timedelta(days=1)):
        pass
    assert not Move.objects.exclude(game__status=Game.Status.PLAYING).exists()


def require_results_of_races() -> None:
    """Require that each race that began has ended with the results of its games, and that each was rated once."""
    while rate_races(timezone.now()):
        pass
    for race in Race.objects.filter(begun_at__isnull=False):
        racers = list(race.racers.select_related("game").order_by("pk"))
        results = [result_of(racer.game, race) for racer in racers]
        assert race.is_over, race
        assert [Result(*(getattr(racer, name) for name in RESULT_FIELDS)) for racer in racers] == results, race
        assert [racer.place for racer in racers] == places(results, race.tie_break), race
        rated = sum(racer.is_rated for racer in racers) if race.is_public else 0
        assert RatingChange.objects.filter(racer__in=racers).count() == rated, race


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
require_results_of_races()
print(json.dumps({game.id: kept(game) for game in Game.objects.select_related("player", "deal")}))
