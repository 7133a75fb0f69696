"""The page of a player: streaks, results, bests, moves over par, finished games."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _

from games.deals.daily import next_turn
from games.doors.kept_pages import keep_for_visitors
from games.doors.pages import clock_text, reading_page
from games.play.models import Game
from games.play.sessions import visible_games
from games.players.models import Player
from games.players.names import find_player
from games.players.readers import page, reader_of
from games.players.refusals import UnknownPlayer
from games.rules import RULE_SETS
from games.runtime.clock import clock
from games.statistics.models import Tally
from games.statistics.statistics import statistics_of
from games.statistics.tallies import FAR_OVER
from leaderboards.achievements.pages import achievements_on_profile
from leaderboards.cups.results import results_of
from leaderboards.leagues.tables import tier_of
from leaderboards.seasons.pages import honours_on_profile
from leaderboards.skill.pages import skill_on_profile

SHOWN = 30
SHOWN_CUPS = 10
OVER_PAR = ((0, 0), (1, 1), (2, 2), (3, 4), (5, 9), (10, FAR_OVER - 1), (FAR_OVER, FAR_OVER))
"""The bars of the chart: the first and the last number of moves over par in each."""


@reading_page
def player(request: HttpRequest, handle: str) -> HttpResponse:
    try:
        found = find_player(handle)
    except UnknownPlayer as error:
        if handle != handle.lower():  # as somebody wrote it down; no handle has capitals
            return redirect("web:player", handle.lower(), permanent=True)
        raise Http404(str(error)) from error
    now, reader = clock.now(), reader_of(request)
    games = visible_games(found, reader, now, SHOWN)
    context = {**figures_of(found, reader, now), "games": games, "chart": chart_of(games), "is_own": reader == found}
    context["bots"] = [] if found.is_bot else list(found.bots.filter(is_active=True).order_by("pk"))
    context |= achievements_on_profile(found)
    context["cups"] = results_of(found, SHOWN_CUPS)
    context |= {"tier": tier_of(found), "honours": honours_on_profile(found), "skills": skill_on_profile(found)}
    shown = page(request, "games/player.html", context, section="account" if reader == found else "")
    return keep_for_visitors(shown, until=next_turn(now))


def figures_of(player: Player, reader: Player | None, now: datetime) -> dict[str, Any]:
    """Return a player's statistics for the templates, as the reader may know them."""
    statistics = statistics_of(player, reader, now)
    results = [
        {
            "title": RULE_SETS[row.rules].title,
            "kind": row.kind,
            "played": row.played,
            "won": row.won,
            "percent": 100 * row.won // row.played,
            "moves": row.moves,
            "time": "" if row.elapsed_ms is None else clock_text(row.elapsed_ms),
        }
        for row in statistics.tallies
    ]
    ratings = [{**each._asdict(), "points": _curve(each.course)} for each in statistics.ratings]
    over_par = list(_charts(statistics.tallies))
    return {"statistics": statistics, "results": results, "ratings": ratings, "over_par": over_par}


def _charts(tallies: Sequence[Tally]) -> Iterator[dict[str, Any]]:
    """Yield the wins by moves over par of each kind of game, with the widths of bars in percent."""
    for kind in dict.fromkeys(tally.kind for tally in tallies):
        wins = [over for tally in tallies if tally.kind == kind for over in enumerate(tally.over_par)]
        counts = [sum(count for over, count in wins if first <= over <= last) for first, last in OVER_PAR]
        if most := max(counts):
            bins = zip(OVER_PAR, counts, strict=True)
            shown = [{"label": _label(*ends), "count": n, "width": round(100 * n / most, 1)} for ends, n in bins]
            yield {"kind": kind, "bins": shown}


def _label(first: int, last: int) -> str:
    if first >= FAR_OVER:
        return _("%(over)d or more") % {"over": first}
    if first == last:
        return str(first) if first else _("at par")
    return _("%(first)s to %(last)s") % {"first": first, "last": last}


def chart_of(games: list[Game]) -> dict[str, Any] | None:
    """Return the cards left in the ranked games, oldest first, as points of a line in a frame of 100 x 28."""
    ranked = [game for game in reversed(games) if game.is_ranked and game.is_over]
    if len(ranked) < 2:
        return None
    left = [min(28, game.cards_left or 0) for game in ranked]
    return {"points": _points(left), "values": left}


def _curve(course: Sequence[int]) -> str:
    """Return a course of ratings as points of a line in a frame of 100 x 28, the best at the top."""
    if len(course) < 2:
        return ""
    best, span = max(course), max(course) - min(course) or 1
    return _points([round(28 * (best - rating) / span, 2) for rating in course])


def _points(heights: Sequence[float]) -> str:
    step = 100 / (len(heights) - 1)
    return " ".join(f"{round(index * step, 2)},{height}" for index, height in enumerate(heights))


urlpatterns = [
    path("players/<slug:handle>/", player, name="player"),
]
