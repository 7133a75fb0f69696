"""Read boards, their rows and the standings of players."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from typing import Any, NamedTuple

import msgspec
from django.core import signing
from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q, QuerySet

from games.calendar.models import DailyDeal
from games.deals.daily import DailyKey
from games.play.models import Game
from games.play.scores import Placement
from games.players.models import Player
from games.runtime.kept_queries import rows_of
from leaderboards.boards import ranking
from leaderboards.boards.catalog import FEWEST_MOVES, RUN_TABLES, BoardKey, Entrants, Period, boards_of, boards_of_runs
from leaderboards.boards.models import Board, Decision, Entry, Following
from leaderboards.boards.ranking import placements
from leaderboards.boards.ranking.view import POSITION, Place, Position, SortKey, View
from leaderboards.boards.refusals import BadCursor, NotOnBoard, UnknownBoard
from leaderboards.boards.scores import FIELDS, Score, score_of
from leaderboards.boards.submission import boards_of_games

MAIN_TABLE = Period.DAILY, FEWEST_MOVES
BOARD_FIELDS = ("id", "slug", "version")
PK = FIELDS.index("pk")


@cache
def _cursors() -> signing.Signer:
    return signing.Signer(salt="leaderboards.cursor")


class _Json:
    """Serialises cursors, which may name hundreds of players."""

    @staticmethod
    def dumps(values: Any) -> bytes:
        return msgspec.json.encode(values)

    @staticmethod
    def loads(text: bytes) -> Any:
        return msgspec.json.decode(text)


class Row(NamedTuple):
    """A score and its place."""

    place: Place
    score: Score


class Change(NamedTuple):
    """A score as it was from a version of the board on."""

    version: int
    changed_at: datetime
    listed: bool
    score: Score


@dataclass(frozen=True, slots=True)
class Table:
    """Consecutive rows of a view, and its total number of entries."""

    view: View
    count: int
    rows: list[Row]


class Standing(NamedTuple):
    """A player's row, and the percentage of entries that it equals or beats, itself included."""

    row: Row
    percentile: float


def find_board(slug: str, now: datetime) -> Board:
    """Return a board; it exists from the moment its first deal opens. Raises `UnknownBoard`."""
    try:
        key = BoardKey.parse(slug)
    except ValueError as error:
        raise UnknownBoard(f"there is no board {slug!r}") from error
    board = next((Board.from_db(DEFAULT_DB_ALIAS, BOARD_FIELDS, row) for row in rows_of(_named_board, slug)), None)
    days = (key.first, min(key.last, now.date()))
    if board is None and not DailyDeal.objects.filter(day__range=days, rules=key.rules, division=key.division).exists():
        raise UnknownBoard(f"there is no board {slug}, or its deal has not opened yet")
    return board or Board(slug=slug)


def boards_of_day(day: date, now: datetime) -> list[Board]:
    """Return the boards on which a day's deals and runs count; none before the day begins."""
    if day > now.date():
        return []
    dailies = DailyDeal.objects.filter(day=day)
    of_deals = (key for daily in dailies for entrants in Entrants for key in boards_of(daily.key, entrants))
    of_runs = (key for table in RUN_TABLES for entrants in Entrants for key in boards_of_runs(day, table, entrants))
    keys = {str(key): key for key in (*of_deals, *(of_runs if dailies else ()))}
    present = {board.slug: board for board in Board.objects.filter(slug__in=keys)}
    boards = [present.get(slug) or Board(slug=slug) for slug in keys]
    for board in boards:
        board.key = keys[board.slug]  # which need not be read from the name again
    return boards


def view_of(board: Board, as_of: datetime | None = None) -> View:
    """Return the view of a board now, or as it was at a time."""
    return View(board, board.version if as_of is None else board.version_at(as_of))


def narrowed(view: View, players: Iterable[int]) -> View:
    """Narrow a view to some players, by their keys; of one that is narrowed already, those in both stay."""
    chosen = tuple(players)
    among = chosen if view.among is None else tuple(sorted({*view.among} & {*chosen}))
    return replace(view, among=among)


def only_followed(view: View, reader: Player) -> View:
    """Narrow a view to the reader and the players whom the reader follows."""
    followed = Following.objects.filter(follower=reader).values_list("followed", flat=True)
    return narrowed(view, (reader.pk, *followed))


def only_models(view: View) -> View:
    """Narrow a view to the bots that a language model plays, as their owners say."""
    models = Player.objects.filter(is_bot=True).exclude(model="")
    return narrowed(view, models.values_list("pk", flat=True))


def top_of(view: View, limit: int) -> Table:
    """Return the first rows."""
    count, places = ranking.top(view, limit)
    return Table(view, count, _rows(view, places))


def page_after(view: View, count: int, last: Place, limit: int) -> Table:
    """Return the rows after a place, out of `count`."""
    return Table(view, count, _rows(view, ranking.after(view, last, limit)))


def cursor_after(view: View, count: int, last: Place) -> str:
    """Return the cursor of the rows after a place, out of `count`."""
    # Without the time, so that the same rows always have the same cursor.
    values = [view.board.slug, view.version, view.verified_only, view.among, count]
    return _cursors().sign_object([*values, last.place, last.rank, *last.sort_key, last.entry], _Json, compress=True)


def read_cursor(text: str, board: Board) -> tuple[View, int, Place]:
    """Return the contents of a cursor of this board. Raises `BadCursor`."""
    try:
        values: list[Any] = _cursors().unsign_object(text, _Json)
    except signing.BadSignature as error:
        raise BadCursor("this cursor was not made here") from error
    slug, version, verified_only, among, count, place, rank, key, entered, entry = values
    if slug != board.slug:
        raise BadCursor(f"this cursor is one of the board {slug}")
    view = View(board, version, verified_only, None if among is None else tuple(among))
    return view, count, Place(place, rank, SortKey(key, entered), entry)


def around_player(view: View, handle: str, limit: int) -> Table:
    """Return up to `limit` rows with the player's own in their middle. Raises `NotOnBoard`."""
    found = view.rows(_entries_of, [handle], fields=POSITION)
    if not found:
        raise _not_on(view.board, handle)
    count, places = ranking.around(view, _position(found[0]), limit)
    return Table(view, count, _rows(view, places))


def standing_of(view: View, handle: str) -> Standing:
    """Return the standing of a player. Raises `NotOnBoard`."""
    standings = standings_of(view, [handle])
    if not standings:
        raise _not_on(view.board, handle)
    return standings[0]


def standings_of(view: View, handles: Iterable[str]) -> list[Standing]:
    """Return the standings of those players who are on the board, the best first.

    For any number of players it takes one query for their entries, and one query or script for their places.
    """
    found, order = view.rows(_entries_of, list(handles), fields=FIELDS), view.board.key.order
    if not found:
        return []
    count, places = ranking.places_of(view, [_position(row) for row in found])
    rows = [Row(place, score_of(order, row)) for place, row in zip(places, found, strict=True)]
    return [Standing(row, round(100 * (count - row.place.rank + 1) / count, 2)) for row in rows]


def placements_of(game: Game) -> list[Placement]:
    """Return the current placements of a game, or of the sum that it counts in, on the boards that list it."""
    slugs = [slug for slug, _ in boards_of_games([game])[game.pk]]
    valid = Entry.objects.filter(board__slug__in=slugs, player=game.player_id, valid_to=None, listed=True)
    entries = valid.filter(Q(game=game) | Q(game=None)).select_related("board")
    return placements(list(entries))


def daily_placements(games: Collection[str]) -> dict[str, Placement]:
    """Return the placements of games by fewest moves on the tables of their days, with a query for each table."""
    entries = Entry.objects.filter(game__in=games, valid_to=None, listed=True).select_related("board")
    of_day = [entry for entry in entries if (entry.board.key.period, entry.board.key.table) == MAIN_TABLE]
    return {entry.game_id or "": place for entry, place in zip(of_day, placements(of_day), strict=True)}


def amendments_of(board: Board, now: datetime) -> list[Decision]:
    """Return the changes that two reviewers made to a day's board after it was final, newest first."""
    daily = DailyKey(board.key.first, board.key.rules, board.key.division)
    if board.key.period is not Period.DAILY or now < daily.final_at:
        return []
    made = Decision.objects.filter(at__gte=daily.final_at, confirmed_by__isnull=False, game__entries__board=board.pk)
    return list(made.distinct().order_by("-pk"))


def is_held(board: Board, player: Player) -> bool:
    """Return True if a score of a player waits on a board for a person to look at it."""
    return Entry.objects.filter(board=board.pk, player=player, valid_to=None, held=True).exists()


def history_of(board: Board, handle: str) -> list[Change]:
    """Return the history of a player's scores on a board, oldest first. Raises `NotOnBoard`."""
    entries = Entry.objects.filter(_named([handle]), board_id=board.pk).order_by("valid_from", "pk")
    changes = [
        Change(version, changed_at, listed, score_of(board.key.order, fields))
        for version, changed_at, listed, *fields in entries.values_list("valid_from", "changed_at", "listed", *FIELDS)
    ]
    if not changes:
        raise NotOnBoard(f"{handle!r} has never been on the board {board}")
    return changes


def _named_board(slug: str) -> QuerySet[Board, Any]:
    return Board.objects.filter(slug=slug).values_list(*BOARD_FIELDS)


def _entries_of(entries: QuerySet[Entry], handles: Sequence[str], fields: Sequence[str]) -> QuerySet[Entry, Any]:
    return entries.filter(_named(handles)).values_list(*fields)


def _entries_at(board: int, entries: Sequence[int]) -> QuerySet[Entry, Any]:
    return Entry.objects.filter(board=board, pk__in=entries).order_by().values_list(*FIELDS)


def _named(handles: Iterable[str]) -> Q:
    """Return the condition that finds entries by the handles of their players; a closed account is never found."""
    return Q(player__username__in=handles, player__is_active=True)


def _rows(view: View, places: list[Place]) -> list[Row]:
    found = rows_of(_entries_at, view.board.pk, [place.entry for place in places])
    order, entries = view.board.key.order, {row[PK]: row for row in found}
    return [Row(place, score_of(order, entries[place.entry])) for place in places]


def _position(row: Sequence[Any]) -> Position:
    key, entered, entry, *_ = row
    return Position(SortKey(key, entered), entry)


def _not_on(board: Board, handle: str) -> NotOnBoard:
    return NotOnBoard(f"{handle!r} is not on the board {board}")
