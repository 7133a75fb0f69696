"""How games come to be entries. Everything here may be repeated and changes nothing the second time."""

from __future__ import annotations

import logging

from django.db import transaction

from games.models import DailyDeal, Game
from leaderboards.boards import TABLES, BoardKey, Entrants
from leaderboards.models import Board, Entry
from leaderboards.order import OutOfRangeError

logger = logging.getLogger(__name__)


def submit_score(game: Game) -> None:
    """Enter a game on its boards if it is a ranked attempt that has ended.

    Raises `OutOfRangeError`, with nothing entered.
    """
    if game.daily is None or not game.is_over:
        return
    with transaction.atomic():
        for key in _boards_of(game, game.daily):
            _enter(game, key)


def submit_missing() -> int:
    """Submit every finished ranked attempt that is on no board, and return how many there were."""
    missing = Game.objects.filter(daily__isnull=False, entries=None).exclude(status=Game.Status.PLAYING)
    games = list(missing.select_related("daily", "player").order_by("finished_at"))
    for game in games:
        _submit_or_report(game)
    return len(games)


def _submit_or_report(game: Game) -> None:
    try:
        submit_score(game)
    except OutOfRangeError:
        logger.exception("game %s cannot be ranked", game.id)


def _boards_of(game: Game, daily: DailyDeal) -> list[BoardKey]:
    """Return the boards that a game belongs on."""
    # In one order always, so that no two submissions wait for each other's locks.
    return [BoardKey(daily.day, daily.rules, daily.division, _entrants(game), table) for table in sorted(TABLES)]


def _entrants(game: Game) -> Entrants:
    if game.player.is_bot:
        return Entrants.BOTS
    return Entrants.ASSISTED if game.hints else Entrants.PEOPLE


def _enter(game: Game, key: BoardKey) -> None:
    Board.objects.get_or_create(slug=str(key))
    board = Board.objects.select_for_update().get(slug=str(key))
    if board.entries.filter(game=game).exists():
        return
    board.version += 1
    board.save(update_fields=["version"])
    packed = key.order.pack({field: getattr(game, field) for field in key.order.fields})
    Entry.objects.create(board=board, player=game.player, game=game, key=packed, since=board.version)
