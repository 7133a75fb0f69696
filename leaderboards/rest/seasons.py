"""Seasons over REST."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request

from games.errors import UnknownPlayer
from games.kit.rest.caching import ASK_AGAIN, conditional
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.inputs import Input, NumberInQuery
from games.kit.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from games.services.statistics import find_player
from leaderboards.errors import BadCursor, UnknownSeason
from leaderboards.rest import season_examples as examples
from leaderboards.rest.inputs import MOST_ROWS
from leaderboards.rest.season_schemas import PlayerHonour, PlayerHonours, Season, SeasonHonour, SeasonPage, Seasons
from leaderboards.services import seasons
from leaderboards.services.paging import cursor_after
from leaderboards.wire import Amendment, RankedPlayer, Row

MOST_HONOURS = 100


class SeasonsInput(Input):
    year = NumberInQuery(required=False, min_value=1, max_value=9999, help_text="By default the newest.")
    rules = serializers.CharField(required=False, help_text="A rule set.")
    division = serializers.CharField(required=False, help_text="A division, for example `main` or `open-bots`.")


class SeasonInput(Input):
    limit = serializers.IntegerField(
        min_value=1, max_value=MOST_ROWS, default=20, help_text="How many rows to return at most."
    )
    cursor = serializers.CharField(required=False, max_length=8192, help_text="`next` of an earlier answer.")


class ListSeasons(Endpoint):
    @operation("list_seasons", [Answer(Seasons, examples.SEASONS), NOT_MODIFIED], FOR_ALL, parameters=[SeasonsInput])
    def get(self, request: Request) -> HttpResponse:
        """List the seasons of a year: months whose tables of points are closed."""
        query = self.query(SeasonsInput)
        years = seasons.years()
        year = query.pop("year", years[0] if years else timezone.now().year)
        found = [Season.of(row) for row in seasons.seasons_of(year)]
        shown = [season for season in found if all(getattr(season, name) == value for name, value in query.items())]
        return conditional(request, Seasons(shown, years), ASK_AGAIN)


class OneSeason(Endpoint):
    @operation(
        "read_season",
        [Answer(SeasonPage, examples.SEASON_PAGE), NOT_MODIFIED],
        (*FOR_ALL, UnknownSeason, BadCursor),
        parameters=[SeasonInput],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Read a season: the rows of its table, which never change, and the honours that hold."""
        season, query = seasons.find_season(slug), self.query(SeasonInput)
        table = seasons.table_of(season, query["limit"], query.get("cursor"))
        last = table.rows[-1].place if table.rows else None
        body = SeasonPage(
            season=Season.of(season),
            honours=[SeasonHonour.of(row) for row in seasons.honours_in(season)[:MOST_HONOURS]],
            rows=[Row.at_place(row) for row in table.rows],
            amendments=[Amendment.of(decision) for decision in seasons.amendments_of(season)],
            next=cursor_after(table.view, table.count, last) if last and last.place < table.count else None,
        )
        return conditional(request, body, ASK_AGAIN)


class HonoursOfPlayer(Endpoint):
    @operation("read_honours", [Answer(PlayerHonours, examples.HONOURS), NOT_MODIFIED], (*FOR_ALL, UnknownPlayer))
    def get(self, request: Request, handle: str) -> HttpResponse:
        """Read the honours that a player has from seasons."""
        player = find_player(handle)
        honours = [PlayerHonour.of(row) for row in seasons.honours_of(player)]
        return conditional(request, PlayerHonours(RankedPlayer.of(player), honours), ASK_AGAIN)
