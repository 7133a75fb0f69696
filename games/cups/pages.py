"""Cups: the list, and each cup with its bracket."""

from datetime import UTC, datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.gzip import gzip_page
from rest_framework.exceptions import Throttled

from games.accounts.visitors import player_of
from games.cups.qualification import enter
from games.cups.reading import KnownCup, current_cups, entry_of, past_cups, read_cup
from games.cups.refusals import UnknownCup
from games.doors.pages import form_page, reading_page, see_other, sentence
from games.doors.refusals import Refusal
from games.players.models import Player
from games.players.readers import page, reader_of

LONGEST_NUMBER = 4


@reading_page
def cups(request: HttpRequest) -> HttpResponse:
    """List the cups that are announced or on their way, and past ones."""
    return page(request, "games/cups.html", {"cups": current_cups(), "past": past_cups()}, section="races")


@form_page
@gzip_page
def cup(request: HttpRequest, cup_id: str) -> HttpResponse:
    """Show a cup and the bracket of a division; a POST begins the attempt, and makes an unknown visitor a guest."""
    mistake, status = "", 200
    if request.method == "POST":
        try:
            return see_other("web:game", enter(cup_id, player_of(request), datetime.now(UTC)).pk)
        except UnknownCup as error:
            raise Http404(str(error)) from error
        except (Refusal, Throttled) as refusal:
            mistake, status = sentence(refusal), 429 if isinstance(refusal, Throttled) else 409
    try:
        known = read_cup(cup_id, _division(request))
    except UnknownCup as error:
        raise Http404(str(error)) from error
    context = _context(known, reader_of(request)) | {"mistake": mistake}
    return page(request, "games/cup.html", context, section="races", status=status)


def _context(known: KnownCup, reader: Player | None) -> dict[str, Any]:
    return {
        "known": known,
        "cup": known.cup,
        "rules": known.cup.rule_set,
        "minutes": known.cup.qualify_s // 60,
        "own": entry_of(known.cup, reader),
        "own_race": known.race_of(reader),
        "divisions": range(1, known.divisions + 1),
    }


def _division(request: HttpRequest) -> int:
    wanted = request.GET.get("division", "")
    return int(wanted[:LONGEST_NUMBER]) if wanted.isascii() and wanted.isdigit() else 1


urlpatterns = [
    path("cups/", cups, name="cups"),
    path("cups/<slug:cup_id>/", cup, name="cup"),
]
