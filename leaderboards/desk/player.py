"""The page of a player: state, boards, days with the evidence of each game, cases, reports, linked accounts."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.play.admin_cells import result
from games.play.scores import Placement
from games.players.models import Player
from games.rules import RULE_SETS
from leaderboards.boards.catalog import Period
from leaderboards.boards.decisions import ranked_games
from leaderboards.boards.models import Entry
from leaderboards.boards.ranking import placements
from leaderboards.boards.titles import short_title
from leaderboards.desk import words
from leaderboards.desk.doors import desk_page, reviewer_of
from leaderboards.desk.found import fortune_chart, found_of
from leaderboards.desk.linked import linked_to
from leaderboards.detectors.naming import BOTH
from leaderboards.moderation import log
from leaderboards.moderation.cases import latest_findings, visible_cases
from leaderboards.moderation.evidence_models import Examination
from leaderboards.moderation.lists import bar_of, standings_of
from leaderboards.moderation.models import Case, Outcome, Report
from leaderboards.moderation.visibility import visible_to

MOST_GAMES, MOST_CASES, MOST_REPORTS, MOST_BOARDS = 60, 20, 20, 8
PERIODS = (Period.ALL_TIME, Period.MONTHLY, Period.WEEKLY)
AGAINST = (Outcome.DISQUALIFY, Outcome.BAN)


@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show everything that moderation knows about a player, but not to that player or a linked account."""
    reviewer = reviewer_of(request)
    shown = visible_to(reviewer, Player.objects.all(), "pk").filter(pk=pk).first()
    if shown is None:
        raise Http404(f"there is no player {pk}")
    visible = visible_cases(reviewer)
    cases = list(visible.filter(player=shown).select_related("daily", "decision").order_by("-opened_at"))
    examinations = list(Examination.objects.filter(player=shown).order_by("at", "pk"))
    standings = standings_of(shown.pk)
    context = {
        "title": _("Player %(name)s") % {"name": words.name(shown)},
        "player": shown,
        "name": words.name(shown),
        "states": list(_states(shown)),
        "cases": cases[:MOST_CASES],
        "all_cases": len(cases),
        "days": _days(shown, cases, examinations),
        "played": ranked_games(shown).count(),
        "found": found_of(latest_findings(shown.findings.all()), standings, 0, 0),
        "fortune_chart": fortune_chart(examinations, bar_of(BOTH, standings)) if examinations else None,
        "boards": _boards(shown),
        "linked": linked_to(shown, reviewer),
        "log_mistake": log.mistake_found(),
        **_reports(shown, visible),
    }
    return desk_page(request, "desk/player.html", context)


def _states(player: Player) -> Iterable[str]:
    """Yield the states of an account in words."""
    if player.banned_at:
        yield _("banned since %(day)s") % {"day": date_format(player.banned_at)}
    if not player.is_active:
        yield _("closed or deleted")
    if player.is_bot:
        yield _("a bot")
    if player.is_guest:
        yield _("a guest")
    if player.is_staff:
        yield _("staff")


def _days(player: Player, cases: list[Case], examinations: list[Examination]) -> list[dict[str, Any]]:
    """Return the newest ranked games with their state on the boards, their evidence, and the cases about them."""
    games = list(ranked_games(player).select_related("daily", "deal").order_by("-created_at", "-pk")[:MOST_GAMES])
    entries = Entry.objects.filter(game__in=games, valid_to=None).order_by()
    states = {entry.game_id: entry.get_state_display() for entry in entries}
    by_day = {case.daily_id: case for case in cases}
    seen = {examination.game_id: examination for examination in examinations}
    return [
        {
            "game": game,
            "day": f"{date_format(game.daily.day)}, {_(RULE_SETS[game.daily.rules].title)}" if game.daily else "",
            "result": result(game),
            "state": states.get(game.pk, ""),
            "examination": seen.get(game.pk),
            "stakes": _stakes(seen.get(game.pk)),
            "case": by_day.get(game.daily_id or 0),
        }
        for game in games
    ]


def _stakes(seen: Examination | None) -> list[str]:
    """Return the account's fortunes after a game: of the bet, of near par, and their mean; empty if not examined."""
    fortunes = (seen.foresight, seen.near_par, seen.combined) if seen and seen.evidence else ()
    return list(map(words.times, fortunes))


def _boards(player: Player) -> list[tuple[str, str, Placement]]:
    """Return the newest standings on the boards of longer periods: title, slug, rank."""
    longer = Q()
    for period in PERIODS:
        longer |= Q(board__slug__startswith=f"{period}.")
    listed = player.entries.filter(longer, valid_to=None, listed=True).select_related("board")
    newest = list(listed.order_by("-changed_at")[:MOST_BOARDS])
    return [(short_title(place.board), place.board, place) for place in placements(newest)]


def _reports(player: Player, visible: QuerySet[Case]) -> dict[str, Any]:
    """Return the reports that a player made: how many, how many were upheld, and the newest; none about the reader."""
    made = Report.objects.filter(reporter=player, case__in=visible)
    upheld = made.filter(case__decision__outcome__in=AGAINST).count()
    newest = made.select_related("case__player", "case__decision").order_by("-pk")
    return {"reported": made.count(), "upheld": upheld, "reports": list(newest[:MOST_REPORTS])}
