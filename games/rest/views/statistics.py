from __future__ import annotations

from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.errors import UnknownPlayer
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import FOR_ALL, FOR_PLAYERS, Answer, operation
from games.rest import examples
from games.rest.account_schemas import Player
from games.rest.inputs.races import BOTS, RatingsInput
from games.rest.schemas import RatedPlayer, Rating, Ratings, Statistics
from games.services.races.rating import Family, figures_of
from games.services.races.ratings import best_rated
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


class ListRatings(Endpoint):
    @operation("list_ratings", Answer(Ratings, examples.RATINGS), FOR_ALL, parameters=[RatingsInput])
    def get(self, request: Request) -> Response:
        """List the best ratings from races in a family of rule sets; provisional ones are not listed."""
        query = self.query(RatingsInput)
        family, of = Family(query["family"]), query["of"]
        rows = [
            RatedPlayer(place, Player.of(row.player), Rating.of(family, figures_of(row)))
            for place, row in enumerate(best_rated(family, query["limit"], bots=of == BOTS), 1)
        ]
        return Response(Ratings(family, of, rows))
