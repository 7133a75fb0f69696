"""The commands that tests start are forks of a process that has loaded all code (`tests/loaded.py`)."""

from __future__ import annotations

import json
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import PIPE

import pytest

from tests.clocks import LIBRARY, clock_in
from tests.processes import MANAGE, PROJECT, kind_of_process, run
from tests.warm import Warm

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux lets a process adopt forks of forks.")

CODE = """
import json, sys
from django.conf import settings
from django.db import connection
name = connection.settings_dict["NAME"]
print(json.dumps([settings.PYRAMID_BOTS_PER_PLAYER, str(name), "pyramid_server.urls" in sys.modules]))
sys.exit(3)
"""
YEAR = """
import json, sys
from datetime import UTC, datetime
print(json.dumps([datetime.now(UTC).year, "pyramid_server.urls" in sys.modules]))
"""
LAST_WORDS = """
import atexit, sys, threading
threading.Thread(target=lambda: (threading.main_thread().join(), print("a thread"))).start()
atexit.register(print, "the end")
sys.exit({code!r})
"""
SHELL = [*MANAGE, "shell", "--no-imports", "--command"]


@pytest.mark.parametrize("bots", [2, 3])
def test_a_fork_has_settings_of_its_own_and_ends_as_the_command_does(
    own_environment: dict[str, str], bots: int
) -> None:
    ended = run([*SHELL, CODE], own_environment | {"PYRAMID_BOTS_PER_PLAYER": str(bots)})
    number, name, is_loaded = json.loads(ended.stdout)
    assert (number, is_loaded, ended.returncode, ended.stderr) == (bots, True, 3, "")
    assert name in own_environment["DATABASE_URL"]


@pytest.mark.parametrize(("code", "returned", "told"), [(None, 0, ""), (4, 4, ""), ("in words", 1, "in words\n")])
def test_a_fork_waits_for_its_threads_and_does_what_is_due_at_its_end(
    own_environment: dict[str, str], code: object, returned: int, told: str
) -> None:
    ended = run([*SHELL, LAST_WORDS.format(code=code)], own_environment)
    assert (ended.stdout, ended.returncode, ended.stderr) == ("a thread\nthe end\n", returned, told)


@pytest.mark.parametrize("other", [{"PYRAMID_DEBUG": "yes"}, {"LANGUAGE": "de"}])
def test_a_fork_loads_all_code_again_if_what_it_was_loaded_with_is_other(
    own_environment: dict[str, str], other: dict[str, str]
) -> None:
    ended = run([*SHELL, CODE], own_environment | other)
    assert json.loads(ended.stdout)[2] is False
    assert ended.returncode == 3


@pytest.mark.skipif(LIBRARY is None, reason="sets the clock of one process (apt-get install libfaketime)")
def test_a_fork_has_the_clock_of_its_environment(own_environment: dict[str, str], tmp_path: Path) -> None:
    for days in (400, 800):
        offset = tmp_path / f"{days} days"  # a file of each process, like that of its library
        offset.write_text(f"+{days * 24 * 60 * 60}")
        for environment in (own_environment | clock_in(offset), own_environment):
            year, is_loaded = json.loads(run([*SHELL, YEAR], environment).stdout)
            moved = datetime.now(UTC) + timedelta(days=days if "LD_PRELOAD" in environment else 0)
            assert (year, is_loaded) == (moved.year, True)


def test_a_fork_can_be_killed_like_any_child(own_environment: dict[str, str]) -> None:
    command = [*SHELL, "import time; print('up', flush=True); time.sleep(600)"]
    kind = kind_of_process(command)
    assert kind is Warm
    with kind(command, env=own_environment, cwd=PROJECT, stdout=PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        process.kill()
        assert process.wait(60) == -signal.SIGKILL
