"""Counting what nobody needs often, such as attempts to sign in."""

from __future__ import annotations

import time

from rest_framework.exceptions import Throttled

from games.kit.counting import seconds_to_wait
from games.kit.rest.throttling import counted


def count_attempt(scope: str, identity: str) -> None:
    """Count one attempt; raise `Throttled` if there were too many of this scope for the identity, short ASCII text."""
    if wait := seconds_to_wait([counted(scope, identity)], time.time()):
        raise Throttled(wait=wait)
