"""Invariants of games with any writer: an acknowledged action is in the log once, and nothing rewrites history."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from games.calendar.models import DailyDeal
from games.play import journal
from games.play.models import Game, Move
from games.play.refusals import Conflict
from games.play.scores import game_finished
from games.play.session import Session
from games.play.starting import start_practice, start_ranked
from games.play.wire import State
from games.players.models import Player
from games.rules import DRAW, Outcome
from tests.games.ways_to_play import commit, open_session, restart

pytestmark = pytest.mark.django_db(transaction=True)

SECOND = timedelta(seconds=1)


@pytest.fixture
def game(alice: Player, now: datetime) -> Game:
    return start_practice(alice, "standard", now)


def draw(session: Session, now: datetime) -> None:
    commit(session.act(DRAW, session.play.version, now))


def log(game: Game) -> list[str]:
    return [row.action for row in game.whole_log()]


def test_a_committed_action_is_in_the_log(game: Game, now: datetime) -> None:
    session = open_session(game, now)
    draw(session, now + SECOND)
    draw(session, now + 2 * SECOND)
    assert [(row.action, row.at_ms) for row in game.whole_log()] == [("D", 1000), ("D", 2000)]


def test_replaying_the_log_gives_the_state_that_was_played(game: Game, now: datetime) -> None:
    session = open_session(game, now)
    for number in range(5):
        draw(session, now + number * SECOND)
    assert State.of(open_session(game, now), now) == State.of(session, now)


def test_the_second_writer_of_a_version_loses_and_nothing_of_it_is_kept(game: Game, now: datetime) -> None:
    first, second = open_session(game, now), open_session(game, now)
    draw(first, now + SECOND)
    with pytest.raises(Conflict):
        draw(second, now + 2 * SECOND)
    assert [(row.action, row.at_ms) for row in game.whole_log()] == [("D", 1000)]


def test_the_end_of_a_game_is_written_with_its_last_action(game: Game, now: datetime) -> None:
    session = open_session(game, now)
    draw(session, now + SECOND)
    commit(session.resign(1, now + 3 * SECOND))
    game.refresh_from_db()
    assert (game.status, game.moves, game.draws, game.elapsed_ms, game.cards_left) == ("resigned", 1, 1, 1000, 28)
    assert game.finished_at == now + 3 * SECOND
    assert game.record().replay().result is Outcome.RESIGNED


def test_a_game_that_has_ended_meanwhile_is_a_conflict(game: Game, now: datetime) -> None:
    first, second, third = (open_session(game, now) for _ in range(3))
    commit(first.resign(0, now))
    with pytest.raises(Conflict):
        draw(second, now)
    with pytest.raises(Conflict):
        commit(third.resign(0, now))
    assert log(game) == []


def test_a_summary_that_misses_a_move_is_a_conflict(game: Game, now: datetime) -> None:
    first, second = open_session(game, now), open_session(game, now)
    draw(first, now)
    with pytest.raises(Conflict):
        commit(second.resign(0, now))
    game.refresh_from_db()
    assert game.status == "playing"


def test_the_end_of_a_game_is_published_after_the_commit(game: Game, now: datetime) -> None:
    heard: list[str] = []

    def hear(game: str, **_: object) -> None:
        heard.append(f"{game} {Game.objects.get(pk=game).status}")

    game_finished.connect(hear)
    try:
        journal.commit_together([open_session(game, now).resign(0, now)])
    finally:
        game_finished.disconnect(hear)
    assert heard == [f"{game.pk} resigned"]


def refused(statement: str, *values: str | int) -> str:
    """Run SQL past all our Python and return the database's refusal."""
    with pytest.raises(IntegrityError) as refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
    return str(refusal.value)


INSERT_MOVE = "INSERT INTO games_move (game_id, version, action, at_ms) VALUES (%s, %s, %s, %s)"


def test_the_database_refuses_a_gap(game: Game) -> None:
    assert "versions have no gaps" in refused(INSERT_MOVE, game.pk, 2, "D", 0)
    refused(INSERT_MOVE, game.pk, 0, "D", 0)


def test_the_database_refuses_a_second_move_of_one_version(game: Game, now: datetime) -> None:
    draw(open_session(game, now), now)
    refused(INSERT_MOVE, game.pk, 1, "D", 0)


def test_the_database_refuses_moves_of_a_finished_game(game: Game, now: datetime) -> None:
    commit(open_session(game, now).resign(0, now))
    assert "a finished game takes no moves" in refused(INSERT_MOVE, game.pk, 1, "D", 0)


def test_the_database_refuses_to_change_a_move(game: Game, now: datetime) -> None:
    draw(open_session(game, now), now)
    with pytest.raises(IntegrityError, match="a move is never changed"), transaction.atomic():
        Move.objects.update(at_ms=F("at_ms") + 1)


@pytest.mark.parametrize("change", [{"moves": 7}, {"elapsed_ms": 1}, {"status": "won", "cards_left": 0}])
def test_the_database_refuses_to_change_a_finished_game(game: Game, now: datetime, change: dict[str, object]) -> None:
    commit(open_session(game, now).resign(0, now))
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(**change)


def test_the_database_refuses_a_summary_of_an_unfinished_game(game: Game) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(moves=3)


def test_the_database_refuses_a_second_ranked_attempt(alice: Player, daily: DailyDeal, now: datetime) -> None:
    start_ranked(alice, "standard", now)
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.create(player=alice, deal=daily.deal, daily=daily, created_at=now)


def test_the_database_refuses_a_second_deal_of_a_day(daily: DailyDeal) -> None:
    daily.pk, daily.commitment = None, "0" * 64
    with pytest.raises(IntegrityError), transaction.atomic():
        daily.save(force_insert=True)


def test_a_restarted_game_ends_and_the_same_deal_starts_at_zero(game: Game, now: datetime) -> None:
    draw(open_session(game, now), now + SECOND)
    again = restart(game, now + 2 * SECOND)
    game.refresh_from_db()
    assert game.status == "resigned"
    assert (again.deal_id, again.status, log(again)) == (game.deal_id, "playing", [])
