"""The page that says whether the server is well: is it slow, or is it my line?"""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.players.readers import page
from games.runtime.clock import clock
from games.status.reading import Kept, status_of_server

PARTS = {
    "play": _("Play: your moves are stored"),
    "live": _("Live: you see what others do at once"),
    "days": _("Days: the coming deals are fixed"),
    "work": _("Work behind the scenes: analyses, notifications, expired games"),
}
STATES = {"ok": _("works"), "failing": _("disturbed"), "unknown": _("not known")}
OBJECTIVES = {
    "move": _("A move is stored"),
    "start": _("The deal of the day is on the table"),
    "opening": _("The same, in the first minute of a day"),
    "ranks": _("A finished game has its ranks"),
}
COLUMNS = (_("Promised"), _("24 hours"), _("7 days"), _("30 days"))


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    now = status_of_server(clock.now())
    context = {
        "parts": [(PARTS[name], state, STATES[state]) for name, state in now.parts.items()],
        "objectives": [_row(kept) for kept in now.objectives],
        "columns": COLUMNS,
        "can_play": now.parts["play"] == "ok",
        "is_well": set(now.parts.values()) == {"ok"},
        "is_disturbed": "failing" in now.parts.values(),
        "is_in_time": all(kept.is_promise_kept for kept in now.objectives),
    }
    return page(request, "games/status.html", context)


def _row(kept: Kept) -> tuple[str, float, list[tuple[str, str | None, bool]]]:
    return str(OBJECTIVES[kept.objective.name]), kept.objective.seconds, _percents(kept)


def _percents(kept: Kept) -> list[tuple[str, str | None, bool]]:
    """Return the name of each column, its percentage, and True if that is less than was promised."""
    promised = kept.objective.promised
    shares = zip(COLUMNS, (promised, kept.day, kept.week, kept.month), strict=True)
    return [
        (str(name), None, False)
        if share is None
        else (str(name), number_format(round(share * 100, 2)), share < promised)
        for name, share in shares
    ]


urlpatterns = [path("status/", status, name="status")]
