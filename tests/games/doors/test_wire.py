"""JSON as it is read from sockets."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.doors.refusals import BadMessage
from games.play import wire

PLAY = '{"type": "play", "id": 1, "version": 3, "move": "D", "client_ms": 5}'


@pytest.mark.parametrize(
    "frame",
    [
        '{"type": "ping", "id": 1, "id": 2}',
        '{"type": "ping", "type": "ping", "id": 1}',
        '{"type": "resign", "type": "ping", "id": 1}',
        '{"type": "ping", "id": 1, "\\u0069d": 1}',
        '{"type": "play", "id": 1, "version": 3, "version": 4, "move": "D"}',
        '{"type": "play", "id": 1, "version": 3, "move": "D", "move": "D", "client_ms": 5}',
    ],
)
def test_a_name_that_stands_twice_is_refused(frame: str) -> None:
    with pytest.raises(BadMessage):
        wire.read(frame)


def test_a_name_that_stands_once_is_not() -> None:
    assert wire.read(PLAY) == wire.Play(id=1, version=3, move="D", client_ms=5)


@given(st.lists(st.sampled_from(sorted(json.loads(PLAY).items())), max_size=9))
def test_whatever_is_read_has_each_name_once(members: list[tuple[str, object]]) -> None:
    frame = f"{{{', '.join(f'{json.dumps(name)}: {json.dumps(value)}' for name, value in members)}}}"
    try:
        wire.read(frame)
    except BadMessage:
        return
    assert len({name for name, _ in members}) == len(members)
