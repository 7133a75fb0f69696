"""A limit on requests of pages, by address. The REST API has its own, by player."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template import loader

from games.runtime.addresses import address_of_request
from games.runtime.limits import Hit, seconds_to_wait

ELSEWHERE = ("/api/", "/metrics")

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def limit_pages(get_response: GetResponse) -> GetResponse:
    """Answer an address that asks for more than `PYRAMID_PAGES_PER_MINUTE` pages with 429; files are not counted."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(ELSEWHERE):
            return get_response(request)
        if wait := seconds_to_wait(Hit("pages", address_of_request(request))):
            page = loader.render_to_string("429.html")
            return HttpResponse(page, status=HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": str(int(wait) + 1)})
        return get_response(request)

    return middleware
