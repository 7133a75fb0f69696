"""Filters with fixed choices, which need no query: by rule set, by day, by state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.deals.daily import DailyKey, DailyState
from games.rules import RULE_SETS
from games.runtime.clock import clock

DAYS = {"tomorrow": (1, 1), "today": (0, 0), "yesterday": (-1, -1), "last7": (-6, 0), "last30": (-29, 0)}
DAY_NAMES = {
    "tomorrow": _("Tomorrow"),
    "today": _("Today"),
    "yesterday": _("Yesterday"),
    "last7": _("The last 7 days"),
    "last30": _("The last 30 days"),
}
SOME_DAYS = 4  # after so many, every day before today is final


class ChoiceFilter(admin.SimpleListFilter):
    """Offers choices, each with its name and with the condition on the rows that it keeps."""

    conditions: ClassVar[Mapping[str, tuple[str | Promise, Q]]]

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Iterable[tuple[str, str]]:
        return [(value, str(name)) for value, (name, _) in self.conditions.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        _name, condition = self.conditions.get(self.value() or "", ("", Q()))
        return queryset.filter(condition)


def yes_or_no(yes: Q) -> dict[str, tuple[str | Promise, Q]]:
    """Return the choices between rows that fit a condition and the others."""
    return {"yes": (_("Yes"), yes), "no": (_("No"), ~yes)}


class RuleSetFilter(admin.SimpleListFilter):
    """Offers every rule set; `field` leads to its slug."""

    title = _("rule set")
    parameter_name = "rules"
    field = "rules"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Iterable[tuple[str, str]]:
        return [(rules.slug, rules.title) for rules in RULE_SETS.values()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{self.field: self.value()}) if self.value() else queryset


class DayFilter(admin.SimpleListFilter):
    """Offers some days by name; links come with any day: `?day=2026-11-20`. `field` leads to the day."""

    title = _("day")
    parameter_name = "day"
    field = "day"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Iterable[tuple[str, str]]:
        chosen = self.used_parameters.get(self.parameter_name)
        more = [(chosen, chosen)] if chosen and chosen not in DAYS and _date(chosen) else []
        return [*((value, str(name)) for value, name in DAY_NAMES.items()), *more]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        if not value:
            return queryset
        first, last = self._range(value)
        return queryset.filter(**{f"{self.field}__range": (first, last)}) if first else queryset.none()

    def _range(self, value: str) -> tuple[date | None, date | None]:
        if value not in DAYS:
            return _date(value), _date(value)
        today = clock.now().date()
        first, last = DAYS[value]
        return today + timedelta(days=first), today + timedelta(days=last)


class DailyStateFilter(admin.SimpleListFilter):
    """Offers the states of a daily deal, which follow from its day and the time."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Iterable[tuple[str, str]]:
        return [(state.value, state.value.capitalize()) for state in DailyState]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(days_in_state(self.value(), clock.now())) if self.value() else queryset


class RankedFilter(ChoiceFilter):
    title = _("ranked")
    parameter_name = "ranked"
    conditions = yes_or_no(Q(daily__isnull=False))


def days_in_state(state: str | None, now: datetime) -> Q:
    """Return the condition on `day` that a daily deal is in a state."""
    near = [now.date() - timedelta(days=ago) for ago in range(SOME_DAYS)]
    days = Q(day__in=[day for day in near if DailyKey(day, "", "").state(now) == state])
    if state == DailyState.COMMITTED:
        days |= Q(day__gt=near[0])
    if state == DailyState.FINAL:
        days |= Q(day__lt=near[-1])
    return days


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
