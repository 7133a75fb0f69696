"""The pages of a season of cups and of a player's cups, and the form that reports a tournament."""

from datetime import datetime, timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page

from games.cups.refusals import UnknownCup
from games.doors.pages import form_page, granted, reading_page
from games.players.models import Player
from games.players.names import find_player
from games.players.readers import for_named, page, reader_of
from games.players.refusals import UnknownPlayer
from games.runtime.clock import clock
from leaderboards.boards.catalog import Period
from leaderboards.boards.pages import ROWS
from leaderboards.boards.refusals import BadCursor, UnknownBoard
from leaderboards.cups.reporting import find_reportable, report_cup
from leaderboards.cups.results import MEDALS, results_of
from leaderboards.cups.seasons import CupSeason, find_season, table_of
from leaderboards.reporting.forms import ReportForm


@reading_page
def one_season(request: HttpRequest, month: str) -> HttpResponse:
    """Show the table of a season of cups, some rows at a time."""
    reader, now = reader_of(request), clock.now()
    try:
        season = find_season(month, now, for_bots=request.GET.get("of") == "bots")
        table = table_of(season, ROWS, request.GET.get("cursor") or None, reader)
    except (UnknownBoard, BadCursor) as error:
        raise Http404(str(error)) from error
    rows = [
        {"row": row, "medal": MEDALS.get(row.standing.rank, ""), "is_you": row.player == reader} for row in table.rows
    ]
    context = {"table": table, "season": season, "rows": rows, **_beside(season, now)}
    return page(request, "leaderboards/cup_season.html", context, section="races")


def _beside(season: CupSeason, now: datetime) -> dict[str, str | None]:
    """Return the names of the months before and after a season."""
    before = Period.MONTHLY.first_day(season.month - timedelta(days=1)) if season.month.toordinal() > 1 else None
    after = season.last_day + timedelta(days=1)
    months = {"before": before, "after": after if after <= now.date() else None}
    return {name: Period.MONTHLY.date_text(month) if month else None for name, month in months.items()}


@reading_page
def cups_of_player(request: HttpRequest, handle: str) -> HttpResponse:
    """Show a player's places in cups, some at a time."""
    try:
        player = find_player(handle)
        found = results_of(player, ROWS, request.GET.get("cursor") or None)
    except (UnknownPlayer, BadCursor) as error:
        raise Http404(str(error)) from error
    context = {"player": player, "cup_places": found.places, "next": found.next}
    return page(request, "leaderboards/player_cups.html", context)


@form_page
@gzip_page
@for_named
def report(request: HttpRequest, reader: Player, cup_id: str) -> HttpResponse:
    """Show the form that reports the name of a tournament to the reviewers; a POST reports it."""
    try:
        cup = find_reportable(cup_id, reader)
    except UnknownCup as error:
        raise Http404(str(error)) from error
    form, made = ReportForm(request.POST if request.method == "POST" else None), None
    if form.is_valid():
        made = granted(form, lambda: report_cup(cup_id, reader, form.cleaned_data["text"], clock.now()))
    context = {
        "title": gettext("Report a tournament"),
        "hint": gettext("Tell the reviewers about a name that insults, threatens, exposes or imitates somebody."),
        "name": cup.name,
        "back": reverse("web:cup", args=[cup.pk]),
        "form": form,
        "is_reported": made is not None,
    }
    status = 409 if form.errors else 200
    return page(request, "leaderboards/report_name.html", context, section="races", status=status)


urlpatterns = [
    path("cups/<slug:cup_id>/report/", report, name="report-cup-page"),
    path("players/<slug:handle>/cups/", cups_of_player, name="player-cups-page"),
    path("cups/seasons/<str:month>/", one_season, name="cup-season-page"),
]
