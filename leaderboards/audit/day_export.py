"""The sealed results of a final day with their records. They never change."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from games.calendar.models import DailyDeal
from games.play.models import Game, logs_of
from leaderboards.audit.models import DayRoot, SealedResult
from leaderboards.boards.catalog import Entrants
from leaderboards.boards.models import Entry

NOBODY = "-"  # a player may delete the account with its name; an export stays


class ExportedResult(NamedTuple):
    """A sealed result with its game, its entrants, and its record without the name of its player."""

    sealed: SealedResult
    game: Game
    entrants: Entrants
    record: str


def deals_of(day: date) -> list[DailyDeal]:
    """Return the deals of a day in the order of their commitments."""
    return list(DailyDeal.objects.filter(day=day).select_related("deal").order_by("pk"))


def results_from(root: DayRoot, index: int, most: int) -> list[ExportedResult]:
    """Return the results of a sealed day from a place on, in order. Raises `DamagedLog`."""
    related = "game__daily", "game__deal", "game__player"
    rows = list(root.results.filter(index__gte=index).order_by("index").select_related(*related)[:most])
    games = [row.game_id for row in rows]
    logs, entrants = logs_of(games), _entrants_of(games)
    records = {row.game_id: replace(row.game.record(logs[row.game_id]), player=NOBODY).text for row in rows}
    return [ExportedResult(row, row.game, entrants[row.game_id], records[row.game_id]) for row in rows]


def _entrants_of(games: Sequence[str]) -> dict[str, Entrants]:
    """Return the entrants among whom games were entered, which stay even if a player becomes a bot."""
    entries = Entry.objects.filter(game__in=games, valid_to=None).select_related("board")
    return {str(entry.game_id): entry.board.key.entrants for entry in entries}
