"""The way from a form that starts a game to its page."""

from datetime import datetime

from asgiref.sync import async_to_sync
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from games.doors.pages import SEE_OTHER
from games.play.live.requests import give_up
from games.play.sessions import practice_to_give_up
from games.players.models import Player

DEAL_NOW = "deal"  # the id of the button that the page presses


def dealt(game: str) -> HttpResponse:
    """Redirect a form to a game whose page deals the cards at once, because a person has just asked for them.

    The script takes the fragment out of the address, so that no reload, bookmark or restored tab starts a clock.
    """
    return HttpResponseRedirect(reverse("web:game", args=[game], fragment=DEAL_NOW), status=SEE_OTHER)


def make_room_for_practice(player: Player, now: datetime) -> None:
    """Give up the unfinished practice games that leave no room for another: on a page nobody looks for them."""
    for game in practice_to_give_up(player):
        async_to_sync(give_up)(game, player, now)
