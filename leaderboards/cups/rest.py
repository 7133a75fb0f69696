"""Results of cups over REST."""

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
from leaderboards.boards.wire import RankedPlayer
from leaderboards.cups.results import results_of
from leaderboards.cups.wire import CupPlace, PlayerCups

_ALICE = RankedPlayer("alice", "Alice", is_bot=False)
_PLACE = CupPlace("4m7vq1ht2x9k", "standard", datetime(2026, 3, 1, 20, tzinfo=UTC), 1, 1, 18, 43, "gold")


class CupsOfPlayer(Endpoint):
    @operation(
        "read_cups_of_player",
        [Answer(PlayerCups(_ALICE, [_PLACE])), NOT_MODIFIED],
        (*FOR_ALL, UnknownPlayer),
        scope=Scope.READ,
    )
    def get(self, request: Request, handle: str) -> HttpResponse:
        """Read a player's places in cups that are over, with their points and medals."""
        player = find_player(handle)
        places = [CupPlace.of(known) for known in results_of(player)]
        return conditional(request, PlayerCups(RankedPlayer.of(player), places), ASK_AGAIN)


urlpatterns = [
    path("players/<slug:handle>/cups/", CupsOfPlayer.as_view(), name="player-cups"),
]
