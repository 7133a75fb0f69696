from __future__ import annotations

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed

from games.models import Player
from games.services.players import token_holder


class BearerToken(TokenAuthentication):  # type: ignore[misc]  # knox has no types
    """The token of a player in the header `Authorization: Bearer TOKEN`."""

    def authenticate_credentials(self, token: bytes) -> tuple[Player, str]:
        text = token.decode("latin1")
        player = token_holder(text)
        if player is None:
            raise AuthenticationFailed("Invalid token.")
        return player, text


class BearerTokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    target_class = "games.rest.authentication.BearerToken"
    name = "bearerToken"
