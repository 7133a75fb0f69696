"""What games tell the rest of the house."""

from __future__ import annotations

from django.dispatch import Signal

# Sent after the commit that ended a game, with `game: str`, its id. It may be lost when the process dies at that
# moment, so receivers must be idempotent and have another way to catch up. It may come from an event loop, so they do
# not block: what takes time they begin elsewhere and return as a `concurrent.futures.Future`, and the sender waits.
game_finished = Signal()
