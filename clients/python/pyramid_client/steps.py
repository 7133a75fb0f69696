"""The steps of a conversation with the server, apart from how they are taken.

A conversation is a generator that yields steps and receives their results. `blocking.py` and `asynchronous.py` take
the steps, so that the protocol is written once for both.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

LONGEST_WAIT = 30.0  # seconds
MOST_ATTEMPTS = 15  # about five minutes


@dataclass(frozen=True)
class Connect:
    """Open a socket. Its result is None."""

    address: str
    token: str


@dataclass(frozen=True)
class Send:
    """Send a text frame. Its result is None."""

    frame: bytes


@dataclass(frozen=True)
class Receive:
    """Wait for a frame, which is the result; `None` if none arrives within these seconds."""

    seconds: float | None = None


@dataclass(frozen=True)
class Disconnect:
    """Close the socket, if one is open. Its result is None."""


@dataclass(frozen=True)
class Fetch:
    """Send a request over HTTP. Its result is an `Answer`."""

    method: str
    address: str
    headers: dict[str, str]
    body: bytes | None


@dataclass(frozen=True)
class Sleep:
    """Wait. Its result is None."""

    seconds: float


@dataclass(frozen=True)
class Answer:
    """An answer over HTTP."""

    status: int
    body: bytes
    retry_after: str | None


class Lost(Exception):
    """A step failed because the connection did.

    `code` is the close code, 1006 without one, and `asked` how many seconds the server asks to wait, or 0.
    """

    def __init__(self, code: int = 1006, reason: str = "") -> None:
        super().__init__(reason or f"closed with {code}")
        self.code = code
        asked = re.fullmatch(r"retry_after_ms=(\d{1,5})", reason)
        self.asked = int(asked[1]) / 1000 if asked else 0.0


Step: TypeAlias = Connect | Send | Receive | Disconnect | Fetch | Sleep
T = TypeVar("T")
Work: TypeAlias = Generator[Step, Any, T]


def back_off(attempt: int, chance: Callable[[], float] = random.random) -> float:
    """Return how long to wait before an attempt, 1, 2, 3 ..., in seconds, with jitter."""
    longest: float = min(LONGEST_WAIT, 2.0 ** (attempt - 1))
    return longest * (0.5 + chance() / 2)
