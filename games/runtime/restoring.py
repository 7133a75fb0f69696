"""Restore the database into a temporary place, and run it there: from a file of `manage.py backup`, or from an archive.

Only processes on this machine reach the place, through a folder that is its owner's alone.
"""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple
from urllib.parse import quote

import psycopg
from django.conf import settings
from django.core.management import CommandError
from django.db import connection, connections

CODE = Path(__file__).resolve().parents[2]
RESTORED = "restored"  # the alias of its connection
POLL_SECONDS = 0.1
LANGUAGE = ("--encoding=UTF8", "--lc-collate=C")  # as `roles.sql` makes the database, whatever that of the shell
# Whatever its own settings say, the restored cluster sends nothing anywhere and waits for nobody. Without
# `hot_standby` it may have fewer connections than the original.
ALONE = {
    "listen_addresses": "",
    "archive_mode": "off",
    "fsync": "off",
    "hot_standby": "off",
    "logging_collector": "off",
    "max_connections": "20",
    "shared_preload_libraries": "",
    "ssl": "off",
    "synchronous_standby_names": "",
}


class RestoreError(CommandError):
    """Nothing could be restored; the text says why."""


class Place(NamedTuple):
    """A restored database; `differing` are those of its settings that differ from those of the original."""

    url: str
    differing: Mapping[str, str]

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command of `manage.py` in a process that knows neither the original nor its Redis."""
        environment = {
            **os.environ,
            "DATABASE_URL": self.url,
            "DJANGO_SETTINGS_MODULE": settings.SETTINGS_MODULE,
            "PYRAMID_SECRET_KEY": settings.SECRET_KEY,
            "REDIS_URL": "",
        }
        environment.pop("PROMETHEUS_MULTIPROC_DIR", None)
        command = [sys.executable, "-m", "django", *words]
        return subprocess.run(command, env=environment, cwd=CODE, capture_output=True, text=True, check=False)

    @contextmanager
    def opened(self) -> Iterator[str]:
        """Return the alias of a connection to it."""
        connections.databases[RESTORED] = connections.databases["default"] | dict(self.differing)
        try:
            yield RESTORED
        finally:
            connections[RESTORED].close()
            del connections[RESTORED]
            del connections.databases[RESTORED]


@contextmanager
def empty_place(folder: Path, user: str) -> Iterator[Place]:
    """Return an empty database below a folder, of the kind that this server has. Raises `RestoreError`."""
    if connection.vendor == "sqlite":
        file = folder / "restored.sqlite3"
        yield Place(f"sqlite:///{file}", {"NAME": str(file)})
        return
    owner = _owner(folder, user)
    role = connection.settings_dict["USER"]
    data, initdb = folder / "data", _program("initdb")
    _run([initdb, "-D", data, f"--username={role}", "--auth=trust", "--no-sync", *LANGUAGE], folder, owner)
    with _running(data, folder, owner):
        yield _place(folder, "postgres", role)


@contextmanager
def place_from_archive(stanza: str, folder: Path, user: str) -> Iterator[Place]:
    """Replay the newest backup of pgBackRest, and all that the archive has since. Raises `RestoreError`."""
    owner, data = _owner(folder, user), folder / "data"
    data.mkdir(mode=0o700)
    _give(data, owner)
    options = {
        "stanza": stanza,
        "pg1-path": data,
        "archive-mode": "off",
        "tablespace-map-all": folder / "tablespaces",
        "log-level-file": "off",
        "lock-path": folder / "lock",
    }
    _run(["pgbackrest", *(f"--{name}={value}" for name, value in options.items()), "restore"], folder, owner)
    kept = connection.settings_dict
    with _running(data, folder, owner):
        yield _place(folder, kept["NAME"], kept["USER"])


def _place(folder: Path, name: str, user: str) -> Place:
    url = f"postgres://{quote(user, safe='')}@{quote(str(folder), safe='')}/{quote(name, safe='')}"
    return Place(url, {"HOST": str(folder), "PORT": "", "USER": user, "PASSWORD": "", "NAME": name})


@contextmanager
def _running(data: Path, folder: Path, owner: dict[str, Any]) -> Iterator[None]:
    """Run a cluster, as soon as it has replayed what there is; end it afterwards, whatever it does."""
    # Debian keeps these files elsewhere, where they are about another cluster.
    (folder / "postgresql.conf").write_text("")
    (folder / "pg_hba.conf").write_text("local all all trust\n")
    own = {"config_file": folder / "postgresql.conf", "hba_file": folder / "pg_hba.conf"}
    all_options = ALONE | own | {"unix_socket_directories": folder}
    program = _program("postgres", (data / "PG_VERSION").read_text().strip())
    command: list[str | Path] = [program, "-D", data, *(f"--{name}={value}" for name, value in all_options.items())]
    log = folder / "postgresql.log"
    with log.open("wb") as written:
        server: subprocess.Popen[bytes] = subprocess.Popen(
            command, cwd=folder, stdout=written, stderr=written, process_group=0, **owner
        )
    try:
        _wait_until_it_answers(server, folder, log)
        yield
    finally:
        server.send_signal(signal.SIGQUIT)  # it is deleted anyway
        server.wait()


def _wait_until_it_answers(server: subprocess.Popen[bytes], folder: Path, log: Path) -> None:
    """Wait, for as long as it takes to replay an archive. Raises `RestoreError` when the server has ended."""
    while server.poll() is None:
        try:
            psycopg.connect(host=str(folder), dbname="template1", user=connection.settings_dict["USER"]).close()
        except psycopg.OperationalError:
            sleep(POLL_SECONDS)
        else:
            return
    raise RestoreError(f"PostgreSQL does not start with what was restored: {_end_of(log.read_text(errors='replace'))}")


def _program(name: str, version: str = "*") -> Path:
    """Return a program of a version of PostgreSQL, or of the newest one. Debian keeps them off the PATH."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"{version}/bin"), key=lambda path: float(path.parent.name))
    folders = [*reversed(debian), *map(Path, os.get_exec_path())]
    found = next((folder / name for folder in folders if (folder / name).exists()), None)
    if found is None:
        called = "PostgreSQL" if version == "*" else f"PostgreSQL {version}"
        raise RestoreError(f"the server of {called} is not installed here (on Debian and Ubuntu: postgresql)")
    return found


def _owner(folder: Path, user: str) -> dict[str, Any]:
    """Return how to run programs of PostgreSQL, which refuse to be root, with the folder as theirs."""
    if os.geteuid() != 0:
        return {}
    try:
        account = pwd.getpwnam(user)
    except KeyError as error:
        raise RestoreError(f"PostgreSQL refuses to be root, and there is no user {user}: name one by --user") from error
    owner = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    _give(folder, owner)
    return owner


def _give(folder: Path, owner: dict[str, Any]) -> None:
    if owner:
        os.chown(folder, owner["user"], owner["group"])


def _run(command: Sequence[str | Path], folder: Path, owner: dict[str, Any]) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, **owner)
    except FileNotFoundError as error:
        raise RestoreError(f"{command[0]} is not installed here") from error
    if done.returncode:
        raise RestoreError(f"{Path(command[0]).name} failed: {_end_of(done.stderr or done.stdout)}")


def _end_of(text: str) -> str:
    return " ".join(text.split()[-60:])
