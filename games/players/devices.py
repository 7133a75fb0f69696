"""The origin of signed-in players: their network, and an identifier of ours in the browser. Nothing is stored here.

The identifier is random and says nothing about anybody. It is set and read only for a session: a program that has a
player's token could send that of another account with it, and so make two strangers one person. The receivers of
`players_seen` decide what to keep of both.

`games.accounts.password_backend` sets a cookie of its own: signed, about one handle, and lasting for a year. This one
names nobody, is the same for all accounts of a browser, and ends with the traces made of it. In one cookie, what keeps
others from locking somebody out would also be what links accounts.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable, Sequence
from datetime import date
from threading import Lock
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DatabaseError
from django.dispatch import Signal
from django.http import HttpRequest, parse_cookie
from django.http.response import HttpResponseBase

from games.players.models import Player
from games.runtime.addresses import UNKNOWN, address_of_request, address_of_scope
from games.runtime.clock import clock
from games.runtime.gathering import Gathering
from games.runtime.per_loop import PerLoop

COOKIE = "device"
LOOPBACK = ("127.", "::/64")
MOST_REPORTED = 10_000
_MARK = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)

# Tells from where signed-in players came, each at most once a day, process and place: `visits: Sequence[Seen]`.
# Receivers are called in a thread that may use the database.
players_seen = Signal()

_reported: set[Seen] = set()
_reporting = Lock()

logger = logging.getLogger(__name__)

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def device_mark(get_response: GetResponse) -> GetResponse:
    """Report where a player came from, and give a browser with a session its identifier."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        # Who asked, where a view has found out; nobody is looked up for this.
        known = request.__dict__
        player, has_session = known.get("_cached_user", known.get("user")), "_cached_user" in known
        if type(player) is Player:
            mark = _mark_of(request.COOKIES) if has_session else ""
            if not mark and has_session:
                mark = secrets.token_urlsafe(16)
                _set_mark(response, mark)
            seen = _seen(player, address_of_request(request), mark)
            if _is_new(seen):
                _send([seen])
        return response

    return middleware


async def tell_of_visit(player: Player, scope: dict[str, Any], *, has_session: bool = False) -> None:
    """Report where a player opened a socket from, or sent a request, together with all others that wait."""
    cookies = next((value.decode("latin1") for name, value in scope["headers"] if name == b"cookie"), "")
    mark = _mark_of(parse_cookie(cookies)) if has_session else ""
    seen = _seen(player, address_of_scope(scope), mark)
    if _is_new(seen):
        await _visits().get(seen)


class Seen(NamedTuple):
    """A player's visit on a day, from a network, with the mark of a browser; either may be empty."""

    player: int
    address: str
    device: str
    day: date


def _seen(player: Player, address: str, mark: str) -> Seen:
    """Return what to report; this machine's own address, or none, says nothing."""
    is_known = address != UNKNOWN and not address.startswith(LOOPBACK)
    return Seen(player.pk, address if is_known else "", mark, clock.now().date())


def _is_new(seen: Seen) -> bool:
    """Return True the first time in this process, which forgets all of them once they are many.

    A visit from nowhere leaves nothing to store.
    """
    if not (seen.address or seen.device):
        return False
    with _reporting:
        if seen in _reported:
            return False
        if len(_reported) >= MOST_REPORTED:
            _reported.clear()
        _reported.add(seen)
    return True


def _send(visits: Sequence[Seen]) -> Sequence[None]:
    """Report visits; what the database could not take is reported at the next ones."""
    try:
        players_seen.send(Player, visits=visits)
    except DatabaseError as error:
        with _reporting:
            _reported.difference_update(visits)
        players = ", ".join(str(seen.player) for seen in visits)
        logger.warning("where the players %s came from is stored at the next visit: %s", players, error)
    return [None] * len(visits)


_visits = PerLoop(lambda: Gathering(_send))


def _mark_of(cookies: dict[str, str]) -> str:
    mark = cookies.get(COOKIE, "")
    return mark if _MARK.fullmatch(mark) else ""


def _set_mark(response: HttpResponseBase, mark: str) -> None:
    response.set_cookie(
        COOKIE,
        mark,
        max_age=settings.PYRAMID_TRACE_DAYS * 24 * 60 * 60,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
