"""A game over REST: its state and record, and the commands that sockets have, one request each."""

from asgiref.sync import async_to_sync
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.doors.rest import on_loop
from games.doors.rest.inputs import NothingInput
from games.doors.rest.on_loop import Arrival, Granted
from games.doors.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, Answer, location, operation
from games.doors.scopes import Scope
from games.keys.on_loop import door_for_players
from games.play import answers, examples
from games.play.live import requests
from games.play.models import Game
from games.play.refusals import (
    AlreadyAttempted,
    AlreadySeenByStaff,
    Conflict,
    HintsNotAllowed,
    NoOpenDaily,
    NotBegun,
    NotYours,
    RestartNotAllowed,
    StaleVersion,
    TooManyActions,
    TooManyGames,
    TooManyOpenGames,
    UndoNotAllowed,
    UnknownGame,
)
from games.play.sessions import find_game, readable_game
from games.play.visibility import record_for
from games.play.wire import ActionInput, VersionInput
from games.players.endpoint import Endpoint, PlayersEndpoint
from games.rules import GameOver, IllegalMove, NotationError
from games.runtime.clock import clock


def started(game: Game, status: int = 201) -> Response:
    """Answer with a game that can be played, and its address."""
    return Response(answers.Game.of(game), status=status, headers={"Location": address_of(game)})


def address_of(game: Game) -> str:
    return reverse("game", kwargs={"game_id": game.id})


class OneGame(Endpoint):
    @operation("read_game", Answer(examples.GAME_ANSWER), (*FOR_ALL, UnknownGame, NotYours), scope=Scope.READ)
    def get(self, request: Request, game_id: str) -> Response:
        """Read a game of yours, or anyone's once it is public."""
        return Response(answers.Game.of(readable_game(game_id, self.reader, clock.now())))


class GameRecord(Endpoint):
    @operation("read_record", Answer(examples.RECORD), (*FOR_ALL, UnknownGame, NotYours), scope=Scope.READ)
    def get(self, request: Request, game_id: str) -> Response:
        """Read the record of a game of yours, or of anyone's once it is public.

        Cards that you may not know yet are `??`.
        """
        record = record_for(find_game(game_id), self.reader, clock.now())
        return Response(answers.Record(record.text))


OWN_GAME = (UnknownGame, NotYours)


class GameState(PlayersEndpoint):
    # A HEAD request would start the clock without showing the layout.
    http_method_names = ["get"]

    @operation("read_state", Answer(examples.STATE), (*FOR_PLAYERS, *OWN_GAME), scope=Scope.PLAY)
    def get(self, request: Request, game_id: str) -> Response:
        """Read the layout of a game of yours as you may know it.

        The first request starts the clock.
        """
        return Response(async_to_sync(requests.read_state)(game_id, self.player, clock.now()))


class Actions(PlayersEndpoint):
    @operation(
        "take_action",
        Answer(examples.ACTION_TAKEN),
        (
            *CHANGES,
            *OWN_GAME,
            *(NotationError, IllegalMove, GameOver),
            *(StaleVersion, Conflict, NotBegun, UndoNotAllowed, HintsNotAllowed, TooManyActions),
        ),
        ActionInput,
        scope=Scope.PLAY,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Make a move, undo, redo or ask for a hint.

        The answer is sent once the action is durable. It is safe to send the same action at the same version again,
        for example after a broken connection: it gets the same answer and is never taken twice.
        """
        asked = self.body(ActionInput)
        return Response(async_to_sync(requests.take_action)(game_id, self.player, asked, clock.now()))


async def act_on_loop(arrival: Arrival) -> Granted:
    found, player, asked = arrival.found, arrival.player, arrival.asked
    return Granted(await requests.take_action(found["game_id"], player, asked, clock.now()))


on_loop.register(door_for_players("POST", "/api/games/(?P<game_id>[0-9a-z]+)/actions/", ActionInput, act_on_loop))


class Resign(PlayersEndpoint):
    @operation(
        "resign",
        Answer(examples.FINISHED),
        (*CHANGES, *OWN_GAME, GameOver, StaleVersion, Conflict),
        VersionInput,
        scope=Scope.PLAY,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Give up. A game in which no further removal can be reached ends as stuck."""
        version = self.body(VersionInput).version
        return Response(async_to_sync(requests.resign)(game_id, self.player, version, clock.now()))


class Restart(PlayersEndpoint):
    @operation(
        "restart",
        Answer(examples.GAME_ANSWER, 201),
        (
            *CHANGES,
            *OWN_GAME,
            RestartNotAllowed,
            TooManyGames,
            TooManyOpenGames,
            Conflict,
            AlreadyAttempted,
            AlreadySeenByStaff,
            NoOpenDaily,
        ),
        NothingInput,
        [location(of="the new game")],
        scope=Scope.PLAY,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Start the deal of a game again, as a new game.

        A game that is still being played is resigned. Repeating the request returns the same new game. A ranked attempt
        can be restarted only if its policy allows `restart`; the new game is the next attempt.
        """
        self.body(NothingInput)
        follower = async_to_sync(requests.restart)(game_id, self.player, clock.now())
        return started(find_game(follower))


urlpatterns = [
    path("games/<slug:game_id>/", OneGame.as_view(), name="game"),
    path("games/<slug:game_id>/record/", GameRecord.as_view(), name="record"),
    path("games/<slug:game_id>/state/", GameState.as_view(), name="state"),
    path("games/<slug:game_id>/actions/", Actions.as_view(), name="actions"),
    path("games/<slug:game_id>/resign/", Resign.as_view(), name="resign"),
    path("games/<slug:game_id>/restart/", Restart.as_view(), name="restart"),
]
