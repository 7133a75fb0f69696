from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.openapi import FOR_ALL, FOR_PLAYERS, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint, PlayersEndpoint
from games.players.names import find_player
from games.players.refusals import UnknownPlayer
from games.runtime.clock import clock
from games.statistics.examples import STATISTICS
from games.statistics.statistics import statistics_of
from games.statistics.wire import Statistics


class OwnStatistics(PlayersEndpoint):
    @operation("read_own_statistics", Answer(STATISTICS), FOR_PLAYERS, scope=Scope.READ)
    def get(self, request: Request) -> Response:
        """Read your streaks of days, and your results and bests by kind of game and rule set.

        An attempt that you have not finished counts as played.
        """
        return Response(Statistics.of(statistics_of(self.player, self.player, clock.now())))


class PlayerStatistics(Endpoint):
    @operation("read_statistics", Answer(STATISTICS), (*FOR_ALL, UnknownPlayer), scope=Scope.READ)
    def get(self, request: Request, handle: str) -> Response:
        """Read the streaks of days of a player, and results and bests by kind of game and rule set.

        An unfinished attempt of another player counts only once it is over.
        """
        return Response(Statistics.of(statistics_of(find_player(handle), self.reader, clock.now())))


urlpatterns = [
    path("players/me/statistics/", OwnStatistics.as_view(), name="own-statistics"),
    path("players/<slug:handle>/statistics/", PlayerStatistics.as_view(), name="statistics"),
]
