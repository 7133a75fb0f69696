"""Start the project's commands as real processes on a database of their own."""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock
from functools import cache
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from socket import create_server
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import psycopg
from redis import Redis

from tests.warm import Warm
from tests.with_servers import started, wait_for

PROJECT = Path(__file__).parents[1]
STOP_SECONDS, LAST_WORDS = 20, 5000
MANAGE = [sys.executable, "manage.py"]
COLLECTED = PROJECT / "var/static/collected.stamp"
ANY_UVICORN = [sys.executable, "-m", "uvicorn"]
CHOOSE_DAYS = [sys.executable, "-m", "tests.chosen_days"]
# The command of the container, without the port and the application.
UVICORN = [
    *ANY_UVICORN,
    "--http=pyramid_server.uvicorn_protocols:TimeoutProtocol",
    "--ws=pyramid_server.uvicorn_protocols:CountingSocket",
    "--ws-max-size=65536",
    "--ws-per-message-deflate=false",
    "--no-proxy-headers",
    *("--log-level=warning", "--no-access-log", "--no-server-header", "--port"),
]


# One deal a day, which is chosen without a search, and which those may watch who have played it.
ONE_DEAL_A_DAY = {
    "PYRAMID_DAILY_RULE_SETS": "standard",
    "PYRAMID_DAILY_POLICIES": '{"standard": {"watch_after": true}}',
}
# With it, deaths are noticed within a second, and a server commits only to the deals of today and tomorrow.
QUICK = {**ONE_DEAL_A_DAY, "PYRAMID_HEARTBEAT_SECONDS": "1", "PYRAMID_DAILIES_AHEAD_DAYS": "1"}
# For a server whose clock is moved by days.
A_WEEK_AHEAD = {"PYRAMID_DAILIES_AHEAD_DAYS": "7"}

# No limit that many players at one address would reach.
UNLIMITED = {
    "PYRAMID_MESSAGES_PER_SECOND": "10000",
    "PYRAMID_GUESTS_PER_HOUR": "1000000",
    "PYRAMID_GUESTS_PER_DAY": "1000000",
    "PYRAMID_PRACTICE_GAMES_PER_DAY": "1000000",
    "PYRAMID_REQUESTS_PER_MINUTE": "1000000",
    "PYRAMID_ANONYMOUS_REQUESTS_PER_MINUTE": "1000000",
    "PYRAMID_PAGES_PER_MINUTE": "1000000",
    "PYRAMID_LOG_FILES_PER_MINUTE": "1000000",
    "PYRAMID_SOCKETS_PER_MINUTE": "1000000",
    "PYRAMID_SOCKETS_PER_ADDRESS": "1000000",
    "PYRAMID_SOCKETS_PER_PLAYER": "100000",
    "PYRAMID_SIGN_INS_PER_HOUR": "1000000",
}


@contextmanager
def own_database(folder: Path, *, is_empty: bool = False) -> Iterator[dict[str, str]]:
    """Return the environment for processes that share a database of the kind under test, migrated or empty."""
    environment = {**os.environ, **QUICK, "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50)}
    shared = os.environ.get("DATABASE_URL", "sqlite")
    if shared.startswith("sqlite"):
        own = folder / "own.sqlite3"
        if not is_empty:
            shutil.copy(migrated_database(), own)
        yield {**environment, "DATABASE_URL": f"sqlite:///{own}"}
        return
    with _created(shared, "template1" if is_empty else migrated_database()) as name:
        # A board of this database has the number of that in the one that tests use directly.
        forget_boards(os.environ.get("REDIS_URL"))
        try:
            yield {**environment, "DATABASE_URL": _with_name(shared, name)}
        finally:
            forget_boards(os.environ.get("REDIS_URL"))


@contextmanager
def newcomers_database(folder: Path, *commands: list[str]) -> Iterator[dict[str, str]]:
    """Return the environment of processes with the daily deals of `make run`, chosen already, and what commands add.

    They have its heartbeat, too: the quick one takes three quarters of the time of a server that has nothing to do.
    """
    with own_database(folder) as environment:
        shipped = {name: value for name, value in environment.items() if name not in QUICK}
        fill(shipped, CHOOSE_DAYS, *commands)
        yield shipped


def fill(environment: dict[str, str], *commands: list[str]) -> None:
    """Run commands on a new database, or copy an SQLite file that they have filled for any process of the tests.

    What the first of them fill is kept, too: others begin with the same.
    """
    own = environment["DATABASE_URL"]
    if not own.startswith("sqlite"):
        _run_all(commands, environment)
        return
    path = own.removeprefix("sqlite:///")
    name = sha256(repr((commands, environment.get("PYRAMID_DAILY_RULE_SETS"))).encode()).hexdigest()
    filled = Path(migrated_database()).with_name(f"{name}.sqlite3")
    with filled.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if filled.exists():
            shutil.copy(filled, path)
            return
        *earlier, last = commands
        if earlier:
            fill(environment, *earlier)
        _run_all([last], environment)
        with closing(sqlite3.connect(path)) as made:
            made.execute("VACUUM INTO ?", [str(filled)])


def _run_all(commands: Iterable[list[str]], environment: dict[str, str]) -> None:
    for command in commands:
        run(command, environment, timeout=300).check_returncode()


def forget_boards(url: str | None) -> None:
    """Delete the replicas of boards in Redis."""
    if url:
        redis = _redis_at(url)
        if replicas := list(redis.scan_iter("pyramid:board*", count=1000)):
            redis.delete(*replicas)


@cache
def _redis_at(url: str) -> Redis:
    """Return a client that stays connected: to connect after each test takes longer than to look for a replica."""
    return Redis.from_url(url)


def migrated_database() -> str:
    """Return a database with all tables and no rows to copy: the path of an SQLite file, or a name in PostgreSQL.

    It is made once for this process and all that it starts.
    """
    if made := os.environ.get("MIGRATED_DATABASE"):
        return made
    shared = os.environ.get("DATABASE_URL", "sqlite")
    if shared.startswith("sqlite"):
        name = f"{_until_exit.enter_context(TemporaryDirectory())}/migrated.sqlite3"
        url = f"sqlite:///{name}"
    else:
        name = _until_exit.enter_context(_created(shared, "template1"))
        url = _with_name(shared, name)
    environment = {**os.environ, "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50), "DATABASE_URL": url}
    run([*MANAGE, "migrate", "--no-input"], environment, timeout=300, is_cold=True).check_returncode()
    os.environ["MIGRATED_DATABASE"] = name
    return name


def make_tables(url: str) -> None:
    """Make all tables in an empty database of another PostgreSQL, in a fraction of the time that migrating takes.

    They belong to the role that connects, which gives others whatever it gives by default.
    """
    made, environment = _with_name(os.environ["DATABASE_URL"], migrated_database()), {**os.environ}
    with TemporaryDirectory() as folder:
        file = f"--file={folder}/tables.sql"
        run(["pg_dump", "--no-owner", "--no-privileges", file, made], environment).check_returncode()
        run(["psql", "--quiet", "--set=ON_ERROR_STOP=1", file, url], environment).check_returncode()


def collect_shared_files() -> None:
    """Collect the files of the pages: a server that starts meanwhile would look for some that are gone a moment later.

    This compiles most modules, too, for which another suite of this folder waits.
    """
    with _lock("files").open("w") as file:
        flock(file, LOCK_EX)
        if not COLLECTED.exists():
            environment = {**os.environ, "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50)}
            collect = "from pyramid_server import static_files; static_files.collect_own_files()"
            run([*MANAGE, "shell", "-c", collect], environment, timeout=300, is_cold=True)


@contextmanager
def modules_compiled_once() -> Iterator[None]:
    """Have one process run the block first, which compiles the modules of all tests; the others wait for it."""
    with _lock("modules").open("w") as file:
        flock(file, LOCK_EX)
        if sys.dont_write_bytecode or Path(cache_from_source(str(PROJECT / "tests/games/api.py"))).exists():
            flock(file, LOCK_UN)
        yield


@contextmanager
def compiled_solver() -> Iterator[None]:
    """Compile the solver while the block runs: each process that found nothing compiled would take half a minute.

    The search of wide positions is compiled beside the others, which take twice as long. Where another suite of this
    folder compiles already, that is waited for.
    """
    with _lock("solver").open("w") as file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            yield
            flock(file, LOCK_EX)
        else:
            environment = {**os.environ, "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50)}
            nothing = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
            options: dict[str, Any] = {"env": environment, "cwd": PROJECT, **nothing}
            solver = [sys.executable, "-m", "games.solver"]
            with (
                subprocess.Popen([*solver, "--compile"], **options) as compiling,
                subprocess.Popen([*solver, "--rules", "cell"], **options) as compiling_wide,
            ):
                yield
            assert (compiling.returncode, compiling_wide.returncode) == (0, 0)


def _lock(name: str) -> Path:
    path = PROJECT / "var" / f"{name}.lock"
    path.parent.mkdir(exist_ok=True)
    return path


@contextmanager
def _created(shared: str, template: str) -> Iterator[str]:
    name = f"own_{secrets.token_hex(8)}"
    with psycopg.connect(shared, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    try:
        yield name
    finally:
        with psycopg.connect(shared, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _with_name(database: str, name: str) -> str:
    return urlsplit(database)._replace(path=f"/{name}").geturl()


_until_exit = ExitStack()
atexit.register(_until_exit.close)


def free_port() -> int:
    with create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


class Served:
    """A server process whose output is read as it comes, or a full pipe would stop it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._lines: list[bytes] = []
        assert process.stdout is not None
        # A descriptor of its own: the other one is closed as soon as the process has ended.
        self._listener = Thread(target=self._listen, args=[os.dup(process.stdout.fileno())], daemon=True)
        self._listener.start()

    def _listen(self, descriptor: int) -> None:
        with open(descriptor, "rb") as output:
            self._lines.extend(output)

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def output(self) -> str:
        """All that a process has said if it has ended, and otherwise so far."""
        if self.process.poll() is not None:
            self._listener.join(STOP_SECONDS)
        return b"".join(self._lines).decode()

    def stop(self, number: signal.Signals) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(STOP_SECONDS)


@contextmanager
def serving(
    command: Sequence[str], port: int, environment: dict[str, str], *, is_cold: bool = False
) -> Iterator[Served]:
    """Start a server, wait until it is ready, and end it afterwards. If anything fails, its last words are printed."""
    options = {"env": environment, "cwd": PROJECT, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with ExitStack() as running:
        kind = kind_of_process(command, is_cold=is_cold)
        server = Served(running.enter_context(started(command, signal.SIGTERM, kind, **options)))
        try:
            ready = f"http://127.0.0.1:{port}/health/ready"
            wait_for(server.process, lambda: urlopen(ready, timeout=90).close(), OSError)
            yield server
        except BaseException:
            sys.stdout.write(server.output[-LAST_WORDS:])
            raise


def run(
    command: Sequence[str], environment: dict[str, str], timeout: float = 60, *, is_cold: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    options: dict[str, Any] = {"env": environment, "cwd": PROJECT, **piped}
    with kind_of_process(command, is_cold=is_cold)(command, **options) as process:
        try:
            output, errors = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def kind_of_process(command: Sequence[str], *, is_cold: bool = False) -> type[subprocess.Popen[Any]]:
    """Return a process that is a fork with all code, unless a test is about loading it, or it is not our command."""
    is_of_tests = [*command[:2]] == [sys.executable, "-m"] and command[2].startswith("tests.")
    is_ours = [*command[:2]] == MANAGE or [*command[:3]] == ANY_UVICORN or is_of_tests
    return Warm if is_ours and not is_cold and sys.platform == "linux" else subprocess.Popen


def children(process: int) -> list[int]:
    """Return the processes that a process has started and that still run."""
    found: list[int] = []
    for children_of_thread in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile
            found += map(int, children_of_thread.read_text().split())
    return [*filter(runs, found)]


def runs(process: int) -> bool:
    """Return True if a process runs. One that has ended is a zombie until its parent takes note."""
    try:
        return _after_name(process)[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def cpu_seconds(process: int) -> float:
    """Return the processor time a process has used so far."""
    user, system = map(int, _after_name(process)[11:13])
    return (user + system) / os.sysconf("SC_CLK_TCK")


def _after_name(process: int) -> list[str]:
    """Return what Linux says of a process after its name, which may hold spaces: its state is the first field."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
