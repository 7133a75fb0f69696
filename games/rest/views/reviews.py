from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from django.utils import timezone
from msgspec import Meta
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.errors import NotYours, ReviewNotYet, UnknownGame
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import FOR_PLAYERS, Answer, operation
from games.kit.wire import JsonObject
from games.models import GameReview as ReviewRow
from games.rest import examples
from games.review import Distance, Verdict
from games.services.reviews import request_review


class ReviewedAction(JsonObject, frozen=True):
    """The effect of an action on the shortest way to the win."""

    version: Annotated[int, Meta(description="The version that the action led to.")]
    action: str
    before: Annotated[
        Distance, Meta(description="The fewest actions to the win before it; null where there is no win.")
    ]
    after: Annotated[Distance, Meta(description="The same after it.")]
    cost: Annotated[int | None, Meta(description="The actions that it wasted; below 0 where an undo saved some.")]
    verdict: Verdict
    best: Annotated[str | None, Meta(description="A best move instead, or the action itself.")]


class Review(JsonObject, frozen=True):
    """The review of a finished game."""

    shortest: Annotated[
        Distance, Meta(description="The fewest actions in which the deal can be won; null where it cannot.")
    ]
    lost_at: Annotated[int | None, Meta(description="From this version on it could not be won any more.")]
    accuracy: Annotated[float | None, Meta(description="0 to 100; docs/review.md. Null without a decision.")]
    critical: Annotated[list[int], Meta(description="The versions of the actions that lost the win or cost most.")]
    steps: list[ReviewedAction]


class GameReview(JsonObject, frozen=True):
    """A review and its progress."""

    state: Literal["pending", "done", "failed"]
    done: Annotated[int, Meta(description="How many positions are solved.")]
    total: Annotated[int, Meta(description="Of how many; 0 before the work has begun.")]
    review: Annotated[Review | None, Meta(description="Null unless `state` is `done`.")]

    @classmethod
    def of(cls, row: ReviewRow) -> GameReview:
        return msgspec.convert(
            {"state": row.state, "done": row.done, "total": row.total, "review": row.result}, GameReview
        )


class ReadReview(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "read_review",
        [
            Answer(GameReview, GameReview.of(examples.REVIEW)),
            Answer(GameReview, GameReview.of(examples.PENDING_REVIEW), 202),
        ],
        (*FOR_PLAYERS, UnknownGame, NotYours, ReviewNotYet),
    )
    def get(self, request: Request, game_id: str) -> Response:
        """Read the effect of each action of a finished game on the shortest way to the win.

        For a game of yours, or anyone's once it is public. The first request queues the review: until it is done
        the answer is 202 with the progress; ask again.
        """
        requested = request_review(game_id, self.player, timezone.now())
        status = 202 if requested.state == ReviewRow.State.PENDING else 200
        return Response(GameReview.of(requested), status=status)
