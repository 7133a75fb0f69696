"""Requests that are too long, and other answers that no view gives: by a server while it reads, or the application."""

import re
from http import HTTPStatus
from typing import Any

import msgspec
from django.conf import settings

from games.doors.refusals import AddressTooLong, HeadersTooLarge, MessageTooLarge, Refusal

LONGEST_ADDRESS = 8192
LONGEST_HEADERS = 16384
PREFLIGHT_HEADER = b"access-control-request-method"

Answer = tuple[int, list[tuple[bytes, bytes]], bytes]


def refused(refusal: Refusal, status: int | None = None) -> Answer:
    return _answer(status or refusal.status, refusal.code, str(refusal))


def _answer(status: int, code: str, message: str) -> Answer:
    # Closed, because the rest of the request may still arrive, and would be taken for the next one. Pages of any site
    # may read the refusal, as they may all others of the API, because everyone gets the same one.
    headers = [
        (b"content-type", b"application/json"),
        (b"connection", b"close"),
        (b"access-control-allow-origin", b"*"),
    ]
    return status, headers, msgspec.json.encode({"code": code, "message": message})


TOO_LARGE = refused(MessageTooLarge(f"the body of a request has at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes"))
ADDRESS_TOO_LONG = refused(AddressTooLong(f"an address has at most {LONGEST_ADDRESS} bytes"))
MALFORMED = _answer(HTTPStatus.BAD_REQUEST, "malformed_request", "this is not a request of HTTP/1.1 to one host")
FAULT = _answer(HTTPStatus.INTERNAL_SERVER_ERROR, "server_error", "something went wrong on our side")
HEADERS_TOO_LARGE = refused(HeadersTooLarge(f"the headers of a request have at most {LONGEST_HEADERS} bytes"))


def refusal_of(scope: dict[str, Any]) -> Answer | None:
    """Return the answer to a request whose head was read although it is too long, or None."""
    if len(scope.get("raw_path") or scope["path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
        return ADDRESS_TOO_LONG
    if sum(len(name) + len(value) for name, value in scope["headers"]) > LONGEST_HEADERS:
        return HEADERS_TOO_LARGE
    return None


PREFLIGHT_ANSWER: Answer = (
    HTTPStatus.NO_CONTENT,
    [
        (b"access-control-allow-origin", b"*"),
        (b"access-control-allow-methods", ", ".join(settings.CORS_ALLOW_METHODS).encode()),
        (b"access-control-allow-headers", ", ".join(settings.CORS_ALLOW_HEADERS).encode()),
    ],
    b"",
)


def preflight_answer(scope: dict[str, Any]) -> Answer | None:
    """Return the answer to a preflight, with which a browser asks whether another site's page may send a request.

    None for other requests. If the preflight were refused too, the page could not read why its request is.
    """
    is_preflight = scope["method"] == "OPTIONS" and any(name == PREFLIGHT_HEADER for name, _ in scope["headers"])
    return PREFLIGHT_ANSWER if is_preflight and re.match(settings.CORS_URLS_REGEX, scope["path"]) else None


def as_bytes(answer: Answer) -> bytes:
    """Return an answer as HTTP/1.1 sends it."""
    status, headers, body = answer
    fields = [*headers, (b"content-length", b"%d" % len(body))]
    head = [b"HTTP/1.1 %d %s" % (status, status.phrase.encode()), *(b"%s: %s" % field for field in fields)]  # type: ignore[attr-defined]
    return b"\r\n".join([*head, b"", body])
