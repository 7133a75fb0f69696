"""The silence of the database: it is slow until it has answered nobody for a while, and only then gone."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

# A busy machine takes seconds for a connection, and a process that gives up has to begin again.
GONE_SECONDS = 5.0


class Silence:
    """The seconds in which somebody waited and nobody was answered. A process that asks nothing notices nothing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asking = 0
        self._before = 0.0
        self._since = 0.0
        self._broken_at = 0.0

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Count the time of the block, unless the database answers anyone meanwhile."""
        with self._lock:
            self._count()
            self._asking += 1
        try:
            yield
        finally:
            with self._lock:
                self._count()
                self._asking -= 1

    def end(self) -> None:
        """Note an answer to anyone."""
        with self._lock:
            self._before = 0.0
            self._broken_at = self._since = monotonic()

    def ended_since(self, moment: float) -> bool:
        """Return True if anyone was answered after a time of the monotonic clock."""
        return self._broken_at > moment

    @property
    def means_gone(self) -> bool:
        with self._lock:
            self._count()
            return self._before >= GONE_SECONDS

    def _count(self) -> None:
        now = monotonic()
        if self._asking:
            self._before += now - self._since
        self._since = now


silence = Silence()
