"""Notify players of decisions about their scores, and of ranks that moved because of one; other cases follow these."""

from collections import defaultdict
from collections.abc import Set
from datetime import datetime

from django.db import transaction

from games.notifications.notifications import Facts, notify
from leaderboards.boards.catalog import Period
from leaderboards.boards.models import Board
from leaderboards.boards.ranking.view import View
from leaderboards.moderation.cases import update_rank
from leaderboards.moderation.models import UNDECIDED, Case, LogLine, MovedRanks
from leaderboards.moderation.notifications import ANSWERED, DECIDED, MOVED
from leaderboards.moderation.preview import moved_between, rank_changes

Moves = dict[str, tuple[int, int]]
"""Rank before and after by the name of the board."""


def tell_decided(line: LogLine) -> None:
    """Notify the player whom a decision is about, of the decision or of the answer to the appeal."""
    kind = ANSWERED if line.facts["appeal"] else DECIDED
    facts = {"decision": line.number, "reason": line.reason, "outcome": str(line.outcome)}
    notify(kind, {line.case.player_id: facts}, str(line.pk), line.at)


def tell_moved(now: datetime) -> int:
    """Notify everyone whose rank moved because of a decision, have cases follow, and return the number of decisions."""
    waiting = list(MovedRanks.objects.select_related("line__case").order_by("pk"))
    for moved in waiting:
        decided = moved.line.case.player_id
        with transaction.atomic():
            facts = {player: _facts(moves) for player, moves in _moves(moved.line).items()}
            notify(MOVED, facts, str(moved.line_id), now)
            moved.delete()
        _update_cases({*facts, decided})
    return len(waiting)


def _update_cases(players: Set[int]) -> None:
    """Update the ranks of the cases that wait, of players whose ranks a decision moved; each in a transaction of its
    own, because who decides locks a case before the log."""
    for case in Case.objects.filter(state__in=UNDECIDED).select_related("player"):
        if case.player_id in players:
            update_rank(case)


def _facts(moves: Moves) -> Facts:
    """Return the facts about one board on which a player moved, of a day if any, and the number of others."""
    board = min(moves, key=lambda slug: (not slug.startswith(f"{Period.DAILY}."), slug))
    before, after = moves[board]
    return {"board": board, "before": before, "after": after, "others": len(moves) - 1}


def _moves(line: LogLine) -> dict[int, Moves]:
    """Return the ranks that a decision moved, by player."""
    boards = Board.objects.in_bulk(list(line.facts["boards"]), field_name="slug")
    moves: dict[int, Moves] = defaultdict(dict)
    for slug, (before, after) in line.facts["boards"].items():
        for player, ranks in _moves_on(boards[slug], before, after, line.case.player_id).items():
            moves[player][slug] = ranks
    return moves


def _moves_on(board: Board, before: int, after: int, decided: int) -> dict[int, tuple[int, int]]:
    """Return the ranks before and after of the players who moved, which are those between two keys."""
    views = View(board, before), View(board, after)
    keys = [view.entries().filter(player=decided).values_list("key", flat=True).first() for view in views]
    others = views[1].entries().exclude(player=decided)
    moved = moved_between(others, *keys).values_list("player", "key")
    return {player: ranks for (player, _), ranks in rank_changes(others, keys, moved)}
