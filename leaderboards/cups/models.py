"""Results of cups: what the places of entrants are worth; and what reviewers decide about names of tournaments."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.cups.models import Cup, CupEntry
from leaderboards.reporting.models import NameDecision, NameReport


class CupResult(models.Model):
    """The points of an entrant of a cup, stored once it is over, since links between accounts are forgotten."""

    entry = models.OneToOneField(CupEntry, models.PROTECT, primary_key=True, related_name="result")
    points = models.PositiveSmallIntegerField(null=True, help_text="Empty: a guest, or another account of a person.")

    class Meta:
        ordering: ClassVar = ["entry"]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.points}"


class CupRemoval(models.TextChoices):
    """The part of a tournament by hand that a reviewer removes."""

    NOTHING = "nothing", _("Nothing: keep the name")
    NAME = "name", _("Remove the name")


class CupDecision(NameDecision):
    """A decision of a reviewer about the name of a tournament by hand."""

    cup = models.ForeignKey(Cup, models.PROTECT, related_name="decisions")
    removed = models.CharField(max_length=7, choices=CupRemoval)

    def __str__(self) -> str:
        return f"{self.cup_id} {self.removed}"


class CupReport(NameReport):
    """A player's report of the name of a tournament by hand, open until a reviewer has decided about it."""

    cup = models.ForeignKey(Cup, models.CASCADE, related_name="reports")
    decision = models.ForeignKey(CupDecision, models.PROTECT, related_name="reports", null=True)

    class Meta(NameReport.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["cup", "reporter"], condition=Q(decision=None), name="one_open_report_of_a_cup"
            )
        ]

    def __str__(self) -> str:
        return f"{self.reporter_id} about {self.cup_id}"
