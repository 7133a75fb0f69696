"""Every address of the server, and what each kind of person gets there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, NamedTuple

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

TABLE = Path(__file__).parent / "doors.txt"
PEOPLE = ("anonymous", "guest", "other", "owner", "clerk", "reviewer", "superuser")
# Between two people who get the same and, where they are sent away, go to the same place, who may do more than the one
# and less than the other gets it too.
BETWEEN = {
    "guest": ("anonymous", "owner"),
    "other": ("anonymous", "superuser"),
    "clerk": ("other", "superuser"),
    "reviewer": ("other", "superuser"),
}
# A body that no door takes: people who may not come in get 401 or 403, the others 400.
NOTHING = {"GET": {}, "POST": {"no": "such field"}}
# The first tells of the export that a page has begun. The others take any body, and change what all others tell.
LAST = ["api/me/export/", "games/<slug:game_id>/again/", "account/sign-out/"]

Line = dict[str, str]


class Answer(NamedTuple):
    """The status that somebody gets, and the place to which it sends them."""

    status: int
    place: str | None


def routes(patterns: Iterable[URLPattern | URLResolver] | None = None, prefix: str = "") -> Iterator[str]:
    """Yield the address of each view, with the converters in it."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, address)
        elif "(?P" not in address:  # the admin's catch-all, and its pages of applications
            yield address


def doors() -> Iterator[tuple[str, str]]:
    """Yield the methods and routes; how the admin takes forms is Django's own."""
    for route in [*(route for route in routes() if route not in LAST), *LAST]:
        yield "GET", route
        if not route.startswith("admin/"):
            yield "POST", route


def address_of(route: str, things: dict[str, str]) -> str:
    """Return an address at which a route leads to one of some things, by the name of the argument and of the model."""
    model = "/".join(route.split("/")[1:3])
    own = {**things, "object_id": things.get(model, "1"), "pk": things.get(model, "1")}
    return "/" + re.sub(r"<\w+:(\w+)>", lambda match: own[match[1]], route)


def answers(method: str, address: str, sessions: dict[str, str | None]) -> str:
    """Return the statuses that each of the people gets, as words separated by spaces."""
    found = {person: _answer(method, address, sessions[person]) for person in PEOPLE if person not in BETWEEN}
    for person, (less, more) in BETWEEN.items():
        same = found[less] == found[more]
        found[person] = found[less] if same else _answer(method, address, sessions[person])
    return " ".join(str(found[person].status) for person in PEOPLE)


def read_table() -> Line:
    """Return the statuses by method and route, as the table has them."""
    lines = (line for line in TABLE.read_text().splitlines() if line and not line.startswith("#"))
    return {door: statuses for door, _, statuses in (line.partition(" : ") for line in lines)}


@cache
def _browser() -> Client:
    """Return a browser for all people: each new one would put the middleware together again."""
    return Client(raise_request_exception=False)


def _answer(method: str, address: str, session: str | None) -> Answer:
    browser = _browser()
    # Everybody has a device of their own: without one, every answer would give them another.
    browser.cookies = SimpleCookie({} if session is None else {"sessionid": session, "device": session[:22]})
    ask: Any = browser.get if method == "GET" else browser.post
    kind = {"content_type": "application/json"} if method == "POST" and address.startswith("/api/") else {}
    response = ask(address, NOTHING[method], **kind)
    return Answer(response.status_code, response.get("Location"))
