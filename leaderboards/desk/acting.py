"""The actions of a reviewer on a case: take, release, note, decide. Each answers 303."""

import json
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from games.players.models import Player
from leaderboards.boards.refusals import BoardsMoved, ModerationError
from leaderboards.boards.titles import short_title
from leaderboards.desk import words
from leaderboards.desk.doors import desk_page, now, reviewer_of, see_other
from leaderboards.desk.retested import terms_of
from leaderboards.moderation import cases
from leaderboards.moderation.choices import Choice, words_of
from leaderboards.moderation.deciding import Effect, chosen_by, decide, effect_of, upholds
from leaderboards.moderation.models import Act, Case, LogLine, Outcome
from leaderboards.moderation.preview import ALL_ROWS, MOST_ROWS, BoardPreview, Preview, preview
from leaderboards.moderation.reading import next_after
from leaderboards.moderation.refusals import BadDecision
from leaderboards.retests.offering import offer

MESSAGES = {
    Act.DECIDED: gettext_lazy("Case {case} is decided: {outcome}."),
    Act.PROPOSED: gettext_lazy("Case {case} now waits for a second reviewer, who does not see your choice."),
    Act.SECONDED: gettext_lazy("You disagree about case {case}: a senior reviewer looks at it."),
}
EFFECTS = {
    Effect.PROPOSES: gettext_lazy("The second reviewer does not see your choice before making one."),
    Effect.PROPOSES_TO_SENIOR: gettext_lazy(
        "The second reviewer does not see your choice before making one. It takes effect only if a senior agrees."
    ),
    Effect.COMPLETES: gettext_lazy("If you both agree, it takes effect now; if not, a senior reviewer looks at it."),
    Effect.WAITS_FOR_SENIOR: gettext_lazy("Even if you both agree, it takes effect only if a senior reviewer agrees."),
    Effect.SETTLES: gettext_lazy(
        "If you agree with one of the two, it takes effect now; if not, you propose it to a second reviewer."
    ),
}
LONGEST_NOTE = 2000


def act_on(request: HttpRequest, case: Case, reviewer: Player, at: datetime) -> HttpResponse:
    """Perform the action that a form of the page requests. Raises `ModerationError`."""
    pk = case.pk
    match request.POST.get("act"):
        case "take":
            cases.take(pk, reviewer, at)
            return see_other("admin:review-case", pk)
        case "release":
            cases.release(pk, reviewer, at)
            return see_other("admin:review")
        case "note":
            cases.note(pk, reviewer, _note(request), at)
            return see_other(f"{reverse('admin:review-case', args=[pk])}#log")
        case "retest":
            offer(pk, reviewer, terms_of(request.POST), at)
            messages.success(request, _("The player is notified of the offer."))
            return see_other(f"{reverse('admin:review-case', args=[pk])}#retests")
        case "decide" | "second":
            _require_seen(request, case, reviewer)
            answer = _decided if "versions" in request.POST else confirm_page
            return answer(request, case, reviewer, at)
    raise BadDecision("there is nothing of this name to do with a case")


def evidence_of(case: Case, reviewer: Player) -> str:
    """Return what changes when something about a case is found, reported, or written by others than a reviewer."""
    counts = case.findings.count(), case.reports.count(), case.log.exclude(by=reviewer).count()
    return "-".join(map(str, counts))


def _require_seen(request: HttpRequest, case: Case, reviewer: Player) -> None:
    """Raise `BadDecision` if the page on which the reviewer chose does not have all that is known by now."""
    seen = request.POST.get("seen")
    if seen and seen != evidence_of(case, reviewer):
        raise BadDecision(_("something was found, reported or written since you opened this case: read it first"))


@require_safe
def who_moves(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the moves of ranks caused by a choice, for the panel, or why it cannot be chosen."""
    reviewer = reviewer_of(request)
    try:
        found = cases.find_case(pk, reviewer)
        choice = Choice(_outcome(request.GET.get("outcome", "")), request.GET.get("reason", ""))
        seen = _preview(found, choice, now())
        boards = [_board_data(board) for board in seen.boards]
        effect = effect_of(found, reviewer, seen.chosen, now())
        return JsonResponse({"boards": boards, "says": str(EFFECTS.get(effect, ""))})
    except ModerationError as error:
        return JsonResponse({"error": str(error)}, status=error.status)


def confirm_page(
    request: HttpRequest, case: Case, reviewer: Player, at: datetime, moved: BoardsMoved | None = None
) -> HttpResponse:
    """Show the effect of a decision; the form carries the versions of the boards."""
    cases.touch(case, reviewer, at)
    choice = _choice(request)
    all_rows = "all" in request.POST
    seen = _preview(case, choice, at, ALL_ROWS if all_rows else MOST_ROWS)
    effect = effect_of(case, reviewer, seen.chosen, at)
    context = {
        "title": _("Confirm case %(number)d") % {"number": case.pk},
        "case": case,
        "choice": choice,
        "seen": request.POST.get("seen", ""),
        "outcome": words.outcome(choice.outcome),
        "words": words_of(choice.reason),
        "boards": [(short_title(board.board.slug), board) for board in seen.boards],
        "versions": json.dumps(seen.versions),
        "is_proposal": effect in (Effect.PROPOSES, Effect.PROPOSES_TO_SENIOR),
        "effect": EFFECTS.get(effect, ""),
        "waits": choice.outcome is Outcome.REINSTATE and case.player.banned_at is not None,
        "moved": str(moved) if moved else "",
        "all_rows": all_rows,
        "more": sum(board.others - len(board.rows) for board in seen.boards),
    }
    return desk_page(request, "desk/confirm.html", context, status=moved.status if moved else 200)


def _decided(request: HttpRequest, case: Case, reviewer: Player, at: datetime) -> HttpResponse:
    try:
        line = decide(case.pk, reviewer, _choice(request), _versions(request), at)
    except BoardsMoved as error:
        return confirm_page(request, case, reviewer, at, moved=error)
    messages.success(request, _message(line))
    following = next_after(case.pk, cases.visible_cases(reviewer), reviewer, at)
    return see_other("admin:review-case", following.pk) if following else see_other("admin:review")


def _message(line: LogLine) -> str:
    if line.act == Act.SECONDED and line.about and line.about.outcome == line.outcome:
        return _("You agree about case %(number)d; a senior reviewer must agree too.") % {"number": line.case_id}
    return str(MESSAGES[Act(line.act)]).format(case=line.case_id, outcome=words.outcome(line.outcome))


def _preview(case: Case, choice: Choice, at: datetime, most_rows: int = MOST_ROWS) -> Preview:
    if upholds(case, choice.outcome):
        return Preview(chosen_by(case, choice), (), {})
    return preview(case, choice, at, most_rows)


def _choice(request: HttpRequest) -> Choice:
    post = request.POST
    text = post.get("text", "").replace("\0", "").strip()
    return Choice(_outcome(post.get("outcome", "")), post.get("reason", ""), text, tuple(post.getlist("games")))


def _outcome(text: str) -> Outcome:
    try:
        return Outcome(text)
    except ValueError as error:
        raise BadDecision("choose an outcome") from error


def _versions(request: HttpRequest) -> dict[str, int]:
    """Return the board versions in a form. Raises `BadDecision`."""
    try:
        versions = json.loads(request.POST["versions"])
        return {str(slug): int(version) for slug, version in versions.items()}
    except (ValueError, AttributeError, TypeError, OverflowError, RecursionError) as error:
        raise BadDecision("the versions of the boards are missing; look at the changes again") from error


def _note(request: HttpRequest) -> str:
    text = request.POST.get("text", "").replace("\0", "").strip()
    if not 0 < len(text) <= LONGEST_NOTE:
        raise BadDecision(f"a note has 1 to {LONGEST_NOTE} characters")
    return text


def _board_data(board: BoardPreview) -> dict[str, object]:
    first = [f"{change.player} {change.before} → {change.after}" for change in board.rows[:2]]
    title = short_title(board.board.slug)
    return {"title": title, "before": board.before, "after": board.after, "others": board.others, "first": first}
