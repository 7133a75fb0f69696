"""Close seasons: once the last day of a month is sealed, its table is final and its honours are stored."""

from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from games.notifications.notifications import notify
from games.players.models import Player
from leaderboards.audit.sealing import is_sealed
from leaderboards.boards import reading
from leaderboards.boards.catalog import POINTS_TABLE, BoardKey, Period
from leaderboards.boards.decisions import MOVES_RANKS
from leaderboards.boards.models import Board, Decision, Entry
from leaderboards.boards.ranking.view import View
from leaderboards.boards.reading import read_cursor
from leaderboards.boards.refusals import BadCursor
from leaderboards.boards.sort_keys import ranks
from leaderboards.seasons.models import Honour, Season
from leaderboards.seasons.notifications import HONOUR
from leaderboards.seasons.refusals import UnknownSeason

FIRST_PLACES = 3
TOPS = (1, 5, 10)  # percent
BATCH = 1000


# What other subjects do with the players who were honoured, in the transaction that closes the season.
awarders: list[Callable[[Collection[int], datetime], None]] = []


class Place(NamedTuple):
    """A place that deserves an honour: its rank, and its top percentage if any."""

    rank: int
    top: int | None


def honoured(keys: Iterable[int], count: int) -> Iterator[Place]:
    """Yield the first places of a table of `count` entries, given their keys in order, as long as they are honoured.

    Equal keys share a rank. A place is in the top p % if its rank is at most p % of the number of entries.
    """
    for rank in ranks(keys):
        top = next((percent for percent in TOPS if 100 * rank <= percent * count), None)
        if rank > FIRST_PLACES and top is None:
            return
        yield Place(rank, top)


def close_seasons(now: datetime) -> int:
    """Close the seasons whose last day is sealed, oldest first, and return how many this call closed."""
    of_points = Board.objects.filter(slug__startswith=f"{Period.MONTHLY}.", slug__endswith=f".{POINTS_TABLE}")
    open_boards = of_points.filter(season=None)
    over = [
        board for board in open_boards if board.key.last < now.date() and is_sealed(board.key.first, board.key.last)
    ]
    return sum(_close(board, now) for board in sorted(over, key=lambda board: (board.key.first, board.slug)))


def slug_of(key: BoardKey) -> str:
    """Return the name of the season of a monthly board: `2026-11.standard.main`."""
    return ".".join([key.period.date_text(key.first), key.rules, key.division_name])


def find_season(slug: str) -> Season:
    """Return a closed season. Raises `UnknownSeason`."""
    season = Season.objects.select_related("board").filter(slug=slug).first()
    if season is None:
        raise UnknownSeason(f"there is no closed season {slug!r}")
    return season


def newest_season(key: BoardKey) -> Season | None:
    """Return the last closed season of the rule set and division of a board."""
    return Season.objects.select_related("board").filter(slug__endswith=f".{key.rules}.{key.division_name}").first()


def years() -> list[int]:
    """Return the years that have closed seasons, newest first."""
    return [month.year for month in Season.objects.order_by().dates("month", "year", order="DESC")]


def seasons_of(year: int) -> QuerySet[Season]:
    """Return the closed seasons of a year, newest first."""
    return Season.objects.select_related("board").filter(month__year=year)


def view_of(season: Season) -> View:
    """Return the view of a season's table."""
    return View(season.board, season.version)


def table_of(view: View, limit: int, cursor: str | None = None) -> reading.Table:
    """Return rows of a season's table: the first, or those after a cursor. Raises `BadCursor`."""
    if cursor is None:
        return reading.top_of(view, limit)
    seen, count, last = read_cursor(cursor, view.board)
    if seen != view:
        raise BadCursor(f"this cursor does not belong to the season of {view.board}")
    return reading.page_after(view, count, last, limit)


def amendments_of(season: Season) -> list[Decision]:
    """Return the decisions about games of a season that were made after it was closed, newest first."""
    days = [str(daily) for daily in season.board.key.dailies()]
    made = Decision.objects.filter(game__entries__board__slug__in=days, at__gt=season.closed_at, state__in=MOVES_RANKS)
    return list(made.distinct().order_by("-pk"))


def standing_honours() -> QuerySet[Honour]:
    """Return the honours whose players are still at least as good on the board; only two reviewers can change that."""
    as_good = Entry.objects.filter(
        board=OuterRef("entry__board"), player=OuterRef("player"), valid_to=None, listed=True, key__lte=OuterRef("key")
    )
    return Honour.objects.select_related("season__board").annotate(key=F("entry__key")).filter(Exists(as_good))


def honours_of(player: Player) -> QuerySet[Honour]:
    """Return a player's honours that still hold, newest first."""
    return standing_honours().filter(player=player).order_by("-season__month", "rank", "pk")


def honours_in(season: Season) -> QuerySet[Honour]:
    """Return the honours of a season that still hold, the best first."""
    return standing_honours().filter(season=season).select_related("player").order_by("rank", "pk")


def _close(board: Board, now: datetime) -> bool:
    """Close the season of a board with its honours, or return False if another process was first."""
    try:
        with transaction.atomic():
            locked = Board.objects.select_for_update(no_key=True).get(pk=board.pk)
            entries = View(locked, locked.version).entries()
            season = Season.objects.create(
                slug=slug_of(board.key),
                board=locked,
                version=locked.version,
                count=entries.count(),
                month=board.key.first,
                closed_at=now,
            )
            _honour(season, entries, now)
    except IntegrityError:
        return False
    return True


def _honour(season: Season, entries: QuerySet[Entry], now: datetime) -> None:
    """Store the honours of a season, and notify their players."""
    most = max(FIRST_PLACES, season.count * TOPS[-1] // 100)
    last = entries.values_list("key", flat=True)[most - 1 : most].first()
    first = entries if last is None else entries.filter(key__lte=last)
    rows = list(first.values_list("key", "pk", "player"))
    honours = [
        Honour(season=season, player_id=player, entry_id=entry, rank=rank, top=top)
        for (_, entry, player), (rank, top) in zip(rows, honoured((row[0] for row in rows), season.count), strict=False)
    ]
    Honour.objects.bulk_create(honours, batch_size=BATCH)
    key = season.board.key
    about = {
        "season": season.slug,
        "month": season.month.isoformat(),
        "rules": key.rules,
        "division": key.division_name,
        "count": season.count,
    }
    facts = {honour.player_id: {**about, "rank": honour.rank, "top": honour.top} for honour in honours}
    notify(HONOUR, facts, season.slug, now)
    for award in awarders:
        award(list(facts), now)
