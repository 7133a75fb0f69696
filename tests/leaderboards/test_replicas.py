from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from games.models import Player
from leaderboards import ranking
from leaderboards.models import Board, Decision, State
from leaderboards.ranking import redis, replica
from leaderboards.ranking.view import SortKey, View
from leaderboards.services import reading, replicas
from leaderboards.services.moderation import decide
from leaderboards.services.submission import submit_score
from tests.leaderboards.conftest import BEST, NOON, Finish, board_named, named

with_redis = pytest.mark.usefixtures("with_redis")


@pytest.fixture
def board(finish: Finish) -> Board:
    for number in range(5):
        submit_score(finish(named(f"player-{number}"), moves=10 + number), NOON)
    return board_named(BEST)


@with_redis
def test_a_copy_follows_every_change(board: Board, alice: Player, finish: Finish) -> None:
    replica.catch_up(board)
    game = finish(alice, moves=1)
    changes: list[Callable[[], None]] = [
        lambda: submit_score(game, NOON),
        lambda: decide(Decision(game=game, state=State.DISQUALIFIED, reason="a bot", at=NOON)),
    ]
    for change in changes:
        change()
        replica.catch_up(board)
        present = board_named(BEST)
        assert redis.held_version(board) == present.version
        assert redis.top(View(present, present.version), 9) == ranking.sql.top(View(present, present.version), 9)


@with_redis
def test_a_copy_of_another_version_gives_no_answer(board: Board, alice: Player, finish: Finish) -> None:
    with pytest.raises(redis.NotThisVersion):
        redis.count(View(board, board.version))
    replica.catch_up(board)
    submit_score(finish(alice), NOON)
    present = board_named(BEST)
    with pytest.raises(redis.NotThisVersion):
        redis.top(View(present, present.version), 1)
    assert ranking.count(View(present, present.version)) == 6


@with_redis
def test_what_is_wrong_in_a_copy_is_found_and_repaired(board: Board) -> None:
    replicas.check_replicas(NOON)
    first = redis.top(View(board, board.version), 1)[0]
    redis.client().zrem(f"pyramid:board:{board.pk}", redis.member(*first.sort_key, first.entry))
    assert not replica.is_true(board)
    assert replicas.check_replicas(NOON) == [board]
    assert redis.count(View(board, board.version)) == 5
    assert replicas.check_replicas(NOON) == []


@with_redis
def test_a_copy_from_the_future_is_replaced(board: Board) -> None:
    replica.catch_up(board)
    redis.client().set(f"pyramid:board:{board.pk}:version", 1000)
    assert not replica.is_true(board)
    replica.catch_up(board)
    assert redis.held_version(board) == board.version


@with_redis
def test_an_operator_rebuilds_boards(board: Board) -> None:
    out = StringIO()
    call_command("rebuild_ranks", BEST, stdout=out)
    assert "Rebuilt 1 boards" in out.getvalue()
    assert redis.count(View(board, board.version)) == 5
    with pytest.raises(CommandError, match="Only 0"):
        call_command("rebuild_ranks", "daily.yesterday", stdout=out)


def test_without_redis_there_is_nothing_to_rebuild(db: None, settings: Settings) -> None:
    settings.REDIS_URL = ""
    with pytest.raises(CommandError, match="nothing to rebuild"):
        call_command("rebuild_ranks")
    assert replicas.check_replicas(NOON) == []


def test_without_an_answer_from_redis_ranks_come_from_sql(board: Board, settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    replicas.follow_changes(board)
    view = reading.view_of(board)
    assert [row.place.rank for row in reading.around_player(view, "player-2", 3).rows] == [2, 3, 4]


def test_keys_beyond_53_bits_keep_their_order_in_redis() -> None:
    keys = [0, 1, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1]
    members = [redis.member(*SortKey(key, entered), 1) for key in keys for entered in (1, 2)]
    assert sorted(members) == members
