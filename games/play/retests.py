"""Games of retests, as far as games know them: who may follow one, and when its time is up.

A retest belongs to moderation, which registers its answers here. Its deals are made for one player alone: they are
never shared, never public, and count nowhere.
"""

from collections.abc import Callable
from datetime import datetime

from games.play.models import Game
from games.players.models import Player

followers: list[Callable[[Game, Player], bool]] = []
"""Functions that return True for a reader who supervises a game of a retest."""
deadlines: list[Callable[[Game], datetime | None]] = []
"""Functions that return the time at which the sitting of a game of a retest ends."""
addresses: list[Callable[[Game, bool], str]] = []
"""Functions that return the path of the page about a game's retest, for its player or for a reviewer."""


def may_follow(game: Game, reader: Player | None) -> bool:
    """Return True if a reader may see what the player of a game sees, because the reader supervises its retest."""
    return game.deal.is_of_retest and reader is not None and any(asked(game, reader) for asked in followers)


def ends_at(game: Game) -> datetime | None:
    """Return the time at which the sitting of a game ends, None if nobody knows of it."""
    return next((at for asked in deadlines if (at := asked(game)) is not None), None)


def address(game: Game, *, is_own: bool) -> str:
    """Return the path of the page about a game's retest, for its player or for a reviewer; "" if nobody knows it."""
    return next((path for asked in addresses if (path := asked(game, is_own))), "")
