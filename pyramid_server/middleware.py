"""Middleware of the site: log and identifiers of requests, language, what caches may keep, limits, readable input."""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus
from time import perf_counter
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template import loader
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, override

from games.doors.kept_pages import hit_of
from games.doors.rest.caching import PRIVATE
from games.doors.rest.errors import handler400, too_many_requests
from games.doors.rest.throttling import count_refused, is_counted
from games.runtime import log_context, tracing
from games.runtime.addresses import address_of_request
from games.runtime.limits import seconds_to_wait
from pyramid_server import metrics

IDENTIFIERS = ("request", "player", "game")
METRICS = "/metrics"
API = "/api/"
NUL, ENCODED_NUL = "\0", "%00"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")

GetResponse = Callable[[HttpRequest], HttpResponseBase]
logger = logging.getLogger(__name__)


def identify_requests(get_response: GetResponse) -> GetResponse:
    """Give each request an identifier, for its log lines and as the header `X-Request-ID` of its answer.

    Each answer has a line at the level DEBUG, and a span where there are traces.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        identifier, began = log_context.begin(request, request.headers.get(log_context.HEADER, "")), perf_counter()
        with tracing.request_span(request.method or "", request.headers) as span:
            response = get_response(request)
            if span is not None:
                _describe(span, request, response)
        response.headers[log_context.HEADER] = identifier
        if logger.isEnabledFor(logging.DEBUG):
            taken = (perf_counter() - began) * 1000
            logger.debug("answered in %.1f ms", taken, extra={"status_code": response.status_code})
        return response

    return middleware


def readers_language(get_response: GetResponse) -> GetResponse:
    """Answer in the reader's language: the one chosen on the settings page, or else the one that the browser asks for.

    Other than with Django's own middleware, answers vary by the cookie, and it leaves none behind.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        language = get_language_from_request(request)
        with override(language):
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response

    return middleware


def keep_private(get_response: GetResponse) -> GetResponse:
    """Keep from shared caches what may be personal: each answer that sets a cookie or says nothing about caches."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        kept = response.headers.get("Cache-Control", "")
        if not kept or (response.cookies and "private" not in kept and "no-store" not in kept):
            response.headers["Cache-Control"] = PRIVATE
        return response

    return middleware


def limit_pages(get_response: GetResponse) -> GetResponse:
    """Answer an address that asks for more than `PYRAMID_PAGES_PER_MINUTE` pages with 429; files are not counted.

    The REST API has its own limit, by player, and the log another one. Prometheus, which sends its token, has none.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(API) or (request.path == METRICS and metrics.may_read(request)):
            return get_response(request)
        if wait := seconds_to_wait(hit_of(request.path, address_of_request(request))):
            page = loader.render_to_string("429.html")
            return HttpResponse(page, status=HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": str(int(wait) + 1)})
        return get_response(request)

    return middleware


def limit_refusals(get_response: GetResponse) -> GetResponse:
    """Count for its address what is refused under `/api/` before a view counts it: unknown tokens and addresses."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        is_turned_away = HTTPStatus.MULTIPLE_CHOICES <= response.status_code < HTTPStatus.INTERNAL_SERVER_ERROR
        if is_counted(request) or not is_turned_away or not request.path.startswith(API):
            return response
        verdict = count_refused(request)
        answer = too_many_requests(request, verdict.wait) if verdict.wait else response
        for name, value in verdict.headers.items():
            answer.headers[name] = value
        return answer

    return middleware


def require_readable(get_response: GetResponse) -> GetResponse:
    """Answer a request that names a NUL character with 400. JSON is read by the REST framework, which refuses it.

    No address, cookie or form of ours contains one, and none can be sent to PostgreSQL.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if _has_nul(request):
            return handler400(request, BadRequest("a NUL character"))
        return get_response(request)

    return middleware


def _describe(span: Any, request: HttpRequest, response: HttpResponseBase) -> None:
    """Describe a request by the pattern of its address: unlike a query or a link, it has no secrets."""
    route, known = log_context.route_of(request), log_context.fields()
    span.update_name(f"{request.method} /{route}")
    span.set_attribute("http.request.method", request.method)
    span.set_attribute("http.route", f"/{route}")
    span.set_attribute("http.response.status_code", response.status_code)
    for name in IDENTIFIERS:
        if name in known:
            span.set_attribute(f"pyramid.{name}", known[name])


def _has_nul(request: HttpRequest) -> bool:
    query = request.META.get("QUERY_STRING", "")
    return (
        NUL in request.path_info
        or any(nul in query for nul in (NUL, ENCODED_NUL))
        or any(NUL in value for value in request.COOKIES.values())
        or (request.content_type in FORMS and any(nul.encode() in request.body for nul in (NUL, ENCODED_NUL)))
    )
