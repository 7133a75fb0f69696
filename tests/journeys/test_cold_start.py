"""The first minutes of a server on a machine that has compiled nothing yet."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from games.rules import RULE_SETS
from tests.journeys.conftest import Server
from tests.journeys.shell import code_under, shell
from tests.processes import own_database
from tests.visitor import Visitor


@pytest.fixture(scope="module")
def cold_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("cold")
    with own_database(folder, is_empty=True) as own:
        server = Server(own | {"NUMBA_CACHE_DIR": str(folder / "machine-code")})
        server.start()
        try:
            yield server
        finally:
            server.kill()  # a compiler would not stop for less
            server.close()


def test_every_practice_deal_of_a_server_that_has_not_compiled_its_solver_can_be_won(cold_server: Server) -> None:
    visitor = Visitor(cold_server.url)
    for rules in ("standard", "giza", "apophis", "up-and-down"):
        game = visitor.send("/practice/", rules=rules)
        assert f'href="/rules/{RULE_SETS[rules].slug}/"' in game
        assert "This deal can be won." in game


def test_eleven_lines_of_shell_play_a_game_to_its_end(cold_server: Server) -> None:
    script = code_under("README.md", "A game in eleven lines of shell")
    assert len(script.strip().splitlines()) == 11
    position, result = shell(script, cold_server.url).splitlines()
    assert position.count("??") == 24
    ended = json.loads(result)
    assert ended["result"] in {"won", "stuck", "resigned"}
    assert 24 <= ended["moves"] <= 40
