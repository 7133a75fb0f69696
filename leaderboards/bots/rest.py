from django.http import HttpResponse
from django.urls import path
from django.utils import timezone
from rest_framework.request import Request

from games.doors.rest.caching import conditional
from games.doors.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from games.players.endpoint import Endpoint
from leaderboards.bots import examples
from leaderboards.bots.bots import active_bots, boards_of_bots
from leaderboards.bots.wire import ActiveBot, Bots

FOR_A_MINUTE = "public, max-age=60"


class ListBots(Endpoint):
    @operation("list_bots", [Answer(examples.BOTS), NOT_MODIFIED], FOR_ALL)
    def get(self, request: Request) -> HttpResponse:
        """List the bots that played in the last 30 days with their owners, and the boards on which they compete."""
        now = timezone.now()
        bots = [ActiveBot.of(bot) for bot in active_bots(now)]
        return conditional(request, Bots(bots, [str(key) for key in boards_of_bots(now)]), FOR_A_MINUTE)


urlpatterns = [
    path("bots/", ListBots.as_view(), name="bots"),
]
