"""The containers' topology, from their own files and without containers: played through while nodes are replaced."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from django.conf import settings

from tests.chaos.crowd import Crowd
from tests.compose import NODES, Proxy, command_of, command_of_node, needs_nginx, settings_of
from tests.journeys.conftest import Command, Server
from tests.journeys.nodes import nodes_behind_proxy
from tests.processes import MANAGE, PROJECT, UNLIMITED, kind_of_process, own_database, run
from tests.with_servers import started

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers"),
    needs_nginx,
]
PLAYERS = 6


class Topology(NamedTuple):
    """A proxy and the nodes behind it; a worker, PostgreSQL and Redis run too."""

    environment: dict[str, str]
    proxy: Proxy
    nodes: list[Server]

    def replace(self, node: Server, command: Command) -> None:
        """Start a node again that was stopped, by a command, and wait until the proxy passes requests to it."""
        node.command = command
        log_until_now = self.proxy.log.stat().st_size
        node.start()
        self.proxy.logged(f" 127.0.0.1:{node.port} 200", since=log_until_now)


@contextmanager
def running_topology(folder: Path, command: Command = command_of_node, **variables: str) -> Iterator[Topology]:
    """Start everything with the commands and settings of the containers. A traceback in any log is an error.

    The nodes may have another command, and further variables: those of another version.
    """
    with own_database(folder) as database, (folder / "worker.log").open("wb") as log:
        environment = settings_of("worker") | database | UNLIMITED
        run(command_of("migrate"), environment).check_returncode()
        # The nodes are ready before the worker has chosen the first deals of a new database.
        run([*MANAGE, "make_dailies", "--days", "2"], environment).check_returncode()
        options = {"env": environment, "cwd": PROJECT, "stderr": log}
        with (
            # It ends after the task at hand, which may be to compile the solver; a container would be killed as well.
            started(command_of("worker"), signal.SIGKILL, kind_of_process(command_of("worker")), **options),
            nodes_behind_proxy([settings_of(name) | database | UNLIMITED | variables for name in NODES], command) as (
                proxy,
                nodes,
            ),
        ):
            yield Topology(environment, proxy, nodes)
            for node in nodes:
                node.stop(signal.SIGTERM)
                assert "Traceback" not in node.output, node.output
        assert "Traceback" not in (folder / "worker.log").read_text()


@pytest.fixture
def topology(tmp_path: Path) -> Iterator[Topology]:
    with running_topology(tmp_path) as topology:
        yield topology


async def test_every_game_goes_on_while_one_node_after_the_other_is_replaced(topology: Topology) -> None:
    await play_while_nodes_are_replaced(topology, command_of_node)


async def play_while_nodes_are_replaced(topology: Topology, command: Command) -> Crowd:
    """Replace every node by one that a command starts, while games go on; return who played them."""
    crowd = Crowd(PLAYERS, Random(1), has_many_devices=True)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(crowd.play(topology.proxy.https))
        for node in topology.nodes:
            await crowd.more_moves(5 * PLAYERS)
            playing = [game for game in crowd.games if game.result == "*"]
            await asyncio.to_thread(node.stop, signal.SIGTERM)
            await crowd.more_moves(5 * PLAYERS)
            assert playing
            await asyncio.to_thread(topology.replace, node, command)
        crowd.go_home()
    crowd.check(topology.environment)
    return crowd
