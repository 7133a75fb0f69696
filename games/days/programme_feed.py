"""The programme as a calendar to subscribe to (iCalendar, RFC 5545)."""

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from itertools import groupby
from operator import attrgetter

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe
from icalendar import Calendar, Event

from games.calendar.dailies import coming_dailies
from games.cups.models import Cup
from games.cups.reading import current_cups
from games.deals.programme import Scheduled
from games.play.words import word
from games.rules import RULE_SETS
from games.runtime.clock import clock

ICALENDAR = "text/calendar; charset=utf-8"
DAYS_SHOWN = 28
READ_AGAIN = timedelta(hours=12)


@require_safe
@conditional_page
@cache_control(public=True, max_age=3600)
def programme(request: HttpRequest) -> HttpResponse:
    """Serve the daily deals of the next four weeks, an event for each day and rule set, and the next cups."""
    today = clock.now().date()
    calendar = Calendar.new(
        name="Pyramid",
        description=_("The daily deals of Pyramid Solitaire."),
        prodid="-//Pyramid Server//Programme//EN",
        uid=f"programme@{request.get_host()}",
        refresh_interval=READ_AGAIN,
    )
    key = attrgetter("key.day", "key.rules")
    for __, deals in groupby(sorted(coming_dailies(today, DAYS_SHOWN), key=key), key):
        calendar.add_component(_event(request, list(deals), datetime.combine(today, time(), UTC)))
    for cup in current_cups():
        if not cup.for_bots:
            calendar.add_component(_event_of_cup(request, cup))
    return HttpResponse(calendar.to_ical(), content_type=ICALENDAR)


def _event(request: HttpRequest, deals: list[Scheduled], made_at: datetime) -> Event:
    """Return the event of a day's deals of one rule set, which the divisions have in common."""
    key, rules = deals[0].key, RULE_SETS[deals[0].key.rules]
    page = request.build_absolute_uri(reverse("web:rule-set", args=[key.rules]))
    event = Event.new(
        uid=f"{key.day}.{key.rules}@{request.get_host()}",
        stamp=made_at,
        start=key.opens_at,
        end=key.closes_at,
        summary=": ".join(["Pyramid", ", ".join([word(rules.title), *_common_grade(deals)])]),
        description=_("Start before %(time)s UTC. Rules: %(address)s")
        % {"time": f"{key.closes_at:%H:%M}", "address": page},
        url=page,
    )
    event.add("TRANSP", "TRANSPARENT")  # players are not busy
    return event


def _event_of_cup(request: HttpRequest, cup: Cup) -> Event:
    """Return the event of the qualification of a cup."""
    page = request.build_absolute_uri(reverse("web:cup", args=[cup.pk]))
    return Event.new(
        uid=f"cup.{cup.pk}@{request.get_host()}",
        stamp=cup.opens_at,
        start=cup.opens_at,
        end=cup.qualifies_until,
        summary=": ".join(["Pyramid", _("Cup"), word(cup.rule_set.title)]),
        description=_how_it_goes(cup.qualify_s // 60),
        url=page,
    )


def _how_it_goes(minutes: int) -> str:
    return ngettext(
        "The qualification takes %(minutes)s minute; your first attempt counts. The matches follow at once.",
        "The qualification takes %(minutes)s minutes; your first attempt counts. The matches follow at once.",
        minutes,
    ) % {"minutes": minutes}


def _common_grade(deals: Iterable[Scheduled]) -> list[str]:
    """Return the word for the grade that deals have in common, if they do."""
    grades = {deal.grade for deal in deals}
    return [word(grade) for grade in grades if grade and len(grades) == 1]


urlpatterns = [
    path("feeds/programme.ics", programme, name="programme-calendar"),
]
