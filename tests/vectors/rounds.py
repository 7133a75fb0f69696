"""Deals that depend on a round of a beacon, and what operators say who would like another round, or none."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from games.deals.beacons import BEACONS, FALLBACK, mixed, randomness_of
from games.deals.certify import first_fitting
from games.deals.daily import DailyKey
from games.tlog import leaves
from tests.vectors.deals import SEED
from tests.vectors.leaves import FIRST_DAY

Vector = dict[str, Any]

KEY = DailyKey(FIRST_DAY, "standard", "open")
ROUND = BEACONS["quicknet"].round_for(KEY.opens_at)
MADE_AT = datetime(2025, 12, 29, 9, 30, tzinfo=UTC)
# Not signed by the beacon, which these examples do without; the key of the beacon would tell.
SIGNATURE, OTHER = "a5" * 48, "a6" * 48


def commitment(number: int = ROUND, name: str = "quicknet", at: datetime = MADE_AT) -> str:
    return leaves.commitment(str(KEY), None, at, KEY.commitment(SEED), (name, number)).text


def outcome(randomness: str = randomness_of(SIGNATURE), number: int = ROUND, name: str = "quicknet") -> str:
    return leaves.beacon(KEY.day, KEY.rules, name, number, randomness).text


def known(signed: str = SIGNATURE, /, **changes: Any) -> Vector:
    """Return what a day shows of a round that is known."""
    randomness = randomness_of(signed)
    told = {"name": "quicknet", "round": ROUND, "state": "known", "randomness": randomness, "signature": signed}
    return {**told, **changes}


MISSED = known(state=FALLBACK, randomness=None, signature=None)


def dealt(told: Vector | None, seed: bytes, made: str = "", logged: str | None = None) -> Vector:
    """Return a day that shows a round, with the deal of a seed, and its leaves."""
    candidate = first_fitting(KEY, seed) or 0
    reveal = {"seed": SEED.hex(), "candidate": candidate, "deck": KEY.deck(seed, candidate).text}
    names = {"day": str(KEY.day), "rules": KEY.rules, "division": KEY.division, "grade": None}
    daily = {**names, "committed_at": "2025-12-29T09:30:00Z", "commitment": KEY.commitment(SEED), "beacon": told}
    logged = outcome() if logged is None else logged
    return {"leaves": [made or commitment(), *([logged] if logged else [])], "daily": {**daily, "reveal": reveal}}


def vectors() -> dict[str, list[Vector]]:
    seed, other = (mixed(SEED, randomness_of(signature)) for signature in (SIGNATURE, OTHER))
    late = datetime(2026, 1, 4, 23, 59, tzinfo=UTC)
    older = hashlib.sha256(f"pyramid/seed/2|{SEED.hex()}|{randomness_of(SIGNATURE)}".encode()).digest()
    backwards = hashlib.sha256(f"pyramid/seed/3|{randomness_of(SIGNATURE)}|{SEED.hex()}".encode()).digest()
    honest = dealt(known(), seed)
    valid = {
        "a deal that depends on its round": honest,
        "a round that came too late": dealt(MISSED, SEED, logged=outcome(FALLBACK)),
    }
    plain = commitment().rpartition("|quicknet|")[0]
    refused = {
        "the deal of another round's randomness": dealt(known(), other),
        "another round's randomness than the log has": dealt(known(OTHER), other),
        "randomness that is not that of the signature": dealt(known(signature=OTHER), seed),
        "the deal of the seed alone, although the round is known": dealt(known(), SEED),
        "the label fallback, although the log has the round": dealt(MISSED, SEED),
        "the label fallback for the deal of a round": dealt(MISSED, seed, logged=outcome(FALLBACK)),
        "a round, although the log says that it came too late": dealt(known(), seed, logged=outcome(FALLBACK)),
        "a round that is not the one of the commitment": dealt(known(round=ROUND + 1), seed),
        "a round in the log that is not the one of the commitment": dealt(
            known(), seed, logged=outcome(number=ROUND + 1)
        ),
        "a round before that of the day": dealt(
            known(round=ROUND - 1), seed, commitment(ROUND - 1), outcome(number=ROUND - 1)
        ),
        "a round after that of the day": dealt(
            known(round=ROUND + 1), seed, commitment(ROUND + 1), outcome(number=ROUND + 1)
        ),
        "a commitment that was made when the round was known": dealt(known(), seed, commitment(at=late)),
        "a beacon that nobody knows": dealt(
            known(name="mallorynet"), seed, commitment(name="mallorynet"), outcome(name="mallorynet")
        ),
        "another beacon on its day": dealt(known(name="mallorynet"), seed),
        "a day that shows no round": dealt(None, seed),
        "a day that still waits for its round": dealt(known(state="awaited", randomness=None, signature=None), SEED),
        "a round that is missing in the log": dealt(known(), seed, logged=""),
        "a round on which no deal depends": dealt(None, SEED, plain),
        "a round of a deal that was committed to without one": dealt(known(), seed, plain, ""),
        "a formula that is not the one of the commitment": dealt(known(), older),
        "a formula with its parts exchanged": dealt(known(), backwards),
        "a commitment with a beacon and no round": dealt(known(), seed, commitment().rpartition("|")[0]),
        "a round with a zero before it": dealt(known(), seed, commitment().replace(f"|{ROUND}", f"|0{ROUND}")),
        "randomness in capitals": dealt(
            known(), seed, logged=outcome().replace(randomness_of(SIGNATURE), randomness_of(SIGNATURE).upper())
        ),
        "a second round of a day": {**honest, "leaves": [*honest["leaves"], outcome(FALLBACK)]},
        "a second commitment, without a beacon": {**honest, "leaves": [*honest["leaves"], plain]},
        "a signature in capitals": dealt(known(signature=SIGNATURE.upper()), seed),
    }
    return {
        "valid": [{"name": name, **vector} for name, vector in valid.items()],
        "refused": [{"name": name, **vector} for name, vector in refused.items()],
    }
