"""Cups: the list, each cup with its bracket, and tournaments by hand: the form, and what the letters lead to."""

from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from rest_framework.exceptions import Throttled

from games.accounts.visitors import player_of
from games.cups.finding import find_by_code
from games.cups.forms import TournamentForm
from games.cups.hosting import DECISIONS, announce, leads, remove
from games.cups.models import Cup
from games.cups.qualification import enter, require_open
from games.cups.reading import (
    KnownCup,
    current_cups,
    entry_of,
    game_in,
    medals_of,
    past_cups,
    read_cup,
    tournaments_of,
)
from games.cups.refusals import UnknownCup
from games.cups.signups import MOST_ENTRANTS, require_room, sign_up, withdraw
from games.doors.pages import form_page, granted, reading_page, see_other, sentence, typed_code
from games.doors.refusals import Refusal
from games.players.models import Player
from games.players.readers import for_named, page, reader_of
from games.races.circles import circles_of
from games.races.invites import CODE_LENGTH
from games.runtime.addresses import address_of_request
from games.runtime.clock import clock

LONGEST_NUMBER = 4


@reading_page
def cups(request: HttpRequest) -> HttpResponse:
    """List the cups that are announced or on their way, past ones, and the reader's tournaments."""
    reader = reader_of(request)
    own = tournaments_of(reader) if reader else []
    context = {"cups": current_cups(), "past": past_cups(), "own": own}
    return page(request, "games/cups.html", context, section="races")


@form_page
@gzip_page
@for_named
def new_cup(request: HttpRequest, reader: Player) -> HttpResponse:
    """Show the form of a tournament by hand; a POST announces it."""
    form = TournamentForm(request.POST if request.method == "POST" else None, reader=reader)
    form.fields["circle"].initial = request.GET.get("circle", "")
    if request.method == "POST" and form.is_valid():
        cup = granted(form, lambda: announce(reader, form.terms, clock.now()))
        if cup is not None:
            return see_other("web:cup", cup.pk)
    status = 409 if form.errors else 200
    return page(request, "games/cup_form.html", {"form": form}, section="races", status=status)


@form_page
@gzip_page
def by_code(request: HttpRequest, code: str = "") -> HttpResponse:
    """Show the tournament with some letters to anyone who has them; a POST signs up for it.

    Without letters in the address, `?code=` leads to it. One that has begun or has the reader in it is shown itself.
    """
    if not code:
        asked = typed_code(request, CODE_LENGTH)
        return redirect("web:cup-by-code", asked) if asked else redirect("web:cups")
    status, context = 200, dict[str, Any](code=code.upper())
    try:
        reader = reader_of(request)
        cup = find_by_code(code, address_of_request(request), reader)
        known = read_cup(cup.pk, 1, reader)
        is_full = len(known.signups) >= MOST_ENTRANTS
        context |= {"cup": cup, "known": known, "minutes": cup.limit_s // 60, "is_full": is_full}
        if request.method == "POST":
            now = clock.now()
            if reader is None:
                require_room(cup, now)  # or a refusal would leave a guest behind
            sign_up(cup.pk, player_of(request), now)
            return see_other("web:cup", cup.pk)
        if cup.state != cup.State.ANNOUNCED or any(signup.player == reader for signup in known.signups):
            return redirect("web:cup", cup.pk)
    except (Refusal, Throttled) as refusal:
        is_unknown = isinstance(refusal, UnknownCup)
        context["mistake"] = gettext("No tournament has these letters.") if is_unknown else sentence(refusal)
        status = 404 if is_unknown else _status(refusal)
    return page(request, "games/cup_code.html", context, section="races", status=status)


@form_page
@gzip_page
def cup(request: HttpRequest, cup_id: str) -> HttpResponse:
    """Show a cup and the bracket of a division; a POST begins the attempt, and makes an unknown visitor a guest.

    Of a tournament by hand, a POST withdraws, or carries out what the organiser decides.
    """
    mistake, status = "", 200
    try:
        if request.method == "POST":
            try:
                return _act(request, cup_id, clock.now())
            except UnknownCup:
                raise
            except (Refusal, Throttled) as refusal:
                mistake, status = sentence(refusal), _status(refusal)
        known = read_cup(cup_id, _division(request), reader_of(request))
    except UnknownCup as error:
        raise Http404(str(error)) from error
    context = _context(known, reader_of(request)) | {"mistake": mistake}
    if known.cup.is_by_hand:
        context["link"] = request.build_absolute_uri(reverse("web:cup-by-code", args=[known.cup.code]))
    return page(request, "games/cup.html", context, section="races", status=status)


def _act(request: HttpRequest, cup_id: str, now: datetime) -> HttpResponse:
    """Carry out what a form says."""
    act, handle, reader = request.POST.get("act", ""), request.POST.get("remove", ""), reader_of(request)
    if not act and not handle:
        if reader is None:
            require_open(cup_id, reader, now)  # or a refusal would leave a guest behind
        return see_other("web:game", enter(cup_id, player_of(request), now))
    if act == "withdraw" and reader is not None:
        withdraw(cup_id, reader, now)
    elif handle and reader is not None:
        remove(cup_id, reader, handle, now)
    elif act in DECISIONS and reader is not None:
        DECISIONS[act](cup_id, reader, now)
    return see_other("web:cup", cup_id)


def _status(refusal: Refusal | Throttled) -> int:
    return 429 if isinstance(refusal, Throttled) else 409


def _context(known: KnownCup, reader: Player | None) -> dict[str, Any]:
    is_announced, own = known.cup.state == known.cup.State.ANNOUNCED, entry_of(known.cup, reader)
    medals, own_race = medals_of(known.cup), known.race_of(reader)
    own_game = game_in(own_race, reader) if own_race and reader else None
    watches = own_game is not None and own_game.status != own_game.Status.PLAYING
    return {
        "known": known,
        "cup": known.cup,
        "rules": known.cup.rule_set,
        "minutes": (known.cup.limit_s if known.cup.is_by_hand else known.cup.qualify_s) // 60,
        "own": own,
        "own_race": own_race,
        "own_game": None if watches else own_game,
        "watches": watches,
        "may_enter": own is None and _takes_people(known.cup),
        "entries": [(entry, known.points_of(entry), medals.get(entry.pk, "")) for entry in known.entries],
        "circle": next((one.name for one in circles_of(reader) if one.id == known.cup.circle), ""),
        "divisions": range(1, known.divisions + 1),
        "is_host": is_announced and reader is not None and leads(reader, known.cup),
        "signed_up": is_announced and any(signup.player == reader for signup in known.signups),
        "invites": is_announced and known.has(reader),
    }


def _takes_people(cup: Cup) -> bool:
    """Return True for a cup whose qualification is open to people, or will be."""
    is_to_come = cup.state in {cup.State.ANNOUNCED, cup.State.QUALIFYING}
    return is_to_come and not (cup.is_by_hand or cup.for_bots)


def _division(request: HttpRequest) -> int:
    wanted = request.GET.get("division", "")
    return int(wanted[:LONGEST_NUMBER]) if wanted.isascii() and wanted.isdigit() else 1


urlpatterns = [
    path("cups/", cups, name="cups"),
    path("cups/new/", new_cup, name="new-cup"),
    path("cups/join/", by_code, name="cup-by-typed-code"),
    path("cups/join/<str:code>/", by_code, name="cup-by-code"),
    path("cups/<slug:cup_id>/", cup, name="cup"),
]
