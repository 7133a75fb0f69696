from __future__ import annotations

from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.errors import (
    AlreadyAttempted,
    Conflict,
    HintsNotAllowed,
    NoOpenDaily,
    NotYours,
    RestartNotAllowed,
    StaleVersion,
    TooManyActions,
    TooManyOpenGames,
    UndoNotAllowed,
    UnknownGame,
)
from games.rest import examples
from games.rest.endpoint import Endpoint
from games.rest.openapi import CHANGES, FOR_PLAYERS, Answer, location, operation
from games.rest.serializers.games import GameSerializer, NothingInput
from games.rest.serializers.play import (
    ActionInput,
    FinishedSerializer,
    PlayedSerializer,
    StateSerializer,
    VersionInput,
)
from games.rest.views.games import started
from games.rules import GameOver, IllegalMove, NotationError
from games.services.attempts import open_session, own_game, restart
from games.services.turns import resign, take_action

OWN_GAME = (UnknownGame, NotYours)


class GameState(Endpoint):
    permission_classes = [IsAuthenticated]
    # Whoever asks with HEAD would start the clock without seeing the layout.
    http_method_names = ["get"]

    @operation("read_state", Answer(StateSerializer, examples.STATE), (*FOR_PLAYERS, *OWN_GAME))
    def get(self, request: Request, game_id: str) -> Response:
        """Read the layout of a game of yours as you may know it.

        The first time, this starts the clock.
        """
        now = timezone.now()
        session = open_session(own_game(game_id, self.player), now)
        return Response(StateSerializer(session.state(now)).data)


class Actions(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "take_action",
        Answer(PlayedSerializer, examples.TURN),
        (
            *CHANGES,
            *OWN_GAME,
            *(NotationError, IllegalMove, GameOver),
            *(StaleVersion, Conflict, UndoNotAllowed, HintsNotAllowed, TooManyActions),
        ),
        ActionInput,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Play a move, undo or redo.

        The answer is sent when the action is durable. The same action at the same version may be sent again, for
        example after a broken connection: it gets the same answer and is never taken twice.
        """
        asked = self.body(ActionInput)
        game = own_game(game_id, self.player)
        turn = take_action(game, asked["action"], asked["version"], timezone.now(), asked.get("client_ms"))
        return Response(PlayedSerializer(turn).data)


class Resign(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "resign",
        Answer(FinishedSerializer, examples.FINISHED),
        (*CHANGES, *OWN_GAME, GameOver, StaleVersion, Conflict),
        VersionInput,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Give up. A game in which no removal can be reached any more ends as stuck."""
        version = self.body(VersionInput)["version"]
        return Response(FinishedSerializer(resign(own_game(game_id, self.player), version, timezone.now())).data)


class Restart(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "restart",
        Answer(GameSerializer, examples.GAME, 201),
        (*CHANGES, *OWN_GAME, RestartNotAllowed, TooManyOpenGames, Conflict, AlreadyAttempted, NoOpenDaily),
        NothingInput,
        [location(of="the new game")],
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Start the deal of a game anew, as another game; this one is resigned if it is being played.

        A ranked attempt only where its policy says `restart`; the other game is the next attempt.
        """
        self.body(NothingInput)
        return started(restart(own_game(game_id, self.player), timezone.now()))
