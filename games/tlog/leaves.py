"""Leaves of the log: lines of text, each with its kind, its version, and names that can be written in one way only.

A leaf is about a subject, and the log has only one leaf about each: a second commitment to a deal is refused.
"""

import re
from datetime import UTC, date, datetime
from typing import NamedTuple

from games.deals.beacons import FALLBACK

MOST_BYTES = 300
_DAY, _SLUG, _HASH, _COUNT = (
    "[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "[a-z0-9]+(?:-[a-z0-9]+)*",
    "[0-9a-f]{64}",
    "0|[1-9][0-9]{0,14}",
)
_TIME = f"{_DAY}T[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}Z"
_ORIGIN = "[a-z0-9][a-z0-9.:-]*(?:/[a-z0-9][a-z0-9.-]*)*"
# For each kind, its fields, and how many of them, from the first, are its subject.
KINDS = {
    "commitment/1": ((_DAY, _SLUG, _SLUG, "any|easy|medium|hard", _TIME, _HASH), 3),
    "beacon/1": ((_DAY, _SLUG, _SLUG, _COUNT, f"{_HASH}|{FALLBACK}"), 2),
    "results/2": ((_DAY, _COUNT, _HASH), 1),
    "decision/2": ((_COUNT, _HASH), 1),
    "key/1": ((_HASH,), 1),
    "predecessor/1": ((_ORIGIN, _COUNT, _HASH), 1),
}
# A commitment to a deal that depends on a beacon also has its name and the round; its subject is the same.
_LONGER = {"commitment/1": (_SLUG, _COUNT)}
_PREFIX = "pyramid/"


class LeafError(ValueError):
    """The text is not a leaf."""


class Leaf(NamedTuple):
    """A leaf: its kind with the version, and its fields."""

    kind: str
    fields: tuple[str, ...]

    @classmethod
    def from_text(cls, text: str) -> "Leaf":
        """Read a leaf. Raises `LeafError` for whatever is not written exactly as the log writes it."""
        kind, *fields = text.removeprefix(_PREFIX).split("|")
        leaf = cls(kind, tuple(fields))
        if not text.startswith(_PREFIX) or not _is_written(leaf):
            raise LeafError(f"{text!r} is not a leaf of the log")
        return leaf

    @property
    def text(self) -> str:
        return _PREFIX + "|".join([self.kind, *self.fields])

    @property
    def subject(self) -> str:
        """The kind and the names of what the leaf is about."""
        return _PREFIX + "|".join([self.kind, *self.fields[: KINDS[self.kind][1]]])


def commitment(name: str, grade: str | None, at: datetime, hash_: str, awaited: tuple[str, int] | None = None) -> Leaf:
    """Return the leaf of a commitment to a deal with a name; `grade` is what was asked for, None if any would do.

    A deal may depend on a beacon and its round.
    """
    made = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Leaf("commitment/1", (*name.split("|"), grade or "any", made, hash_, *map(str, awaited or ())))


def beacon(day: date, rules: str, name: str, round_: int, randomness: str) -> Leaf:
    """Return the leaf about the round of a beacon on which the deals of a day and a rule set depend, or `fallback`."""
    return Leaf("beacon/1", (day.isoformat(), rules, name, str(round_), randomness))


def results(day: date, count: int, root: str) -> Leaf:
    """Return the leaf of a day's results: their number, and the root of their tree."""
    return Leaf("results/2", (day.isoformat(), str(count), root))


def decision(number: int, hash_: str) -> Leaf:
    """Return the leaf of a line of the decision log."""
    return Leaf("decision/2", (str(number), hash_))


def key(public: bytes) -> Leaf:
    """Return the leaf that announces a key with which the log is going to be signed."""
    return Leaf("key/1", (public.hex(),))


def predecessor(origin: str, size: int, root: bytes) -> Leaf:
    """Return the leaf that names the last head of the log that this one continues."""
    return Leaf("predecessor/1", (origin, str(size), root.hex()))


def _is_written(leaf: Leaf) -> bool:
    patterns, _ = KINDS.get(leaf.kind, ((), 0))
    if len(patterns) < len(leaf.fields):
        patterns += _LONGER.get(leaf.kind, ())
    if len(patterns) != len(leaf.fields) or not patterns or len(leaf.text) > MOST_BYTES:
        return False
    pairs = list(zip(patterns, leaf.fields, strict=True))
    return all(re.fullmatch(pattern, field) for pattern, field in pairs) and all(
        _is_moment(field) for pattern, field in pairs if pattern in (_DAY, _TIME)
    )


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
