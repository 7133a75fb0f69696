from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Annotated

from django.utils import timezone
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from games.deals import programme
from games.deals.daily import Division
from games.deals.grading import Grade
from games.deals.programme import DEFAULT, Weekday
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import FOR_ALL, Answer, operation
from games.kit.wire import JsonObject
from games.rest import examples
from games.services.programme import programme_on, scheduled

DAYS_SHOWN = 14


class Slot(JsonObject, frozen=True):
    """Deals on some weekdays; several rule sets take turns, a week each."""

    rules: list[str]
    days: list[Weekday]
    divisions: list[Division]
    grades: Annotated[dict[Weekday, Grade], Meta(description="By weekday; a day without one takes any winnable deal.")]

    @classmethod
    def of(cls, slot: programme.Slot) -> Slot:
        grades = {day: grade for day in slot.days if (grade := slot.grade_on(day))}
        return cls(slot.names, slot.days, slot.divisions, grades)


class Scheduled(JsonObject, frozen=True):
    """A daily deal that the programme asks for."""

    day: date
    rules: str
    division: Division
    grade: Grade | None

    @classmethod
    def of(cls, deal: programme.Scheduled) -> Scheduled:
        return cls(deal.key.day, deal.key.rules, Division(deal.key.division), deal.grade)


class Programme(JsonObject, frozen=True):
    """The programme and what follows from it."""

    slots: Annotated[list[Slot], Meta(description="The programme of today.")]
    dailies: Annotated[list[Scheduled], Meta(description="What it asks for today and on the days that follow.")]

    @classmethod
    def of(cls, slots: Iterable[programme.Slot], deals: Iterable[programme.Scheduled]) -> Programme:
        return cls([Slot.of(slot) for slot in slots], [Scheduled.of(deal) for deal in deals])


EXAMPLE = Programme.of(DEFAULT.slots, DEFAULT.on(examples.NOW.date()))


class ReadProgramme(Endpoint):
    @operation("read_programme", Answer(Programme, EXAMPLE), FOR_ALL)
    def get(self, request: Request) -> Response:
        """Read the programme: rule sets, weekdays and grades, and the deals of the next two weeks."""
        today = timezone.now().date()
        return Response(Programme.of(programme_on(today).slots, scheduled(today, DAYS_SHOWN)))
