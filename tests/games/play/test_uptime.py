"""Games are not charged for the time in which no server was up."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from threading import Event

import pytest
import time_machine
from django.db import OperationalError, connection
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from games.calendar.models import DailyDeal
from games.play import uptime
from games.play.models import Game, Uptime
from games.play.session import Pause, Session
from games.play.sessions import expire_overdue, own_game
from games.play.starting import start_ranked
from games.play.uptime import downtimes, forget_old_uptime, record_heartbeat, was_up_since
from games.play.visibility import record_for
from games.players.models import Player
from games.rules import DRAW, GameOver, Record
from games.runtime.clock import Clock
from pyramid_server.heartbeat import Heart
from tests.games.play.test_session import START, seconds, session
from tests.games.ways_to_play import commit, open_session

pytestmark = pytest.mark.django_db(transaction=True)

SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _heartbeat(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PYRAMID_HEARTBEAT_SECONDS = 5
    monkeypatch.setattr(uptime, "_up_since", None)
    monkeypatch.setattr(Clock, "measure", lambda _: None)  # time travels here, but not in the database


def up(start: datetime, *stretches: tuple[float, float]) -> None:
    """Note that server processes were up in these stretches, in seconds since the start.

    Their last heartbeats were written an interval before they died.
    """
    for since, until in stretches:
        Uptime.objects.create(since=start + since * SECOND, until=start + (until - 5) * SECOND)


def down(start: datetime, end: float) -> list[tuple[float, float]]:
    found = downtimes(start, start + end * SECOND)
    return [((first - start) / SECOND, (last - start) / SECOND) for first, last in found]


@pytest.mark.parametrize(
    ("stretches", "expected"),
    [
        pytest.param([(-60, 100)], [], id="up all the time"),
        pytest.param([(-60, 20), (50, 100)], [(20, 50)], id="a restart"),
        pytest.param([(-60, 20), (30, 35), (50, 100)], [(20, 30), (35, 50)], id="two restarts"),
        pytest.param([(-60, -2), (30, 100)], [(0, 30)], id="died right after the start"),
        pytest.param([(-60, 20), (10, 100)], [], id="another node was up"),
        pytest.param([(-60, 100), (30, 40)], [], id="one node came and went beside another"),
        pytest.param([(-60, 20), (-60, 40), (50, 60), (55, 100)], [(40, 50)], id="both nodes were down"),
        pytest.param([(-60, 95)], [], id="the next heartbeat is due"),
        pytest.param([(-60, 20)], [], id="the one that asks is up"),
        pytest.param([(-90, -60), (30, 100)], [], id="nothing is known of the start"),
        pytest.param([], [], id="nothing is known at all"),
    ],
)
def test_it_was_down_when_every_process_was(
    db: None, now: datetime, stretches: list[tuple[float, float]], expected: list[tuple[float, float]]
) -> None:
    up(now, *stretches)
    assert down(now, 100) == expected


def test_without_heartbeats_nothing_is_credited(db: None, now: datetime, settings: Settings) -> None:
    settings.PYRAMID_HEARTBEAT_SECONDS = 0
    up(now, (-60, 20), (50, 100))
    assert down(now, 100) == []


def test_a_heartbeat_that_comes_late_leaves_no_gap(db: None, now: datetime) -> None:
    stretch = None
    for second in (0, 5, 10, 20, 51, 56):
        stretch = record_heartbeat(stretch, now + second * SECOND)
    noted = [((row.since - now) / SECOND, (row.until - now) / SECOND) for row in Uptime.objects.order_by("since")]
    assert noted == [(0, 56)]


def test_mallory_freezes_no_clock_by_keeping_a_heartbeat_from_being_written(
    mallory: Player, daily: DailyDeal, now: datetime
) -> None:
    """Forty password hashes at once locked the database for thirty seconds, in which mallory thought."""
    stretch = record_heartbeat(record_heartbeat(None, now - 60 * SECOND), now)
    game = start_ranked(mallory, "standard", now)
    open_session(game, now)
    assert open_session(game, now + 30 * SECOND).elapsed_ms(now + 30 * SECOND) == 30_000
    record_heartbeat(stretch, now + 31 * SECOND)
    session = open_session(game, now + 32 * SECOND)
    assert (session.pauses, session.elapsed_ms(now + 32 * SECOND)) == ((), 32_000)


def test_a_heartbeat_that_could_not_be_written_does_not_count(db: None, now: datetime) -> None:
    def fail(*arguments: object) -> None:
        raise OperationalError("no connection")

    stretch = record_heartbeat(None, now)
    with connection.execute_wrapper(fail), pytest.raises(OperationalError):
        record_heartbeat(stretch, now + 5 * SECOND)
    assert stretch.until == now


def test_a_process_knows_since_when_it_is_up(db: None, now: datetime) -> None:
    assert not was_up_since(now)
    record_heartbeat(record_heartbeat(None, now), now + 5 * SECOND)
    assert was_up_since(now)
    assert was_up_since(now + 500 * SECOND)
    assert not was_up_since(now - SECOND)


def test_a_clock_set_back_shortens_nothing(db: None, now: datetime) -> None:
    stretch = record_heartbeat(record_heartbeat(None, now), now + 5 * SECOND)
    assert record_heartbeat(stretch, now).until == now + 5 * SECOND


def test_old_heartbeats_are_forgotten_and_one_that_was_forgotten_is_noted_again(db: None, now: datetime) -> None:
    stretch = record_heartbeat(None, now - timedelta(days=8))
    record_heartbeat(None, now)
    assert forget_old_uptime(now) == 1
    stretch.until = now
    assert record_heartbeat(stretch, now + SECOND).until == now + SECOND


def test_a_process_notes_that_it_is_up(transactional_db: None, now: datetime) -> None:
    stop = Event()
    stop.set()
    with time_machine.travel(now, tick=False):
        Heart().beat_until(stop)
    assert Uptime.objects.get().since == now


def played_through_a_restart(alice: Player, now: datetime) -> Game:
    """A draw after 10 s; down from 20 s to 50 s; a draw after 60 s."""
    up(now, (-60, 20), (50, 100))
    game = start_ranked(alice, "standard", now)
    for version, second in enumerate((10, 60)):
        session = open_session(own_game(game.id, alice), now + second * SECOND if version else now)
        commit(session.act(DRAW, version, now + second * SECOND))
    return own_game(game.id, alice)


def test_the_clock_stands_still_while_no_server_is_up(alice: Player, daily: DailyDeal, now: datetime) -> None:
    game = played_through_a_restart(alice, now)
    assert [(row.action, row.at_ms) for row in game.whole_log()] == [("D", 10_000), ("D", 30_000)]
    session = open_session(game, now + 70 * SECOND)
    assert session.elapsed_ms(now + 70 * SECOND) == 40_000
    commit(session.resign(2, now + 70 * SECOND))
    game.refresh_from_db()
    assert (game.elapsed_ms, game.downtime_ms, game.moves) == (30_000, 30_000, 2)


def test_the_downtime_is_in_the_record(alice: Player, daily: DailyDeal, now: datetime) -> None:
    game = played_through_a_restart(alice, now)
    commit(open_session(game, now + 70 * SECOND).resign(2, now + 70 * SECOND))
    record = Record.from_text(record_for(own_game(game.id, alice), alice, now).text)
    assert dict(record.more_tags)["Downtime"] == "30000"
    assert record.replay().elapsed_ms == 30_000
    closed = record_for(own_game(game.id, alice), None, daily.key.finish_by)
    assert [name for name, _ in closed.more_tags] == ["Day", "Division", "Suits", "Downtime"]


def test_what_was_played_after_the_last_heartbeat_keeps_its_time(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    """The server died after the draw at 23 s and before its next heartbeat: the clock does not go back behind it."""
    up(now, (-60, 20), (50, 100))
    game = start_ranked(alice, "standard", now)
    commit(open_session(game, now).act(DRAW, 0, now + 23 * SECOND))
    session = open_session(own_game(game.id, alice), now + 51 * SECOND)
    assert session.elapsed_ms(now + 51 * SECOND) == 23_000
    commit(session.act(DRAW, 1, now + 52 * SECOND))
    assert [(row.action, row.at_ms) for row in game.whole_log()] == [("D", 23_000), ("D", 23_000)]
    assert session.elapsed_ms(now + 60 * SECOND) == 30_000


def test_a_second_downtime_is_found_in_the_time_that_really_passed(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    game = played_through_a_restart(alice, now)
    Uptime.objects.filter(until=now + 95 * SECOND).update(until=now + 57 * SECOND)
    up(now, (80, 100))
    session = open_session(game, now + 90 * SECOND)
    assert session.pauses == (Pause(20_000, 50_000), Pause(62_000, 80_000))
    assert session.elapsed_ms(now + 90 * SECOND) == 42_000


def test_an_attempt_still_ends_when_its_day_does(alice: Player, daily: DailyDeal, now: datetime) -> None:
    game = played_through_a_restart(alice, now)
    up(now, (99, (daily.key.finish_by - now) / SECOND))
    with pytest.raises(GameOver):
        open_session(game, daily.key.finish_by - SECOND).act(DRAW, 2, daily.key.finish_by)
    assert expire_overdue(daily.key.finish_by) == 1
    game.refresh_from_db()
    assert (game.status, game.elapsed_ms, game.downtime_ms) == ("expired", 30_000, 30_000)


def test_the_first_look_at_a_layout_costs_nothing_that_was_before(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    up(now, (-60, -40), (-10, 100))
    game = start_ranked(alice, "standard", now)
    assert open_session(game, now).pauses == ()


def test_a_database_that_is_away_stops_no_heartbeat(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(stretch: Uptime | None, now: datetime) -> Uptime:
        raise OperationalError("no connection")

    monkeypatch.setattr("pyramid_server.heartbeat.record_heartbeat", fail)
    stop = Event()
    stop.set()
    heart = Heart()
    heart.beat_until(stop)
    heart.beat_until(stop)
    assert caplog.text.count("heartbeats cannot be written: no connection") == 1
    assert heart.failure is not None
    monkeypatch.undo()
    heart.beat_until(stop)
    assert heart.failure is None


@given(st.lists(st.integers(0, 500), min_size=2, max_size=8, unique=True), st.lists(st.integers(0, 600), max_size=9))
def test_the_clock_never_runs_backwards_and_never_faster_than_time(edges: list[int], moments: list[int]) -> None:
    ordered = sorted(edges)
    pauses = tuple(Pause(*pair) for pair in zip(ordered[::2], ordered[1::2], strict=False))
    game = session()
    paused = Session(game.game, game.policy, game.play, START, pauses=pauses)
    shown = [(moment, paused.elapsed_ms(seconds(moment / 1000))) for moment in sorted(moments)]
    for (before, first), (after, then) in pairwise(shown):
        assert 0 <= then - first <= after - before
    assert all(0 <= elapsed <= moment for moment, elapsed in shown)
