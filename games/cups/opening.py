"""The opening of a cup: the qualification, or the draw of a tournament by hand."""

from datetime import datetime, timedelta

from games.cups.drawing import draw
from games.cups.ending import end_cup
from games.cups.models import Cup
from games.cups.qualification import open_qualification
from games.cups.signups import seeded

MOST_LATE = timedelta(minutes=1)
MOVED_BY = timedelta(minutes=10)
MOST_MOVED = timedelta(hours=1)


def open_cup(cup: Cup, now: datetime) -> None:
    """Open a cup. If the time has passed it is moved, so that all can come; or cancelled."""
    if now - cup.announced_for > MOST_MOVED:
        end_cup(cup, Cup.End.SERVER_DOWN, now)
    elif now - cup.opens_at > MOST_LATE:
        cup.opens_at = now.replace(second=0, microsecond=0) + MOVED_BY
        cup.save(update_fields=["opens_at"])
    elif cup.is_by_hand:
        draw(cup, seeded(cup), now)
    else:
        open_qualification(cup, now)
