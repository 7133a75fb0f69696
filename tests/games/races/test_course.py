"""A race follows the clock, no matter who notices first, and how often."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, connection, transaction

from games.calendar.models import Deal
from games.deals.policy import RANKED
from games.personal_data.erasure import erase_player
from games.personal_data.models import Erasure
from games.personal_data.retention import forget_guest_practice
from games.play.models import Game
from games.play.refusals import RestartNotAllowed
from games.play.sessions import open_practice_games
from games.play.starting import race_game
from games.players.models import Player
from games.races import course, hourly, rooms
from games.races.invites import invite_of
from games.races.models import Race
from games.rules import Action, GameOver, Suits
from tests.games.conftest import WINNING_LINE
from tests.games.races.conftest import TERMS, game_of
from tests.games.ways_to_play import look, resign, restart, take_action

pytestmark = pytest.mark.django_db(transaction=True)


def win(game: Game, now: datetime) -> None:
    """Win a game on the deck of the tests, whose suits the game has permuted."""
    suits = Suits(game.suits)
    for version, move in enumerate(WINNING_LINE.split()):
        take_action(game, suits.of_action(Action.from_text(move)).text, version, now)


def reread(race: Race) -> Race:
    return Race.objects.select_related("deal").get(pk=race.pk)


def test_everyone_gets_the_same_deal_in_other_suits_and_the_same_clock(
    race: Race, alice: Player, bob: Player, now: datetime
) -> None:
    one, other = game_of(race, alice), game_of(race, bob)
    assert one.deal == other.deal == race.deal
    assert len({one.suits, other.suits, ""}) == 3
    assert one.started_at == other.started_at == race.starts_at
    assert one.policy == RANKED
    assert look(one, now + timedelta(seconds=3)).elapsed_ms == 3000


def test_the_race_ends_when_all_have_finished(race: Race, alice: Player, bob: Player, now: datetime) -> None:
    win(game_of(race, alice), now + timedelta(seconds=20))
    course.advance_all(now + timedelta(seconds=21))
    assert not reread(race).is_over
    resign(game_of(race, bob), 0, now + timedelta(seconds=30))
    course.advance_all(now + timedelta(seconds=31))
    ended = reread(race)
    assert (ended.ended_at, ended.end) == (now + timedelta(seconds=31), "all_finished")
    results = list(race.racers.values_list("player__display_name", "place", "outcome", "cards_left", "elapsed_ms"))
    assert results == [("Alice", 1, "won", 0, 20_000), ("Bob", 2, "resigned", 28, 0)]


def test_at_the_limit_running_games_end_as_they_stand(race: Race, alice: Player, now: datetime) -> None:
    game, limit = game_of(race, alice), now + timedelta(seconds=TERMS.limit_s)
    take_action(game, "D", 0, now + timedelta(seconds=1))
    course.advance_all(limit - timedelta(milliseconds=1))
    assert not reread(race).is_over
    with pytest.raises(GameOver, match="expired"):
        take_action(game, "D", 1, limit)
    course.advance_all(limit + timedelta(seconds=1))
    assert reread(race).end == "time_up"
    game.refresh_from_db()
    assert (game.status, game.moves) == ("expired", 1)
    assert sorted(race.racers.values_list("outcome", "moves", "place")) == [("expired", 0, 1), ("expired", 1, 2)]


def test_looking_again_and_again_changes_nothing(race: Race, alice: Player, bob: Player, now: datetime) -> None:
    games = list(Game.objects.values_list("pk", flat=True))
    course.advance([race.pk], now + timedelta(seconds=1))
    assert list(Game.objects.values_list("pk", flat=True)) == games
    end = now + timedelta(seconds=TERMS.limit_s)
    course.advance_all(end)
    course.advance([race.pk], end + timedelta(seconds=9))
    assert reread(race).ended_at == end


def test_the_clock_does_not_go_before_the_start(room: Race, alice: Player, bob: Player, now: datetime) -> None:
    rooms.join(room.pk, bob, invite_of(room.pk), now)
    rooms.start(room.pk, alice, now)
    course.advance_all(now + timedelta(seconds=TERMS.countdown_s, milliseconds=-1))
    assert reread(room).begun_at is None
    assert not Game.objects.exists()


def test_races_begin_together_and_one_that_cannot_does_not_hold_up_the_others(
    alice: Player, bob: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, *others = [rooms.create_race(alice, TERMS, now) for _ in range(3)]
    for race in (broken, *others):
        rooms.join(race.pk, bob, invite_of(race.pk), now)
        rooms.start(race.pk, alice, now)

    def make_unless_broken(player: Player, deal: Deal, starts_at: datetime) -> Game:
        assert deal.pk != broken.deal_id
        return race_game(player, deal, starts_at)

    monkeypatch.setattr(course, "race_game", make_unless_broken)
    course.advance_all(now + timedelta(seconds=TERMS.countdown_s))
    assert reread(broken).begun_at is None
    for race in others:
        assert {game_of(race, alice).deal, game_of(race, bob).deal} == {race.deal}
    monkeypatch.undo()
    course.advance_all(now + timedelta(seconds=TERMS.countdown_s + 1))
    assert game_of(broken, bob).deal == broken.deal


def test_a_room_that_nobody_starts_is_called_off(room: Race, now: datetime) -> None:
    course.advance_all(now + course.ROOM_OPEN_FOR - timedelta(seconds=1))
    assert not reread(room).is_over
    course.advance_all(now + course.ROOM_OPEN_FOR)
    assert reread(room).end == "cancelled"
    assert not room.racers.exists()


def test_a_race_whose_second_racer_has_left_is_called_off(
    room: Race, alice: Player, bob: Player, now: datetime
) -> None:
    rooms.join(room.pk, bob, invite_of(room.pk), now)
    rooms.start(room.pk, alice, now)
    rooms.leave(room.pk, bob, now)
    assert [racer.player for racer in room.racers.all()] == [alice]
    course.advance_all(now + timedelta(seconds=TERMS.countdown_s))
    assert reread(room).end == "cancelled"
    assert not Game.objects.exists()


@pytest.mark.parametrize("late", [timedelta(seconds=-1), timedelta(), timedelta(days=3)], ids=str)
def test_a_race_is_called_off_if_its_time_passed_while_no_server_was_up(
    room: Race, alice: Player, bob: Player, now: datetime, late: timedelta
) -> None:
    rooms.join(room.pk, bob, invite_of(room.pk), now)
    rooms.start(room.pk, alice, now)
    ends_at = reread(room).ends_at
    assert ends_at
    course.advance_all(ends_at + late)
    assert reread(room).end == ("" if late < timedelta() else "cancelled")
    assert Game.objects.count() == (2 if late < timedelta() else 0)


def test_the_hourly_race_is_made_once_and_begins_at_the_hour(
    alice: Player, bob: Player, now: datetime, settings: LazySettings
) -> None:
    settings.PYRAMID_HOURLY_RACE = True
    race = hourly.ensure_hourly_race(now)
    assert race is not None
    assert (race.hour, race.host) == (now + timedelta(hours=1), None)
    assert hourly.ensure_hourly_race(now + timedelta(minutes=59)) is None
    for player in (alice, bob):
        rooms.join(race.pk, player, "", now)
    for player in (alice, bob):
        rooms.leave(race.pk, player, now)
        assert (reread(race).host, reread(race).is_over) == (None, False)
    for player in (alice, bob):
        rooms.join(race.pk, player, "", now)
    assert race.state(now) == "open"
    assert race.state(now + timedelta(minutes=59, seconds=31)) == "countdown"
    course.advance_all(now + timedelta(hours=1))
    assert game_of(race, alice).deal == race.deal
    assert hourly.ensure_hourly_race(now + timedelta(hours=1)) is not None


def test_a_game_of_a_race_is_no_practice(race: Race, alice: Player, now: datetime) -> None:
    assert open_practice_games(alice) == []
    with pytest.raises(RestartNotAllowed):
        restart(game_of(race, alice), now)


def test_an_account_deleted_in_mid_race_is_absent_at_its_end(
    race: Race, alice: Player, bob: Player, now: datetime
) -> None:
    erase_player(bob, "bob asked for it", None, now)
    assert Erasure.objects.get().games == 1
    resign(game_of(race, alice), 0, now)
    course.advance_all(now)
    assert list(race.racers.values_list("place", "outcome")) == [(1, "resigned"), (2, "absent")]


def test_a_guests_game_in_a_race_is_not_deleted_like_old_practice(race: Race, alice: Player, now: datetime) -> None:
    assert alice.is_guest
    resign(game_of(race, alice), 0, now)
    assert forget_guest_practice(now + timedelta(days=1000)) == 0
    assert game_of(race, alice).is_over


ENTER_LATE = (
    "INSERT INTO games_racer (race_id, player_id, joined_at, outcome) "
    "SELECT race_id, (SELECT max(id) FROM games_player), joined_at, '' FROM games_racer LIMIT 1"
)


FORBIDDEN = [
    "UPDATE games_racer SET place = 9",
    "UPDATE games_racer SET moves = 9",
    "DELETE FROM games_racer",
    "DELETE FROM games_race",
    "UPDATE games_race SET ended_at = NULL, \"end\" = ''",
    "UPDATE games_race SET limit_s = 1",
    "UPDATE games_race SET starts_at = NULL",
    ENTER_LATE,
]


def test_the_database_keeps_racers_and_results(race: Race, alice: Player, mallory: Player, now: datetime) -> None:
    resign(game_of(race, alice), 0, now + timedelta(seconds=9))
    course.advance_all(now + timedelta(seconds=TERMS.limit_s))
    for statement in FORBIDDEN:
        with pytest.raises(IntegrityError, match="race"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
