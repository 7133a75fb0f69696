"""Tables of PostgreSQL divided by month: keys, guards and foreign keys hold as before, and queries read one month."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal
from games.play.journal.statements import write_changes
from games.play.models import Game, day_mark, new_game_id
from games.play.sealed_logs import seal_logs
from games.play.starting import last_attempt, start_practice, start_ranked
from games.players.models import Player
from games.rules import DRAW
from leaderboards.boards import months
from leaderboards.boards.models import Board, Entry
from leaderboards.boards.months import divide, is_divided, lock, make_coming_months, make_months
from leaderboards.boards.recounting import mistakes_on
from tests.games.ways_to_play import open_session
from tests.guards import require_guarded, trigger_names
from tests.leaderboards.conftest import NOON, Finish, submit_score
from tests.processes import PROJECT

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.servers,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers"),
    pytest.mark.skipif(bool(os.environ.get("DIVIDED_TABLES")), reason="the tables are divided already"),
]

DAYS = (date(2026, 11, 20), date(2026, 12, 5), date(2027, 1, 7))


@pytest.fixture(autouse=True)
def _waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have locks wait for others who look at a table just then, such as autovacuum; the command tries again instead."""
    monkeypatch.setattr(months, "LONGEST_WAIT", "20s")


@pytest.fixture
def divided(daily: DailyDeal, alice: Player, finish: Finish) -> Game:
    """Divide tables that have a game of alice, from December on."""
    game = finish(alice)
    submit_score(game, NOON)
    run("SET CONSTRAINTS ALL IMMEDIATE")
    divide(date(2026, 12, 1))
    make_months(date(2026, 12, 1), date(2027, 2, 1))
    return game


def run(statement: str) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


def resigned(game: Game, at: datetime) -> None:
    session = open_session(game, at)
    write_changes(connection, [session.act(DRAW, 0, at), session.resign(1, at)])
    game.refresh_from_db()


def partition_of(row: Game | Entry) -> str:
    ((name,),) = run(f"SELECT tableoid::regclass::text FROM {row._meta.db_table} WHERE id = '{row.pk}'")  # noqa: S608
    return str(name)


def partitions_read(statement: str) -> set[str]:
    """Return the partitions that a plan reads."""
    plan = " ".join(str(line) for (line,) in run(f"EXPLAIN {statement}"))
    every = run("SELECT inhrelid::regclass::text FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE relkind = 'r'")
    return {str(name) for (name,) in every if f" on {name} " in plan}


def locked_tables() -> set[str]:
    """Return the tables on which this transaction holds the strongest lock."""
    held = """SELECT relation::regclass::text FROM pg_locks JOIN pg_class ON oid = relation
        WHERE pid = pg_backend_pid() AND mode = 'AccessExclusiveLock' AND relkind = 'r'"""
    return {str(name) for (name,) in run(held)}


def test_no_lock_is_made_stronger_under_way_for_that_would_be_a_deadlock_with_players_who_wait() -> None:
    tables = set(connection.introspection.table_names())
    lock()
    from_the_start = locked_tables()
    divide(date(2026, 12, 1))
    assert {"games_player", "leaderboards_entry"} <= from_the_start
    assert locked_tables() & tables <= from_the_start | {"games_game", "leaderboards_entry"}


def test_the_coming_months_are_made_before_the_locks_are_released(monkeypatch: pytest.MonkeyPatch) -> None:
    made_within: list[int] = []
    monkeypatch.setattr(months, "make_months", lambda first, last: made_within.append(len(connection.savepoint_ids)))
    outside = len(connection.savepoint_ids)
    assert months.divide_at_once(NOON) == months.next_month(NOON.date())
    assert made_within == [outside + 1]


def test_what_was_there_stays_and_each_later_month_has_a_partition(divided: Game, alice: Player, bob: Player) -> None:
    assert partition_of(divided) == "games_game_first"
    at = datetime(2026, 12, 5, 12, tzinfo=UTC)
    game = start_practice(bob, "standard", at)
    assert partition_of(game) == "games_game_2026_12"
    assert {*Game.objects.all()} == {divided, game}
    assert {entry.player for entry in Entry.objects.filter(valid_to=None)} == {alice}


def test_the_documents_name_the_tables_that_are_divided(divided: Game) -> None:
    told = re.findall(r"`(\w+)_first`", (PROJECT / "docs/growing.md").read_text())
    parents = run("SELECT relname FROM pg_class WHERE relkind = 'p'")
    assert {(name,) for name in told} == {*parents}


def test_a_guard_holds_in_each_partition(divided: Game, bob: Player) -> None:
    names = {name for name in trigger_names() if name.startswith("games_guard") or "truncation" in name}
    assert {"games_guard_frozen", "games_game_truncation", "leaderboards_entry_truncation"} <= names
    for table in ("games_game", "leaderboards_entry"):
        require_guarded(f"DELETE FROM {table}_first", match="is never deleted")  # noqa: S608
        emptied = (f"TRUNCATE {table}{part} CASCADE" for part in ("", "_first", "_2026_12"))
        require_guarded(*emptied, match="is never deleted")
    with pytest.raises(IntegrityError, match="a finished game is frozen"), transaction.atomic():
        run("UPDATE games_game SET moves = 1")
    with pytest.raises(IntegrityError, match="an entry only ever ends"), transaction.atomic():
        run("UPDATE leaderboards_entry SET key = 1")


def test_unique_keys_foreign_keys_and_checks_hold_across_months(divided: Game, alice: Player) -> None:
    game, entry = Game.objects.values().get(), Entry.objects.filter(valid_to=None).values()[0]
    later = {**game, "id": new_game_id(day_mark(date(2026, 12, 5)))}
    wrong: dict[str, Callable[[], object]] = {
        "ranked_attempts_are_numbered": lambda: Game.objects.create(**{**game, "id": new_game_id(game["id"][:3])}),
        "an id begins with the day": lambda: Game.objects.create(**later),
        "summary_exactly_when_finished": lambda: Game.objects.create(**later | {"daily_id": None, "moves": None}),
        "one_current_entry_per_board_and_game|one_listed": lambda: Entry.objects.create(**entry | {"id": None}),
        "keys_from_zero": lambda: Entry.objects.create(**entry | {"id": None, "key": -1}),
        "leaderboards_entry_game_id_.*_fk": lambda: Entry.objects.create(
            **entry | {"id": None, "game_id": "2ek000000000000", "listed": False}
        ),
        "games_game_player_id_.*_fk": lambda: Game.objects.create(**later | {"daily_id": None, "player_id": 10**9}),
        "games_move_game_id_.*_fk": lambda: run(
            "INSERT INTO games_move (game_id, version, action, at_ms) VALUES ('2ek000000000000', 1, 'D', 0)"
        ),
        "an honour is for an entry": lambda: run(
            "INSERT INTO leaderboards_honour (entry_id, player_id, season_id, rank) VALUES (1000000, 1, 1, 1)"
        ),
    }
    for complaint, write in wrong.items():
        run("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(IntegrityError, match=complaint), transaction.atomic():
            write()
    assert (Game.objects.count(), Entry.objects.filter(pk=entry["id"]).count()) == (1, 1)


def test_play_goes_on_over_the_turn_of_months(divided: Game, finish: Finish, bob: Player) -> None:
    for day in DAYS[1:]:
        at = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        ensure_dailies(at)
        game = start_ranked(bob, "standard", at)
        assert partition_of(game) == f"games_game_{day:%Y_%m}"
        assert last_attempt(bob, game.daily) == game  # type: ignore[arg-type]
        resigned(game, at)
        submit_score(game, at + timedelta(minutes=1))
        seal_logs(at + timedelta(days=3))
        game.refresh_from_db()
        assert game.sealed_log is not None
        of_day = {partition_of(entry) for entry in Entry.objects.filter(game=game, board__slug__startswith="daily")}
        assert of_day == {f"leaderboards_entry_{day:%Y_%m}"}
    assert {partition_of(entry) for entry in Entry.objects.filter(board__slug__startswith="all-time")} == {
        "leaderboards_entry_first"
    }
    assert not [mistake for slug in Board.objects.values_list("slug", flat=True) for mistake in mistakes_on(slug)]


def test_hot_queries_read_one_month(divided: Game) -> None:
    game, board = new_game_id(day_mark(DAYS[1])), Board(slug="daily.2026-12-05.standard.open.fastest")
    board.pk = board._meta.pk.get_pk_value_on_save(board)
    assert partitions_read(f"SELECT * FROM games_game WHERE id = '{game}'") == {"games_game_2026_12"}  # noqa: S608
    entries = f"FROM leaderboards_entry WHERE board_id = {board.pk}"
    for query in (
        f"SELECT * {entries} AND listed ORDER BY key LIMIT 10",
        f"SELECT count(*) {entries} AND listed AND key < 5",
        f"SELECT * {entries} AND player_id = 1 AND valid_to IS NULL",
    ):
        assert partitions_read(query) == {"leaderboards_entry_2026_12"}


def test_a_month_of_entries_is_detached_and_attached_again(divided: Game, bob: Player) -> None:
    at = datetime(2026, 12, 5, 12, tzinfo=UTC)
    ensure_dailies(at)
    game = start_ranked(bob, "standard", at)
    resigned(game, at)
    submit_score(game, at + timedelta(minutes=1))
    run("SET CONSTRAINTS ALL IMMEDIATE")
    before = Entry.objects.count()
    ((bounds,),) = run(
        "SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE relname = 'leaderboards_entry_2026_12'"
    )
    run("ALTER TABLE leaderboards_entry DETACH PARTITION leaderboards_entry_2026_12")
    assert run("SELECT count(*) FROM leaderboards_entry_2026_12") == [(2,)]  # those of the day
    assert Entry.objects.count() == before - 2
    assert make_months(date(2026, 12, 1), date(2027, 2, 1)) == 0
    with pytest.raises(IntegrityError, match="removing partition"), transaction.atomic():
        run("ALTER TABLE games_game DETACH PARTITION games_game_2026_12")  # tables of all time have its games
    run(f"ALTER TABLE leaderboards_entry ATTACH PARTITION leaderboards_entry_2026_12 {bounds}")
    assert Entry.objects.count() == before
    with pytest.raises(IntegrityError, match="an entry only ever ends"), transaction.atomic():
        run(f"UPDATE leaderboards_entry SET key = 1 WHERE game_id = '{game.pk}'")  # noqa: S608


def test_the_worker_makes_the_months_ahead_once(divided: Game) -> None:
    make_coming_months(datetime(2027, 3, 31, tzinfo=UTC))
    last = run("SELECT to_regclass('games_game_2027_07'), to_regclass('leaderboards_entry_2027_08')")
    assert last == [("games_game_2027_07", None)]
    assert make_months(date(2027, 3, 1), date(2027, 6, 1)) == 0


def test_rows_of_a_month_that_gets_a_partition_of_its_own_refuse_the_division(alice: Player, daily: DailyDeal) -> None:
    start_practice(alice, "standard", datetime(2026, 12, 5, 12, tzinfo=UTC))
    run("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(IntegrityError, match="partition constraint"), transaction.atomic():
        divide(date(2026, 12, 1))
    assert not is_divided()


def test_the_command_divides_from_the_next_month_on_and_only_once(db: None) -> None:
    said = StringIO()
    with time_machine.travel(NOON):
        call_command("partition_tables", stdout=said)
    assert said.getvalue().startswith("Each month from 2026-12 on has its own partition")
    assert run("SELECT to_regclass('games_game_2026_12') IS NULL") == [(False,)]
    with pytest.raises(CommandError, match="divided already"):
        call_command("partition_tables")
