"""Under overload new work is refused at once, and pending work is still done."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from games.doors.sockets.close_codes import CloseCode, Closed
from games.keys import sockets
from games.runtime import shedding
from games.runtime.shedding import LONGEST_TURN_SECONDS, Crowd
from pyramid_server import http
from pyramid_server.asgi import application
from tests.pyramid_server.test_http import ask

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_request_beyond_those_that_wait_is_refused_and_they_are_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    goes_on, handler = asyncio.Event(), application.application_mapping["http"]
    answer, both_wait = handler._answer_on_thread, asyncio.Barrier(3)

    async def later(*args: object) -> object:
        if not goes_on.is_set():
            await both_wait.wait()
        await goes_on.wait()
        return await answer(*args)

    monkeypatch.setattr(http, "requests", Crowd("requests", 2))
    monkeypatch.setattr(handler, "_answer_on_thread", later)
    waiting = [asyncio.ensure_future(ask("/api/rules/")) for _ in range(2)]
    await both_wait.wait()
    status, _, body = await ask("/api/rules/")
    assert (status, b"too many requests wait" in body) == (503, True)
    assert (await ask("/health/live"))[0] == 200
    goes_on.set()
    assert [status for status, _, _ in await asyncio.gather(*waiting)] == [200, 200]
    assert (await ask("/api/rules/"))[0] == 200


def test_a_socket_beyond_those_that_are_being_opened_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = Crowd("sockets", 1)
    monkeypatch.setattr(sockets, "opening", crowd)
    sockets._require_room()
    with crowd, pytest.raises(Closed) as closed:
        sockets._require_room()
    assert closed.value.args == (CloseCode.TRY_AGAIN_LATER,)
    sockets._require_room()


@pytest.fixture
def _knows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shedding, "USUAL_SERVED", 0)


@pytest.mark.usefixtures("_knows_nothing")
def test_those_who_are_refused_get_turns_one_after_the_other_as_fast_as_others_are_served() -> None:
    now = 100.0
    crowd = Crowd("sockets", 8, lambda: now)
    with ExitStack() as waiting:
        for _ in range(8):
            waiting.enter_context(crowd)
        for _ in range(4):  # within two seconds
            now += 0.5
            crowd.__exit__(None, None, None)
            waiting.enter_context(crowd)
        assert [crowd.seconds_to_turn() for _ in range(3)] == [4.5, 5.0, 5.5]
        now += 10  # nobody else is served for a while, and the turns that were given are over
        assert crowd.seconds_to_turn() == LONGEST_TURN_SECONDS - 33.0


@pytest.mark.usefixtures("_knows_nothing")
def test_while_many_are_refused_it_is_known_that_turns_come_sooner_than_others_are_served() -> None:
    now = 0.0
    crowd = Crowd("sockets", 2, lambda: now)
    with crowd, crowd:
        now = 1.0
        with crowd:
            assert all(crowd.is_full() for _ in range(4))
        assert crowd.seconds_to_turn() == 1.5  # two wait, of whom two are served in a second, as is this one


@pytest.mark.usefixtures("_knows_nothing")
def test_no_turn_is_later_than_anyone_waits_however_many_are_refused() -> None:
    now = 0.0
    crowd = Crowd("sockets", 2, lambda: now)
    with crowd:
        now = 1.0
        with crowd:
            pass
        turns = [crowd.seconds_to_turn() for _ in range(150)]
    assert turns[:2] == [2.0, 3.0]
    assert max(turns) == LONGEST_TURN_SECONDS
    assert all(turns.count(turn) <= 3 for turn in turns)


def test_the_first_of_a_crowd_who_are_refused_need_not_wait_as_if_it_went_on_as_slowly_as_it_begins() -> None:
    now = 0.0
    crowd = Crowd("sockets", 1000, lambda: now)
    with ExitStack() as waiting:
        for _ in range(1000):
            waiting.enter_context(crowd)
        now = 1.0
        crowd.__exit__(None, None, None)  # the first is served after a second
        assert 3 < crowd.seconds_to_turn() < 5
        now = 500.0
        for _ in range(998):  # the others take half a second each
            crowd.__exit__(None, None, None)
        assert crowd.seconds_to_turn() < 1
