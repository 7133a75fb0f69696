"""Relays are asked in turn, and nothing that they say is believed without the signature."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from pytest_django import Settings

from games.beacon import relays
from games.beacon.relays import Asked, ask, ask_in_turn, in_turn
from games.deals.beacons import Beacon
from tests.beacon import OURS, QUICKNET, RECORDED, Relay, relaying, signature_of, told

NUMBER = 34_109_792
AT = OURS.time_of(NUMBER)
UNTIL = AT + timedelta(seconds=40)


@pytest.fixture(autouse=True)
def forget_failures() -> Iterator[None]:
    relays._failed_last.clear()
    yield
    relays._failed_last.clear()


@pytest.fixture
def relay() -> Iterator[Relay]:
    with relaying() as relay:
        yield relay


def test_an_honest_relay_gives_the_round_of_our_beacon(relay: Relay) -> None:
    assert ask(relay.url, OURS, NUMBER, 5).signature == signature_of(NUMBER)
    assert relay.asked == [f"/{OURS.chain}/public/{NUMBER}"]


def test_an_honest_relay_gives_a_round_of_the_real_beacon(relay: Relay) -> None:
    relay.answer = lambda number: told(number, RECORDED[number])
    assert ask(f"{relay.url}/", QUICKNET, 1000, 5).signature == RECORDED[1000]


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (lambda number: None, "HTTP 404"),
        (lambda number: told(number - 1, signature_of(number - 1)), f"it answered with round {NUMBER - 1}"),
        (lambda number: told(number, signature_of(number - 1)), "the signature is not the beacon's"),
        (lambda number: told(number, RECORDED[1000]), "the signature is not the beacon's"),
        (lambda number: told(number, "not hexadecimal"), "its answer is not a round"),
        (lambda number: told(number, ""), "the signature is not the beacon's"),
        (lambda number: {"round": number}, "its answer is not a round"),
        (lambda number: {"round": str(number), "signature": signature_of(number)}, "its answer is not a round"),
        (lambda number: b"<html>", "its answer is not a round"),
        (lambda number: b" " * 5000, "the answer has more than 4096 bytes"),
    ],
)
def test_a_relay_that_lies_or_does_not_know_is_not_believed(
    relay: Relay, answer: Callable[[int], object], mistake: str
) -> None:
    relay.answer = answer
    asked = ask(relay.url, OURS, NUMBER, 5)
    assert not asked.signature
    assert asked.mistake.startswith(mistake)


def test_a_relay_that_hangs_is_left_alone_after_its_time(relay: Relay) -> None:
    relay.released.clear()
    assert not ask(relay.url, OURS, NUMBER, 0.05).signature


def test_a_relay_that_is_down_is_passed_over(settings: Settings, relay: Relay) -> None:
    settings.PYRAMID_BEACON_RELAYS = ["http://127.0.0.1:1", relay.url]
    assert ask_in_turn(OURS, NUMBER, UNTIL, lambda: AT) == signature_of(NUMBER)
    assert in_turn(["http://127.0.0.1:1", relay.url]) == [relay.url, "http://127.0.0.1:1"]


def test_a_relay_of_mallory_does_not_keep_the_round_of_another_from_a_day(settings: Settings, relay: Relay) -> None:
    with relaying() as of_mallory:
        of_mallory.answer = lambda number: b'{"nested":' + b"[" * 4000
        settings.PYRAMID_BEACON_RELAYS = [of_mallory.url, relay.url]
        assert ask_in_turn(OURS, NUMBER, UNTIL, lambda: AT) == signature_of(NUMBER)


def test_those_that_failed_are_asked_last(settings: Settings) -> None:
    settings.PYRAMID_BEACON_RELAYS = ["a", "b", "c"]
    order: list[str] = []

    def ask_c(relay: str, beacon: Beacon, number: int, seconds: float) -> Asked:
        order.append(relay)
        return Asked(signature="c0") if relay == "c" else Asked(mistake="down")

    for _ in range(2):
        assert ask_in_turn(OURS, NUMBER, UNTIL, lambda: AT, ask_c) == "c0"
    assert order == ["a", "b", "c", "c"]


def test_no_relay_is_asked_after_the_deadline_and_none_may_take_longer(settings: Settings) -> None:
    settings.PYRAMID_BEACON_RELAYS = ["a", "b", "c"]
    now = [UNTIL - timedelta(seconds=3.5)]
    asked: list[tuple[str, float]] = []

    def hang(relay: str, beacon: Beacon, number: int, seconds: float) -> Asked:
        asked.append((relay, seconds))
        now[0] += timedelta(seconds=seconds)
        return Asked(mistake="timed out")

    assert ask_in_turn(OURS, NUMBER, UNTIL, lambda: now[0], hang) is None
    assert asked == [("a", 3.0), ("b", 0.5)]
    assert now[0] == UNTIL


def test_the_first_seconds_are_not_spent_on_one_relay(settings: Settings) -> None:
    settings.PYRAMID_BEACON_RELAYS = ["a"]
    given: list[float] = []

    def note(relay: str, beacon: Beacon, number: int, seconds: float) -> Asked:
        given.append(seconds)
        return Asked(mistake="timed out")

    for second in (0, 9, 10):
        ask_in_turn(OURS, NUMBER, UNTIL, lambda second=second: AT + timedelta(seconds=second), note)  # type: ignore[misc]
    assert given == [1.0, 1.0, 3.0]
