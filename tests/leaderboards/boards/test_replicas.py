from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from unittest.mock import Mock

import pytest
from django.conf import settings as suite
from django.core.management import CommandError, call_command
from django.db import OperationalError
from pytest_django.fixtures import Settings

from games.players.models import Player
from games.runtime import outages
from games.worker import tasks
from leaderboards.boards import publishing, ranking, reading
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Board, Decision, EntryState, ValueCounts
from leaderboards.boards.ranking import redis, replica
from leaderboards.boards.ranking.view import SortKey, View
from leaderboards.boards.value_counts import keep_counts
from leaderboards.tasks import check_replicas, load_wanted_replicas
from tests.leaderboards.conftest import BEST, NOON, Finish, board_named, named, submit_score

with_redis = pytest.mark.usefixtures("with_redis")


@pytest.fixture(params=["one server", *(["three servers"] if suite.REDIS_URL else [])])
def redis_url(request: pytest.FixtureRequest, redis_url: str) -> str:
    return redis_url if request.param == "one server" else request.getfixturevalue("cluster_url")


@pytest.fixture
def board(finish: Finish, settings: Settings) -> Board:
    for number in range(5):
        submit_score(finish(named(f"player-{number}"), moves=10 + number), NOON)
    if settings.REDIS_URL:
        redis.take(redis.WANTED)  # in a transaction that is never committed nothing gets there by itself
    return board_named(BEST)


def whole(board: Board) -> View:
    return View(board, board.version)


@with_redis
def test_a_replica_follows_every_change(board: Board, alice: Player, finish: Finish) -> None:
    replica.catch_up(board)
    game = finish(alice, moves=1)
    changes: list[Callable[[], object]] = [
        lambda: submit_score(game, NOON),
        lambda: decide(Decision(game=game, state=EntryState.DISQUALIFIED, reason="a bot", at=NOON)),
    ]
    for change in changes:
        change()
        replica.catch_up(board)
        present = board_named(BEST)
        assert redis.held_version(board) == present.version
        assert redis.top(whole(present), 9) == ranking.sql.top(whole(present), 9)


@with_redis
def test_a_replica_of_another_version_gives_no_answer(board: Board, alice: Player, finish: Finish) -> None:
    with pytest.raises(redis.NotThisVersion):
        redis.top(whole(board), 1)
    replica.catch_up(board)
    submit_score(finish(alice), NOON)
    present = board_named(BEST)
    with pytest.raises(redis.NotThisVersion):
        redis.top(whole(present), 1)
    assert ranking.top(whole(present), 1).total == 6


@with_redis
@pytest.mark.django_db(transaction=True)
def test_a_committed_change_is_in_redis_without_a_worker(alice: Player, bob: Player, finish: Finish) -> None:
    for player, moves in ((alice, 30), (bob, 20)):
        submit_score(finish(player, moves=moves), NOON)
        board = board_named(BEST)
        assert redis.top(whole(board), 9) == ranking.sql.top(whole(board), 9)


@with_redis
@pytest.mark.django_db(transaction=True)
def test_a_change_that_redis_missed_is_made_up_with_the_next_one(alice: Player, finish: Finish) -> None:
    games = [finish(named(f"player-{number}"), moves=10 + number) for number in range(3)]
    submit_score(games[0], NOON)
    board = board_named(BEST)
    redis.client().set(redis.keys_of(board)[1], 0)
    redis.client().delete(redis.keys_of(board)[0])
    replica.rebuild(board)
    redis.replace([redis.Replacement(board, (1, 1), [], [])])
    submit_score(games[1], NOON)
    redis.client().set(redis.keys_of(board)[1], 1)
    submit_score(games[2], NOON)
    assert redis.top(whole(board_named(BEST)), 9) == ranking.sql.top(whole(board_named(BEST)), 9)


@with_redis
@pytest.mark.django_db(transaction=True)
def test_watchers_hear_of_a_change_whose_replica_could_not_follow_for_want_of_the_database(
    alice: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, finish: Finish
) -> None:
    def gone(_: Board) -> bool:
        raise OperationalError("the connection is closed")

    told = Mock()
    monkeypatch.setattr(outages, "outages", outages.Outages())
    monkeypatch.setattr(publishing, "pubsub", lambda: told)
    monkeypatch.setattr(redis, "replace", lambda behind: [False for _ in behind])
    monkeypatch.setattr(replica, "_follow_changes", gone)
    submit_score(finish(alice), NOON)
    assert board_named(BEST).slug in {call.args[1]["board"] for call in told.publish.call_args_list}
    assert caplog.messages == ["replicas of boards stay behind: the connection is closed"]


@with_redis
@pytest.mark.django_db(transaction=True)
def test_a_replica_that_is_missing_is_not_loaded_by_who_changes_the_board_but_by_the_worker(
    alice: Player, bob: Player, finish: Finish
) -> None:
    submit_score(finish(alice), NOON)
    redis.client().flushdb()
    submit_score(finish(bob), NOON)
    board = board_named(BEST)
    assert redis.held_version(board) == 0
    assert board in replica.load_wanted()
    assert redis.top(whole(board), 9) == ranking.sql.top(whole(board), 9)
    assert replica.load_wanted() == []


@with_redis
def test_who_reads_a_board_that_redis_does_not_hold_has_it_loaded(board: Board) -> None:
    assert ranking.top(whole(board), 1).total == 5
    assert replica.load_wanted() == [board]
    assert redis.top(whole(board), 1).total == 5


@with_redis
def test_what_redis_does_not_tell_apart_comes_from_sql(board: Board, alice: Player) -> None:
    replica.catch_up(board)
    assert ranking.top(replace(whole(board), verified_only=True), 1).total == 0
    assert ranking.top(replace(whole(board), among=(alice.pk,)), 1).total == 0
    assert ranking.top(whole(board), 1).total == 5


@with_redis
def test_a_look_at_an_earlier_version_loads_nothing(board: Board) -> None:
    replica.catch_up(board)
    assert ranking.top(View(board, board.version - 1), 1).total == 4
    assert replica.load_wanted() == []


@with_redis
def test_a_board_that_nobody_reads_leaves_redis_its_version_first(board: Board) -> None:
    replica.catch_up(board)
    members, version = redis.keys_of(board)
    redis.client().expire(members, 100)
    redis.client().expire(version, 90)
    redis.top(whole(board), 1)
    assert 100 < redis.client().ttl(version) < redis.client().ttl(members)


@with_redis
def test_what_is_wrong_in_a_replica_that_changed_is_found_and_repaired(
    board: Board, alice: Player, finish: Finish
) -> None:
    replica.catch_up(board)
    submit_score(finish(alice), NOON)
    replica.catch_up(board)
    board.refresh_from_db()
    first = redis.top(whole(board), 1).places[0]
    redis.client().zrem(redis.keys_of(board)[0], redis.member(*first.sort_key, first.entry))
    assert not replica.is_true(board)
    assert replica.check_replicas() == [board]
    assert redis.top(whole(board), 1).total == 6


@with_redis
def test_boards_that_have_not_changed_are_not_compared_again(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    replica.catch_up(board)
    redis.replace([redis.Replacement(board, (board.version, board.version), [], [])])
    compared: list[Board] = []

    def is_true(board: Board) -> bool:
        compared.append(board)
        return True

    monkeypatch.setattr(replica, "is_true", is_true)
    replica.check_replicas()
    replica.check_replicas()
    assert compared == [board]


@with_redis
def test_what_could_not_be_compared_is_compared_the_next_time(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(board: Board) -> bool:
        raise TimeoutError("Redis does not answer")

    replica.catch_up(board)
    redis.replace([redis.Replacement(board, (board.version, board.version), [], [])])
    redis.client().zpopmin(redis.keys_of(board)[0])
    with monkeypatch.context() as patched:
        patched.setattr(replica, "is_true", fail)
        with pytest.raises(TimeoutError):
            replica.check_replicas()
    assert replica.check_replicas() == [board]


@with_redis
def test_a_replica_from_the_future_is_replaced(board: Board) -> None:
    replica.catch_up(board)
    redis.client().set(redis.keys_of(board)[1], 1000)
    assert not replica.is_true(board)
    replica.catch_up(board)
    assert redis.held_version(board) == board.version


@with_redis
def test_an_operator_rebuilds_boards(board: Board) -> None:
    out = StringIO()
    call_command("rebuild_ranks", BEST, stdout=out)
    assert "Rebuilt 1 boards" in out.getvalue()
    assert redis.top(whole(board), 1).total == 5
    with pytest.raises(CommandError, match="Only 0"):
        call_command("rebuild_ranks", "daily.yesterday", stdout=out)


def test_without_redis_an_operator_has_histograms_counted_again(board: Board, settings: Settings) -> None:
    settings.REDIS_URL = ""
    keep_counts(board)
    call_command("rebuild_ranks", stdout=StringIO())
    assert not ValueCounts.objects.exists()
    assert replica.check_replicas() == replica.load_wanted() == []


def test_an_operator_reads_that_redis_is_down(board: Board, settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with pytest.raises(CommandError, match=r"Redis cannot be used: .*refused"):
        call_command("rebuild_ranks")


def test_without_an_answer_from_redis_ranks_come_from_sql_and_it_is_left_alone_for_a_moment(
    board: Board, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis, "_failed_at", -math.inf)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert redis.is_available()
    view = reading.view_of(board)
    assert [row.place.rank for row in reading.around_player(view, "player-2", 3).rows] == [2, 3, 4]
    assert not redis.is_available()


def test_a_worker_without_redis_logs_one_line_for_all_tasks_that_need_it(
    board: Board, settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(outages, "outages", outages.Outages())
    due = [tasks.Periodic(run, timedelta(minutes=1)) for run in (load_wanted_replicas, check_replicas)]
    monkeypatch.setattr(tasks, "_tasks", due)
    assert tasks.run_due(NOON) == 2
    [line] = [record for record in caplog.records if record.name == tasks.logger.name]
    assert line.exc_info is None
    assert re.fullmatch("task load_wanted_replicas failed: Error 111 .*refused.*", line.getMessage())


def test_keys_beyond_53_bits_keep_their_order_in_redis() -> None:
    keys = [0, 1, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1]
    members = [redis.member(*SortKey(key, entered), 1) for key in keys for entered in (1, 2)]
    assert sorted(members) == members
