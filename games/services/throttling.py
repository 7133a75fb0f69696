"""Limit actions that nobody needs often, such as attempts to sign in."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import Throttled
from rest_framework.throttling import SimpleRateThrottle


class _Counter(SimpleRateThrottle):
    """A throttle for one scope and one identity, shared by REST, sockets and pages."""

    def __init__(self, scope: str, identity: str) -> None:
        self.scope = scope
        self._identity = identity
        super().__init__()

    def get_cache_key(self, request: Any, view: Any) -> str:
        return self.cache_format % {"scope": self.scope, "ident": self._identity}


def count_attempt(scope: str, identity: str) -> None:
    """Count an attempt. Raises `Throttled` after too many in a scope by an identity, which is a short ASCII text."""
    counter: Any = _Counter(scope, identity)
    if not counter.allow_request(None, None):
        raise Throttled(wait=counter.wait())
