from __future__ import annotations

from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.errors import NameReserved
from games.kit.authentication import TICKET_SECONDS, issue_ticket
from games.kit.limits import NEW_ACCOUNT
from games.kit.rest.authentication import key_of
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import CHANGES, FOR_PLAYERS, Answer, operation
from games.rest import examples
from games.rest.account_schemas import Player, SignedIn, Ticket
from games.rest.inputs.accounts import RenameInput
from games.rest.inputs.games import NothingInput
from games.rest.inputs.players import NewGuestInput
from games.services.accounts import rename
from games.services.arrivals import become_guest


class Guests(Endpoint):
    authentication_classes = []
    permission_classes = []
    counts_for = NEW_ACCOUNT

    @operation("create_guest", Answer(SignedIn, examples.GUEST, 201), (NameReserved,), NewGuestInput)
    def post(self, request: Request) -> Response:
        """Become a guest.

        Send the token with every request as `Authorization: Bearer TOKEN`. It is the only key to the account.
        """
        guest = become_guest(**self.body(NewGuestInput))
        return Response(SignedIn.of(guest), status=201)


class Me(Endpoint):
    permission_classes = [IsAuthenticated]
    http_method_names = ["get", "head", "patch"]

    @operation("read_me", Answer(Player, examples.PLAYER), FOR_PLAYERS)
    def get(self, request: Request) -> Response:
        """Read your own account."""
        return Response(Player.of(self.player))

    @operation("rename", Answer(Player, examples.CAROL), (*CHANGES, NameReserved), RenameInput)
    def patch(self, request: Request) -> Response:
        """Change your display name."""
        return Response(Player.of(rename(self.player, **self.body(RenameInput))))


class Tickets(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("create_ticket", Answer(Ticket, examples.TICKET, 201), CHANGES, NothingInput)
    def post(self, request: Request) -> Response:
        """Get a ticket that opens sockets for clients that cannot send headers.

        It is valid for a minute, for any number of sockets, unless your token or session ends before.
        """
        self.body(NothingInput)
        ticket = issue_ticket(self.player, key_of(request))
        return Response(Ticket(ticket, TICKET_SECONDS), status=201)
