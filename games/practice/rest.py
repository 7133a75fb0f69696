from __future__ import annotations

from datetime import date
from typing import Annotated

from asgiref.sync import async_to_sync
from django.urls import path
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from games.deals.grading import Grade
from games.doors.rest import on_loop
from games.doors.rest.inputs import NothingInput
from games.doors.rest.on_loop import Arrival, Granted
from games.doors.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, Answer, location, operation
from games.doors.scopes import Scope
from games.doors.wire import JsonObject, Milliseconds, Number, Path
from games.keys.on_loop import door_for_players
from games.play import answers, examples
from games.play.examples import GAME_ANSWER
from games.play.live.starting import start_ranked
from games.play.models import Game
from games.play.notation_wire import Result as ResultText
from games.play.notation_wire import RuleSlug
from games.play.refusals import (
    AlreadyAttempted,
    AlreadySeenByStaff,
    Conflict,
    DealNotYet,
    NoOpenDaily,
    NotYours,
    TooManyGames,
    TooManyOpenGames,
    UnknownDeal,
    UnknownGame,
)
from games.play.rest import address_of, started
from games.play.sessions import games_of
from games.play.starting import start_practice
from games.players.endpoint import IDEMPOTENCY_KEY, REPEATED, Endpoint, PlayersEndpoint, idempotent
from games.players.wire import Id
from games.practice import shared_deals
from games.practice.certified import start_certified_practice
from games.practice.examples import SHARED_DEAL
from games.practice.refusals import NoCertifiedDeal, NotCertifiable
from games.practice.shared_deals import find_deal, practise_deal, shared_deal
from games.practice.wire import GamesInput, NewGameInput
from games.rules import UnknownRuleSet
from games.runtime.clock import clock
from games.runtime.threads import run_in_db_thread

GAMES_PER_PAGE = 20


class Games(PlayersEndpoint):
    @operation(
        "list_games",
        Answer(answers.Games([examples.GAME_ANSWER], f"/api/games/?before={examples.GAME.id}")),
        (*FOR_PLAYERS, UnknownGame, NotYours),
        parameters=[GamesInput],
        scope=Scope.READ,
    )
    def get(self, request: Request) -> Response:
        """List your games, newest first, a page at a time."""
        games = games_of(self.player, self.query(GamesInput).before or None, GAMES_PER_PAGE)
        older = f"{request.path}?before={games[-1].id}" if len(games) == GAMES_PER_PAGE else None
        return Response(answers.Games([answers.Game.of(game) for game in games], older))

    @operation(
        "start_game",
        [Answer(examples.GAME_ANSWER, 201), Answer(examples.GAME_ANSWER)],
        (
            *(*CHANGES, UnknownRuleSet, NoOpenDaily, AlreadyAttempted, AlreadySeenByStaff, Conflict),
            *(TooManyGames, TooManyOpenGames, NotCertifiable, NoCertifiedDeal, *REPEATED),
        ),
        NewGameInput,
        [location(of="the game"), IDEMPOTENCY_KEY],
        scope=Scope.PLAY,
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Start a game.

        `daily` starts a ranked attempt at today's deal; if you are playing one already, the answer is that game with
        status 200. `practice` starts a random deal or, with `"winnable": "certified"`, one that is proved winnable,
        that you have not played and that has the `grade` you ask for, if any. The answer does not contain the layout:
        the clock starts when the layout is first sent, by `GET /api/games/{id}/state/` or by the socket.
        """
        asked, now = self.body(NewGameInput), clock.now()
        if asked.kind == "daily":
            game, is_new = async_to_sync(start_ranked)(self.player, asked.rules, now)
            return started(game, 201 if is_new else 200)
        if asked.winnable != "certified":
            return started(start_practice(self.player, asked.rules, now))
        return started(start_certified_practice(self.player, asked.rules, asked.grade or None, now))


async def start_on_loop(arrival: Arrival) -> Granted:
    game, is_new = await start_ranked(arrival.player, arrival.asked.rules, clock.now())
    # Of one that was read, the deal has yet to be read.
    answer = answers.Game.of(game) if is_new else await run_in_db_thread(answers.Game.of, game)
    return Granted(answer, 201 if is_new else 200, address_of(game))


def _is_daily(asked: NewGameInput) -> bool:
    return asked.kind == "daily"


on_loop.register(door_for_players("POST", "/api/games/", NewGameInput, start_on_loop, _is_daily))


class Result(JsonObject, frozen=True):
    """The result of a game on the deal."""

    result: ResultText
    cards_left: Number
    moves: Number
    elapsed_ms: Milliseconds

    @classmethod
    def of(cls, row: Game) -> Result:
        return cls(row.status, row.cards_left, row.moves, row.elapsed_ms)  # type: ignore[arg-type]  # it has ended


class SharedDeal(JsonObject, frozen=True):
    """A deal that anyone may practise on, without its cards."""

    id: Id
    rules: RuleSlug
    day: Annotated[date | None, Meta(description="The day whose daily deal it was; null for a practice deal.")]
    par: Annotated[Number | None, Meta(description="The fewest moves that win, if known.")]
    grade: Grade | None
    best: Annotated[Result | None, Meta(description="The best of all its games that took no hint.")]
    yours: Annotated[Result | None, Meta(description="The best of your own games on it.")]
    page: Annotated[Path, Meta(description="The page to send to others.")]

    @classmethod
    def of(cls, shared: shared_deals.SharedDeal) -> SharedDeal:
        deal = shared.deal
        return cls(
            id=deal.id,
            rules=deal.rules,
            day=shared.day,
            par=deal.par,
            grade=Grade(deal.grade) if deal.grade else None,
            best=Result.of(shared.best) if shared.best else None,
            yours=Result.of(shared.yours) if shared.yours else None,
            page=f"/deals/{deal.id}/",
        )


class OneDeal(Endpoint):
    @operation("read_deal", Answer(SharedDeal.of(SHARED_DEAL)), (*FOR_ALL, UnknownDeal, DealNotYet), scope=Scope.READ)
    def get(self, request: Request, deal_id: str) -> Response:
        """Read about a deal of a past day, or of a practice game that has ended.

        The answer does not contain its cards, because the deal can still be played.
        """
        return Response(SharedDeal.of(shared_deal(find_deal(deal_id), self.reader, clock.now())))


class GamesOnDeal(PlayersEndpoint):
    @operation(
        "practise_deal",
        Answer(GAME_ANSWER, 201),
        (*CHANGES, UnknownDeal, DealNotYet, TooManyGames, TooManyOpenGames),
        NothingInput,
        [location(of="the game")],
        scope=Scope.PLAY,
    )
    def post(self, request: Request, deal_id: str) -> Response:
        """Start a practice game on a shared deal, or on today's once your ranked attempts have ended."""
        self.body(NothingInput)
        return started(practise_deal(self.player, find_deal(deal_id), clock.now()))


urlpatterns = [
    path("deals/<slug:deal_id>/", OneDeal.as_view(), name="deal"),
    path("deals/<slug:deal_id>/games/", GamesOnDeal.as_view(), name="games-on-deal"),
    path("games/", Games.as_view(), name="games"),
]
