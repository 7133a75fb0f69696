"""The first minutes of a server on a machine that has compiled nothing yet."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest

from games.rules import RULE_SETS
from tests.journeys.conftest import Server
from tests.journeys.shell import code_under, shell
from tests.processes import own_database


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


def tap(browser: OpenerDirector, server: Server, rules: str) -> str:
    """Tap rules on the page of practice, and return the page of the game that is dealt."""
    with browser.open(f"{server.url}/practice/") as page:
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
    assert token
    form = urlencode({"csrfmiddlewaretoken": token[1], "rules": rules}).encode()
    with browser.open(f"{server.url}/practice/", form) as game:
        return str(game.read().decode())


def test_every_practice_deal_of_a_server_that_has_not_compiled_its_solver_can_be_won(cold_server: Server) -> None:
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    for rules in ("standard", "giza", "apophis", "up-and-down"):
        game = tap(browser, cold_server, rules)
        assert f'href="/rules/{RULE_SETS[rules].slug}/"' in game
        assert "This deal can be won." in game


def test_ten_lines_of_shell_play_a_game_to_its_end(cold_server: Server) -> None:
    script = code_under("README.md", "A game in ten lines of shell")
    assert len(script.strip().splitlines()) == 10
    position, result = shell(script, cold_server.url).splitlines()
    assert position.count("??") == 24
    ended = json.loads(result)
    assert ended["result"] in {"stuck", "resigned"}
    assert 24 <= ended["moves"] <= 40
