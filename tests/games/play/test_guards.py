"""The database itself rejects all changes and deletions of history."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from knox.models import AuthToken

from games.analysis.requests import request_analysis
from games.calendar.models import DailyDeal, Deal
from games.keys.tokens import token_holder
from games.personal_data import erasure
from games.personal_data.erasure import erase_player
from games.personal_data.models import Erasure
from games.play.journal.statements import write_changes
from games.play.models import Game, Move, day_mark, id_for, new_game_id
from games.play.starting import start_practice, start_ranked
from games.players.models import Player
from games.rules import DRAW
from tests.games.ways_to_play import open_session
from tests.guards import guards_dropped


def ended(game: Game, now: datetime) -> Game:
    session = open_session(game, now)
    write_changes(connection, [session.act(DRAW, 0, now), session.resign(1, now)])
    game.refresh_from_db()
    return game


@pytest.fixture
def ranked(alice: Player, daily: DailyDeal, now: datetime) -> Game:
    return ended(start_ranked(alice, "standard", now), now)


def test_a_game_begins_with_its_day_and_what_starts_it_again_with_the_same(alice: Player, daily: DailyDeal) -> None:
    first = Game(player=alice, deal=daily.deal, daily=daily, created_at=daily.key.opens_at)
    first.id = new_game_id(day_mark(daily.day + timedelta(days=1)))
    with pytest.raises(IntegrityError, match="an id begins with the day of the game"), transaction.atomic():
        first.save(force_insert=True)
    first.id = id_for(first)
    first.save(force_insert=True)
    later = daily.key.opens_at + timedelta(days=40)
    again = Game(player=alice, deal=daily.deal, restart_of=first, created_at=later)
    again.id = new_game_id(day_mark(later.date()))
    with pytest.raises(IntegrityError, match="an id begins with the day of the game"), transaction.atomic():
        again.save(force_insert=True)
    again.id = id_for(again)
    again.save(force_insert=True)
    assert first.id[:3] == again.id[:3] == day_mark(daily.day)


def test_ids_are_ordered_by_day_and_tell_no_more_than_it() -> None:
    days = [date(2020, 1, 1), date(2020, 2, 2), date(2026, 11, 20), date(2109, 9, 18)]
    assert [day_mark(day) for day in days] == sorted(day_mark(day) for day in days) == ["000", "010", "2ek", "zzz"]
    drawn = [new_game_id("2ek") for _ in range(1000)]
    assert {len(each) for each in drawn} == {15}
    assert len({each[3:7] for each in drawn}) > 900  # 60 random bits follow, of which these are 20
    for day in (date(2019, 12, 31), date(2109, 9, 19)):
        with pytest.raises(ValueError, match="no room"):
            day_mark(day)


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("DELETE FROM games_move", "a move is never deleted"),
        ("UPDATE games_move SET at_ms = 1", "a move is never changed"),
        ("DELETE FROM games_game", "a game is never deleted"),
        ("UPDATE games_game SET moves = 1", "a finished game is frozen"),
        ("UPDATE games_game SET started_at = NULL", "a finished game is frozen"),
        ("UPDATE games_dailydeal SET seed = commitment", "a commitment is never changed or deleted"),
        ("UPDATE games_dailydeal SET commitment = upper(commitment)", "a commitment is never changed or deleted"),
        ("UPDATE games_dailydeal SET policy = NULL", "a commitment is never changed or deleted"),
        ("DELETE FROM games_dailydeal", "a commitment is never changed or deleted"),
        ("UPDATE games_deal SET deck = rules", "the cards of a deal are never changed"),
        ("DELETE FROM games_deal", "a deal is never deleted"),
    ],
)
def test_history_does_not_go_by_plain_sql(ranked: Game, statement: str, complaint: str) -> None:
    with pytest.raises(IntegrityError, match=complaint), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    ranked.refresh_from_db()
    assert (ranked.moves, ranked.log.count()) == (1, 1)


@pytest.mark.servers
@pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers")
def test_no_table_with_a_guard_against_deletion_can_be_truncated(ranked: Game) -> None:
    guarded = "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal AND tgtype & 8 > 0"
    with connection.cursor() as cursor:
        cursor.execute(guarded)
        tables = [table for (table,) in cursor.fetchall()]
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        assert {"games_game", "leaderboards_entry"} <= {*tables}
        for table in tables:
            with pytest.raises(IntegrityError, match=r"never|once|only"), transaction.atomic():
                cursor.execute(f"TRUNCATE {table} CASCADE")
    assert ranked.log.count() == 1


def test_measures_of_a_deal_are_no_history(daily: DailyDeal) -> None:
    Deal.objects.update(par=50, grade="easy")
    assert set(Deal.objects.values_list("par", flat=True)) == {50}


def test_an_unfinished_game_keeps_its_moves_too(alice: Player, now: datetime) -> None:
    game = start_practice(alice, "standard", now)
    write_changes(connection, [open_session(game, now).act(DRAW, 0, now)])
    for doomed in (Move.objects.all(), Game.objects.all()):
        with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
            doomed.delete()


def test_with_the_guards_put_aside_everything_goes_and_afterwards_nothing(ranked: Game) -> None:
    with guards_dropped():
        Move.objects.all().delete()
    assert not Move.objects.exists()
    with pytest.raises(IntegrityError, match=r"frozen|counts"), transaction.atomic():
        Game.objects.update(moves=1)


def test_erasing_a_player_leaves_ranked_games_without_a_name_and_nothing_else(
    alice: Player, bob: Player, staff: Player, ranked: Game, now: datetime
) -> None:
    practice = ended(start_practice(alice, "standard", now), now)
    request_analysis(practice.id, alice, now)
    bobs = ended(start_practice(bob, "standard", now), now)
    token = AuthToken.objects.create(alice)[1]
    erasure = erase_player(alice, "asked for by mail", staff, now)
    assert (erasure.games, erasure.is_open, erasure.by, erasure.reason) == (1, False, staff, "asked for by mail")
    alice.refresh_from_db()
    assert (alice.display_name, alice.username[:8], alice.is_active) == ("Deleted player", "deleted-", False)
    assert token_holder(token) is None
    assert set(Game.objects.all()) == {ranked, bobs}
    assert ranked.log.count() == 1


def test_who_was_erased_is_guarded_again(alice: Player, bob: Player, now: datetime) -> None:
    ended(start_practice(alice, "standard", now), now)
    ended(start_practice(bob, "standard", now), now)
    erase_player(alice, "asked for", None, now)
    statements = ["DELETE FROM games_move", "DELETE FROM games_erasure", "UPDATE games_erasure SET is_open = true"]
    for statement in statements:
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert Erasure.objects.get().player == alice


def test_an_open_erasure_frees_no_ranked_game_and_nobody_elses(
    alice: Player, bob: Player, ranked: Game, now: datetime
) -> None:
    bobs = ended(start_practice(bob, "standard", now), now)
    Erasure.objects.create(player=alice, reason="mallory has the database", at=now)
    for game in (ranked, bobs):
        with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
            game.delete()


def test_the_command_erases_and_says_how_much(alice: Player, now: datetime) -> None:
    ended(start_practice(alice, "standard", now + timedelta(hours=1)), now + timedelta(hours=1))
    said = StringIO()
    call_command("erase_player", alice.username, "--reason=asked for", stdout=said)
    assert said.getvalue().endswith("1 unranked games were deleted.\n")
    with pytest.raises(CommandError, match="there is no player 'nobody'"):
        call_command("erase_player", "nobody", "--reason=asked for")


def test_the_command_erases_an_owners_bots_with_all_of_their_games(
    alice: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "GAMES_AT_ONCE", 2)
    robot = Player.objects.create(username="robot", is_bot=True, owner=alice)
    for player in (alice, robot, robot, robot):
        ended(start_practice(player, "standard", now), now)
    said = StringIO()
    call_command("erase_player", alice.username, "--reason=asked for", stdout=said)
    assert said.getvalue().endswith("4 unranked games were deleted.\n")
    assert not Game.objects.exists()
    assert not Player.objects.filter(is_active=True).exists()
