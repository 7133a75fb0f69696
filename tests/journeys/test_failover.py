"""docs/failover.md from top to bottom: a machine of the database is lost, then the other fails, and nobody is awake."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.journeys.conftest import Server, uvicorn
from tests.journeys.patroni import MIGRATE, NODES, REPLACED, ROLES, Machines
from tests.journeys.players import Players
from tests.journeys.shell import python_of_scripts
from tests.processes import QUICK, UNLIMITED, make_tables, run
from tests.with_servers import unprivileged

PROGRAMS = ("patroni", "etcd", "etcdctl", "tini")
CLIENT_OF_ETCD = Path("/usr/lib/python3/dist-packages/etcd")  # Debian 13 does not install it with Patroni
pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(
        not (all(map(shutil.which, PROGRAMS)) and CLIENT_OF_ETCD.exists()),
        reason="Patroni promotes the standby (apt-get install patroni python3-etcd etcd-server etcd-client tini)",
    ),
]


@contextmanager
def the_three() -> Iterator[tuple[Machines, dict[str, str]]]:
    """Follow the guide until both databases run; return the machines, and the environment of nodes."""
    with TemporaryDirectory(prefix="pyramid-") as folder, ExitStack() as running:
        unprivileged(Path(folder))
        machines = Machines(Path(folder), running)
        machines.db1.start_patroni()
        machines.wait_for(machines.db1)
        machines.db2.start_patroni()
        machines.wait_for(machines.db1, machines.db2)
        machines.require_shown(machines.db1, machines.db2)
        machines.db1.follow(ROLES)
        migrate(machines)
        address = machines.app.here(NODES).strip().partition("=")[2].strip('"')
        environment = {**os.environ, **QUICK, **UNLIMITED, "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50)}
        yield machines, environment | {"DATABASE_URL": address}


def migrate(machines: Machines) -> None:
    """Follow the guide to a database that the owner has filled: to migrate it step by step is tested elsewhere."""
    as_documented = machines.app.here(MIGRATE)
    address = as_documented.partition('"')[2].partition('"')[0]
    make_tables(address)
    environment = {**os.environ, "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50)}
    with python_of_scripts() as python:
        script = as_documented.replace(sys.executable, python)
        done = run(["/bin/bash", "-euo", "pipefail", "-c", script], environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No migrations to apply" in done.stdout


def test_no_acknowledged_move_is_lost_with_a_machine_and_play_goes_on_though_nobody_does_anything() -> None:
    with the_three() as (machines, environment), Server(environment, uvicorn).running() as server:
        players = Players(server)
        with players.playing():
            players.move()
            machines.db1.lose()
            players.wait_for_refusal()
            players.move()

            with players.at_leisure():
                machines.db2.follow(REPLACED)
                machines.db1.start_etcd("existing")
                machines.db1.start_patroni()
                machines.wait_for(machines.db2, machines.db1)
            players.move()
            machines.db2.kill()
            players.wait_for_refusal()
            players.move()

            with players.at_leisure():
                machines.db2.start_etcd()
                machines.db2.start_patroni()
                machines.wait_for(machines.db1, machines.db2)
            players.move()
