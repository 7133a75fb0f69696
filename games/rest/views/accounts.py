from __future__ import annotations

from typing import cast

from django.contrib.auth import login, logout
from django.urls import reverse
from django.utils import timezone
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import AllowAny, IsAuthenticated
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
from games.kit.passwords import BACKEND
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import CHANGES, FOR_ALL, Answer, operation
from games.rest import examples
from games.rest.account_schemas import ClaimLink as LinkToClaim
from games.rest.account_schemas import Player, SignedIn, SignedOut
from games.rest.inputs.accounts import ClaimInput, RegisterInput, SignInInput, SignOutInput
from games.rest.inputs.games import NothingInput
from games.services.accounts import Wanted, claim, register, sign_in, sign_out
from games.services.claim_links import LINK_SECONDS, claim_link
from games.services.players import issue_token

CLAIM_REFUSALS = (AlreadyClaimed, BadHandle, HandleReserved, HandleTaken, NameReserved, WeakPassword)


class Claim(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "claim_account",
        Answer(Player, examples.CAROL),
        (*CHANGES, *CLAIM_REFUSALS),
        ClaimInput,
    )
    def post(self, request: Request) -> Response:
        """Turn your guest account into a named one.

        It keeps its games and scores, and your token stays valid. From the next day on you compete in `main`.
        """
        asked = self.body(ClaimInput)
        wanted = Wanted(asked["handle"], asked.get("display_name"), asked["password"])
        named = claim(self.player, wanted, request._request, timezone.now())
        if request.auth is None:
            login(request._request, named, BACKEND)
        return Response(Player.of(named))


class Register(Endpoint):
    permission_classes = [AllowAny]

    @operation(
        "register",
        Answer(SignedIn, examples.NAMED, 201),
        (*FOR_ALL, PermissionDenied, *CLAIM_REFUSALS),
        RegisterInput,
    )
    def post(self, request: Request) -> Response:
        """Get a named account in one step, with a token.

        A guest who sends a token keeps everything and has a name from now on; without one the account is new.
        """
        named = register(self.reader, self.wanted(), request._request, timezone.now())
        signed_in = issue_token(named)
        if self.reader is not None and request.auth is None:
            login(request._request, named, BACKEND)
        return Response(SignedIn.of(signed_in), status=201)

    def wanted(self) -> Wanted:
        asked = self.body(RegisterInput)
        named = asked["handle"], asked.get("display_name"), asked["password"]
        return Wanted(*named, is_bot=asked.get("is_bot", False))


class ClaimLink(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "create_claim_link", Answer(LinkToClaim, examples.CLAIM_LINK, 201), (*CHANGES, AlreadyClaimed), NothingInput
    )
    def post(self, request: Request) -> Response:
        """Get a link to the page on which this guest account is given a name and a password.

        Show it only to the person who plays: anyone who opens it can take over the account. It works once, within 15
        minutes.
        """
        self.body(NothingInput)
        path = reverse("web:claim-link", args=[claim_link(self.player)])
        return Response(LinkToClaim(request.build_absolute_uri(path), LINK_SECONDS), status=201)


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
        """Revoke the token that was sent. With a session cookie, the session ends.

        With `everywhere` all tokens, browser sessions and tickets of the account end, and its sockets are closed.
        """
        everywhere = self.body(SignOutInput).get("everywhere", False)
        token = cast(str | None, request.auth)
        ended = sign_out(self.player, token, everywhere=everywhere)
        logout(request._request)
        return Response(SignedOut(ended))
