"""Whatever a client sends, it gets an answer, the game stays what the log says, and nothing of ours breaks."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from asgiref.sync import async_to_sync
from django.test import override_settings
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.doors.refusals import BadMessage
from games.doors.wire import read_id
from games.play import wire as messages
from games.play.sessions import own_game
from games.play.starting import start_practice
from games.players.models import Player
from tests.games.conftest import Connect
from tests.games.ways_to_play import open_session

pytestmark = pytest.mark.usefixtures("_no_deadline")

KINDS = ["play", "undo", "redo", "hint", "resign", "restart", "sync", "ping", "played", "state", ""]
MOVES = ["D", "R", "U", "H", "P4s", "4s9s", "Kd", "9s 4s", "10h3c", "??", "--", "d" * 16]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
numbers = st.integers(-2, 6) | st.sampled_from([2**31 - 1, 2**31, 2**63, 2**64])
nearly_messages = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS) | json_values},
    optional={
        "id": numbers | json_values,
        "version": numbers | json_values,
        "move": st.sampled_from(MOVES) | json_values,
        "client_ms": numbers | json_values,
        "extra": json_values,
    },
)
frames = st.one_of(
    nearly_messages.map(json.dumps),
    json_values.map(json.dumps),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=200),
)


@given(frames | st.text())
def test_a_frame_is_a_message_or_a_bad_message(frame: str) -> None:
    number = read_id(frame)
    assert number is None or 0 <= number < 2**31
    with suppress(BadMessage):
        assert messages.read(frame).id == number


@pytest.mark.django_db(transaction=True)
@override_settings(PYRAMID_OPEN_PRACTICE_GAMES=10_000)
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(frames=st.lists(frames, min_size=10, max_size=40))
def test_the_game_survives_every_frame(frames: list[str], connect: Connect, alice: Player) -> None:
    game = start_practice(alice, "standard", timezone.now())

    async def send_all() -> None:
        async with connect(game, alice) as client:
            await client.receive()
            for frame in frames:
                await client.send(frame)
                assert (await client.receive())["type"] in {
                    "played", "refused", "missed", "finished", "restarted", "pong", "state",
                }  # fmt: skip
            await client.send('{"type":"ping","id":77}')
            while (await client.receive()).get("id") != 77:  # states follow some refusals
                pass

    async_to_sync(send_all)()
    now = timezone.now()
    session = open_session(own_game(game.id, alice), now)
    assert session.play.version == game.log.count()
