"""The signals of games that are counted, and of players who are counted again."""

from django.dispatch import Signal

# Sent in the transaction that adds finished games to the tallies of their players, with `games: set[str]`, their ids,
# and `now: datetime`. A game may come a second time, when the par of its deal is public.
games_counted = Signal()

# Sent in the transaction that counts all games of players again, with `players: set[int]`.
players_recounted = Signal()
