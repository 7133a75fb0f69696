"""The programme of cups: what is announced, and for when."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from games.cups.models import Cup
from games.cups.slots import Slot

AHEAD = timedelta(days=2)


def announce(slots: Iterable[Slot], now: datetime) -> None:
    """Write down the cups of the next days that are not yet; safe in several workers at once."""
    known = set(
        Cup.objects.filter(announced_for__gt=now).values_list("announced_for", "rules", "for_bots")
    )  # a query without a write, every second
    cups = [cup for slot in slots for cup in _next_of(slot, now)]
    new = [cup for cup in cups if (cup.announced_for, cup.rules, cup.for_bots) not in known]
    if new:
        Cup.objects.bulk_create(new, ignore_conflicts=True)


def _next_of(slot: Slot, now: datetime) -> Iterator[Cup]:
    at = datetime.combine(now.astimezone(UTC).date(), slot.at, UTC)
    for opens_at in (at + timedelta(days=days) for days in range(AHEAD.days + 1)):
        if now < opens_at <= now + AHEAD:
            yield Cup(
                rules=slot.rules,
                for_bots=slot.for_bots,
                announced_for=opens_at,
                opens_at=opens_at,
                qualify_s=slot.qualify_s,
                limit_s=slot.limit_s,
            )
