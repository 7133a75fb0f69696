"""Have an issuer say who a visitor is: authorization code with PKCE, state and nonce, by Authlib.

What comes back counts only in the browser in which it was asked for, for the same reader, once, within ten minutes, and
at the address of the issuer that was asked.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, ip_address
from threading import BoundedSemaphore
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse

from games.accounts.hashing import place_to_wait
from games.identities.issuers import Issuer, client_of
from games.identities.models import LONGEST_SUBJECT
from games.identities.refusals import IssuersBusy, ProofFailed
from games.players.readers import reader_of

logger = logging.getLogger(__name__)

SECONDS = 10 * 60
MOST_BEGUN = 5  # in one browser; tabs
MOST_WAITING = 2  # in one process, of the four places for passwords
_places = BoundedSemaphore(MOST_WAITING)
_BEGUN = "proofs_begun"
_NAMES = ("preferred_username", "login", "username", "nickname")


class Purpose(StrEnum):
    SIGN_IN = "sign-in"
    LINK = "link"
    CONFIRM = "confirm"


class Proof(NamedTuple):
    """The number of somebody at an issuer, which says so; `suggested`, a name for a new account, may be anything."""

    issuer: str
    subject: str
    suggested: str

    @property
    def stored(self) -> dict[str, str]:
        """The fields of its `Identity`."""
        return {"issuer": self.issuer, "subject": self.subject}


def address_to_prove(request: HttpRequest, issuer: Issuer, purpose: Purpose, now: datetime) -> str:
    """Return where the visitor proves who they are, and note in the session what for.

    Raises `ProofFailed` or `IssuersBusy`.
    """
    back = request.build_absolute_uri(reverse("web:sign-in-back", args=[issuer.name]))
    try:
        with _waiting():
            asked = client_of(issuer).create_authorization_url(back)
    except IssuersBusy:
        raise
    except Exception as error:  # the issuer, its answer or the line to it
        raise _failed(issuer, error) from error
    reader = reader_of(request)
    note = {
        "issuer": issuer.name,
        "purpose": purpose,
        "reader": reader.pk if reader else None,
        "at": now.timestamp(),
        "back": back,
        "verifier": asked["code_verifier"],
        "nonce": asked.get("nonce", ""),
    }
    waiting = {state: each for state, each in _begun(request).items() if is_in_time(each["at"], now)}
    newest = sorted(waiting.items(), key=lambda item: float(item[1]["at"]))[-MOST_BEGUN + 1 :]
    request.session[_BEGUN] = dict(newest) | {asked["state"]: note}
    return str(asked["url"])


@contextmanager
def _waiting() -> Iterator[None]:
    """Hold a place of those who sign in while an issuer is asked, which may not answer. Raises `IssuersBusy`."""
    with place_to_wait() as is_free:
        if not is_free or not _places.acquire(blocking=False):
            raise IssuersBusy(f"{MOST_WAITING} are waiting for an issuer already; try again in a moment")
        try:
            yield
        finally:
            _places.release()


def proof_of_proxy(request: HttpRequest, issuer: Issuer) -> Proof:
    """Return who a proxy says the visitor is. Raises `ProofFailed`, also for anyone who is not the proxy.

    Two names are none: a proxy that adds its header to the visitor's own would have the visitor choose.
    """
    name = request.headers.get(issuer.header, "").strip()
    if _peer(request) not in issuer.proxies or not 1 <= len(name) <= LONGEST_SUBJECT or "," in name:
        raise ProofFailed(f"no proxy of {issuer.name} says who you are")
    return Proof(issuer.address, name, name)


def proof_in(request: HttpRequest, issuer: Issuer, now: datetime) -> tuple[Proof, Purpose]:
    """Return who the issuer says the visitor is, and what it was asked for. Raises `ProofFailed` or `IssuersBusy`.

    Who is refused because others wait may load the page again: nothing was forgotten.
    """
    with _waiting():
        return _confirmed(request, issuer, now)


def _confirmed(request: HttpRequest, issuer: Issuer, now: datetime) -> tuple[Proof, Purpose]:
    note = _taken(request, request.GET.get("state", ""))
    reader = reader_of(request)
    if note is None or not is_in_time(note["at"], now):
        raise ProofFailed("this was not asked for in this browser within ten minutes")
    if note["issuer"] != issuer.name or note["reader"] != (reader.pk if reader else None):
        raise ProofFailed("this was asked of another issuer, or by somebody else")
    if request.GET.get("iss", issuer.address) != issuer.address:  # RFC 9207
        raise ProofFailed("another issuer answered")
    if "code" not in request.GET:
        raise ProofFailed(f"{issuer.name} did not confirm who you are")
    try:
        claims = _claims(issuer, request.GET["code"], note)
        return _proof(issuer, claims), Purpose(note["purpose"])
    except Exception as error:  # whatever a token or a profile may have in it
        raise _failed(issuer, error) from error


def is_in_time(at: float, now: datetime) -> bool:
    """Return True if something at a time, in seconds, still counts."""
    return 0 <= now.timestamp() - at < SECONDS


def _claims(issuer: Issuer, code: str, note: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what an issuer says of the owner of a code: of its signed token, or of its profile."""
    client = client_of(issuer)
    token = client.fetch_access_token(redirect_uri=note["back"], code=code, code_verifier=note["verifier"])
    if issuer.profile:
        answer = client.get(issuer.profile, token=token)
        answer.raise_for_status()
        return dict(answer.json())
    expected = {"iss": {"values": [issuer.address]}}
    return dict(client.parse_id_token(token, nonce=note["nonce"], claims_options=expected))


def _proof(issuer: Issuer, claims: Mapping[str, Any]) -> Proof:
    subject = claims["id" if issuer.profile else "sub"]
    if not isinstance(subject, str | int) or not 1 <= len(str(subject)) <= LONGEST_SUBJECT:
        raise ValueError("the issuer names nobody")
    suggested = next((claims[name] for name in _NAMES if isinstance(claims.get(name), str)), "")
    return Proof(issuer.address, str(subject), suggested)


def _failed(issuer: Issuer, error: Exception) -> ProofFailed:
    """Return the refusal, and tell the operator why: it may be a setting."""
    logger.warning("Nobody can sign in with %s just now, or somebody tried a trick: %s", issuer.name, error)
    return ProofFailed(f"{issuer.name} did not confirm who you are")


def _peer(request: HttpRequest) -> IPv4Address | IPv6Address | None:
    """Return the address from which the connection comes, whatever the request says."""
    try:
        peer = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return None
    return getattr(peer, "ipv4_mapped", None) or peer


def _begun(request: HttpRequest) -> dict[str, dict[str, Any]]:
    return dict(request.session.get(_BEGUN, {}))


def _taken(request: HttpRequest, state: str) -> dict[str, Any] | None:
    """Return what was noted under a state, and forget it: it counts once."""
    begun = _begun(request)
    note = begun.pop(state, None)
    if note is not None:
        request.session[_BEGUN] = begun
    return note
