"""The bots of a player: make one, make and end its tokens, delete it."""

from django.conf import settings
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts.refusals import BadHandle, GuestAccount, HandleReserved, HandleTaken
from games.bots import wire
from games.bots.bots import bots_of, create_bot, delete_own_bot, own_bot
from games.bots.examples import NEW_BOT, OWN_BOTS
from games.bots.refusals import CannotOwnBots, TooManyBots, UnknownBot
from games.bots.wire import NewBotInput, OwnBot
from games.doors.rest.openapi import CHANGES, FOR_PLAYERS, Answer, operation
from games.doors.scopes import Scope
from games.keys.examples import KEYS
from games.keys.keys import end_key, keys_of, make_token
from games.keys.refusals import SignInFailed, TooManyKeys, UnknownKey
from games.keys.rest_authentication import key_of
from games.keys.wire import Keys, NewTokenInput, SignedIn
from games.personal_data.wire import Deleted, DeleteInput
from games.players.endpoint import PlayersEndpoint
from games.players.refusals import NameReserved
from games.runtime.clock import clock

CREATION_REFUSALS = (GuestAccount, CannotOwnBots, TooManyBots, BadHandle, HandleReserved, HandleTaken, NameReserved)


class OwnBots(PlayersEndpoint):
    @operation("list_own_bots", Answer(OWN_BOTS), FOR_PLAYERS, scope=Scope.BOTS)
    def get(self, request: Request) -> Response:
        """List the bots that you own."""
        bots = [OwnBot.of(bot) for bot in bots_of(self.player, clock.now())]
        return Response(wire.OwnBots(bots, settings.PYRAMID_BOTS_PER_PLAYER))

    @operation(
        "create_bot", Answer(NEW_BOT, 201), (*CHANGES, *CREATION_REFUSALS, SignInFailed), NewBotInput, scope=Scope.BOTS
    )
    def post(self, request: Request) -> Response:
        """Create a bot that you own, with a token for its program.

        It has no password and no rights over your account: you make and end its tokens. Lists name you as its owner.
        """
        asked = self.body(NewBotInput)
        name = asked.display_name or None
        made = create_bot(self.player, asked.handle, name, request._request, clock.now())
        return Response(SignedIn.of(made), status=201)


class KeysOfBot(PlayersEndpoint):
    @operation("list_bot_keys", Answer(KEYS), (*FOR_PLAYERS, UnknownBot), scope=Scope.BOTS)
    def get(self, request: Request, handle: str) -> Response:
        """List the tokens of a bot that you own, the last used first."""
        return Response(Keys.of(keys_of(own_bot(self.player, handle)), key_of(request)))

    @operation(
        "create_bot_token",
        Answer(NEW_BOT, 201),
        (*CHANGES, UnknownBot, TooManyKeys, SignInFailed),
        NewTokenInput,
        scope=Scope.BOTS,
    )
    def post(self, request: Request, handle: str) -> Response:
        """Get another token for a bot that you own, with a name."""
        asked = self.body(NewTokenInput)
        made = make_token(own_bot(self.player, handle), asked.name, asked.granted, self.player)
        return Response(SignedIn.of(made), status=201)


class OneKeyOfBot(PlayersEndpoint):
    @operation("end_bot_key", Answer(KEYS), (*CHANGES, UnknownBot, UnknownKey), scope=Scope.BOTS)
    def delete(self, request: Request, handle: str, key_id: str) -> Response:
        """End a token of a bot that you own, with its tickets and sockets, and list those that are left."""
        bot = own_bot(self.player, handle)
        end_key(bot, key_id)
        return Response(Keys.of(keys_of(bot), key_of(request)))


class DeleteBot(PlayersEndpoint):
    @operation("delete_bot", Answer(Deleted("deleted-k2m8p1xz7f3q")), (*CHANGES, UnknownBot, SignInFailed), DeleteInput)
    def post(self, request: Request, handle: str) -> Response:
        """Delete a bot that you own, with your password.

        Its tokens end and its unranked games are deleted; ranked ones stay under a made-up handle.
        """
        password = self.body(DeleteInput).password or ""
        erasure = delete_own_bot(self.player, handle, password, request._request, clock.now())
        return Response(Deleted(erasure.player.username if erasure.player else ""))


urlpatterns = [
    path("me/bots/", OwnBots.as_view(), name="own-bots"),
    path("me/bots/<slug:handle>/delete/", DeleteBot.as_view(), name="delete-bot"),
    path("me/bots/<slug:handle>/keys/", KeysOfBot.as_view(), name="bot-keys"),
    path("me/bots/<slug:handle>/keys/<slug:key_id>/", OneKeyOfBot.as_view(), name="bot-key"),
]
