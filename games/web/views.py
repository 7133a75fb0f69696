"""Pages for people. What changes while one looks at them comes from the API by script."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.deals.daily import GRACE
from games.errors import UnknownPlayer
from games.models import Player
from games.rules import RULE_SETS, UnknownRuleSet
from games.rules.prose import describe
from games.services.dailies import dailies_of
from games.services.disclosure import DisclosedDaily, disclose
from games.services.statistics import find_player, statistics_of
from games.web.sketches import sketch


@require_safe
@cache_control(no_cache=True)
def home(request: HttpRequest) -> HttpResponse:
    now = datetime.now(UTC)
    context: dict[str, Any] = {
        "now": now,
        "dailies": [(daily, RULE_SETS[daily.key.rules]) for daily in playable_dailies(reader_of(request), now)],
        "origin": request.build_absolute_uri("/"),
        "rule_sets": [(rules, sketch(rules.tableau)) for rules in RULE_SETS.values()],
    }
    if isinstance(request.user, Player):
        context |= figures_of(request.user, request, now)
    return render(request, "games/home.html", context)


@require_safe
@cache_control(no_cache=True)
def player(request: HttpRequest, handle: str) -> HttpResponse:
    try:
        player = find_player(handle)
    except UnknownPlayer as error:
        raise Http404(str(error)) from error
    return render(request, "games/player.html", figures_of(player, request, datetime.now(UTC)))


@require_safe
def rule_set(request: HttpRequest, name: str) -> HttpResponse:
    try:
        rules = RULE_SETS[name]
    except UnknownRuleSet as error:
        raise Http404(str(error)) from error
    if rules.slug != name:
        return redirect("web:rule-set", rules.slug, permanent=True)
    context = {
        "rules": rules,
        "text": describe(rules),
        "aliases": RULE_SETS.aliases(rules.slug),
        "sketch": sketch(rules.tableau),
    }
    return render(request, "games/rule_set.html", context)


def figures_of(player: Player, request: HttpRequest, now: datetime) -> dict[str, Any]:
    """Return what the templates show of a player's streaks and bests, to whoever looks at the page."""
    statistics = statistics_of(player, reader_of(request), now)
    bests = [
        {"title": RULE_SETS[best.rules].title, "moves": best.moves, "time": clock_text(best.elapsed_ms)}
        for best in statistics.bests
    ]
    return {"statistics": statistics, "bests": bests}


def clock_text(milliseconds: int) -> str:
    """Return a duration as minutes and seconds, as the score tables show it."""
    minutes, rest = divmod(milliseconds, 60_000)
    return f"{minutes}:{rest / 1000:06.3f}"


def reader_of(request: HttpRequest) -> Player | None:
    """Return who looks at a page, or None for someone unknown."""
    return request.user if isinstance(request.user, Player) else None


def playable_dailies(reader: Player | None, now: datetime) -> list[DisclosedDaily]:
    """Return the daily deals that someone may be playing: today's, and yesterday's until its last games have to end.

    Those of the reader's division stand before the others.
    """
    days = sorted({now.date(), (now - GRACE).date()}, reverse=True)
    order = list(RULE_SETS)
    return [
        daily
        for day in days
        for daily in sorted(
            disclose(dailies_of(day), reader, now),
            key=lambda daily: (order.index(daily.key.rules), not daily.is_yours),
        )
    ]
