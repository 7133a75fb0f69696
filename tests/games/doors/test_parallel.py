"""Commands work on several items at a time: in processes, or in threads where these run at the same time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from django.db import connections

from games.doors import parallel
from games.doors.parallel import in_parallel
from tests.processes import PROJECT

# A command as an operator types it, whose processes have to import something for a while before they begin.
SLOW_COMMAND = """
import signal, sys, time
from pathlib import Path
if __name__ != "__main__":
    Path(sys.argv[1]).touch()
    time.sleep(float(sys.argv[2]))
else:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also if these tests run in the background
    sys.path.insert(0, sys.argv[3])
    from games.doors.parallel import in_parallel
    try:
        list(in_parallel(time.sleep, [60, 60], 2))
    except KeyboardInterrupt:
        sys.exit(130)
"""


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


@pytest.mark.parametrize("seconds", [0, 3], ids=["at work", "early"])
def test_a_ctrl_c_of_an_operator_ends_processes_without_a_traceback(tmp_path: Path, seconds: int) -> None:
    program, begun = tmp_path / "command.py", tmp_path / "begun"
    program.write_text(SLOW_COMMAND)
    command = [sys.executable, *map(str, (program, begun, seconds, PROJECT))]
    with subprocess.Popen(command, stderr=subprocess.PIPE, process_group=0, text=True) as process:
        while not begun.exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(1)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=180)
    assert (process.returncode, said) == (130, "")


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
