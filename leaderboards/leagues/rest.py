"""Leagues over REST."""

from django.http import HttpResponse
from django.urls import path
from rest_framework.request import Request

from games.doors.rest.caching import ASK_AGAIN, conditional
from games.doors.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from games.players.endpoint import Endpoint
from games.players.names import find_player
from games.players.refusals import UnknownPlayer
from leaderboards.leagues import examples
from leaderboards.leagues.refusals import UnknownLeague
from leaderboards.leagues.tables import career_of, find_group, newest_week
from leaderboards.leagues.wire import LeagueGroup, Leagues, LeagueWeek, PlayerLeagues


class ReadLeagues(Endpoint):
    @operation("read_leagues", [Answer(examples.LEAGUES), NOT_MODIFIED], FOR_ALL)
    def get(self, request: Request) -> HttpResponse:
        """Read how many groups and players each tier of the leagues has in the newest week."""
        week = newest_week()
        return conditional(request, Leagues(LeagueWeek.of(week) if week else None), ASK_AGAIN)


class OneGroup(Endpoint):
    @operation("read_league_group", [Answer(examples.GROUP), NOT_MODIFIED], (*FOR_ALL, UnknownLeague))
    def get(self, request: Request, week: str, tier: int, group: int) -> HttpResponse:
        """Read a group of the leagues: its players in order, and who moves up and down."""
        return conditional(request, LeagueGroup.of(find_group(week, tier, group)), ASK_AGAIN)


class LeaguesOfPlayer(Endpoint):
    @operation("read_leagues_of_player", [Answer(examples.OF_PLAYER), NOT_MODIFIED], (*FOR_ALL, UnknownPlayer))
    def get(self, request: Request, handle: str) -> HttpResponse:
        """Read a player's tier, present group and past weeks in the leagues."""
        player = find_player(handle)
        return conditional(request, PlayerLeagues.of(player, career_of(player)), ASK_AGAIN)


urlpatterns = [
    path("leagues/", ReadLeagues.as_view(), name="leagues"),
    path("leagues/<str:week>/<int:tier>/<int:group>/", OneGroup.as_view(), name="league-group"),
    path("players/<slug:handle>/leagues/", LeaguesOfPlayer.as_view(), name="player-leagues"),
]
