"""The end of a cup, and the change that tells so."""

from datetime import datetime

from games.cups.models import Cup


def end_cup(cup: Cup, end: Cup.End, now: datetime) -> None:
    """End a cup; what was decided until then stays, and races that are running end by themselves."""
    cup.ended_at, cup.end = now, end
    cup.save(update_fields=["ended_at", "end"])
