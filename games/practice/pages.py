"""Practice: choose rules and deals, and play at once."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.gzip import gzip_page
from rest_framework.exceptions import Throttled

from games.accounts.visitors import player_of
from games.doors.pages import form_page, sentence
from games.doors.refusals import Refusal
from games.play.pages import dealt, make_room_for_practice
from games.play.sessions import open_practice_games
from games.players.readers import page, reader_of
from games.practice.forms import PracticeForm
from games.rule_sets.sketches import sketch
from games.rule_sets.win_rates import win_rate
from games.rules import RULE_SETS
from games.runtime.clock import clock


@form_page
@gzip_page
def practice(request: HttpRequest) -> HttpResponse:
    """Show the options of practice; a POST starts a game, and turns an unknown visitor into a guest."""
    form = PracticeForm(request.POST if request.method == "POST" else request.GET or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            player, now = player_of(request), clock.now()
            make_room_for_practice(player, now)
            return dealt(form.start(player, now).id)
        except (Refusal, Throttled) as refusal:
            form.add_error(None, sentence(refusal))
            status = 429 if isinstance(refusal, Throttled) else 409
    reader = reader_of(request)
    context = {
        "form": form,
        "chosen": form["rules"].value() or "standard",
        "open_games": open_practice_games(reader) if reader else [],
        "rule_sets": [(rules, sketch(rules), win_rate(rules)) for rules in RULE_SETS.values()],
    }
    return page(request, "games/practice.html", context, section="practice", status=status)


urlpatterns = [
    path("practice/", practice, name="practice"),
]
