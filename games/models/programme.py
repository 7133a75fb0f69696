"""Programmes set by operators."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Max

from games.deals.programme import Programme, ProgrammeError
from games.models.games import DailyDeal
from games.models.players import Player


class SetProgramme(models.Model):
    """A programme in force from a day until the next one begins. It can begin only after the last day committed to."""

    valid_from = models.DateField(unique=True, help_text="The first day; later than all days committed to.")
    slots = models.JSONField(help_text="A list of slots as docs/daily-deals.md describes them.")
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(Player, models.PROTECT, related_name="+", null=True, editable=False)

    class Meta:
        verbose_name = "programme"
        ordering: ClassVar = ["-valid_from"]

    def __str__(self) -> str:
        return f"from {self.valid_from}"

    def clean(self) -> None:
        """Raise `ValidationError` if the programme is invalid or begins too early."""
        mistakes: dict[str, Any] = {}
        try:
            Programme.from_data({"slots": self.slots})
        except ProgrammeError as error:
            mistakes["slots"] = ValidationError(str(error), code=error.code)
        last = DailyDeal.objects.aggregate(last=Max("day"))["last"]
        if last is not None and self.valid_from is not None and self.valid_from <= last:  # type: ignore[redundant-expr]
            mistakes["valid_from"] = ValidationError(f"days up to {last} are committed to", code="committed_to")
        if mistakes:
            raise ValidationError(mistakes)
