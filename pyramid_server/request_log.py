"""Identifiers of requests, a line for each answer at the level DEBUG, and a span where there are traces."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from games.runtime import log_context, tracing

IDENTIFIERS = ("request", "player", "game")

logger = logging.getLogger(__name__)

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def identify_requests(get_response: GetResponse) -> GetResponse:
    """Give each request an identifier, for its log lines and as the header `X-Request-ID` of its answer."""

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
