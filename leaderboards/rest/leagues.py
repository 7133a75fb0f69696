"""Leagues over REST."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from games.errors import UnknownPlayer
from games.kit.rest.caching import ASK_AGAIN, conditional
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from games.services.statistics import find_player
from leaderboards.errors import UnknownLeague
from leaderboards.rest import league_examples as examples
from leaderboards.rest.league_schemas import LeagueGroup, Leagues, LeagueWeek, PlayerLeagues
from leaderboards.services.league_tables import career_of, find_group, newest_week


class ReadLeagues(Endpoint):
    @operation("read_leagues", [Answer(Leagues, examples.LEAGUES), NOT_MODIFIED], FOR_ALL)
    def get(self, request: Request) -> HttpResponse:
        """Read how many groups and players each tier of the leagues has in the newest week."""
        week = newest_week()
        return conditional(request, Leagues(LeagueWeek.of(week) if week else None), ASK_AGAIN)


class OneGroup(Endpoint):
    @operation("read_league_group", [Answer(LeagueGroup, examples.GROUP), NOT_MODIFIED], (*FOR_ALL, UnknownLeague))
    def get(self, request: Request, week: str, tier: int, group: int) -> HttpResponse:
        """Read a group of the leagues: its players in order, and who moves up and down."""
        return conditional(request, LeagueGroup.of(find_group(week, tier, group)), ASK_AGAIN)


class LeaguesOfPlayer(Endpoint):
    @operation(
        "read_leagues_of_player", [Answer(PlayerLeagues, examples.OF_PLAYER), NOT_MODIFIED], (*FOR_ALL, UnknownPlayer)
    )
    def get(self, request: Request, handle: str) -> HttpResponse:
        """Read a player's tier, present group and past weeks in the leagues."""
        player = find_player(handle)
        return conditional(request, PlayerLeagues.of(player, career_of(player)), ASK_AGAIN)
