"""Cases: opened and joined by evidence, taken and handed back by reviewers."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.catalog import Period
from leaderboards.boards.models import Entry, EntryState
from leaderboards.boards.ranking import placements, rank_if_listed
from leaderboards.detectors.findings import Strength
from leaderboards.moderation import log
from leaderboards.moderation.evidence_models import KeptFinding
from leaderboards.moderation.links import independent, linked_to
from leaderboards.moderation.models import Act, Case, LogLine
from leaderboards.moderation.priority import strength_of, urgency_of
from leaderboards.moderation.refusals import CaseTaken, NotAllowed, NotTaken, UnknownCase
from leaderboards.moderation.visibility import visible_to

IDLE = timedelta(hours=2)
MODERATE = "leaderboards.review_case"
HEAR_APPEAL = "leaderboards.hear_appeal"
JUDGED = (Act.PROPOSED, Act.SECONDED, Act.DECIDED)


# Opening


def open_or_join(player: int, daily: DailyDeal, by: str, now: datetime, reporter: Player | None = None) -> Case:
    """Return the case of a player and a deal; if there is none, open it and log the cause."""
    with transaction.atomic():
        case, is_new = Case.objects.get_or_create(player_id=player, daily=daily, defaults={"opened_at": now})
        case = Case.objects.select_for_update().get(pk=case.pk)  # everyone locks a case before the log
        act = Act.OPENED if is_new else Act.JOINED
        log.append(LogLine(at=now, case=case, act=act, by=reporter, facts={"by": by}))
    return case


def reopen(case: Case) -> None:
    """Reopen a decided case because of new evidence. An appeal against the decision is still possible."""
    decided = Case.objects.filter(pk=case.pk, state__in=(Case.State.DECIDED, Case.State.CLOSED))
    decided.update(state=Case.State.OPEN, needs=Case.Needs.REVIEWER)


def weigh(case: Case) -> None:
    """Update the strength of the evidence, the rank of the entry, and with both the priority."""
    found = latest_findings(case.findings.all())
    reporters = independent(case.reports.values_list("reporter", flat=True))
    case.strength = strength_of((finding.strength for finding in found), reporters)
    update_rank(case)


def update_rank(case: Case) -> None:
    """Update the rank that a case is about, and with it the priority."""
    case.rank = best_rank(case)
    case.urgency = urgency_of(case.strength, case.rank, case.opened_at)
    Case.objects.filter(pk=case.pk).update(strength=case.strength, rank=case.rank, urgency=case.urgency)


def best_rank(case: Case, *, without_ban: bool = False) -> int | None:
    """Return the best rank on the boards of their day that the case's attempts have, or could be given.

    A flag may have kept them from it; an appeal may give back what a disqualification took, and the end of a ban too.
    """
    valid = Entry.objects.filter(game__player=case.player_id, game__daily=case.daily_id, valid_to=None)
    entries = list(valid.filter(board__slug__startswith=f"{Period.DAILY}.").select_related("board"))
    ranks = [place.rank for place in placements([entry for entry in entries if entry.listed])]
    is_taken = is_under_appeal(case) or (without_ban and case.player.banned_at is not None)
    may_return = [entry for entry in entries if entry.held or (is_taken and entry.state == EntryState.DISQUALIFIED)]
    return min([*ranks, *map(rank_if_listed, may_return)], default=None)


def ended_attempts(case: Case) -> QuerySet[Game]:
    """Return a queryset of the player's finished attempts at the deal."""
    attempts = Game.objects.filter(player=case.player_id, daily=case.daily_id).exclude(status=Game.Status.PLAYING)
    return attempts.select_related("player", "daily", "deal").order_by("attempt")


def latest_findings(findings: Iterable[KeptFinding]) -> list[KeptFinding]:
    """Return the latest of findings in order for each detector and version, the strongest first."""
    latest = {(finding.detector, finding.version): finding for finding in findings}
    return sorted(latest.values(), key=lambda finding: list(Strength).index(Strength(finding.strength)))


# Who may see a case


def visible_cases(reviewer: Player) -> QuerySet[Case]:
    """Return the cases visible to a reviewer: none about the reviewer or linked accounts."""
    return visible_to(reviewer, Case.objects.all()) if reviewer.has_perm(MODERATE) else Case.objects.none()


def find_case(pk: int, reviewer: Player) -> Case:
    """Return a case. Raises `UnknownCase`, also for cases about the reviewer or linked accounts."""
    return case_in(visible_cases(reviewer), pk)


def case_in(visible: QuerySet[Case], pk: int) -> Case:
    """Return a case visible to a reviewer. Raises `UnknownCase`."""
    related = visible.select_related("player", "daily__deal", "reviewer", "decision", "proposal")
    case = related.filter(pk=pk).first()
    if case is None:
        raise UnknownCase(f"there is no case {pk}")
    return case


def is_under_appeal(case: Case) -> bool:
    """Return True if an appeal against the last decision has not been answered yet, even if its text is deleted."""
    return case.decision_id is not None and case.log.filter(act=Act.APPEALED, about=case.decision_id).exists()


# Taking


def take(pk: int, reviewer: Player, now: datetime) -> Case:
    """Take a case to decide it; one reviewer at a time has it.

    Raises `UnknownCase`, `NotAllowed`, or `CaseTaken` with who was first.
    """
    visible = visible_cases(reviewer)
    case = case_in(visible, pk)
    if case.reviewer_id == reviewer.pk:
        touch(case, reviewer, now)
        return case
    require_may_take(case, reviewer)
    free = ~Q(state=Case.State.TAKEN) | Q(touched_at__lt=now - IDLE)
    with transaction.atomic():
        mine = Case.objects.filter(free, pk=pk, needs=case.needs).update(
            state=Case.State.TAKEN, reviewer=reviewer, touched_at=now
        )
        if mine:
            log.append(LogLine(at=now, case=case, act=Act.TAKEN, by=reviewer))
    case = case_in(visible, pk)
    if not mine:
        raise CaseTaken(_by_whom(case, now))
    return case


def require_may_take(case: Case, reviewer: Player) -> None:
    """Require someone who did not report the score, and for a second opinion or an appeal someone not yet involved.

    Accounts that are linked, however weakly, count as one reviewer. Raises `NotAllowed`.
    """
    reporters = set(case.reports.values_list("reporter", flat=True))
    if not reporters and case.needs == Case.Needs.REVIEWER:
        return
    own = {reviewer.pk, *linked_to(reviewer.pk)}
    if not reporters.isdisjoint(own):
        raise NotAllowed(_("you, or an account linked to yours, reported this score"))
    if case.needs == Case.Needs.REVIEWER:
        return
    had_a_part = case.log.filter(by__in=own, act__in=JUDGED).exists()
    match case.needs:
        case Case.Needs.SECOND if had_a_part and (is_under_appeal(case) or _proposed(case, own)):
            raise NotAllowed(_("a second reviewer has to look at what you, or an account linked to yours, proposed"))
        case Case.Needs.SENIOR | Case.Needs.APPEAL if not reviewer.has_perm(HEAR_APPEAL):
            raise NotAllowed(_("a senior reviewer has to look at this case"))
        case Case.Needs.SENIOR | Case.Needs.APPEAL if had_a_part:
            raise NotAllowed(_("somebody who had no part in the case so far has to look at it"))
        case Case.Needs.NOBODY if not (_decided(case, reviewer) or reviewer.has_perm(HEAR_APPEAL)):
            raise NotAllowed(_("who decided a case, or a senior reviewer, can decide it again"))


def may_take(case: Case, reviewer: Player) -> bool:
    """Return True if a reviewer may take a case that nobody has."""
    try:
        require_may_take(case, reviewer)
    except NotAllowed:
        return False
    return True


def touch(case: Case, reviewer: Player, now: datetime) -> None:
    """Record that the reviewer is still working, so that the case is not handed back. Raises `NotTaken`."""
    mine = Case.objects.filter(pk=case.pk, reviewer=reviewer)
    if not mine.update(touched_at=now):
        case.refresh_from_db()
        raise NotTaken(_by_whom(case, now) if case.reviewer else "take the case first")


def release(pk: int, reviewer: Player, now: datetime) -> None:
    """Hand a case back. Raises `UnknownCase` or `NotTaken`."""
    case = find_case(pk, reviewer)
    with transaction.atomic():
        touch(case, reviewer, now)
        _put_back(case, reviewer, now)


def release_idle(now: datetime) -> int:
    """Hand back the cases that nobody touched for `IDLE`, and return their number."""
    idle = Case.objects.filter(state=Case.State.TAKEN, touched_at__lt=now - IDLE)
    released = 0
    for pk in list(idle.values_list("pk", flat=True)):
        with transaction.atomic():
            case = idle.select_for_update().filter(pk=pk).first()
            if case is not None:
                _put_back(case, None, now)
                released += 1
    return released


def close_settled(now: datetime) -> int:
    """Close the decided cases whose time for an appeal is over, and return their number."""
    over = Case.objects.filter(state=Case.State.DECIDED).filter(Q(appeal_until=None) | Q(appeal_until__lte=now))
    return over.update(state=Case.State.CLOSED)


def note(pk: int, reviewer: Player, text: str, now: datetime) -> LogLine:
    """Write something for colleagues into the log of a case, taken or not. Raises `UnknownCase`."""
    case = find_case(pk, reviewer)
    with transaction.atomic():
        Case.objects.select_for_update().get(pk=pk)  # everyone locks a case before the log
        Case.objects.filter(pk=pk, reviewer=reviewer).update(touched_at=now)
        return log.append(LogLine(at=now, case=case, act=Act.NOTED, by=reviewer, text=text))


def resting_state(needs: str, appeal_until: datetime | None, now: datetime) -> str:
    """Return the state to which an untaken case returns."""
    if needs == Case.Needs.APPEAL:
        return Case.State.APPEALED
    if needs != Case.Needs.NOBODY:
        return Case.State.OPEN
    return Case.State.DECIDED if appeal_until and now < appeal_until else Case.State.CLOSED


def _put_back(case: Case, by: Player | None, now: datetime) -> None:
    state = resting_state(case.needs, case.appeal_until, now)
    Case.objects.filter(pk=case.pk).update(state=state, reviewer=None, touched_at=None)
    log.append(LogLine(at=now, case=case, act=Act.RELEASED, by=by))


def _proposed(case: Case, own: set[int]) -> bool:
    return case.proposal is not None and case.proposal.by_id in own


def _decided(case: Case, reviewer: Player) -> bool:
    return case.decision is not None and reviewer.pk in (case.decision.by_id, case.decision.confirms_id)


def _by_whom(case: Case, now: datetime) -> str:
    if case.reviewer is None or case.touched_at is None:
        return "the case is not free any more"
    seconds = max(0, round((now - case.touched_at).total_seconds()))
    return f"{case.reviewer} took it {seconds} s ago"
