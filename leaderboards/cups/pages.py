"""The page of a season of cups."""

from datetime import datetime, timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from games.doors.pages import reading_page
from games.players.readers import page, reader_of
from games.runtime.clock import clock
from leaderboards.boards.catalog import Period
from leaderboards.boards.pages import ROWS
from leaderboards.boards.refusals import BadCursor, UnknownBoard
from leaderboards.cups.results import MEDALS
from leaderboards.cups.seasons import CupSeason, find_season, table_of


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


urlpatterns = [
    path("cups/seasons/<str:month>/", one_season, name="cup-season-page"),
]
