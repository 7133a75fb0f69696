"""Score tables as pages: complete without scripts, and live with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import ensure_csrf_cookie

from games.calendar.dailies import dailies_of
from games.days.disclosure import disclose
from games.doors.pages import clock_text, reading_page
from games.players.models import Player
from games.players.readers import page, reader_of
from games.rules import RULE_SETS
from leaderboards.boards.catalog import BoardKey, Entrants, Period
from leaderboards.boards.histogram import Histogram, histogram
from leaderboards.boards.reading import (
    Row,
    Standing,
    Table,
    around_player,
    boards_of_day,
    find_board,
    history_of,
    only_followed,
    standing_of,
    top_of,
    view_of,
)
from leaderboards.boards.refusals import NotOnBoard, UnknownBoard
from leaderboards.boards.titles import table_name, table_title

ROWS, BINS = 50, 10
FIELDS = {
    "cards_left": gettext_lazy("Left"),
    "moves": gettext_lazy("Moves"),
    "elapsed_ms": gettext_lazy("Time"),
    "points": gettext_lazy("Points"),
    "wins": gettext_lazy("Wins"),
}
PERIODS = {
    Period.DAILY: gettext_lazy("Day"),
    Period.WEEKLY: gettext_lazy("Week"),
    Period.MONTHLY: gettext_lazy("Month"),
    Period.ALL_TIME: gettext_lazy("All time"),
}


@reading_page
def boards(request: HttpRequest) -> HttpResponse:
    """List the boards of a day, today's first; without a choice, the reader's own division."""
    now = datetime.now(UTC)
    day = _day_of(request, now)
    if day is None:
        return redirect("boards:boards")
    keys = [board.key for board in boards_of_day(day, now)]
    own = {daily.key.division for daily in disclose(dailies_of(day), reader_of(request), now) if daily.is_yours}
    groups = [
        {
            "title": RULE_SETS[rules].title,
            "division": division,
            "is_yours": division in own,
            "boards": list(_links(keys, rules, division)),
        }
        for rules, division in dict.fromkeys((key.rules, key.division) for key in keys)
    ]
    groups.sort(key=lambda group: not group["is_yours"])
    return page(request, "leaderboards/boards.html", {"day": day, "groups": groups}, section="boards")


@reading_page
@ensure_csrf_cookie
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a board: its first rows or those around a player, the reader's own row, and the distribution of scores."""
    now, reader = datetime.now(UTC), reader_of(request)
    try:
        found = find_board(slug, now)
    except UnknownBoard as error:
        raise Http404(str(error)) from error
    view = view_of(found)
    if reader is not None and "following" in request.GET:
        view = only_followed(view, reader)
    own = _standing(view, reader)
    around = request.GET.get("around", "")
    table = _around(view, around) if around else top_of(view, ROWS)
    rows = [row_of(row, reader, found.key) for row in table.rows]
    own_row = row_of(own.row, reader, found.key) if own else None
    context = {
        "board": found,
        "key": found.key,
        "title": table_title(found.key),
        "rules": RULE_SETS[found.key.rules],
        "period": PERIODS[found.key.period],
        "fields": [FIELDS[field] for field in found.key.order.fields],
        "rows": rows,
        "pinned": None if any(row["is_you"] for row in rows) else own_row,
        "count": table.count,
        "own": own,
        "is_live": not around and "following" not in request.GET and found.key.table != "points",
        "histogram": _bins(histogram(view, found.key.order.fields[0], BINS), own),
        "histogram_of": FIELDS[found.key.order.fields[0]],
        "is_over": found.key.period is not Period.ALL_TIME and found.key.last < now.date(),
        "others": list(_siblings(found.key)),
        "following": "following" in request.GET,
        "history": _history(found, reader),
    }
    return page(request, "leaderboards/board.html", context, section="boards")


def row_of(row: Row, reader: Player | None, key: BoardKey) -> dict[str, Any]:
    """Return a row as the templates show it."""
    score = row.score
    return {
        "rank": row.place.rank,
        "handle": score.handle,
        "name": score.display_name,
        "values": [_text(field, score.values[field]) for field in key.order.fields],
        "game": score.game,
        "state": score.state,
        "is_you": reader is not None and score.handle == reader.username,
    }


def _day_of(request: HttpRequest, now: datetime) -> date | None:
    """Return the requested day, by default today, or None if it is invalid."""
    try:
        return date.fromisoformat(request.GET.get("day", now.date().isoformat()))
    except ValueError:
        return None


def _links(keys: Iterable[BoardKey], rules: str, division: str) -> Iterable[dict[str, str]]:
    for key in keys:
        if (key.rules, key.division, key.entrants) == (rules, division, Entrants.PEOPLE):
            yield {"slug": str(key), "title": f"{PERIODS[key.period]}: {table_name(key)}"}


def _siblings(key: BoardKey) -> Iterable[dict[str, Any]]:
    """Yield the related boards: the other order, and other entrants."""
    for other in (replace(key, table=table) for table in key.period.tables):
        yield {"slug": str(other), "title": table_title(other), "is_this": other == key}
    names = {Entrants.PEOPLE: _("People"), Entrants.BOTS: _("Bots"), Entrants.ASSISTED: _("With hints")}
    for entrants, name in names.items():
        if entrants is not key.entrants:
            yield {"slug": str(replace(key, entrants=entrants)), "title": name, "is_this": False}


def _standing(view: Any, reader: Player | None) -> Standing | None:
    try:
        return standing_of(view, reader.username) if reader is not None else None
    except NotOnBoard:
        return None


def _around(view: Any, handle: str) -> Table:
    try:
        return around_player(view, handle, ROWS)
    except NotOnBoard:
        return top_of(view, ROWS)


def _text(field: str, value: int) -> str:
    return clock_text(value) if field == "elapsed_ms" else str(value)


def _bins(found: Histogram, own: Standing | None) -> list[dict[str, Any]]:
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


def _history(board: Any, reader: Player | None) -> list[dict[str, Any]]:
    """Return the history of the reader's scores on a board if there is more than one."""
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
        for change in changes
    ]
    return told if len(told) > 1 else []


urlpatterns = [
    path("boards/", boards, name="boards"),
    path("boards/<str:slug>/", board, name="board"),
]
