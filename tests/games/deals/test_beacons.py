"""The round of a beacon that belongs to a day, and the seed that its randomness leads to."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

import pytest

from games.deals.beacons import BEACONS, mixed, randomness_of
from tests.beacon import QUICKNET, RECORDED

OPENS_AT = datetime(2026, 11, 20, tzinfo=UTC)


def test_the_chain_is_the_hash_of_the_parameters_of_the_beacon() -> None:
    genesis_seed = bytes.fromhex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e")
    numbers = QUICKNET.period.to_bytes(4, "big") + QUICKNET.first_at.to_bytes(8, "big")
    parameters = numbers + bytes.fromhex(QUICKNET.public_key) + genesis_seed + b"quicknet"
    assert hashlib.sha256(parameters).hexdigest() == QUICKNET.chain
    assert BEACONS == {"quicknet": QUICKNET}


def test_the_first_round_is_at_the_first_second_of_the_beacon() -> None:
    first = datetime.fromtimestamp(QUICKNET.first_at, UTC)
    assert QUICKNET.round_from(first) == 1
    assert QUICKNET.round_from(first + timedelta(milliseconds=1)) == 2
    assert QUICKNET.round_from(first - timedelta(days=1)) == 1
    assert QUICKNET.time_of(1) == first


def test_the_round_of_a_day_is_the_first_one_a_minute_before_it_opens() -> None:
    number = QUICKNET.round_for(OPENS_AT)
    assert number == 34_109_792
    assert QUICKNET.time_of(number - 1) < OPENS_AT - timedelta(seconds=60) <= QUICKNET.time_of(number)
    assert QUICKNET._replace(first_at=QUICKNET.first_at + 1).time_of(number) == OPENS_AT - timedelta(seconds=59)


@pytest.mark.parametrize("number", range(1, 1000, 7))
def test_a_round_is_the_first_at_its_own_time(number: int) -> None:
    assert QUICKNET.round_from(QUICKNET.time_of(number)) == number


def test_randomness_is_the_hash_of_the_signature() -> None:
    assert randomness_of(RECORDED[1000]) == "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
    assert randomness_of(RECORDED[657413]) == "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"


def test_the_seed_of_a_day_depends_on_both_the_committed_seed_and_the_randomness() -> None:
    seed, randomness = bytes(range(32)), randomness_of(RECORDED[1000])
    assert mixed(seed, randomness).hex() == "e2a6a5db4946b46535316ff3b7c96a738157644a2274cb1296e9771bc10a6b09"
    others = {mixed(bytes(32), randomness), mixed(seed, randomness_of(RECORDED[1001])), seed}
    assert len(others | {mixed(seed, randomness)}) == 4
