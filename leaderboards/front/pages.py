"""The front page: one deal to play at once, the other deals of the day, and who has finished."""

from datetime import date, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

from games.days.pages import playable_dailies, with_attempt
from games.deals.daily import next_turn
from games.doors.kept_pages import keep_for_visitors
from games.doors.pages import reading_page
from games.players.models import Player
from games.players.readers import page, reader_of
from games.rule_sets.sketches import face_down, sketch
from games.rule_sets.texts import in_short
from games.rules import RULE_SETS
from games.runtime.clock import clock
from games.statistics.statistics import statistics_of
from leaderboards.boards.catalog import BoardKey
from leaderboards.boards.pages import row_of
from leaderboards.boards.reading import find_board, standings_of, top_of, view_of

ROWS = 8
QUICK_GAME = RULE_SETS["standard"]


@reading_page
def home(request: HttpRequest) -> HttpResponse:
    """Show the first deal of the day with its table, and the others small."""
    now, reader = clock.now(), reader_of(request)
    known = playable_dailies(reader, now)
    own = [with_attempt(daily, reader) for daily in known if daily.is_yours]
    today = [deal for deal in own if deal["daily"].state == "open"]
    hero = today[0] if today else None
    context: dict[str, Any] = {
        "now": now,
        "hero": hero and hero | {"backs": face_down(hero["rules"])} | _table(hero, reader, now),
        "small": [_small(deal) for deal in own if deal is not hero and _concerns(deal, now.date())],
        "quick": {"rules": QUICK_GAME, "sketch": sketch(QUICK_GAME)},
        "fixed": today,
        "is_ahead": all(deal["daily"].is_committed_ahead for deal in today),
        "others": [
            (RULE_SETS[daily.key.rules], daily.key) for daily in known if daily.state == "open" and not daily.is_yours
        ],
    }
    if reader is not None:
        context["statistics"] = statistics_of(reader, reader, now)
    shown = page(request, "leaderboards/front.html", context, section="today")
    return keep_for_visitors(shown, context["hero"]["board"] if hero else "", until=next_turn(now))


def _concerns(deal: dict[str, Any], today: date) -> bool:
    """Return True for a deal of today, and for one of yesterday whose reader still plays it."""
    attempt = deal["attempt"]
    return bool(deal["daily"].key.day == today or (attempt and not attempt.is_over))


def _small(deal: dict[str, Any]) -> dict[str, Any]:
    return deal | {"sketch": sketch(deal["rules"]), "in_short": in_short(deal["rules"])}


def _table(deal: dict[str, Any], reader: Player | None, now: datetime) -> dict[str, Any]:
    """Return the first rows of a deal's table, and the reader's own below them."""
    key = deal["daily"].key
    board = find_board(f"daily.{key.day}.{key.rules}.{key.division}.fewest-moves", now)
    view, board_key = view_of(board), BoardKey.parse(board.slug)
    top = top_of(view, ROWS)
    rows = [row_of(row, reader, board_key) for row in top.rows]
    if reader is not None and not any(row["is_you"] for row in rows):
        rows += [row_of(standing.row, reader, board_key) for standing in standings_of(view, [reader.username])]
    return {"board": board.slug, "rows": rows, "count": top.count}


urlpatterns = [
    path("", home, name="home"),
]
