"""Read boards, their rows and the standings of players."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import NamedTuple

from django.db.models import Q

from games.deals.daily import DailyKey
from games.events import Placement
from games.models import DailyDeal, Game, Player
from leaderboards import ranking
from leaderboards.boards import BoardKey, Entrants, Period, boards_of
from leaderboards.errors import NotOnBoard, UnknownBoard
from leaderboards.models import Board, Decision, Entry, Following
from leaderboards.ranking.view import Place, View, position_of
from leaderboards.services.placements import Listing, placements
from leaderboards.services.submission import boards_of_games


class Row(NamedTuple):
    """An entry with its place and rank."""

    place: Place
    entry: Entry


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
    days = (key.first, min(key.last, now.date()))
    if not DailyDeal.objects.filter(day__range=days, rules=key.rules, division=key.division).exists():
        raise UnknownBoard(f"there is no board {slug}, or its deal has not opened yet")
    return Board.objects.filter(slug=slug).first() or Board(slug=slug)


def boards_of_day(day: date, now: datetime) -> list[Board]:
    """Return the boards on which a day's deals count; none before the day begins."""
    if day > now.date():
        return []
    dailies = DailyDeal.objects.filter(day=day)
    keys = [key for daily in dailies for entrants in Entrants for key in boards_of(daily.key, entrants)]
    slugs = [str(key) for key in keys]
    present = {board.slug: board for board in Board.objects.filter(slug__in=slugs)}
    return [present.get(slug) or Board(slug=slug) for slug in slugs]


def view_of(board: Board, as_of: datetime | None = None) -> View:
    """Return the view of a board now, or as it was at a time."""
    return View(board, board.version if as_of is None else board.version_at(as_of))


def only_followed(view: View, reader: Player) -> View:
    """Narrow a view to the reader and the players whom the reader follows."""
    followed = Following.objects.filter(follower=reader).values_list("followed", flat=True)
    return replace(view, among=(reader.pk, *followed))


def top_of(view: View, limit: int) -> Table:
    """Return the first rows."""
    return Table(view, ranking.count(view), _rows(view, ranking.top(view, limit)))


def page_after(view: View, count: int, last: Place, limit: int) -> Table:
    """Return the rows after a place, out of `count`."""
    return Table(view, count, _rows(view, ranking.after(view, last, limit)))


def around_player(view: View, handle: str, limit: int) -> Table:
    """Return up to `limit` rows with the player's own in their middle. Raises `NotOnBoard`."""
    entry = _entry_of(view, handle)
    return Table(view, ranking.count(view), _rows(view, ranking.around(view, position_of(entry), limit)))


def standing_of(view: View, handle: str) -> Standing:
    """Return the standing of a player. Raises `NotOnBoard`."""
    return _standings(view, [_entry_of(view, handle)])[0]


def standings_of(view: View, handles: Iterable[str]) -> list[Standing]:
    """Return the standings of those players who are on the board, the best first.

    For any number of players it takes one query for their entries, and one query or script for their places.
    """
    entries = list(view.entries().filter(player__username__in=handles).select_related("player", "game"))
    for entry in entries:
        entry.board = view.board
    return _standings(view, entries)


def placements_of(game: Game) -> list[Placement]:
    """Return the current placements of a game, or of the sum that it counts in, on the boards that list it."""
    slugs = [slug for slug, _ in boards_of_games([game])[game.pk]]
    valid = Entry.objects.filter(board__slug__in=slugs, player=game.player_id, valid_to=None, listed=True)
    entries = valid.filter(Q(game=game) | Q(game=None)).select_related("board")
    return placements(Listing(game.pk, entry.board, entry) for entry in entries).get(game.pk, [])


def amendments_of(board: Board) -> list[Decision]:
    """Return the changes that two reviewers made to a day's board after it was final, the newest first."""
    if board.key.period is not Period.DAILY:
        return []
    daily = DailyKey(board.key.first, board.key.rules, board.key.division)
    made = Decision.objects.filter(at__gte=daily.final_at, confirmed_by__isnull=False, game__entries__board=board.pk)
    return list(made.distinct().order_by("-pk"))


def history_of(board: Board, handle: str) -> list[Entry]:
    """Return the history of a player's scores on a board, the oldest first. Raises `NotOnBoard`."""
    entries = Entry.objects.filter(board_id=board.pk, player__username=handle)
    found = list(entries.select_related("player", "game", "board").order_by("valid_from", "pk"))
    if not found:
        raise NotOnBoard(f"{handle!r} has never been on the board {board}")
    return found


def _standings(view: View, entries: list[Entry]) -> list[Standing]:
    if not entries:
        return []
    count, places = ranking.places_of(view, [position_of(entry) for entry in entries])
    rows = map(Row, places, entries)
    return [Standing(row, round(100 * (count - row.place.rank + 1) / count, 2)) for row in rows]


def _entry_of(view: View, handle: str) -> Entry:
    entry = view.entries().filter(player__username=handle).select_related("player", "game").first()
    if entry is None:
        raise NotOnBoard(f"{handle!r} is not on the board {view.board}")
    entry.board = view.board
    return entry


def _rows(view: View, places: list[Place]) -> list[Row]:
    pks = [place.entry for place in places]
    entries = Entry.objects.select_related("player", "game").in_bulk(pks)
    for entry in entries.values():
        entry.board = view.board  # one shared object, which parses its name only once
    return [Row(place, entries[place.entry]) for place in places]
