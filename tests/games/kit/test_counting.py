"""Limits are exact: never more than so many in any stretch of so many seconds."""

from __future__ import annotations

from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from games.kit import counting
from games.kit.counting import Counted, seconds_to_wait


def new(most: int, seconds: int) -> Counted:
    return Counted(uuid4().hex, most, seconds)


@given(st.integers(1, 5), st.integers(1, 20), st.lists(st.integers(0, 9), max_size=60))
def test_never_more_happens_in_any_stretch_than_is_allowed(most: int, seconds: int, pauses: list[int]) -> None:
    thing, now, happened = new(most, seconds), 1_000_000.0, [0.0]
    for pause in pauses:
        now += pause
        recent = [at for at in happened if at > now - seconds]
        wait = seconds_to_wait([thing], now)
        if wait:
            assert len(recent) == most
            assert wait == recent[0] + seconds - now
        else:
            assert len(recent) < most
            happened.append(now)


def test_each_thing_is_counted_for_itself() -> None:
    often, rarely = new(3, 60), new(1, 3600)
    assert seconds_to_wait([often, rarely], 1000) == 0
    assert seconds_to_wait([often, rarely], 1010) == 3590
    assert seconds_to_wait([often], 1010) == 0
    assert seconds_to_wait([often], 1010) == 50


def test_a_limit_that_was_changed_holds_at_once() -> None:
    thing = new(2, 60)
    assert [seconds_to_wait([thing], 1000) for _ in range(2)] == [0, 0]
    assert seconds_to_wait([thing._replace(most=3)], 1001) == 0
    assert seconds_to_wait([thing._replace(most=1)], 1002) == 59


def test_what_was_not_counted_for_long_gives_way(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.REDIS_URL = ""
    monkeypatch.setattr(counting, "MOST_COUNTED", 2)
    things = [new(1, 60) for _ in range(3)]
    assert [seconds_to_wait([thing], 1000) for thing in things] == [0, 0, 0]
    assert seconds_to_wait([things[2]], 1000) == 60
    assert seconds_to_wait([things[0]], 1000) == 0


def test_nobody_is_kept_waiting_while_redis_is_away(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    thing = new(1, 60)
    assert [seconds_to_wait([thing], 1000) for _ in range(2)] == [0, 0]
    assert "requests are not counted" in caplog.text
