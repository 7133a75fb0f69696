"""The page of the bots."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from games.doors.pages import reading_page
from games.players.readers import page
from games.rules import RULE_SETS
from games.runtime.clock import clock
from leaderboards.boards.catalog import FEWEST_MOVES, Period
from leaderboards.bots.bots import DAYS, active_bots, boards_of_bots


@reading_page
def bots(request: HttpRequest) -> HttpResponse:
    """List the bots that played lately, with today's tables of their kind; `?models=1` only those of models."""
    now = clock.now()
    today = [key for key in boards_of_bots(now) if (key.period, key.table) == (Period.DAILY, FEWEST_MOVES)]
    order = list(RULE_SETS)
    today.sort(key=lambda key: order.index(key.rules))
    tables = [{"slug": str(key), "rules": RULE_SETS[key.rules], "division": key.division} for key in today]
    models = "models" in request.GET
    found = [bot for bot in active_bots(now) if bot.player.model or not models]
    context = {"bots": found, "days": DAYS, "tables": tables, "models": models}
    return page(request, "leaderboards/bots.html", context, section="boards")


urlpatterns = [
    path("bots/", bots, name="bots-page"),
]
