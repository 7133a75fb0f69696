from __future__ import annotations

from django.conf import settings
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from games.rest import examples
from games.rest.endpoint import Endpoint
from games.rest.openapi import CHANGES, FOR_PLAYERS, Answer, operation
from games.rest.serializers.accounts import RenameInput
from games.rest.serializers.games import NothingInput
from games.rest.serializers.players import NewGuestInput, PlayerSerializer, SignedInSerializer, TicketSerializer
from games.services.accounts import rename
from games.services.players import create_guest, issue_ticket


class Guests(Endpoint):
    authentication_classes = []
    permission_classes = []
    throttle_classes = [*Endpoint.throttle_classes, ScopedRateThrottle]
    throttle_scope = "guests"

    @operation("create_guest", Answer(SignedInSerializer, examples.GUEST, 201), (), NewGuestInput)
    def post(self, request: Request) -> Response:
        """Become a guest.

        Send the token with every request as `Authorization: Bearer TOKEN`. It is the only key to the account.
        """
        guest = create_guest(**self.body(NewGuestInput))
        return Response(SignedInSerializer(guest).data, status=201)


class Me(Endpoint):
    permission_classes = [IsAuthenticated]
    http_method_names = ["get", "head", "patch"]

    @operation("read_me", Answer(PlayerSerializer, examples.ALICE), FOR_PLAYERS)
    def get(self, request: Request) -> Response:
        """Read who you are."""
        return Response(PlayerSerializer(self.player).data)

    @operation("rename", Answer(PlayerSerializer, examples.CAROL), CHANGES, RenameInput)
    def patch(self, request: Request) -> Response:
        """Change the name that others see."""
        return Response(PlayerSerializer(rename(self.player, **self.body(RenameInput))).data)


class Tickets(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("create_ticket", Answer(TicketSerializer, examples.TICKET, 201), CHANGES, NothingInput)
    def post(self, request: Request) -> Response:
        """Get a ticket for opening sockets where no header can be sent.

        Good for a minute, as often as needed.
        """
        self.body(NothingInput)
        ticket = {"ticket": issue_ticket(self.player), "expires_in": settings.PYRAMID_TICKET_SECONDS}
        return Response(TicketSerializer(ticket).data, status=201)
