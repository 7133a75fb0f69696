"""Achievements over REST."""

from datetime import UTC, datetime

from django.http import HttpResponse
from django.urls import path
from rest_framework.request import Request

from games.doors.rest.caching import ASK_AGAIN, conditional
from games.doors.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint
from games.players.names import find_player
from games.players.refusals import UnknownPlayer
from leaderboards.achievements.awards import awards_of
from leaderboards.achievements.catalog import ACHIEVEMENTS, BY_CODE
from leaderboards.achievements.wire import Achieved, Achievement, Achievements, PlayerAchievements
from leaderboards.boards.wire import RankedPlayer

_FIRST_WIN = Achievement.of(BY_CODE["first-win"])
_EXAMPLE = PlayerAchievements(
    RankedPlayer("alice", "Alice", is_bot=False), [Achieved(_FIRST_WIN, datetime(2026, 11, 20, 9, tzinfo=UTC))]
)


class ListAchievements(Endpoint):
    @operation("list_achievements", [Answer(Achievements([_FIRST_WIN])), NOT_MODIFIED], FOR_ALL, scope=Scope.READ)
    def get(self, request: Request) -> HttpResponse:
        """List all achievements."""
        return conditional(request, Achievements(list(map(Achievement.of, ACHIEVEMENTS))), ASK_AGAIN)


class AchievementsOfPlayer(Endpoint):
    @operation("read_achievements", [Answer(_EXAMPLE), NOT_MODIFIED], (*FOR_ALL, UnknownPlayer), scope=Scope.READ)
    def get(self, request: Request, handle: str) -> HttpResponse:
        """Read the achievements of a player."""
        player = find_player(handle)
        achieved = [Achieved.of(award) for award in awards_of(player)]
        return conditional(request, PlayerAchievements(RankedPlayer.of(player), achieved), ASK_AGAIN)


urlpatterns = [
    path("achievements/", ListAchievements.as_view(), name="achievements"),
    path("players/<slug:handle>/achievements/", AchievementsOfPlayer.as_view(), name="player-achievements"),
]
