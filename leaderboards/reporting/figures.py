"""Decisions about names in figures."""

from collections import Counter

from django.apps import apps
from django.db.models import Count
from django.db.models.functions import TruncMonth

from leaderboards.reporting.models import NameDecision

NOTHING = "nothing"
Months = dict[str, Counter[bool]]
"""The number of decisions by month, and by whether something was removed."""


def decisions_by_month() -> Months:
    """Count the decisions about names of all kinds."""
    months: Months = {}
    for model in apps.get_models():
        if issubclass(model, NameDecision):
            rows = model._base_manager.order_by().values_list(TruncMonth("at"), "removed").annotate(Count("pk"))
            for at, removed, number in rows:
                months.setdefault(f"{at:%Y-%m}", Counter())[removed != NOTHING] += number
    return months
