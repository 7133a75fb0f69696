"""The parts of the pages of deals and players about results and skill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.dispatch import receiver
from django.template.loader import render_to_string

from games.deals.grading import ORDERS
from games.errors import DealNotYet
from games.events import deal_page_wanted, profile_wanted
from games.models import Deal, Player
from games.rules import RULE_SETS
from leaderboards.models import PlayerShare
from leaderboards.services.deal_results import results_of, shares_of


@receiver(deal_page_wanted)
def results_on_deal(sender: type, deal: Deal, **signal: Any) -> str:
    """Return the part of a deal's page with everyone's results, "" if nobody played the deal on its day."""
    try:
        results = results_of(deal)
    except DealNotYet:
        return ""
    if not results.played:
        return ""
    bars = [{"count": count, **words} for count, words in _bars(results.over_par, results.lost)]
    most = max((bar["count"] for bar in bars), default=1)
    context = {
        "results": results,
        "bars": [{**bar, "width": round(100 * bar["count"] / most, 1)} for bar in bars],
        "deal": results.daily.deal,
        "orders": ORDERS,
    }
    return render_to_string("leaderboards/_deal_results.html", context)


@receiver(profile_wanted)
def skill_on_profile(sender: type, player: Player, **signal: Any) -> str:
    """Return the part of a player's page about deals and skill, "" where there are too few games."""
    shown = [_shown(share) for share in shares_of(player)]
    return render_to_string("leaderboards/_skill.html", {"skills": shown}) if shown else ""


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
