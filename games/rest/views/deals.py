from __future__ import annotations

from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.errors import DealNotYet, TooManyGames, TooManyOpenGames, UnknownDeal
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import CHANGES, FOR_ALL, Answer, location, operation
from games.rest import examples, shapes
from games.rest.serializers.deals import SharedDealSerializer
from games.rest.serializers.games import NothingInput
from games.rest.views.games import started
from games.services.shared_deals import find_deal, practise_deal, shared_deal


class OneDeal(Endpoint):
    @operation("read_deal", Answer(SharedDealSerializer, examples.SHARED_DEAL), (*FOR_ALL, UnknownDeal, DealNotYet))
    def get(self, request: Request, deal_id: str) -> Response:
        """Read about a deal of a past day, or of a practice game that has ended.

        The answer does not contain its cards, because the deal can still be played.
        """
        shared = shared_deal(find_deal(deal_id), self.reader, timezone.now())
        return Response(SharedDealSerializer(shared).data)


class GamesOnDeal(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "practise_deal",
        Answer(shapes.Game, examples.GAME_SHAPE, 201),
        (*CHANGES, UnknownDeal, DealNotYet, TooManyGames, TooManyOpenGames),
        NothingInput,
        [location(of="the game")],
    )
    def post(self, request: Request, deal_id: str) -> Response:
        """Start a practice game on a shared deal, or on today's once your ranked attempts have ended."""
        self.body(NothingInput)
        return started(practise_deal(self.player, find_deal(deal_id), timezone.now()))
