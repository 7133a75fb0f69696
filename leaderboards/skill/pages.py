"""The parts of the pages of deals and players about results and skill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.calendar.models import Deal
from games.deals.grading import ORDERS
from games.play.refusals import DealNotYet
from games.players.models import Player
from games.rules import RULE_SETS
from leaderboards.skill.deal_results import results_of, shares_of
from leaderboards.skill.models import PlayerShare


def results_on_deal(deal: Deal) -> dict[str, Any]:
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
