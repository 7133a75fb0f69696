"""Under overload new work is refused at once, and pending work is still done."""

from __future__ import annotations

import asyncio

import pytest

from games.doors.sockets.close_codes import CloseCode, Closed
from games.keys import sockets
from games.runtime.shedding import Crowd
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
