"""The way from a form that starts a game to its page."""

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from games.doors.pages import SEE_OTHER

DEAL_NOW = "deal"  # the id of the button that the page presses


def dealt(game: str) -> HttpResponse:
    """Redirect a form to a game whose page deals the cards at once, because a person has just asked for them.

    The script takes the fragment out of the address, so that no reload, bookmark or restored tab starts a clock.
    """
    return HttpResponseRedirect(reverse("web:game", args=[game], fragment=DEAL_NOW), status=SEE_OTHER)
