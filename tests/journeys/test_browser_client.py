"""The protocol module of the pages, alone in Node, against the real server."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.games.site.test_scripts import NODE, needs_node
from tests.journeys.conftest import Server
from tests.processes import own_database

SCRIPTS = Path(__file__).parents[1] / "games" / "site" / "scripts"
ACTIONS = 40


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all rule sets: each game has a player of its own."""
    with own_database(tmp_path_factory.mktemp("client")) as environment, Server(environment).running() as server:
        yield server


@needs_node
@pytest.mark.parametrize("rules", ["standard", "relaxed"])
def test_no_move_is_lost_or_made_twice_though_the_line_is_cut_again_and_again(server: Server, rules: str) -> None:
    command = [
        str(NODE),
        "--experimental-websocket",
        "--no-warnings",
        f"--import={SCRIPTS}/roots.mjs",
        f"{SCRIPTS}/live.mjs",
    ]
    ended = subprocess.run(
        [*command, str(server.port), rules, str(ACTIONS)], capture_output=True, text=True, timeout=300, check=False
    )
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout.splitlines()[-1])
    assert told["cuts"] > 1
    assert told["states"] > told["cuts"] // 2
    assert told["actions"] == told["sent"]
    assert told["shown"] == told["kept"]
