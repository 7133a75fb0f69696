"""The table of a month of cups: the sums of what counts, in order, page by page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.players.models import Player
from leaderboards.boards.decisions import set_ban
from leaderboards.cups.counting import count_cups
from leaderboards.cups.models import CupResult
from leaderboards.cups.seasons import CupSeason, Row, find_season, table_of
from tests.games.api import Api, refusal
from tests.guards import undone
from tests.leaderboards.conftest import NOON, named
from tests.leaderboards.cups.conftest import Play

LATER = NOON + timedelta(days=40)
ADDRESS = "/api/cups/seasons/2026-11/"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]


def season(*, for_bots: bool = False) -> CupSeason:
    return find_season("2026-11", NOON, for_bots=for_bots)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.permutations(range(6)).flatmap(lambda order: st.integers(2, 6).map(lambda n: order[:n])), max_size=4),
    st.sets(st.integers(0, 5)),
    st.integers(1, 3),
)
def test_pages_together_are_the_list_and_each_rank_is_one_more_than_those_with_more_points(
    alice: Player, played: Play, cups: list[list[int]], banned: set[int], limit: int
) -> None:
    with undone():
        players = [named(f"p{number}") for number in range(6)]
        for days, order in enumerate(cups):
            played([players[number] for number in order], days=days)
        count_cups(LATER)
        for number in banned:
            set_ban(players[number], LATER)
        expected: dict[str, int] = {}
        for result in CupResult.objects.select_related("entry__player"):
            player = result.entry.player.username
            expected[player] = expected.get(player, 0) + (result.points or 0)
        for number in banned:
            expected.pop(f"p{number}", None)
        rows, cursor, counts = list[Row](), "", set[int]()
        while not counts or cursor:
            table = table_of(season(), limit, cursor or None)
            rows += table.rows
            counts.add(table.count)
            cursor = table.next or ""
        assert {row.player.username: row.standing.points for row in rows} == expected
        assert counts == {len(rows)} == {len(expected)}
        for row in rows:
            assert row.standing.rank == 1 + sum(points > row.standing.points for points in expected.values())
        assert [row.standing.points for row in rows] == sorted(expected.values(), reverse=True)


def test_a_season_is_read_over_rest_and_has_a_page_with_the_readers_row(
    alice: Player, bob: Player, robot: Player, played: Play
) -> None:
    machine = named("machine", is_bot=True)
    played([alice, bob], opens_at=NOON.replace(month=12, day=1, hour=0))
    played([alice, bob])
    played([bob, alice], opens_at=NOON.replace(day=30, hour=23, minute=59))
    played([alice, bob], days=2)
    played([robot, machine], days=3, for_bots=True)
    count_cups(LATER)
    answer = Api().get(ADDRESS, {"limit": 1}).json()
    (first,) = answer["rows"]
    assert (answer["month"], answer["of"], answer["count"]) == ("2026-11", "people", 2)
    assert [first[name] for name in ("rank", "points", "cups", "won")] == [1, 23, 3, 2]
    (second,) = Api().get(ADDRESS, {"cursor": answer["next"]}).json()["rows"]
    assert (second["player"]["handle"], second["rank"], second["points"]) == ("bob", 2, 13)
    of_bots = Api().get(ADDRESS, {"of": "bots"}).json()
    assert [row["player"]["handle"] for row in of_bots["rows"]] == ["robot", "machine"]
    assert refusal(Api().get(ADDRESS, {"cursor": answer["next"], "of": "bots"})) == (400, "bad_cursor")
    client = Client()
    client.force_login(bob)
    shown = client.get("/cups/seasons/2026-11/").content.decode()
    assert "You are number 2 of 2, with 13 points." in shown
    assert 'href="/cups/seasons/2026-10/"' in shown
    assert "2026-12" not in shown
    assert 'href="/cups/seasons/2026-11/"' in client.get("/cups/").content.decode()


@pytest.mark.parametrize("month", ["2026-12", "2026-1", "2026-13", "202611", "0000-00", "november"])
def test_a_month_that_has_not_begun_or_is_none_has_no_table(month: str) -> None:
    assert refusal(Api().get(f"/api/cups/seasons/{month}/")) == (404, "unknown_board")
    assert Client().get(f"/cups/seasons/{month}/").status_code == 404


@pytest.mark.parametrize("cursor", ["x", "WyJhIl0:abc"])
def test_a_cursor_that_was_not_made_here_is_refused(cursor: str) -> None:
    assert refusal(Api().get(ADDRESS, {"cursor": cursor}))[0] == 400
    assert Client().get("/cups/seasons/2026-11/", {"cursor": cursor}).status_code == 404
    assert Client().get("/cups/seasons/0001-01/").status_code == 200


def test_a_season_takes_as_many_queries_for_many_cups_as_for_one(alice: Player, bob: Player, played: Play) -> None:
    taken = []
    for days in (0, 1, 2):
        played([alice, bob, *(named(f"p{days}{number}") for number in range(days))], days=days)
        count_cups(LATER)
        with CaptureQueriesContext(connection) as queries:
            table_of(season(), 20, None)
        taken.append(len(queries))
    assert taken == [2, 2, 2]
