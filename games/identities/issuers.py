"""The issuers that the operator trusts, each as the client that we are to it.

Four are ready: their addresses are public facts. A proxy in front of the server may be one, by a header. Every other
one speaks OpenID Connect and says its addresses itself.
"""

from __future__ import annotations

import re
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

if TYPE_CHECKING:
    from authlib.integrations.django_client import DjangoOAuth2App  # type: ignore[import-untyped]

ANSWER_SECONDS = 5
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
DISCOVERY = "/.well-known/openid-configuration"


class Issuer(NamedTuple):
    """An issuer under its name here; `profile` is the address of a player's profile where it speaks plain OAuth 2.

    One with a `header` is a proxy with one of the addresses `proxies`, which says in it who the visitor is.
    """

    name: str
    label: str
    address: str
    client_id: str = ""
    client_secret: str = ""
    scope: str = "openid profile"
    authorize: str = ""
    token: str = ""
    profile: str = ""
    header: str = ""
    proxies: tuple[IPv4Address | IPv6Address, ...] = ()

    @classmethod
    def read(cls, name: str, given: Any) -> Issuer:
        """Return an issuer as `PYRAMID_SIGN_IN_WITH` describes it. Raises `ValueError`."""
        if not re.fullmatch("[a-z0-9-]{1,32}", name) or not isinstance(given, dict):
            raise ValueError("an issuer is an object with a name")
        if not all(isinstance(value, str) and value for value in given.values()):
            raise ValueError("a property is not a text")
        return cls._of_proxy(name, given) if "header" in given else cls._of_client(name, given)

    @classmethod
    def _of_proxy(cls, name: str, given: dict[str, str]) -> Issuer:
        if {*given} | {"label"} != {"label", "header", "proxies"} or not re.fullmatch("[A-Za-z0-9-]+", given["header"]):
            raise ValueError("a proxy has a label, a header and proxies")
        proxies = tuple(ip_address(part.strip()) for part in given["proxies"].split(","))
        return cls(name, given.get("label", name), f"proxy:{name}", header=given["header"], proxies=proxies)

    @classmethod
    def _of_client(cls, name: str, given: dict[str, str]) -> Issuer:
        ready = _READY.get(name, {})
        allowed = {"client_id", "client_secret"} | (set() if ready else {"label", "issuer"})
        needed = allowed if name in _WITH_SECRET else {"client_id"}
        if {*given} - allowed or needed - {*given}:
            raise ValueError("a property is missing, or there is none of that name")
        address = given.get("issuer", "")
        if not ready and not _is_safe(address):
            raise ValueError("an issuer has an address with https")
        of_another = {"label": given.get("label", name), "address": address}
        return cls(
            name, client_id=given["client_id"], client_secret=given.get("client_secret", ""), **(ready or of_another)
        )


_READY: dict[str, dict[str, Any]] = {
    "google": {"label": "Google", "address": "https://accounts.google.com"},
    "github": {
        "label": "GitHub",
        "address": "https://github.com",
        "scope": "",
        "authorize": "https://github.com/login/oauth/authorize",
        "token": "https://github.com/login/oauth/access_token",
        "profile": "https://api.github.com/user",
    },
    "discord": {
        "label": "Discord",
        "address": "https://discord.com",
        "scope": "identify",
        "authorize": "https://discord.com/oauth2/authorize",
        "token": "https://discord.com/api/oauth2/token",
        "profile": "https://discord.com/api/users/@me",
    },
    "lichess": {
        "label": "Lichess",
        "address": "https://lichess.org",
        "scope": "",
        "authorize": "https://lichess.org/oauth",
        "token": "https://lichess.org/api/token",
        "profile": "https://lichess.org/api/account",
    },
}
_WITH_SECRET = {*_READY} - {"lichess"}  # the others give no token to a public client


def find_issuer(name: str) -> Issuer | None:
    """Return the trusted issuer with a name, or None."""
    return next((issuer for issuer in settings.PYRAMID_SIGN_IN_WITH if issuer.name == name), None)


def label_of(address: str) -> str:
    """Return what an issuer is called; its address if it is trusted no more."""
    return next((issuer.label for issuer in settings.PYRAMID_SIGN_IN_WITH if issuer.address == address), address)


def _is_safe(address: str) -> bool:
    """Return True for an address that nobody on the way can answer for: with TLS, or on this machine.

    Raises `ValueError` if its port is invalid.
    """
    url = urlsplit(address)
    is_whole = bool(url.hostname) and url.port != 0 and not re.search(r"\s", address)
    return is_whole and (url.scheme == "https" or (url.scheme == "http" and url.hostname in LOOPBACK))


@cache
def client_of(issuer: Issuer) -> DjangoOAuth2App:
    """Return the client for an issuer, which learns its addresses and keys when it first needs them."""
    from authlib.integrations.django_client import OAuth  # noqa: PLC0415  most servers trust no issuer

    options: dict[str, Any] = {"code_challenge_method": "S256", "default_timeout": ANSWER_SECONDS}
    if issuer.scope:
        options["scope"] = issuer.scope
    if not issuer.client_secret:
        options["token_endpoint_auth_method"] = "none"  # noqa: S105  a public client: PKCE stands in for a secret
    return OAuth().register(
        issuer.name,
        client_id=issuer.client_id,
        client_secret=issuer.client_secret or None,
        server_metadata_url="" if issuer.profile else issuer.address.rstrip("/") + DISCOVERY,
        authorize_url=issuer.authorize or None,
        access_token_url=issuer.token or None,
        client_kwargs=options,
    )
