from __future__ import annotations

from typing import Any

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed


class BearerToken(TokenAuthentication):  # type: ignore[misc]  # knox has no types
    """Knox's token, except that one which is no text is wrong like any other instead of a fault."""

    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        if not token.isalnum():
            raise AuthenticationFailed("Invalid token.")
        credentials: tuple[Any, Any] = super().authenticate_credentials(token)
        return credentials


class BearerTokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    target_class = "games.rest.authentication.BearerToken"
    name = "bearerToken"
