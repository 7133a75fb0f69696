"""Counting: in this process and in Redis alike, never one too many, never for nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import REGISTRY
from redis import RedisError
from rest_framework.exceptions import Throttled

from games.runtime import limits
from games.runtime.limits import (
    SUBSCRIBERS_OF_A_SITE,
    Hit,
    LocalCounter,
    SharedCounter,
    count,
    new_account,
    seconds_to_wait,
    seconds_to_wait_here,
)
from tests.counts import forget

NOW = 1_800_000_000.0
AWAY = "redis://127.0.0.1:1/0"  # nobody listens there


@pytest.fixture(autouse=True)
def _rates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "few", (3, 60))
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "many", (20, 60))


@pytest.fixture(params=["local", *(["shared", "in a cluster"] if settings.REDIS_URL else [])])
def counter(request: pytest.FixtureRequest) -> Iterator[LocalCounter | SharedCounter]:
    if request.param == "local":
        made: LocalCounter | SharedCounter = LocalCounter()
    elif request.param == "shared":
        made = SharedCounter(settings.REDIS_URL)
    else:
        made = SharedCounter(request.getfixturevalue("cluster_url"))
    yield made
    forget(made)


def test_so_many_come_at_once_and_then_one_after_the_other(counter: LocalCounter) -> None:
    assert [counter.count([Hit("few", "a")], NOW).wait for _ in range(3)] == [0, 0, 0]
    assert counter.count([Hit("few", "a")], NOW).wait == pytest.approx(20, abs=0.01)
    assert counter.count([Hit("few", "a")], NOW + 19).wait == pytest.approx(1, abs=0.01)
    assert counter.count([Hit("few", "a")], NOW + 20).wait == 0
    assert counter.count([Hit("few", "a")], NOW + 20).wait > 0
    assert counter.count([Hit("few", "b")], NOW + 20).wait == 0


def test_a_verdict_names_the_limit_that_is_nearest_and_what_is_left_of_it(counter: LocalCounter) -> None:
    hits = [Hit("many", "a"), Hit("few", "a")]
    verdicts = [counter.count(hits, NOW) for _ in range(4)]
    assert [verdict.headers["RateLimit"] for verdict in verdicts] == [
        '"few";r=2;t=20',
        '"few";r=1;t=20',
        '"few";r=0;t=20',
        '"few";r=0;t=20',
    ]
    assert verdicts[0].headers["RateLimit-Policy"] == '"few";q=3;w=60'
    assert [verdict.wait > 0 for verdict in verdicts] == [False] * 3 + [True]
    assert counter.count(hits[:1], NOW).headers["RateLimit"] == '"many";r=16;t=3'


def test_nobody_waits_longer_because_the_clock_was_put_back(counter: LocalCounter) -> None:
    for _ in range(9):
        counter.count([Hit("few", "a")], NOW)
    assert [counter.count([Hit("few", "a")], NOW - 86_400).wait for _ in range(3)] == [0, 0, 0]
    assert counter.count([Hit("few", "a")], NOW - 86_400).wait > 0


def test_a_node_whose_clock_is_behind_forgets_nothing(counter: LocalCounter) -> None:
    assert [counter.count([Hit("few", "a")], NOW).wait for _ in range(3)] == [0, 0, 0]
    assert counter.count([Hit("few", "a")], NOW - 0.5).wait == pytest.approx(20.5, abs=0.01)


def test_clocks_of_nodes_differ_by_a_minute_at_most(counter: LocalCounter) -> None:
    for _ in range(3):
        counter.count([Hit("few", "a")], NOW)
    assert counter.count([Hit("few", "a")], NOW - 60).wait == pytest.approx(80, abs=0.01)
    assert counter.count([Hit("few", "a")], NOW - 60.5).wait == 0


def test_what_one_limit_refuses_counts_for_none(counter: LocalCounter) -> None:
    for _ in range(9):
        counter.count([Hit("few", "a"), Hit("many", "a")], NOW)
    assert [counter.count([Hit("many", "a")], NOW).wait == 0 for _ in range(18)] == [True] * 17 + [False]


def test_forty_at_once_do_not_pass_a_limit_of_twenty(counter: LocalCounter) -> None:
    with ThreadPoolExecutor(40) as threads:
        waits = list(threads.map(lambda _: counter.count([Hit("many", "a")], NOW).wait, range(40)))
    assert waits.count(0) == 20


def test_strangers_do_not_drive_anyone_out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FEWEST_SWEPT", 1000)
    counter = LocalCounter()
    for _ in range(3):
        counter.count([Hit("few", "mallory")], NOW)
    for number in range(50_000):
        counter.count([Hit("many", str(number))], NOW + number / 1000)
    assert counter.count([Hit("few", "mallory")], NOW).wait > 0
    assert len(counter) < 5000


@given(st.lists(st.floats(0, 30), max_size=60))
def test_nobody_gets_more_than_twice_the_limit_in_its_time(pauses: list[float]) -> None:
    counter, now, granted = LocalCounter(), NOW, []
    for pause in pauses:
        now += pause
        if counter.count([Hit("few", "a")], now).wait == 0:
            granted.append(now)
    assert all(sum(start <= at < start + 60 for at in granted) <= 6 for start in granted)


def test_while_redis_is_away_each_process_counts_for_itself(caplog: pytest.LogCaptureFixture) -> None:
    counter = SharedCounter(AWAY)
    assert [counter.count([Hit("few", "a")], NOW).wait == 0 for _ in range(5)] == [True] * 3 + [False] * 2
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "Redis does not answer; each process keeps limits for itself"
    ]


class Answers:
    """A script in Redis that answers, or does not where the answer is None."""

    def __init__(self, *answers: list[bytes] | None) -> None:
        self.left = list(answers)

    def __call__(self, keys: list[str], arguments: list[object]) -> list[bytes]:
        answer = self.left.pop(0)
        if answer is None:
            raise RedisError("away")
        return answer


def test_a_redis_that_is_away_is_asked_again_only_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    counter, answers = SharedCounter(AWAY), Answers(None, [b"7.5 0 -0.4"])
    monkeypatch.setattr(counter, "_script", answers)
    monkeypatch.setattr(limits, "PAUSE_SECONDS", math.inf)
    assert [counter.count([Hit("few", "a")], NOW).wait == 0 for _ in range(5)] == [True] * 3 + [False] * 2
    assert answers.left == [[b"7.5 0 -0.4"]]


def test_once_redis_is_back_it_counts_for_all_and_each_change_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    counter = SharedCounter(AWAY)
    monkeypatch.setattr(counter, "_script", Answers([b"0 0 2"], None, None, [b"7.5 0 -0.4"], [b"0 0 2"], None))
    monkeypatch.setattr(limits, "PAUSE_SECONDS", -math.inf)
    assert [counter.count([Hit("few", "a")], NOW).wait for _ in range(6)] == [0, 0, 0, 7.5, 0, 0]
    assert [record.message.partition(":")[0].partition(";")[0] for record in caplog.records] == [
        "Redis does not answer",
        "limits are kept for all processes together again",
        "Redis does not answer",
    ]


@pytest.mark.parametrize("limit", ["guests", "guests_a_day"])
def test_a_new_account_counts_for_the_hour_and_for_the_day(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    for name in ("guests", "guests_a_day"):
        monkeypatch.setitem(settings.PYRAMID_LIMITS, name, (1 if name == limit else 100, 3600))
    count(*new_account("192.0.2.1"))
    with pytest.raises(Throttled):
        count(*new_account("192.0.2.1"))
    count(*new_account("192.0.2.2"))


@pytest.mark.parametrize("ask", [seconds_to_wait, seconds_to_wait_here])
def test_refusals_are_counted_and_nothing_else_is(ask: Callable[[Hit], float]) -> None:
    before = REGISTRY.get_sample_value("pyramid_limits_refused_total") or 0
    assert [ask(Hit("few", "a")) > 0 for _ in range(5)] == [False] * 3 + [True] * 2
    assert REGISTRY.get_sample_value("pyramid_limits_refused_total") == before + 2


def test_whoever_asks_too_often_is_told_how_long_to_wait() -> None:
    for _ in range(3):
        count(Hit("few", "a"))
    with pytest.raises(Throttled) as refused:
        count(Hit("few", "a"))
    assert 0 < getattr(refused.value, "wait", 0) <= 20


@pytest.mark.parametrize("ask", [seconds_to_wait, seconds_to_wait_here])
def test_who_has_a_whole_site_gets_no_more_than_sixteen_of_its_subscribers(
    monkeypatch: pytest.MonkeyPatch, ask: Callable[[Hit], float]
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "few", (3, 3600))
    for number in range(SUBSCRIBERS_OF_A_SITE):
        assert [ask(Hit("few", f"2001:db8:1:{number:x}::/64")) for _ in range(3)] == [0] * 3
    assert 0 < ask(Hit("few", "2001:db8:1:ffff::/64")) <= 3600 / (3 * SUBSCRIBERS_OF_A_SITE)
    assert [ask(Hit("few", other)) for other in ("2001:db8:2::/64", "192.0.2.1", "alice 2001:db8:1::/64")] == [0] * 3
