"""Public randomness beacons: which round belongs to a day, and how its randomness changes the day's seed."""

import hashlib
import math
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

LEAD = timedelta(seconds=60)  # from the round of a day to its opening
DEADLINE = timedelta(seconds=20)  # before the opening: a round that is not known by then comes too late
FALLBACK = "fallback"


class Beacon(NamedTuple):
    """A beacon of drand, which signs the number of each round; `chain` and `public_key` are hexadecimal.

    The rounds are unchained: the signature of one depends on its number alone, and nobody can foresee it.
    """

    name: str
    chain: str
    public_key: str
    first_at: int  # in seconds since 1970
    period: int  # in seconds

    def round_from(self, moment: datetime) -> int:
        """Return the first round at a moment or after it; the first of all has number 1."""
        return max(0, math.ceil((moment.timestamp() - self.first_at) / self.period)) + 1

    def time_of(self, number: int) -> datetime:
        """Return the moment from which on a round can be known."""
        return datetime.fromtimestamp(self.first_at + (number - 1) * self.period, UTC)

    def round_for(self, opens_at: datetime) -> int:
        """Return the round of a day."""
        return self.round_from(opens_at - LEAD)


# `quicknet` of the League of Entropy; the chain is the SHA-256 of its parameters and its key.
BEACONS = {
    "quicknet": Beacon(
        name="quicknet",
        chain="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        public_key="83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
        first_at=1692803367,
        period=3,
    )
}


def randomness_of(signature: str) -> str:
    """Return the randomness of a round, 64 hexadecimal digits, from its signature."""
    return hashlib.sha256(bytes.fromhex(signature)).hexdigest()


def mixed(seed: bytes, randomness: str) -> bytes:
    """Return the seed of a day, from the one that was committed to and the randomness of the day's round."""
    return hashlib.sha256(f"pyramid/seed/3|{seed.hex()}|{randomness}".encode("ascii")).digest()
