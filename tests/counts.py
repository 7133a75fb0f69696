"""Forget what limits have counted, so that no test meets the requests of another."""

from __future__ import annotations

import math

from django.conf import settings

from games.runtime import limits
from games.runtime.limits import LocalCounter, SharedCounter


def forget_counts() -> None:
    for counter in (limits._here, limits._counters(settings.REDIS_URL)):
        forget(counter)


def forget(counter: LocalCounter | SharedCounter) -> None:
    if isinstance(counter, LocalCounter):
        counter._full_at.clear()
        return
    forget(counter._alone)
    counter._ask_again_at = -math.inf
    if keys := list(counter._redis.scan_iter(f"{limits.PREFIX}:*")):
        counter._redis.delete(*keys)
