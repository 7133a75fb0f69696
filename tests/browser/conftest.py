"""A real browser in front of the real server."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Request, expect, sync_playwright

from tests.games.site.test_scripts import npm_package
from tests.journeys.conftest import Server
from tests.processes import newcomers_database

CHROMIUM = Path("/usr/bin/chromium")
# The same engine from the same sources, without windows and what belongs to them: less than half of the processor time.
HEADLESS_SHELL = Path("/usr/bin/chromium-headless-shell")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
# A third less processor time for a page: no renderer is started ahead, nor for the blank page before the first one, one
# thread paints, without WebGL. Another sixth: scripts run too soon after they are loaded to be worth optimising. Some
# more: no process of its own puts together what is painted, and a page is painted in a few large pieces.
THRIFTY = [
    "--js-flags=--no-opt --no-maglev",
    "--renderer-process-limit=1",
    "--num-raster-threads=1",
    "--in-process-gpu",
    "--default-tile-width=1536",
    "--default-tile-height=1024",
    "--disable-software-rasterizer",
    # Only the last list of features counts: those after the first are of Playwright's own, as far as pages notice them.
    (
        "--disable-features=SpareRendererForSitePerProcess,AvoidUnnecessaryBeforeUnloadCheckSync,HttpsUpgrades,PaintHolding,"
        "HttpsFirstBalancedModeAutoEnable,ThirdPartyStoragePartitioning,LensOverlay,MediaRouter,OptimizationHints"
    ),
]
# `make walk` tries everything with everything: every page by day and by night, every table at every size.
IS_WALK = bool(os.environ.get("WALK"))
# Where cards fly, a move takes nearly twice the processor time.
MOVING: Any = {"reduced_motion": "no-preference"}
# A desktop by all rules of the styles. Every change paints the whole window, which is less of it than is usual.
DESKTOP: Any = {"viewport": {"width": 1024, "height": 576}}
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}

# A limit for what never comes, not for what is slow: beside ten busy processes a password takes half a minute to hash.
MOST_MS = 180_000
expect.set_options(timeout=MOST_MS)

NewPage = Callable[..., Page]

GENEROUS = (
    *("PYRAMID_GUESTS_PER_HOUR", "PYRAMID_GUESTS_PER_DAY"),
    *("PYRAMID_ANONYMOUS_REQUESTS_PER_MINUTE", "PYRAMID_PAGES_PER_MINUTE"),
)
UNHURRIED = dict.fromkeys((*GENEROUS, "PYRAMID_REQUESTS_PER_MINUTE"), "100000")


@contextmanager
def newcomers_server(folder: Path, *commands: list[str]) -> Iterator[Server]:
    """Start a server with the daily deals of `make run` and what commands add."""
    with newcomers_database(folder, *commands) as environment, Server(environment | UNHURRIED).running() as server:
        yield server


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server for all modules. One whose tests look at what others have done has a server of its own."""
    with newcomers_server(tmp_path_factory.mktemp("browser")) as server:
        yield server


@pytest.fixture
def environment(server: Server) -> dict[str, str]:
    return server.environment


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Return what drives browsers. It ends before other tests use asyncio."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Return a browser for all modules; each page has a context of its own."""
    with started(playwright, HEADLESS_SHELL if HEADLESS_SHELL.exists() else CHROMIUM) as browser:
        yield browser


@contextmanager
def started(playwright: Playwright, program: Path) -> Iterator[Browser]:
    """Start a browser, which is thrifty, or skip the test that needs it."""
    if not program.exists():
        pytest.skip("This test needs a browser: apt-get install chromium")
    with playwright.chromium.launch(executable_path=program, args=[*ARGUMENTS, *THRIFTY]) as browser:
        yield browser


@pytest.fixture
def complaints() -> list[str]:
    """The browser's complaints: script errors, violated policies, missing files."""
    return []


@pytest.fixture
def new_page(browser: Browser, server: Server, complaints: list[str]) -> Iterator[NewPage]:
    """Open a page in a separate context: another person, another device. Motion is for those who ask for it."""
    contexts: list[BrowserContext] = []

    def open_page(**options: Any) -> Page:
        usual: dict[str, Any] = {"base_url": server.url, "timezone_id": "America/New_York", "reduced_motion": "reduce"}
        context = browser.new_context(**usual | DESKTOP | options)
        context.set_default_timeout(MOST_MS)
        if options.get("service_workers") != "allow":  # whose requests a test cannot replace
            context.add_init_script("delete Navigator.prototype.serviceWorker")
        contexts.append(context)
        return listening(context.new_page(), complaints)

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_page: NewPage) -> Page:
    return new_page()


def listening(page: Page, complaints: list[str]) -> Page:
    """Collect what the browser complains about on a page."""
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in {"error", "warning"} else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.extend(failure_of(request)))
    return page


def failure_of(request: Request) -> list[str]:
    """Return why a request failed, unless it was given up because the visitor went on to another page."""
    return [] if request.failure == "net::ERR_ABORTED" else [f"{request.url}: {request.failure}"]


@pytest.fixture(scope="module")
def axe() -> str:
    return (npm_package("axe-core") / "axe.min.js").read_text(encoding="utf-8")
