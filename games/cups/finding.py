"""Find cups, by their identifiers and by the letters of tournaments by hand."""

from games.cups.models import Cup
from games.cups.refusals import UnknownCup
from games.players.models import Player
from games.races.circles import is_inside
from games.runtime.limits import Hit, count


def find_cup(cup_id: str) -> Cup:
    """Return a cup. Raises `UnknownCup`."""
    cup = Cup.objects.select_related("qualification", "host").filter(pk=cup_id).first()
    if cup is None:
        raise UnknownCup(f"there is no cup {cup_id!r}")
    return cup


def require_seen(cup: Cup, reader: Player | None) -> None:
    """Raise `UnknownCup` for a tournament of a circle that the reader is not in."""
    if cup.circle and not is_inside(cup.circle, reader):
        raise UnknownCup(f"there is no cup {cup.pk!r}, or it is for members of a club")


def find_by_code(code: str, address: str, reader: Player | None) -> Cup:
    """Return the tournament with these letters, unless it is over; every try counts.

    Raises `UnknownCup` or `Throttled`.
    """
    count(Hit("cup_codes", address))
    cup = Cup.objects.select_related("host").filter(code=code.upper(), ended_at=None).exclude(code="").first()
    if cup is None:
        raise UnknownCup("there is no tournament with these letters, or it is over")
    require_seen(cup, reader)
    return cup
