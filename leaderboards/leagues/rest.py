"""Leagues over REST."""

from datetime import date

from django.http import HttpResponse
from django.urls import path
from rest_framework.request import Request

from games.doors.rest.caching import ASK_AGAIN, conditional
from games.doors.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint
from games.players.names import find_player
from games.players.refusals import UnknownPlayer
from leaderboards.boards.wire import RankedPlayer
from leaderboards.leagues import wire
from leaderboards.leagues.refusals import UnknownLeague
from leaderboards.leagues.tables import career_of, find_group, newest_week

_ALICE = RankedPlayer("alice", "Alice", is_bot=False)
_BOB = RankedPlayer("bob", "Bob", is_bot=False)
_TIERS = [wire.LeagueTier(1, groups=1, players=44), wire.LeagueTier(2, groups=1, players=38)]
_WEEK = wire.LeagueWeek("2026-W48", date(2026, 11, 23), is_over=False, tiers=_TIERS)
_ROWS = [
    wire.LeagueRow(_ALICE, rank=1, points=6840, wins=5, moves=236, move="up"),
    wire.LeagueRow(_BOB, rank=None, points=None, wins=None, moves=None, move="stays"),
]
_GROUP = wire.LeagueGroup(_WEEK, tier=2, group=1, rows=_ROWS)
_OF_PLAYER = wire.PlayerLeagues(
    _ALICE, tier=2, group=_GROUP, weeks=[wire.PlayedLeagueWeek("2026-W47", tier=2, group=1, rank=12, move="stays")]
)


class ReadLeagues(Endpoint):
    @operation("read_leagues", [Answer(wire.Leagues(_WEEK)), NOT_MODIFIED], FOR_ALL, scope=Scope.READ)
    def get(self, request: Request) -> HttpResponse:
        """Read how many groups and players each tier of the leagues has in the newest week."""
        week = newest_week()
        return conditional(request, wire.Leagues(wire.LeagueWeek.of(week) if week else None), ASK_AGAIN)


class OneGroup(Endpoint):
    @operation("read_league_group", [Answer(_GROUP), NOT_MODIFIED], (*FOR_ALL, UnknownLeague), scope=Scope.READ)
    def get(self, request: Request, week: str, tier: int, group: int) -> HttpResponse:
        """Read a group of the leagues: its players in order, and who moves up and down."""
        return conditional(request, wire.LeagueGroup.of(find_group(week, tier, group)), ASK_AGAIN)


class LeaguesOfPlayer(Endpoint):
    @operation(
        "read_leagues_of_player", [Answer(_OF_PLAYER), NOT_MODIFIED], (*FOR_ALL, UnknownPlayer), scope=Scope.READ
    )
    def get(self, request: Request, handle: str) -> HttpResponse:
        """Read a player's tier, present group and past weeks in the leagues."""
        player = find_player(handle)
        return conditional(request, wire.PlayerLeagues.of(player, career_of(player)), ASK_AGAIN)


urlpatterns = [
    path("leagues/", ReadLeagues.as_view(), name="leagues"),
    path("leagues/<str:week>/<int:tier>/<int:group>/", OneGroup.as_view(), name="league-group"),
    path("players/<slug:handle>/leagues/", LeaguesOfPlayer.as_view(), name="player-leagues"),
]
