from __future__ import annotations

from typing import cast

from django.contrib.auth import logout
from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from games.errors import AlreadyClaimed, BadHandle, HandleReserved, HandleTaken, SignInFailed, WeakPassword
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import CHANGES, Answer, operation
from games.rest import examples
from games.rest.serializers.accounts import ClaimInput, SignInInput, SignOutInput
from games.rest.shapes import Player, SignedIn, SignedOut
from games.services.accounts import claim, sign_in, sign_out


class Claim(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "claim_account",
        Answer(Player, examples.CAROL),
        (*CHANGES, AlreadyClaimed, BadHandle, HandleReserved, HandleTaken, WeakPassword),
        ClaimInput,
    )
    def post(self, request: Request) -> Response:
        """Turn your guest account into a named one.

        It keeps its games and scores, and your token stays valid. From the next day on you compete in `main`.
        """
        asked = self.body(ClaimInput)
        named = claim(self.player, asked["handle"], asked.get("display_name"), asked["password"], timezone.now())
        return Response(Player.of(named))


class SignIn(Endpoint):
    authentication_classes = []
    permission_classes = []

    @operation("sign_in", Answer(SignedIn, examples.NAMED, 201), (SignInFailed,), SignInInput)
    def post(self, request: Request) -> Response:
        """Get a token of your named account, for example on another device.

        Attempts are limited per network address and per handle.
        """
        address = BaseThrottle().get_ident(request)
        return Response(SignedIn.of(sign_in(**self.body(SignInInput), address=address)), status=201)


class SignOut(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("sign_out", Answer(SignedOut, SignedOut(1)), CHANGES, SignOutInput)
    def post(self, request: Request) -> Response:
        """Revoke the token of this request, or all of your tokens. With a session cookie, end the session."""
        everywhere = self.body(SignOutInput).get("everywhere", False)
        token = cast(str | None, request.auth)
        ended = sign_out(self.player, token, everywhere=everywhere)
        logout(request._request)
        return Response(SignedOut(ended))
