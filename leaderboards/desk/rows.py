"""The rows of the queue: cases with their scores and findings, read for a whole page at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log10
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.play.admin_cells import result
from games.play.models import Game
from games.players.models import Player
from games.rules import RULE_SETS
from leaderboards.desk import words
from leaderboards.desk.found import strongest_first
from leaderboards.detectors.thresholds import THRESHOLDS
from leaderboards.moderation.cases import IDLE
from leaderboards.moderation.models import AccountEvidence, Case, KeptFinding
from leaderboards.moderation.priority import Priority, priority_of

MOST_FINDINGS = 3
DECADES = 7  # of the line on which the evidence of an account is shown
NEEDED = {
    Case.Needs.SECOND: gettext_lazy("Second wanted"),
    Case.Needs.SENIOR: gettext_lazy("Senior wanted"),
    Case.Needs.APPEAL: gettext_lazy("Appeal"),
}
BAR = 20  # height of a bar of the priority


@dataclass(frozen=True, slots=True)
class Row:
    """A case of the queue."""

    case: Case
    priority: Priority
    score: str
    day: str
    found: tuple[str, ...]
    more: int
    reports: int
    against: str
    innocent: str
    fortune: float
    state: str
    beside: str
    age: str
    is_hidden: bool

    @property
    def bars(self) -> str:
        """The three bars of the priority as a path."""
        heights = (self.priority.strength, self.priority.rank, self.priority.age)
        return "".join(f"M{4 + 8 * place} 22v-{max(1, round(BAR * own))}" for place, own in enumerate(heights))

    @property
    def bars_text(self) -> str:
        strength, rank, old = (
            round(10 * own) for own in (self.priority.strength, self.priority.rank, self.priority.age)
        )
        said = _("strength %(strength)d, rank %(rank)d, age %(age)d of 10")
        return said % {"strength": strength, "rank": rank, "age": old}

    @property
    def name(self) -> str:
        return words.name(self.case.player)

    @property
    def at(self) -> str:
        return on_line(self.fortune)

    @property
    def is_past(self) -> bool:
        return self.fortune >= THRESHOLDS.case

    @property
    def times(self) -> str:
        return words.times(self.fortune)


def on_line(fortune: float) -> str:
    """Return where a fortune lies on the line, in percent."""
    return f"{max(3.0, min(97.0, 100 * (log10(max(1.0, fortune)) + 0.2) / DECADES)):.1f}%"


THRESHOLD_AT = on_line(THRESHOLDS.case)


def with_evidence(cases: QuerySet[Case], first: int, last: int) -> list[Case]:
    """Return some of the cases in order, with the account's evidence, its games, and the number of reports.

    Only keys are read of all cases; everything else is read of these alone.
    """
    chosen = Case.objects.filter(pk__in=cases.values("pk")[first:last])
    evidence = AccountEvidence.objects.filter(player=OuterRef("player")).order_by("-updated_at")
    found = chosen.select_related("player", "daily", "reviewer", "decision").annotate(
        fortune=Subquery(evidence.values("highest")[:1]),
        examined=Subquery(evidence.values("games")[:1]),
        reported=Count("reports"),
    )
    return list(found.order_by(*cases.query.order_by))


def rows_of(cases: Sequence[Case], reader: Player, now: datetime) -> list[Row]:
    """Return the rows of cases annotated by `with_evidence`."""
    games, findings = _games(cases), _findings(cases)
    return [_row(case, games.get((case.player_id, case.daily_id)), findings[case.pk], reader, now) for case in cases]


def _row(case: Case, game: Game | None, findings: list[KeptFinding], reader: Player, now: datetime) -> Row:
    said: Any = case
    found = [words.detector(one.detector) for one in findings]
    state, beside = _state(case, reader, now)
    return Row(
        case=case,
        priority=priority_of(case, now),
        score=result(game) if game else _("no attempt that counts"),
        day=f"{_(RULE_SETS[case.daily.rules].title)}, {date_format(case.daily.day, 'SHORT_DAY')}",
        found=tuple(found[:MOST_FINDINGS]),
        more=max(0, len(found) - MOST_FINDINGS),
        reports=said.reported,
        against=findings[0].explanation if findings else _("Reported by players; no detector found anything."),
        innocent=findings[0].innocent[0] if findings and findings[0].innocent else "",
        fortune=said.fortune or 1.0,
        state=state,
        beside=beside,
        age=words.age(now - case.opened_at),
        is_hidden=not case.daily.key.is_public(now),
    )


def _state(case: Case, reader: Player, now: datetime) -> tuple[str, str]:
    """Return the state of a case in words, and a remark."""
    since = words.age(now - case.touched_at) if case.touched_at else ""
    if case.state == Case.State.TAKEN and case.touched_at and now - case.touched_at < IDLE:
        return (_("Yours"), since) if case.reviewer_id == reader.pk else (f"{case.reviewer}", since)
    if case.needs == Case.Needs.NOBODY:
        return _("Decided"), words.outcome(case.decision.outcome) if case.decision else ""
    if case.needs != Case.Needs.REVIEWER:
        return str(NEEDED[Case.Needs(case.needs)]), ""
    return (_("Free"), "") if case.daily.key.is_public(now) else (_("Open day"), _("no cards yet"))


def _games(cases: Sequence[Case]) -> dict[tuple[int, int], Game]:
    among = Game.objects.filter(
        player__in={case.player_id for case in cases}, daily__in={case.daily_id for case in cases}
    )
    ended = among.exclude(status=Game.Status.PLAYING).order_by("-attempt")
    return {(game.player_id, game.daily_id or 0): game for game in ended}


def _findings(cases: Sequence[Case]) -> dict[int, list[KeptFinding]]:
    found: dict[int, dict[str, KeptFinding]] = defaultdict(dict)
    for finding in KeptFinding.objects.filter(case__in=cases).order_by("pk"):
        found[finding.case_id or 0][finding.detector] = finding
    return defaultdict(list, {pk: strongest_first(own.values()) for pk, own in found.items()})
