"""Run a command with a PostgreSQL and a Redis of its own: python -m tests.with_servers [--fsync] COMMAND [ARGUMENT ...]

Both live in a temporary directory and end with the command. Without `--fsync`, PostgreSQL does not wait for the disk,
which only a test may do. As root, both run as `nobody`.
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
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit

import psycopg
import redis

Command = Sequence[str | Path]

FSYNC = "--fsync"
DATA = "postgresql"
TIMEOUT_SECONDS = 180
SLOTS = ((0, 5460), (5461, 10922), (10923, 16383))
HOW_TO_GET = "PostgreSQL and Redis are needed here (on Debian and Ubuntu: apt-get install postgresql redis-server)."


def main(command: Command) -> int:
    """Return the command's exit code, or 0 without running it where the servers are not installed; in CI that is 1."""
    postgresql = postgresql_folder()
    if postgresql is None or not shutil.which("redis-server"):
        print(HOW_TO_GET, file=sys.stderr)  # noqa: T201
        return int(os.environ.get("CI", "").lower() == "true")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    fsync = command[0] == FSYNC
    with (
        running_services(postgresql, fsync=fsync) as services,
        started(command[fsync:], signal.SIGTERM, env=services.environment()) as process,
    ):
        return process.wait()


class Ended(RuntimeError):
    """A server has ended that was to answer."""


@dataclass
class Service:
    """A server at an address, which can be stopped and started again; it finds there what it has kept."""

    url: str
    command: Command
    stop_signal: signal.Signals
    attempt: Callable[[], object]
    not_yet: type[Exception]
    options: dict[str, Any]

    @contextmanager
    def running(self) -> Iterator[Service]:
        with ExitStack() as self._running:
            self.start()
            yield self

    def start(self) -> None:
        """Start and wait until it answers."""
        self._process = self._running.enter_context(started(self.command, self.stop_signal, **self.options))
        wait_for(self._process, self.attempt, self.not_yet)

    @property
    def process(self) -> subprocess.Popen[bytes]:
        return self._process

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self, number: signal.Signals) -> None:
        """Send a signal and wait until it has ended."""
        self._process.send_signal(number)
        self._process.wait(TIMEOUT_SECONDS)


class Services(NamedTuple):
    """A PostgreSQL and a Redis that run."""

    postgresql: Service
    redis: Service

    def environment(self) -> dict[str, str]:
        """Return what the project's commands need to use them."""
        urls = {"DATABASE_URL": self.postgresql.url, "REDIS_URL": self.redis.url}
        return {**os.environ, **urls, "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50)}


@contextmanager
def running_services(programs: Path, *, fsync: bool = False) -> Iterator[Services]:
    """Start both in a temporary directory."""
    with TemporaryDirectory(prefix="pyramid-") as name:
        folder = Path(name)
        owner = unprivileged(folder)
        with (
            running_postgresql(programs, folder, owner, fsync=fsync) as postgresql,
            running_redis(folder, owner) as redis,
        ):
            yield Services(postgresql, redis)


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
def running_postgresql(
    programs: Path, folder: Path, owner: dict[str, Any], *, fsync: bool = False
) -> Iterator[Service]:
    """Start a new cluster that listens on a socket in the folder only."""
    make_cluster(programs, folder, owner)
    with postgresql_in(programs, folder, owner, fsync=fsync).running() as service:
        yield service


def make_cluster(programs: Path, folder: Path, owner: dict[str, Any], *locale: str) -> None:
    """Make an empty cluster below a folder, without a language by default."""
    initdb: Command = [programs / "initdb", "-D", folder / DATA, "--username=pyramid", "--auth=trust", "--no-sync"]
    options = ["--encoding=UTF8", *(locale or ["--no-locale"])]
    subprocess.run([*initdb, *options], check=True, stdout=DEVNULL, cwd=folder, **owner)


def postgresql_in(programs: Path, folder: Path, owner: dict[str, Any], *, fsync: bool = False) -> Service:
    """Return the server of the cluster below a folder, which listens on a socket there only."""
    options = {
        "listen_addresses": "",
        "unix_socket_directories": folder,
        # Without it, what is committed survives the end of the server all the same, though no power cut.
        "fsync": "on" if fsync else "off",
        "full_page_writes": "on" if fsync else "off",
        "max_connections": 200,
        "log_min_messages": "panic",
    }
    url = f"postgres://pyramid@{quote(str(folder), safe='')}/postgres"
    return Service(
        url=url,
        command=[programs / "postgres", "-D", folder / DATA, *(f"--{name}={value}" for name, value in options.items())],
        options={"cwd": folder, **owner},
        stop_signal=signal.SIGINT,  # its fast shutdown; on SIGTERM it would wait for every client to leave
        attempt=lambda: psycopg.connect(url).close(),
        not_yet=psycopg.OperationalError,
    )


@contextmanager
def running_redis(folder: Path, owner: dict[str, Any], more: dict[str, Any] | None = None) -> Iterator[Service]:
    """Start a Redis on a free port, keeping nothing, with a database for each test process."""
    port = free_port()
    options = {
        "bind": "127.0.0.1",
        "port": port,
        "save": "",
        "databases": 64,
        "loglevel": "warning",
        "dir": folder,
        **(more or {}),
    }
    service = Service(
        url=f"redis://127.0.0.1:{port}/0",
        command=["redis-server", *(word for name, value in options.items() for word in (f"--{name}", str(value)))],
        options={"cwd": folder, "stdout": DEVNULL, **owner},
        stop_signal=signal.SIGTERM,
        attempt=lambda: redis.Redis.from_url(service.url).ping(),
        not_yet=redis.ConnectionError,
    )
    with service.running():
        yield service


@contextmanager
def running_cluster(folder: Path, owner: dict[str, Any]) -> Iterator[str]:
    """Start three Redis servers that share all keys between them, and return the address of the cluster."""
    with ExitStack() as running:
        made = []
        for first, last in SLOTS:
            bus, own = free_port(), folder / f"from-{first}"
            own.mkdir()
            os.chown(own, owner.get("user", -1), owner.get("group", -1))
            more = {"cluster-enabled": "yes", "cluster-port": bus, "databases": 1}
            server = running.enter_context(running_redis(own, owner, more))
            client = running.enter_context(redis.Redis.from_url(server.url))
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", first, last)
            made.append((server, bus, client))
        address = urlsplit(made[0][0].url)
        for _, _, client in made[1:]:
            client.execute_command("CLUSTER", "MEET", address.hostname, address.port, made[0][1])
        for server, _, client in made:
            wait_for(server.process, lambda: _agrees(client), redis.ConnectionError)  # noqa: B023  called at once
        yield address._replace(scheme="redis+cluster").geturl()


def _agrees(server: redis.Redis) -> None:
    if b"cluster_state:ok" not in server.execute_command("CLUSTER", "INFO"):  # type: ignore[no-untyped-call]
        raise redis.ConnectionError("it does not know the others yet")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def started(
    command: Command, stop_signal: signal.Signals, kind: type[subprocess.Popen[Any]] = subprocess.Popen, **options: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process and make sure that it is gone afterwards."""
    with kind(command, **options) as process:
        try:
            yield process
        finally:
            process.send_signal(stop_signal)
            try:
                process.wait(TIMEOUT_SECONDS)
            except BaseException:
                process.kill()
                raise


def wait_for(server: subprocess.Popen[bytes], attempt: Callable[[], object], not_yet: type[Exception]) -> object:
    """Try until the server answers. Raise `Ended` when it has ended, and RuntimeError when it takes too long."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    failure: Exception | None = None
    while server.poll() is None and time.monotonic() < deadline:
        try:
            return attempt()
        except not_yet as error:
            failure = error
            if isinstance(error, HTTPError):
                error.close()  # or its socket is found open when another test runs
        time.sleep(0.05)
    if server.poll() is not None:
        raise Ended(f"{server.args!r} has ended with {server.returncode}")
    raise RuntimeError(f"{server.args!r} takes more than {TIMEOUT_SECONDS} s") from failure


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
