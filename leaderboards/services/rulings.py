"""What is decided about scores. Nothing is ever deleted: every decision is kept and can be followed by another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import transaction

from games.models import Game, Player
from leaderboards.models import Board, Entry, Ruling, State
from leaderboards.services.news import announce
from leaderboards.services.revision import copy_of, locked, revise, sum_up
from leaderboards.services.submission import boards_of_game

Change = Callable[[Board, Entry], None]


def rule(ruling: Ruling) -> None:
    """Put a game's entries into a state. A disqualified game gives way to the player's next best one."""

    def set_state(board: Board, entry: Entry) -> None:
        entry.state = ruling.state

    _change(ruling, set_state)


def amend(ruling: Ruling, score: Mapping[str, int]) -> None:
    """Correct what a game's entries say, for example when the server's clock was wrong. The game stays as it is.

    `score` has `cards_left`, `moves` and `elapsed_ms`. Raises `OutOfRangeError`.
    """

    def set_score(board: Board, entry: Entry) -> None:
        entry.key, entry.state = board.key.order.pack(score), ruling.state

    _change(ruling, set_score)


def ban(player: Player, reason: str, by: Player | None, now: datetime) -> int:
    """Disqualify every game of a player, and return how many there were."""
    games = list(Game.objects.filter(player=player, entries__until=None, entries__isnull=False).distinct())
    with transaction.atomic():
        for game in games:
            rule(Ruling(game=game, state=State.DISQUALIFIED, reason=reason, by=by, at=now))
    return len(games)


def _change(ruling: Ruling, change: Change) -> None:
    game = ruling.game
    with transaction.atomic():
        ruling.save(force_insert=True)
        boards = [locked(key) for key in boards_of_game(game)]
        changed = [board for board in boards if _bring_up_to_date(board, ruling, change)]
        transaction.on_commit(lambda: announce(changed), robust=True)


def _bring_up_to_date(board: Board, ruling: Ruling, change: Change) -> bool:
    if board.key.days_that_count:
        return sum_up(board, ruling.game.player, ruling.at)
    before = list(board.entries.filter(player=ruling.game.player, until=None))
    after = [copy_of(entry) for entry in before]
    for entry in after:
        if entry.game_id == ruling.game_id:
            change(board, entry)
    return revise(board, before, after, ruling.at)
