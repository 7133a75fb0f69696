"""The bots of a player: make one, make and end its tokens, delete it."""

from __future__ import annotations

from django.conf import settings
from django.utils import timezone
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.errors import (
    BadHandle,
    CannotOwnBots,
    GuestAccount,
    HandleReserved,
    HandleTaken,
    NameReserved,
    SignInFailed,
    TooManyBots,
    TooManyKeys,
    UnknownBot,
    UnknownKey,
)
from games.kit.rest.authentication import key_of
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import CHANGES, FOR_PLAYERS, Answer, operation
from games.rest import account_schemas, examples
from games.rest.account_schemas import Deleted, Keys, OwnBot, SignedIn
from games.rest.inputs.bots import NewBotInput
from games.rest.inputs.keys import NewTokenInput
from games.rest.inputs.own_data import DeleteInput
from games.services.bots import bots_of, create_bot, own_bot
from games.services.erasure import delete_own_bot
from games.services.keys import end_key, keys_of, make_token

CREATION_REFUSALS = (GuestAccount, CannotOwnBots, TooManyBots, BadHandle, HandleReserved, HandleTaken, NameReserved)


class OwnBots(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("list_own_bots", Answer(account_schemas.OwnBots, examples.OWN_BOTS), FOR_PLAYERS)
    def get(self, request: Request) -> Response:
        """List the bots that you own."""
        bots = [OwnBot.of(bot) for bot in bots_of(self.player, timezone.now())]
        return Response(account_schemas.OwnBots(bots, settings.PYRAMID_BOTS_PER_PLAYER))

    @operation(
        "create_bot",
        Answer(SignedIn, examples.NEW_BOT, 201),
        (*CHANGES, *CREATION_REFUSALS, SignInFailed),
        NewBotInput,
    )
    def post(self, request: Request) -> Response:
        """Create a bot that you own, with a token for its program.

        It has no password and no rights over your account: you make and end its tokens. Lists name you as its owner.
        """
        asked = self.body(NewBotInput)
        named = asked["handle"], asked.get("display_name")
        made = create_bot(self.player, *named, request._request, timezone.now())
        return Response(SignedIn.of(made), status=201)


class KeysOfBot(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation("list_bot_keys", Answer(Keys, examples.KEYS), (*FOR_PLAYERS, UnknownBot))
    def get(self, request: Request, handle: str) -> Response:
        """List the tokens of a bot that you own, the last used first."""
        return Response(Keys.of(keys_of(own_bot(self.player, handle)), key_of(request)))

    @operation(
        "create_bot_token",
        Answer(SignedIn, examples.NEW_BOT, 201),
        (*CHANGES, UnknownBot, TooManyKeys, SignInFailed),
        NewTokenInput,
    )
    def post(self, request: Request, handle: str) -> Response:
        """Get another token for a bot that you own, with a name."""
        asked = self.body(NewTokenInput)
        return Response(SignedIn.of(make_token(own_bot(self.player, handle), **asked)), status=201)


class OneKeyOfBot(Endpoint):
    permission_classes = [IsAuthenticated]
    http_method_names = ["delete"]

    @operation("end_bot_key", Answer(Keys, examples.KEYS), (*CHANGES, UnknownBot, UnknownKey))
    def delete(self, request: Request, handle: str, key_id: str) -> Response:
        """End a token of a bot that you own, with its tickets and sockets, and list those that are left."""
        bot = own_bot(self.player, handle)
        end_key(bot, key_id)
        return Response(Keys.of(keys_of(bot), key_of(request)))


class DeleteBot(Endpoint):
    permission_classes = [IsAuthenticated]

    @operation(
        "delete_bot",
        Answer(Deleted, Deleted("deleted-k2m8p1xz7f3q")),
        (*CHANGES, UnknownBot, SignInFailed),
        DeleteInput,
    )
    def post(self, request: Request, handle: str) -> Response:
        """Delete a bot that you own, with your password.

        Its tokens end and its unranked games are deleted; ranked ones stay under a made-up handle.
        """
        password = self.body(DeleteInput).get("password", "")
        erasure = delete_own_bot(self.player, handle, password, request._request, timezone.now())
        return Response(Deleted(erasure.player.username if erasure.player else ""))
