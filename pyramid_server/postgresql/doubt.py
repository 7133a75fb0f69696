"""A question whether the database is there, for a statement that waits for long: by itself it may just be slow."""

import math
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from time import monotonic

from psycopg import Error

PAUSE_SECONDS = 2.0


class Doubt:
    """Asks in a thread of its own, one at a time and now and then; `look` connects, which breaks the silence."""

    def __init__(self, look: Callable[[], None]) -> None:
        self._look = look
        self._lock = Lock()
        self._again_at = -math.inf

    def ask(self) -> None:
        """Have someone ask, unless that is under way or was done a moment ago."""
        with self._lock:
            if monotonic() < self._again_at:
                return
            self._again_at = math.inf
        Thread(target=self._ask, name="doubt", daemon=True).start()

    def _ask(self) -> None:
        try:
            with suppress(Error):
                self._look()
        finally:
            self._again_at = monotonic() + PAUSE_SECONDS
