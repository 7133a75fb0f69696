"""Score tables as pages: complete without scripts, and live with them."""

from datetime import date, datetime
from itertools import pairwise
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import ensure_csrf_cookie

from games.calendar.dailies import dailies_of
from games.days.disclosure import disclose
from games.deals.daily import next_turn
from games.doors.kept_pages import forget_on, keep_for_visitors
from games.doors.pages import clock_text, reading_page
from games.players.models import Player
from games.players.readers import page, reader_of
from games.rules import RULE_SETS
from games.runtime.clock import clock
from leaderboards.boards.catalog import BoardKey, Entrants, Period, boards_of
from leaderboards.boards.histogram import Histogram, histogram
from leaderboards.boards.models import Board, EntryState
from leaderboards.boards.navigation import HEADINGS, ways_from
from leaderboards.boards.publishing import TOPIC
from leaderboards.boards.ranking.view import View
from leaderboards.boards.reading import (
    Change,
    Row,
    Standing,
    Table,
    around_player,
    find_board,
    history_of,
    is_held,
    only_followed,
    only_models,
    standing_of,
    top_of,
    view_of,
)
from leaderboards.boards.refusals import NotOnBoard, UnknownBoard
from leaderboards.boards.titles import table_title

ROWS, BINS = 50, 10
MEDALS = {1: "gold", 2: "silver", 3: "bronze"}
FIELDS = {
    "cards_left": gettext_lazy("Left"),
    "moves": gettext_lazy("Moves"),
    "elapsed_ms": gettext_lazy("Time"),
    "points": gettext_lazy("Points"),
    "wins": gettext_lazy("Wins"),
    "solved": gettext_lazy("Solved"),
    "mistakes": gettext_lazy("Mistakes"),
}
SPREADS = {
    "cards_left": gettext_lazy("How many cards were left"),
    "moves": gettext_lazy("How many moves it took"),
    "elapsed_ms": gettext_lazy("How long it took"),
    "points": gettext_lazy("How many points"),
    "wins": gettext_lazy("How many wins"),
    "solved": gettext_lazy("How many puzzles"),
    "mistakes": gettext_lazy("How many mistakes"),
}
NEIGHBOURS = 5

forget_on(TOPIC, lambda notice: notice["board"])


@reading_page
@ensure_csrf_cookie
def boards(request: HttpRequest) -> HttpResponse:
    """Show today's board by fewest moves in the reader's own division; `?day=` leads to the board of another day."""
    now = clock.now()
    day = _day_of(request, now)
    if day is None:
        return redirect("boards:boards")
    found = main_board(day, reader_of(request), now)
    if found is None:
        return page(request, "leaderboards/boards.html", {"day": day}, section="boards")
    return redirect("boards:board", found.slug) if "day" in request.GET else _shown(request, found, now)


def main_board(day: date, reader: Player | None, now: datetime) -> Board | None:
    """Return a day's board by fewest moves in the reader's own division, of the first of its rule sets."""
    dailies = dailies_of(day) if day <= now.date() else []
    own = [daily.key for daily in disclose(dailies, reader, now) if daily.is_yours]
    if not own:
        return None
    first = min(own, key=lambda key: list(RULE_SETS).index(key.rules))
    return find_board(str(boards_of(first, Entrants.PEOPLE)[0]), now)


@reading_page
@ensure_csrf_cookie
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a board: its first rows and those around the reader, or around a player, and how the scores spread."""
    now = clock.now()
    try:
        return _shown(request, find_board(slug, now), now)
    except UnknownBoard as error:
        raise Http404(str(error)) from error


def _shown(request: HttpRequest, found: Board, now: datetime) -> HttpResponse:
    reader, key = reader_of(request), found.key
    view = view_of(found)
    if reader is not None and "following" in request.GET:
        view = only_followed(view, reader)
    models = key.entrants is Entrants.BOTS and "models" in request.GET
    if models:
        view = only_models(view)
    own = _standing(view, reader)
    around = request.GET.get("around", "")
    table = _around(view, around, ROWS) if around else top_of(view, ROWS)
    rows = [row_of(row, reader, key) for row in table.rows]
    is_beyond = own is not None and reader is not None and not any(row["is_you"] for row in rows)
    spread_of = "moves" if own and key.order.fields[0] == "cards_left" and own.row.score.result == "won" else None
    context = {
        "board": found,
        "key": key,
        "is_today": key.period is Period.DAILY and key.first == now.date(),
        "title": table_title(key),
        "rules": RULE_SETS[key.rules],
        "heading": HEADINGS[key.period],
        "fields": [FIELDS[field] for field in key.order.fields],
        "rows": rows,
        "neighbours": neighbours_of(view, reader, rows) if is_beyond and reader else [],
        "count": table.count,
        "own": own,
        "is_held": reader is not None and own is None and is_held(found, reader),
        "beaten": 100 * (table.count - own.row.place.rank) // table.count if own else 0,
        "is_live": not around and not models and "following" not in request.GET and key.table != "points",
        "histogram": bins_of(histogram(view, spread_of or key.order.fields[0], BINS, won=spread_of is not None), own),
        "histogram_of": SPREADS[spread_of or key.order.fields[0]],
        "day": min(key.last, now.date()),
        "is_over": key.period is not Period.ALL_TIME and key.last < now.date(),
        "around": around,
        "following": "following" in request.GET,
        "models": models,
        "history": _history(found, reader),
        **ways_from(key, now.date()),
    }
    shown = page(request, "leaderboards/board.html", context, section="boards")
    return keep_for_visitors(shown, found.slug, until=next_turn(now))


def neighbours_of(view: View, reader: Player, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows around the reader that come after those shown."""
    found = _around(view, reader.username, NEIGHBOURS).rows
    return [row_of(row, reader, view.board.key) for row in found if row.place.place > len(rows)]


def row_of(row: Row, reader: Player | None, key: BoardKey) -> dict[str, Any]:
    """Return a row as the templates show it."""
    score = row.score
    return {
        "rank": row.place.rank,
        "medal": MEDALS.get(row.place.rank, ""),
        "handle": score.handle,
        "name": score.display_name,
        "values": [_text(field, score.values[field]) for field in key.order.fields],
        "game": score.game,
        "state": score.state,
        "model": score.model,
        "is_you": reader is not None and score.handle == reader.username,
    }


def _day_of(request: HttpRequest, now: datetime) -> date | None:
    """Return the requested day, by default today, or None if it is invalid."""
    try:
        return date.fromisoformat(request.GET.get("day", now.date().isoformat()))
    except ValueError:
        return None


def _standing(view: View, reader: Player | None) -> Standing | None:
    try:
        return standing_of(view, reader.username) if reader is not None else None
    except NotOnBoard:
        return None


def _around(view: View, handle: str, rows: int) -> Table:
    try:
        return around_player(view, handle, rows)
    except NotOnBoard:
        return top_of(view, rows)


def _text(field: str, value: int) -> str:
    return clock_text(value) if field == "elapsed_ms" else str(value)


def bins_of(found: Histogram, own: Standing | None) -> list[dict[str, Any]]:
    """Return the bars of a histogram as the templates show them."""
    most = max(found.counts, default=0)
    mine = own.row.score.values[found.field] if own else None
    bins = []
    for index, count in enumerate(found.counts):
        first = found.start + index * found.width
        last = first + found.width - 1
        label = _text(found.field, first)
        if last != first:
            label = _("%(first)s to %(last)s") % {"first": label, "last": _text(found.field, last)}
        bins.append(
            {
                "label": label,
                "count": count,
                "width": round(100 * count / most, 1) if most else 0,
                "is_you": mine is not None and first <= mine <= last,
            }
        )
    return bins


def _is_verification(before: Change, after: Change) -> bool:
    """Return True if a score has only been replayed between two changes, as every score is."""
    states = (before.score.state, after.score.state)
    return states == (EntryState.PROVISIONAL, EntryState.VERIFIED) and before.score.values == after.score.values


def _history(board: Any, reader: Player | None) -> list[dict[str, Any]]:
    """Return the history of the reader's scores on a board if there is more than one; checks do not count."""
    if reader is None:
        return []
    try:
        changes = history_of(board, reader.username)
    except NotOnBoard:
        return []
    told = [
        {
            "at": change.changed_at,
            "values": [_text(field, change.score.values[field]) for field in board.key.order.fields],
            "state": change.score.state,
        }
        for before, change in pairwise([changes[0], *changes])
        if not _is_verification(before, change)
    ]
    return told if len(told) > 1 else []


urlpatterns = [
    path("boards/", boards, name="boards"),
    path("boards/<str:slug>/", board, name="board"),
]
