"""Offer a retest in a case; the reviewer who holds the case does it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.notifications.notifications import notify
from games.players.models import Player
from leaderboards.detectors.thresholds import THRESHOLDS
from leaderboards.moderation.cases import find_case, touch
from leaderboards.moderation.models import Case
from leaderboards.moderation.refusals import BadDecision
from leaderboards.retests.dealing import won_before
from leaderboards.retests.models import Retest
from leaderboards.retests.notifications import OFFERED
from leaderboards.retests.refusals import NotRetestable
from leaderboards.retests.steps import Step, locked_case, log_step

DEALS = range(5, 31)
MINUTES = range(15, 241)
DAYS = range(1, 31)
MOST_OF_A_CASE = 3


class Terms(NamedTuple):
    """The terms of a retest: fresh deals, deals like those that the account has won, minutes, days to begin."""

    fresh: int
    alike: int
    minutes: int
    days: int


def offer(pk: int, reviewer: Player, terms: Terms, now: datetime) -> Retest:
    """Offer the player of a case a retest, and notify that player.

    No second reviewer has to agree: an offer changes no score, and nobody has to take it. Raises `UnknownCase`,
    `NotTaken`, `BadDecision` for terms out of bounds, or `NotRetestable`.
    """
    case = find_case(pk, reviewer)
    touch(case, reviewer, now)
    _require_within_bounds(terms)
    if why := why_not(case, list(Retest.objects.filter(player=case.player_id)), now):
        raise NotRetestable(why)
    most = won_before(case.player, case.daily.rules, now).count()
    if terms.alike > most:
        raise NotRetestable(_("the account has won %(most)d deals that no retest has used yet") % {"most": most})
    with transaction.atomic():
        locked_case(case.pk)
        retest = _stored(case, reviewer, terms, now)
        log_step(retest, Step.OFFERED, terms._asdict(), now, by=reviewer)
        notify(OFFERED, {case.player_id: {"deals": retest.size}}, retest.pk, now)
    return retest


def why_not(case: Case, retests: Sequence[Retest], now: datetime) -> str:
    """Return why no other retest can be offered in a case now, beside all that its player had; empty if it can."""
    in_case = sum(retest.case_id == case.pk for retest in retests)
    obstacles = (
        (
            case.daily.rules not in THRESHOLDS.foresight_rules,
            _("a retest has new deals only under standard and covered-pairs, whose deals are found at once"),
        ),
        (not case.daily.key.is_public(now), _("the day of this case is not over")),
        (not case.player.is_active, _("the account is closed or deleted")),
        (any(retest.ended_at is None for retest in retests), _("the account has an open retest")),
        (
            in_case >= MOST_OF_A_CASE,
            _("%(most)d retests were offered in this case already") % {"most": MOST_OF_A_CASE},
        ),
    )
    return next((why for stands, why in obstacles if stands), "")


def _require_within_bounds(terms: Terms) -> None:
    is_whole = min(terms.fresh, terms.alike) >= 0 and terms.fresh + terms.alike in DEALS
    if not (is_whole and terms.minutes in MINUTES and terms.days in DAYS):
        raise BadDecision(
            _("a retest has %(deals)s deals, %(minutes)s minutes and %(days)s days to begin")
            % {"deals": _span(DEALS), "minutes": _span(MINUTES), "days": _span(DAYS)}
        )


def _span(bounds: range) -> str:
    return f"{bounds[0]}-{bounds[-1]}"


def _stored(case: Case, reviewer: Player, terms: Terms, now: datetime) -> Retest:
    try:
        with transaction.atomic():
            return Retest.objects.create(
                case=case,
                player=case.player,
                offered_by=reviewer,
                offered_at=now,
                open_until=now + timedelta(days=terms.days),
                rules=case.daily.rules,
                fresh=terms.fresh,
                alike=terms.alike,
                minutes=terms.minutes,
            )
    except IntegrityError as error:  # in another case, a moment ago
        raise NotRetestable(_("the account has an open retest")) from error
