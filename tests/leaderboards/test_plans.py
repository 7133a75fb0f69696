"""PostgreSQL answers whatever players read by an index, however many games, players and entries there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from games.play.journal.statements import write_changes
from games.play.models import Game
from games.play.starting import start_practice
from games.players.models import Player
from games.rules import DRAW
from tests.games.ways_to_play import open_session
from tests.leaderboards.conftest import BOARDS, NOON, Finish, submit_score
from tests.secrecy.doors import PARAMETER, is_for_staff, routes

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.servers,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers"),
    pytest.mark.usefixtures("_noon"),
]

ROWS = 20_000
GAME = "left({}, 3) || lpad(n::text, 12, '0')"
# Copies of rows, with what differs in each: SQL with their number, n. Every hundredth game is of the day.
COPIES = {
    "games_player": {"id": "1000000 + n", "username": "'player-' || n", "name_key": "'player-' || n"},
    "games_game": {"id": GAME.format("t.id"), "player_id": "1000000 + n", "daily_id": "t.daily_id + n % 100 * 1000"},
    "games_move": {"id": "1000000 + n", "game_id": GAME.format("t.game_id")},
    "leaderboards_entry": {
        "id": "1000000 * t.id + n",
        "game_id": GAME.format("t.game_id"),
        "player_id": "1000000 + n",
        "key": "t.key + n",
    },
}
# Of the rest, what is looked for is not there.
NOTHING = "000000000000"
HOT = ("api/boards/<slug>/", "boards/<slug>/", "api/games/<game_id>/record/", "games/<game_id>/", "players/<handle>/")
OF_LOOP = "api/games/<game_id>/state/"  # read by the event loop, on a connection of its own


@pytest.fixture
def game(alice: Player, finish: Finish) -> Game:
    """A game of alice that is being played, and beside it many like her finished one."""
    submit_score(finish(alice), NOON)
    playing = start_practice(alice, "standard", NOON)
    write_changes(connection, [open_session(playing, NOON).act(DRAW, 0, NOON)])
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET session_replication_role = replica")  # no guards, which look at each row
        for table, differs in COPIES.items():
            changes = ", ".join(f"'{column}', {value}" for column, value in differs.items())
            of_a_day = "WHERE daily_id IS NOT NULL" if "daily_id" in differs else ""
            cursor.execute(
                f"INSERT INTO {table} SELECT (jsonb_populate_record(t, jsonb_build_object({changes}))).* "  # noqa: S608
                f"FROM {table} AS t CROSS JOIN generate_series(1, {ROWS}) AS n {of_a_day}"
            )
            cursor.execute(f"ANALYZE {table}")
        cursor.execute("SET session_replication_role = origin")
    return playing


class Explained:
    """Has each statement of a wrapped connection explained, and keeps those that read a large table from end to end."""

    def __init__(self) -> None:
        self.scans: set[str] = set()
        with connection.cursor() as cursor:  # tables, or the months of those that are divided
            cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples >= %s", [ROWS])
            self.large = {name for (name,) in cursor.fetchall()}

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        if sql.startswith(("SELECT", "WITH", "(")):
            with connection.connection.cursor() as cursor:
                ((plan,),) = cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", params).fetchall()
            self.scans.update(f"{scan}: {sql}" for table, scan in scans_in(plan[0]["Plan"]) if table in self.large)
        return execute(sql, params, many, context)


def scans_in(plan: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the tables that a plan reads from end to end, each with what it looks for there."""
    if plan["Node Type"] == "Seq Scan":
        yield plan["Relation Name"], f"{plan['Relation Name']}, filtered by {plan.get('Filter')}"
    for part in plan.get("Plans", []):
        yield from scans_in(part)


def addresses(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the routes that players read, each with its addresses."""
    known = {"game_id": game.pk, "handle": "alice", "rules": "standard", "name": "standard"}
    known |= {"day": "2026-11-20", "week": "2026-W47", "month": "2026-11", "deal_id": game.deal_id}
    for route in routes():
        for board in BOARDS if "<slug>" in route else [""]:
            values = known | {"slug": board}
            if not is_for_staff(route) and route != OF_LOOP:
                yield route, "/" + PARAMETER.sub(lambda found: values.get(found[1], NOTHING), route)  # noqa: B023


def test_no_page_and_no_door_reads_a_large_table_from_end_to_end(game: Game, alice: Player, settings: Settings) -> None:
    settings.REDIS_URL = ""  # as if Redis were away
    explained, answered = Explained(), set()
    assert len(explained.large) >= len(COPIES)
    browser = Client()
    with connection.execute_wrapper(explained):
        for route, address in addresses(game):
            browser.force_login(alice)
            if browser.get(address).status_code == 200:
                answered.add(route)
    assert set(HOT) <= answered
    assert explained.scans == set()
