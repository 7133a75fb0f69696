"""Run a command with a PostgreSQL and a Redis of its own: python -m tests.with_servers COMMAND [ARGUMENT ...]

Both live in a temporary directory and end with the command. PostgreSQL does not wait for the disk, which only a test
may do. As root, both run as `nobody`.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import psycopg
import redis

Command = Sequence[str | Path]

PATIENCE_SECONDS = 60
HOW_TO_GET = "PostgreSQL and Redis are needed here (on Debian and Ubuntu: apt-get install postgresql redis-server)."


def main(command: Command) -> int:
    """Return the command's exit code, or 0 without running it where the servers are not installed; in CI that is 1."""
    postgresql = postgresql_folder()
    if postgresql is None or not shutil.which("redis-server"):
        print(HOW_TO_GET, file=sys.stderr)  # noqa: T201
        return int(os.environ.get("CI", "").lower() == "true")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pyramid-")))
        owner = unprivileged(folder)
        environment = {
            **os.environ,
            "DATABASE_URL": stack.enter_context(running_postgresql(postgresql, folder, owner)),
            "REDIS_URL": stack.enter_context(running_redis(folder, owner)),
            "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50),
        }
        return stack.enter_context(started(command, signal.SIGTERM, env=environment)).wait()


def postgresql_folder() -> Path | None:
    """Find the newest installed PostgreSQL; Debian keeps its server programs off the PATH."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True)
    on_path = [Path(folder) for folder in os.get_exec_path()]
    return next((f for f in [*on_path, *debian] if (f / "initdb").exists() and (f / "postgres").exists()), None)


def unprivileged(folder: Path) -> dict[str, Any]:
    """Return how to start a server that may use the folder and is not root, which PostgreSQL refuses to be."""
    # A process group of its own keeps a Ctrl-C in the terminal from the server until the command has ended.
    if os.geteuid() != 0:
        return {"process_group": 0}
    user = pwd.getpwnam("nobody")
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "process_group": 0}


@contextmanager
def running_postgresql(programs: Path, folder: Path, owner: dict[str, Any]) -> Iterator[str]:
    """Start a new cluster that listens on a socket in the folder only, and return its URL."""
    data = folder / "postgresql"
    initdb: Command = [programs / "initdb", "-D", data, "--username=pyramid", "--auth=trust", "--no-sync"]
    subprocess.run([*initdb, "--encoding=UTF8", "--no-locale"], check=True, stdout=DEVNULL, cwd=folder, **owner)
    options = {
        "listen_addresses": "",
        "unix_socket_directories": folder,
        "fsync": "off",
        "synchronous_commit": "off",
        "full_page_writes": "off",
        "max_connections": 200,
        "log_min_messages": "panic",
    }
    command: Command = [programs / "postgres", "-D", data, *(f"--{name}={value}" for name, value in options.items())]
    url = f"postgres://pyramid@{quote(str(folder), safe='')}/postgres"
    # SIGINT is PostgreSQL's fast shutdown; on SIGTERM it would wait for every client to leave.
    with started(command, signal.SIGINT, cwd=folder, **owner) as server:
        wait_for(server, lambda: psycopg.connect(url).close(), psycopg.OperationalError)
        yield url


@contextmanager
def running_redis(folder: Path, owner: dict[str, Any]) -> Iterator[str]:
    """Start a Redis on a free port, keeping nothing, with a database for each test process, and return its URL."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    options = {"bind": "127.0.0.1", "port": port, "save": "", "databases": 64, "loglevel": "warning", "dir": folder}
    command = ["redis-server", *(word for name, value in options.items() for word in (f"--{name}", str(value)))]
    url = f"redis://127.0.0.1:{port}/0"
    with started(command, signal.SIGTERM, cwd=folder, stdout=DEVNULL, **owner) as server:
        wait_for(server, lambda: redis.Redis.from_url(url).ping(), redis.ConnectionError)
        yield url


@contextmanager
def started(command: Command, stop_signal: signal.Signals, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process and make sure that it is gone afterwards."""
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            process.send_signal(stop_signal)
            try:
                process.wait(PATIENCE_SECONDS)
            except BaseException:
                process.kill()
                raise


def wait_for(server: subprocess.Popen[bytes], attempt: Callable[[], object], not_yet: type[Exception]) -> None:
    """Try until the server answers. Raise RuntimeError when it has ended or takes too long."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        with suppress(not_yet):
            attempt()
            return
        time.sleep(0.05)
    raise RuntimeError(f"{server.args!r} did not start")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
