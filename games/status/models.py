"""The counts of the objectives, by the hour."""

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
