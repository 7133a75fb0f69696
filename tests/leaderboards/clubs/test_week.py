"""The clubs of a week: the sum of the best five of each, from the table of the week."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from threading import Thread
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.players.models import Player
from leaderboards.boards.models import Board
from leaderboards.boards.reading import find_board
from leaderboards.boards.submission import submit
from leaderboards.clubs import week
from leaderboards.clubs.founding import found
from leaderboards.clubs.membership import join, leave
from leaderboards.clubs.models import Club
from tests.games.api import Api, refusal
from tests.leaderboards.clubs.conftest import EVE, terms
from tests.leaderboards.conftest import NOON, WEEK, Finish, ban, named, submit_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]
WEEK_NAME = "2026-W47"
ADDRESS = f"/api/clubs/weeks/{WEEK_NAME}/"
SUNDAY = NOON + timedelta(days=2)


def points_of(moves: int) -> int:
    """Return the points of a win in 60 seconds."""
    return 1000 + 300 - moves + 180


def club_of(name: str, players: list[Player], at: datetime = EVE) -> Club:
    club = found(players[0], terms(name), at)
    for player in players[1:]:
        join(club.pk, player, at)
    return club


def rows_at(now: datetime) -> list[week.ClubRow]:
    return week.find_table(WEEK_NAME, "standard", "open", now).rows(0, 100)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    members=st.lists(st.tuples(st.integers(10, 14), st.sets(st.integers(0, 2))), min_size=1, max_size=14),
    limit=st.integers(1, 3),
)
def test_the_table_is_the_naive_count(members: list[tuple[int, set[int]]], limit: int, finish: Finish) -> None:
    suffix = Player.objects.count()
    clubs = [club_of(f"Club {suffix} {number}", [named(f"owner-{suffix}-{number}")]) for number in range(3)]
    players = [named(f"player-{suffix}-{number}") for number in range(len(members))]
    for player, (_, inside) in zip(players, members, strict=True):
        for number in inside:
            clubs[number].memberships.create(player=player, joined_at=EVE)
    games = [finish(player, moves=moves).pk for player, (moves, _) in zip(players, members, strict=True)]
    submit(games, NOON)
    naive = {}
    for number, club in enumerate(clubs):
        if best := sorted(moves for moves, inside in members if number in inside)[: week.BEST]:
            naive[club.pk] = sum(map(points_of, best)), len(best), sum(best)
    order = {name: (-points, -wins, moves) for name, (points, wins, moves) in naive.items()}

    rows, query = [], {"limit": limit}
    while query:
        page = Api().get(ADDRESS, query).json()
        rows += [row for row in page["rows"] if row["club"]["id"] in {club.pk for club in clubs}]
        query = {"limit": limit, "cursor": page["next"]} if page["next"] else {}
    assert {row["club"]["id"]: (row["points"], row["wins"], row["moves"]) for row in rows} == naive
    assert [order[row["club"]["id"]] for row in rows] == sorted(order.values())
    for row, other in pairwise(rows):
        assert (row["rank"] == other["rank"]) == (order[row["club"]["id"]] == order[other["club"]["id"]])


def test_only_the_best_five_count(finish: Finish) -> None:
    players = [named(f"player-{number}") for number in range(7)]
    club_of("Oxbow Club", players)
    submit([finish(player, moves=10 + number).pk for number, player in enumerate(players)], NOON)
    [row] = Api().get(ADDRESS).json()["rows"]
    assert (row["points"], row["wins"], row["members"]) == (sum(points_of(10 + number) for number in range(5)), 5, 5)


def test_a_day_counts_for_the_clubs_one_was_in_when_it_opened(club: Club, bob: Player, finish: Finish) -> None:
    carol = named("carol")
    join(club.pk, carol, NOON)
    leave(club.pk, bob, NOON)
    submit([finish(carol).pk, finish(bob).pk], NOON)
    assert [(row.club, row.members) for row in rows_at(NOON)] == [(club, 1)]


def test_a_closed_week_does_not_change(club: Club, alice: Player, bob: Player, finish: Finish) -> None:
    submit([finish(alice).pk, finish(bob).pk], NOON)
    final_at = week.final_at_of(find_board(WEEK, NOON))
    before, before_version = rows_at(final_at), find_board(WEEK, final_at).version
    assert before == rows_at(SUNDAY)
    leave(club.pk, bob, final_at + timedelta(hours=1))
    staff = [named(handle, is_staff=True) for handle in ("staff", "reviewer")]
    ban(alice, "cheated", staff[0], final_at + timedelta(hours=1), staff[1])
    assert find_board(WEEK, final_at).version > before_version
    assert rows_at(final_at + timedelta(days=30)) == before


def test_a_ban_takes_a_player_out_of_an_open_week(club: Club, alice: Player, bob: Player, finish: Finish) -> None:
    submit([finish(alice).pk, finish(bob).pk], NOON)
    ban(bob, "cheated", None, NOON)
    assert [row.members for row in rows_at(NOON)] == [1]


@pytest.mark.django_db(transaction=True)
def test_counting_takes_a_hundredth_of_the_time_however_often_the_board_changes(
    club: Club, alice: Player, bob: Player, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    for memory in (week._shown, week._counted):
        monkeypatch.setattr(memory, "_clock", lambda: clock[0])
    monkeypatch.setattr(week, "_count", lambda table: week.Counted(week._sums_of(table), took=0.3))
    submit_score(finish(alice), NOON)
    first = week.find_table(WEEK_NAME, "standard", "open", NOON)
    assert [row.members for row in first.rows(0, 1)] == [1]
    submit_score(finish(bob), NOON)
    with patch.object(week, "_best_members", wraps=week._best_members) as count:
        for clock[0] in (0, 29.9):
            assert rows_at(NOON) == first.rows(0, 1)
        assert count.call_count == 0
        clock[0] = 30.1
        assert [row.members for row in rows_at(NOON)] == [2]
        assert count.call_count == 1


@pytest.mark.django_db(transaction=True)
def test_a_cursor_leads_on_in_the_version_it_was_made_for(finish: Finish) -> None:
    clubs = [club_of(f"Club {number}", [named(f"player-{number}")]) for number in range(2)]
    submit([finish(player, moves=10 + at).pk for at, player in enumerate(Player.objects.order_by("pk"))], NOON)
    page = Api().get(ADDRESS, {"limit": 1}).json()
    submit_score(finish(named("dave"), moves=1), NOON)
    week._shown.drop(None)
    later = Api().get(ADDRESS, {"cursor": page["next"]}).json()
    assert later["version"] == page["version"] < Api().get(ADDRESS).json()["version"]
    assert [row["club"]["id"] for row in (*page["rows"], *later["rows"])] == [club.pk for club in clubs]


@pytest.mark.parametrize("name", ["2026-W54", "2026-W48", "next", "2026-11", "2026-W47.standard"])
def test_a_week_that_is_not_there_is_not_there(name: str, finish: Finish) -> None:
    assert refusal(Api().get(f"/api/clubs/weeks/{name}/")) == (404, "unknown_board")


def test_a_cursor_of_another_table_is_refused(club: Club, alice: Player, finish: Finish) -> None:
    submit_score(finish(alice), NOON)
    cursor = week.find_table(WEEK_NAME, "standard", "open", NOON).cursor(1)
    assert Api().get(ADDRESS, {"cursor": cursor}).json()["rows"] == []
    for query in ({"cursor": "nonsense"}, {"cursor": cursor, "division": "main"}):
        assert refusal(Api().get(ADDRESS, query))[1] in {"bad_cursor", "unknown_board"}


@pytest.mark.django_db(transaction=True)
def test_who_asks_while_the_clubs_are_counted_waits_for_that_though_the_board_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown, counted, versions = list[int](), list[int](), iter((1, 2))

    def read() -> None:
        shown.append(week.find_table(WEEK_NAME, "standard", "open", NOON).version)

    def count(table: week.ClubTable) -> week.Counted:
        counted.append(table.version)
        other.start()
        other.join(0.3)  # as long as it has to wait
        return week.Counted([], took=0)

    other = Thread(target=read)
    monkeypatch.setattr(week, "find_board", lambda slug, now: Board(pk=1, slug=slug, version=next(versions)))
    monkeypatch.setattr(week, "_count", count)
    read()
    other.join()
    assert (shown, counted) == ([1, 1], [1])
