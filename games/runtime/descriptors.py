"""File descriptors: each connection takes one, and a process without any cannot even answer a probe."""

import os
import resource

from prometheus_client import Counter

MOST = 262_144
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


def are_scarce() -> bool:
    """Return True if only the reserve is left. A new descriptor has the lowest number that is free."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        lowest = os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return True
    os.close(lowest)
    return lowest >= soft - RESERVED


def must_refuse() -> bool:
    """Return True if a new request or socket has to be refused, which is counted."""
    is_refused = are_scarce()
    refused.inc(is_refused)
    return is_refused
