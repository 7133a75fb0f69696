"""The signal that tells where a player came from."""

from django.dispatch import Signal

# Tells from where a signed-in player came, at most once a day, process and place: `player: int`, `address: str` and
# `device: str`, the mark of a browser; either may be empty. Receivers are called in a thread that may use the database.
player_seen = Signal()
