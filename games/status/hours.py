"""Write what the objectives have counted in this process to the table that all processes share."""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F

from games.runtime.objectives import Counted, Objective, objectives
from games.status.models import ServiceHour

WRITE_EVERY = timedelta(minutes=1)
KEPT = timedelta(days=31)


class HourBook:
    """Adds the counts of this process to the table now and then; those that cannot be written wait."""

    def __init__(self) -> None:
        self._written_at: datetime | None = None
        self._written: dict[str, Counted] = {}

    def write(self, now: datetime) -> None:
        """Write the counts if the last time is long enough ago. Raises `DatabaseError`."""
        if self._written_at is not None and abs(now - self._written_at) < WRITE_EVERY:
            return
        for objective in objectives.values():
            self._write_one(objective, now.replace(minute=0, second=0, microsecond=0))
        self._written_at = now

    def _write_one(self, objective: Objective, hour: datetime) -> None:
        counted, before = objective.counted, self._written.get(objective.name, Counted(0, 0))
        total, missed = counted.total - before.total, counted.missed - before.missed
        if total:
            _add(ServiceHour(hour=hour, objective=objective.name, total=total, missed=missed))
            self._written[objective.name] = counted


def forget_old_hours(now: datetime) -> int:
    """Delete the hours that no period on the page still includes, and return how many rows that were."""
    return ServiceHour.objects.filter(hour__lt=now - KEPT).delete()[0]


def _add(row: ServiceHour) -> None:
    rows = ServiceHour.objects.filter(hour=row.hour, objective=row.objective)
    added = {"total": F("total") + row.total, "missed": F("missed") + row.missed}
    if rows.update(**added):
        return
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:  # another process was faster
        rows.update(**added)
