"""Refuse what no address, cookie or form of ours contains, and what cannot be sent to PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from games.doors.rest.errors import handler400

NUL, ENCODED_NUL = "\0", "%00"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def require_readable(get_response: GetResponse) -> GetResponse:
    """Answer a request that names a NUL character with 400. JSON is read by the REST framework, which refuses it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if _has_nul(request):
            return handler400(request, BadRequest("a NUL character"))
        return get_response(request)

    return middleware


def _has_nul(request: HttpRequest) -> bool:
    query = request.META.get("QUERY_STRING", "")
    return (
        NUL in request.path_info
        or any(nul in query for nul in (NUL, ENCODED_NUL))
        or any(NUL in value for value in request.COOKIES.values())
        or (request.content_type in FORMS and any(nul.encode() in request.body for nul in (NUL, ENCODED_NUL)))
    )
