"""Enter streaks and storms of puzzles on their boards: each player has a row for the best run of a period.

Such a row has no game. It is entered once for a run, whatever the number of workers, and a ban takes it from its rank.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Q

from games.players.models import Player
from games.puzzles.models import PuzzleRun
from games.puzzles.runs import is_human, lock_waiting, mark_entered
from leaderboards.boards.catalog import RUN_TABLES, BoardKey, boards_of_runs, entrants_of
from leaderboards.boards.models import Entry, EntryState
from leaderboards.boards.publishing import publish
from leaderboards.boards.revision import Revision, successor_of

MOST_AT_ONCE = 200


def enter_runs(now: datetime) -> int:
    """Enter runs that have ended, and return how many were waiting."""
    with transaction.atomic():
        runs = lock_waiting(MOST_AT_ONCE)
        if runs:
            _enter(runs, now)
            mark_entered(runs)
    return len(runs)


def take_from_ranks(player: Player, now: datetime) -> None:
    """Take the runs of a banned player from their ranks."""
    _change(player, now, state=EntryState.DISQUALIFIED, listed=False)


def return_to_ranks(player: Player, now: datetime) -> None:
    """Give the runs of a player whose ban is lifted their ranks again; those that ended meanwhile are entered."""
    _change(player, now, state=EntryState.REINSTATED, listed=True)
    # All of them: only those that are better than what is on a board change it.
    PuzzleRun.objects.filter(player=player, ended_at__isnull=False).update(waits=True)


def _enter(runs: Sequence[PuzzleRun], now: datetime) -> None:
    # Players are always locked before boards: a ban that is under way has seen the rows, or comes first.
    pks = {run.player_id for run in runs}
    players = Player.objects.select_for_update(no_key=True).filter(pk__in=pks, banned_at=None, is_active=True)
    standing = {player.pk: player for player in players.order_by("pk")}
    fit = [
        (run, standing[run.player_id])
        for run in runs
        if run.player_id in standing and run.solved and (standing[run.player_id].is_bot or is_human(run))
    ]
    if not fit:
        return
    boards = {run.pk: _boards_of(run, player) for run, player in fit}
    revision = Revision((str(key) for keys in boards.values() for key in keys), now)
    revision.load(set(standing), unlisted=False)
    for run, _ in fit:
        for key in boards[run.pk]:
            _enter_on(revision, key, run)
    publish(revision.write())


def _boards_of(run: PuzzleRun, player: Player) -> list[BoardKey]:
    assert run.ended_at is not None  # noqa: S101  only runs that have ended wait
    return boards_of_runs(run.ended_at.astimezone(UTC).date(), run.kind, entrants_of(is_bot=player.is_bot))


def _enter_on(revision: Revision, key: BoardKey, run: PuzzleRun) -> None:
    """Replace the row of a player on a board if a run is better."""
    board = revision.boards[str(key)]
    value = key.order.pack({"solved": run.solved, "mistakes": run.mistakes})
    listed = revision.listed(board, run.player_id)
    if listed is None or value < listed.key:
        row = Entry(
            board=board,
            player_id=run.player_id,
            key=value,
            entered_at_version=board.version + 1,
            state=EntryState.VERIFIED,  # the server has judged each of its removals
        )
        revision.put(board, run.player_id, [row])


def _change(player: Player, now: datetime, **changes: object) -> None:
    ending = Q()
    for table in RUN_TABLES:
        ending |= Q(board__slug__endswith=f".{table}")
    with transaction.atomic():
        rows = Entry.objects.filter(ending, player=player, valid_to=None)
        slugs = sorted(set(rows.values_list("board__slug", flat=True)))
        if not slugs:
            return
        revision = Revision(slugs, now)
        revision.load([player.pk], unlisted=True)
        for board in revision.boards.values():
            changed = [successor_of(row, **changes) for row in revision.rows(board, player.pk)]
            revision.put(board, player.pk, changed)
        publish(revision.write())
