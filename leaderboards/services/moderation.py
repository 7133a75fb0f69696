"""What is decided about scores. Nothing is ever deleted: every decision is kept and can be followed by another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db import transaction

from games.models import Game, Player
from leaderboards.models import Board, Decision, Entry, State
from leaderboards.services.notifications import publish
from leaderboards.services.revision import locked, revise, successor_of, sum_up
from leaderboards.services.submission import boards_of_game

Change = Callable[[Board, Entry], None]


def decide(decision: Decision) -> None:
    """Put a game's entries into a state. A disqualified game gives way to the player's next best one."""

    def set_state(board: Board, entry: Entry) -> None:
        entry.state = decision.state

    _change(decision, set_state)


def amend(decision: Decision, score: Mapping[str, int]) -> None:
    """Correct what a game's entries say, for example when the server's clock was wrong. The game stays as it is.

    `score` has `cards_left`, `moves` and `elapsed_ms`. Raises `OutOfRangeError`.
    """

    def set_score(board: Board, entry: Entry) -> None:
        entry.key, entry.state = board.key.order.pack(score), decision.state

    _change(decision, set_score)


def ban(player: Player, reason: str, by: Player | None, now: datetime) -> int:
    """Disqualify every game of a player, and return how many there were."""
    games = list(Game.objects.filter(player=player, entries__valid_to=None, entries__isnull=False).distinct())
    with transaction.atomic():
        for game in games:
            decide(Decision(game=game, state=State.DISQUALIFIED, reason=reason, by=by, at=now))
    return len(games)


def _change(decision: Decision, change: Change) -> None:
    game = decision.game
    with transaction.atomic():
        decision.save(force_insert=True)
        boards = [locked(key) for key in boards_of_game(game)]
        changed = [board for board in boards if _bring_up_to_date(board, decision, change)]
        transaction.on_commit(lambda: publish(changed), robust=True)


def _bring_up_to_date(board: Board, decision: Decision, change: Change) -> bool:
    if board.key.days_that_count:
        return sum_up(board, decision.game.player, decision.at)
    before = list(board.entries.filter(player=decision.game.player, valid_to=None))
    after = [successor_of(entry) for entry in before]
    for entry in after:
        if entry.game_id == decision.game_id:
            change(board, entry)
    return revise(board, before, after, decision.at)
