from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from pyramid_server.child_process import ChildProcess

IMPORTS = "import signal, sys, time;"
NOTE = "open(sys.argv[1], 'a').write('x');"
OBEDIENT = f"{IMPORTS} {NOTE} sys.stdin.read()"
DEAF = f"{IMPORTS} signal.signal(signal.SIGTERM, signal.SIG_IGN); {NOTE} time.sleep(600)"


def child(code: str, notes: Path) -> ChildProcess:
    return ChildProcess([sys.executable, "-c", code, str(notes)], rest_seconds=0)


def wait_for_notes(notes: Path, number: int) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if notes.exists() and len(notes.read_text()) >= number:
            return
        time.sleep(0.02)
    pytest.fail(f"the child was not started {number} times")


def test_a_child_that_ends_by_itself_is_started_again(tmp_path: Path) -> None:
    process = child(f"{IMPORTS} {NOTE}", tmp_path / "notes")
    wait_for_notes(tmp_path / "notes", 3)
    process.stop()


def test_a_child_that_is_stopped_is_not_started_again(tmp_path: Path) -> None:
    process = child(OBEDIENT, tmp_path / "notes")
    wait_for_notes(tmp_path / "notes", 1)
    process.stop()
    assert (tmp_path / "notes").read_text() == "x"


def test_a_child_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    process = child(DEAF, tmp_path / "notes")
    wait_for_notes(tmp_path / "notes", 1)
    process.stop(timeout_seconds=0.1)
