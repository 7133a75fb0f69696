"""The one-file verifier against operators who would like another round of the beacon, or none."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from games.deals.beacons import FALLBACK, Beacon, mixed, randomness_of
from games.deals.certify import first_fitting
from games.deals.daily import DailyKey
from tests.beacon import OURS, QUICKNET, RECORDED, relaying, signature_of
from tests.games.calendar.test_verify_example import FIRST_DAY, Forge, verified

import verify_daily  # isort: skip  beside the other documents, to which the module above leads

Patch = pytest.MonkeyPatch

KEY = DailyKey(FIRST_DAY, "standard", "open")
SEED = bytes([0] * 32)
ROUND = OURS.round_for(KEY.opens_at)


class Waiting(Forge):
    """A log with one deal that depends on a round of the beacon."""

    def __init__(self, signature: str = signature_of(ROUND), *, logged: str = "", number: int = ROUND) -> None:
        super().__init__(days=1)
        self.round, self.logged = number, logged or (randomness_of(signature) if signature else FALLBACK)
        state, randomness = ("known", randomness_of(signature)) if signature else (FALLBACK, None)
        told = {"name": "quicknet", "round": number, "state": state}
        self.shown = {"beacon": {**told, "randomness": randomness, "signature": signature or None}}
        seed = mixed(SEED, randomness) if randomness else SEED
        candidate = first_fitting(KEY, seed) or 0
        deck = KEY.deck(seed, candidate).text
        self.reveals[str(KEY)] = {"seed": SEED.hex(), "candidate": candidate, "deck": deck}

    @property
    def leaves(self) -> list[str]:
        commitment, *others = super().leaves
        about = f"{FIRST_DAY}|standard|quicknet|{self.round}"
        return [f"{commitment}|quicknet|{self.round}", f"pyramid/beacon/1|{about}|{self.logged}", *others]


@pytest.fixture(autouse=True)
def our_beacon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let our beacon take the place of the real one."""
    monkeypatch.setitem(verify_daily.BEACONS, "quicknet", as_verifier(OURS))


def as_verifier(beacon: Beacon) -> Any:
    return verify_daily.Beacon(beacon.first_at, beacon.period, beacon.chain, beacon.public_key)


def test_an_honest_round_holds_and_its_signature_is_checked() -> None:
    status, said = verified(Waiting())
    assert (status, "0 mistakes" in said) == (0, True)
    assert "ROUNDS" not in said


def test_a_fallback_holds_and_is_named() -> None:
    status, said = verified(Waiting(""))
    assert status == 0
    assert f"1 deals FELL BACK TO THEIR SEED ALONE, such as {KEY}" in said


@pytest.mark.parametrize("signature", [RECORDED[1000], signature_of(ROUND - 1), "ff" * 48, "a5" * 48])
def test_a_round_that_the_beacon_has_not_signed_is_found(signature: str) -> None:
    status, said = verified(Waiting(signature))
    assert (status, f"WRONG: the round of {KEY} is not signed by the beacon quicknet" in said) == (1, True)


def test_without_the_package_it_says_what_it_did_not_check(monkeypatch: Patch) -> None:
    monkeypatch.setitem(sys.modules, "py_arkworks_bls12381", None)
    status, said = verified(Waiting("a5" * 48))
    assert (status, "NOT CHECKED: WHETHER 1 ROUNDS ARE THOSE OF THEIR BEACON" in said) == (0, True)


@pytest.mark.parametrize(("signature", "expected"), [(signature_of(ROUND), 0), ("a5" * 48, 1)])
def test_a_relay_that_the_reader_trusts_decides_too(monkeypatch: Patch, signature: str, expected: int) -> None:
    monkeypatch.setitem(sys.modules, "py_arkworks_bls12381", None)
    with relaying() as relay:
        status, said = verified(Waiting(signature), "--relay", relay.url)
    assert (status, "NOT CHECKED: WHETHER 1 ROUNDS" in said) == (expected, False)


def test_the_label_fallback_for_a_round_that_the_log_has_is_found() -> None:
    status, said = verified(Waiting("", logged=randomness_of(signature_of(ROUND))))
    assert (status, f"WRONG: {KEY} says that its round came too late, and the log has it" in said) == (1, True)


def test_another_round_than_that_of_the_day_is_found() -> None:
    status, said = verified(Waiting(signature_of(ROUND + 1), number=ROUND + 1))
    assert (status, f"{KEY} depends on round {ROUND + 1} of quicknet, which is not that of its day" in said) == (
        1,
        True,
    )


def test_the_verifier_knows_the_real_beacon(monkeypatch: Patch) -> None:
    monkeypatch.undo()
    assert {"quicknet": as_verifier(QUICKNET)} == verify_daily.BEACONS
    assert [verify_daily.is_of_beacon("quicknet", number, RECORDED[number]) for number in RECORDED] == [True] * 4
    assert verify_daily.is_of_beacon("quicknet", 1000, RECORDED[1001]) is False
