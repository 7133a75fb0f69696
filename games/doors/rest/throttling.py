from collections.abc import Iterable

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.runtime.addresses import address_of_request
from games.runtime.limits import Hit, seconds_to_wait


def hits_of(player: int | None, address: str, limits: Iterable[str] = ()) -> list[Hit]:
    """Return what a request counts for: its player, or else its address, and further limits of the address."""
    sender = Hit("anon", address) if player is None else Hit("user", str(player))
    return [sender, *(Hit(limit, address) for limit in limits)]


class RequestLimit(BaseThrottle):
    """Counts each request for its player or address, and for the limits that the view names as `counts_for`."""

    _wait = 0.0

    def allow_request(self, request: Request, view: object) -> bool:
        hits = hits_of(request.user.pk, address_of_request(request._request), getattr(view, "counts_for", ()))
        self._wait = seconds_to_wait(*hits)
        return not self._wait

    def wait(self) -> float:
        return self._wait
