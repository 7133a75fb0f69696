"""Records of when servers were up."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q


class Uptime(models.Model):
    """An interval in which a server process was up, from its first heartbeat to its last, by its own clock."""

    since = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="uptime_ends_after_it_begins", condition=Q(until__gte=F("since")))
        ]
        indexes: ClassVar = [models.Index(fields=["until"], name="uptimes_by_end")]

    def __str__(self) -> str:
        return f"{self.since} to {self.until}"
