"""The decision panel: the outcomes that a reviewer may choose now, and their reasons."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.players.models import Player
from leaderboards.moderation.bans import banning_case
from leaderboards.moderation.cases import require_may_take
from leaderboards.moderation.choices import ABOUT_THE_PLAYER, REASONS, words_of
from leaderboards.moderation.deciding import BAN, upholds
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


def panel_of(case: Case, reviewer: Player, written: Mapping[str, str]) -> dict[str, Any]:
    """Return everything on the panel, keeping the reviewer's text if a form was refused.

    Its `why_not` says why the reviewer cannot take the case, that of an option why it cannot be chosen.
    """
    is_mine = case.state == Case.State.TAKEN and case.reviewer_id == reviewer.pk
    return {
        "is_mine": is_mine,
        "why_not": "" if is_mine else _why_not_taken(case, reviewer),
        "is_second": case.needs == Case.Needs.SECOND,
        "options": [
            {
                "outcome": outcome.value,
                "title": _title(outcome, case),
                "key": number,
                "why_not": _why_not(outcome, case, reviewer),
                "is_chosen": outcome.value == written.get("outcome"),
            }
            for number, outcome in enumerate(Outcome, 1)
        ],
        "reasons": _groups(),
        "reason": written.get("reason", ""),
        "text": written.get("text", ""),
    }


def _why_not_taken(case: Case, reviewer: Player) -> str:
    try:
        require_may_take(case, reviewer)
    except NotAllowed as error:
        return f"{str(error)[:1].upper()}{str(error)[1:]}."
    return ""


def _title(outcome: Outcome, case: Case) -> str:
    if upholds(case, outcome):
        return _("%(outcome)s: reject the appeal") % {"outcome": TITLES[outcome]}
    return str(TITLES[outcome])


def _why_not(outcome: Outcome, case: Case, reviewer: Player) -> str:
    """Return why an outcome cannot be chosen: a ban and its lifting are proposed by seniors, and seconded by anyone."""
    is_proposal = case.needs != Case.Needs.SECOND
    if outcome in ABOUT_THE_PLAYER and is_proposal and not reviewer.has_perm(BAN):
        return _("senior reviewers")
    if outcome is Outcome.BAN and case.player.banned_at and not upholds(case, outcome):
        return _("banned already")
    if outcome is Outcome.UNBAN and not case.player.banned_at:
        return _("not banned")
    banning = banning_case(case.player) if outcome is Outcome.UNBAN else None
    if banning is not None and banning != case:
        return _("banned by case %(number)d") % {"number": banning.pk}
    return ""


def _groups() -> list[dict[str, Any]]:
    """Return the reasons, those for the same outcomes together."""
    groups: dict[tuple[Outcome, ...], list[dict[str, str]]] = {}
    for reason in REASONS.values():
        groups.setdefault(reason.outcomes, []).append({"code": reason.code, "words": words_of(reason.code)})
    return [
        {
            "heading": ", ".join(str(TITLES[outcome]).lower() for outcome in outcomes).capitalize(),
            "outcomes": " ".join(outcomes),
            "reasons": reasons,
        }
        for outcomes, reasons in groups.items()
    ]
