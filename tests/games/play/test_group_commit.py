"""Many changes in one transaction: each waiter learns the result of their change, whatever the others' results are."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime

import pytest
from asgiref.sync import sync_to_async
from django.db import DatabaseError, connection
from prometheus_client import REGISTRY
from pytest_django import Settings

from games.play import journal
from games.play.journal import batcher
from games.play.models import Game
from games.play.refusals import Conflict
from games.play.session import Change
from games.play.starting import start_practice
from games.players.models import Player
from games.rules import DRAW
from tests.games.ways_to_play import open_session
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def games(alice: Player, now: datetime, settings: Settings) -> list[Game]:
    settings.PYRAMID_OPEN_PRACTICE_GAMES = 100
    return [start_practice(alice, "standard", now) for _ in range(12)]


@pytest.fixture(
    autouse=True,
    params=[
        "thread",
        pytest.param(
            "loop",
            marks=[
                pytest.mark.servers,
                pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers"),
            ],
        ),
    ],
)
async def way(request: pytest.FixtureRequest) -> None:
    """Have the thread write actions, or the loop on its own connection."""
    if request.param == "loop":
        append = batcher._batcher()._append
        append.open()
        await until(lambda: append.is_ready)


def counted(name: str) -> float:
    return REGISTRY.get_sample_value(f"pyramid_journal_{name}") or 0


def changes(games: list[Game], now: datetime) -> list[Change]:
    return [open_session(game, now).act(DRAW, 0, now) for game in games]


async def outcomes(waiting: list[Change]) -> list[BaseException | None]:
    return await asyncio.gather(*map(journal.write, waiting), return_exceptions=True)


def logged(games: list[Game]) -> list[int]:
    return [len(game.whole_log()) for game in games]


async def test_all_that_wait_are_written(games: list[Game], now: datetime) -> None:
    waiting = await sync_to_async(changes)(games, now)
    assert await outcomes(waiting) == [None] * len(games)
    assert await sync_to_async(logged)(games) == [1] * len(games)


async def test_who_comes_second_at_a_version_loses_and_all_others_are_written(games: list[Game], now: datetime) -> None:
    first = await sync_to_async(changes)(games, now)
    second = await sync_to_async(changes)(games[:1], now)
    ended = await sync_to_async(lambda: open_session(games[1], now).resign(0, now))()
    results = await outcomes([*first[:1], *second, *first[1:], ended])
    lost = [number for number, result in enumerate(results) if result is not None]
    assert len(lost) == 2
    assert all(isinstance(results[number], Conflict) for number in lost)
    assert await sync_to_async(logged)(games[:1]) == [1]
    assert await sync_to_async(logged)(games[2:]) == [1] * (len(games) - 2)


async def test_an_end_that_is_refused_takes_its_last_action_along_and_nobody_elses(
    games: list[Game], now: datetime
) -> None:
    def wrong_end() -> Change:
        session = open_session(games[1], now)
        step, end = session.act(DRAW, 0, now).step, session.resign(1, now).summary
        assert end is not None
        return Change(games[1].pk, step, replace(end, draws=end.draws + 1, moves=end.moves + 1))

    [alone] = await outcomes([await sync_to_async(wrong_end)()])
    assert (type(alone), await sync_to_async(logged)(games[1:2])) == (Conflict, [0])
    conflicts = counted("conflicts_total")
    move = await sync_to_async(changes)(games[:1], now)
    [moved, ended] = await outcomes([*move, await sync_to_async(wrong_end)()])
    assert (moved, type(ended)) == (None, Conflict)
    assert await sync_to_async(logged)(games[:2]) == [1, 0]
    assert counted("conflicts_total") == conflicts + 1


async def test_whoever_has_stopped_waiting_keeps_nobody_from_an_answer(games: list[Game], now: datetime) -> None:
    waiting = await sync_to_async(changes)(games[:3], now)
    tasks = [asyncio.ensure_future(journal.write(change)) for change in waiting]
    await asyncio.sleep(0)  # all three wait for the same batch
    tasks[0].cancel()
    assert await asyncio.wait_for(asyncio.gather(*tasks[1:]), timeout=90) == [None, None]
    assert await sync_to_async(logged)(games[:3]) == [1, 1, 1]


async def test_when_the_database_fails_everyone_who_waits_is_told_and_writing_goes_on_when_it_is_back(
    games: list[Game], now: datetime
) -> None:
    waiting = await sync_to_async(changes)(games, now)
    failures, batches = counted("failures_total"), counted("batch_changes_sum")
    await sync_to_async(rename)("games_move", "games_elsewhere")
    failed = await outcomes(waiting)
    await sync_to_async(rename)("games_elsewhere", "games_move")
    assert all(isinstance(result, DatabaseError) for result in failed)
    assert (counted("failures_total"), counted("batch_changes_sum")) == (failures + 1, batches + len(games))
    assert await outcomes(waiting) == [None] * len(games)


async def test_a_journal_that_is_stopped_has_written_what_waited_and_starts_again(
    games: list[Game], now: datetime
) -> None:
    waiting = await sync_to_async(changes)(games, now)
    writing = [asyncio.ensure_future(journal.write(change)) for change in waiting[:-1]]
    await asyncio.sleep(0)
    await asyncio.to_thread(journal.stop)
    assert await asyncio.gather(*writing) == [None] * len(writing)
    assert await outcomes(waiting[-1:]) == [None]


async def test_an_unforeseen_error_is_told_and_the_writer_goes_on(games: list[Game], now: datetime) -> None:
    waiting = await sync_to_async(changes)(games, now)
    nonsense = Change(games[0].pk, "no step")  # type: ignore[arg-type]
    assert {type(result) for result in await outcomes([nonsense])} == {AttributeError}
    assert await outcomes(waiting) == [None] * len(games)


async def test_more_than_may_wait_are_written_too_and_no_more_than_that_at_once(
    games: list[Game], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[int] = []
    enqueue = batcher.Batcher._enqueue

    def count(own: batcher.Batcher, change: Change) -> asyncio.Future[None]:
        future = enqueue(own, change)
        waited.append(own._waiting)
        return future

    monkeypatch.setattr(batcher, "MOST_WAITING", 5)
    monkeypatch.setattr(batcher.Batcher, "_enqueue", count)
    waiting = await sync_to_async(changes)(games, now)
    assert await outcomes(waiting) == [None] * len(games)
    assert (max(waited), len(waited)) == (5, len(games))


@pytest.mark.servers
@pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers")
async def test_once_the_database_has_answered_actions_take_no_thread(
    games: list[Game], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *others = await sync_to_async(changes)(games, now)
    assert await outcomes([first]) == [None]
    await until(lambda: batcher._batcher()._append.is_ready)
    monkeypatch.setattr(batcher.writer, "put", None)
    assert await outcomes(others) == [None] * len(others)
    assert await sync_to_async(logged)(games) == [1] * len(games)


def rename(name: str, new_name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {name} RENAME TO {new_name}")
