"""The common columns of reports of names, and of decisions about them."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.players.lookalikes import LONGEST_NAME, LONGEST_SKELETON
from games.players.models import Player

LONGEST_TEXT = 500


class NameDecision(models.Model):
    """A decision of a reviewer about something that has a name, and what stood there. Each table is append-only."""

    class Reason(models.TextChoices):
        """The reason for a removal, as the one who gave the name reads it."""

        INSULTING = "insulting", _("It insults or threatens people.")
        PRIVATE = "private", _("It contains personal data of somebody.")
        ADVERTISING = "advertising", _("It advertises something.")
        MISLEADING = "misleading", _("It pretends to be of somebody else.")

    reason = models.CharField(max_length=11, choices=Reason, blank=True)
    text = models.CharField(max_length=LONGEST_TEXT, blank=True, help_text="For colleagues.")
    name = models.CharField(max_length=LONGEST_NAME, help_text="The name before.")
    name_key = models.CharField(max_length=LONGEST_SKELETON, db_index=True)
    by = models.ForeignKey(Player, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        abstract = True
        ordering: ClassVar = ["-pk"]


class NameReport(models.Model):
    """A player's report of a name, open until a reviewer has decided."""

    reporter = models.ForeignKey(Player, models.CASCADE, related_name="%(class)ss")
    text = models.CharField(max_length=LONGEST_TEXT, blank=True)
    at = models.DateTimeField()

    class Meta:
        abstract = True
        ordering: ClassVar = ["pk"]
