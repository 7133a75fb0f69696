"""The counts of the objectives, by the hour, and when the database was saved and its restore was rehearsed."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q


class ServiceHour(models.Model):
    """The measurements of an hour in all processes together, and those that missed the objective."""

    hour = models.DateTimeField()
    objective = models.CharField(max_length=20)
    total = models.PositiveBigIntegerField()
    missed = models.PositiveBigIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hour", "objective"], name="one_row_an_hour_and_objective"),
            models.CheckConstraint(name="what_is_missed_was_asked_for", condition=Q(missed__lte=F("total"))),
        ]

    def __str__(self) -> str:
        return f"{self.hour:%Y-%m-%d %H} {self.objective}: {self.total - self.missed} of {self.total}"


class Backup(models.Model):
    """A copy of the whole database that was made: by `manage.py backup`, or into an archive (docs/archive.md)."""

    made_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d %H:%M}"


class Rehearsal(models.Model):
    """A restore that was tried out. The row is also a mark: an archive that lacks it ends too early."""

    begun_at = models.DateTimeField()
    succeeded_at = models.DateTimeField(null=True, db_index=True)

    def __str__(self) -> str:
        return f"{self.begun_at:%Y-%m-%d %H:%M}"
