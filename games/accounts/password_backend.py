"""The one door for passwords: pages, REST and the admin sign in through this backend, which counts before it hashes."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.backends import ModelBackend
from django.core import signing
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.crypto import salted_hmac

from games.players.models import Player
from games.runtime.addresses import UNKNOWN, address_of_request
from games.runtime.kept_queries import instances_of
from games.runtime.limits import Hit, count, new_account

BACKEND = f"{__name__}.CountedPasswords"
DEVICE_COOKIE = "pyramid_device"
DEVICE_SECONDS = 365 * 24 * 60 * 60
_DEVICE_SALT = "games.device"

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class CountedPasswords(ModelBackend):
    """Sign-in with handle and password, limited in number; without `PYRAMID_PASSWORDS` in the admin alone."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> Player | None:
        """Return the player with this handle and password. Raises `Throttled` without checking either.

        Keyboards of phones begin with a capital, which no handle has.
        """
        if username is None or password is None:
            return None
        handle = username.lower()
        count_attempt(request, handle)
        player = super().authenticate(request, handle, password)
        return player if isinstance(player, Player) and (settings.PYRAMID_PASSWORDS or _is_for_admin(request)) else None

    def get_user(self, user_id: int) -> Player | None:
        """Return the player of a session, who is looked up for each page."""
        return next(filter(self.user_can_authenticate, instances_of(_with_number, user_id)), None)


def _with_number(pk: int) -> QuerySet[Player]:
    return Player.objects.filter(pk=pk)


def _is_for_admin(request: HttpRequest | None) -> bool:
    """Return True for a sign-in to the admin, which lets in staff alone; an operator always has this way."""
    return request is not None and request.path == reverse("admin:login")


def count_attempt(request: HttpRequest | None, handle: str) -> None:
    """Count an attempt to sign in. Raises `Throttled`.

    Strangers are counted by handle and address together, by address, and by handle. Browsers that have signed in with
    the handle before are counted together, and apart from others: no stranger can use up their attempts, and many
    of their cookies give no more of them.
    """
    name = sha256(handle.encode()).hexdigest()
    if request is not None and is_known_device(request, handle):
        count(Hit("sign_in", f"{name}:known"))
        return
    address = address_of_request(request) if request else UNKNOWN
    count(Hit("sign_in", f"{name}:{address}"), Hit("sign_in_address", address), Hit("sign_in_handle", name))


def count_new_password(request: HttpRequest, player: Player | None) -> None:
    """Count a password that a player sets, or that is chosen for a new account. Raises `Throttled`."""
    address = address_of_request(request)
    own = [Hit("sign_in", f"player {player.pk}")] if player else new_account(address)
    count(Hit("sign_in_address", address), *own)


def is_known_device(request: HttpRequest, handle: str) -> bool:
    """Return True for a browser that has signed in with a handle since its password was set."""
    said = _cookie_of(request)
    player = Player.objects.filter(username=handle).first() if said[:1] == [handle] else None
    return player is not None and said == _cookie_for(player)


def _cookie_of(request: HttpRequest) -> list[str]:
    """Return what the cookie of a browser says; nothing if it has none of ours."""
    try:
        said = signing.loads(request.COOKIES.get(DEVICE_COOKIE, ""), salt=_DEVICE_SALT, max_age=DEVICE_SECONDS)
    except signing.BadSignature:
        return []
    return list(said)


def _cookie_for(player: Player) -> list[str]:
    """Return what a cookie says: the handle, and what changes with the password."""
    return [player.username, salted_hmac(_DEVICE_SALT, player.password, algorithm="sha256").hexdigest()]


def remember_device(get_response: GetResponse) -> GetResponse:
    """Give a browser in which someone has signed in a cookie that says so and grants no access."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        player = getattr(request, "signed_in_as", None)
        if player is not None and _cookie_of(request) != _cookie_for(player):
            response.set_cookie(
                DEVICE_COOKIE,
                signing.dumps(_cookie_for(player), salt=_DEVICE_SALT),
                max_age=DEVICE_SECONDS,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    return middleware


def note_sign_in(sender: type, request: HttpRequest | None, user: Any, **signal: Any) -> None:
    """Mark the browser as known in the answer to a sign-in. Guests have no handle to sign in with."""
    if request is not None and isinstance(user, Player) and not user.is_guest:
        request.signed_in_as = user  # type: ignore[attr-defined]


def stay_signed_in(request: HttpRequest, player: Player) -> None:
    """Keep the session in which a player has just changed the password, and know this browser by the new one."""
    player.refresh_from_db()
    update_session_auth_hash(request, player)
    note_sign_in(Player, request, player)
