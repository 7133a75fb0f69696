"""The page of a player's retests."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from rest_framework.exceptions import Throttled

from games.doors.pages import form_page, sentence
from games.doors.refusals import Refusal
from games.play.models import Game
from games.play.pages import dealt
from games.play.words import result_text
from games.players.models import Player
from games.players.readers import for_players, page
from games.rules import RULE_SETS
from games.runtime.clock import clock
from leaderboards.retests import playing
from leaderboards.retests.models import Retest
from leaderboards.retests.refusals import RetestNotOpen
from leaderboards.retests.words import invitation


@form_page
@for_players
def own_retests(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the reader's retests; a POST answers an offer or starts the next deal."""
    now, mistake = clock.now(), ""
    if request.method == "POST":
        try:
            return _act(request, player, now)
        except (Refusal, Throttled) as refusal:
            mistake = sentence(refusal)
    retests = [_shown(retest, now) for retest in playing.retests_of(player)]
    context = {"retests": retests, "mistake": mistake}
    return page(request, "leaderboards/own_retests.html", context, section="account", status=409 if mistake else 200)


def _shown(retest: Retest, now: datetime) -> dict[str, Any]:
    return {
        "retest": retest,
        "state": retest.state(now),
        "rules": RULE_SETS[retest.rules].title,
        "invitation": invitation(retest),
        "next": _next_deal(retest, now),
        "games": [(deal.game, _result(deal.game)) for deal in retest.deals.all()],
    }


def _next_deal(retest: Retest, now: datetime) -> int | None:
    """Return the number of the deal that is played now or next; None once all are played, or the retest is over."""
    deals = list(retest.deals.all())
    is_playing = bool(deals and deals[-1].game and not deals[-1].game.is_over)
    number = len(deals) + (0 if is_playing else 1)
    return number if number <= retest.size and retest.state(now) is not Retest.State.ENDED else None


def _result(game: Game | None) -> str:
    return result_text(game) if game and game.is_over else ""


def _act(request: HttpRequest, player: Player, now: datetime) -> HttpResponse:
    """Take a step of a retest. Raises `UnknownRetest` or `RetestNotOpen`."""
    pk = request.POST.get("retest", "")
    match request.POST.get("act"):
        case "accept":
            playing.accept(pk, player, now)
        case "decline":
            playing.decline(pk, player, now)
        case "play":
            return dealt(playing.play_next(pk, player, now).pk)
        case _:
            raise RetestNotOpen("there is no such step")
    return redirect("own-retests")


urlpatterns = [path("review/retests/", own_retests, name="own-retests")]
