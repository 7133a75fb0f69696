"""Signals through which other apps learn about games, so that games never imports them."""

from __future__ import annotations

from typing import NamedTuple

from django.dispatch import Signal


class Placement(NamedTuple):
    """The place of a finished game on a score table: its rank, and the number of entries."""

    board: str
    rank: int
    of: int


# Sent after the commit that ended a game, with `game: str`, its id. It is lost if the process dies at that moment,
# so receivers must be idempotent and have another way to catch up. It may be sent from an event loop, so receivers
# must not block: they start their work elsewhere and return a `concurrent.futures.Future` of a list of `Placement`.
game_finished = Signal()

# Asks for the places of a finished game, with `game: Game`. Receivers return a list of `Placement`.
placements_wanted = Signal()

# Asks for the parts of a player's page that belong to other apps, with `player: Player`. Receivers return the HTML of a
# section, "" for none.
profile_wanted = Signal()

# Asks for the parts of the page of a shared deal that belong to other apps, with `deal: Deal`. Receivers return the
# HTML of a section, "" for none.
deal_page_wanted = Signal()

# Tells from where a signed-in player came, at most once a day, process and place: `player: int`, `address: str` and
# `device: str`, the mark of a browser; either may be empty. Receivers are called in a thread that may use the database.
player_seen = Signal()

# Sent in the transaction that adds finished games to the tallies of their players, with `games: set[str]`, their ids,
# and `now: datetime`. A game may come a second time, when the par of its deal is public.
games_counted = Signal()

# Sent in the transaction that counts all games of players again, with `players: set[int]`.
players_recounted = Signal()
