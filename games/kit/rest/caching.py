"""HTTP caching: how long an answer is fresh, and 304 for a client that has it already."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from rest_framework.request import Request
from rest_framework.response import Response

PRIVATE = "private, no-cache"
ASK_AGAIN = "public, no-cache"
FOR_GOOD = "public, max-age=604800, immutable"
# Answers that differ only in this field have the same ETag.
LEFT_OUT = {"server_now"}


def conditional(request: Request, body: Mapping[str, Any], cache_control: str) -> HttpResponseBase:
    """Answer with a body, or with 304 if the client sends its ETag in `If-None-Match`."""
    etag = etag_of(body)
    response: HttpResponseBase = HttpResponseNotModified() if _is_known(etag, request) else Response(body)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = cache_control
    patch_vary_headers(response, ["Authorization", "Cookie"])
    return response


def etag_of(body: Mapping[str, Any]) -> str:
    """Return a weak ETag, the same for bodies that differ only in `server_now`."""
    told = {name: value for name, value in body.items() if name not in LEFT_OUT}
    return f'W/"{hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]}"'


def _is_known(etag: str, request: Request) -> bool:
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return known == ["*"] or etag.removeprefix("W/") in {tag.removeprefix("W/") for tag in known}
