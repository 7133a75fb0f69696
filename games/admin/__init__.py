"""The admin: for looking things up, and for changing a few things about players.

Staff may play too, so as long as a deal can be played the admin shows nothing about it that its players may not know.
"""

from games.admin import deals, games, players, races, tokens, worker

__all__ = ["deals", "games", "players", "races", "tokens", "worker"]
