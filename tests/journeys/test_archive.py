"""docs/archive.md from top to bottom: the machine of the database is lost, and what a mistake has done is undone."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.request import Request, urlopen

import psycopg
import pytest

from tests.journeys.conftest import Server, uvicorn
from tests.journeys.drawing import Drawing
from tests.journeys.guides import block, blocks
from tests.journeys.shell import python_of_scripts
from tests.processes import QUICK, UNLIMITED, make_tables, run
from tests.with_servers import DATA, Service, make_cluster, postgresql_folder, postgresql_in, unprivileged, wait_for

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not shutil.which("pgbackrest"), reason="the archive is made by it (apt-get install pgbackrest)"),
]

SETTINGS = block("archive.md", "ini")
LOG, FIRST, _TIMER, RESTORE, LOOK_AGAIN, RESTORE_TO, REHEARSE, _TIMER_OF_REHEARSALS = blocks("archive.md", "sh")
MOVES, TOKEN = 6, secrets.token_urlsafe(50)


class Machine(NamedTuple):
    """A PostgreSQL with an archive elsewhere, and how to be the owner of its database."""

    folder: Path
    archive: Path
    service: Service
    owner: dict[str, object]

    def follow(self, documented: str) -> str:
        """Run a block of the guide."""
        here = {
            "sudo -u postgres psql": f"psql --no-psqlrc --quiet --dbname={self.service.url}",
            "sudo -u postgres ": "",
            "sudo systemctl": ": systemctl",
            ".venv/bin/python": sys.executable,
        }
        for there, replacement in here.items():
            documented = documented.replace(there, replacement)
        command = ["/bin/bash", "-euo", "pipefail", "-c", documented]
        done = subprocess.run(command, capture_output=True, text=True, check=False, **self.service.options)
        assert done.returncode == 0, done.stdout + done.stderr
        return str(done.stdout)

    def ask(self, query: str) -> str:
        with psycopg.connect(self.service.url) as connection:
            row = connection.execute(query).fetchone()
            assert row
            return str(row[0])

    def restart(self) -> None:
        self.service.stop(signal.SIGINT)
        self.service.start()

    def lose(self) -> None:
        """Kill the server, delete what it had, and have an empty cluster in its place."""
        self.service.stop(signal.SIGKILL)
        shutil.rmtree(self.folder / DATA)
        (self.folder / DATA).mkdir(mode=0o700)
        shutil.chown(self.folder / DATA, self.folder.stat().st_uid)

    def require_archived(self, segment: str) -> None:
        assert self.ask("SELECT last_archived_wal FROM pg_stat_archiver") >= segment


@contextmanager
def archived_machine() -> Iterator[tuple[Machine, dict[str, str]]]:
    """Follow the guide until the archive grows; return the machine and the environment of nodes."""
    programs = postgresql_folder()
    assert programs is not None
    with ExitStack() as kept:
        folder, archive = (Path(kept.enter_context(TemporaryDirectory(prefix="pyramid-"))) for _ in range(2))
        owner, _ = unprivileged(folder), unprivileged(archive)
        made = postgresql_in(programs, folder, owner, fsync=True)
        (folder / "pgbackrest.conf").write_text(settings_for(folder, archive))
        here = {"PGBACKREST_CONFIG": str(folder / "pgbackrest.conf"), "PGBACKREST_LOG_LEVEL_FILE": "off"}
        here |= {f"PGBACKREST_{each}_PATH": str(folder / each) for each in ("LOCK", "SPOOL")}
        here |= {"PGBACKREST_PG1_SOCKET_PATH": str(folder), "PGBACKREST_PG1_USER": "pyramid"}
        made.options["env"] = {**os.environ, **here}
        machine = Machine(folder, archive, made, owner)
        make_cluster(programs, folder, owner)
        with machine.service.running():
            environment = {**os.environ, **QUICK, **UNLIMITED, "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50)}
            environment |= {"DATABASE_URL": machine.service.url, "PYRAMID_METRICS_TOKEN": TOKEN}
            make_tables(machine.service.url)
            machine.follow(LOG)
            machine.restart()
            machine.follow(FIRST)
            yield machine, environment


def settings_for(folder: Path, archive: Path) -> str:
    """Return the settings of the guide with a folder in place of a storage elsewhere."""
    settings = re.sub(r"repo1-(type|s3-\w+|s3-key-secret)=.*\n", "", SETTINGS)
    return settings.replace("=/db1", f"={archive}").replace("/var/lib/postgresql/17/main", f"{folder}/{DATA}")


def test_what_was_archived_outlives_the_machine_and_comes_back_as_it_was_at_any_second() -> None:
    with archived_machine() as (machine, environment), Server(environment, uvicorn).running() as server:
        alice = Drawing(server)
        move(alice, MOVES)
        segment = machine.ask("SELECT pg_walfile_name(pg_current_wal_lsn())")
        wait_for(machine.service.process, lambda: machine.require_archived(segment), AssertionError)
        assert "\npyramid_archive_timestamp_seconds 1" in metrics(server)
        move(alice, 1)  # what may be lost

        machine.lose()
        machine.follow(RESTORE)
        machine.service.start()
        wait_for(server.process, lambda: server.get("/health/ready"), OSError)
        machine.follow(LOOK_AGAIN)
        assert MOVES <= alice.stored <= alice.acknowledged
        alice.acknowledged = alice.stored
        move(alice, MOVES)
        right, moment = alice.stored, machine.ask("SELECT clock_timestamp()")
        move(alice, MOVES)
        machine.ask("SELECT pg_walfile_name(pg_switch_wal())")
        machine.service.stop(signal.SIGINT)

        machine.follow(RESTORE_TO.replace("2026-11-26 10:00:00+00", moment))
        machine.service.start()
        wait_for(server.process, lambda: server.get("/health/ready"), OSError)
        machine.follow(LOOK_AGAIN)
        assert alice.stored == right
        alice.acknowledged = right
        require_rehearsals(machine, environment, alice)
        assert "\npyramid_rehearsal_timestamp_seconds 1" in metrics(server)


def require_rehearsals(machine: Machine, environment: dict[str, str], alice: Drawing) -> None:
    """Rehearse with an archive that is good, then with one that lacks its end, and with one that is damaged.

    The first time, all commands are processes of their own.
    """
    move(alice, MOVES)
    good = rehearse(machine, environment, f"{sys.executable} manage.py")
    archiving = machine.ask("SELECT row_to_json(archiver) FROM pg_stat_archiver AS archiver")
    assert good.returncode == 0, good.stdout + good.stderr + archiving
    assert f"{alice.acknowledged} actions of 1 games in play" in good.stdout
    assert "Nothing is missing, and nothing differs" in good.stdout

    have_archive_command_lie(machine)
    archived = alice.acknowledged
    move(alice, MOVES)
    with python_of_scripts() as python:
        short = rehearse(machine, environment, f"{python} -m tests.games.status.forked")
    assert short.returncode == 1
    assert "WRONG: the archive lacks its end: what was written at " in short.stdout, short.stdout + short.stderr
    assert f": {archived} of {alice.acknowledged} actions\n" in short.stdout

    damage(machine.archive)
    with python_of_scripts() as python:
        damaged = rehearse(machine, environment, f"{python} -m tests.games.status.forked")
    assert damaged.returncode == 1
    assert "the rehearsal failed: pgbackrest failed: " in damaged.stderr


def rehearse(machine: Machine, environment: dict[str, str], manage: str) -> subprocess.CompletedProcess[str]:
    """Follow the guide with something in place of `manage.py`, and require that nothing stays behind."""
    with TemporaryDirectory(prefix="pyramid-") as folder:
        unprivileged(Path(folder))
        here = {".venv/bin/python manage.py": manage, "/var/tmp\n": f"{folder} --user nobody\n"}  # noqa: S108
        documented = REHEARSE
        for there, replacement in here.items():
            documented = documented.replace(there, replacement)
        of_archive = {k: v for k, v in machine.service.options["env"].items() if k.startswith("PGBACKREST_")}
        done = run(["/bin/bash", "-euc", documented], environment | of_archive, timeout=300)
        assert list(Path(folder).iterdir()) == []
    return done


def have_archive_command_lie(machine: Machine) -> None:
    """Have PostgreSQL believe that its log is archived, from a moment on at which all of it was."""
    segment = machine.ask("SELECT pg_walfile_name(pg_switch_wal())")
    wait_for(machine.service.process, lambda: machine.require_archived(segment), AssertionError)
    with psycopg.connect(machine.service.url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET archive_command = 'true'")
        connection.execute("SELECT pg_reload_conf()")


def damage(archive: Path) -> None:
    """Cut off the end of each file in which a backup has its data."""
    for bundle in archive.glob("backup/pyramid/*/bundle/*"):
        os.truncate(bundle, bundle.stat().st_size // 2)


def move(player: Drawing, count: int) -> None:
    for _ in range(count):
        player.move()


def metrics(server: Server) -> str:
    request = Request(f"{server.url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    with urlopen(request, timeout=90) as answer:
        text: str = answer.read().decode()
    return text
