"""Appeals: one for each decision, within a deadline, heard by somebody who had no part in the case."""

import secrets
from datetime import datetime

from django.db import transaction

from games.players.models import Player
from leaderboards.moderation import log
from leaderboards.moderation.cases import is_under_appeal, update_rank
from leaderboards.moderation.models import Act, Appeal, Case, LogLine
from leaderboards.moderation.refusals import AppealTooLate, NotAppealable, UnknownDecision


def appeal(player: Player, number: int, text: str, now: datetime) -> Appeal:
    """Appeal against the decision of this number. Raises `UnknownDecision`, `NotAppealable` or `AppealTooLate`."""
    with transaction.atomic():
        found = Case.objects.select_for_update(of=("self",)).filter(player=player, decision__number=number)
        case = found.select_related("decision").first()
        if case is None or case.decision is None:
            _require_decision(player, number)
            raise NotAppealable("something else was decided since")
        _require_appealable(case, now)
        salt = secrets.token_hex(16)
        line = log.append(
            LogLine(
                at=now,
                case=case,
                act=Act.APPEALED,
                by=player,
                about=case.decision,
                text_hash=log.hash_of(salt, text),
            )
        )
        Case.objects.filter(pk=case.pk).update(
            state=Case.State.APPEALED, needs=Case.Needs.APPEAL, reviewer=None, touched_at=None
        )
        update_rank(case)
        return Appeal.objects.create(player=player, decision=case.decision, line=line, at=now, text=text, salt=salt)


def _require_decision(player: Player, number: int) -> None:
    if not LogLine.objects.filter(number=number, act=Act.DECIDED, case__player=player).exists():
        raise UnknownDecision(f"there is no decision about you with the number {number}")


def _require_appealable(case: Case, now: datetime) -> None:
    if is_under_appeal(case):
        raise NotAppealable("you have appealed against this decision before")
    if case.appeal_until is None:
        raise NotAppealable("this decision cannot be appealed against")
    if now >= case.appeal_until:
        raise AppealTooLate(f"the time for an appeal ended at {case.appeal_until.isoformat()}")
