"""Read cases for reviewers: queues, and the log without what a second reviewer must not see yet."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Count, Q, QuerySet

from games.players.models import Player
from leaderboards.moderation.cases import may_take
from leaderboards.moderation.models import UNDECIDED, Act, Case, LogLine

TOP = 10
MOST_SKIPPED = 25  # cases that need somebody else, which are looked at one by one
CHOICES = (Act.PROPOSED, Act.SECONDED)


class View(StrEnum):
    """The built-in queues."""

    OPEN = "open"
    MINE = "mine"
    SECOND = "second"
    APPEALS = "appeals"
    TOP_TEN = "top-ten"
    DECIDED_TODAY = "decided-today"


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the log as a reader may see it; of a hidden one outcome and text are empty."""

    line: LogLine
    is_hidden: bool

    @property
    def outcome(self) -> str:
        return "" if self.is_hidden else self.line.outcome

    @property
    def text(self) -> str:
        return "" if self.is_hidden else self.line.text


def queue_of(visible: QuerySet[Case], view: View, reviewer: Player, now: datetime) -> QuerySet[Case]:
    """Return the visible cases of a queue, the most urgent first."""
    return visible.filter(_wanted(reviewer, now)[view]).order_by("-urgency", "pk")


def next_after(case: int, visible: QuerySet[Case], reviewer: Player, now: datetime) -> Case | None:
    """Return the most urgent other case that nobody has taken and the reviewer may take."""
    others = queue_of(visible, View.OPEN, reviewer, now).exclude(pk=case).exclude(state=Case.State.TAKEN)
    most_urgent = others.select_related("player", "proposal")[:MOST_SKIPPED]
    return next((other for other in most_urgent if may_take(other, reviewer)), None)


def counts_of(visible: QuerySet[Case], reviewer: Player, now: datetime) -> dict[View, int]:
    """Count the visible cases of each queue in one query."""
    counts = {view.name: Count("pk", filter=wanted) for view, wanted in _wanted(reviewer, now).items()}
    found = visible.order_by().aggregate(**counts)
    return {view: found[view.name] for view in View}


def _wanted(reviewer: Player, now: datetime) -> dict[View, Q]:
    undecided = Q(state__in=UNDECIDED)
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return {
        View.OPEN: undecided,
        View.MINE: Q(state=Case.State.TAKEN, reviewer=reviewer),
        View.SECOND: undecided & Q(needs=Case.Needs.SECOND),
        View.APPEALS: undecided & Q(needs=Case.Needs.APPEAL),
        View.TOP_TEN: undecided & Q(rank__lte=TOP),
        View.DECIDED_TODAY: Q(decision__at__gte=today),
    }


def log_of(case: Case, reader: Player) -> list[ShownLine]:
    """Return the log of a case, redacted for a reviewer.

    While a proposal waits, a reviewer who has not chosen yet sees neither the choices nor the texts of those who have.
    """
    lines = list(case.log.select_related("by", "confirms", "about").order_by("number"))
    proposed = case.proposal.number if case.proposal else None
    choices = [line for line in lines if proposed and line.number >= proposed and line.act in CHOICES]
    judges = {line.by_id for line in choices}
    kept = set() if reader.pk in judges else judges
    return [ShownLine(line, line.by_id in kept and (line in choices or line.act == Act.NOTED)) for line in lines]
