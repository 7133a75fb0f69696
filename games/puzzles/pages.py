"""Pages of puzzles: one after another on the table of a game, and the puzzle of each day."""

from datetime import UTC, date, datetime, timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.doors.pages import reading_page
from games.players.readers import page
from games.puzzles.days import FIRST_DAY, day_of, days_until, next_puzzle, puzzle_of
from games.puzzles.library import find_puzzle
from games.puzzles.packing import RULES
from games.puzzles.refusals import UnknownPuzzle
from games.rule_sets.pairs import rank_pairs
from games.rules import RULE_SETS

SHOWN_RULES = RULE_SETS["face-up-stock"]
"""Those of a puzzle with the whole stock in sight."""


@require_safe
@never_cache
def any_puzzle(request: HttpRequest) -> HttpResponse:
    """Lead to a puzzle, another one each time."""
    return redirect("web:puzzle", next_puzzle(""))


@reading_page
def puzzle(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Show a puzzle, without its solution."""
    try:
        found = find_puzzle(puzzle_id)
    except UnknownPuzzle as error:
        raise Http404(str(error)) from error
    context = {
        "puzzle": found,
        "day": day_of(found.id, datetime.now(UTC).date()),
        "next": next_puzzle(found.id),
        "rules": SHOWN_RULES,
        "played": RULES,
        "pairs": rank_pairs(RULES),
        "data": {
            "id": found.id,
            "rules": SHOWN_RULES.fields,
            "position": found.position.text,
            "choices": found.choices,
            "removals": found.decisions,
        },
    }
    return page(request, "games/puzzle.html", context, section="puzzles")


@reading_page
def days(request: HttpRequest) -> HttpResponse:
    """Show the puzzle of today and those of past days; `?until=` begins with an earlier day."""
    today = datetime.now(UTC).date()
    try:
        last = min(date.fromisoformat(request.GET.get("until", str(today))), today)
    except ValueError:
        return redirect("web:puzzle-days")
    found = days_until(last)
    context = {
        "today": puzzle_of(today),
        "days": [one for one in found if one.day < today],
        "older": found[-1].day - timedelta(days=1) if found and found[-1].day > FIRST_DAY else None,
    }
    return page(request, "games/puzzle_days.html", context, section="puzzles")


urlpatterns = [
    path("puzzles/", any_puzzle, name="puzzles"),
    path("puzzles/days/", days, name="puzzle-days"),
    path("puzzles/<slug:puzzle_id>/", puzzle, name="puzzle"),
]
