"""Results of cups: what the places of entrants are worth."""

from typing import ClassVar

from django.db import models

from games.cups.models import CupEntry


class CupResult(models.Model):
    """The points of an entrant of a cup, stored once it is over, since links between accounts are forgotten."""

    entry = models.OneToOneField(CupEntry, models.PROTECT, primary_key=True, related_name="result")
    points = models.PositiveSmallIntegerField(null=True, help_text="Empty: a guest, or another account of a person.")

    class Meta:
        ordering: ClassVar = ["entry"]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.points}"
