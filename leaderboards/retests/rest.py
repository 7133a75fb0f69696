"""Retests over REST, for the player to whom they are offered."""

from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.inputs import NothingInput
from games.doors.rest.openapi import CHANGES, FOR_PLAYERS, Answer, location, operation
from games.play.examples import GAME_ANSWER
from games.play.rest import started
from games.players.endpoint import PlayersEndpoint
from games.runtime.clock import clock
from leaderboards.retests import playing
from leaderboards.retests.examples import RETEST, RETESTS
from leaderboards.retests.refusals import RetestNotOpen, UnknownRetest
from leaderboards.retests.wire import Retest, Retests

STEP = (*CHANGES, UnknownRetest, RetestNotOpen)


class OwnRetests(PlayersEndpoint):
    @operation("list_retests", Answer(RETESTS), FOR_PLAYERS)
    def get(self, request: Request) -> Response:
        """List the retests that reviewers have offered you."""
        now = clock.now()
        return Response(Retests([Retest.of(retest, now) for retest in playing.retests_of(self.player)]))


class AcceptRetest(PlayersEndpoint):
    @operation("accept_retest", Answer(RETEST), STEP, NothingInput)
    def post(self, request: Request, retest_id: str) -> Response:
        """Accept a retest. The sitting begins when you start the first deal."""
        self.body(NothingInput)
        now = clock.now()
        return Response(Retest.of(playing.accept(retest_id, self.player, now), now))


class DeclineRetest(PlayersEndpoint):
    @operation("decline_retest", Answer(RETEST), STEP, NothingInput)
    def post(self, request: Request, retest_id: str) -> Response:
        """Decline a retest, also after accepting it, until you start the first deal.

        That is not evidence against you.
        """
        self.body(NothingInput)
        now = clock.now()
        return Response(Retest.of(playing.decline(retest_id, self.player, now), now))


class GamesOfRetest(PlayersEndpoint):
    @operation("play_retest", Answer(GAME_ANSWER, 201), STEP, NothingInput, [location(of="the game")])
    def post(self, request: Request, retest_id: str) -> Response:
        """Start the next deal of a retest, once the one before has ended; until then, the answer is that game.

        The first one begins the sitting.
        """
        self.body(NothingInput)
        return started(playing.play_next(retest_id, self.player, clock.now()))


urlpatterns = [
    path("me/retests/", OwnRetests.as_view(), name="me-retests"),
    path("me/retests/<slug:retest_id>/accept/", AcceptRetest.as_view(), name="accept-retest"),
    path("me/retests/<slug:retest_id>/decline/", DeclineRetest.as_view(), name="decline-retest"),
    path("me/retests/<slug:retest_id>/games/", GamesOfRetest.as_view(), name="games-of-retest"),
]
