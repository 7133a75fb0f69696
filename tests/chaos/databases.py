"""The machines of the database in a storm: a primary whose disk gets full, and a standby for when it is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGKILL
from tempfile import TemporaryDirectory
from time import sleep

import psycopg

from tests.journeys.machines import COPY, PROMOTE, SLOT, STATE, WAIT, Machines, primary_and_standby
from tests.processes import children
from tests.with_servers import unprivileged, wait_for

DISK = "256m"
SMALL = ("ALTER SYSTEM SET max_wal_size = '64MB'", "ALTER SYSTEM SET min_wal_size = '32MB'", "SELECT pg_reload_conf()")
POLL_SECONDS = 0.05


class Databases:
    """A primary and its standby, each on a small disk of its own."""

    def __init__(self, machines: Machines) -> None:
        self._machines = machines
        self.stops = 0  # of a server that found no space

    @property
    def sockets(self) -> list[str]:
        return sorted(f"{machine.folder}/.s.PGSQL.5432" for machine in self._machines[:2])

    def fill_disk(self) -> None:
        """Leave no space on the disk of the primary."""
        folder = self._machines.db1.folder
        with suppress(OSError), (folder / "ballast").open("ab") as ballast:
            while True:
                free = max(shutil.disk_usage(folder).free, 1)
                os.posix_fallocate(ballast.fileno(), os.fstat(ballast.fileno()).st_size, free)

    def make_space(self) -> None:
        """Make space again, and start the primary if it has stopped for want of it."""
        (self._machines.db1.folder / "ballast").unlink()
        service = self._machines.db1.service
        while service.process.poll() is None:
            with suppress(psycopg.OperationalError):
                service.attempt()
                return
            sleep(POLL_SECONDS)
        self.stops += 1
        service.start()

    def lose_primary(self) -> None:
        """End everything on the machine of the primary at once, and delete what it had."""
        folder, service, processes = *self._machines.db1, children(self._machines.db1.service.pid)
        service.process.kill()
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, SIGKILL)
        service.process.wait()
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def promote(self) -> None:
        """Have the standby take over."""
        self._machines.follow(PROMOTE, self._machines.db2)
        self._machines = self._machines._replace(db1=self._machines.db2, db2=self._machines.db1)

    def make_standby(self) -> None:
        """Make a standby of the machine that was lost, as the guide says."""
        machines = self._machines
        machines.follow(SLOT, machines.db1)
        machines.follow(COPY, machines.db2)
        machines.db2.service.start()
        machines.follow(WAIT, machines.db1)
        wait_for(machines.db2.service.process, self._require_standby, AssertionError)

    def _require_standby(self) -> None:
        assert self._machines.follow(STATE, self._machines.db1) == "standby|streaming|sync\n"


@contextmanager
def running_databases() -> Iterator[tuple[Databases, dict[str, str]]]:
    """Start both; return them with the environment of nodes."""
    with primary_and_standby(_small_disk) as (machines, environment):
        with psycopg.connect(machines.db1.service.url, autocommit=True) as connection:
            for statement in SMALL:
                connection.execute(statement)
        yield Databases(machines), environment


def can_mount() -> bool:
    if os.geteuid() != 0:
        return False
    with suppress(subprocess.CalledProcessError), _small_disk():
        return True
    return False


@contextmanager
def _small_disk() -> Iterator[str]:
    with TemporaryDirectory(prefix="pyramid-") as folder:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", folder]
        subprocess.run(mount, check=True, capture_output=True)
        try:
            unprivileged(Path(folder))
            yield folder
        finally:
            unmount = ["umount", "--lazy", folder]
            subprocess.run(unmount, check=True)
