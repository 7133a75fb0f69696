"""Pages of seasons: all that are closed, and each with its table and honours, which never change."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from games.doors.pages import reading_page
from games.players.models import Player
from games.players.readers import page, reader_of
from leaderboards.boards.pages import FIELDS, ROWS, row_of
from leaderboards.boards.reading import cursor_after
from leaderboards.boards.refusals import BadCursor
from leaderboards.seasons import seasons
from leaderboards.seasons.models import Honour, Season
from leaderboards.seasons.notifications import honour_words, season_title
from leaderboards.seasons.refusals import UnknownSeason

SHOWN_HONOURS = 3


@reading_page
def all_seasons(request: HttpRequest) -> HttpResponse:
    """List the seasons of a year with their winners, newest first."""
    years = seasons.years()
    asked = request.GET.get("year", "")
    year = int(asked) if asked.isascii() and asked.isdigit() and int(asked) in years else next(iter(years), None)
    closed = [] if year is None else [_shown(season) for season in seasons.seasons_of(year)]
    context = {"seasons": closed, "years": years, "year": year}
    return page(request, "leaderboards/seasons.html", context, section="boards")


@reading_page
def one_season(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the honours of a season, and its table, some rows at a time."""
    try:
        season = seasons.find_season(slug)
        table = seasons.table_of(seasons.view_of(season), ROWS, request.GET.get("cursor") or None)
    except (UnknownSeason, BadCursor) as error:
        raise Http404(str(error)) from error
    reader, key = reader_of(request), season.board.key
    last = table.rows[-1].place if table.rows else None
    context = {
        **_shown(season),
        "honours": [_labelled(honour) for honour in seasons.honours_in(season).filter(rank__lte=SHOWN_HONOURS)],
        "own": [_labelled(honour) for honour in seasons.honours_in(season).filter(player=reader)] if reader else [],
        "fields": [FIELDS[field] for field in key.order.fields],
        "rows": [row_of(row, reader, key) for row in table.rows],
        "amendments": seasons.amendments_of(season),
        "next": cursor_after(table.view, table.count, last) if last and last.place < table.count else None,
    }
    return page(request, "leaderboards/season.html", context, section="boards")


def honours_on_profile(player: Player) -> list[dict[str, Any]]:
    """Return the honours that a player's page shows."""
    return [{**_labelled(honour), **_shown(honour.season)} for honour in seasons.honours_of(player)]


def _shown(season: Season) -> dict[str, Any]:
    key = season.board.key
    return {"season": season, "title": season_title(season.month, key.rules, key.division_name)}


def _labelled(honour: Honour) -> dict[str, Any]:
    return {"honour": honour, "words": honour_words(honour.rank, honour.top)}


urlpatterns = [
    path("seasons/", all_seasons, name="seasons-page"),
    path("seasons/<str:slug>/", one_season, name="season-page"),
]
