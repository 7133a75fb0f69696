"""Authentication of REST requests by bearer token."""

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from games.keys.authentication import key_of_session, key_of_token
from games.keys.tokens import token_holder
from games.players.models import Player


class BearerToken(TokenAuthentication):  # type: ignore[misc]  # knox has no types
    """The token of a player in the header `Authorization: Bearer TOKEN`."""

    def authenticate_credentials(self, token: bytes) -> tuple[Player, str]:
        text = token.decode("latin1")
        player = token_holder(text)
        if player is None:
            raise AuthenticationFailed("Invalid token.")
        return player, text


def key_of(request: Request) -> str:
    """Return the name of the key that a request was authenticated with."""
    if request.auth is not None:
        return key_of_token(str(request.auth))
    return key_of_session(request._request.session.session_key or "")


class BearerTokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    target_class = "games.keys.rest_authentication.BearerToken"
    name = "bearerToken"
