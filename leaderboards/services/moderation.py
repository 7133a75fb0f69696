"""What is decided about scores. Nothing is ever deleted: every decision is kept and can be followed by another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from django.db import transaction

from games.models import Game, Player
from leaderboards.models import Board, Decision, Entry, State
from leaderboards.services.notifications import publish
from leaderboards.services.revision import Revision, successor_of
from leaderboards.services.submission import NamedBoards, boards_of_games
from leaderboards.services.sums import Sums

Change = Callable[[Board, Entry], None]


def decide(*decisions: Decision) -> None:
    """Put games' entries into a state. A disqualified game gives way to the player's next best one."""
    states = {decision.game_id: decision.state for decision in decisions}

    def set_state(board: Board, entry: Entry) -> None:
        entry.state = states[entry.game_id or ""]

    _change(decisions, set_state)


def amend(decision: Decision, score: Mapping[str, int]) -> None:
    """Correct what a game's entries say, for example when the server's clock was wrong. The game stays as it is.

    `score` has `cards_left`, `moves` and `elapsed_ms`. Raises `OutOfRangeError`.
    """

    def set_score(board: Board, entry: Entry) -> None:
        entry.key, entry.state = board.key.order.pack(score), decision.state

    _change([decision], set_score)


def ban(player: Player, reason: str, by: Player | None, now: datetime) -> int:
    """Disqualify every ranked game of a player that has ended, entered or not, and return how many there were."""
    games = Game.objects.filter(player=player, daily__isnull=False).exclude(status=Game.Status.PLAYING)
    decisions = [
        Decision(game=game, state=State.DISQUALIFIED, reason=reason, by=by, at=now)
        for game in games.select_related("player", "daily")
    ]
    decide(*decisions)
    return len(decisions)


def _change(decisions: Sequence[Decision], change: Change) -> None:
    if not decisions:
        return
    with transaction.atomic():
        Decision.objects.bulk_create(decisions)
        boards = boards_of_games([decision.game for decision in decisions])
        revision = Revision((slug for own in boards.values() for slug, _ in own), decisions[0].at)
        players = {decision.game.player_id for decision in decisions}
        revision.load(players, unlisted=True)
        sums = Sums(revision, players)
        for decision in decisions:
            if own := boards[decision.game_id]:
                _change_game(revision, sums, decision.game, own, change)
        publish(revision.write())


def _change_game(revision: Revision, sums: Sums, game: Game, boards: NamedBoards, change: Change) -> None:
    day = revision.boards[boards[0][0]]
    before = revision.listed(day, game.player_id)
    for slug, key in boards:
        if not key.days_that_count:
            _change_entry(revision, revision.boards[slug], game, change)
    after = revision.listed(day, game.player_id)
    for slug, key in boards:
        if key.days_that_count:
            sums.update(revision.boards[slug], game.player_id, before, after)


def _change_entry(revision: Revision, board: Board, game: Game, change: Change) -> None:
    rows = [successor_of(row) for row in revision.rows(board, game.player_id)]
    for row in rows:
        if row.game_id == game.pk:
            change(board, row)
    revision.replace(board, game.player_id, rows)
