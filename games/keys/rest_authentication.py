"""Authentication of REST requests by bearer token."""

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from games.doors.rest.throttling import require_patience
from games.keys.authentication import key_of_session, key_of_token
from games.keys.tokens import known_holder, token_holder
from games.players.models import Player


class BearerToken(TokenAuthentication):  # type: ignore[misc]  # knox has no types
    """The token of a player in the header `Authorization: Bearer TOKEN`."""

    def authenticate(self, request: Request) -> tuple[Player, str] | None:
        self._request = request._request
        found: tuple[Player, str] | None = super().authenticate(request)
        return found

    def authenticate_credentials(self, token: bytes) -> tuple[Player, str]:
        """Return a player and the token; one that is not cached takes a query, for which its address has to be calm."""
        text = token.decode("latin1")
        player = known_holder(text)
        if player is None:
            require_patience(self._request)
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
