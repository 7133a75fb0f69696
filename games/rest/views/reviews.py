from __future__ import annotations

from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.errors import NotYours, ReviewNotYet, UnknownGame
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import FOR_PLAYERS, Answer, operation
from games.models import GameReview
from games.rest import examples
from games.rest.serializers.reviews import GameReviewSerializer
from games.services.reviews import request_review


class Review(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "read_review",
        [
            Answer(GameReviewSerializer, examples.REVIEW),
            Answer(GameReviewSerializer, examples.PENDING_REVIEW, 202),
        ],
        (*FOR_PLAYERS, UnknownGame, NotYours, ReviewNotYet),
    )
    def get(self, request: Request, game_id: str) -> Response:
        """Read the effect of each action of a finished game on the shortest way to the win.

        For a game of yours, or anyone's once it is public. The first request queues the review: until it is done
        the answer is 202 with the progress; ask again.
        """
        requested = request_review(game_id, self.player, timezone.now())
        status = 202 if requested.state == GameReview.State.PENDING else 200
        return Response(GameReviewSerializer(requested).data, status=status)
