from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, NamedTuple

import msgspec
from django.http import HttpResponse
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from games.calendar.dailies import KnownDay, commitments, known_day, past_dailies, remembered_day
from games.calendar.programme import programme_on, scheduled
from games.days import wire
from games.days.disclosure import DisclosedDaily, disclose, own_parts
from games.days.examples import COMMITMENT, DAILY, PAST_DAILY
from games.days.wire import CommitmentsInput, DailyHistoryInput
from games.deals import programme
from games.deals.daily import DailyKey, Division
from games.deals.grading import Grade
from games.deals.programme import DEFAULT, Weekday
from games.doors.rest.caching import ASK_AGAIN, FOR_GOOD, PRIVATE, Prepared, conditional, prepare
from games.doors.rest.inputs import DayInput, read
from games.doors.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.doors.wire import JsonObject
from games.keys import unchanged
from games.play.notation_wire import RuleSlug
from games.players import examples
from games.players.endpoint import Endpoint
from games.players.examples import NOW
from games.players.models import Player
from games.runtime.clock import clock

TODAY_PATH = "/api/daily/"
DAYS_PER_PAGE = 10
COMMITMENTS_PER_PAGE = 100
# Cached answers may lag this far behind a change by an operator or a worker.
MOST_SECONDS = 60

_TODAY, _PAST = wire.Daily.of(DAILY), wire.Daily.of(PAST_DAILY)
TODAY = wire.Day(NOW, NOW.date(), [_TODAY])
PAST_DAY = wire.Day(NOW, _PAST.day, [_PAST])
COMMITTED = wire.Commitments([wire.Commitment.of(COMMITMENT)], None)
HISTORY = wire.DailyHistory(NOW, [_PAST], None)


def freshness(dailies: Iterable[DisclosedDaily], now: datetime) -> str:
    """Return how long the public answer about the deals of a day stays fresh: never past their next state."""
    dailies = list(dailies)
    if not dailies:
        return ASK_AGAIN
    if all(daily.is_settled for daily in dailies):
        return FOR_GOOD
    changes = [change for daily in dailies if (change := daily.key.next_change(now))]
    left = [(change - now) // timedelta(seconds=1) for change in changes]
    return f"public, max-age={min([MOST_SECONDS, *left])}"


class Told(NamedTuple):
    """The public answer about the deals of a day while they are in one state, as values and as schemas."""

    dailies: Sequence[DisclosedDaily]
    shown: list[wire.Daily]


def answer_day(request: Request, reader: Player | None, day: date, now: datetime) -> HttpResponse:
    """Answer with the deals of a day. The public answer may be cached for a while; a player's is always revalidated."""
    known = known_day(day)
    told = _told(known, day, now)
    if reader is None:
        return conditional(request, wire.Day(now, day, told.shown), freshness(told.dailies, now))
    own = own_parts(known.dailies, reader)
    shown = [
        msgspec.structs.replace(daily, yours=part.is_yours, attempt=part.attempt)
        for daily, part in zip(told.shown, own, strict=True)
    ]
    return conditional(request, wire.Day(now, day, shown), PRIVATE)


def _told(known: KnownDay, day: date, now: datetime) -> Told:
    """Return the public answer, made once for as long as the day is cached and in this state."""
    state = DailyKey(day, "", "").state(now)
    if state not in known.told:
        dailies = disclose(known.dailies, None, now)
        known.told[state] = Told(dailies, [wire.Daily.of(daily) for daily in dailies])
    told: Told = known.told[state]
    return told


def _recall_today(address: str) -> Prepared | None:
    now = clock.now()
    known = remembered_day(now.date()) if address == f"{TODAY_PATH}?" else None
    told = known.told.get(DailyKey(now.date(), "", "").state(now)) if known is not None else None
    return prepare(wire.Day(now, now.date(), told.shown), freshness(told.dailies, now)) if told is not None else None


unchanged.register(_recall_today, differs_by_reader=True)


class Today(Endpoint):
    @operation("read_today", [Answer(TODAY), NOT_MODIFIED], FOR_ALL, scope=Scope.READ)
    def get(self, request: Request) -> HttpResponse:
        """Read today's daily deals."""
        now = clock.now()
        return answer_day(request, self.reader, now.date(), now)


class Day(Endpoint):
    @operation(
        "read_day",
        [Answer(PAST_DAY), NOT_MODIFIED],
        FOR_ALL,
        parameters=[OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH, description="A UTC day.")],
        scope=Scope.READ,
    )
    def get(self, request: Request, day: str) -> HttpResponse:
        """Read the daily deals of a day.

        Coming days are included, with their commitments only. `dailies` is empty if there are none.
        """
        return answer_day(request, self.reader, read(DayInput, {"day": day}).day, clock.now())


class Commitments(Endpoint):
    @operation(
        "list_commitments", [Answer(COMMITTED), NOT_MODIFIED], FOR_ALL, parameters=[CommitmentsInput], scope=Scope.READ
    )
    def get(self, request: Request) -> HttpResponse:
        """List the commitments to deals of past and coming days, oldest first."""
        page = commitments(self.query(CommitmentsInput).after, COMMITMENTS_PER_PAGE)
        later = f"{request.path}?after={page[-1].pk}" if len(page) == COMMITMENTS_PER_PAGE else None
        body = wire.Commitments([wire.Commitment.of(row) for row in page], later)
        # A full page never changes; only the last page grows.
        return conditional(request, body, FOR_GOOD if later else ASK_AGAIN)


class DailyHistory(Endpoint):
    @operation("list_past_dailies", Answer(HISTORY), FOR_ALL, parameters=[DailyHistoryInput], scope=Scope.READ)
    def get(self, request: Request) -> Response:
        """List past daily deals, the newest day first, a page of days at a time."""
        now = clock.now()
        before = min(self.query(DailyHistoryInput).before or now.date(), now.date())
        dailies = past_dailies(before, DAYS_PER_PAGE)
        is_full = len({daily.day for daily in dailies}) == DAYS_PER_PAGE
        older = f"{request.path}?before={dailies[-1].day}" if is_full else None
        shown = [wire.Daily.of(daily) for daily in disclose(dailies, self.reader, now)]
        return Response(wire.DailyHistory(now, shown, older))


DAYS_SHOWN = 14


class Slot(JsonObject, frozen=True):
    """Deals on some weekdays; several rule sets take turns, a week each."""

    rules: list[RuleSlug]
    days: list[Weekday]
    divisions: list[Division]
    grades: Annotated[dict[Weekday, Grade], Meta(description="By weekday; a day without one takes any winnable deal.")]
    beacon: Annotated[
        wire.BeaconName | None, Meta(description="On which the deals depend, if any; see docs/beacon.md.")
    ]

    @classmethod
    def of(cls, slot: programme.Slot) -> Slot:
        grades = {day: grade for day in slot.days if (grade := slot.grade_on(day))}
        return cls(slot.names, slot.days, slot.divisions, grades, slot.beacon)


class Scheduled(JsonObject, frozen=True):
    """A daily deal that the programme asks for."""

    day: date
    rules: RuleSlug
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
    @operation("read_programme", Answer(EXAMPLE), FOR_ALL, scope=Scope.READ)
    def get(self, request: Request) -> Response:
        """Read the programme: rule sets, weekdays and grades, and the deals of the next two weeks."""
        today = clock.now().date()
        return Response(Programme.of(programme_on(today).slots, scheduled(today, DAYS_SHOWN)))


urlpatterns = [
    path("programme/", ReadProgramme.as_view(), name="programme"),
    path("daily/", Today.as_view(), name="today"),
    path("daily/commitments/", Commitments.as_view(), name="commitments"),
    path("daily/history/", DailyHistory.as_view(), name="daily-history"),
    path("daily/<str:day>/", Day.as_view(), name="day"),
]
