"""Logs of finished games are sealed: their rows go, nothing is lost, and the database lets it be no other way."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Barrier, Thread

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from games.calendar.models import DailyDeal
from games.personal_data.erasure import erase_player
from games.play import sealed_logs
from games.play.journal.statements import write_changes
from games.play.live import loading
from games.play.models import MARK_LENGTH, Game, Move, logs_of, new_game_id
from games.play.reexecution import differing
from games.play.sealed_logs import seal_logs
from games.play.starting import start_practice, start_ranked
from games.players.models import Player
from games.rules import DRAW, HINT, Logged
from games.rules.sealed_log import seal
from tests.games.ways_to_play import open_session, resign, take_action
from tests.guards import guards_dropped

MINUTE = timedelta(minutes=1)
LONG = timedelta(days=10)

End = Callable[[Game], Game]


@pytest.fixture(autouse=True)
def _nothing_left_alone() -> None:
    sealed_logs._left_alone.clear()


@pytest.fixture
def end(now: datetime) -> End:
    """Return a function that draws twice, asks for a hint where there are some, and gives up."""

    def end(game: Game) -> Game:
        session = open_session(game, now)
        changes = [session.act(DRAW, 0, now + 2 * MINUTE, 119_990), session.act(DRAW, 1, now + 3 * MINUTE)]
        if session.policy.hints:
            changes.append(session.act(HINT, 2, now + 3 * MINUTE))
        write_changes(connection, [*changes, session.resign(session.play.version, now + 4 * MINUTE)])
        game.refresh_from_db()
        return game

    return end


@pytest.fixture
def ranked(alice: Player, daily: DailyDeal, now: datetime, end: End) -> Game:
    return end(start_ranked(alice, "standard", now))


def sealed(game: Game) -> Game:
    assert seal_logs(game.created_at + LONG) >= 1
    game.refresh_from_db()
    assert game.sealed_log is not None
    return game


def set_log(game: Game, data: bytes | None, **and_also: object) -> None:
    with transaction.atomic():
        Game.objects.filter(pk=game.pk).update(sealed_log=data, **and_also)


def test_a_sealed_log_says_what_its_rows_said(alice: Player, now: datetime, end: End) -> None:
    game = end(start_practice(alice, "standard", now))
    record, log = game.record().text, game.whole_log()
    assert log == [Logged(1, "D", 120_000, 119_990), Logged(2, "D", 180_000), Logged(3, "H", 180_000)]
    assert sealed(game).whole_log() == log
    assert not Move.objects.exists()
    assert (game.record().text, differing([game.pk])) == (record, {game.pk: []})
    assert loading.changes_since(game.pk, 1) == (log[1:], "resigned")


def test_a_log_is_sealed_some_minutes_after_the_end(ranked: Game, now: datetime) -> None:
    assert seal_logs(now + 13 * MINUTE) == 0
    assert seal_logs(now + 14 * MINUTE) == 1
    assert seal_logs(now + 14 * MINUTE) == 0


def test_games_that_are_played_keep_their_rows(alice: Player, now: datetime) -> None:
    game = start_practice(alice, "standard", now)
    write_changes(connection, [open_session(game, now).act(DRAW, 0, now)])
    assert seal_logs(now + LONG) == 0
    assert game.log.count() == 1


def test_many_games_are_sealed_batch_by_batch_and_not_all_in_one_run(
    alice: Player, now: datetime, end: End, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        end(start_practice(alice, "standard", now))
    monkeypatch.setattr(sealed_logs, "TOGETHER", 2)
    monkeypatch.setattr(sealed_logs, "MOST_BATCHES", 2)
    assert [seal_logs(now + LONG) for _ in range(3)] == [4, 1, 0]


def test_logs_of_both_forms_are_read_together(alice: Player, ranked: Game, now: datetime, end: End) -> None:
    sealed(ranked)
    other, untouched = end(start_practice(alice, "standard", now)), start_practice(alice, "standard", now)
    logs = logs_of([ranked.pk, other.pk, untouched.pk, "nobody's"])
    assert [len(logs[game]) for game in logs] == [2, 3, 0, 0]


@pytest.mark.django_db(transaction=True)
def test_a_client_that_sends_its_last_action_again_gets_the_same_answer(alice: Player, now: datetime) -> None:
    game = start_practice(alice, "standard", now)
    open_session(game, now)
    drawn = take_action(game, "D", 0, now)
    ended = resign(game, 1, now)
    sealed(game)
    assert take_action(game, "D", 0, now + LONG) == drawn
    assert resign(game, 1, now + LONG) == ended


def test_nothing_else_of_a_finished_game_changes_with_its_log(ranked: Game, bob: Player, now: datetime) -> None:
    data = seal(ranked.whole_log())
    other = {"stored_policy": {}, "restart_of": ranked, "player": bob}
    for field in Game._meta.concrete_fields:
        if field.name not in {"id", "sealed_log"}:
            value = other.get(field.name)
            with pytest.raises(IntegrityError, match=r"frozen|never changes"):
                set_log(ranked, data, **{field.name: value})
    assert ranked.log.count() == 2


def test_a_sealed_log_never_changes_and_never_goes(ranked: Game) -> None:
    data = bytes(sealed(ranked).sealed_log or b"")
    for other in (None, data, seal([Logged(1, "D", 0), Logged(2, "D", 0)])):
        with pytest.raises(IntegrityError, match="a finished game is frozen"):
            set_log(ranked, other)


@pytest.mark.parametrize("actions", [0, 1, 3, 258])
def test_a_log_with_more_or_fewer_actions_than_there_are_rows_is_refused(ranked: Game, actions: int) -> None:
    with pytest.raises(IntegrityError, match="a sealed log has every move"):
        set_log(ranked, seal([Logged(version, "D", 0) for version in range(1, actions + 1)]))
    assert ranked.log.count() == 2


def test_an_unfinished_game_is_not_sealed(alice: Player, now: datetime) -> None:
    game = start_practice(alice, "standard", now)
    with pytest.raises(IntegrityError, match="an unfinished game is not sealed"):
        set_log(game, seal([]))


def test_no_game_starts_sealed(alice: Player, ranked: Game) -> None:
    copy = Game.objects.get(pk=ranked.pk)
    copy.pk, copy.daily, copy.sealed_log = new_game_id(ranked.pk[:MARK_LENGTH]), None, seal(ranked.whole_log())
    with pytest.raises(IntegrityError, match="no game starts sealed"), transaction.atomic():
        copy.save(force_insert=True)


def test_rows_of_a_game_that_is_not_sealed_stay_whatever_was_sealed_before(
    ranked: Game, alice: Player, now: datetime, end: End
) -> None:
    sealed(ranked)
    end(start_practice(alice, "standard", now))
    with pytest.raises(IntegrityError, match="a move is never deleted"), transaction.atomic():
        Move.objects.all().delete()


def test_a_sealed_game_takes_no_moves(ranked: Game) -> None:
    with pytest.raises(IntegrityError, match="a finished game takes no moves"), transaction.atomic():
        Move.objects.create(game=sealed(ranked), version=1, action="D", at_ms=200_000)


@pytest.mark.django_db(transaction=True)
def test_two_that_seal_the_same_games_at_once_lose_nothing(alice: Player, now: datetime, end: End) -> None:
    logs = {game.pk: game.whole_log() for game in (end(start_practice(alice, "standard", now)) for _ in range(8))}
    ready, numbers = Barrier(2), []

    def work() -> None:
        ready.wait()
        numbers.append(seal_logs(now + LONG))
        connection.close()

    workers = [Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sum(numbers) == 8
    assert dict(logs_of(list(logs))) == logs
    assert not Move.objects.exists()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("DELETE FROM games_move WHERE version = 2", "it has 1 actions, its game counts 2"),
        ("UPDATE games_move SET version = 9 WHERE version = 2", "the versions of the log have gaps"),
        ("UPDATE games_move SET action = '?' WHERE version = 2", "'?' is not an action"),
        ("UPDATE games_move SET at_ms = 1 WHERE version = 2", "the clock of the log runs backwards"),
    ],
)
def test_a_log_that_does_not_hold_together_stays_as_it_is_and_holds_up_no_other(
    alice: Player, ranked: Game, now: datetime, end: End, caplog: pytest.LogCaptureFixture, damage: str, reason: str
) -> None:
    with guards_dropped(), connection.cursor() as cursor:
        cursor.execute(damage)
    other = end(start_practice(alice, "standard", now))
    assert [seal_logs(now + LONG) for _ in range(2)] == [1, 0]
    [told] = [line.getMessage() for line in caplog.records if line.name == sealed_logs.__name__]
    assert ranked.pk in told
    assert told.endswith(reason)
    ranked.refresh_from_db()
    assert (ranked.sealed_log, logs_of([other.pk])[other.pk] != []) == (None, True)
    assert ranked.log.exists()


@pytest.fixture
def damaged(ranked: Game) -> Game:
    """A game whose sealed log somebody spoilt who owns the database."""
    data = bytearray(sealed(ranked).sealed_log or b"")
    data[5] ^= 1
    with guards_dropped(), connection.cursor() as cursor:
        cursor.execute("UPDATE games_game SET sealed_log = %s WHERE id = %s", [bytes(data), ranked.pk])
    ranked.refresh_from_db()
    return ranked


def test_a_damaged_log_is_found_when_games_are_carried_out_again(damaged: Game, bob: Player, end: End) -> None:
    sound = end(start_ranked(bob, "standard", damaged.created_at))
    reason = "the log cannot be read: the checksum of the sealed log is wrong"
    assert differing([damaged.pk, sound.pk]) == {damaged.pk: [reason], sound.pk: []}


def test_a_damaged_log_is_told_by_its_code_and_leaves_no_traceback(damaged: Game) -> None:
    answer = Client().get(f"/api/games/{damaged.pk}/record/")
    assert answer.status_code == 500
    assert answer.json() == {"code": "damaged_log", "message": "the checksum of the sealed log is wrong"}


def test_a_damaged_log_is_told_on_the_page_of_the_admin(damaged: Game, staff: Player) -> None:
    client = Client()
    client.force_login(staff)
    page = client.get(f"/admin/games/game/{damaged.pk}/change/").content.decode()
    assert "The log cannot be read: the checksum of the sealed log is wrong." in page
    assert "The log does not replay: damaged_log." in page


def test_the_admin_shows_a_sealed_log(ranked: Game, staff: Player) -> None:
    client = Client()
    client.force_login(staff)
    page = client.get(f"/admin/games/game/{sealed(ranked).pk}/change/").content.decode()
    assert "      1  D             120000        119990" in page
    assert "      2  D             180000             -" in page


def test_erasing_a_player_takes_sealed_practice_along(alice: Player, ranked: Game, now: datetime, end: End) -> None:
    end(start_practice(alice, "standard", now))
    seal_logs(now + LONG)
    assert erase_player(alice, "asked for", None, now).games == 1
    assert [len(game.whole_log()) for game in Game.objects.all()] == [2]
