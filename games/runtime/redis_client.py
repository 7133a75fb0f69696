"""Clients of one Redis, or of a Redis Cluster if the scheme of its address is `redis+cluster` or `rediss+cluster`.

A cluster runs a script only if all its keys are on one server. It places a key by the part in braces alone, so the keys
that one script needs have that part in common.
"""

from typing import Any

from redis import Redis, RedisCluster, RedisError
from redis.exceptions import RedisClusterException

CLUSTER = "+cluster"

Client = Redis | RedisCluster

REDIS_ERRORS = (RedisError, RedisClusterException, OSError)
"""The errors that any command raises if Redis cannot be used."""


def client_of(url: str, **options: Any) -> Client:
    """Return a client with some options of its connections. That of a cluster asks at once for its servers."""
    if CLUSTER in url.partition("://")[0]:
        return RedisCluster.from_url(url.replace(CLUSTER, "", 1), **options)
    return Redis.from_url(url, **options)


def within(seconds: float) -> dict[str, float]:
    """Return the options of a client that gives up an answer after some time."""
    return {"socket_timeout": seconds, "socket_connect_timeout": seconds}
