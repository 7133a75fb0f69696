"""Commands work on several items at a time: in processes, or in threads where these run at the same time."""

from __future__ import annotations

import os
import threading

import pytest
from django.db import connections

from games.doors import parallel
from games.doors.parallel import in_parallel


def where(item: int) -> tuple[int, int, str]:
    return item, os.getpid(), threading.current_thread().name


@pytest.fixture
def _free_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "has_free_threads", lambda: True)


def test_with_the_lock_jobs_are_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "has_free_threads", lambda: False)
    items, processes, _ = zip(*in_parallel(where, range(6), 2), strict=True)
    assert items == (0, 1, 2, 3, 4, 5)
    assert os.getpid() not in processes


@pytest.mark.usefixtures("_free_threads")
def test_without_the_lock_jobs_are_threads_of_this_process() -> None:
    together = threading.Barrier(2, timeout=180)

    def meet(item: int) -> tuple[int, int, str]:
        together.wait()
        return where(item)

    items, processes, threads = zip(*in_parallel(meet, range(6), 2), strict=True)
    assert items == (0, 1, 2, 3, 4, 5)
    assert {*processes} == {os.getpid()}
    assert len({*threads}) == 2


@pytest.mark.usefixtures("_free_threads")
def test_a_thread_closes_the_connections_that_it_has_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    monkeypatch.setattr(connections, "close_all", lambda: closed.append(threading.current_thread().name))
    assert len(list(in_parallel(where, range(4), 2))) == len(closed) == 4
    assert threading.current_thread().name not in closed
