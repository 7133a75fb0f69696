"""Ended games on their way to the boards: one thread of the process enters all that wait at once."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

from django.utils import timezone

from games.events import Placement
from games.kit.batching import BatchThread
from leaderboards.services.submission import submit


def enter(game: str) -> Future[list[Placement]]:
    """Enter an ended game on its boards together with all that wait, and return where it stands once it is there.

    A thread waits for it with `result`, an event loop with `asyncio.wrap_future`.
    """
    return _thread.submit(game)


def stop() -> None:
    """Enter what waits and close the connection; a later game opens it again."""
    _thread.stop()


def _submit(games: Sequence[str]) -> list[list[Placement]]:
    return submit(games, timezone.now())


_thread: BatchThread[str, list[Placement]] = BatchThread("scores", _submit)
