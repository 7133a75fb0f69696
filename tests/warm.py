"""Start commands of the project and its tests as forks of a process with all code, to load which takes longest.

Each is a process of its own, and a child of the one that starts it.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from socket import AF_UNIX, SOCK_SEQPACKET, send_fds, socketpair
from typing import Any, AnyStr

READ_BY_SETTINGS = ("PYRAMID_", "POSTGRES_", "DATABASE_URL", "REDIS_URL")
OF_A_CLOCK = ("LD_PRELOAD", "FAKETIME_")  # as in tests/clocks.py
WHERE_IT_IS_SET, READ_AT_ONCE = "FAKETIME_TIMESTAMP_FILE", "FAKETIME_NO_CACHE"
NOWHERE = ("sqlite:////nowhere/at-all.sqlite3", "postgres://nowhere/at-all")  # which is never used
PR_SET_CHILD_SUBREAPER = 36


class Warm(subprocess.Popen[AnyStr]):
    """A command of the project that a fork runs."""

    def _execute_child(  # which forks this process
        self, args: Any, executable: Any, preexec_fn: Any, close_fds: bool, pass_fds: Any, cwd: Any, env: Any,
        startupinfo: Any, creationflags: Any, shell: Any, p2cread: int, p2cwrite: int, c2pread: int, c2pwrite: int,
        errread: int, errwrite: int, *others: Any,
    ) -> None:  # fmt: skip
        own = (WHERE_IT_IS_SET,) if READ_AT_ONCE in env else ()
        clock = frozenset(each for each in env.items() if each[0].startswith(OF_A_CLOCK) and each[0] not in own)
        loaded = _loaded(os.getpid(), cwd, clock, NOWHERE[env.get("DATABASE_URL", "").startswith("postgres")])
        inherited = [standard if given == -1 else given for standard, given in enumerate((p2cread, c2pwrite, errwrite))]
        self.pid = loaded.fork(args, env, inherited)
        self._child_created = True
        self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)  # type: ignore[attr-defined]


class _Loaded:
    """The process that has loaded the code. Its forks have its clock: none can be put into a process that runs.

    Where the file that sets it is read at once, each fork has its own; otherwise, it would begin with that of others.
    They also have its kind of database, on which depends what Django loads.
    """

    def __init__(self, folder: Path, clock: frozenset[tuple[str, str]], database: str) -> None:
        # Forks of forks, whose parents have ended, become children of this process instead of the first one.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._asking = threading.Lock()
        self._connection, its_end = socketpair(AF_UNIX, SOCK_SEQPACKET)
        others = {name: value for name, value in os.environ.items() if not name.startswith(READ_BY_SETTINGS)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.loaded", str(its_end.fileno())],
            env=others | dict(clock) | {"DATABASE_URL": database, "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50)},
            cwd=folder,
            pass_fds=[its_end.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,  # like that of the commands; nothing comes
        )
        its_end.close()
        atexit.register(self._end)

    def fork(self, command: Sequence[Any], environment: Mapping[str, str], inherited: Sequence[int]) -> int:
        """Return the number of a new process."""
        request = json.dumps([[*map(str, command)], {**environment}]).encode()
        with self._asking:
            send_fds(self._connection, [request], inherited)
            return int(self._connection.recv(100))

    def _end(self) -> None:
        self._connection.close()
        self._process.communicate()


@cache
def _loaded(process: int, folder: Path, clock: frozenset[tuple[str, str]], database: str) -> _Loaded:
    """Return that of a process, a clock and a kind of database: a process that was forked meanwhile starts its own."""
    return _Loaded(folder, clock, database)
