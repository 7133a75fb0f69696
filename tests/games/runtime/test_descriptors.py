"""A process refuses connections before it has no file descriptors left, and still answers probes."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator

import pytest
from prometheus_client import REGISTRY

from games.doors.sockets.close_codes import CloseCode, Closed
from games.keys import sockets
from games.runtime import descriptors, resources
from tests.pyramid_server.test_http import ask

LIMIT = resource.RLIMIT_NOFILE


@pytest.fixture
def _scarce() -> Iterator[None]:
    """Leave this process no more descriptors than the reserve."""
    before = resource.getrlimit(LIMIT)
    lowest = os.open(os.devnull, os.O_RDONLY)
    os.close(lowest)
    resource.setrlimit(LIMIT, (lowest + descriptors.RESERVED, before[1]))
    assert descriptors.are_scarce()
    yield
    resource.setrlimit(LIMIT, before)
    assert not descriptors.are_scarce()


def test_a_process_raises_its_limit_as_far_as_it_may() -> None:
    before = resource.getrlimit(LIMIT)
    try:
        resource.setrlimit(LIMIT, (1024, before[1]))
        descriptors.raise_limit()
        assert resource.getrlimit(LIMIT)[0] >= min(before[1] % 2**63, descriptors.MOST)
        assert not descriptors.are_scarce()
    finally:
        resource.setrlimit(LIMIT, before)


@pytest.mark.usefixtures("_scarce")
@pytest.mark.django_db(transaction=True)
async def test_before_descriptors_run_out_requests_and_sockets_are_refused_with_a_reason_and_probes_are_answered() -> (
    None
):
    status, headers, body = await ask("/api/rules/")
    assert (status, headers["connection"]) == (503, "close")
    assert b"no room for more connections" in body
    with pytest.raises(Closed) as closed:
        sockets._require_room()
    assert closed.value.args == (CloseCode.TRY_AGAIN_LATER,)
    assert (await ask("/health/live"))[0] == 200
    assert (await ask("/health/ready"))[0] == 200


def test_a_heartbeat_measures_on_when_no_descriptor_is_left() -> None:
    before = resource.getrlimit(LIMIT)
    resource.setrlimit(LIMIT, (0, before[1]))
    try:
        resources.measure()
    finally:
        resource.setrlimit(LIMIT, before)
    assert REGISTRY.get_sample_value("pyramid_descriptors_used_ratio") == 1


class Held:
    """A connection that mallory holds, or on which someone is being answered."""

    def __init__(self, *, waits: bool = True) -> None:
        self.waits, self.is_closed = waits, False

    def waits_for_client(self) -> bool:
        return self.waits

    def give_up(self) -> None:
        self.is_closed = True


def test_a_new_connection_closes_the_one_that_has_waited_longest_only_while_descriptors_are_scarce(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arrivals, busy, first, second, gone, new = descriptors.Arrivals(), Held(waits=False), Held(), Held(), Held(), Held()
    for connection in (busy, gone, first, second):
        arrivals.add(connection)
    arrivals.discard(gone)
    arrivals.add(first)  # has been answered, and waits again
    assert not any(connection.is_closed for connection in (busy, first, second))
    monkeypatch.setattr(descriptors, "are_scarce", lambda: True)
    arrivals.add(new)
    assert [one.is_closed for one in (busy, first, second, gone, new)] == [False, False, True, False, False]
    arrivals.add(Held())
    assert [one.is_closed for one in (busy, first, second, gone, new)] == [False, True, True, False, False]
