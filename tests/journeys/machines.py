"""The two machines of docs/standby.md, and how to follow that guide on them."""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.journeys.guides import blocks
from tests.processes import QUICK, UNLIMITED, make_tables
from tests.with_servers import DATA, Service, make_cluster, postgresql_folder, postgresql_in, unprivileged

SLOT, COPY, WAIT, STATE, NODES, PROMOTE, _ALONE = blocks("standby.md", "sh")


class Machine(NamedTuple):
    """A PostgreSQL in a folder."""

    folder: Path
    service: Service


class Machines(NamedTuple):
    """The machines that the guide calls db1 and db2, and how to be the owner of their databases."""

    db1: Machine
    db2: Machine
    owner: dict[str, object]

    def follow(self, block: str, on: Machine) -> str:
        """Run a block of the guide on a machine."""
        here = {
            "sudo -u postgres psql": f"psql --no-psqlrc --quiet --dbname={on.service.url}",
            "sudo -u postgres ": "",
            "sudo systemctl": ": systemctl",
            "/var/lib/postgresql/17/main": f"{on.folder}/{DATA}",
            "rm -r ": "rm -rf ",
            "host=db1 ": f"host={self.db1.folder} ",
        }
        for documented, replacement in here.items():
            block = block.replace(documented, replacement)
        command = ["/bin/bash", "-euo", "pipefail", "-c", f"PATH={postgresql_folder()}:$PATH\n{block}"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=on.folder, check=False, **self.owner)  # type: ignore[call-overload]
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    def address(self) -> str:
        """Return the address that the guide gives to nodes."""
        both = f"{self.db1.service.url.partition('@')[2].partition('/')[0]},{self.db2.service.url.partition('@')[2]}"
        _, _, documented = NODES.strip().partition("=")
        return documented.strip('"').replace("pyramid_server:SERVER@db1,db2/pyramid", f"pyramid@{both}")


def a_folder() -> AbstractContextManager[str]:
    return TemporaryDirectory(prefix="pyramid-")


@contextmanager
def primary_and_standby(
    folder_of_machine: Callable[[], AbstractContextManager[str]] = a_folder,
) -> Iterator[tuple[Machines, dict[str, str]]]:
    """Follow the guide until both run; return them with the environment of nodes."""
    programs = postgresql_folder()
    assert programs is not None
    with ExitStack() as kept:
        folders = [Path(kept.enter_context(folder_of_machine())) for _ in range(2)]
        [owner, _] = [unprivileged(folder) for folder in folders]
        db1, db2 = (Machine(one, postgresql_in(programs, one, owner, fsync=True)) for one in folders)
        machines = Machines(db1, db2, owner)
        make_cluster(programs, db1.folder, owner)
        with db1.service.running():
            environment = {**os.environ, **QUICK, **UNLIMITED, "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50)}
            make_tables(db1.service.url)
            machines.follow(SLOT, db1)
            machines.follow(COPY, db2)
            with db2.service.running():
                machines.follow(WAIT, db1)
                yield machines, environment | {"DATABASE_URL": machines.address()}
