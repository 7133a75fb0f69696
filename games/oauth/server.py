"""The protocol of apps, by Authlib: what they ask of us, checked, and what they are answered.

Every app is a public client: PKCE with S256 takes the place of a secret.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import Any, NamedTuple

from authlib.common.urls import add_params_to_uri  # type: ignore[import-untyped]
from authlib.integrations.django_oauth2 import AuthorizationServer  # type: ignore[import-untyped]
from authlib.integrations.django_oauth2.requests import (  # type: ignore[import-untyped]
    DjangoOAuth2Payload,
    DjangoOAuth2Request,
)
from authlib.oauth2 import OAuth2Request  # type: ignore[import-untyped]
from authlib.oauth2.rfc6749 import grants  # type: ignore[import-untyped]
from authlib.oauth2.rfc6749.errors import (  # type: ignore[import-untyped]
    InvalidGrantError,
    InvalidRequestError,
    OAuth2Error,
)
from authlib.oauth2.rfc7636 import CodeChallenge  # type: ignore[import-untyped]
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE  # type: ignore[import-untyped]
from authlib.oauth2.rfc8628 import DeviceCodeGrant as AuthlibDeviceCodeGrant
from django.http import HttpRequest, HttpResponse, JsonResponse

from games.doors.scopes import FOR_APPS, Scopes, scopes_in
from games.oauth.devices import Waiting, poll
from games.oauth.granting import Issued, NotExchanged, exchange, find_voucher
from games.oauth.models import App, Voucher
from games.oauth.registering import is_address_of
from games.runtime.clock import clock

# It writes tokens to the log at the level DEBUG.
logging.getLogger("authlib").setLevel(logging.INFO)

GRANT_TYPES = ("authorization_code", "refresh_token", DEVICE_CODE_GRANT_TYPE)


class Consent(NamedTuple):
    """A question of an app to a player: where the answer goes, and what has to come with it."""

    app: App
    scopes: Scopes
    address: str
    challenge: str
    state: str


class Refused(Exception):
    """An app asks for what it cannot get; `address`, if that is its own, is where it gets the code."""

    def __init__(self, code: str, address: str, state: str) -> None:
        super().__init__(code)
        self.code, self.address, self.state = code, address, state


def issuer_of(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def consent_asked(request: HttpRequest) -> Consent:
    """Return what an app asks of the player who is sent to us. Raises `Refused`."""
    try:
        asked = _server().get_consent_grant(request, None).request
    except ValueError as error:  # Authlib cannot quote what was asked
        raise Refused("invalid_request", "", "") from error
    except OAuth2Error as error:
        raise Refused(error.error, error.redirect_uri or "", request.GET.get("state", "")) from error
    payload = asked.payload
    scopes = scopes_in(asked.scope)
    return Consent(asked.client.app, scopes, payload.redirect_uri, payload.data["code_challenge"], payload.state or "")


def answer_to(request: HttpRequest, address: str, state: str, **values: str) -> str:
    """Return the address of an app with an answer, which says who answers (RFC 9207)."""
    more = {**values, **({"state": state} if state else {}), "iss": issuer_of(request)}
    return str(add_params_to_uri(address, list(more.items())))


def token_response(request: HttpRequest) -> HttpResponse:
    """Answer an app that asks for tokens. What is in the address is in logs, so nothing counts there."""
    if request.GET:
        return refused("invalid_request")
    try:
        response: HttpResponse = _server().create_token_response(request)
    except ValueError:  # Authlib cannot quote what was asked
        return refused("invalid_request")
    return response


def refused(code: str, status: int = 400) -> JsonResponse:
    """Return an error as apps expect it."""
    return JsonResponse({"error": code}, status=status, headers={"Cache-Control": "no-store"})


def find_app(client_id: str) -> App | None:
    """Return a registered app, unless the account of its owner is closed."""
    known = App.objects.filter(owner__is_active=True).select_related("owner")
    return known.filter(pk=client_id).first() if client_id.isascii() and client_id.isalnum() else None


def scopes_for_app(text: str) -> Scopes | None:
    """Return the scopes that an app asks for; None if it asks for nothing, or for what no app gets."""
    words = text.split()
    return scopes_in(text) if words and set(words) <= set(FOR_APPS) else None


class Client:
    """An app as Authlib sees it."""

    def __init__(self, app: App) -> None:
        self.app = app

    def get_client_id(self) -> str:
        return self.app.pk

    def get_default_redirect_uri(self) -> None:
        return None

    def get_allowed_scope(self, scope: str | None) -> str | None:
        return None if scopes_for_app(scope or "") is None else scope

    def check_redirect_uri(self, address: str) -> bool:
        return is_address_of(self.app, address)

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == "none"

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in GRANT_TYPES


class Redeemed:
    """A code or refresh token as Authlib sees it."""

    code_challenge_method = "S256"

    def __init__(self, voucher: Voucher) -> None:
        self.voucher = voucher
        self.code_challenge = voucher.challenge

    def get_redirect_uri(self) -> str:
        return self.voucher.address

    def get_scope(self) -> str:
        return self.voucher.grant.scopes

    def check_client(self, client: Client) -> bool:
        return self.voucher.grant.app_id == client.app.pk


class OnlyS256(CodeChallenge):  # type: ignore[misc]
    """PKCE as OAuth 2.1 asks for it: always, and never with a plain verifier."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ("S256",)

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        if not grant.request.payload.data.get("code_challenge_method"):
            raise InvalidRequestError("Missing 'code_challenge_method'")
        super().validate_code_challenge(grant, redirect_uri)


class _Redeeming:
    """The common part of codes and refresh tokens."""

    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)

    @staticmethod
    def redeemed(text: str, client: Client, *, is_code: bool) -> Redeemed | None:
        found = find_voucher(text, client.app, clock.now(), is_code=is_code)
        return Redeemed(found) if found else None

    def authenticate_user(self, redeemed: Redeemed) -> Any:
        return redeemed.voucher.grant.player


class CodeGrant(_Redeeming, grants.AuthorizationCodeGrant):  # type: ignore[misc]
    def query_authorization_code(self, code: str, client: Client) -> Redeemed | None:
        return self.redeemed(code, client, is_code=True)

    def delete_authorization_code(self, code: Redeemed) -> None:
        """Keep it: if it comes back, everything that came of it ends."""


class RefreshGrant(_Redeeming, grants.RefreshTokenGrant):  # type: ignore[misc]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, text: str) -> Redeemed | None:
        return self.redeemed(text, self.server.query_client(self.request.payload.client_id), is_code=False)

    def revoke_old_credential(self, token: Redeemed) -> None:
        """Keep it, as a code is kept; it has been used."""


class DeviceGrant(AuthlibDeviceCodeGrant):  # type: ignore[misc]
    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)

    def validate_token_request(self) -> None:
        client = self.authenticate_token_endpoint_client()
        code = self.request.form.get("device_code")
        if not code:
            raise InvalidRequestError("Missing 'device_code' in request.")
        outcome = poll(code, client.app, clock.now())
        if isinstance(outcome, Waiting):
            raise OAuth2Error(error=outcome.value, status_code=400)
        self.request.client, self.request.issued = client, outcome

    def create_token_response(self) -> tuple[int, dict[str, Any], Any]:
        return 200, _fields(self.request.issued), self.TOKEN_RESPONSE_HEADER


class AnyTransport(DjangoOAuth2Request):  # type: ignore[misc]
    """A request that Authlib accepts over plain HTTP too: as elsewhere, TLS is up to the deployment."""

    def __init__(self, request: HttpRequest) -> None:
        OAuth2Request.__init__(self, request.method, "https://here/", headers=request.headers)
        self.payload = DjangoOAuth2Payload(request)
        self._request = request


class Server(AuthorizationServer):  # type: ignore[misc]
    """Issues the tokens that everybody else has too, for a while and for what was allowed."""

    def query_client(self, client_id: str) -> Client | None:
        app = find_app(client_id or "")
        return Client(app) if app else None

    def create_oauth2_request(self, request: HttpRequest) -> AnyTransport:
        return AnyTransport(request)

    def generate_token(self, **asked: Any) -> dict[str, Any]:
        """Return nothing yet: `save_token` knows for what."""
        return {"scope": asked["scope"]}

    def save_token(self, token: dict[str, Any], request: Any) -> None:
        redeemed: Redeemed = getattr(request, "authorization_code", None) or request.refresh_token
        try:
            issued = exchange(redeemed.voucher, scopes_in(token["scope"]), clock.now())
        except NotExchanged as error:
            raise InvalidGrantError from error
        token.update(_fields(issued))


def _fields(issued: Issued) -> dict[str, Any]:
    lasts = issued.token.expires_at - clock.now()
    return {
        "access_token": issued.token.token,
        "token_type": "Bearer",
        "expires_in": round(lasts.total_seconds()),
        "refresh_token": issued.refresh_token,
        "scope": " ".join(sorted(issued.scopes)),
    }


@cache
def _server() -> Server:
    server = Server(None, None)
    server.register_grant(CodeGrant, [OnlyS256(required=True)])
    server.register_grant(RefreshGrant)
    server.register_grant(DeviceGrant)
    return server
