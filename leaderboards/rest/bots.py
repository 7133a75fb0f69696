from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request

from games.kit.rest.caching import conditional
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from leaderboards.rest import examples
from leaderboards.services.bots import active_bots, boards_of_bots
from leaderboards.wire import ActiveBot, Bots

FOR_A_MINUTE = "public, max-age=60"


class ListBots(Endpoint):
    @operation("list_bots", [Answer(Bots, examples.BOTS), NOT_MODIFIED], FOR_ALL)
    def get(self, request: Request) -> HttpResponse:
        """List the bots that played in the last 30 days with their owners, and the boards on which they compete."""
        now = timezone.now()
        bots = [ActiveBot.of(bot) for bot in active_bots(now)]
        return conditional(request, Bots(bots, [str(key) for key in boards_of_bots(now)]), FOR_A_MINUTE)
