"""Daily deals: the states of a day, the commitment, and the decks of a seed."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

from games.deals.shuffle import bytes_of_key, shuffled_deck
from games.rules import RULE_SETS, Deck

SEED_BYTES = 32
GRACE = timedelta(minutes=30)
MODERATION = timedelta(hours=24)


class Division(StrEnum):
    """The two groups of players, with separate deals: accounts claimed well before the day, and all others."""

    MAIN = "main"
    OPEN = "open"


class DailyState(StrEnum):
    """The stages in the life of a daily deal; see `DailyKey.state`."""

    COMMITTED = "committed"
    OPEN = "open"
    CLOSING = "closing"
    PROVISIONAL = "provisional"
    FINAL = "final"


def first_day_not_public(at: datetime) -> date:
    """Return the earliest day whose deals are still secret; those of earlier days are public."""
    return (at - GRACE).date()


def next_turn(at: datetime) -> datetime:
    """Return the next time at which a day begins, or the deals of one become public."""
    begins = datetime.combine(at.date(), time(), UTC)
    return begins + GRACE if at < begins + GRACE else begins + timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DailyKey:
    """The natural key of a daily deal: a UTC day, a rule set and a division."""

    day: date
    rules: str
    division: str

    def __str__(self) -> str:
        return f"{self.day.isoformat()}|{self.rules}|{self.division}"

    @property
    def opens_at(self) -> datetime:
        return datetime.combine(self.day, time(), UTC)

    @property
    def closes_at(self) -> datetime:
        """The end of the day: no attempt starts from then on."""
        return self.opens_at + timedelta(days=1)

    @property
    def finish_by(self) -> datetime:
        """The time at which unfinished attempts expire and the deal becomes public."""
        return self.closes_at + GRACE

    @property
    def final_at(self) -> datetime:
        """The time at which the table becomes final."""
        return self.finish_by + MODERATION

    def is_public(self, at: datetime) -> bool:
        """Return True if nothing about the deal is secret any longer."""
        return at >= self.finish_by

    def next_change(self, now: datetime) -> datetime | None:
        """Return the time of the next change of state, None once it is final."""
        changes = (self.opens_at, self.closes_at, self.finish_by, self.final_at)
        return next((change for change in changes if change > now), None)

    def state(self, now: datetime) -> DailyState:
        """Return the state at a time; a state includes the very moment at which it begins."""
        if now < self.opens_at:
            return DailyState.COMMITTED
        if now < self.closes_at:
            return DailyState.OPEN
        if now < self.finish_by:
            return DailyState.CLOSING
        return DailyState.PROVISIONAL if now < self.final_at else DailyState.FINAL

    def commitment(self, seed: bytes) -> str:
        """Return the hash to publish before the day opens, 64 hexadecimal digits."""
        return hashlib.sha256(f"pyramid/daily/1|{self}|{seed.hex()}".encode("ascii")).hexdigest()

    def deck(self, seed: bytes, candidate: int = 0) -> Deck:
        """Return deck number `candidate` (0, 1, 2 ...) of a seed of 32 bytes."""
        return shuffled_deck(bytes_of_key(seed, f"deck|{self}|{candidate}"), RULE_SETS[self.rules].deck_size)
