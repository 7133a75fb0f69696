"""Pages of seasons: all that are closed, and each with its table and honours, which never change."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.events import profile_wanted
from games.kit.pages import page, reader_of
from games.models import Player
from leaderboards.errors import BadCursor, UnknownSeason
from leaderboards.models import Honour, Season
from leaderboards.services import seasons
from leaderboards.services.kinds import honour_words, season_title
from leaderboards.services.paging import cursor_after
from leaderboards.web.views import FIELDS, ROWS, row_of

SHOWN_HONOURS = 3


@require_safe
@cache_control(private=True, no_cache=True)
@gzip_page
def all_seasons(request: HttpRequest) -> HttpResponse:
    """List the seasons of a year with their winners, newest first."""
    years = seasons.years()
    asked = request.GET.get("year", "")
    year = int(asked) if asked.isascii() and asked.isdigit() and int(asked) in years else next(iter(years), None)
    closed = [] if year is None else [_shown(season) for season in seasons.seasons_of(year)]
    context = {"seasons": closed, "years": years, "year": year}
    return page(request, "leaderboards/seasons.html", context, section="boards")


@require_safe
@cache_control(private=True, no_cache=True)
@gzip_page
def one_season(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the honours of a season, and its table, some rows at a time."""
    try:
        season = seasons.find_season(slug)
        table = seasons.table_of(season, ROWS, request.GET.get("cursor") or None)
    except (UnknownSeason, BadCursor) as error:
        raise Http404(str(error)) from error
    reader, key = reader_of(request), season.board.key
    last = table.rows[-1].place if table.rows else None
    context = {
        **_shown(season),
        "honours": [_said(honour) for honour in seasons.honours_in(season).filter(rank__lte=SHOWN_HONOURS)],
        "own": [_said(honour) for honour in seasons.honours_in(season).filter(player=reader)] if reader else [],
        "fields": [FIELDS[field] for field in key.order.fields],
        "rows": [row_of(row, reader, key) for row in table.rows],
        "amendments": seasons.amendments_of(season),
        "next": cursor_after(table.view, table.count, last) if last and last.place < table.count else None,
    }
    return page(request, "leaderboards/season.html", context, section="boards")


@receiver(profile_wanted)
def honours_on_profile(sender: type, player: Player, **signal: Any) -> str:
    """Return the part of a player's page that shows the honours, "" if there are none."""
    honours = [{**_said(honour), **_shown(honour.season)} for honour in seasons.honours_of(player)]
    return render_to_string("leaderboards/_honours.html", {"honours": honours}) if honours else ""


def _shown(season: Season) -> dict[str, Any]:
    key = season.board.key
    return {"season": season, "title": season_title(season.month, key.rules, key.division_name)}


def _said(honour: Honour) -> dict[str, Any]:
    return {"honour": honour, "words": honour_words(honour.rank, honour.top)}
