from __future__ import annotations

from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.errors import UnknownPlayer
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import FOR_ALL, FOR_PLAYERS, Answer, operation
from games.rest import examples
from games.rest.schemas import Statistics
from games.services.statistics import find_player, statistics_of


class OwnStatistics(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("read_own_statistics", Answer(Statistics, examples.STATISTICS), FOR_PLAYERS)
    def get(self, request: Request) -> Response:
        """Read your streaks of days, and your results and bests by kind of game and rule set.

        An attempt that you have not finished counts as played.
        """
        return Response(Statistics.of(statistics_of(self.player, self.player, timezone.now())))


class PlayerStatistics(Endpoint):
    @operation("read_statistics", Answer(Statistics, examples.STATISTICS), (*FOR_ALL, UnknownPlayer))
    def get(self, request: Request, handle: str) -> Response:
        """Read the streaks of days of a player, and results and bests by kind of game and rule set.

        An unfinished attempt of another player counts only once it is over.
        """
        return Response(Statistics.of(statistics_of(find_player(handle), self.reader, timezone.now())))
