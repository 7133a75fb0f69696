"""Games of sixty actions, made, begun, played, ended and sealed in waves, as days follow each other."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from time import process_time

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal
from games.deals.shuffle import suits_of
from games.play import sealed_logs
from games.play.journal.statements import APPEND_IN_POSTGRESQL
from games.play.models import Game, Move, logs_of
from games.play.sealed_logs import seal_logs
from games.players.models import Player, new_id
from games.rules import CARDS
from games.rules.moves import pair_move
from tests.bench.table import Row

GAMES = int(os.environ.get("SEALED_GAMES", "100000"))
WAVE, ACTIONS = 1000, 60
TABLES = ("games_game", "games_move")


def measured() -> Iterator[Row]:
    random.seed(2026)
    call_command("migrate", verbosity=0)
    sealed_logs.SEALED_AFTER = timedelta()
    noon = timezone.now() - timedelta(days=GAMES // WAVE + 10)
    empty, sealing, games = size_of(*TABLES), 0.0, []
    for wave in range(GAMES // WAVE):
        games = _play(noon + timedelta(days=wave), WAVE)
        if not wave:
            vacuum()
            yield Row("sealed logs: a finished game with its moves as rows", (size_of(*TABLES) - empty) / WAVE, "bytes")
            yield from _reading(games, "as rows")
        sealing += _seal_all()
        vacuum()
    yield from _reading(games, "sealed")
    yield Row("sealed logs: sealing a game, CPU of the worker", sealing / GAMES * 1e6, "us")
    yield from _sizes_of_games()


def _sizes_of_games() -> Iterator[Row]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT avg(length(sealed_log)), max(length(sealed_log)) FROM games_game")
        average, longest = cursor.fetchone()
    yield Row("sealed logs: a sealed log on average", float(average), "bytes")
    yield Row("sealed logs: the longest sealed log", float(longest), "bytes")
    yield Row(f"sealed logs: {GAMES:,} sealed games, all indexes: each", size_of("games_game") / GAMES, "bytes")
    yield Row(f"sealed logs: what {WAVE:,} games with rows leave behind", size_of("games_move") / 1e6, "MB")


def _reading(games: list[str], form: str) -> Iterator[Row]:
    begun = process_time()
    logs = logs_of(games)
    assert all(len(logs[game]) == ACTIONS for game in games)
    yield Row(f"sealed logs: reading a log, {form}, CPU", (process_time() - begun) / len(games) * 1e6, "us")


def _seal_all() -> float:
    begun = process_time()
    while seal_logs(timezone.now()):
        pass
    assert not Move.objects.exists()
    return process_time() - begun


def _play(noon: datetime, number: int) -> list[str]:
    """Have so many guests play the deal of a day to its end, a hundred at a time."""
    ensure_dailies(noon)
    daily = DailyDeal.objects.get(day=noon.date(), rules="standard", division="open")
    games: list[str] = []
    for first in range(0, number, 100):
        games += _play_together(daily, min(100, number - first), noon + timedelta(seconds=first))
    return games


def _play_together(daily: DailyDeal, number: int, noon: datetime) -> list[str]:
    handles = [f"guest-{new_id()}" for _ in range(number)]
    players = Player.objects.bulk_create(Player(username=each, display_name="Guest", is_guest=True) for each in handles)
    games = Game.objects.bulk_create(
        Game(
            player=player,
            deal_id=daily.deal.pk,
            daily=daily,
            created_at=noon,
            suits=suits_of(b"sealed", player.username).text,
        )
        for player in players
    )
    ids = [game.pk for game in games]
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_game SET started_at = created_at WHERE id = ANY(%s)", [ids])
        cursor.execute(APPEND_IN_POSTGRESQL, [json.dumps([row for game in ids for row in _log(game)])])
        cursor.execute(
            "UPDATE games_game SET status = 'stuck', finished_at = created_at + interval '5 minutes', hasty = 0,"
            " draws = 20, elapsed_ms = 300000, moves = %s, recycles = 0, undos = 0, hints = 0, cards_left = 3"
            " WHERE id = ANY(%s)",
            [ACTIONS, ids],
        )
    return ids


def _log(game: str) -> Iterator[tuple[str, int, str, int, int]]:
    """Yield moves with a person's times, and a client's clock that reaches the server some milliseconds late."""
    at_ms = 0
    for version in range(1, ACTIONS + 1):
        at_ms += int(random.lognormvariate(7.8, 0.8))
        action = "D" if random.random() < 0.4 else pair_move(*random.sample(CARDS[:52], 2)).text
        yield game, version, action, at_ms, at_ms + 3000 - random.randint(5, 80)


def vacuum() -> None:
    """Do what autovacuum does sooner or later."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def size_of(*tables: str) -> int:
    """Return the bytes of tables with their indexes and all that belongs to them."""
    with connection.cursor() as cursor:
        size = "SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(%s::text[]) AS name"
        cursor.execute(size, [[*tables]])
        return int(cursor.fetchone()[0])
