"""How often something has happened: exact limits, in Redis for all processes or, without it, in this one.

Of each thing that is counted the last times are kept, as many as are allowed: the oldest of them decides.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, cast

from django.conf import settings
from redis import Redis, RedisError
from redis.commands.core import Script

logger = logging.getLogger(__name__)

TIMEOUT_SECONDS = 2
MOST_COUNTED = 10_000  # things, in the memory of a process

COUNT = """
local wait = 0
for i = 1, #KEYS do
    local most, seconds, now = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1]), tonumber(ARGV[1])
    local oldest = redis.call('LINDEX', KEYS[i], most - 1)
    if oldest and tonumber(oldest) > now - seconds then
        wait = math.max(wait, tonumber(oldest) + seconds - now)
    else
        redis.call('LPUSH', KEYS[i], ARGV[1])
        redis.call('LTRIM', KEYS[i], 0, most - 1)
        redis.call('EXPIRE', KEYS[i], math.ceil(seconds) + 1)
    end
end
return tostring(wait)
"""


class Counted(NamedTuple):
    """Something that may happen so often in so many seconds; `name` is short ASCII text."""

    name: str
    most: int
    seconds: int


def seconds_to_wait(things: Sequence[Counted], now: float) -> float:
    """Count what happens now, each thing unless there was too much of it; return how long to wait, 0 if all may happen.

    Nothing is counted while Redis does not answer: that must not keep anyone from playing.
    """
    if not settings.REDIS_URL:
        return max(_count_here(thing, now) for thing in things)
    limits = [limit for thing in things for limit in (thing.most, thing.seconds)]
    try:
        answer = _script(settings.REDIS_URL)([f"pyramid:count:{thing.name}" for thing in things], [now, *limits])
    except RedisError as error:
        logger.warning("requests are not counted, Redis does not answer: %s", error)
        return 0.0
    return float(cast(bytes, answer))


def forget_counts() -> None:
    """Forget what this process has counted."""
    _logs.clear()


@cache
def _script(url: str) -> Script:
    client = Redis.from_url(url, socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS)
    return client.register_script(COUNT)


_logs: OrderedDict[str, deque[float]] = OrderedDict()  # the least recently used first
_lock = threading.Lock()


def _count_here(thing: Counted, now: float) -> float:
    with _lock:
        log = _logs.get(thing.name)
        if log is None or log.maxlen != thing.most:
            log = _logs[thing.name] = deque(log or (), thing.most)
        _logs.move_to_end(thing.name)
        if len(_logs) > MOST_COUNTED:
            _logs.popitem(last=False)
        if len(log) == thing.most and log[0] > now - thing.seconds:
            return log[0] + thing.seconds - now
        log.append(now)
        return 0.0
