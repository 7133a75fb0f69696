"""Signatures of the real beacon are right, and every other is refused."""

from __future__ import annotations

import pytest

from games.beacon.signatures import is_signed
from tests.beacon import OURS, QUICKNET, RECORDED, signature_of


@pytest.mark.parametrize("number", RECORDED)
def test_a_recorded_round_is_signed_by_its_beacon(number: int) -> None:
    assert is_signed(QUICKNET, number, bytes.fromhex(RECORDED[number]))


def test_a_round_of_our_beacon_is_signed_by_ours_alone() -> None:
    assert is_signed(OURS, 34_109_792, bytes.fromhex(signature_of(34_109_792)))
    assert not is_signed(QUICKNET, 34_109_792, bytes.fromhex(signature_of(34_109_792)))
    assert not is_signed(OURS, 1000, bytes.fromhex(RECORDED[1000]))


@pytest.mark.parametrize("number", [0, 999, 1001, 2**63])
def test_the_signature_of_another_round_is_refused(number: int) -> None:
    assert not is_signed(QUICKNET, number, bytes.fromhex(RECORDED[1000]))


@pytest.mark.parametrize(
    "signature",
    [
        b"",
        bytes(48),
        b"\xc0" + bytes(47),  # the point at infinity
        b"\xff" * 48,
        bytes.fromhex(RECORDED[1000])[:-1],
        bytes.fromhex(RECORDED[1000]) + b"\0",
        bytes([0x94]) + bytes.fromhex(RECORDED[1000])[1:],  # the point with the other sign
        b"\x80" + bytes(46) + b"\x04",  # on the curve, outside of the subgroup
        bytes.fromhex(QUICKNET.public_key)[:48],
    ],
)
def test_whatever_is_not_a_point_of_the_group_is_refused(signature: bytes) -> None:
    assert not is_signed(QUICKNET, 1000, signature)
