"""Pages of past days, and of how fair their deals were."""

from datetime import date, datetime, timedelta
from itertools import accumulate, islice, repeat
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.dates import WEEKDAYS_ABBR

from games.calendar.dailies import dailies_of, day_after, day_before, rules_played_since
from games.days.attempts import attempts_at
from games.days.disclosure import DisclosedDaily, disclose
from games.days.months import DayCell, Month, month_before, months_of
from games.deals.daily import GRACE, next_turn
from games.doors.kept_pages import keep_for_visitors
from games.doors.pages import reading_page
from games.play.models import Game
from games.play.visibility import may_practise
from games.players.models import Player
from games.players.readers import page, reader_of
from games.rules import RULE_SETS, UnknownRuleSet
from games.runtime.clock import clock
from games.statistics.statistics import statistics_of
from games.statistics.streaks import MOST_RESTS
from games.table.game_data import hello
from games.tlog.collecting import signed_today, witnesses

MONTHS_A_PAGE, DAYS_OF_RUN = 2, 7
ROWS_SHOWN = 10  # of a table; blank ones keep their place until the live ones come


@reading_page
def days(request: HttpRequest) -> HttpResponse:
    """Show months as calendars, the newest first; `?month=` shows earlier ones, `?rules=` one rule set's days."""
    now, reader = clock.now(), reader_of(request)
    this_month = now.date().replace(day=1)
    try:
        newest = (
            min(date.fromisoformat(f"{request.GET['month']}-01"), this_month) if "month" in request.GET else this_month
        )
        rules = RULE_SETS[request.GET["rules"]].slug if request.GET.get("rules") else ""
        firsts = list(islice(accumulate(repeat(newest), lambda first, _: month_before(first)), MONTHS_A_PAGE))
    except (ValueError, OverflowError, UnknownRuleSet):
        return redirect("web:days")
    played = statistics_of(reader, reader, now).played if reader else None
    rests = played.rests if played and not rules else ()
    months = months_of(firsts, now.date(), reader, rules=rules, rests=rests)
    context = {
        "months": [month for month in months if month.past or month.first == newest],
        "weekdays": [str(day) for day in WEEKDAYS_ABBR.values()],
        "rules": rules,
        "rule_sets": [RULE_SETS[slug] for slug in rules_played_since(firsts[-1])],
        "earlier": month_before(firsts[-1]) if day_before(firsts[-1]) else None,
        "later": newest < this_month,
        "played": played,
        "most_rests": MOST_RESTS,
        "run": _run(months, now.date()),
    }
    return keep_for_visitors(page(request, "games/days.html", context, section="days"), until=next_turn(now))


def _run(months: list[Month], today: date) -> list[DayCell]:
    """Return the days up to today that a streak shows, as far as the months have them."""
    cells = {cell.day: cell for month in months for week in month.weeks for cell in week if cell}
    asked = [today - timedelta(days=ago) for ago in range(DAYS_OF_RUN, -1, -1)]
    return [cells[day] for day in asked if day in cells]


@reading_page
def one_day(request: HttpRequest, day: str) -> HttpResponse:
    """Show the deals of a day: their grades and tables, what may be done with them, and par once it is public."""
    now, reader = clock.now(), reader_of(request)
    try:
        asked = date.fromisoformat(day)
    except ValueError as error:
        raise Http404(f"{day!r} is not a day") from error
    found = [daily for daily in dailies_of(asked) if daily.is_dealt] if asked <= now.date() else []
    if not found:
        raise Http404(f"there is no daily deal on {day}")
    own = attempts_at(found, reader) if reader else {}
    order = list(RULE_SETS)
    told_first = sorted(
        zip(disclose(found, reader, now), found, strict=True),
        key=lambda pair: (not pair[0].is_yours, order.index(pair[1].rules)),
    )
    deals = [
        {
            "daily": told,
            "row": row,
            "rules": RULE_SETS[row.rules],
            "own": own.get(row.pk),
            "may_practise": may_practise(row.deal, reader, now),
            "blank_rows": range(min(ROWS_SHOWN, Game.objects.filter(daily=row).exclude(finished_at=None).count())),
        }
        for told, row in told_first
    ]
    around = {"earlier": day_before(asked), "later": day_after(asked, now.date())}
    shared = Game.objects.filter(pk=request.GET.get("game", ""), daily__in=found).exclude(finished_at=None)
    context = {"day": asked, "deals": deals, "shared": shared.values_list("pk", flat=True).first(), **around}
    return keep_for_visitors(page(request, "games/day.html", context, section="days"), until=next_turn(now))


@reading_page
def fairness(request: HttpRequest) -> HttpResponse:
    """Show the page on which a browser verifies a closed day."""
    now = clock.now()
    yesterday = (now - GRACE).date() - timedelta(days=1)
    asked = request.GET.get("day", "")
    shown: dict[str, Any] = {
        "day": asked or yesterday.isoformat(),
        "is_asked": bool(asked),
        "origin": request.build_absolute_uri("/"),
    }
    shown |= {"witnesses": len(witnesses()), "signed": signed_today(now)}
    return keep_for_visitors(page(request, "games/fairness.html", shown), until=next_turn(now))


def playable_dailies(reader: Player | None, now: datetime) -> list[DisclosedDaily]:
    """Return the daily deals that can be in play: today's, and yesterday's until its last games expire.

    Those of the reader's division come first.
    """
    days = sorted({now.date(), (now - GRACE).date()}, reverse=True)
    order = list(RULE_SETS)
    return [
        daily
        for day in days
        for daily in sorted(
            disclose(dailies_of(day), reader, now),
            key=lambda daily: (order.index(daily.key.rules), not daily.is_yours),
        )
    ]


def with_attempt(daily: DisclosedDaily, reader: Player | None) -> dict[str, Any]:
    attempt = Game.objects.filter(pk=daily.attempt).first() if daily.attempt and reader else None
    has_more = attempt is None or (attempt.is_over and attempt.attempt < daily.policy.attempts)
    return {
        "daily": daily,
        "rules": RULE_SETS[daily.key.rules],
        "attempt": attempt,
        "may_start": has_more and daily.state == "open",
        "hello": hello(RULE_SETS[daily.key.rules]),
    }


urlpatterns = [
    path("days/", days, name="days"),
    path("days/<slug:day>/", one_day, name="day"),
    path("fairness/", fairness, name="fairness"),
]
