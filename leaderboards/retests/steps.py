"""The steps of a retest, each a line in the log of its case."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from games.players.models import Player
from leaderboards.moderation import log
from leaderboards.moderation.models import Act, Case, LogLine
from leaderboards.retests.models import Retest


class Step(StrEnum):
    """The events in a retest."""

    OFFERED = "offered"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    EXPIRED = "expired"
    BEGUN = "begun"
    ENDED = "ended"
    SCORED = "scored"


def locked_case(pk: int) -> Case:
    """Return a case, locked until the transaction ends: everyone locks a case before the log."""
    return Case.objects.select_for_update().get(pk=pk)


def locked(pk: str) -> Retest:
    """Return a retest, locked with its case until the transaction ends."""
    locked_case(Retest.objects.values_list("case", flat=True).get(pk=pk))
    return Retest.objects.select_for_update(of=("self",)).select_related("player").get(pk=pk)


def log_step(
    retest: Retest, step: Step, facts: Mapping[str, int | str], now: datetime, by: Player | None = None
) -> LogLine:
    """Add a step to the log of the case; `by` is a reviewer, never the player, whose name no line has."""
    about = {"retest": retest.pk, "step": step.value, **facts}
    return log.append(LogLine(at=now, case_id=retest.case_id, act=Act.RETEST, by=by, facts=about))
