"""The public chain of commitments: what each is for, when it was made, and that nothing before it was exchanged."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from games.deals.daily import DailyKey

FIRST_LINK = "0" * 64
WITHOUT_NAMES, WITH_NAMES = 1, 2
"""The formulas of links: the first ones chained the commitments alone, later ones also what and when they are for."""


class Commitment(NamedTuple):
    """A commitment as the chain names it. `grade` is the one that the deal was chosen to have, None if any would do."""

    number: int
    key: DailyKey
    grade: str | None
    committed_at: datetime
    hash: str


def link(previous: str, made: Commitment) -> str:
    """Return the link that a commitment makes after another; the one before the first is `FIRST_LINK`.

    Whoever keeps one link can detect that a commitment before it, or what one is for, was changed later.
    """
    parts = ["pyramid/link/2", previous, str(made.number), str(made.key), written(made.committed_at), made.hash]
    return _sha256("|".join([*parts, made.grade] if made.grade else parts))


def link_without_names(previous: str, commitment: str) -> str:
    """Return the link that a commitment made by the first formula, which says neither the day nor the time."""
    return _sha256(f"{previous}|{commitment}")


def written(moment: datetime) -> str:
    """Write a time in UTC to the second, such as 2026-11-20T09:30:00Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def when_committed(key: DailyKey, committed_at: datetime) -> str:
    """Say how long before the day opened a deal was committed to, such as `7 days before the day opened`."""
    ahead = key.opens_at - committed_at
    if ahead > timedelta():
        return f"{_duration(ahead)} before the day opened"
    if committed_at < key.closes_at:
        return f"on the day itself, {_duration(-ahead)} after it opened"
    return f"{_duration(committed_at - key.closes_at)} after the day closed"


def _duration(length: timedelta) -> str:
    for unit, name in ((timedelta(days=1), "day"), (timedelta(hours=1), "hour"), (timedelta(minutes=1), "minute")):
        if length >= unit:
            return f"{length // unit} {name}{'s' if length >= 2 * unit else ''}"
    return "less than a minute"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()
