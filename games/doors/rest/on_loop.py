"""Answer on the event loop what middleware and views have let pass before: no thread, no Django, no REST framework.

The first request with its headers goes the whole way, through everything that looks at hosts, origins, schemes, media
types and languages. If it is granted, the headers of its answer are kept, and requests that differ from it only in what
nothing on that way looks at are answered here. Whatever is uncertain or wrong is left to the view, which says so.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Any, NamedTuple

import msgspec
from django.utils.translation import override
from rest_framework.exceptions import APIException, Throttled

from games.doors.rest import errors
from games.doors.rest.bodies import StrictJSONParser, encode
from games.doors.rest.inputs import read
from games.doors.rest.throttling import hits_of
from games.doors.wire import Input
from games.runtime import log_context, tracing
from games.runtime.addresses import address_of_scope
from games.runtime.limits import counted_on_loop

MOST_KEPT, LONGEST_HEAD = 1_000, 4_096  # so that what is kept stays below a few megabytes, whatever strangers send
# Nothing but doors looks at a token, and nothing but limits and log lines at the others.
IRRELEVANT = {b"authorization", b"content-length", b"traceparent", b"user-agent", b"x-forwarded-for", b"x-request-id"}
FOR_VIEWS, PROBLEM = {b"cookie", b"idempotency-key"}, errors.PROBLEM.encode()
# Of a single answer.
OWN = {b"content-length", b"location", b"ratelimit", b"ratelimit-policy", b"x-request-id"}

Headers = list[tuple[bytes, bytes]]
Answer = tuple[int, Headers, bytes]
logger = logging.getLogger(__name__)


class Arrival(NamedTuple):
    """A request that may be answered: its validated body, its player, and what the pattern found in its address."""

    scope: dict[str, Any]
    asked: Any
    player: Any
    found: dict[str, str]


class Granted(NamedTuple):
    """The answer to a request that is granted; `location` is the address of what was made."""

    content: msgspec.Struct
    status: int = 200
    location: str = ""


class Door(NamedTuple):
    """An operation that is answered on the event loop, as its view answers it. One with `GET` takes no body.

    `player_of` returns the player who asks, without blocking, or raises an error of the REST framework, which leaves
    the request to the view. So does a body for which `suits` returns False. What `work` raises is the answer.
    `counts_for` are further limits of the address.
    """

    method: str
    address: re.Pattern[str]
    shape: type[Input]
    work: Callable[[Arrival], Awaitable[Granted]]
    player_of: Callable[[dict[str, Any]], Any] = lambda scope: None
    suits: Callable[[Any], bool] = lambda asked: True
    counts_for: tuple[str, ...] = ()


_doors: list[Door] = []
_granted: dict[tuple[object, ...], tuple[Headers, str]] = {}  # the headers of the answer, and its language


def register(door: Door) -> None:
    """Have a door answer the requests to its addresses, once the view has granted one like them."""
    _doors.append(door)


async def answer(scope: dict[str, Any], body: bytes) -> Answer | None:
    """Return the answer to a request, or None if it is left to the view."""
    known = _granted.get(_likeness(scope, body))
    if known is None or tracing.is_recording() or logger.isEnabledFor(logging.DEBUG):
        return None
    headers, language = known
    door, found = _door(scope)
    try:
        asked = read(door.shape, StrictJSONParser().parse(BytesIO(body)) if body else {})
        player = door.player_of(scope)
    except APIException:
        return None
    if not door.suits(asked):
        return None
    pk = None if player is None else player.pk
    subject = {**scope, "route": scope["path"][1:], "log_player": pk, "url_route": {"kwargs": found}}
    own = {log_context.HEADER: log_context.begin(subject, log_context.given_in(scope["headers"]))}
    with override(language):
        try:
            verdict = await counted_on_loop(*hits_of(pk, address_of_scope(scope), door.counts_for))
            own |= verdict.headers
            if verdict.wait:
                raise Throttled(wait=verdict.wait)
            content, status, location = await door.work(Arrival(scope, asked, player, found))
        except Exception as error:
            refusal = errors.refusal_of(error)
            if refusal is None:
                logger.exception("what the event loop could not answer is left to the view")
                return None
            status, text = refusal.status, encode(refusal.body)
            own |= refusal.headers
        else:
            text = encode(content)
            own |= {"Location": location} if location else {}
    own["Content-Length"] = str(len(text))
    return status, headers + [(name.encode(), value.encode("latin1")) for name, value in own.items()], text


def learn(scope: dict[str, Any], body: bytes, answered: Answer) -> None:
    """Keep the headers of an answer that a view has given, if it grants what a door may grant from now on."""
    likeness = _likeness(scope, body)
    status, headers, _ = answered
    names = {name.lower(): value for name, value in headers}
    if likeness and 200 <= status < 300 and b"set-cookie" not in names:
        if len(_granted) >= MOST_KEPT:
            _granted.clear()
        lasting = [(name, value) for name, value in headers if name.lower() not in OWN]
        _granted[likeness] = lasting, names[b"content-language"].decode()


def forget() -> None:
    """Have the next requests go the whole way again, for example because settings have changed."""
    _granted.clear()


def _door(scope: dict[str, Any]) -> tuple[Door, dict[str, str]]:
    """Return the door of an address that has one, and what is found there."""
    for door in _doors:
        if door.method == scope["method"] and (match := door.address.fullmatch(scope["path"])):
            return door, match.groupdict()
    raise LookupError(scope["path"])


def _likeness(scope: dict[str, Any], body: bytes) -> tuple[object, ...]:
    """Return all that decides whether and how a request is let pass, but the one who asks and what for.

    It is empty for a request that is always left to the view: one with cookies, a query or a long head, with nothing
    to read or a body that nobody reads, or one that accepts problems or may be sent again.
    """
    try:
        door, _ = _door(scope)
    except LookupError:
        return ()
    headers = tuple((name, value) for name, value in scope["headers"] if name not in IRRELEVANT)
    if bool(body) is (door.method == "GET") or scope["query_string"]:
        return ()
    if any(name in FOR_VIEWS or PROBLEM in value for name, value in headers):
        return ()
    if sum(len(name) + len(value) for name, value in headers) > LONGEST_HEAD:
        return ()
    server = scope.get("server") or ()
    return id(door), scope.get("scheme"), scope.get("root_path"), *server, *headers
