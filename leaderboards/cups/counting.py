"""Count the results of cups that are over: each once, and linked accounts as one person."""

from collections.abc import Callable, Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef

from games.cups.models import Cup, CupEntry
from games.races.people import persons_of
from leaderboards.cups.models import CupResult
from leaderboards.cups.points import points

# What other subjects do with the players who got points, in the transaction that counts their cup.
awarders: list[Callable[[Collection[int], datetime], None]] = []


def count_cups(now: datetime) -> int:
    """Count the cups of the programme that are over and not counted yet, and return how many this call counted."""
    counted = CupResult.objects.filter(entry__cup=OuterRef("pk"), entry__seed=1)
    waiting = Cup.objects.filter(~Exists(counted), end=Cup.End.COMPLETED, code="").order_by("ended_at", "pk")
    return sum(_count(cup_id, now) for cup_id in list(waiting.values_list("pk", flat=True)))


@transaction.atomic
def _count(cup_id: str, now: datetime) -> bool:
    """Store the results of a cup, or return False if another process was first."""
    cup = Cup.objects.select_for_update(no_key=True).get(pk=cup_id)
    if CupResult.objects.filter(entry__cup=cup).exists():
        return False
    entries = list(cup.entries.select_related("player").order_by("division", "place"))
    best = _best_of_persons(entries)
    ranks = {entry.pk: rank for rank, entry in enumerate(best, 1)}
    CupResult.objects.bulk_create(
        CupResult(entry=entry, points=points(ranks[entry.pk], len(best)) if entry.pk in ranks else None)
        for entry in entries
    )
    for award in awarders:
        award([entry.player_id for entry in best], now)
    return True


def _best_of_persons(entries: Collection[CupEntry]) -> list[CupEntry]:
    """Return the first entry of each person, given entries in their order; guests are nobody."""
    claimed = [entry for entry in entries if not entry.player.is_guest]
    persons = persons_of([entry.player for entry in claimed])
    best: dict[int, CupEntry] = {}
    for entry in claimed:
        best.setdefault(persons[entry.player_id], entry)
    return list(best.values())
