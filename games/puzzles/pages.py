"""Pages of puzzles on the table of a game: one after another, streaks, storms, and the puzzle of each day."""

from datetime import date, timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from msgspec import to_builtins
from rest_framework.exceptions import Throttled

from games.accounts.visitors import player_of
from games.doors.pages import form_page, reading_page, see_other, sentence
from games.doors.refusals import Refusal
from games.players.models import Player
from games.players.readers import for_players, page, reader_of
from games.puzzles.choosing import next_for
from games.puzzles.days import FIRST_DAY, day_of, days_until, puzzle_of
from games.puzzles.library import Puzzle, find_puzzle
from games.puzzles.packing import RULES
from games.puzzles.ratings import strength_of, strength_of_puzzle
from games.puzzles.reading import failed_puzzles
from games.puzzles.refusals import UnknownPuzzle
from games.puzzles.runs import Kind, best_of, running, start
from games.puzzles.wire import Run
from games.rule_sets.pairs import rank_pairs
from games.rules import RULE_SETS
from games.runtime.clock import clock

SHOWN_RULES = RULE_SETS["face-up-stock"]
"""Those of a puzzle with the whole stock in sight."""


@require_safe
@never_cache
def any_puzzle(request: HttpRequest) -> HttpResponse:
    """Lead to a puzzle in the reader's range, another one each time."""
    return redirect("web:puzzle", next_for(reader_of(request)))


@require_safe
@never_cache
@for_players
def failed(request: HttpRequest, player: Player) -> HttpResponse:
    """Lead to the last puzzle that the reader failed and has not solved since, to any if there is none."""
    waiting = failed_puzzles(player)
    return redirect("web:puzzle", waiting[0]) if waiting else redirect("web:puzzles")


@reading_page
def puzzle(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Show a puzzle, without its solution."""
    try:
        found = find_puzzle(puzzle_id)
    except UnknownPuzzle as error:
        raise Http404(str(error)) from error
    context = {
        "puzzle": found,
        "day": day_of(found.id, clock.now().date()),
        "figures": _figures(reader_of(request), found),
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


def _figures(reader: Player | None, puzzle: Puzzle) -> dict[str, int] | None:
    """Return the ratings of a reader and of a puzzle; a visitor sees none."""
    if reader is None:
        return None
    return {"own": round(strength_of(reader).mean), "puzzle": round(strength_of_puzzle(puzzle).mean)}


@form_page
def run(request: HttpRequest, kind: str) -> HttpResponse:
    """Show the streak or the storm that the reader is in, or how to begin one; a POST begins one, also for visitors."""
    now, mistake, status = clock.now(), "", 200
    if request.method == "POST":
        try:
            start(player_of(request), Kind(kind), now)
            return see_other(f"web:puzzle-{kind}")
        except (Refusal, Throttled) as refusal:
            mistake = sentence(refusal)
            status = 429 if isinstance(refusal, Throttled) else 409
    reader, table = reader_of(request), f"/boards/all-time.standard.open.{kind}/"
    found = running(reader, Kind(kind), now) if reader else None
    if found is None:
        best = best_of(reader, Kind(kind)) if reader else 0
        context = {"kind": kind, "mistake": mistake, "best": best, "table": table}
        return page(request, "games/puzzle_run_start.html", context, section="puzzles", status=status)
    told = Run.of(found, now)
    context = {
        "run": told,
        "table": table,
        "rules": SHOWN_RULES,
        "played": RULES,
        "pairs": rank_pairs(RULES),
        "data": {"rules": SHOWN_RULES.fields, "run": to_builtins(told)},
    }
    return page(request, "games/puzzle_run.html", context, section="puzzles")


@reading_page
def days(request: HttpRequest) -> HttpResponse:
    """Show the puzzle of today and those of past days; `?until=` begins with an earlier day."""
    today = clock.now().date()
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
    path("puzzles/failed/", failed, name="puzzles-failed"),
    path("puzzles/streak/", run, {"kind": "streak"}, name="puzzle-streak"),
    path("puzzles/storm/", run, {"kind": "storm"}, name="puzzle-storm"),
    path("puzzles/<slug:puzzle_id>/", puzzle, name="puzzle"),
]
