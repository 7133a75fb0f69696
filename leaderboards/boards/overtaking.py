"""Notify players whose place on a day's board somebody else has taken.

Each end of a game moves everyone below it. Only two groups learn of it, each player once for a board: those among the
first ten, because these few are looked at, and those whom a player passes that they follow, because they asked for it.
Both are found from the entries that are new, some seconds of them at a time, and never from the whole board.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, QuerySet

from games.deals.daily import first_day_not_public
from games.notifications.notifications import Facts, notify
from games.players.models import Player
from leaderboards.boards.catalog import FEWEST_MOVES, Entrants, Period
from leaderboards.boards.models import Board, Entry, LookedAt
from leaderboards.boards.notifications import OVERTAKEN
from leaderboards.boards.ranking.view import View

TOP = 10
BOTS = f"{Entrants.BOTS}.{FEWEST_MOVES}"


class Overtaken(NamedTuple):
    """A player, by primary key, who was passed by another; the ranks are known only near the top."""

    player: int
    by: int
    before: int | None = None
    after: int | None = None


def tell_overtaken(now: datetime) -> None:
    """Notify the players who were passed on the boards of today since the last time."""
    for day in {first_day_not_public(now), now.date()}:
        boards = Board.objects.filter(slug__startswith=f"{Period.DAILY}.{day}.", slug__endswith=f".{FEWEST_MOVES}")
        for board in boards.exclude(slug__endswith=BOTS).exclude(looked_at__version=F("version")):
            with transaction.atomic():
                _tell_on(board, now)


def _tell_on(board: Board, now: datetime) -> None:
    LookedAt.objects.get_or_create(board=board)
    looked_at = LookedAt.objects.select_for_update().get(board=board)
    if looked_at.version < board.version:  # no other worker was first
        views = View(board, looked_at.version), View(board, board.version)
        since = looked_at.version
        # Most have been verified meanwhile, and have another row since; rows are found by where they begin.
        new = views[1].entries().filter(valid_from__gt=since, entered_at_version__gt=since)
        rows = list(new.order_by("entered_at_version"))
        _notify(board, [*_from_the_top(*views, rows), *_by_followed(views[1], looked_at.version, rows)], now)
        looked_at.version = board.version
        looked_at.save()


def _from_the_top(before: View, after: View, new: Sequence[Entry]) -> Iterator[Overtaken]:
    """Yield those of the first players who have been passed by a new entry."""
    top = list(before.entries()[:TOP])
    still = after.entries().filter(player__in=[entry.player_id for entry in top])
    keys = dict(still.values_list("player_id", "key"))
    for entry in top:
        by = next((passing.player_id for passing in new if passing.key < entry.key), None)
        if by is not None and keys.get(entry.player_id) == entry.key:
            yield Overtaken(entry.player_id, by, _rank(before, entry.key), _rank(after, entry.key))


def _by_followed(view: View, version: int, new: Sequence[Entry]) -> Iterator[Overtaken]:
    """Yield those who were there before and have been passed by a new entry of a player whom they follow."""
    passing = {entry.player_id: entry.key for entry in new}
    passed: QuerySet[Entry] = view.entries().filter(
        entered_at_version__lte=version, player__followed__followed__in=passing
    )
    for player, key, by in passed.values_list("player_id", "key", "player__followed__followed"):
        if passing[by] < key:
            yield Overtaken(player, by)


def _rank(view: View, key: int) -> int:
    return view.entries().filter(key__lt=key).count() + 1


def _notify(board: Board, overtaken: Sequence[Overtaken], now: datetime) -> None:
    """Notify each player once, those from the top first, and name who passed them."""
    told: dict[int, Overtaken] = {}
    for one in overtaken:
        told.setdefault(one.player, one)
    facts: defaultdict[int, dict[int, Facts]] = defaultdict(dict)
    names = Player.objects.in_bulk({one.by for one in told.values()})
    for player, one in told.items():
        by = names[one.by].listed_name
        facts[one.by][player] = {"board": board.slug, "by": by, "before": one.before, "after": one.after}
    for sender, of_sender in facts.items():
        notify(OVERTAKEN, of_sender, board.slug, now, names[sender])
