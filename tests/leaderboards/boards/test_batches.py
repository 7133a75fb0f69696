"""Games that end at the same time are entered together, and nobody's score depends on that of another."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Event

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError, connection, transaction

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.play.scores import Placement
from games.play.sessions import expire_overdue
from games.play.starting import start_ranked
from games.players.models import Player
from games.rules import DRAW, RULE_SETS
from leaderboards.boards import batches, guards, points, reading, submission
from leaderboards.boards.decisions import decide, set_ban
from leaderboards.boards.models import Board, Decision, Entry, EntryState, PendingGame
from leaderboards.boards.ranking import sql
from leaderboards.boards.ranking.view import View
from leaderboards.boards.sort_keys import KEYS
from leaderboards.boards.submission import submit, submit_missing
from pyramid_server.management.commands import serve
from tests.games.ways_to_play import commit, open_session
from tests.guards import guards_dropped
from tests.leaderboards.conftest import (
    BEST,
    BOARDS,
    FASTEST,
    FEWEST_MOVES,
    MONTH,
    NOON,
    WEEK,
    Finish,
    ban,
    board_named,
    named,
    submit_score,
    values_of,
)


def ids(*games: Game) -> list[str]:
    return [game.pk for game in games]


def listed(slug: str) -> list[str]:
    return [row.score.handle for row in reading.top_of(reading.view_of(board_named(slug)), 100).rows]


def test_every_game_of_a_batch_makes_a_version_of_its_own(alice: Player, bob: Player, finish: Finish) -> None:
    submit(ids(finish(alice), finish(bob)), NOON)
    entered = board_named(FEWEST_MOVES).entries.order_by("valid_from")
    assert [(entry.player, entry.entered_at_version) for entry in entered] == [(alice, 1), (bob, 2)]
    assert [View(board_named(FEWEST_MOVES), version).entries().count() for version in (0, 1, 2)] == [0, 1, 2]


def test_whoever_ends_two_games_in_one_batch_has_every_version_between(alice: Player, finish: Finish) -> None:
    games = [finish(alice, moves=moves, days=days) for days, moves in enumerate((50, 40, 60))]
    submit(ids(*games), NOON)
    board = board_named(BEST)
    history = [sql.top(View(board, version), 9).places for version in (1, 2, 3)]
    shown = [[Entry.objects.get(pk=place.entry).game for place in places] for places in history]
    assert shown == [[games[0]], [games[1]], [games[1]]]
    assert board_named(MONTH).version == 3


def test_each_game_is_told_where_it_stands(alice: Player, bob: Player, finish: Finish) -> None:
    first, second = submit(ids(finish(alice, moves=30), finish(bob, moves=40)), NOON)
    assert {placement.board for placement in first} == set(BOARDS)
    assert Placement(FEWEST_MOVES, 1, 2) in first
    assert Placement(FEWEST_MOVES, 2, 2) in second
    better = finish(bob, moves=20, days=1)
    worse = finish(alice, moves=90, days=1)
    told = dict(zip((better, worse), submit(ids(better, worse), NOON), strict=True))
    assert Placement(BEST, 1, 2) in told[better]
    assert BEST not in {placement.board for placement in told[worse]}
    assert sorted(reading.placements_of(worse)) == sorted(told[worse])


def test_a_game_submitted_again_is_told_where_it_stands_again(alice: Player, finish: Finish) -> None:
    game = finish(alice)
    assert submit([game.pk, game.pk, "no-such-game"], NOON) == [submit_score(game, NOON)] * 2 + [[]]
    assert board_named(FEWEST_MOVES).version == 1


@pytest.mark.django_db(transaction=True)
def test_a_game_that_is_deleted_meanwhile_does_not_hold_up_the_others(
    finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [finish(named(f"player-{number}")) for number in range(5)]
    ended = submission._ended

    def ended_and_one_gone(asked: list[str]) -> list[submission.Attempt]:
        found = ended(asked)
        with guards_dropped():
            Game.objects.filter(pk=games[3].pk).delete()
        return found

    monkeypatch.setattr(submission, "_ended", ended_and_one_gone)
    placed = submit(ids(*games), NOON)
    assert [bool(placements) for placements in placed] == [True, True, True, False, True]
    assert listed(FEWEST_MOVES) == ["player-0", "player-1", "player-2", "player-4"]


@pytest.mark.django_db(transaction=True)
def test_one_out_of_range_one_deleted_and_one_banned_do_not_hold_up_the_others_of_a_batch(
    finish: Finish, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    players = [named(f"player-{number}") for number in range(7)]
    games = [finish(player, moves=2**24 if player is players[5] else 40) for player in players]
    ended = submission._ended

    def ended_and_much_happens(asked: list[str]) -> list[submission.Attempt]:
        found = ended(asked)
        with guards_dropped():
            Game.objects.filter(pk=games[1].pk).delete()
        ban(players[3], "a program", None, NOON)
        return found

    monkeypatch.setattr(submission, "_ended", ended_and_much_happens)
    placed = submit(ids(*games), NOON)
    assert [bool(placements) for placements in placed] == [True, False, True, False, True, False, True]
    assert listed(FEWEST_MOVES) == listed(MONTH) == ["player-0", "player-2", "player-4", "player-6"]
    assert list(PendingGame.objects.exclude(error="").values_list("game", flat=True)) == [games[5].pk]
    assert f"game {games[5].pk} cannot be ranked" in caplog.text
    monkeypatch.undo()
    assert submit_missing(NOON) == 0


def test_whoever_is_banned_before_the_game_is_entered_gets_no_rank(alice: Player, bob: Player, finish: Finish) -> None:
    games = [finish(alice), finish(bob)]
    assert ban(alice, "a program", None, NOON) == 1
    assert submit(ids(*games), NOON)[0] == []
    assert listed(FEWEST_MOVES) == listed(WEEK) == ["bob"]
    assert not PendingGame.objects.exists()


@pytest.mark.parametrize("together", [True, False])
def test_of_more_days_than_count_the_best_ones_are_summed(alice: Player, finish: Finish, *, together: bool) -> None:
    monday = NOON - timedelta(days=NOON.weekday())
    games = [finish(alice, cards_left=left, moves=10 + left, days=left - NOON.weekday()) for left in range(7)]
    for each in [games] if together else [[game] for game in games]:
        submit(ids(*each), monday)
    days = [
        points.day_of(RULE_SETS["standard"], game.cards_left or 0, game.moves or 0, game.elapsed_ms or 0)
        for game in games
    ]
    assert values_of(board_named(WEEK).entries.get(valid_to=None)) == points.total(days, 6)
    decide(Decision(game=games[0], state=EntryState.DISQUALIFIED, reason="seen", at=monday))
    assert values_of(board_named(WEEK).entries.get(valid_to=None)) == points.total(days[1:], 6)


def test_a_sum_that_follows_from_the_difference_reads_no_other_day(alice: Player, finish: Finish) -> None:
    submit_score(finish(alice), NOON)
    day = board_named(FEWEST_MOVES).entries.filter(valid_to=None)
    with guards_dropped():
        day.update(key=day.get().key + 1)  # were the day read again, the sum would differ
    before = values_of(board_named(WEEK).entries.get(valid_to=None))
    game = finish(alice, days=-1)
    submit_score(game, NOON)
    after = values_of(board_named(WEEK).entries.get(valid_to=None))
    assert after["points"] - before["points"] == before["points"]


@pytest.mark.usefixtures("at_noon")
@pytest.mark.django_db(transaction=True)
async def test_tasks_and_threads_wait_for_the_same_batches(finish: Finish) -> None:
    games = [await sync_to_async(finish)(await sync_to_async(named)(f"player-{number}")) for number in range(12)]
    waiting = [asyncio.wrap_future(batches.enter(game.pk)) for game in games[:6]]
    blocking = [asyncio.to_thread(lambda game: batches.enter(game.pk).result(), game) for game in games[6:]]
    placed = await asyncio.gather(*waiting, *blocking)
    assert all(len(placements) == len(BOARDS) for placements in placed)
    assert (await sync_to_async(board_named)(FEWEST_MOVES)).version == 12


@pytest.mark.usefixtures("at_noon")
@pytest.mark.django_db(transaction=True)
def test_a_batch_that_the_database_broke_off_is_entered_after_all(
    alice: Player, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([OperationalError("database is locked")])

    def broken_off_once(games: Sequence[str], now: datetime) -> list[list[Placement]]:
        if error := next(answers, None):
            raise error
        return submit(games, now)

    monkeypatch.setattr(batches, "submit", broken_off_once)
    placed = batches.enter(finish(alice).pk).result(60)
    assert [placement.rank for placement in placed] == [1] * len(BOARDS)


@pytest.mark.django_db(transaction=True)
def test_batches_and_bans_that_meet_on_several_boards_wait_for_each_other_in_one_order(finish: Finish) -> None:
    people = [named(f"player-{number}") for number in range(4)]
    games = [finish(player, days=days, moves=20 + days) for days in range(3) for player in people]

    def work(number: int) -> None:
        try:
            if number == 3:
                ban(people[0], "a program", None, NOON)
            else:
                submit(ids(*(games if number % 2 else games[::-1])), NOON)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert sorted(listed(BEST)) == ["player-1", "player-2", "player-3"]
    assert sorted(listed(MONTH)) == ["player-1", "player-2", "player-3"]
    assert Entry.objects.filter(board__slug=FASTEST, valid_to=None, listed=True).count() == 3


def test_a_ranked_attempt_is_pending_from_its_end_until_it_is_entered_however_it_ended(
    alice: Player, finish: Finish
) -> None:
    game = finish(alice)
    assert PendingGame.objects.get().game == game
    submit_score(game, NOON)
    assert not PendingGame.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_key_on_a_board_that_is_impossible_keeps_out_its_own_player_alone(
    alice: Player, bob: Player, finish: Finish
) -> None:
    first = finish(alice)
    submit_score(first, NOON)
    board = board_named(BEST)
    with guards_dropped():
        Entry.objects.filter(board=board, game=first).update(key=KEYS - 1)
    games = [finish(alice, days=1, moves=39), finish(bob)]
    submit(ids(*games), NOON)
    submit_missing(NOON)
    assert [game.entries.exists() for game in games] == [False, True]
    assert PendingGame.objects.get().error


@pytest.mark.django_db(transaction=True)
def test_a_game_is_not_entered_before_a_ban_of_its_player_that_is_under_way(alice: Player, finish: Finish) -> None:
    game, is_banned, may_commit = finish(alice), Event(), Event()

    def be_banned() -> None:
        try:
            with transaction.atomic():
                set_ban(alice, NOON)
                is_banned.set()
                may_commit.wait(60)
        finally:
            connection.close()

    def be_entered() -> None:
        try:
            submit(ids(game), NOON)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        ban_of_alice = pool.submit(be_banned)
        is_banned.wait(60)
        entry_of_game = pool.submit(be_entered)
        with pytest.raises(TimeoutError):
            entry_of_game.result(0.3)
        may_commit.set()
        ban_of_alice.result(60)
        entry_of_game.result(60)
    assert {entry.state for entry in game.entries.all()} == {EntryState.DISQUALIFIED}


@pytest.mark.django_db(transaction=True)
def test_the_worker_looks_at_what_is_pending_alone(
    alice: Player, bob: Player, finish: Finish, django_assert_num_queries: object
) -> None:
    submit(ids(finish(alice), finish(bob)), NOON)
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert submit_missing(NOON) == 0


@pytest.mark.django_db(transaction=True)
def test_triggers_that_a_migration_lost_are_there_again_when_a_server_starts(alice: Player, finish: Finish) -> None:
    if connection.vendor == "sqlite":  # which loses them with a table that is copied
        with connection.cursor() as cursor:
            guards.ENDED_GAMES.drop(connection.vendor, cursor.execute)
    serve.migrate()
    finish(alice)
    assert PendingGame.objects.count() == 1


def test_boards_of_a_batch_are_few_statements(finish: Finish, django_assert_max_num_queries: object) -> None:
    games = [finish(named(f"player-{number}")) for number in range(20)]
    submit_score(games[0], NOON)
    with django_assert_max_num_queries(30):  # type: ignore[operator]
        submit(ids(*games), NOON)
    assert Board.objects.count() == len(BOARDS)


@pytest.mark.usefixtures("at_noon")
@pytest.mark.django_db(transaction=True)
def test_games_that_expire_together_end_as_they_stand_and_are_on_their_boards(
    alice: Player, bob: Player, daily: DailyDeal
) -> None:
    games = [start_ranked(player, "standard", NOON) for player in (alice, bob)]
    moves = play_until_a_card_is_removed(games[0])
    assert expire_overdue(NOON + timedelta(days=1)) == 2
    assert expire_overdue(NOON + timedelta(days=1)) == 0
    assert list(Game.objects.order_by("pk").values_list("status", flat=True)) == ["expired"] * 2
    scores = [row.score.values for row in reading.top_of(reading.view_of(board_named(FEWEST_MOVES)), 9).rows]
    assert [score["moves"] for score in scores] == [moves]  # the untouched one has no rank


@pytest.mark.usefixtures("at_noon")
@pytest.mark.django_db(transaction=True)
def test_a_damaged_log_does_not_keep_other_games_from_expiring(
    alice: Player, bob: Player, daily: DailyDeal, caplog: pytest.LogCaptureFixture
) -> None:
    damaged, sound = (start_ranked(player, "standard", NOON) for player in (alice, bob))
    for game in (damaged, sound):
        play_until_a_card_is_removed(game)
    with guards_dropped(), connection.cursor() as cursor:
        cursor.execute("UPDATE games_move SET action = '?' WHERE game_id = %s AND version = 1", [damaged.pk])
    expire_overdue(NOON + timedelta(days=1))
    for game in (damaged, sound):
        game.refresh_from_db()
    assert (damaged.status, sound.status) == ("playing", "expired")
    assert f"game {damaged.pk} cannot be ended" in caplog.text


def play_until_a_card_is_removed(game: Game) -> int:
    """Play as few moves as possible, and return how many."""
    session = open_session(game, NOON)
    while session.play.position.cards_left == 28:
        move = next((move for move in session.play.legal_moves if move is not DRAW), DRAW)
        commit(session.act(move, session.play.version, NOON + timedelta(seconds=session.play.version)))
    return session.play.moves
