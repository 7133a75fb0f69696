"""The socket of a board and docs/asyncapi.json say the same, in both directions."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import time_machine
from asgiref.sync import sync_to_async
from hypothesis import given
from hypothesis import strategies as st

from games.doors.refusals import BadMessage
from games.keys.authentication import issue_ticket
from games.players.models import Player
from leaderboards.boards import socket_wire
from tests.games.sockets import connected
from tests.leaderboards.conftest import FASTEST, NOON, Finish, submit_score
from tests.live_contract import answers_to, messages_of, validator


@pytest.fixture(autouse=True)
def _today() -> Iterator[None]:
    with time_machine.travel(NOON, tick=True):
        yield


def is_read(frame: str) -> bool:
    try:
        socket_wire.read(frame)
    except BadMessage:
        return False
    return True


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["ping", "pong", "table", 1, None]),
            "id": st.none() | st.booleans() | st.text(max_size=3) | st.integers(-1, 2) | st.integers(),
            "version": st.integers(),
        },
    )
)
def test_the_reader_reads_what_the_document_announces_and_nothing_else(message: dict[str, object]) -> None:
    assert is_read(json.dumps(message)) == validator("board", "ping").is_valid(message)


@pytest.mark.django_db(transaction=True)
async def test_everything_told_to_a_watcher_is_documented_and_every_message_occurs(
    alice: Player, bob: Player, finish: Finish
) -> None:
    games = [await sync_to_async(finish)(player, elapsed_ms=ms) for player, ms in ((alice, 90), (bob, 10))]
    await sync_to_async(submit_score)(games[0], NOON)
    ticket = await sync_to_async(issue_ticket)(alice)
    async with connected(f"/ws/boards/{FASTEST}/?ticket={ticket}", [], about="board") as watcher:
        assert (await watcher.receive())["own"]["rank"] == 1
        await sync_to_async(submit_score)(games[1], NOON)
        while (await watcher.receive())["own"]["rank"] == 1:
            pass
        for question in ('{"type":"ping","id":7}', '{"type":"ping"}'):
            await watcher.send(question)
            assert (await watcher.receive())["type"] in answers_to("board", "ping")
    assert {message["type"] for message in watcher.heard} == messages_of("board", "send")
