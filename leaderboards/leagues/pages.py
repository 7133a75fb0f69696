"""Pages of the leagues: the reader's own group or all tiers, and each group with its table."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path

from games.doors.pages import reading_page
from games.players.models import Player
from games.players.readers import page, reader_of
from leaderboards.boards.catalog import Period
from leaderboards.leagues.refusals import UnknownLeague
from leaderboards.leagues.tables import GroupTable, LeagueWeek, career_of, find_group, newest_week, seat_in
from leaderboards.leagues.tiers import groups_for

NOTHING = ("", "", "")
LONGEST_NUMBER = 9


@reading_page
def leagues(request: HttpRequest) -> HttpResponse:
    """Show the reader's tier, group and past weeks, and how many play in each tier."""
    reader, week = reader_of(request), newest_week()
    career = career_of(reader) if reader else None
    context = {
        "career": career,
        "group": _shown(career.group, reader) if career and career.group else None,
        "weeks": [{"week": one, "name": Period.WEEKLY.date_text(one.monday)} for one in career.weeks] if career else [],
        "tiers": _tiers(week, career.group if career else None) if week else [],
        "week": week,
    }
    return page(request, "leaderboards/leagues.html", context, section="boards")


@reading_page
def one_group(request: HttpRequest, week: str, tier: int, group: int) -> HttpResponse:
    """Show the players of a group, and who moves up and down; `to` leads to another group of the tier."""
    try:
        table = find_group(week, tier, group)
    except UnknownLeague as error:
        raise Http404(str(error)) from error
    wanted = request.GET.get("to", "")
    if wanted.isascii() and wanted.isdigit():
        return redirect("league-page", week, tier, max(1, min(int(wanted[:LONGEST_NUMBER]), table.groups)))
    reader = reader_of(request)
    own = seat_in(reader, table.week.monday) if reader else None
    context = {"group": _shown(table, reader), "own": own if own != (tier, group) else None}
    return page(request, "leaderboards/league.html", context, section="boards")


def _shown(table: GroupTable, reader: Player | None) -> dict[str, Any]:
    rows = [
        {"row": row, "is_you": reader == row.player, "values": row.values.values() if row.values else NOTHING}
        for row in table.rows
    ]
    number = table.group
    beside = {"previous": number - 1, "next": number + 1 if number < table.groups else None}
    return {"table": table, "rows": rows, "week": Period.WEEKLY.date_text(table.week.monday), **beside}


def _tiers(week: LeagueWeek, own: GroupTable | None) -> list[dict[str, Any]]:
    """Return the tiers that somebody is in, each with the group to look at first: one's own, or else the first."""
    name = Period.WEEKLY.date_text(week.monday)
    own_tier, own_group = (own.tier, own.group) if own else (None, 1)
    return [
        {
            "tier": tier,
            "players": size,
            "groups": groups_for(size),
            "week": name,
            "first": own_group if tier == own_tier else 1,
            "is_own": tier == own_tier,
        }
        for tier, size in enumerate(week.sizes, 1)
        if size
    ]


urlpatterns = [
    path("leagues/", leagues, name="leagues-page"),
    path("leagues/<str:week>/<int:tier>/<int:group>/", one_group, name="league-page"),
]
