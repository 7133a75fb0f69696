"""The findings about an account, with other explanations and what speaks for the player."""

import re
from collections.abc import Mapping, Sequence
from math import log10
from typing import Any

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leaderboards.desk import words
from leaderboards.desk.charts import STRIDE, Scale, line
from leaderboards.detectors.findings import Strength
from leaderboards.detectors.naming import BOTH, FORESIGHT, NEAR_PAR
from leaderboards.moderation.evidence_models import Examination, KeptFinding
from leaderboards.moderation.lists import Standing
from leaderboards.moderation.models import Case

FORTUNES = (BOTH, FORESIGHT, NEAR_PAR)
ALL_CHECKS: dict[str, Promise] = {
    "foresight bet": gettext_lazy("choices that fit cards not yet seen"),
    "near par": gettext_lazy("more games near par than honest play has"),
    "copied line": gettext_lazy("lines that others had played"),
    "machine timing": gettext_lazy("impossible speed or a flat rhythm"),
    "timing signs": gettext_lazy("no thought before choices"),
    "clock slope": gettext_lazy("a clock at another speed"),
    "preview": gettext_lazy("a linked account that saw the deal first"),
    "scouting": gettext_lazy("a linked account that looked through the stock and left"),
    "taking turns": gettext_lazy("another account that looked and left, soon before each of its wins"),
    "skill jump": gettext_lazy("a sudden leap in skill"),
}
# The words of the detectors for innocent explanations of a finding.
OUR_FAULT = re.compile("many accounts|fault of the server", re.IGNORECASE)
LUCK = re.compile("chance|a lucky", re.IGNORECASE)
SKILL = re.compile("better player|very good play|learned|steady player", re.IGNORECASE)
LONG_LINE = 1000.0  # from here on a line is logarithmic
STRENGTHS = {
    Strength.CASE: gettext_lazy("Opens a case."),
    Strength.WATCH: gettext_lazy("Worth watching; opens no case alone."),
    Strength.SUPPORT: gettext_lazy("Supports other findings, never counts alone."),
    Strength.PRIORITY: gettext_lazy("Raises the priority; proves nothing."),
}


class Answer(models.TextChoices):
    """The state of an innocent explanation."""

    NO = "no", gettext_lazy("No")
    OPEN = "open", gettext_lazy("Open")
    POSSIBLE = "possible", gettext_lazy("Possible")
    COUNTED = "counted", gettext_lazy("Counted")


def amount(value: float) -> str:
    """Return a score: whole from 100 on, with two digits that count below."""
    return f"{value:,.0f}" if value >= 100 else f"{value:z.3g}"


def found_of(
    findings: Sequence[KeptFinding], standings: Mapping[str, Standing], risen: int, others: int
) -> list[dict[str, Any]]:
    """Return findings as they are shown; of `others` on the same deal `risen` have a fortune worth watching."""
    return [
        {
            "row": row,
            "title": words.detector(row.detector),
            "innocent": [_innocent(text, risen, others) for text in row.innocent],
            "has_fortune": row.detector in FORTUNES,
            "standing": standings.get(row.detector),
            "is_past": row.score >= row.threshold,
            "at": _on_line(row, row.score),
            "threshold_at": _on_line(row, row.threshold),
            "score_text": amount(row.score),
            "threshold_text": amount(row.threshold),
            "says": STRENGTHS[Strength(row.strength)],
        }
        for row in findings
    ]


def _on_line(row: KeptFinding, value: float) -> str:
    """Return where a value lies on a line from nothing to beyond score and threshold, in percent; fortunes by log."""
    high = max(row.score, row.threshold) * 1.25 or 1.0
    share = log10(max(1.0, value)) / log10(high) if high > LONG_LINE else value / high
    return f"{100 * min(0.98, max(0.02, share)):.1f}%"


def others_risen(case: Case) -> int:
    """Count the other accounts with a high fortune on the case's day; many of them suggest a fault of the server."""
    watched = KeptFinding.objects.filter(game__daily=case.daily_id, detector__in=FORTUNES[:2])
    return watched.exclude(player=case.player_id).values("player").distinct().count()


def not_found(findings: Sequence[KeptFinding], examined: int) -> list[str]:
    """Return the detectors that found nothing; empty if no game was examined."""
    present = {row.detector for row in findings}
    if BOTH in present:
        present |= {FORESIGHT, NEAR_PAR}
    return [str(text) for name, text in ALL_CHECKS.items() if name not in present] if examined else []


def fortune_chart(examinations: Sequence[Examination], bar: float) -> dict[str, Any]:
    """Return the account's fortune after each of its games as a chart: the mean of bet and near par."""
    values = [one.combined for one in examinations]
    scale = Scale(min(0.1, *values, 1.0), max(bar * 5, 20_000, *values), 96, is_log=True)
    return {
        "games": len(values),
        "width": STRIDE * max(1, len(values)),
        "line": line(values, scale),
        "lines": [(scale.y(value), text) for value, text in ((10_000, "10⁴"), (100, "10²"), (1, "1"))],
        "threshold": scale.y(bar),
        "bar": amount(bar),
        "last": words.times(values[-1]) if values else "",
    }


def _innocent(text: str, risen: int, others: int) -> dict[str, Any]:
    """Return an innocent explanation with the answer that the data gives; the others are left to the reviewer."""
    answer, why = Answer.OPEN, ""
    if OUR_FAULT.search(text):
        if others and not risen:
            answer, why = Answer.NO, _("of %(others)s others that day none rose.") % {"others": f"{others:,}"}
        elif risen:
            why = ngettext("%(count)d other rose that day.", "%(count)d others rose that day.", risen)
            why %= {"count": risen}
    elif LUCK.match(text):
        answer, why = Answer.COUNTED, _("the threshold already allows for it.")
    elif SKILL.search(text):
        answer = Answer.POSSIBLE
    return {"text": text, "answer": answer, "why": why}
