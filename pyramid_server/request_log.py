"""Identifiers of requests, and a line for each answer at the level DEBUG."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from games.kit import log_context

logger = logging.getLogger(__name__)

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def identify_requests(get_response: GetResponse) -> GetResponse:
    """Give each request an identifier, for its log lines and as the header `X-Request-ID` of its answer."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        identifier, began = log_context.begin(request, request.headers.get(log_context.HEADER, "")), perf_counter()
        response = get_response(request)
        response.headers[log_context.HEADER] = identifier
        if logger.isEnabledFor(logging.DEBUG):
            taken = (perf_counter() - began) * 1000
            logger.debug("answered in %.1f ms", taken, extra={"status_code": response.status_code})
        return response

    return middleware
