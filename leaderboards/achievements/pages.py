"""The page of all achievements, with the reader's own, and those on the page of a player."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

from games.doors.pages import reading_page
from games.players.models import Player
from games.players.readers import page, reader_of
from leaderboards.achievements.awards import awards_of
from leaderboards.achievements.catalog import ACHIEVEMENTS, BY_CODE


@reading_page
def all_achievements(request: HttpRequest) -> HttpResponse:
    """List all achievements, those of the reader with the day on which they were awarded."""
    reader = reader_of(request)
    awarded = {award.code: award.at for award in awards_of(reader)} if reader else {}
    achieved = [{"achievement": each, "at": awarded[each.code]} for each in ACHIEVEMENTS if each.code in awarded]
    to_come = [each for each in ACHIEVEMENTS if each.code not in awarded]
    context = {"achieved": achieved, "to_come": to_come}
    return page(request, "leaderboards/achievements.html", context, section="account" if reader else "")


def achievements_on_profile(player: Player) -> dict[str, Any]:
    """Return what a player's page shows of achievements."""
    return {
        "achieved": [{"achievement": BY_CODE[award.code], "at": award.at} for award in awards_of(player)],
        "all_achievements": len(ACHIEVEMENTS),
    }


urlpatterns = [
    path("achievements/", all_achievements, name="achievements-page"),
]
