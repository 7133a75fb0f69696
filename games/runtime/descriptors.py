"""File descriptors: each connection takes one, and a process without any cannot even answer a probe."""

import math
import os
import resource
from itertools import islice
from time import monotonic
from typing import Protocol

from prometheus_client import Counter

MOST = 262_144
MOST_LOOKED_AT = 1_000  # that are busy
KEPT_SECONDS = 0.1
RESERVED = 128  # for probes, the database and files, while everyone else is refused

refused = Counter(
    "pyramid_connections_refused_total", "Requests and sockets that were refused for want of descriptors."
)


def raise_limit() -> None:
    """Raise the limit of this process as far as it may; systemd and shells begin with 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class _Look:
    """The outcome of the last look at the descriptors. A look takes system calls, which no request has to pay for."""

    def __init__(self) -> None:
        self._at, self._found = -math.inf, False

    def look(self) -> bool:
        """Return True if only the reserve is left."""
        lowest, soft = _lowest_free()
        self._at, self._found = monotonic(), lowest >= soft - RESERVED
        return self._found

    def recall(self) -> bool:
        """Return what was found a moment ago: every new connection looks, and others take hardly any descriptor."""
        return self._found if monotonic() - self._at < KEPT_SECONDS else self.look()


_last = _Look()
are_scarce, were_scarce = _last.look, _last.recall


def used_ratio() -> float:
    """Return which part of them is in use."""
    lowest, soft = _lowest_free()
    return lowest / soft if soft else 1.0


def _lowest_free() -> tuple[int, int]:
    """Return the number of a new descriptor, which is the lowest that is free, and the limit; it if none is free."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        lowest = os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return soft, soft
    os.close(lowest)
    return lowest, soft


def must_refuse() -> bool:
    """Return True if a new request or socket has to be refused, which is counted."""
    is_refused = were_scarce()
    refused.inc(is_refused)
    return is_refused


class Arriving(Protocol):
    """A connection on which the next request may be late."""

    def waits_for_client(self) -> bool: ...

    def give_up(self) -> None: ...


class Arrivals:
    """The connections of a server, those first that have waited longest for a request.

    A new one that would take a descriptor of the reserve closes the first: a client that holds connections without a
    request has its own closed, and probes always find room.
    """

    def __init__(self) -> None:
        self._connections: dict[Arriving, None] = {}

    def add(self, connection: Arriving) -> None:
        """Add a connection, or have it begin to wait again."""
        is_scarce = were_scarce() if connection in self._connections else are_scarce()
        self.discard(connection)
        if is_scarce:
            self._close_first()
        self._connections[connection] = None

    def discard(self, connection: Arriving) -> None:
        """Forget a connection that is closed, or that has become a socket."""
        self._connections.pop(connection, None)

    def _close_first(self) -> None:
        for connection in islice(self._connections, MOST_LOOKED_AT):
            if connection.waits_for_client():
                self.discard(connection)
                connection.give_up()
                return
