"""The page of a deal, made for sharing, and what a player's page shows about skill."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from rest_framework.exceptions import Throttled

from games.accounts.visitors import player_of
from games.calendar.models import Deal
from games.deals.grading import ORDERS
from games.doors.pages import form_page, sentence
from games.doors.refusals import Refusal
from games.play.models import Game
from games.play.pages import dealt, make_room_for_practice
from games.play.refusals import DealNotYet, UnknownDeal
from games.play.visibility import may_practise
from games.players.models import Player
from games.players.readers import page, reader_of
from games.practice.shared_deals import SharedDeal, best_first, find_deal, practise_deal, shared_deal
from games.rules import RULE_SETS
from games.runtime.clock import clock
from leaderboards.skill.deal_results import results_of, shares_of
from leaderboards.skill.models import PlayerShare


@form_page
def deal(request: HttpRequest, deal_id: str) -> HttpResponse:
    """Show a deal and, with `?game=`, the result to beat; a POST starts a practice game."""
    now = clock.now()
    reader = reader_of(request)
    try:
        found = find_deal(deal_id)
    except UnknownDeal as error:
        raise Http404(str(error)) from error
    if not may_practise(found, reader, now):
        raise Http404(f"deal {deal_id} is not shared")
    context: dict[str, Any] = {"deal": found, "rules": found.rule_set}
    if request.method == "POST":
        try:
            player = player_of(request)
            make_room_for_practice(player, now)
            return dealt(practise_deal(player, found, now).id)
        except (Refusal, Throttled) as refusal:
            context["mistake"] = sentence(refusal)
    return page(request, "games/deal.html", context | _challenge(request, found, reader, now), section="practice")


def _challenge(request: HttpRequest, deal: Deal, reader: Player | None, now: datetime) -> dict[str, Any]:
    """Return the context for a shared deal; empty for one open to its reader only because they have played it."""
    try:
        shared = shared_deal(deal, reader, now)
    except DealNotYet:
        return {}
    to_beat = best_first(deal).filter(pk=request.GET.get("game", "")).first()
    return {
        "shared": shared,
        **_results_on(deal),
        "to_beat": to_beat,
        "link": request.build_absolute_uri(_link(shared, to_beat)),
    }


def _link(shared: SharedDeal, to_beat: Game | None) -> str:
    """Return the address that challenges others to beat the reader's best result, or else the one shown."""
    challenger = shared.yours or to_beat
    page = reverse("web:deal", args=[shared.deal.id])
    return f"{page}?game={challenger.id}" if challenger else page


def _results_on(deal: Deal) -> dict[str, Any]:
    """Return what a deal's page shows of everyone's results, nothing if nobody played the deal on its day."""
    try:
        results = results_of(deal)
    except DealNotYet:
        return {}
    if not results.played:
        return {}
    bars = [{"count": count, **words} for count, words in _bars(results.over_par, results.lost)]
    most = max((bar["count"] for bar in bars), default=1)
    return {
        "results": results,
        "bars": [{**bar, "width": round(100 * bar["count"] / most, 1)} for bar in bars],
        "orders": ORDERS,
    }


def skill_on_profile(player: Player) -> list[dict[str, Any]]:
    """Return what a player's page shows about deals and skill, nothing where there are too few games."""
    return [_shown(share) for share in shares_of(player)]


def _bars(over_par: Sequence[int], lost: Sequence[int]) -> Iterator[tuple[int, dict[str, int]]]:
    yield from ((count, {"over": over}) for over, count in enumerate(over_par) if count)
    yield from ((count, {"left": left}) for left, count in enumerate(lost) if count)


def _shown(share: PlayerShare) -> dict[str, Any]:
    names = ("by_player", "by_player_low", "by_player_high", "by_deal", "by_deal_low", "by_deal_high")
    percents = {name: round(100 * getattr(share, name)) for name in names}
    return {
        "title": RULE_SETS[share.rules].title,
        "games": share.games,
        "cards": round(abs(share.effect), 1),
        "is_better": share.effect < 0,
        **percents,
        "rest": max(0, 100 - percents["by_player"] - percents["by_deal"]),
    }


urlpatterns = [
    path("deals/<slug:deal_id>/", deal, name="deal"),
]
