"""The OpenAPI document, which is the same for everyone and is made once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework import exceptions
from rest_framework.request import Request

from games.doors.rest.errors import body_of
from games.doors.rest.openapi import OR_SCOPE, SCOPE
from games.doors.scopes import FOR_APPS, MEANINGS

# The groups of endpoints in the order of use: the first parts of their addresses, and what a group is for.
GROUPS = {
    "Start": (
        ("guests", "register", "sign-in", "sign-out", "tickets", "password-reset"),
        "Become a guest or sign in: the answer has the token that all other requests take.",
    ),
    "Daily deals": (("daily", "programme"), "The deals of today and of past days, and the commitments to coming ones."),
    "Games": (("games", "deals"), "Start games, play and resign them, read their records and analyses."),
    "Puzzles": (("puzzles",), "Positions in which one of several removals keeps the win; attempts are judged."),
    "Races": (
        ("races", "ratings", "cups"),
        "Rooms in which several race on one deal, past races, ratings, and cups.",
    ),
    "Score tables": (
        ("boards", "seasons", "leagues", "bots"),
        "Ranks, neighbours, the players that you follow, seasons with their honours, leagues, and the bots.",
    ),
    "Clubs": (("clubs",), "Found, join and lead clubs, and read the tables of their members."),
    "Rules and players": (
        ("rules", "players", "achievements"),
        "The rule sets, and statistics and achievements of players.",
    ),
    "Your account": (("me",), "Name, password, keys, your data, and what was decided about your scores."),
    "Reference": (
        ("days", "transparency", "errors", "status"),
        "Proofs of results, moderation in figures, the codes of errors, how the server is.",
    ),
}
INTRODUCTION = """\
Everything that a player can do, as JSON over HTTP. New here? The [tutorial](/docs/tutorial/) leads from nothing to a
bot in three steps; the [guide](/docs/rest-api/) explains what this list cannot. Whole games are played faster over the
[live protocol](/docs/live-protocol/), a WebSocket with [messages of its own](/docs/asyncapi/).

To try it here: *POST /api/guests/*, *Try it out*, *Execute*; copy the `token` from the answer into *Authorize*.

**Limits.** {user} requests a minute with a token, {anon} a minute from one address without; {guests} new guests an
hour and {guests_a_day} a day from one address; {practice} practice games a day; {sign_in} passwords an hour for one
handle from one address. Beyond a limit the answer is `429` with `too_many_requests`, and `Retry-After` has the seconds
to wait; `RateLimit` and `RateLimit-Policy` say with every answer how much is left of the limit that is nearest. Clients
that accept `application/problem+json` get errors so (RFC 9457). [All limits](/docs/limits/),
[all codes of errors](/api/errors/).
"""


TOKEN, APP = "bearerToken", "oauth2"

# What stands in addresses. Whatever does not fit leads nowhere.
PARTS: dict[str, dict[str, Any]] = {
    **{
        name: {"pattern": "^[a-zA-Z0-9_-]+$"}
        for name in (
            *("game_id", "deal_id", "race_id", "cup_id", "puzzle_id", "run_id", "retest_id", "handle", "key_id"),
            *("club_id", "duel_id"),
        )
    },
    **{name: {"minimum": 0} for name in ("tier", "group", "number", "subscription")},
}


# The errors of an address that leads nowhere, and of one that cannot be read.
OF_ADDRESSES = exceptions.NotFound("there is nothing here"), exceptions.ParseError()


def describe_addresses(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """Say of each part of an address what can stand there, and what the answer is if something else does."""
    for operations in result["paths"].values():
        for operation in operations.values():
            parts = [parameter for parameter in operation.get("parameters", ()) if parameter["in"] == "path"]
            for part in parts:
                part["schema"] |= PARTS.get(part["name"], {"minLength": 1})
            for error in OF_ADDRESSES if parts else ():
                _announce(operation["responses"], error)
    return result


def name_scopes(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """Say in the security of each operation which scope a token needs for it, and how an app gets one."""
    for operations in result["paths"].values():
        for operation in operations.values():
            scopes = [operation[name] for name in (SCOPE, OR_SCOPE) if name in operation]
            if "security" in operation:
                operation["security"] = [*_keys(operation["security"], scopes)]
    result["components"]["securitySchemes"][APP] = {
        "type": "oauth2",
        "description": "A token that a player allows an app: see [Apps](/docs/apps/), also for the code of a device.",
        "flows": {"authorizationCode": {**_addresses_for_apps(), "scopes": {s: str(MEANINGS[s]) for s in FOR_APPS}}},
    }
    return result


def _keys(keys: Iterable[dict[str, list[str]]], scopes: Sequence[str]) -> Iterator[dict[str, list[str]]]:
    """Yield the keys of which each is enough; where no scope is named, any token is."""
    for key in keys:
        for rights in [[scope] for scope in scopes] or [[]]:
            yield {TOKEN: rights} if TOKEN in key else key
            if TOKEN in key and set(rights) <= set(FOR_APPS):
                yield {APP: rights}


def _addresses_for_apps() -> dict[str, str]:
    token = reverse("web:app-token")
    return {"authorizationUrl": reverse("web:consent"), "tokenUrl": token, "refreshUrl": token}


def _announce(responses: dict[str, Any], error: exceptions.APIException) -> None:
    """Add an error that happens before a request reaches the operation."""
    body, status = body_of(error), str(error.status_code)
    nothing = {"schema": {"$ref": "#/components/schemas/Refusal"}, "examples": {}}
    response = responses.setdefault(status, {"content": {"application/json": nothing}, "description": ""})
    examples = response["content"]["application/json"]["examples"]
    examples[body["code"].title().replace("_", "")] = {"value": body, "summary": body["code"]}
    response["description"] = ", ".join(f"`{example['summary']}`" for example in examples.values())


def introduce(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """Put the introduction, with the limits of this server, and the groups in their order into the document."""
    limits = {name: most for name, (most, _) in settings.PYRAMID_LIMITS.items()}
    result["info"]["description"] = INTRODUCTION.format(**limits)
    for path, operations in result["paths"].items():
        first = path.removeprefix("/api/").partition("/")[0]
        group = next(title for title, (parts, _) in GROUPS.items() if first in parts)
        for operation in operations.values():
            operation["tags"] = [group]
    result["tags"] = [{"name": title, "description": purpose} for title, (_, purpose) in GROUPS.items()]
    return result


class Compact(OpenApiJsonRenderer2):
    """The document as JSON without indentation; as YAML it would take four times as long to write."""

    def get_indent(self, accepted_media_type: str, renderer_context: Mapping[str, Any]) -> None:
        return None


class Schema(SpectacularAPIView):
    """Answers with the document; nothing else in a request makes a difference."""

    authentication_classes = []
    renderer_classes = [Compact, OpenApiJsonRenderer]  # by their media types alone

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        with ONE_AT_A_TIME:
            written = document()
        return HttpResponse(written, content_type=request.accepted_renderer.media_type)


ONE_AT_A_TIME = Lock()  # the generator collects schemas in globals, and fails while another one does


@cache
def document() -> bytes:
    """Return the OpenAPI document, in English, as JSON. Threads have to take turns."""
    with override("en"):  # else the reader who is the first would choose the language of the examples
        schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    written: bytes = Compact().render(schema, renderer_context={})
    return written
