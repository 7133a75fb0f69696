"""HTTP caching: how long an answer is fresh, and 304 for a client that has it already."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from django.http import HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from rest_framework.request import Request

from games.kit.rest.rendering import encode

PRIVATE = "private, no-cache"
ASK_AGAIN = "public, no-cache"
JSON = "application/json"
FOR_GOOD = "public, max-age=604800, immutable"
# Answers that differ only in this field have the same ETag.
LEFT_OUT = {"server_now"}


def conditional(request: Request, body: msgspec.Struct | Mapping[str, Any], cache_control: str) -> HttpResponse:
    """Answer with a body, or with 304 if the client sends its ETag in `If-None-Match`."""
    etag = etag_of(body)
    response = HttpResponseNotModified() if _is_known(etag, request) else HttpResponse(encode(body), JSON)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = cache_control
    patch_vary_headers(response, ["Authorization", "Cookie"])
    return response


def etag_of(body: msgspec.Struct | Mapping[str, Any]) -> str:
    """Return a weak ETag, the same for bodies that differ only in `server_now`."""
    names = body.__struct_fields__ if isinstance(body, msgspec.Struct) else body
    timeless = dict.fromkeys(LEFT_OUT.intersection(names))
    if isinstance(body, msgspec.Struct):
        told: object = msgspec.structs.replace(body, **timeless) if timeless else body
    else:
        told = {**body, **timeless}
    return f'W/"{hashlib.sha256(encode(told)).hexdigest()[:32]}"'


def _is_known(etag: str, request: Request) -> bool:
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return known == ["*"] or etag.removeprefix("W/") in {tag.removeprefix("W/") for tag in known}
