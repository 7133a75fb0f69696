"""A real browser in front of the real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.journeys.conftest import Server
from tests.processes import own_database

CHROMIUM = Path("/usr/bin/chromium")

# Patience, not a limit: the machine may be busy.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with own_database(tmp_path_factory.mktemp("browser")) as environment:
        yield environment


@pytest.fixture(scope="module")
def server(environment: dict[str, str]) -> Iterator[Server]:
    server = Server(environment)
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip("This test needs a browser: apt-get install chromium")
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=CHROMIUM) as browser:
        yield browser


@pytest.fixture
def complaints() -> list[str]:
    """What the browser complained about: script errors, broken policies, missing files."""
    return []


@pytest.fixture
def page(browser: Browser, server: Server, complaints: list[str]) -> Iterator[Page]:
    with browser.new_context(base_url=server.url, timezone_id="America/New_York") as context:
        page = context.new_page()
        page.on(
            "console", lambda message: complaints.append(message.text) if message.type in {"error", "warning"} else None
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda request: complaints.append(f"{request.url}: {request.failure}"))
        yield page
