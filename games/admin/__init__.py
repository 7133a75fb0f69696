"""The admin: for looking things up, and for changing a few things about players.

Staff may play too. So it tells nothing of a deal that its players could not know before nobody can play it any more.
"""

from games.admin import deals, games, players, races, tokens, worker

__all__ = ["deals", "games", "players", "races", "tokens", "worker"]
