"""Boards of streaks and storms: read, followed and walked like all others."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from games.players.models import Player
from games.puzzles.models import PuzzleRun
from leaderboards.boards.decisions import lift_ban, set_ban
from leaderboards.boards.models import Board, Entry, EntryState
from leaderboards.boards.recounting import mistakes_on
from leaderboards.boards.runs import enter_runs, return_to_ranks, take_from_ranks
from tests.games.api import Api
from tests.leaderboards.conftest import NOON, named

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("daily", "_noon")]
NOW = NOON
STORM = "daily.2026-11-20.standard.open.storm"


@pytest.fixture
def mallory(db: None) -> Player:
    return named("mallory")


@pytest.fixture
def as_alice(alice: Player) -> Api:
    return Api(alice)


@pytest.fixture
def as_bob(bob: Player) -> Api:
    return Api(bob)


def ended(player: Player, solved: int, mistakes: int = 1, kind: str = "storm", **more: Any) -> PuzzleRun:
    at = more.pop("at", NOW)
    ends_at = at if kind == "storm" else None
    return PuzzleRun.objects.create(
        player=player,
        kind=kind,
        seed="0",
        puzzle="0123456789",
        started_at=at - timedelta(minutes=3),
        shown_at=at,
        ends_at=ends_at,
        ended_at=at,
        solved=solved,
        mistakes=mistakes,
        waits=True,
        **more,
    )


def rows(api: Api, slug: str, query: str = "") -> list[tuple[int, str, int]]:
    answer = api.get(f"/api/boards/{slug}/{query}").json()
    return [(row["rank"], row["player"]["handle"], row["solved"]) for row in answer["rows"]]


def test_the_best_run_of_each_player_is_on_the_boards_of_its_periods(
    as_alice: Api, alice: Player, bob: Player, mallory: Player
) -> None:
    ended(alice, 20), ended(alice, 12), ended(bob, 20, mistakes=0), ended(mallory, 20, at=NOW + timedelta(seconds=1))
    assert enter_runs(NOW) == 4
    expected = [(1, bob.username, 20), (2, alice.username, 20), (2, mallory.username, 20)]
    for slug in (STORM, "weekly.2026-W47.standard.open.storm", "monthly.2026-11.standard.open.storm"):
        assert rows(as_alice, slug) == expected
        assert mistakes_on(slug) == []
    assert rows(as_alice, "all-time.standard.open.storm") == expected
    assert enter_runs(NOW) == 0


def test_a_better_run_replaces_and_a_worse_one_does_not(as_alice: Api, alice: Player) -> None:
    for solved, best in ((5, 5), (4, 5), (5, 5), (6, 6)):
        ended(alice, solved)
        enter_runs(NOW)
        assert rows(as_alice, STORM) == [(1, alice.username, best)]
    assert Board.objects.get(slug=STORM).version == 2
    history = as_alice.get(f"/api/boards/{STORM}/players/{alice.username}/history/").json()
    assert [change["score"]["solved"] for change in history["changes"]] == [5, 6]


def test_a_day_has_its_own_board_and_streaks_theirs(as_alice: Api, alice: Player) -> None:
    ended(alice, 9), ended(alice, 7, kind="streak"), ended(alice, 8, at=NOW - timedelta(days=1))
    enter_runs(NOW)
    assert rows(as_alice, STORM) == [(1, alice.username, 9)]
    assert rows(as_alice, "daily.2026-11-19.standard.open.storm") == [(1, alice.username, 8)]
    streak = as_alice.get("/api/boards/daily.2026-11-20.standard.open.streak/").json()
    assert streak["board"]["order"] == ["solved"]
    assert [row["solved"] for row in streak["rows"]] == [7]


def test_around_followed_and_histogram_are_those_of_every_board(
    as_alice: Api, alice: Player, bob: Player, mallory: Player
) -> None:
    for player, solved in ((alice, 3), (bob, 5), (mallory, 9)):
        ended(player, solved)
    enter_runs(NOW)
    assert rows(as_alice, STORM, f"?around={alice.username}&limit=1") == [(3, alice.username, 3)]
    as_alice.put(f"/api/boards/following/{bob.username}/")
    assert rows(as_alice, STORM, "?following=true") == [(1, bob.username, 5), (2, alice.username, 3)]
    histogram = as_alice.get(f"/api/boards/{STORM}/histogram/").json()
    assert (histogram["field"], sum(histogram["counts"])) == ("solved", 3)


def test_bots_have_boards_of_their_own(as_alice: Api, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(is_bot=True)
    ended(alice, 90, hasty=90)
    enter_runs(NOW)
    assert rows(as_alice, STORM) == []
    assert rows(as_alice, "daily.2026-11-20.standard.open-bots.storm") == [(1, alice.username, 90)]


@pytest.mark.parametrize("reason", ["hasty", "empty", "banned", "closed"])
def test_what_may_have_no_rank_is_not_entered(as_bob: Api, alice: Player, reason: str) -> None:
    Player.objects.filter(pk=alice.pk).update(
        is_active=reason != "closed", banned_at=NOW if reason == "banned" else None
    )
    ended(alice, 0 if reason == "empty" else 40, hasty=3 if reason == "hasty" else 2)
    assert enter_runs(NOW) == 1
    assert rows(as_bob, STORM) == []


def test_a_ban_takes_runs_from_their_ranks_until_it_is_lifted(as_bob: Api, alice: Player, bob: Player) -> None:
    ended(alice, 9), ended(bob, 5)
    enter_runs(NOW)
    take_from_ranks(alice, NOW)
    assert rows(as_bob, STORM) == [(1, bob.username, 5)]
    assert mistakes_on(STORM) == []
    assert set(Entry.objects.filter(player=alice, valid_to=None).values_list("state", flat=True)) == {
        EntryState.DISQUALIFIED
    }
    return_to_ranks(alice, NOW)
    assert rows(as_bob, STORM) == [(1, alice.username, 9), (2, bob.username, 5)]


def test_a_run_that_ended_during_a_ban_has_its_rank_when_the_ban_is_lifted(as_bob: Api, alice: Player) -> None:
    ended(alice, 9)
    enter_runs(NOW)
    set_ban(alice, NOW)
    take_from_ranks(alice, NOW)
    ended(alice, 12)
    enter_runs(NOW)
    assert rows(as_bob, STORM) == []
    lift_ban(alice)
    return_to_ranks(alice, NOW)
    assert enter_runs(NOW) == 2
    assert rows(as_bob, STORM) == [(1, alice.username, 12)]
    assert mistakes_on(STORM) == []


def test_the_boards_of_a_day_are_listed_with_those_of_runs(as_alice: Api) -> None:
    slugs = [board["slug"] for board in as_alice.get("/api/boards/").json()["boards"]]
    assert len(slugs) == len(set(slugs))
    for table in ("storm", "streak"):
        for name in ("open", "open-bots"):
            assert f"all-time.standard.{name}.{table}" in slugs
    for slug in ("daily.2026-11-20.standard.main.storm", "all-time.relaxed.open.streak"):
        assert as_alice.get(f"/api/boards/{slug}/").status_code == 404


def test_the_page_shows_runs_with_the_way_to_the_other_kind(client: Client, alice: Player) -> None:
    ended(alice, 9)
    enter_runs(NOW)
    text = client.get(f"/boards/{STORM}/").content.decode()
    assert 'href="/boards/daily.2026-11-20.standard.open.streak/"' in text
    assert 'href="/boards/all-time.standard.open.storm/"' in text
    assert "Mistakes" in text


@pytest.mark.django_db(transaction=True)
@pytest.mark.servers
def test_two_workers_enter_a_run_once(alice: Player, bob: Player) -> None:
    ended(alice, 9), ended(bob, 5)

    def enter(_: int) -> int:
        try:
            return enter_runs(NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(enter, range(4)))
    assert Entry.objects.filter(board__slug=STORM).count() == 2
    assert Board.objects.get(slug=STORM).version == 2


@pytest.mark.parametrize(
    ("times", "removals", "is_ranked"),
    [
        ([2_000, 2_100] * 10, [1] * 20, False),
        ([2_000, 4_100] * 10, [1, 2] * 10, False),  # as long for each removal
        ([2_000, 4_100] * 10, [2, 1] * 10, True),
        ([2_000, 2_100] * 9, [1] * 18, True),  # too few to tell
    ],
)
def test_a_run_as_regular_as_a_clock_has_no_rank_among_people(
    as_alice: Api, alice: Player, times: list[int], removals: list[int], is_ranked: bool
) -> None:
    run = ended(alice, len(times))
    for number, (elapsed_ms, found) in enumerate(zip(times, removals, strict=True), 1):
        run.steps.create(number=number, puzzle="0123456789", is_solved=True, found=found, elapsed_ms=elapsed_ms)
    enter_runs(NOW)
    assert rows(as_alice, STORM) == ([(1, alice.username, len(times))] if is_ranked else [])


def test_a_bot_may_keep_a_rhythm(as_alice: Api, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(is_bot=True)
    run = ended(alice, 20)
    for number in range(1, 21):
        run.steps.create(number=number, puzzle="0123456789", is_solved=True, found=1, elapsed_ms=2_000)
    enter_runs(NOW)
    assert rows(as_alice, STORM.replace("open", "open-bots")) == [(1, alice.username, 20)]
