from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.runtime.addresses import address_of_request
from games.runtime.limits import Hit, seconds_to_wait


class RequestLimit(BaseThrottle):
    """Counts each request for its player or address, and for the limits that the view names as `counts_for`."""

    _wait = 0.0

    def allow_request(self, request: Request, view: object) -> bool:
        address = address_of_request(request._request)
        user = request.user
        hits = [Hit("user", str(user.pk)) if user.is_authenticated else Hit("anon", address)]
        hits += [Hit(limit, address) for limit in getattr(view, "counts_for", ())]
        self._wait = seconds_to_wait(*hits)
        return not self._wait

    def wait(self) -> float:
        return self._wait
