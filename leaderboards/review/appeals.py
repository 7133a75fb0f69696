"""Appeals: one for each decision, within a deadline, heard by somebody who had no part in the case."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from django.db import transaction

from games.models import Player
from leaderboards.errors import AppealTooLate, NotAppealable
from leaderboards.models import Act, Appeal, Case, LogLine
from leaderboards.review import log


def appeal(player: Player, case_pk: int, text: str, now: datetime) -> Appeal:
    """Appeal against the decision of a case. Raises `NotAppealable` or `AppealTooLate`."""
    with transaction.atomic():
        case = Case.objects.select_for_update().filter(pk=case_pk, player=player).first()
        if case is None or case.decision_id is None:
            raise NotAppealable("nothing was decided about you there")
        if Appeal.objects.filter(decision=case.decision_id).exists():
            raise NotAppealable("you have appealed against this decision before")
        if case.appeal_until is None:
            raise NotAppealable("this decision cannot be appealed against")
        if now >= case.appeal_until or case.state not in (Case.State.DECIDED, Case.State.TAKEN):
            raise AppealTooLate(f"the time for an appeal ended at {case.appeal_until.isoformat()}")
        salt = secrets.token_hex(16)
        line = log.append(
            LogLine(
                at=now,
                case=case,
                act=Act.APPEALED,
                by=player,
                about_id=case.decision_id,
                text_hash=hash_of(salt, text),
            )
        )
        Case.objects.filter(pk=case.pk).update(
            state=Case.State.APPEALED, needs=Case.Needs.APPEAL, reviewer=None, touched_at=None
        )
        return Appeal.objects.create(
            player=player, decision_id=case.decision_id, line=line, at=now, text=text, salt=salt
        )


def hash_of(salt: str, text: str) -> str:
    """Return what the log keeps of an appeal's text, which nobody finds the text by once the salt is deleted."""
    return hashlib.sha256(f"{salt}|{text}".encode()).hexdigest()
