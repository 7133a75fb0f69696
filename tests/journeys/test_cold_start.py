"""The first minutes of a server on a machine that has compiled nothing yet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest

from games.rules import RULE_SETS
from tests.journeys.conftest import Server
from tests.processes import own_database


@pytest.fixture
def cold_server(tmp_path: Path) -> Iterator[Server]:
    with own_database(tmp_path) as own:
        server = Server(own | {"NUMBA_CACHE_DIR": str(tmp_path / "machine-code")})
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
