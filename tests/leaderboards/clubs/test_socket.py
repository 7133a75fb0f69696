"""Watchers of a club's table hear of its members, and of nobody else."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
import time_machine
from asgiref.sync import sync_to_async

from games.keys.authentication import issue_ticket
from games.players.models import Player
from leaderboards.boards import feed
from leaderboards.clubs.membership import join, leave
from leaderboards.clubs.models import Club
from tests.games.api import Api
from tests.games.sockets import connected
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, WEEK, Finish, ban, named, submit_score

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("at_noon")]
Json = dict[str, Any]


def path_of(club: Club, slug: str = FEWEST_MOVES) -> str:
    return f"/ws/clubs/{club.pk}/boards/{slug}/"


def listed(message: Json) -> list[tuple[int, str]]:
    return [(row["rank"], row["player"]["handle"]) for row in message["rows"]]


async def test_a_member_who_finishes_a_game_changes_the_table_of_another_one(
    club: Club, alice: Player, bob: Player, finish: Finish
) -> None:
    def play(player: Player, moves: int) -> None:
        submit_score(finish(player, moves=moves), NOON)

    await sync_to_async(play)(bob, 40)
    ticket = await sync_to_async(issue_ticket)(bob)
    async with connected(f"{path_of(club)}?ticket={ticket}", [], about="board") as watcher:
        table = await watcher.receive()
        assert (table["type"], table["count"], listed(table), table["own"]["rank"]) == ("table", 1, [(1, "bob")], 1)
        await sync_to_async(play)(await sync_to_async(named)("mallory"), 10)
        await sync_to_async(play)(alice, 30)
        changes = await watcher.receive()
        assert (changes["type"], changes["count"], changes["gone"]) == ("changes", 2, [])
        assert (listed(changes), changes["own"]["rank"]) == ([(1, "alice"), (2, "bob")], 2)
        over_rest = await sync_to_async(lambda: Api().get(f"/api{path_of(club)[3:]}").json())()
        assert (changes["version"], changes["rows"]) == (over_rest["version"], over_rest["rows"])
        await sync_to_async(ban)(alice, "cheated", None, NOON)
        assert (await watcher.receive())["gone"] == ["alice"]


async def test_games_of_others_make_no_work(club: Club, finish: Finish, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(number: int) -> None:
        submit_score(finish(named(f"player-{number}")), NOON)

    monkeypatch.setattr(feed, "PAUSE_SECONDS", 0)
    async with (
        connected(path_of(club), [], about="board") as watcher,
        connected(f"/ws/boards/{FEWEST_MOVES}/", [], about="board") as of_everyone,
    ):
        await watcher.receive()
        await of_everyone.receive()
        running = feed.board_feeds().running((FEWEST_MOVES, club.pk))
        assert running is not None
        shown = await running.newer_than((-1, date.min), "")
        for number in range(3):
            await sync_to_async(play)(number)
            assert (await of_everyone.receive())["version"] == number + 1
        assert running.snapshot is shown


async def test_who_joins_or_leaves_is_shown_so_from_the_next_day_on(
    club: Club, alice: Player, bob: Player, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change() -> None:
        carol = named("carol")
        for player in (alice, bob, carol):
            submit_score(finish(player), NOON)
        join(club.pk, carol, NOON)
        leave(club.pk, bob, NOON)

    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)
    await sync_to_async(change)()
    async with connected(path_of(club, WEEK), [], about="board") as watcher:
        assert listed(await watcher.receive()) == [(1, "alice"), (1, "bob")]
    with time_machine.travel(NOON + timedelta(days=1)):
        async with connected(path_of(club, WEEK), [], about="board") as watcher:
            assert listed(await watcher.receive()) == [(1, "alice"), (1, "carol")]


@pytest.mark.usefixtures("daily")
@pytest.mark.parametrize("slug", ["daily.2026-11-21.standard.open.fastest", "%00", "a" * 500])
async def test_nobody_watches_a_table_that_is_not_there(club: Club, slug: str) -> None:
    for path in (path_of(club, slug), path_of(Club(id="0" * 12))):
        async with connected(path, [], about="board") as watcher:
            assert await watcher.close_code() == 4404


async def test_a_socket_that_stays_open_over_midnight_shows_the_members_of_the_new_day(
    club: Club, alice: Player, bob: Player, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change() -> None:
        carol = named("carol")
        for player in (alice, bob, carol):
            submit_score(finish(player), NOON)
        join(club.pk, carol, NOON)
        leave(club.pk, bob, NOON)

    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)
    await sync_to_async(change)()
    async with connected(path_of(club, WEEK), [], about="board") as watcher:
        assert listed(await watcher.receive()) == [(1, "alice"), (1, "bob")]
        with time_machine.travel(NOON + timedelta(days=1)):
            changes = await watcher.receive()
            assert (changes["count"], listed(changes), changes["gone"]) == (2, [(1, "carol")], ["bob"])
