from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from django.utils import timezone
from msgspec import Meta
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.deals.grading import Grade
from games.errors import DealNotYet, TooManyGames, TooManyOpenGames, UnknownDeal
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import CHANGES, FOR_ALL, Answer, location, operation
from games.kit.wire import JsonObject
from games.models import Game
from games.rest import examples, schemas
from games.rest.inputs.games import NothingInput
from games.rest.views.games import started
from games.services import shared_deals
from games.services.shared_deals import find_deal, practise_deal, shared_deal


class Result(JsonObject, frozen=True):
    """The result of a game on the deal."""

    result: Literal["won", "stuck", "resigned", "expired"]
    cards_left: int
    moves: int
    elapsed_ms: int

    @classmethod
    def of(cls, row: Game) -> Result:
        return cls(row.status, row.cards_left, row.moves, row.elapsed_ms)  # type: ignore[arg-type]  # it has ended


class SharedDeal(JsonObject, frozen=True):
    """A deal that anyone may practise on, without its cards."""

    id: str
    rules: str
    day: Annotated[date | None, Meta(description="The day whose daily deal it was; null for a practice deal.")]
    par: Annotated[int | None, Meta(description="The fewest moves that win, if known.")]
    grade: Grade | None
    best: Annotated[Result | None, Meta(description="The best of all its games that took no hint.")]
    yours: Annotated[Result | None, Meta(description="The best of your own games on it.")]
    page: Annotated[str, Meta(description="The page to send to others.")]

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
    @operation(
        "read_deal", Answer(SharedDeal, SharedDeal.of(examples.SHARED_DEAL)), (*FOR_ALL, UnknownDeal, DealNotYet)
    )
    def get(self, request: Request, deal_id: str) -> Response:
        """Read about a deal of a past day, or of a practice game that has ended.

        The answer does not contain its cards, because the deal can still be played.
        """
        return Response(SharedDeal.of(shared_deal(find_deal(deal_id), self.reader, timezone.now())))


class GamesOnDeal(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "practise_deal",
        Answer(schemas.Game, examples.GAME_ANSWER, 201),
        (*CHANGES, UnknownDeal, DealNotYet, TooManyGames, TooManyOpenGames),
        NothingInput,
        [location(of="the game")],
    )
    def post(self, request: Request, deal_id: str) -> Response:
        """Start a practice game on a shared deal, or on today's once your ranked attempts have ended."""
        self.body(NothingInput)
        return started(practise_deal(self.player, find_deal(deal_id), timezone.now()))
