from collections.abc import Iterable

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.runtime.addresses import address_of_request
from games.runtime.limits import Hit, Verdict, counted


def hits_of(player: int | None, address: str, limits: Iterable[str] = ()) -> list[Hit]:
    """Return what a request counts for: its player, or else its address, and further limits of the address."""
    sender = Hit("anon", address) if player is None else Hit("user", str(player))
    return [sender, *(Hit(limit, address) for limit in limits)]


def headers_of(request: HttpRequest) -> dict[str, str]:
    """Return the headers that say how much is left of the limits of a request; none if it was not counted."""
    verdict: Verdict | None = getattr(request, "counted", None)
    return verdict.headers if verdict else {}


def is_counted(request: HttpRequest) -> bool:
    return hasattr(request, "counted")


def count_refused(request: HttpRequest) -> Verdict:
    """Count a request that was refused before its view had counted it, for its address."""
    return counted(*hits_of(None, address_of_request(request)))


class RequestLimit(BaseThrottle):
    """Counts each request for its player or address, and for the limits that the view names as `counts_for`."""

    _verdict: Verdict

    def allow_request(self, request: Request, view: object) -> bool:
        hits = hits_of(request.user.pk, address_of_request(request._request), getattr(view, "counts_for", ()))
        self._verdict = request._request.counted = counted(*hits)  # type: ignore[attr-defined]  # for the answer
        return not self._verdict.wait

    def wait(self) -> float:
        return self._verdict.wait
