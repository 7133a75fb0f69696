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
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from games.play.models import Game, Move  # noqa: E402  models exist only from here on
from games.play.reexecution import differing  # noqa: E402
from games.play.sealed_logs import seal_logs  # noqa: E402
from games.races.course import result_of  # noqa: E402
from games.races.models import RESULT_FIELDS, Race, RatingChange  # noqa: E402  models exist only from here on
from games.races.order import Result, places  # noqa: E402
from games.races.ratings import rate_races  # noqa: E402
from leaderboards.boards.models import Board, Entry, PendingGame  # noqa: E402
from leaderboards.boards.recounting import boards_to_recount, mistakes_on  # noqa: E402
from leaderboards.boards.submission import boards_of_games, submit_missing  # noqa: E402


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
        "boards": [slug for slug, key in boards_of_games([game])[game.pk] if not key.days_that_count],
    }


def board(kept: Board) -> dict[str, Any]:
    """Return the scores of a board as stored, and its ranked games as the API reads them."""
    entries = kept.entries.filter(valid_to=None, game__isnull=False)
    ranked, cursor = list[str](), "?limit=100"
    while cursor and not kept.key.days_that_count:
        page = Client(HTTP_HOST="localhost").get(f"/api/boards/{kept.slug}/{cursor}", secure=True).json()
        ranked += [row["game"] for row in page["rows"]]
        cursor = page["next"] and f"?limit=100&cursor={page['next']}"
    return {"entries": list(entries.values_list("game", "key", "listed")), "ranked": ranked}


def require_recounted_boards() -> None:
    """Require that each board, those of sums too, comes out the same from the games."""
    mistakes = [mistake for slug in boards_to_recount() for mistake in mistakes_on(slug)]
    assert not mistakes, mistakes


def require_reexecuted_games() -> None:
    """Require that each finished game follows from its log, in which no clock runs backwards."""
    ended = Game.objects.exclude(status=Game.Status.PLAYING).values_list("pk", flat=True)
    wrong = {game: found for game, found in differing(list(ended)).items() if found}
    assert not wrong, wrong


settle()
require_results_of_races()
require_recounted_boards()
require_reexecuted_games()
games = {game.id: kept(game) for game in Game.objects.select_related("player", "deal")}
print(json.dumps({"games": games, "boards": {each.slug: board(each) for each in Board.objects.all()}}))
