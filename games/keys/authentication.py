"""Authenticate by bearer token, ticket or browser session, and revoke those keys.

A ticket opens sockets for a client that cannot send headers, such as a browser's WebSocket. It is void as soon as
the key that it was issued for is revoked.
"""

import re
from collections.abc import Collection
from functools import partial
from hashlib import sha256
from importlib import import_module
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth import get_user
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, parse_cookie
from knox.crypto import hash_token
from knox.models import AuthToken

from games.keys.models import BrowserSession
from games.keys.tokens import awaited_holder, forget_tokens, holder_of_hash, known_holder
from games.players.models import Player
from games.runtime.clock import clock
from games.runtime.pubsub import pubsub
from games.runtime.threads import run_in_db_thread

REVOKED = "revoked"
SESSION_KEY = re.compile("[a-z0-9]{8,40}")
TICKET_SECONDS = 60  # a client uses it at once, and its address is written to logs of proxies
_TICKET_SALT = "games.ticket"
_OF_TOKEN, _OF_SESSION = "token:", "session:"  # kinds of keys, no keys


class Visitor(NamedTuple):
    """The player who opened a socket, None if unknown, and the name of the key they used, which grants no access.

    The key is empty if it is unknown.
    """

    player: Player | None
    key: str = ""

    @property
    def identity(self) -> tuple[int, str]:
        """The primary key of a player who is known, and the name of the key."""
        assert self.player is not None  # noqa: S101
        return self.player.pk, self.key

    @property
    def has_session(self) -> bool:
        """True for a browser in which the player is signed in."""
        return self.key.startswith(_OF_SESSION)


NOBODY = Visitor(None)


async def visitor_of(scope: dict[str, Any]) -> Visitor:
    """Return the visitor who opens a socket: nobody if a token or ticket is invalid, even if there is a session.

    A cached token needs no query, and others are looked up together.
    """
    if (token := bearer_token(scope)) is not None:
        player = known_holder(token) or await awaited_holder(token)
        return Visitor(player, key_of_token(token)) if player is not None else NOBODY
    if (ticket := _ticket(scope)) is not None:
        return await run_in_db_thread(ticket_holder, ticket)
    return await run_in_db_thread(_session_user, scope)


def key_of_token(token: str) -> str:
    return key_of_hash(hash_token(token))


def key_of_hash(digest: str) -> str:
    return f"{_OF_TOKEN}{digest}"


def key_of_session(session_key: str) -> str:
    return f"{_OF_SESSION}{sha256(session_key.encode()).hexdigest()}"


def issue_ticket(player: Player, key: str = "") -> str:
    """Return a signed text that opens sockets for `TICKET_SECONDS`, or until the key is revoked."""
    return signing.dumps([player.pk, key, stamp_of(player)], salt=_TICKET_SALT)


def ticket_holder(ticket: str) -> Visitor:
    """Return the visitor that a ticket was issued to, with its key; nobody if it is forged, expired or void."""
    try:
        pk, key, stamp = signing.loads(ticket, salt=_TICKET_SALT, max_age=TICKET_SECONDS)
    except signing.BadSignature:
        return NOBODY
    if key.startswith(_OF_TOKEN):
        return Visitor(holder_of_hash(key.removeprefix(_OF_TOKEN)), key)
    player = Player.objects.filter(pk=pk, is_active=True).first()
    is_good = player is not None and stamp == stamp_of(player) and (not key or _has_session(player, key))
    return Visitor(player, key) if is_good else NOBODY


def _has_session(player: Player, key: str) -> bool:
    sessions = BrowserSession.objects.filter(player=player).values_list("pk", flat=True)
    return any(key_of_session(session_key) == key for session_key in sessions)


def stamp_of(player: Player) -> str:
    """Return what changes with the password, and when all sessions of a player are ended."""
    return player.get_session_auth_hash()[:16]


def revoke(player: Player, key: str | None = None) -> None:
    """Close the sockets that a player opened with a key, or all of them, in every process, after the commit.

    Before it the key still opens sockets.
    """
    forget_tokens(player.pk)
    transaction.on_commit(partial(pubsub().publish, REVOKED, {"player": player.pk, "key": key}), robust=True)


def revoked_among(visitors: Collection[tuple[int, str]]) -> set[tuple[int, str]]:
    """Return the identities of those visitors who have lost access since they were identified."""
    now = clock.now()
    players = set(Player.objects.filter(pk__in={pk for pk, _ in visitors}, is_active=True).values_list("pk", flat=True))
    tokens = AuthToken.objects.filter(user__in=players, expiry__gte=now).values_list("digest", flat=True)
    sessions = BrowserSession.objects.filter(player__in=players, expire_date__gte=now).values_list("pk", flat=True)
    keys = {"", *map(key_of_hash, tokens), *map(key_of_session, sessions)}
    return {(pk, key) for pk, key in visitors if pk not in players or key not in keys}


def _session_user(scope: dict[str, Any]) -> Visitor:
    cookies = parse_cookie(_header(scope, b"cookie") or "")
    request = HttpRequest()
    session_key = cookies.get(settings.SESSION_COOKIE_NAME)
    if session_key is None or not SESSION_KEY.fullmatch(session_key):
        return NOBODY
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(request)
    return Visitor(user, key_of_session(session_key)) if isinstance(user, Player) else NOBODY


def bearer_token(scope: dict[str, Any]) -> str | None:
    """Return the token of a request or handshake; None without credentials, empty if they are of another kind."""
    if (header := _header(scope, b"authorization")) is None:
        return None
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _ticket(scope: dict[str, Any]) -> str | None:
    tickets = parse_qs(scope["query_string"].decode("latin1"), keep_blank_values=True).get("ticket")
    return tickets[0] if tickets else None


def _header(scope: dict[str, Any], wanted: bytes) -> str | None:
    return next((value.decode("latin1") for name, value in scope["headers"] if name == wanted), None)
