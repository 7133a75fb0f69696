from __future__ import annotations

from typing import cast

from django.contrib.auth import logout
from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.errors import (
    AlreadyClaimed,
    BadHandle,
    HandleReserved,
    HandleTaken,
    NameReserved,
    SignInFailed,
    WeakPassword,
)
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import CHANGES, Answer, operation
from games.rest import examples
from games.rest.inputs.accounts import ClaimInput, SignInInput, SignOutInput
from games.rest.shapes import Player, SignedIn, SignedOut
from games.services.accounts import Wanted, claim, sign_in, sign_out


class Claim(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "claim_account",
        Answer(Player, examples.CAROL),
        (*CHANGES, AlreadyClaimed, BadHandle, HandleReserved, HandleTaken, NameReserved, WeakPassword),
        ClaimInput,
    )
    def post(self, request: Request) -> Response:
        """Turn your guest account into a named one.

        It keeps its games and scores, and your token stays valid. From the next day on you compete in `main`.
        """
        asked = self.body(ClaimInput)
        wanted = Wanted(asked["handle"], asked.get("display_name"), asked["password"])
        named = claim(self.player, wanted, request._request, timezone.now())
        return Response(Player.of(named))


class SignIn(Endpoint):
    authentication_classes = []
    permission_classes = []

    @operation("sign_in", Answer(SignedIn, examples.NAMED, 201), (SignInFailed,), SignInInput)
    def post(self, request: Request) -> Response:
        """Get a token of your named account, for example on another device.

        Attempts are limited by network address and handle.
        """
        signed_in = sign_in(**self.body(SignInInput), request=request._request)
        return Response(SignedIn.of(signed_in), status=201)


class SignOut(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("sign_out", Answer(SignedOut, SignedOut(1)), CHANGES, SignOutInput)
    def post(self, request: Request) -> Response:
        """End the token that was sent. With a session cookie, the session ends.

        With `everywhere` all tokens, browser sessions and tickets of the account end, and its sockets are closed.
        """
        everywhere = self.body(SignOutInput).get("everywhere", False)
        token = cast(str | None, request.auth)
        ended = sign_out(self.player, token, everywhere=everywhere)
        logout(request._request)
        return Response(SignedOut(ended))
