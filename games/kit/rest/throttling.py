"""How often a client may ask: each player, each address of those who are not signed in, and less for some views."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING

from rest_framework.throttling import BaseThrottle, SimpleRateThrottle

from games.kit.counting import Counted, seconds_to_wait
from games.models.players import Player

if TYPE_CHECKING:  # views import this, by its name in the settings
    from rest_framework.request import Request
    from rest_framework.views import APIView

SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}


class Limits(BaseThrottle):
    """Counts a request for whoever asks, and for the `throttle_scope` of its view, all at once."""

    _wait = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the request and return whether it may be answered."""
        is_player = isinstance(request.user, Player)
        identity = str(request.user.pk) if is_player else self.get_ident(request)
        scopes = ["user" if is_player else "anon"]
        if (own := getattr(view, "throttle_scope", None)) is not None:
            scopes.append(own)
        self._wait = seconds_to_wait([counted(scope, identity) for scope in scopes], time.time())
        return not self._wait

    def wait(self) -> float:
        """Return for how many seconds a client that was refused has to wait."""
        return self._wait


def counted(scope: str, identity: str) -> Counted:
    """Return what is counted of a scope, by the rate of the settings, for an identity, short ASCII text."""
    return Counted(f"{scope}:{identity}", *_limit(SimpleRateThrottle.THROTTLE_RATES[scope]))


@cache
def _limit(rate: str) -> tuple[int, int]:
    """Return how many in how many seconds a rate such as `30/hour` allows."""
    most, _, period = rate.partition("/")
    return int(most), SECONDS[period]
