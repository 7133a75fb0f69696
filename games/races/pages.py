"""Races: the list, the room, and the page that an invite leads to."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from rest_framework.exceptions import Throttled

from games.accounts.visitors import player_of
from games.doors.pages import form_page, see_other, sentence
from games.doors.refusals import Refusal
from games.players.readers import page, reader_of
from games.races.forms import InvitationForm, RaceForm
from games.races.models import Race
from games.races.ratings import best_rated
from games.races.reading import past_races, public_races, races_of, read_race
from games.races.refusals import UnknownRace
from games.races.rooms import join
from games.races.strength import Family, figures_of

MOST_SHOWN = 10
MOST_RATED = 20


@form_page
@gzip_page
def races(request: HttpRequest) -> HttpResponse:
    """List public races and one's own; a POST opens a race, and turns an unknown visitor into a guest."""
    form, status = RaceForm(request.POST if request.method == "POST" else None), 200
    if request.method == "POST" and form.is_valid():
        try:
            return see_other("web:race", form.create(player_of(request), datetime.now(UTC)).pk)
        except (Refusal, Throttled) as refusal:
            form.add_error(None, sentence(refusal))
            status = 429 if isinstance(refusal, Throttled) else 409
    reader, now = reader_of(request), datetime.now(UTC)
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
    mistake, status, now = "", 200, datetime.now(UTC)
    if request.method == "POST":
        try:
            if "handle" in request.POST:
                handle = InvitationForm(request.POST).invite(race_id, player_of(request), now)
                messages.success(request, gettext("You have invited %(handle)s.") % {"handle": handle})
            else:
                join(race_id, player_of(request), request.POST.get("invite", ""), now)
            return see_other("web:race", race_id)
        except (Refusal, Throttled) as refusal:
            mistake, status = sentence(refusal), 429 if isinstance(refusal, Throttled) else 409
    try:
        known = read_race(race_id, reader_of(request))
    except UnknownRace:
        return page(request, "games/race_invite.html", {"mistake": mistake}, section="races", status=status)
    own = known.racer_of(reader_of(request))
    minutes, seconds = divmod(known.race.limit_s, 60)
    context = {
        "race": known.race,
        "rules": known.race.deal.rule_set,
        "limit": f"{minutes}:{seconds:02}",
        "invitation": InvitationForm(),
        "may_invite": own is not None and known.race.state(now) in {Race.State.OPEN, Race.State.COUNTDOWN},
        "mistake": mistake,
    }
    return page(request, "games/race.html", context, section="races", status=status)


urlpatterns = [
    path("races/", races, name="races"),
    path("races/<slug:race_id>/", race, name="race"),
]
