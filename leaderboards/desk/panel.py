"""The decision panel: the outcomes that a reviewer may choose now, and their reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.players.models import Player
from leaderboards.moderation.cases import require_may_take
from leaderboards.moderation.deciding import BAN
from leaderboards.moderation.decision_reasons import Reason, reasons_for
from leaderboards.moderation.models import Case, Outcome
from leaderboards.moderation.refusals import NotAllowed

TITLES: dict[str, Promise] = {
    Outcome.CLEAR: gettext_lazy("Clear"),
    Outcome.FLAG: gettext_lazy("Keep flagged, wait"),
    Outcome.DISQUALIFY: gettext_lazy("Disqualify this game"),
    Outcome.REINSTATE: gettext_lazy("Reinstate"),
    Outcome.BAN: gettext_lazy("Ban the player"),
    Outcome.UNBAN: gettext_lazy("Lift the ban"),
}


@dataclass(frozen=True, slots=True)
class Option:
    """An outcome to choose, or why it cannot be chosen."""

    outcome: str
    title: str
    key: int
    why_not: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ReasonGroup:
    """Reasons, and the outcomes that allow them."""

    heading: str
    outcomes: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """Everything on the panel. `why_not` says why the reviewer cannot take the case."""

    is_mine: bool
    why_not: str
    is_second: bool
    options: tuple[Option, ...]
    reasons: tuple[ReasonGroup, ...]
    reason: str
    text: str


def panel_of(case: Case, reviewer: Player, written: Mapping[str, str], at: datetime) -> Panel:
    """Return the panel, keeping the reviewer's text if a form was refused."""
    is_mine = case.state == Case.State.TAKEN and case.reviewer_id == reviewer.pk
    chosen = written.get("outcome", "")
    options = tuple(
        Option(outcome.value, str(TITLES[outcome]), number, _why_not(outcome, case, reviewer), outcome.value == chosen)
        for number, outcome in enumerate(Outcome, 1)
    )
    return Panel(
        is_mine=is_mine,
        why_not="" if is_mine else _why_not_taken(case, reviewer),
        is_second=case.needs == Case.Needs.SECOND,
        options=options,
        reasons=_groups(),
        reason=written.get("reason", ""),
        text=written.get("text", ""),
    )


def _why_not_taken(case: Case, reviewer: Player) -> str:
    try:
        require_may_take(case, reviewer)
    except NotAllowed as error:
        return f"{str(error)[:1].upper()}{str(error)[1:]}."
    return ""


def _why_not(outcome: Outcome, case: Case, reviewer: Player) -> str:
    is_banned = case.player.banned_at is not None
    if outcome in (Outcome.BAN, Outcome.UNBAN) and not reviewer.has_perm(BAN):
        return _("senior reviewers")
    if outcome is Outcome.BAN and is_banned:
        return _("banned already")
    if outcome is Outcome.UNBAN and not is_banned:
        return _("not banned")
    return ""


def _groups() -> tuple[ReasonGroup, ...]:
    """Return the reasons, those for the same outcomes together."""
    groups: dict[tuple[Outcome, ...], list[Reason]] = {}
    for outcome in Outcome:
        for reason in reasons_for(outcome):
            own = groups.setdefault(reason.outcomes, [])
            if reason not in own:
                own.append(reason)
    return tuple(
        ReasonGroup(
            ", ".join(str(TITLES[one]).lower() for one in outcomes).capitalize(), " ".join(outcomes), tuple(reasons)
        )
        for outcomes, reasons in groups.items()
    )
