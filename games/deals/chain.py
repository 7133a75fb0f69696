"""The public hash chain of commitments, which fixes the purpose, time and order of each."""

import hashlib
from datetime import UTC, datetime
from typing import NamedTuple

from games.deals.daily import DailyKey

FIRST_LINK = "0" * 64
ANY_GRADE = "any"


class Commitment(NamedTuple):
    """A commitment as the chain names it. `grade` is the grade that was asked for, None if any would do."""

    number: int
    key: DailyKey
    grade: str | None
    committed_at: datetime
    hash: str


def link(previous: str, made: Commitment) -> str:
    """Return the link of a commitment after the previous link, which is `FIRST_LINK` for the first.

    Anyone who keeps one link can detect a later change to any earlier commitment or its purpose.
    """
    parts = ["pyramid/link/3", previous, str(made.number), str(made.key), written(made.committed_at), made.hash]
    return hashlib.sha256("|".join([*parts, made.grade or ANY_GRADE]).encode("ascii")).hexdigest()


def written(moment: datetime) -> str:
    """Format a time in UTC to the second, such as 2026-11-20T09:30:00Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
