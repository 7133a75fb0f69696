"""Pages of clubs: one's own, the one that its letters lead to, and each club with its tables and members."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext, pgettext
from django.views.decorators.gzip import gzip_page
from rest_framework.exceptions import Throttled

from games.accounts.visitors import player_of
from games.cups.reading import tournaments_in
from games.doors.pages import form_page, granted, see_other, sentence, typed_code
from games.doors.refusals import Refusal
from games.players.models import Player
from games.players.readers import for_named, page, reader_of
from games.races.invites import CODE_LENGTH
from games.races.reading import races_in
from games.runtime.addresses import address_of_request
from games.runtime.clock import clock
from leaderboards.clubs.duel_pages import ACTS as DUEL_ACTS
from leaderboards.clubs.duel_pages import act_on_duel, duels_on_page
from leaderboards.clubs.emblems import read_emblem
from leaderboards.clubs.forms import ClubForm, ReportClubForm
from leaderboards.clubs.founding import change, found
from leaderboards.clubs.membership import RULES, join, leave, manage, require_role
from leaderboards.clubs.models import Role
from leaderboards.clubs.notices import notices_of
from leaderboards.clubs.reading import clubs_of, find_by_code, find_club, in_rank, read_club
from leaderboards.clubs.reporting import report_club
from leaderboards.clubs.table_pages import table_on_page
from leaderboards.clubs.words import lines_of

LATEST = 5


@form_page
@gzip_page
def clubs(request: HttpRequest) -> HttpResponse:
    """List the reader's clubs, with the field for the letters of another one."""
    reader = reader_of(request)
    own = [(club, read_emblem(club.emblem), you) for club, you in clubs_of(reader)] if reader else []
    return page(request, "leaderboards/clubs.html", {"own": own}, section="boards")


@form_page
@gzip_page
@for_named
def new_club(request: HttpRequest, reader: Player) -> HttpResponse:
    """Show the form of a new club; a POST founds it."""
    form = ClubForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        club = granted(form, lambda: found(reader, form.terms, clock.now()))
        if club is not None:
            return see_other("club-page", club.pk)
    status = 409 if form.errors else 200
    return page(request, "leaderboards/club_form.html", {"form": form}, section="boards", status=status)


@form_page
@gzip_page
@for_named
def club_terms(request: HttpRequest, reader: Player, club_id: str) -> HttpResponse:
    """Show the form that changes a club; a POST changes it, where the reader owns it."""
    try:
        known = read_club(find_club(club_id), reader)
        require_role(known.roster, reader, Role.OWNER)
    except Refusal as refusal:
        return refused(request, refusal)
    club = known.club
    form = ClubForm(request.POST if request.method == "POST" else ClubForm.of(club))
    if request.method == "POST" and form.is_valid():
        granted(form, lambda: change(club_id, reader, form.terms, clock.now()))
        if not form.errors:
            return see_other("club-page", club_id)
    status = 409 if form.errors else 200
    return page(request, "leaderboards/club_form.html", {"form": form, "club": club}, section="boards", status=status)


@form_page
@gzip_page
def by_code(request: HttpRequest, code: str = "") -> HttpResponse:
    """Show the club with some letters to anyone who has them; a POST joins it, or asks to.

    Without letters in the address, `?code=` leads to it.
    """
    if not code:
        asked = typed_code(request, CODE_LENGTH)
        return redirect("club-by-code", asked) if asked else redirect("clubs-page")
    try:
        club = find_by_code(code, address_of_request(request))
        known = read_club(club, reader_of(request))
        if request.method == "POST":
            join(club.pk, player_of(request), clock.now())
            return see_other("club-page", club.pk)
    except (Refusal, Throttled) as refusal:
        return refused(request, refusal)
    if known.own is not None:
        return redirect("club-page", club.pk)
    context = {"known": known, "club": club, "emblem": read_emblem(club.emblem)}
    return page(request, "leaderboards/club_join.html", context, section="boards")


@form_page
@gzip_page
def club(request: HttpRequest, club_id: str) -> HttpResponse:
    """Show a club with its members and a table, chosen by `?board=` or `?season=`; a POST joins, leaves or decides."""
    now = clock.now()
    try:
        if request.method == "POST":
            return _act(request, club_id, now)
        known = read_club(find_club(club_id), reader_of(request))
        table = table_on_page(known, request.GET, now)
    except (Refusal, Throttled) as refusal:
        return refused(request, refusal, club_id)
    shown = known.club
    context = {
        "known": known,
        "club": shown,
        "emblem": read_emblem(shown.emblem),
        "members": [(one, Role(one.role).label) for one in known.roster],
        "notices": lines_of(notices_of(shown, known.reader, now)[:LATEST]),
        "races": races_in(shown.pk) if known.own else [],
        "tournaments": tournaments_in(shown.pk) if known.own else [],
        "link": request.build_absolute_uri(reverse("club-by-code", args=[shown.code])) if known.own else "",
        **table,
        **duels_on_page(known, now),
    }
    return page(request, "leaderboards/club.html", context, section="boards")


@form_page
@gzip_page
@for_named
def report(request: HttpRequest, reader: Player, club_id: str) -> HttpResponse:
    """Show the form that reports a club to the reviewers; a POST reports it."""
    try:
        club = read_club(find_club(club_id), reader).club
    except Refusal as refusal:
        return refused(request, refusal)
    form, made = ReportClubForm(request.POST if request.method == "POST" else None), None
    if form.is_valid():
        made = granted(form, lambda: report_club(club_id, reader, **form.cleaned_data, now=clock.now()))
    context = {
        "title": gettext("Report a club"),
        "hint": gettext(
            "Tell the reviewers about a name or description that insults, threatens, exposes or imitates somebody, or "
            "advertises something."
        ),
        "name": club.name,
        "back": reverse("club-page", args=[club_id]),
        "form": form,
        "is_reported": made is not None,
    }
    status = 409 if form.errors else 200
    return page(request, "leaderboards/report_name.html", context, section="boards", status=status)


def _act(request: HttpRequest, club_id: str, now: datetime) -> HttpResponse:
    """Carry out what a form says, and lead back to the club, or to all clubs from one that its last member has left."""
    act, reader = request.POST.get("act", ""), reader_of(request)
    if act == "join":
        join(club_id, player_of(request), now)
    elif act == "leave" and reader is not None:
        leave(club_id, reader, now)
        if not in_rank(find_club(club_id).memberships.all()).exists():
            return see_other("clubs-page")
    elif act in {"propose_duel", *DUEL_ACTS} and reader is not None:
        act_on_duel(request, reader, club_id, now)
    elif act in RULES and reader is not None:
        manage(club_id, reader, act, request.POST.get("handle", "").replace("\0", "").strip().lower(), now)
    return see_other("club-page", club_id)


def refused(request: HttpRequest, refusal: Refusal | Throttled, club_id: str = "") -> HttpResponse:
    """Answer with the reason of a refusal; that of a form leads back to its club."""
    status = 429 if isinstance(refusal, Throttled) else int(refusal.status)
    context = {"title": pgettext("of players", "Clubs"), "text": sentence(refusal)}
    context["club_id"] = club_id if request.method == "POST" else ""
    return page(request, "leaderboards/club_refused.html", context, section="boards", status=status)


urlpatterns = [
    path("clubs/", clubs, name="clubs-page"),
    path("clubs/new/", new_club, name="new-club"),
    path("clubs/join/", by_code, name="club-by-typed-code"),
    path("clubs/join/<str:code>/", by_code, name="club-by-code"),
    path("clubs/<slug:club_id>/", club, name="club-page"),
    path("clubs/<slug:club_id>/report/", report, name="report-club-page"),
    path("clubs/<slug:club_id>/terms/", club_terms, name="club-terms-page"),
]
