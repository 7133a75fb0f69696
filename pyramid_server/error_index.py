"""`/api/errors/`: every code of an error with its status and meaning, as docs/errors.md has them."""

import re
from functools import cache
from typing import Annotated

from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.openapi import FOR_ALL, Answer, operation
from games.doors.scopes import Scope
from games.doors.wire import Code, JsonObject
from games.players.endpoint import Endpoint
from pyramid_server.documents import FOLDER

STATUS = re.compile(r"^## (\d{3})\b(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(\w+)` \| (\*live\* )?(.+) \|$", re.MULTILINE)


class ErrorCode(JsonObject, frozen=True):
    """A code that errors have over REST and on sockets."""

    code: Annotated[Code, Meta(description="It never changes its meaning.")]
    status: Annotated[int, Meta(ge=400, le=599, description="The HTTP status that comes with it over REST.")]
    is_live: Annotated[bool, Meta(description="It occurs on sockets only.")]
    meaning: str


class ErrorCodes(JsonObject, frozen=True):
    """All codes of errors."""

    errors: list[ErrorCode]


@cache
def error_codes() -> list[ErrorCode]:
    page = (FOLDER / "errors.md").read_text(encoding="utf-8")
    return [
        ErrorCode(code, int(status), bool(live), meaning)
        for status, section in STATUS.findall(page)
        for code, live, meaning in ROW.findall(section)
    ]


class ListErrorCodes(Endpoint):
    @operation(
        "list_errors",
        Answer(ErrorCodes([ErrorCode("game_over", 409, False, "The game has ended, or its time has run out")])),
        FOR_ALL,
        scope=Scope.READ,
    )
    def get(self, request: Request) -> Response:
        """List the codes of errors, with their statuses and meanings."""
        return Response(ErrorCodes(error_codes()))
