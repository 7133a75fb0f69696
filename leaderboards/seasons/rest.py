"""Seasons over REST."""

from django.http import HttpResponse
from django.urls import path
from rest_framework.request import Request

from games.doors.rest.caching import ASK_AGAIN, conditional
from games.doors.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint
from games.players.names import find_player
from games.players.refusals import UnknownPlayer
from games.runtime.clock import clock
from leaderboards.boards.ranking.view import View
from leaderboards.boards.reading import cursor_after
from leaderboards.boards.refusals import BadCursor
from leaderboards.boards.wire import Amendment, RankedPlayer, Row
from leaderboards.seasons import examples, seasons, wire
from leaderboards.seasons.models import Season
from leaderboards.seasons.refusals import UnknownSeason

MOST_HONOURS = 100


class ListSeasons(Endpoint):
    @operation(
        "list_seasons",
        [Answer(examples.SEASONS), NOT_MODIFIED],
        FOR_ALL,
        parameters=[wire.SeasonsInput],
        scope=Scope.READ,
    )
    def get(self, request: Request) -> HttpResponse:
        """List the seasons of a year: months whose tables of points are closed."""
        query = self.query(wire.SeasonsInput)
        years = seasons.years()
        year = query.year or (years[0] if years else clock.now().year)
        found = [wire.Season.of(row) for row in seasons.seasons_of(year)]
        wanted = {name: value for name in ("rules", "division") if (value := getattr(query, name))}
        shown = [season for season in found if all(getattr(season, name) == value for name, value in wanted.items())]
        return conditional(request, wire.Seasons(shown, years), ASK_AGAIN)


class OneSeason(Endpoint):
    @operation(
        "read_season",
        [Answer(examples.SEASON_PAGE), NOT_MODIFIED],
        (*FOR_ALL, UnknownSeason, BadCursor),
        parameters=[wire.SeasonInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Read a season: the rows of its table, which never change, and the honours that hold."""
        season = seasons.find_season(slug)
        page = season_page(season, self.query(wire.SeasonInput), seasons.view_of(season))
        return conditional(request, page, ASK_AGAIN)


def season_page(season: Season, query: wire.SeasonInput, view: View) -> wire.SeasonPage:
    """Return rows of a view of a season's table. Raises `BadCursor`."""
    table = seasons.table_of(view, query.limit, query.cursor or None)
    last = table.rows[-1].place if table.rows else None
    honours = seasons.honours_in(season)
    if view.among is not None:
        honours = honours.filter(player__in=view.among)
    return wire.SeasonPage(
        season=wire.Season.of(season),
        honours=[wire.SeasonHonour.of(row) for row in honours[:MOST_HONOURS]],
        rows=[Row.at_place(row) for row in table.rows],
        amendments=[Amendment.of(decision) for decision in seasons.amendments_of(season)],
        next=cursor_after(table.view, table.count, last) if last and last.place < table.count else None,
    )


class HonoursOfPlayer(Endpoint):
    @operation("read_honours", [Answer(examples.HONOURS), NOT_MODIFIED], (*FOR_ALL, UnknownPlayer), scope=Scope.READ)
    def get(self, request: Request, handle: str) -> HttpResponse:
        """Read the honours that a player has from seasons."""
        player = find_player(handle)
        honours = [wire.PlayerHonour.of(row) for row in seasons.honours_of(player)]
        return conditional(request, wire.PlayerHonours(RankedPlayer.of(player), honours), ASK_AGAIN)


urlpatterns = [
    path("seasons/", ListSeasons.as_view(), name="seasons"),
    path("seasons/<str:slug>/", OneSeason.as_view(), name="season"),
    path("players/<slug:handle>/honours/", HonoursOfPlayer.as_view(), name="honours"),
]
