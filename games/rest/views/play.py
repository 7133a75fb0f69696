"""Play over REST: the same commands as on the socket of a game, one request each."""

from __future__ import annotations

from asgiref.sync import async_to_sync
from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games import wire
from games.errors import (
    AlreadyAttempted,
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
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import CHANGES, FOR_PLAYERS, Answer, location, operation
from games.playing import requests
from games.playing.requests import Command
from games.rest import examples, schemas
from games.rest.inputs.games import NothingInput
from games.rest.inputs.play import ActionInput, VersionInput
from games.rest.views.games import started
from games.rules import GameOver, IllegalMove, NotationError
from games.services.sessions import find_game

OWN_GAME = (UnknownGame, NotYours)


class GameState(Endpoint):
    permission_classes = [IsAuthenticated]
    # A HEAD request would start the clock without showing the layout.
    http_method_names = ["get"]

    @operation("read_state", Answer(wire.State, examples.STATE), (*FOR_PLAYERS, *OWN_GAME))
    def get(self, request: Request, game_id: str) -> Response:
        """Read the layout of a game of yours as you may know it.

        The first request starts the clock.
        """
        return Response(async_to_sync(requests.read_state)(game_id, self.player, timezone.now()))


class Actions(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "take_action",
        Answer(wire.ActionTaken, examples.ACTION_TAKEN),
        (
            *CHANGES,
            *OWN_GAME,
            *(NotationError, IllegalMove, GameOver),
            *(StaleVersion, Conflict, NotBegun, UndoNotAllowed, HintsNotAllowed, TooManyActions),
        ),
        ActionInput,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Make a move, undo, redo or ask for a hint.

        The answer is sent once the action is durable. It is safe to send the same action at the same version again,
        for example after a broken connection: it gets the same answer and is never taken twice.
        """
        asked = self.body(ActionInput)
        return Response(async_to_sync(requests.take_action)(game_id, self.player, Command(**asked), timezone.now()))


class Resign(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "resign",
        Answer(wire.Finished, examples.FINISHED),
        (*CHANGES, *OWN_GAME, GameOver, StaleVersion, Conflict),
        VersionInput,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Give up. A game in which no further removal can be reached ends as stuck."""
        version = self.body(VersionInput)["version"]
        return Response(async_to_sync(requests.resign)(game_id, self.player, version, timezone.now()))


class Restart(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "restart",
        Answer(schemas.Game, examples.GAME_ANSWER, 201),
        (
            *CHANGES,
            *OWN_GAME,
            RestartNotAllowed,
            TooManyGames,
            TooManyOpenGames,
            Conflict,
            AlreadyAttempted,
            NoOpenDaily,
        ),
        NothingInput,
        [location(of="the new game")],
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Start the deal of a game again, as a new game.

        A game that is still being played is resigned. Repeating the request returns the same new game. A ranked attempt
        can be restarted only if its policy allows `restart`; the new game is the next attempt.
        """
        self.body(NothingInput)
        follower = async_to_sync(requests.restart)(game_id, self.player, timezone.now())
        return started(find_game(follower))
