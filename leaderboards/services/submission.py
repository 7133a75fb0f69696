"""How games come to be entries. Everything here may be repeated and changes nothing the second time."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import transaction

from games.models import Game
from leaderboards.boards import BoardKey, Entrants, boards_of
from leaderboards.models import Board, Entry, State
from leaderboards.order import OutOfRangeError
from leaderboards.services.notifications import publish
from leaderboards.services.revision import locked, revise, successor_of, sum_up

logger = logging.getLogger(__name__)


def submit_score(game: Game, now: datetime) -> None:
    """Enter a game on its boards if it is a ranked attempt that has ended.

    Raises `OutOfRangeError`, with nothing entered.
    """
    if not game.is_ranked or not game.is_over:
        return
    with transaction.atomic():
        # Always in one order, so that no two submissions wait for each other's locks.
        boards = [locked(key) for key in boards_of_game(game)]
        changed = [board for board in boards if _bring_up_to_date(board, game, now)]
        transaction.on_commit(lambda: publish(changed), robust=True)


def submit_missing(now: datetime) -> int:
    """Submit every finished ranked attempt that is on no board, and return how many there were."""
    missing = Game.objects.filter(daily__isnull=False, entries=None).exclude(status=Game.Status.PLAYING)
    games = list(missing.select_related("daily", "player").order_by("finished_at"))
    for game in games:
        _submit_or_report(game, now)
    return len(games)


def boards_of_game(game: Game) -> list[BoardKey]:
    """Return the boards of a ranked attempt; where it has been entered, it stays, whatever becomes of its player."""
    entry = game.entries.select_related("board").first()
    entrants = entry.board.key.entrants if entry else _entrants(game)
    return boards_of(game.daily.key, entrants) if game.daily else []


def _submit_or_report(game: Game, now: datetime) -> None:
    try:
        submit_score(game, now)
    except OutOfRangeError:
        logger.exception("game %s cannot be ranked", game.id)


def _entrants(game: Game) -> Entrants:
    if game.player.is_bot:
        return Entrants.BOTS
    return Entrants.ASSISTED if game.hints else Entrants.PEOPLE


def _bring_up_to_date(board: Board, game: Game, now: datetime) -> bool:
    if board.key.days_that_count:
        return sum_up(board, game.player, now)
    return _enter(board, game, now)


def _enter(board: Board, game: Game, now: datetime) -> bool:
    before = list(board.entries.filter(player=game.player, valid_to=None))
    if game.pk in {entry.game_id for entry in before}:
        return False
    decision = game.decisions.last()  # under the lock of the board, which a later decision has to wait for
    state = decision.state if decision else State.PROVISIONAL
    order = board.key.order
    key = order.pack({field: getattr(game, field) for field in order.fields})
    entry = Entry(
        board=board, player=game.player, game=game, key=key, state=state, entered_at_version=board.version + 1
    )
    return revise(board, before, [*map(successor_of, before), entry], now)
