"""The rows of the queue: cases with their scores and findings, read for a whole page at once."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from math import log10
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Greatest
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.play.admin_cells import result
from games.play.models import Game
from games.players.models import Player
from games.rules import RULE_SETS
from leaderboards.desk import words
from leaderboards.detectors.naming import BOTH
from leaderboards.moderation.cases import IDLE, latest_findings
from leaderboards.moderation.evidence_models import AccountEvidence, KeptFinding
from leaderboards.moderation.lists import bar_of, standings_of
from leaderboards.moderation.models import Case
from leaderboards.moderation.priority import priority_of

MOST_FINDINGS = 3
DECADES = 7  # of the line on which the evidence of an account is shown
NEEDED = {
    Case.Needs.SECOND: gettext_lazy("Needs a second"),
    Case.Needs.SENIOR: gettext_lazy("Needs a senior"),
    Case.Needs.APPEAL: gettext_lazy("Appeal"),
}
BAR = 20  # height of a bar of the priority


def on_line(fortune: float) -> str:
    """Return where a fortune lies on the line, in percent."""
    return f"{max(3.0, min(97.0, 100 * (log10(max(1.0, fortune)) + 0.2) / DECADES)):.1f}%"


def with_evidence(cases: QuerySet[Case], first: int, last: int) -> list[Case]:
    """Return some of the cases in order, with the account's evidence, its games, and the number of reports.

    Only keys are read of all cases; everything else is read of these alone.
    """
    chosen = Case.objects.filter(pk__in=cases.values("pk")[first:last])
    own = AccountEvidence.objects.filter(player=OuterRef("player")).order_by("-updated_at")
    evidence = own.annotate(most=Greatest("foresight", "both"))
    found = chosen.select_related("player", "daily", "reviewer", "decision").annotate(
        fortune=Subquery(evidence.values("most")[:1]),
        examined=Subquery(evidence.values("games")[:1]),
        reported=Count("reports"),
    )
    return list(found.order_by(*cases.query.order_by))


def rows_of(cases: Sequence[Case], reader: Player, now: datetime) -> list[dict[str, Any]]:
    """Return the rows of cases annotated by `with_evidence`."""
    games, findings, bar = _games(cases), _findings(cases), bar_of(BOTH, standings_of(None))
    return [
        _row(case, games.get((case.player_id, case.daily_id)), findings[case.pk], reader, now) | _evidence(case, bar)
        for case in cases
    ]


def _evidence(case: Case, bar: float) -> dict[str, Any]:
    """Return the fortune of the account on a line, with the value from which on it is named."""
    annotated: Any = case
    fortune: float = annotated.fortune or 1.0
    return {
        "at": on_line(fortune),
        "threshold_at": on_line(bar),
        "is_past": fortune >= bar,
        "times": words.times(fortune),
    }


def _row(case: Case, game: Game | None, findings: list[KeptFinding], reader: Player, now: datetime) -> dict[str, Any]:
    annotated: Any = case
    found = list(dict.fromkeys(words.detector(one.detector) for one in findings))
    state, beside = _state(case, reader, now)
    return {
        "case": case,
        "name": words.name(case.player),
        "score": result(game) if game else _("no attempt that counts"),
        "day": f"{_(RULE_SETS[case.daily.rules].title)}, {date_format(case.daily.day, 'SHORT_DAY')}",
        "found": found[:MOST_FINDINGS],
        "more": max(0, len(found) - MOST_FINDINGS),
        "reports": annotated.reported,
        "against": findings[0].explanation if findings else _("Reported by players; no detector found anything."),
        "innocent": findings[0].innocent[0] if findings and findings[0].innocent else "",
        "state": state,
        "beside": beside,
        "age": words.age(now - case.opened_at),
        "is_hidden": not case.daily.key.is_public(now),
        **_priority(case, now),
    }


def _priority(case: Case, now: datetime) -> dict[str, Any]:
    """Return the priority with its three factors as the path of three bars, and in words."""
    priority = priority_of(case, now)
    factors = {"strength": priority.strength, "rank": priority.rank, "age": priority.age}
    bars = [f"M{4 + 8 * place} 22v-{max(1, round(BAR * factor))}" for place, factor in enumerate(factors.values())]
    tenths = {name: round(10 * factor) for name, factor in factors.items()}
    text = _("strength %(strength)d, rank %(rank)d, age %(age)d of 10") % tenths
    return {"priority": priority, "bars": "".join(bars), "bars_text": text}


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
    found: dict[int, list[KeptFinding]] = defaultdict(list)
    for finding in KeptFinding.objects.filter(case__in=cases).order_by("pk"):
        found[finding.case_id or 0].append(finding)
    return defaultdict(list, {pk: latest_findings(findings) for pk, findings in found.items()})
