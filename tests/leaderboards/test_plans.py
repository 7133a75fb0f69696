"""PostgreSQL answers whatever players read by an index, however many games, players and entries there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client
from psycopg import ClientCursor, Connection, Cursor
from pytest_django.fixtures import Settings

from games.calendar.models import Deal
from games.cups.models import Cup
from games.keys.tokens import issue_token
from games.play.journal.statements import write_changes
from games.play.models import Game
from games.play.starting import start_practice
from games.players.models import Player
from games.puzzles.models import PuzzleRun
from games.puzzles.runs import start as start_run
from games.races import rooms as races
from games.races.course import advance
from games.races.invites import invite_of
from games.rules import DRAW, RuleSet
from games.worker import tasks
from leaderboards.audit import verifying
from leaderboards.clubs.founding import Terms, found
from leaderboards.moderation.traces import remember
from tests.games.conftest import DECK
from tests.games.sockets import connected
from tests.games.ways_to_play import open_session
from tests.leaderboards.conftest import BEST, FEWEST_MOVES, NOON, WEEK, Finish, submit_score
from tests.secrecy.doors import BODIES, PARAMETER, is_for_staff, operations, routes

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.servers,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers"),
    pytest.mark.usefixtures("_no_dead_rows", "_noon"),
]

execute = Cursor.execute
EXPLAINED = ("SELECT", "WITH", "(", "INSERT", "UPDATE", "DELETE")
# Of a list PostgreSQL assumes a length, and to read all of a small table pays for it. Without these it finds rows by an
# index wherever there is one.
AVOIDABLE = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin")
WITHOUT_END = {"Seq Scan", "Index Scan", "Index Only Scan"}
IN_BRACES = re.compile(r"{(\w+)}")
MORE_BODIES = {"api/games/{game_id}/actions/": [{"version": 1, "action": "D"}]}
WRITTEN = ("api/games/", "api/games/{game_id}/actions/")
ROWS = 20_000
GAME = "left({}, 3) || lpad(n::text, 12, '0')"
# Copies of rows, with what differs in each: SQL with their number, n. Every hundredth game is of the day.
COPIES = {
    "games_player": {"id": "1000000 + n", "username": "'player-' || n", "name_key": "'player-' || n"},
    "games_game": {"id": GAME.format("t.id"), "player_id": "1000000 + n", "daily_id": "t.daily_id + n % 100 * 1000"},
    "games_move": {"id": "1000000 + n", "game_id": GAME.format("t.game_id")},
    "leaderboards_trace": {"id": "1000000 + n", "player_id": "1000000 + n", "mark": "'mark-' || n"},
    "leaderboards_entry": {
        "id": "1000000 * t.id + n",
        "game_id": GAME.format("t.game_id"),
        "player_id": "1000000 + n",
        "key": "t.key + n",
    },
}
# Beside each race, run, cup and club; what differs is a number, or the id of a row that is copied too.
SOME = 2_000
ROOM = "left({}, 3) || lpad(n::text, 9, '0')"
OF_ROOMS = {
    "games_race": {"id": ROOM.format("t.id"), "deal_id": ROOM.format("t.deal_id")},
    "games_racer": {
        "id": "1000000 * t.id + n",
        "race_id": ROOM.format("t.race_id"),
        "player_id": "1000000 * t.id + n",
        "game_id": "lpad((1000000 * t.id + n)::text, 15, '0')",
    },
    "games_cup": {"id": ROOM.format("t.id"), "code": "'C' || n"},
    "games_cupentry": {"id": "1000000 * t.id + n", "cup_id": ROOM.format("t.cup_id")},
    "games_cupmatch": {
        "id": "1000000 * t.id + n",
        "cup_id": ROOM.format("t.cup_id"),
        "race_id": ROOM.format("t.race_id"),
    },
    "games_cupseat": {
        "id": "1000000 * t.id + n",
        "match_id": "1000000 * t.match_id + n",
        "entry_id": "1000000 * t.entry_id + n",
    },
    "games_puzzlerun": {"id": ROOM.format("t.id"), "player_id": "1000000 + n"},
    "leaderboards_club": {"id": ROOM.format("t.id"), "name_key": "'club-' || n", "code": "'C' || n"},
    "leaderboards_membership": {"id": "1000000 * t.id + n", "club_id": ROOM.format("t.club_id")},
}
# One of all time, one of a day and one of sums: others are read by the same statements.
BOARDS = (BEST, FEWEST_MOVES, WEEK)
# Of the rest, what is looked for is not there.
NOTHING = "000000000000"
HOT = ("api/boards/<slug>/", "boards/<slug>/", "api/games/<game_id>/record/", "games/<game_id>/", "players/<handle>/")
OF_LOOP = "api/games/<game_id>/state/"  # read by the event loop, on a connection of its own


@pytest.fixture
def _no_dead_rows() -> Iterator[None]:
    """Begin with empty files, which a test that is rolled back gives back, and leave no rows to others to step over."""
    empty_files()
    yield
    empty_files()


def empty_files() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no table is emptied before the checks of its new rows
        cursor.execute("SET session_replication_role = replica")  # nor past its guards
        cursor.execute(f"TRUNCATE {', '.join((*COPIES, *OF_ROOMS))} CASCADE")
        cursor.execute("SET session_replication_role = origin")


@pytest.fixture
def game(alice: Player, finish: Finish) -> Game:
    """A game of alice that is being played, and beside it many like her finished one."""
    submit_score(finish(alice), NOON)
    remember([(alice.pk, "", "a device")], NOON)
    playing = start_practice(alice, "standard", NOON)
    write_changes(connection, [open_session(playing, NOON).act(DRAW, 0, NOON)])
    copy_rows(COPIES, ROWS)
    return playing


def copy_rows(copies: dict[str, dict[str, str]], number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET session_replication_role = replica")  # no guards, which look at each row
        for table, differs in copies.items():
            cursor.execute(f"SELECT * FROM {table} LIMIT 0")  # noqa: S608
            values = ", ".join(differs.get(column.name, f"t.{column.name}") for column in cursor.description)
            of_a_day = "WHERE daily_id IS NOT NULL" if "daily_id" in differs else ""
            cursor.execute(
                f"INSERT INTO {table} SELECT {values} "  # noqa: S608
                f"FROM {table} AS t CROSS JOIN generate_series(1, {number}) AS n {of_a_day}"
            )
            cursor.execute(f"ANALYZE {table}")
        cursor.execute("SET session_replication_role = origin")


@pytest.fixture
def rooms(game: Game, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Paths of sockets on a race, a run, a cup and a club of alice and bob, with many like them beside each."""

    def certified(rules: RuleSet, now: datetime) -> Deal:
        return Deal.objects.create(rules=rules.slug, deck=DECK, created_at=now, is_winnable=True)

    monkeypatch.setattr(races, "certified_for_race", certified)
    race = races.create_race(alice, races.Terms("relaxed", countdown_s=0), NOON)
    races.join(race.pk, bob, invite_of(race.pk), NOON)
    races.start(race.pk, alice, NOON)
    advance([race.pk], NOON)
    cup = Cup.objects.create(
        rules="relaxed",
        for_bots=False,
        name="Evening",
        host=alice,
        code="BBBBBB",
        announced_for=NOON,
        opens_at=NOON,
        seeded_at=NOON,
        qualify_s=0,
        limit_s=9,
    )
    match = cup.matches.create(division=1, round=0, number=0, race=race)
    for player in (alice, bob):
        match.seats.create(entry=cup.entries.create(player=player, seed=player.pk, division=1))
    run = start_run(alice, PuzzleRun.Kind.STORM, NOON)
    club = found(alice, Terms("Oxbow Club", "", "sc-blue", "open"), NOON)
    copy_rows(OF_ROOMS, SOME)
    paths = {f"/ws/races/{race.pk}/": "race", f"/ws/cups/{cup.pk}/1/": "cup", f"/ws/runs/{run.pk}/": "run"}
    return paths | {f"/ws/clubs/{club.pk}/boards/{board}/": "board" for board in BOARDS}


class Explained:
    """Has each statement of this process explained, and keeps those that read a large table from end to end."""

    def __init__(self) -> None:
        self.scans: set[str] = set()
        self._known: set[tuple[str, str, bool]] = set()  # the same again has the same plan
        self.only_without_index = False
        with connection.cursor() as cursor:  # tables, or the months of those that are divided
            # Or indexes, but for those of few rows, such as the games that are being played.
            cursor.execute("SELECT relname FROM pg_class WHERE relkind IN ('r', 'i') AND reltuples >= %s", [SOME])
            self.large = {name for (name,) in cursor.fetchall()}

    def look(self, database: Connection, sql: str, params: Any) -> None:
        asked = (sql, repr(params), self.only_without_index)
        if not sql.startswith(EXPLAINED) or asked in self._known:
            return
        self._known.add(asked)
        asking = ClientCursor(database)
        if self.only_without_index:
            execute(asking, ";".join(f"SET {way} = off" for way in AVOIDABLE))
        ((plan,),) = execute(asking, f"EXPLAIN (FORMAT JSON) {sql}", params).fetchall()
        if self.only_without_index:
            execute(asking, ";".join(f"SET {way} = on" for way in AVOIDABLE))
        self.scans.update(f"{scan}: {sql}" for table, scan in scans_in(plan[0]["Plan"]) if table in self.large)


@pytest.fixture
def explained(game: Game, monkeypatch: pytest.MonkeyPatch) -> Explained:
    """Have all statements explained from now on, on whatever thread and connection they are sent."""
    explained = Explained()
    assert len(explained.large) >= len(COPIES)

    def watched(cursor: Cursor, sql: str, params: Any = None, **options: Any) -> Any:
        explained.look(cursor.connection, sql, params)
        return execute(cursor, sql, params, **options)

    monkeypatch.setattr(Cursor, "execute", watched)
    return explained


def scans_in(plan: dict[str, Any], *, is_limited: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the tables or indexes that a plan reads from end to end, unless it stops early, with what it looks for."""
    is_limited |= plan["Node Type"] == "Limit"
    if plan["Node Type"] in WITHOUT_END and "Index Cond" not in plan and not is_limited:
        read = str(plan.get("Index Name", plan["Relation Name"]))
        yield read, f"{read}, filtered by {plan.get('Filter')}"
    for part in plan.get("Plans", []):
        yield from scans_in(part, is_limited=is_limited)


def addresses(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the routes that players read, each with its addresses."""
    known = {"game_id": game.pk, "handle": "alice", "rules": "standard", "name": "standard"}
    known |= {"day": "2026-11-20", "week": "2026-W47", "month": "2026-11", "deal_id": game.deal_id}
    for route in routes():
        for board in BOARDS if "<slug>" in route else [""]:
            values = known | {"slug": board}
            if not is_for_staff(route) and route != OF_LOOP:
                yield route, "/" + PARAMETER.sub(lambda found: values.get(found[1], NOTHING), route)  # noqa: B023


def test_no_page_and_no_door_reads_a_large_table_from_end_to_end(
    game: Game, alice: Player, settings: Settings, explained: Explained
) -> None:
    settings.REDIS_URL = ""  # as if Redis were away
    answered, browser = set(), Client()
    browser.force_login(alice)
    for route, address in addresses(game):
        if not browser.cookies["sessionid"].value:  # it has been signed out
            browser.force_login(alice)
        if browser.get(address).status_code == 200:
            answered.add(route)
    assert set(HOT) <= answered
    assert explained.scans == set()


@pytest.mark.django_db(transaction=True)
def test_nothing_that_a_player_changes_reads_a_large_table_from_end_to_end(
    game: Game, alice: Player, settings: Settings, explained: Explained
) -> None:
    settings.REDIS_URL = ""
    granted, browser = set(), Client()
    known = {"game_id": game.pk, "handle": "player-7", "deal_id": game.deal_id}
    for method, operation in operations():
        address = "/" + IN_BRACES.sub(lambda found: str(known.get(found[1], NOTHING)), operation)
        for body in (*BODIES[method, operation], *MORE_BODIES.get(operation, ())):
            browser.force_login(alice)
            answer = getattr(browser, method)(address, body, content_type="application/json")
            assert answer.status_code != 500, (address, answer)
            if answer.status_code < 300:
                granted.add(operation)
    assert set(WRITTEN) <= granted
    assert explained.scans == set()


def test_no_task_of_the_worker_looks_for_rows_without_an_index(
    explained: Explained, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL, explained.only_without_index = "", True
    monkeypatch.setattr(verifying, "MOST_AT_ONCE", 20)
    found = set()
    for task in tasks._tasks:
        task.run(NOON)
        found |= {f"{task.run.__name__}: {scan}" for scan in explained.scans}
        explained.scans.clear()
    assert found == set()


@pytest.mark.django_db(transaction=True)
async def test_no_socket_looks_for_rows_without_an_index(
    game: Game, rooms: dict[str, str], alice: Player, bob: Player, settings: Settings, explained: Explained
) -> None:
    settings.REDIS_URL = ""
    sockets = {f"/ws/games/{game.pk}/": "game", "/ws/daily/standard/": "game", "/ws/me/": "me", **rooms}
    explained.only_without_index = True
    assert explained.large >= set(OF_ROOMS)
    sockets |= {f"/ws/boards/{board}/": "board" for board in BOARDS}
    for path, about in sockets.items():
        key = await sync_to_async(issue_token)(bob if "daily" in path else alice)
        async with connected(path, [(b"authorization", f"Bearer {key.token}".encode())], about) as client:
            await client.receive()
            if path in rooms:
                await client.ask("look" if about == "run" else "ping")
            if about == "game":
                assert (await client.play("D"))["type"] == "played"
                assert (await client.ask("resign", version=client.version))["type"] in {"finished", "placed"}
    assert explained.scans == set()
