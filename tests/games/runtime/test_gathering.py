"""Look-ups that wait at the same moment are made together, and each gets its own outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Event

import pytest
from asgiref.sync import async_to_sync, sync_to_async

from games.runtime.gathering import AT_ONCE, Gathering

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = [1, 2, -3, 4]
REQUESTS = 3
TIMEOUT_SECONDS = 10


def test_each_gets_its_own_outcome_of_one_look_up_also_if_another_has_given_up() -> None:
    asked: list[Sequence[int]] = []

    def find(keys: Sequence[int]) -> list[int | Exception]:
        asked.append(keys)
        return [key * 10 if key > 0 else KeyError(key) for key in keys]

    async def ask() -> list[int | BaseException]:
        gathering = Gathering(find)
        waiting = [asyncio.ensure_future(gathering.get(key)) for key in ASKED]
        await asyncio.sleep(0)
        waiting[1].cancel()
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        return [*outcomes, await gathering.get(5)]

    one, other, error, four, five = async_to_sync(ask)()
    assert (one, four, five) == (10, 40, 50)
    assert isinstance(other, asyncio.CancelledError)
    assert isinstance(error, KeyError)
    assert asked == [ASKED, [5]]


def test_an_error_of_the_look_up_reaches_all_and_the_next_one_is_made_again() -> None:
    answers = [OSError("away"), None]

    def find(keys: Sequence[int]) -> list[int]:
        if (error := answers.pop(0)) is not None:
            raise error
        return list(keys)

    async def ask() -> None:
        gathering = Gathering(find)
        for outcome in await asyncio.gather(gathering.get(1), gathering.get(2), return_exceptions=True):
            assert isinstance(outcome, OSError)
        assert await gathering.get(3) == 3

    async_to_sync(ask)()


def test_after_several_it_waits_a_moment_for_more_and_looks_them_up_together(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[int]] = []
    pauses: list[float] = []
    turn_of_loop = asyncio.sleep

    def find(keys: Sequence[int]) -> Sequence[int]:
        asked.append(keys)
        return keys

    async def ask() -> None:
        goes_on = asyncio.Event()

        async def pause(seconds: float) -> None:
            pauses.append(seconds)
            await goes_on.wait()

        monkeypatch.setattr(asyncio, "sleep", pause)
        gathering = Gathering(find, lingers_s=0.02)
        await gathering.get(1)
        assert pauses == []  # who comes alone is followed by nobody
        await asyncio.gather(gathering.get(2), gathering.get(3))
        others = []
        for key in (4, 5):
            others.append(asyncio.ensure_future(gathering.get(key)))
            await turn_of_loop(0)
        assert pauses == [0.02]
        assert asked == [[1], [2, 3]]
        goes_on.set()
        await asyncio.gather(*others)

    async_to_sync(ask)()
    assert asked == [[1], [2, 3], [4, 5]]


def test_a_crowd_is_looked_up_in_parts_between_which_others_have_their_turn() -> None:
    sizes: list[int] = []

    def find(keys: Sequence[int]) -> list[int]:
        sizes.append(len(keys))
        return list(keys)

    async def ask() -> list[int]:
        gathering = Gathering(find)
        return await asyncio.gather(*map(gathering.get, range(2 * AT_ONCE + 1)))

    assert async_to_sync(ask)() == list(range(2 * AT_ONCE + 1))
    assert sizes == [AT_ONCE, AT_ONCE, 1]


async def test_a_request_that_has_its_answer_does_not_take_the_look_up_of_another_with_it() -> None:
    waits = {2: Event(), 3: Event()}

    def find(keys: Sequence[int]) -> list[int]:
        following = keys[0] + 1
        if following in waits:  # the next one comes meanwhile, and the one before has its answer by then
            asyncio.run_coroutine_threadsafe(ask(following), loop)
            assert waits[following].wait(TIMEOUT_SECONDS)
        return list(keys)

    async def get(key: int) -> int:
        if key in waits:
            loop.call_later(0, waits[key].set)
        return await gathering.get(key)

    async def ask(key: int) -> None:
        # As Django's views do: on a thread of its own, from which it calls back into the loop.
        answers.append(await sync_to_async(async_to_sync(get), thread_sensitive=False)(key))
        if len(answers) == REQUESTS:
            done.set()

    answers: list[int] = []
    loop, gathering, done = asyncio.get_running_loop(), Gathering(find), asyncio.Event()
    async with asyncio.timeout(TIMEOUT_SECONDS):
        await ask(1)
        await done.wait()
    assert sorted(answers) == [1, 2, 3]
