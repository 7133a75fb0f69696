"""Check finished games against their logs, a batch at a time: two queries for any number of games."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from games.models import Game, Logs, logs_of
from games.reexecution import KeptGame, differences
from games.rules import DamagedLog

BATCH = 500
FIELDS = tuple({"rules": "deal__rules", "deck": "deal__deck"}.get(name, name) for name in KeptGame._fields)


def differing(games: Sequence[str]) -> dict[str, list[str]]:
    """Replay finished games, and return the differences of each from its stored result, none for a sound one."""
    found: dict[str, list[str]] = {}
    for first in range(0, len(games), BATCH):
        found |= _differing_together(games[first : first + BATCH])
    return found


def finished_ranked() -> QuerySet[Game]:
    """Return all finished ranked attempts in the order in which they ended."""
    return Game.objects.filter(daily__isnull=False).exclude(status=Game.Status.PLAYING).order_by("finished_at", "pk")


def _differing_together(games: Sequence[str]) -> dict[str, list[str]]:
    kept = Game.objects.filter(pk__in=games).exclude(status=Game.Status.PLAYING).order_by().values_list(*FIELDS)
    logs = logs_of(games)
    return {row[0]: _differences(KeptGame._make(row), logs) for row in kept.iterator()}


def _differences(kept: KeptGame, logs: Logs) -> list[str]:
    try:
        return differences(kept, logs[kept.id])
    except DamagedLog as error:
        return [f"the log cannot be read: {error}"]
