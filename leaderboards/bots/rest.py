from django.http import HttpResponse
from django.urls import path
from rest_framework.request import Request

from games.doors.rest.caching import conditional
from games.doors.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint
from games.races.strength import Family
from games.runtime.clock import clock
from leaderboards.boards.examples import BOARD, DAY
from leaderboards.boards.wire import RankedPlayer
from leaderboards.bots.bots import active_bots, boards_of_bots
from leaderboards.bots.wire import ActiveBot, BotRating, Bots

FOR_A_MINUTE = "public, max-age=60"


_EXAMPLE = Bots(
    [
        ActiveBot(
            player=RankedPlayer("deep-thirteen", "Deep Thirteen", is_bot=True),
            owner=RankedPlayer("carol", "Carol", is_bot=False),
            model="Example 5",
            days=12,
            played=31,
            won=7,
            last_day=DAY,
            ratings=[BotRating(Family.THIRTEEN, 1684, 380, 14)],
        )
    ],
    [str(BOARD).replace(".open.", ".open-bots.")],
)


class ListBots(Endpoint):
    @operation("list_bots", [Answer(_EXAMPLE), NOT_MODIFIED], FOR_ALL, scope=Scope.READ)
    def get(self, request: Request) -> HttpResponse:
        """List the bots that played in the last 30 days with their owners, and the boards on which they compete."""
        now = clock.now()
        bots = [ActiveBot.of(bot) for bot in active_bots(now)]
        return conditional(request, Bots(bots, [str(key) for key in boards_of_bots(now)]), FOR_A_MINUTE)


urlpatterns = [
    path("bots/", ListBots.as_view(), name="bots"),
]
