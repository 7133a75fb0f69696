"""Races: the list, the room, and the page that an invite leads to."""

from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from rest_framework.exceptions import Throttled

from games.accounts.visitors import player_of
from games.doors.pages import form_page, see_other, sentence, typed_code
from games.doors.refusals import Refusal
from games.players.readers import page, reader_of
from games.races.circles import circles_of
from games.races.forms import InvitationForm, RaceForm
from games.races.invitations import invite_circle, takes
from games.races.invites import CODE_LENGTH, code_of, invite_of
from games.races.models import Race
from games.races.ratings import best_rated
from games.races.reading import past_races, public_races, races_of, read_race
from games.races.refusals import UnknownRace
from games.races.rooms import find_by_code, join
from games.races.strength import Family, figures_of
from games.runtime.addresses import address_of_request
from games.runtime.clock import clock

MOST_SHOWN = 10
MOST_RATED = 20


@form_page
@gzip_page
def races(request: HttpRequest) -> HttpResponse:
    """List public races and one's own; a POST opens a race, and turns an unknown visitor into a guest."""
    form, status = RaceForm(request.POST if request.method == "POST" else None, reader=reader_of(request)), 200
    form.fields["circle"].initial = request.GET.get("circle", "")
    if request.method == "POST" and form.is_valid():
        try:
            return see_other("web:race", form.create(player_of(request), clock.now()).pk)
        except (Refusal, Throttled) as refusal:
            form.add_error(None, sentence(refusal))
            status = 429 if isinstance(refusal, Throttled) else 409
    reader, now = reader_of(request), clock.now()
    context = {
        "form": form,
        "races": [(race, race.state(now)) for race in public_races()],
        "past": past_races(None, MOST_SHOWN),
        "own": races_of(reader, None, MOST_SHOWN) if reader else [],
        "ratings": list(_tables_of_ratings()),
    }
    return page(request, "games/races.html", context, section="races", status=status)


def _tables_of_ratings() -> Iterator[dict[str, Any]]:
    """Yield the tables of ratings that have rows, those of people before those of bots."""
    for bots in (False, True):
        for family in Family:
            if best := best_rated(family, MOST_RATED, bots=bots):
                rows = [(rating.player, figures_of(rating)) for rating in best]
                yield {"family": family, "bots": bots, "rows": rows}


@form_page
@gzip_page
def race(request: HttpRequest, race_id: str) -> HttpResponse:
    """Show the room of a race; a POST enters it or invites a player, and turns an unknown visitor into a guest.

    A race that the reader does not know of is asked for an invite, whether it exists or not.
    """
    mistake, status, now = "", 200, clock.now()
    if request.method == "POST":
        try:
            if "handle" in request.POST:
                handle = InvitationForm(request.POST).invite(race_id, player_of(request), now)
                messages.success(request, gettext("You have invited %(handle)s.") % {"handle": handle})
            elif "circle" in request.POST:
                invite_circle(race_id, player_of(request), request.POST["circle"].replace("\0", ""), now)
                messages.success(request, gettext("You have invited all members."))
            else:
                join(race_id, player_of(request), request.POST.get("invite", ""), now)
            return see_other("web:race", race_id)
        except (Refusal, Throttled) as refusal:
            mistake, status = sentence(refusal), 429 if isinstance(refusal, Throttled) else 409
    try:
        known = read_race(race_id, reader_of(request))
    except UnknownRace:
        invited = {"race_id": race_id, "mistake": mistake}
        return page(request, "games/race_invite.html", invited, section="races", status=status)
    own = known.racer_of(reader_of(request))
    code = code_of(race_id) if own is not None and not (known.race.is_public or known.race.circle) else ""
    context = {
        **_terms(known.race),
        "code": code,
        "link": request.build_absolute_uri(reverse("web:race-by-code", args=[code])) if code else "",
        "invitation": InvitationForm(),
        "may_invite": own is not None and known.race.state(now) in {Race.State.OPEN, Race.State.COUNTDOWN},
        "leads": [circle for circle in circles_of(reader_of(request)) if circle.is_led and takes(known.race, circle)],
        "mistake": mistake,
    }
    return page(request, "games/race.html", context, section="races", status=status)


@form_page
@gzip_page
def by_code(request: HttpRequest, code: str = "") -> HttpResponse:
    """Show who invites to a race and by which rules, to anyone who has its code; a POST enters the race.

    Without a code in the address, `?code=` leads to it.
    """
    if not code:
        asked = typed_code(request, CODE_LENGTH)
        return redirect("web:race-by-code", asked) if asked else redirect("web:races")
    status, context = 200, {"code": code.upper()}
    try:
        found = find_by_code(code, address_of_request(request))
        context |= _terms(found) | {"joined": [racer.player for racer in found.racers.select_related("player")]}
        if request.method == "POST":
            return see_other("web:race", join(found.pk, player_of(request), invite_of(found.pk), clock.now()).pk)
    except (Refusal, Throttled) as refusal:
        is_unknown = isinstance(refusal, UnknownRace)
        context["mistake"] = gettext("No open race has this code.") if is_unknown else sentence(refusal)
        status = 404 if is_unknown else 429 if isinstance(refusal, Throttled) else 409
    return page(request, "games/race_code.html", context, section="races", status=status)


def _terms(race: Race) -> dict[str, Any]:
    minutes, seconds = divmod(race.limit_s, 60)
    return {"race": race, "rules": race.deal.rule_set, "limit": f"{minutes}:{seconds:02}"}


urlpatterns = [
    path("races/", races, name="races"),
    path("races/join/", by_code, name="race-by-typed-code"),
    path("races/join/<str:code>/", by_code, name="race-by-code"),
    path("races/<slug:race_id>/", race, name="race"),
]
