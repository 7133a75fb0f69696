"""Batch threads: pending items are worked on together, and in a crowd more are waited for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue

import pytest

from games.runtime import batching
from games.runtime.batching import BatchThread

LINGERS_S = 0.25


class Workshop:
    """A batch thread whose batches begin when the test says so, and whose waits are noted and not waited."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self._begun: SimpleQueue[Sequence[str]] = SimpleQueue()
        self._go_on = threading.Semaphore(0)
        self.thread: BatchThread[str, str] = BatchThread("workshop", self._work, lingers_s=LINGERS_S)

    def _work(self, items: Sequence[str]) -> Sequence[str]:
        self._begun.put(items)
        assert self._go_on.acquire(timeout=90)
        return items

    def batch(self, meanwhile: Callable[[], object] = lambda: None) -> Sequence[str]:
        """Return the next batch, once it is done; `meanwhile` is called while it is worked on."""
        items = self._begun.get(timeout=90)
        meanwhile()
        self._go_on.release()
        return items


@pytest.fixture
def workshop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    workshop = Workshop()
    monkeypatch.setattr(batching, "sleep", workshop.waits.append)
    yield workshop
    workshop.thread.stop()


def test_only_after_a_batch_of_several_is_more_waited_for(workshop: Workshop) -> None:
    def bob_and_carol_come() -> None:
        workshop.thread.submit("bob")
        workshop.thread.submit("carol")

    alice = workshop.thread.submit("alice")
    assert workshop.batch(bob_and_carol_come) == ["alice"]
    assert alice.result(20) == "alice"
    assert workshop.batch() == ["bob", "carol"]
    assert not workshop.waits, "nobody was waited for before there was a crowd"
    dave = workshop.thread.submit("dave")
    assert workshop.batch() == ["dave"]
    assert workshop.waits == [LINGERS_S]
    assert dave.result(20) == "dave"
    erin = workshop.thread.submit("erin")
    assert workshop.batch() == ["erin"]
    assert erin.result(20) == "erin"
    assert workshop.waits == [LINGERS_S], "who comes alone after someone who came alone waits for nobody"


def test_a_thread_that_waits_for_more_can_be_stopped_and_everybody_gets_an_answer(workshop: Workshop) -> None:
    both: list[object] = []
    workshop.thread.submit("alice")
    workshop.batch(lambda: both.extend(map(workshop.thread.submit, ("bob", "carol"))))
    last = []
    assert workshop.batch(lambda: last.append(workshop.thread.submit("dave"))) == ["bob", "carol"]
    stopping = threading.Thread(target=workshop.thread.stop)
    stopping.start()
    assert workshop.batch() == ["dave"]
    stopping.join(20)
    assert last[0].result(20) == "dave"
