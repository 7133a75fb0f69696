"""Find a player by handle."""

from __future__ import annotations

from games.players.models import Player
from games.players.refusals import UnknownPlayer


def find_player(handle: str) -> Player:
    """Return a player by handle. Raises `UnknownPlayer`, also for a closed account."""
    player = Player.objects.filter(username=handle, is_active=True).first()
    if player is None:
        raise UnknownPlayer(f"there is no player {handle!r}")
    return player
