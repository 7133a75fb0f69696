"""Pages of what happened in a club: its notices for everyone, its log for members."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.gzip import gzip_page
from rest_framework.exceptions import Throttled

from games.doors.pages import form_page, reading_page, see_other
from games.doors.refusals import Refusal
from games.players.models import Player
from games.players.readers import for_players, page, reader_of
from games.runtime.clock import clock
from leaderboards.clubs.log import log_of
from leaderboards.clubs.muting import mute, muted_by, unmute
from leaderboards.clubs.notices import after, cursor_after, notices_of
from leaderboards.clubs.pages import refused
from leaderboards.clubs.reading import find_club, read_club
from leaderboards.clubs.words import act_html, lines_of

NOTICES = LINES = 50


@form_page
@gzip_page
def notices(request: HttpRequest, club_id: str) -> HttpResponse:
    """Show what happened in a club, with the reader's muted players; a POST mutes one or shows one again."""
    reader = reader_of(request)
    try:
        if request.method == "POST":
            _mute(request, reader)
            return see_other("club-notices-page", club_id)
        known = read_club(find_club(club_id), reader)
        found = notices_of(known.club, reader, clock.now())
        if cursor := request.GET.get("cursor", ""):
            found = after(cursor, known.club, found)
    except (Refusal, Throttled) as refusal:
        return refused(request, refusal, club_id)
    context = {
        "club": known.club,
        "notices": lines_of(found[:NOTICES]),
        "next": cursor_after(known.club, found[NOTICES - 1]) if len(found) > NOTICES else "",
        "muted": muted_by(reader) if reader else [],
        "reader": reader,
    }
    return page(request, "leaderboards/club_notices.html", context, section="boards")


def _mute(request: HttpRequest, reader: Player | None) -> None:
    """Carry out what a form says about a player's notices."""
    changes, handle = {"mute": mute, "unmute": unmute}, request.POST.get("handle", "").replace("\0", "").strip().lower()
    if reader is not None and (change := changes.get(request.POST.get("act", ""))):
        change(reader, handle)


@reading_page
@for_players
def log(request: HttpRequest, reader: Player, club_id: str) -> HttpResponse:
    """Show a member what was decided in a club, newest first; `?before=` leads to older lines."""
    before = request.GET.get("before", "")
    try:
        club = find_club(club_id)
        found = log_of(club, reader, int(before) if before.isdecimal() and len(before) < 16 else None, LINES + 1)
    except Refusal as refusal:
        return refused(request, refusal)
    context = {
        "club": club,
        "lines": [(line.at, act_html(line)) for line in found[:LINES]],
        "next": found[LINES - 1].id if len(found) > LINES else None,
    }
    return page(request, "leaderboards/club_log.html", context, section="boards")


urlpatterns = [
    path("clubs/<slug:club_id>/notices/", notices, name="club-notices-page"),
    path("clubs/<slug:club_id>/log/", log, name="club-log-page"),
]
