from __future__ import annotations

from asgiref.sync import async_to_sync
from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from games.deals.grading import Grade
from games.errors import (
    AlreadyAttempted,
    AlreadySeenByStaff,
    Conflict,
    NoCertifiedDeal,
    NoOpenDaily,
    NotCertifiable,
    NotYours,
    TooManyGames,
    TooManyOpenGames,
    UnknownGame,
)
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, Answer, location, operation
from games.models import Game
from games.playing.starting import start_ranked
from games.rest import examples, schemas
from games.rest.inputs.games import (
    CERTIFIED,
    DAILY,
    GamesInput,
    NewGameInput,
)
from games.rules import UnknownRuleSet
from games.services.practice import start_certified_practice
from games.services.sessions import find_game, games_of, readable_game
from games.services.starting import start_practice
from games.services.visibility import record_for

GAMES_PER_PAGE = 20


def started(game: Game, status: int = 201) -> Response:
    """Answer with a game that can be played, and its address."""
    location = reverse("game", kwargs={"game_id": game.id})
    return Response(schemas.Game.of(game), status=status, headers={"Location": location})


class Games(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "list_games",
        Answer(schemas.Games, schemas.Games([examples.GAME_ANSWER], f"/api/games/?before={examples.GAME.id}")),
        (*FOR_PLAYERS, UnknownGame, NotYours),
        parameters=[GamesInput],
    )
    def get(self, request: Request) -> Response:
        """List your games, newest first, a page at a time."""
        games = games_of(self.player, self.query(GamesInput).get("before"), GAMES_PER_PAGE)
        older = f"{request.path}?before={games[-1].id}" if len(games) == GAMES_PER_PAGE else None
        return Response(schemas.Games([schemas.Game.of(game) for game in games], older))

    @operation(
        "start_game",
        [Answer(schemas.Game, examples.GAME_ANSWER, 201), Answer(schemas.Game, examples.GAME_ANSWER)],
        (
            *(*CHANGES, UnknownRuleSet, NoOpenDaily, AlreadyAttempted, AlreadySeenByStaff, Conflict),
            *(TooManyGames, TooManyOpenGames, NotCertifiable, NoCertifiedDeal),
        ),
        NewGameInput,
        [location(of="the game")],
    )
    def post(self, request: Request) -> Response:
        """Start a game.

        `daily` starts a ranked attempt at today's deal; if you are playing one already, the answer is that game with
        status 200. `practice` starts a random deal or, with `"winnable": "certified"`, one that is proved winnable,
        that you have not played and that has the `grade` you ask for, if any. The answer does not contain the layout:
        the clock starts when the layout is first sent, by `GET /api/games/{id}/state/` or by the socket.
        """
        asked, now = self.body(NewGameInput), timezone.now()
        if asked["kind"] == DAILY:
            game, is_new = async_to_sync(start_ranked)(self.player, asked["rules"], now)
            return started(game, 201 if is_new else 200)
        if asked.get("winnable") != CERTIFIED:
            return started(start_practice(self.player, asked["rules"], now))
        grade = Grade(asked["grade"]) if "grade" in asked else None
        return started(start_certified_practice(self.player, asked["rules"], grade, now))


class OneGame(Endpoint):
    @operation("read_game", Answer(schemas.Game, examples.GAME_ANSWER), (*FOR_ALL, UnknownGame, NotYours))
    def get(self, request: Request, game_id: str) -> Response:
        """Read a game of yours, or anyone's once it is public."""
        return Response(schemas.Game.of(readable_game(game_id, self.reader, timezone.now())))


class GameRecord(Endpoint):
    @operation("read_record", Answer(schemas.Record, examples.RECORD), (*FOR_ALL, UnknownGame, NotYours))
    def get(self, request: Request, game_id: str) -> Response:
        """Read the record of a game of yours, or of anyone's once it is public.

        Cards that you may not know yet are `??`.
        """
        record = record_for(find_game(game_id), self.reader, timezone.now())
        return Response(schemas.Record(record.text))
