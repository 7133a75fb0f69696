"""Work that a player requests and a worker does."""

from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.db import models
from django.db.models import Q, QuerySet


class Job(models.Model):
    """Work that is done once, by one worker.

    `done` of `total` parts are finished; `total` is 0 until a worker begins, at `claimed_at`. After `LEASE`, far longer
    than the work takes, its worker must have died, and another one begins again.
    """

    LEASE: ClassVar[timedelta]

    class State(models.TextChoices):
        PENDING = "pending"
        DONE = "done"
        FAILED = "failed"

    state = models.CharField(max_length=7, choices=State.choices, default=State.PENDING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    claimed_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.pk} {self.state}"

    @classmethod
    def unclaimed(cls, now: datetime) -> QuerySet[Self]:
        """Return what no worker has begun."""
        pending = cls._default_manager.filter(state=Job.State.PENDING)
        return pending.filter(Q(claimed_at=None) | Q(claimed_at__lte=now - cls.LEASE))

    def claim(self, now: datetime) -> bool:
        """Claim the work for this worker and return True, or False if another worker was first."""
        return type(self).unclaimed(now).filter(pk=self.pk).update(claimed_at=now) == 1
