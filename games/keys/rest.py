from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.openapi import CHANGES, FOR_PLAYERS, Answer, operation
from games.keys import examples
from games.keys.keys import end_key, keys_of, make_token
from games.keys.refusals import SignInFailed, TooManyKeys, UnknownKey
from games.keys.rest_authentication import key_of
from games.keys.wire import Keys, NewTokenInput, SignedIn
from games.players.endpoint import PlayersEndpoint


class OwnKeys(PlayersEndpoint):
    @operation("list_keys", Answer(examples.KEYS), FOR_PLAYERS)
    def get(self, request: Request) -> Response:
        """List your browser sessions and tokens, the last used first."""
        return Response(Keys.of(keys_of(self.player), key_of(request)))

    @operation("create_token", Answer(examples.NAMED, 201), (*CHANGES, TooManyKeys, SignInFailed), NewTokenInput)
    def post(self, request: Request) -> Response:
        """Get another token with a name, such as for a bot; with `scopes`, a limited one."""
        asked = self.body(NewTokenInput)
        return Response(SignedIn.of(make_token(self.player, asked.name, asked.granted)), status=201)


class OneKey(PlayersEndpoint):
    @operation("end_key", Answer(examples.KEYS), (*CHANGES, UnknownKey))
    def delete(self, request: Request, key_id: str) -> Response:
        """End a session or a token of yours, with its tickets and sockets, and list those that are left."""
        end_key(self.player, key_id)
        return Response(Keys.of(keys_of(self.player), key_of(request)))


urlpatterns = [
    path("me/keys/", OwnKeys.as_view(), name="keys"),
    path("me/keys/<slug:key_id>/", OneKey.as_view(), name="key"),
]
