"""The newest lists, and an account's place on them."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from django.db.models import OuterRef, Subquery

from leaderboards.detectors.naming import NAMED_SHARE, Naming
from leaderboards.moderation.evidence_models import KeptList, Listing


class Standing(NamedTuple):
    """An account's value on the newest list of a detector, 0 if it is not even watched, and the bar to be named."""

    day: date
    bar: float
    value: float

    @property
    def times(self) -> float:
        """The value in relation to what a place on the list takes."""
        return self.value / self.bar

    @property
    def is_named(self) -> bool:
        return self.value >= self.bar


def newest_day() -> date | None:
    """Return the last day with lists."""
    return KeptList.objects.order_by("-day").values_list("day", flat=True).first()


def standings_of(player: int | None) -> dict[str, Standing]:
    """Return the standing of an account on each of the newest lists, by detector."""
    newest = KeptList.objects.order_by("-day").values("day")[:1]
    own = Listing.objects.filter(list=OuterRef("pk"), player=player).values("value")
    lists = KeptList.objects.filter(day=Subquery(newest)).annotate(value=Subquery(own))
    return {one.detector: Standing(one.day, one.as_judged.named.bar, one.value or 0.0) for one in lists}


def bar_of(detector: str, standings: Mapping[str, Standing]) -> float:
    """Return the value from which on the newest list names an account; a single one, if there is no list yet."""
    known = standings.get(detector)
    return known.bar if known else Naming(accounts=1, named=0, share=NAMED_SHARE).bar
