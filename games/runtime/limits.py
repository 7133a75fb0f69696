"""Limits on how often an action may be requested, counted in one place for REST, sockets and pages.

A limit is the size of a burst and the time in which it refills, one request after the other: a client that has used
it up is slowed down, not locked out. It is counted atomically, in Redis for all processes together, and in
this process alone where there is no Redis or while it does not answer.
"""

import asyncio
import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from itertools import chain
from typing import NamedTuple

from django.conf import settings
from prometheus_client import Counter
from redis.commands.core import Script
from rest_framework.exceptions import Throttled

from games.runtime.addresses import site_of
from games.runtime.clock import clock
from games.runtime.gathering import Gathering
from games.runtime.per_loop import PerLoop
from games.runtime.redis_client import REDIS_ERRORS, Client, client_of, within

PREFIX = "pyramid:{limits}"  # in braces, because one script counts several limits
ANSWER_SECONDS = 0.5
PAUSE_SECONDS = 2.0
FEWEST_SWEPT = 10_000
# Times are some 10^9 seconds, and floating point has 16 digits.
ROUNDING_SECONDS = 1e-3

# What all subscribers of an IPv6 site (a /48, which has 65,536 of them) get together: so many times what one gets.
SUBSCRIBERS_OF_A_SITE = 16

# What a new account counts for, by the address that makes it.
NEW_ACCOUNT = ("guests", "guests_a_day")

logger = logging.getLogger(__name__)
refused = Counter("pyramid_limits_refused_total", "Requests, pages and sockets that a limit refused.")

# Clocks of nodes differ by less; a key that is further ahead was noted before a clock was set back.
SKEW_SECONDS = 60

# For each key, the time at which all of its limit is back (generic cell rate algorithm). Requests are counted one after
# the other; each has so many keys as the number that stands before the rates of its limits.
SCRIPT = f"""
local now, answers, key, arg = tonumber(ARGV[1]), {{}}, 0, 3
while key < #KEYS do
    local hits, wait, full_at, least, at = tonumber(ARGV[arg]), 0, {{}}, nil, 0
    for i = 1, hits do
        local most, seconds = tonumber(ARGV[arg + 2 * i - 1]), tonumber(ARGV[arg + 2 * i])
        local known = tonumber(redis.call('GET', KEYS[key + i]) or 0)
        if known > now + seconds + {SKEW_SECONDS} then known = 0 end
        full_at[i] = math.max(known, now) + seconds / most
        local left = (now + seconds - full_at[i]) * most / seconds
        if least == nil or left < least then least, at = left, i - 1 end
        wait = math.max(wait, full_at[i] - now - seconds)
    end
    if wait <= tonumber(ARGV[2]) then
        wait = 0
        for i = 1, hits do
            local milliseconds = math.ceil((full_at[i] - now) * 1000)
            redis.call('SET', KEYS[key + i], string.format('%.6f', full_at[i]), 'PX', milliseconds)
        end
    end
    answers[#answers + 1] = string.format('%.6f %d %.6f', wait, at, least)
    key, arg = key + hits, arg + 2 * hits + 1
end
return answers
"""


class Hit(NamedTuple):
    """One request, counted for a limit in `PYRAMID_LIMITS` and for the identity of its sender, who may be several."""

    limit: str
    identity: str
    times: int = 1

    @property
    def key(self) -> str:
        return f"{PREFIX}:{self.limit}:{self.identity}"

    @property
    def rate(self) -> tuple[int, int]:
        """The size of a burst, and the seconds in which it refills."""
        most, seconds = settings.PYRAMID_LIMITS[self.limit]
        return most * self.times, seconds


class Verdict(NamedTuple):
    """A request that was counted, or refused: the seconds to wait, and what is left of the limit that is nearest."""

    wait: float
    hit: Hit
    left: float  # of its burst; below 0 if it refuses

    @property
    def headers(self) -> dict[str, str]:
        """The headers of an answer for clients that slow down by themselves (draft-ietf-httpapi-ratelimit-headers)."""
        most, seconds = self.hit.rate
        again = math.ceil(self.wait or seconds / most)
        return {
            "RateLimit-Policy": f'"{self.hit.limit}";q={most};w={seconds}',
            "RateLimit": f'"{self.hit.limit}";r={max(0, math.floor(self.left + ROUNDING_SECONDS))};t={again}',
        }


def new_account(address: str) -> list[Hit]:
    """Return what a new account counts for."""
    return [Hit(limit, address) for limit in NEW_ACCOUNT]


def count(*hits: Hit) -> None:
    """Count a request for all of its limits, or for none if one is reached. Raises `Throttled`."""
    if wait := seconds_to_wait(*hits):
        raise Throttled(wait=wait)


async def counted_on_loop(*hits: Hit) -> Verdict:
    """Count on the event loop: in Redis together with all other requests that wait."""
    return await _crowd().get(hits) if settings.REDIS_URL else counted(*hits)


async def count_on_loop(*hits: Hit) -> None:
    """Count on the event loop. Raises `Throttled`."""
    if wait := (await counted_on_loop(*hits)).wait:
        raise Throttled(wait=wait)


def seconds_to_wait(*hits: Hit) -> float:
    """Count a request and return 0, or how many seconds to wait if one of its limits is reached."""
    return counted(*hits).wait


def counted(*hits: Hit) -> Verdict:
    """Count a request for all of its limits, or for none if one is reached."""
    return _counted_each([hits])[0]


def _counted_each(requests: Sequence[Sequence[Hit]]) -> list[Verdict]:
    verdicts = _counters(settings.REDIS_URL).count_each([_with_sites(hits) for hits in requests], clock.seconds())
    refused.inc(sum(verdict.wait > 0 for verdict in verdicts))
    return verdicts


async def _on_thread(count_each: Callable[..., list[Verdict]], requests: Sequence[Sequence[Hit]]) -> list[Verdict]:
    return await asyncio.get_running_loop().run_in_executor(_thread, count_each, requests)


_thread = ThreadPoolExecutor(1, thread_name_prefix="limits")
_crowd = PerLoop(lambda: Gathering(_counted_each, _on_thread))


def seconds_to_wait_here(*hits: Hit) -> float:
    """Count in this process alone, as the event loop does, which cannot wait for Redis."""
    wait = _here.count(_with_sites(hits), clock.seconds()).wait
    refused.inc(wait > 0)
    return wait


def _with_sites(hits: Sequence[Hit]) -> list[Hit]:
    """Have each hit of an IPv6 subscriber count for the site too."""
    sites = ((hit.limit, site_of(hit.identity)) for hit in hits)
    return [*hits, *(Hit(limit, site, SUBSCRIBERS_OF_A_SITE) for limit, site in sites if site)]


class LocalCounter:
    """Counts in the memory of this process. A key that is back to its full limit is dropped."""

    def __init__(self) -> None:
        self._full_at: dict[str, float] = {}
        self._lock = threading.Lock()
        self._sweep_at = FEWEST_SWEPT

    def __len__(self) -> int:
        return len(self._full_at)

    def count_each(self, requests: Sequence[Sequence[Hit]], now: float) -> list[Verdict]:
        """Count each request for all of its hits, or for none if a limit is reached."""
        return [self.count(hits, now) for hits in requests]

    def count(self, hits: Sequence[Hit], now: float) -> Verdict:
        """Count a request for all of its hits, or for none if a limit is reached."""
        with self._lock:
            wait, full_at, lefts = 0.0, [], []
            for hit in hits:
                most, seconds = hit.rate
                known = self._full_at.get(hit.key, 0.0)
                if known > now + seconds + SKEW_SECONDS:
                    known = 0.0
                full_at.append(max(known, now) + seconds / most)
                lefts.append((now + seconds - full_at[-1]) * most / seconds)
                wait = max(wait, full_at[-1] - now - seconds)
            if wait <= ROUNDING_SECONDS:
                wait = 0.0
                self._full_at.update(zip((hit.key for hit in hits), full_at, strict=True))
                if len(self._full_at) >= self._sweep_at:
                    self._sweep(now)
        least = min(lefts)
        return Verdict(wait, hits[lefts.index(least)], least)

    def _sweep(self, now: float) -> None:
        self._full_at = {key: at for key, at in self._full_at.items() if at > now}
        self._sweep_at = max(FEWEST_SWEPT, 2 * len(self._full_at))


_here = LocalCounter()


class SharedCounter:
    """Counts in Redis, in one round trip; in this process while Redis does not answer, with retries."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._alone = LocalCounter()
        self._ask_again_at = -math.inf
        self._is_up = True

    def count(self, hits: Sequence[Hit], now: float) -> Verdict:
        """Count a request for all of its hits, or for none if a limit is reached."""
        return self.count_each([hits], now)[0]

    def count_each(self, requests: Sequence[Sequence[Hit]], now: float) -> list[Verdict]:
        """Count each request for all of its hits, or for none if a limit is reached."""
        if time.monotonic() < self._ask_again_at:
            return self._alone.count_each(requests, now)
        keys = [hit.key for hits in requests for hit in hits]
        rates = [number for hits in requests for number in (len(hits), *chain(*(hit.rate for hit in hits)))]
        try:
            answers = self._script(keys, [repr(now), ROUNDING_SECONDS, *rates])
        except REDIS_ERRORS as error:
            self._report(is_up=False, error=error)
            self._ask_again_at = time.monotonic() + PAUSE_SECONDS
            return self._alone.count_each(requests, now)
        self._report(is_up=True)
        return [_verdict(hits, answer) for hits, answer in zip(requests, answers, strict=True)]

    @cached_property
    def _redis(self) -> Client:
        return client_of(self._url, **within(ANSWER_SECONDS))

    @cached_property
    def _script(self) -> Script:
        return self._redis.register_script(SCRIPT)

    def _report(self, *, is_up: bool, error: Exception | None = None) -> None:
        was_up, self._is_up = self._is_up, is_up
        if was_up and not is_up:
            logger.warning("Redis does not answer; each process keeps limits for itself: %s", error)
        elif is_up and not was_up:
            logger.warning("limits are kept for all processes together again")


def _verdict(hits: Sequence[Hit], answer: bytes) -> Verdict:
    """Read the answer of the script to a request."""
    wait, at, left = answer.split()
    return Verdict(float(wait), hits[int(at)], float(left))


@cache
def _counters(url: str) -> LocalCounter | SharedCounter:
    return SharedCounter(url) if url else LocalCounter()
