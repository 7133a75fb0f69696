"""Entrants who are away: nobody waits for them longer than two minutes."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from games.play.models import Game, Move
from games.play.sessions import expire
from games.races.models import Racer

AWAY_AFTER = timedelta(minutes=2)


def end_games_of_absent(cup_id: str, now: datetime) -> int:
    """End the games of a cup's matches in which nothing has been done for two minutes from the start.

    Return how many.
    """
    playing = Racer.objects.filter(race__cup_match__cup=cup_id, race__cup_match__decided_at=None)
    started = playing.filter(game__status=Game.Status.PLAYING, game__started_at__lte=now - AWAY_AFTER)
    untouched = started.filter(~Exists(Move.objects.filter(game=OuterRef("game"))))
    return expire([game for game in untouched.values_list("game", flat=True) if game], now)
