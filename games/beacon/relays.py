"""Ask relays for the round of a beacon, one after the other. What they answer is believed only if it is signed."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec
from django.conf import settings

from games.beacon.signatures import is_signed
from games.deals.beacons import Beacon
from games.runtime.posting import Answer, get, leads_inside

MOST_BYTES = 4096  # of an answer, which has a few hundred
# The first relays that do not answer must not cost the seconds in which another one would; a slow network gets longer.
PATIENCE, LATER_PATIENCE = 1.0, 3.0
SOON = timedelta(seconds=10)

logger = logging.getLogger(__name__)


class _Told(msgspec.Struct):
    """The answer of a relay; its `randomness` follows from the signature."""

    round: int
    signature: str


class Asked(NamedTuple):
    """A relay that was asked: the signature of the round, or why it has none."""

    signature: str = ""
    mistake: str = ""


Ask = Callable[[str, Beacon, int, float], Asked]
_failed_last: list[str] = []  # relays of which the last answer was of no use, the latest at the end


def relays() -> list[str]:
    addresses: list[str] = settings.PYRAMID_BEACON_RELAYS
    return addresses


def ask(relay: str, beacon: Beacon, number: int, seconds: float) -> Asked:
    """Ask a relay for a round and return its signature, if it is the beacon's of exactly this round."""
    address = f"{relay.rstrip('/')}/{beacon.chain}/public/{number}"
    return checked(get(address, to_private=leads_inside(relay), most_bytes=MOST_BYTES, seconds=seconds), beacon, number)


def checked(answer: Answer, beacon: Beacon, number: int) -> Asked:
    """Return the signature that an answer has, if it is the beacon's of a round."""
    if not answer.is_accepted:
        return Asked(mistake=answer.error)
    try:
        told = msgspec.json.decode(answer.body, type=_Told)
        signature = bytes.fromhex(told.signature)
    except (ValueError, RecursionError) as error:
        return Asked(mistake=f"its answer is not a round: {error}")
    if told.round != number:
        return Asked(mistake=f"it answered with round {told.round}")
    if not is_signed(beacon, number, signature):
        return Asked(mistake="the signature is not the beacon's")
    return Asked(signature.hex())


def ask_in_turn(
    beacon: Beacon, number: int, until: datetime, clock: Callable[[], datetime], ask: Ask = ask
) -> str | None:
    """Return the signature of a round from the first relay that has it, or None; no relay is asked after `until`.

    Those that failed the last time are asked last.
    """
    for relay in in_turn(relays()):
        now = clock()
        left = (until - now).total_seconds()
        if left <= 0:
            break
        patience = PATIENCE if now < beacon.time_of(number) + SOON else LATER_PATIENCE
        asked = ask(relay, beacon, number, min(patience, left))
        _note(relay, has_failed=not asked.signature)
        if asked.signature:
            return asked.signature
        logger.info("the relay %s has not given round %d of %s: %s", relay, number, beacon.name, asked.mistake)
    return None


def in_turn(addresses: Sequence[str]) -> list[str]:
    """Return relays in the order in which to ask them."""
    return sorted(addresses, key=lambda each: _failed_last.index(each) if each in _failed_last else -1)


def _note(relay: str, *, has_failed: bool) -> None:
    if relay in _failed_last:
        _failed_last.remove(relay)
    if has_failed:
        _failed_last.append(relay)
