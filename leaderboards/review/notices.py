"""Notify players of decisions about their scores, and of ranks that moved because of one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from games.kit.pubsub import pubsub
from games.models import Player
from games.services.notifications import notify
from leaderboards.models import Board, LogLine, MovedRanks, Notice
from leaderboards.ranking.view import View
from leaderboards.review.preview import moved_between
from leaderboards.services.kinds import MOVED

TOPIC = "notices"
BATCH = 1000

Moves = dict[str, list[int]]
"""Rank before and after by the name of the board."""


def tell(kind: Notice.Kind, notices: Sequence[Notice]) -> None:
    """Store notices of a kind, once each, and announce them on their players' sockets after the commit.

    A socket that misses the announcement finds the notice over REST.
    """
    Notice.objects.bulk_create(notices, batch_size=BATCH, ignore_conflicts=True)
    players = [notice.player_id for notice in notices]
    transaction.on_commit(lambda: _publish(kind, players), robust=True)


def _publish(kind: str, players: Sequence[int]) -> None:
    for first in range(0, len(players), BATCH):
        pubsub().publish(TOPIC, {"kind": kind, "players": players[first : first + BATCH]})


def notices_of(player: Player) -> QuerySet[Notice]:
    """Return a player's notices, newest first."""
    return Notice.objects.filter(player=player).select_related("line__case__daily").order_by("-pk")


def tell_moved(now: datetime) -> int:
    """Notify everyone whose rank moved because of a decision, and return the number of decisions."""
    waiting = list(MovedRanks.objects.select_related("line__case").order_by("pk"))
    for moved in waiting:
        with transaction.atomic():
            line = moved.line
            kind = Notice.Kind.MOVED
            moves = _moves(line).items()
            tell(kind, [Notice(player_id=own, line=line, at=now, kind=kind, facts={"boards": m}) for own, m in moves])
            notify(MOVED, {own: _one_of(boards) for own, boards in moves}, str(line.pk), now)
            moved.delete()
    return len(waiting)


def _one_of(boards: Moves) -> dict[str, str | int]:
    """Return the facts about the first of the boards on which a player moved."""
    board, (before, after) = min(boards.items())
    return {"board": board, "before": before, "after": after}


def _moves(line: LogLine) -> dict[int, Moves]:
    """Return the ranks that a decision moved, by player."""
    boards = Board.objects.in_bulk(list(line.facts["boards"]), field_name="slug")
    moves: dict[int, Moves] = defaultdict(dict)
    for slug, (before, after) in line.facts["boards"].items():
        for player, ranks in _moves_on(boards[slug], before, after, line.case.player_id).items():
            moves[player][slug] = list(ranks)
    return moves


def _moves_on(board: Board, before: int, after: int, decided: int) -> dict[int, tuple[int, int]]:
    """Return the ranks before and after of the players who moved, which are those between two keys."""
    views = View(board, before), View(board, after)
    keys = [view.entries().filter(player=decided).values_list("key", flat=True).first() for view in views]
    others = views[1].entries().exclude(player=decided)
    low = min((key for key in keys if key is not None), default=None)
    if low is None:
        return {}
    ahead = others.filter(key__lte=low).count()
    was_ahead, is_ahead = (key == low for key in keys)
    found: dict[int, tuple[int, int]] = {}
    rank, last = 0, None
    for number, (player, key) in enumerate(moved_between(others, *keys).values_list("player", "key"), ahead + 1):
        rank, last = (rank, last) if key == last else (number, key)
        found[player] = rank + was_ahead, rank + is_ahead
    return found
