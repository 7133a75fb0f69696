"""The page of a case: the game, the findings, the evidence in the player's favour, and the possible decisions."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.play.admin_cells import RESULTS, clock
from games.play.models import Game
from games.play.reexecution import differing
from games.players.models import Player
from games.rules import RULE_SETS, RulesError
from leaderboards.audit.verifying import mistakes_in_entry
from leaderboards.boards.catalog import Period
from leaderboards.boards.models import Entry
from leaderboards.boards.ranking import placements, rank_if_listed
from leaderboards.boards.refusals import ModerationError
from leaderboards.boards.titles import short_title
from leaderboards.desk import words
from leaderboards.desk.acting import act_on, evidence_of
from leaderboards.desk.doors import desk_page, now, reviewer_of
from leaderboards.desk.found import fortune_chart, found_of, not_found, others_risen
from leaderboards.desk.linked import linked_on
from leaderboards.desk.panel import panel_of
from leaderboards.desk.replay import Replay, replay_of
from leaderboards.desk.retested import retests_on, step_words
from leaderboards.desk.shown_game import at_of, shown_game
from leaderboards.detectors.naming import BOTH
from leaderboards.detectors.thresholds import THRESHOLDS
from leaderboards.moderation import log
from leaderboards.moderation.cases import case_in, ended_attempts, latest_findings, touch, visible_cases
from leaderboards.moderation.evidence_models import Examination, KeptFinding
from leaderboards.moderation.lists import bar_of, standings_of
from leaderboards.moderation.models import Act, Appeal, Case, Outcome
from leaderboards.moderation.playing import weighings_of
from leaderboards.moderation.priority import priority_of
from leaderboards.moderation.reading import log_of, next_after
from leaderboards.moderation.refusals import UnknownCase

MOST_OTHERS = 10


@require_http_methods(["GET", "HEAD", "POST"])
def case(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a case, or act on it: a POST has `act`."""
    reviewer = reviewer_of(request)
    visible = visible_cases(reviewer)
    try:
        found = case_in(visible, pk)
        if request.method == "POST":
            return act_on(request, found, reviewer, now())
        return case_page(request, found, visible)
    except UnknownCase as error:
        raise Http404(str(error)) from error
    except ModerationError as error:
        return case_page(request, case_in(visible, pk), visible, refusal=error)


def case_page(
    request: HttpRequest, case: Case, visible: QuerySet[Case], refusal: ModerationError | None = None
) -> HttpResponse:
    """Return the page; after a refusal with its status and message, keeping the reviewer's text."""
    reviewer, at = reviewer_of(request), now()
    if refusal is None and case.reviewer_id == reviewer.pk:
        touch(case, reviewer, at)
    seen = evidence_of(case, reviewer) if case.reviewer_id == reviewer.pk else ""  # before what it stands for is read
    story, lines = _story(case, request, at), log_of(case, reviewer)
    has_appeals = any(shown.line.act == Act.APPEALED for shown in lines)
    context = {
        **_head(case, reviewer, visible, at),
        **story,
        **_evidence(case, story, reviewer),
        "seen": seen,
        "panel": (panel := panel_of(case, reviewer, request.POST)),
        **retests_on(case, at, request.POST, is_mine=panel["is_mine"]),
        "log": [(shown, step_words(shown.line)) for shown in lines],
        "appeals": Appeal.objects.filter(decision__case=case).select_related("decision") if has_appeals else [],
        "refusal": str(refusal) if refusal else "",
        "log_mistake": log.mistake_found(),
    }
    return desk_page(request, "desk/case.html", context, status=refusal.status if refusal else 200)


def _head(case: Case, reviewer: Player, visible: QuerySet[Case], at: datetime) -> dict[str, Any]:
    following = next_after(case.pk, visible, reviewer, at)
    return {
        "title": _("Case %(number)d") % {"number": case.pk},
        "case": case,
        "player": case.player,
        "name": words.name(case.player),
        "day": f"{_(RULE_SETS[case.daily.rules].title)}, {date_format(case.daily.day, 'LONG_DAY')}",
        "priority": priority_of(case, at),
        "is_mine": case.state == Case.State.TAKEN and case.reviewer_id == reviewer.pk,
        "taken_for": words.age(at - case.touched_at) if case.touched_at else "",
        "next": following,
        "next_name": words.name(following.player) if following else "",
        "age": words.age(at - case.opened_at),
    }


def _story(case: Case, request: HttpRequest, at: datetime) -> dict[str, Any]:
    """Return score and game; a game on an open day, or one that does not replay, is not shown."""
    attempts = list(ended_attempts(case).select_related("examination", "weighed"))
    game = next((one for one in attempts if one.pk == request.GET.get("game")), attempts[0] if attempts else None)
    hidden = not case.daily.key.is_public(at)  # while it can still be played: cards, records, charts by action
    story: dict[str, Any] = {
        "attempts": attempts,
        "game": game,
        "is_hidden": hidden,
        "public_at": case.daily.key.finish_by,
    }
    if game is None:
        return story
    entries = list(Entry.objects.filter(game=game, valid_to=None).select_related("board").order_by("board__slug"))
    story["score"] = _score(game, hidden)
    story |= _ranks(entries)
    story["state"] = entries[0].get_state_display() if entries else _("Not entered")
    if hidden:
        return story
    story["mistakes"] = _mistakes(game, entries)
    if not story["mistakes"]:
        story |= _replayed(game, request)
    return story


def _ranks(entries: list[Entry]) -> dict[str, Any]:
    """Return the game's placements on the boards of its day, the best rank, and the best that a flag keeps back."""
    of_the_day = [entry for entry in entries if entry.board.key.period is Period.DAILY]
    places = placements([entry for entry in of_the_day if entry.listed])
    return {
        "placements": [(short_title(place.board), place) for place in places],
        "rank": min((place.rank for place in places), default=None),
        "rank_without_flag": min((rank_if_listed(entry) for entry in of_the_day if entry.held), default=None),
    }


def _mistakes(game: Game, entries: list[Entry]) -> list[str]:
    """Return the differences between game and record, and between entries and game."""
    found = differing([game.pk]).get(game.pk, [])
    for entry in entries:
        entry.game = game
        found += mistakes_in_entry(entry)
    return found


def _replayed(game: Game, request: HttpRequest) -> dict[str, Any]:
    examination: Examination | None = getattr(game, "examination", None)
    try:
        replay: Replay = replay_of(game, examination, weighings_of(game))
    except RulesError as error:
        return {"mistakes": [_("the record does not replay: %(code)s") % {"code": error.code}]}
    return {"shown": shown_game(replay, at_of(request.GET.get("at"), replay))} if replay.steps else {}


def _score(game: Game, hidden: bool) -> dict[str, Any]:
    """Return the result of a game in words."""
    return {
        "result": RESULTS[Game.Status(game.status)].capitalize(),
        "moves": game.moves,
        "par": None if hidden else game.deal.par,
        "time": clock(game.elapsed_ms),
        "left": game.cards_left,
    }


def _evidence(case: Case, story: dict[str, Any], reviewer: Player) -> dict[str, Any]:
    """Return findings, what speaks for the player, linked accounts and history."""
    all_found = list(KeptFinding.objects.filter(player=case.player_id))
    findings = latest_findings(one for one in all_found if one.case_id == case.pk)
    examinations = list(
        Examination.objects.filter(player=case.player_id).order_by("at", "pk").only("combined", "game_id")
    )
    others = max((place.of - 1 for _, place in story.get("placements", ())), default=0)
    standings = standings_of(case.player_id)
    found = found_of(findings, standings, others_risen(case) if findings else 0, others)
    return {
        "found": found,
        "with_fortune": next((one for one in found if one["has_fortune"]), None),
        "passed": sum(one["is_past"] for one in found),
        "fortune_chart": fortune_chart(examinations, bar_of(BOTH, standings)) if examinations else None,
        "examined": len(examinations),
        "not_found": not_found(findings, len(examinations)),
        "thresholds": THRESHOLDS.version,
        "reports": list(case.reports.select_related("reporter")),
        **_others(case),
        "before": _games_before(all_found, examinations),
        "linked": linked_on(case, story["game"], reviewer),
    }


def _others(case: Case) -> dict[str, Any]:
    """Return the player's other cases: the newest, the number of the rest, and all that were cleared."""
    others = Case.objects.filter(player=case.player_id).exclude(pk=case.pk).select_related("daily", "decision")
    newest_first = list(others.order_by("-opened_at", "-pk"))
    return {
        "others": newest_first[:MOST_OTHERS],
        "more_others": len(newest_first[MOST_OTHERS:]),
        "cleared": [one for one in newest_first if one.decision and one.decision.outcome == Outcome.CLEAR],
    }


def _games_before(findings: list[KeptFinding], examinations: list[Examination]) -> int:
    """Return the number of games examined before the first that a finding names; 0 without findings."""
    named = {game for finding in findings for game in (finding.game_id, *finding.games)}
    first = next((place for place, one in enumerate(examinations) if one.pk in named), len(examinations))
    return first if named else 0
