from __future__ import annotations

from typing import cast

from django.contrib.auth import logout
from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from games.errors import AlreadyClaimed, BadHandle, HandleReserved, HandleTaken, SignInFailed, WeakPassword
from games.rest import examples
from games.rest.endpoint import Endpoint
from games.rest.openapi import CHANGES, Answer, operation
from games.rest.serializers.accounts import ClaimInput, SignedOutSerializer, SignInInput, SignOutInput
from games.rest.serializers.players import PlayerSerializer, SignedInSerializer
from games.services.accounts import claim, sign_in, sign_out


class Claim(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "claim_account",
        Answer(PlayerSerializer, examples.CAROL),
        (*CHANGES, AlreadyClaimed, BadHandle, HandleReserved, HandleTaken, WeakPassword),
        ClaimInput,
    )
    def post(self, request: Request) -> Response:
        """Make your guest account a named one.

        It keeps its games and scores, and your token stays good. From the next day on you compete in `main`.
        """
        asked = self.body(ClaimInput)
        named = claim(self.player, asked["handle"], asked.get("display_name"), asked["password"], timezone.now())
        return Response(PlayerSerializer(named).data)


class SignIn(Endpoint):
    authentication_classes = []
    permission_classes = []

    @operation("sign_in", Answer(SignedInSerializer, examples.NAMED, 201), (SignInFailed,), SignInInput)
    def post(self, request: Request) -> Response:
        """Get a token of your named account, for example on another device.

        Attempts are limited by network address and by handle.
        """
        address = BaseThrottle().get_ident(request)
        return Response(SignedInSerializer(sign_in(**self.body(SignInInput), address=address)).data, status=201)


class SignOut(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("sign_out", Answer(SignedOutSerializer, {"tokens": 1}), CHANGES, SignOutInput)
    def post(self, request: Request) -> Response:
        """End the token that was sent, or all of yours. With a session cookie, the session ends."""
        everywhere = self.body(SignOutInput).get("everywhere", False)
        token = cast(str | None, request.auth)
        ended = sign_out(self.player, token, everywhere=everywhere)
        logout(request._request)
        return Response(SignedOutSerializer({"tokens": ended}).data)
