"""What games tell the rest of the house."""

from __future__ import annotations

from django.dispatch import Signal

# Sent after the commit that ended a game, with `game: Game`. It may be lost when the process dies at that moment, so
# receivers must be idempotent and have another way to catch up.
game_finished = Signal()
