"""The page of a player: bests, streaks, finished games, points by day."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.errors import UnknownPlayer
from games.events import profile_wanted
from games.kit.pages import page, reader_of
from games.models import Game, Player
from games.rules import RULE_SETS
from games.services.sessions import visible_games
from games.services.statistics import find_player, statistics_of
from games.web.words import clock_text

SHOWN = 30


@require_safe
@cache_control(private=True, no_cache=True)
@gzip_page
def player(request: HttpRequest, handle: str) -> HttpResponse:
    try:
        found = find_player(handle)
    except UnknownPlayer as error:
        raise Http404(str(error)) from error
    now, reader = datetime.now(UTC), reader_of(request)
    games = visible_games(found, reader, now, SHOWN)
    context = {**figures_of(found, reader, now), "games": games, "chart": chart_of(games), "is_own": reader == found}
    context["parts"] = [part for _, part in profile_wanted.send(Player, player=found)]
    return page(request, "games/player.html", context, section="account" if reader == found else "")


def figures_of(player: Player, reader: Player | None, now: datetime) -> dict[str, Any]:
    """Return a player's streaks and bests for the templates, as the reader may know them."""
    statistics = statistics_of(player, reader, now)
    bests = [
        {"title": RULE_SETS[best.rules].title, "moves": best.moves, "time": clock_text(best.elapsed_ms)}
        for best in statistics.bests
    ]
    return {"statistics": statistics, "bests": bests}


def chart_of(games: list[Game]) -> dict[str, Any] | None:
    """Return the cards left in the ranked games, the oldest first, as points of a line in a frame of 100 x 28."""
    ranked = [game for game in reversed(games) if game.is_ranked and game.is_over]
    if len(ranked) < 2:
        return None
    left = [min(28, game.cards_left or 0) for game in ranked]
    step = 100 / (len(left) - 1)
    points = [(round(index * step, 2), cards) for index, cards in enumerate(left)]
    return {"points": " ".join(f"{x},{y}" for x, y in points), "values": left}
