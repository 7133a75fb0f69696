"""Entrants who are away: nobody waits for them longer than two minutes."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from games.play.models import Game, Move
from games.play.sessions import expire

AWAY_AFTER = timedelta(minutes=2)


def end_games_of_absent(now: datetime) -> int:
    """End the games of matches in which nothing has been done for two minutes from the start; return how many."""
    started = Game.objects.filter(status=Game.Status.PLAYING, started_at__lte=now - AWAY_AFTER)
    untouched = started.filter(~Exists(Move.objects.filter(game=OuterRef("pk"))))
    return expire(
        list(
            untouched.filter(racer__race__cup_match__decided_at=None)
            .exclude(racer__race__cup_match=None)
            .values_list("pk", flat=True)
        ),
        now,
    )
