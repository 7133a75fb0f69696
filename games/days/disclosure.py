"""Disclose daily deals to each reader as far as the reader may know them at a time."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db import transaction

from games.beacon.models import BeaconOutcome
from games.calendar.dealing import outcomes_of
from games.calendar.divisions import eligible_divisions, fixed_divisions, may_be_main
from games.calendar.models import DailyDeal, SecretAccess
from games.days.attempts import newest_attempts
from games.deals.certify import is_certifiable
from games.deals.daily import DailyKey, DailyState
from games.deals.policy import Policy
from games.players.models import Player
from games.rules import RULE_SETS


class NotDealt(LookupError):
    """The deal does not exist yet."""


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reveal:
    """A disclosed deal, which anyone can check against its commitment."""

    seed: str
    candidate: int
    deck: str
    par: int | None
    greedy_moves: int | None
    grade: str | None


@dataclass(frozen=True, slots=True)
class Awaited:
    """The round of a beacon on which a deal depends, and what is decided of it: its signature, or a fallback."""

    name: str
    round: int
    outcome: BeaconOutcome | None

    @property
    def is_fallback(self) -> bool:
        """True if the round came too late, so that the deal follows from the committed seed alone."""
        return self.outcome is not None and not self.outcome.signature


@dataclass(frozen=True, slots=True)
class DisclosedDaily:
    """A daily deal as a reader may know it.

    `is_yours` is True if the reader competes in this division on that day; unknown readers compete in `open`.
    `grade` is the grade that the deal was chosen for, `is_certified` is True if it is proved winnable, `attempt` is
    the reader's newest, and `reveal` is None until `key.finish_by`.
    """

    key: DailyKey
    state: DailyState
    commitment: str
    committed_at: datetime
    beacon: Awaited | None
    grade: str | None
    is_yours: bool
    is_certified: bool
    policy: Policy
    attempt: str | None
    reveal: Reveal | None

    @property
    def is_committed_ahead(self) -> bool:
        """True if the deal was committed to before its day opened."""
        return self.committed_at < self.key.opens_at

    @property
    def is_settled(self) -> bool:
        """True if nothing about it will ever change, the worker's measures included."""
        measured = self.reveal is not None and (self.reveal.grade is not None or not self.is_certified)
        return self.state is DailyState.FINAL and measured


class Own(NamedTuple):
    """A reader's division and attempt at a daily deal, see `DisclosedDaily`."""

    is_yours: bool
    attempt: str | None


def disclose(dailies: Sequence[DailyDeal], reader: Player | None, now: datetime) -> list[DisclosedDaily]:
    """Return daily deals as the reader may know them now."""
    outcomes = outcomes_of(dailies)
    return [
        DisclosedDaily(
            key=daily.key,
            state=daily.key.state(now),
            commitment=daily.commitment,
            committed_at=daily.committed_at,
            beacon=awaited(daily, outcomes),
            grade=daily.grade,
            is_yours=own.is_yours,
            is_certified=bool(daily.deal.is_winnable) if daily.is_dealt else is_certifiable(RULE_SETS[daily.rules]),
            policy=daily.policy,
            attempt=own.attempt,
            reveal=_reveal(daily) if daily.is_dealt and daily.key.is_public(now) else None,
        )
        for daily, own in zip(dailies, own_parts(dailies, reader), strict=True)
    ]


def own_parts(dailies: Sequence[DailyDeal], reader: Player | None) -> list[Own]:
    """Return a reader's divisions and attempts at daily deals; None is someone unknown."""
    attempts = newest_attempts(dailies, reader) if reader else {}
    # A player too new for `main` on all of these days can only have started in `open`.
    placed = [daily.day for daily in dailies if may_be_main(reader, daily.key, daily.policy)]
    divisions = fixed_divisions(reader, placed) if reader and placed else {}
    eligible = eligible_divisions(
        reader, ((daily.key, daily.policy) for daily in dailies if daily.day not in divisions)
    )
    return [
        Own(daily.division == (divisions.get(daily.day) or eligible[daily.key]), attempts.get(daily.pk))
        for daily in dailies
    ]


def look_at_secrets(daily: DailyDeal, superuser: Player, reason: str, now: datetime) -> Reveal:
    """Return the secrets of a daily deal at any time, after logging the access where all staff can read it.

    The superuser can no longer start this deal. Raises `PermissionDenied` for anyone else, and `NotDealt` for a deal
    that waits for its round: nobody can know it.
    """
    if not daily.is_dealt:
        raise NotDealt(f"{daily} does not exist before its round of the beacon")
    if not (superuser.is_active and superuser.is_superuser):
        raise PermissionDenied
    with transaction.atomic():
        SecretAccess.objects.create(player=superuser, daily=daily, at=now, reason=reason)
        LogEntry.objects.log_actions(superuser.pk, [daily], CHANGE, f"Looked at seed and deck: {reason}")
    logger.warning("%s looked at seed and deck of %s: %s", superuser.username, daily, reason)
    return _reveal(daily)


def awaited(daily: DailyDeal, outcomes: Mapping[tuple[date, str], BeaconOutcome]) -> Awaited | None:
    """Return the round on which a deal depends, with what is decided of it; None if it depends on none."""
    if not daily.beacon:
        return None
    return Awaited(daily.beacon, daily.round, outcomes.get((daily.day, daily.rules)))


def _reveal(daily: DailyDeal) -> Reveal:
    deal = daily.deal
    return Reveal(daily.seed, daily.candidate, deal.deck, deal.par, deal.greedy_moves, deal.grade)
