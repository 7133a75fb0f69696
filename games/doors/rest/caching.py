"""HTTP caching: how long an answer is fresh, and 304 for a client that has it already."""

import hashlib
from typing import NamedTuple

import msgspec
from django.http import HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from rest_framework.request import Request

from games.doors.rest.bodies import encode

PRIVATE = "private, no-cache"
ASK_AGAIN = "public, no-cache"
JSON = "application/json"
FOR_GOOD = "public, max-age=604800, immutable"
# Answers that differ only in this field have the same ETag.
LEFT_OUT = {"server_now"}
VARY = ["Authorization", "Accept-Language", "Cookie", "origin", "Accept"]  # django-cors-headers writes origin so


class Prepared(NamedTuple):
    """An answer as bytes, with its ETag and cache directives."""

    etag: str
    content: bytes
    cache_control: str


def conditional(request: Request, body: msgspec.Struct, cache_control: str) -> HttpResponse:
    """Answer with a body, or with 304 if the client sends its ETag in `If-None-Match`."""
    return respond(request, prepare(body, cache_control))


def prepare(body: msgspec.Struct, cache_control: str) -> Prepared:
    """Make an answer of a body. Its ETag is weak, the same for bodies that differ only in `server_now`."""
    content = encode(body)
    timeless = dict.fromkeys(LEFT_OUT.intersection(body.__struct_fields__))
    lasting = encode(msgspec.structs.replace(body, **timeless)) if timeless else content
    return Prepared(f'W/"{hashlib.sha256(lasting).hexdigest()[:32]}"', content, cache_control)


def respond(request: Request, answer: Prepared) -> HttpResponse:
    """Send a prepared answer, or 304 if the client sends its ETag in `If-None-Match`."""
    is_known = knows(request.headers.get("If-None-Match", ""), answer.etag)
    response = HttpResponseNotModified() if is_known else HttpResponse(answer.content, JSON)
    response.headers["ETag"] = answer.etag
    response.headers["Cache-Control"] = answer.cache_control
    patch_vary_headers(response, VARY)
    return response


def knows(if_none_match: str, etag: str) -> bool:
    """Return True if an `If-None-Match` header contains an ETag, compared weakly."""
    known = parse_etags(if_none_match)
    return known == ["*"] or etag.removeprefix("W/") in {tag.removeprefix("W/") for tag in known}
