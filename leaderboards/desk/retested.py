"""The retests of a player on the page of a case: their course, their results, and the form that offers one."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.play.words import word
from leaderboards.desk import words
from leaderboards.moderation.models import Act, Case, LogLine
from leaderboards.moderation.refusals import BadDecision
from leaderboards.retests.dealing import won_before
from leaderboards.retests.models import Retest, RetestDeal
from leaderboards.retests.offering import DAYS, DEALS, MINUTES, Terms, why_not
from leaderboards.retests.steps import Step

STEPS: dict[str, Promise] = {
    Step.OFFERED: gettext_lazy("offered: %(fresh)s new deals, %(alike)s alike, %(minutes)s minutes"),
    Step.ACCEPTED: gettext_lazy("accepted by the player"),
    Step.DECLINED: gettext_lazy("declined by the player"),
    Step.EXPIRED: gettext_lazy("not taken in time"),
    Step.BEGUN: gettext_lazy("the sitting has begun"),
    Step.ENDED: gettext_lazy("ended, %(deals)s of %(of)s deals were played"),
    Step.SCORED: gettext_lazy("scored over %(fresh)s new deals: card bet %(foresight)s, near par %(near_par)s"),
}
USUAL = Terms(fresh=15, alike=5, minutes=150, days=14)


def retests_on(case: Case, now: datetime, written: Mapping[str, str], *, is_mine: bool) -> dict[str, Any]:
    """Return the retests of the player of a case, and for the reviewer who holds it what the form needs."""
    retests = list(Retest.objects.filter(player=case.player_id).order_by("offered_at", "pk"))
    by_retest: dict[str, list[RetestDeal]] = {retest.pk: [] for retest in retests}
    if retests:
        deals = RetestDeal.objects.filter(retest__in=retests).select_related("game", "origin__deal")
        for deal in deals.order_by("retest", "number"):
            by_retest[deal.retest_id].append(deal)
    form = _form(case, retests, now, written) if is_mine else None
    return {"retests": [_shown(retest, by_retest[retest.pk], now) for retest in retests], "retest_form": form}


def running_retests(cases: QuerySet[Case], now: datetime) -> list[Retest]:
    """Return the retests of cases whose players sit at one now, those that end first before others."""
    begun = Retest.objects.filter(case__in=cases, begun_at__isnull=False, ended_at=None).select_related("player")
    running = [retest for retest in begun if retest.state(now) == Retest.State.RUNNING]
    return sorted(running, key=lambda retest: retest.ends_at or now)


def terms_of(post: Mapping[str, str]) -> Terms:
    """Return the terms in a form. Raises `BadDecision`."""
    try:
        return Terms(**{name: int(post.get(name, "")) for name in Terms._fields})
    except ValueError as error:
        raise BadDecision(_("the terms of a retest are whole numbers")) from error


def step_words(line: LogLine) -> str:
    """Return the step of a retest that a line of the log is about, empty for other lines."""
    if line.act != Act.RETEST:
        return ""
    return f"{line.facts['retest']}, {STEPS[line.facts['step']] % line.facts}"


def _form(case: Case, retests: list[Retest], now: datetime, written: Mapping[str, str]) -> dict[str, Any]:
    if why := why_not(case, retests, now):
        return {"why_not": why}
    most = won_before(case.player, case.daily.rules, now).count()
    usual = USUAL._replace(alike=min(USUAL.alike, most))._asdict()
    terms = {
        name: written.get(name, value) if written.get("act") == "retest" else value for name, value in usual.items()
    }
    bounds = {"most_alike": most, "deals": DEALS, "minutes": MINUTES, "days": DAYS}
    return {"terms": terms, **{name: bounds[name] for name in bounds}}


def _shown(retest: Retest, deals: list[RetestDeal], now: datetime) -> dict[str, Any]:
    return {
        "retest": retest,
        "state": retest.get_end_display() or retest.state(now).label,
        "deals": [_deal(deal) for deal in deals],
        "running": next((deal.game for deal in deals if deal.game and not deal.game.is_over), None),
        "values": [words.times(value) for value in (retest.foresight, retest.near_par) if value is not None],
        "has_failed": any(deal.error for deal in deals),
    }


def _deal(deal: RetestDeal) -> dict[str, Any]:
    """Return a deal; which won one it plays like only after its game: the cards of that one are known to all."""
    game = deal.game
    origin = deal.origin if game is None or game.is_over else None
    then = origin.moves - origin.deal.par if origin and origin.moves and origin.deal.par else None
    return {
        "deal": deal,
        "result": word(game.status) if game else word(deal.outcome),
        "moves": game.moves if game and game.is_over else deal.moves,
        "over_par": deal.over_par,
        "origin": origin,
        "then": then,
    }
