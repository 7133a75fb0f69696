"""On a phone: sign in with an issuer, play, come back, add other ways in and allow apps, and end that again."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import DEVNULL
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, UNHURRIED, NewPage
from tests.browser.other_sites import site_of
from tests.browser.player import open_daily, open_practice, play_on
from tests.browser.telephone import with_telephone
from tests.journeys.conftest import Server
from tests.journeys.guides import block
from tests.processes import MANAGE, free_port, newcomers_database, run
from tests.with_servers import started, wait_for


@pytest.fixture(scope="module")
def school() -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    address = f"http://127.0.0.1:{port}"
    with started(command, signal.SIGTERM, stdout=DEVNULL, stderr=DEVNULL) as issuer:
        wait_for(issuer, lambda: urlopen(address, timeout=90).close(), OSError)
        yield address


@pytest.fixture(scope="module")
def server(school: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    issuers = {"school": {"label": "Northfield School", "issuer": school, "client_id": "pyramid", "client_secret": "s"}}
    with newcomers_database(tmp_path_factory.mktemp("signing_in")) as environment:
        own = environment | UNHURRIED | {"PYRAMID_SIGN_IN_WITH": json.dumps(issuers)}
        with Server(own).running() as server:
            yield server


def at_school(page: Page, button: str, pupil: str = "pupil-17") -> None:
    """Press a button that leads to the issuer, and prove there who one is."""
    page.get_by_role("button", name=button).click()
    page.get_by_placeholder("sub").fill(pupil)
    picture(page, "issuer")
    page.get_by_role("button", name="Authorize").click()


def named(server: Server) -> str:
    """Return the address of a server by a name: passkeys need one."""
    return server.url.replace("127.0.0.1", "localhost")


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("PICTURES"):
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.screenshot(path=f"{folder}/{name}-{theme}.png", full_page=True)


@pytest.fixture
def phone(new_page: NewPage, server: Server) -> Callable[[], Page]:
    """Open a page on another phone, without the style sheet of the issuer, which lies on the internet."""

    def open_page() -> Page:
        page = new_page(**PHONE, base_url=named(server))
        page.route("https://cdn.jsdelivr.net/**", lambda route: route.fulfill(body=""))
        return page

    return open_page


def test_carol_signs_in_with_an_issuer_and_always_keeps_a_way_in(
    phone: Callable[[], Page], complaints: list[str]
) -> None:
    page = phone()
    open_practice(page)
    play_on(page, lambda one: one.tap(), most=2)
    page.goto("/account/claim/")
    picture(page, "claim")
    at_school(page, "Sign in with Northfield School")
    expect(page.get_by_role("heading", level=1)).to_have_text("Keep your games")
    picture(page, "new-account")
    page.get_by_label("Handle").fill("carol")
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    add_a_password_and_leave_the_school(phone())
    assert complaints == []


def add_a_password_and_leave_the_school(page: Page) -> None:
    page.goto("/account/sign-in/")
    picture(page, "sign-in")
    at_school(page, "Sign in with Northfield School")
    expect(page.get_by_role("main")).to_contain_text("handle carol")
    page.get_by_role("link", name="Ways to sign in").click()
    expect(page.get_by_role("button", name="Remove")).to_be_disabled()
    picture(page, "ways")
    at_school(page, "Sign in again with Northfield School")
    expect(page.get_by_role("status")).to_contain_text("For ten minutes")
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("alert")).to_contain_text("your only way to sign in")
    page.get_by_role("link", name="Choose a password").click()
    page.get_by_label("New password").fill("correct horse battery")
    page.get_by_role("button", name="Choose a password").click()
    page.get_by_role("link", name="Ways to sign in").click()
    picture(page, "ways-with-password")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("status")).to_contain_text("You can no longer sign in with it.")


# What an app would do to stay connected. Why its socket closes becomes the title of its page.
CONNECT = """async (server) => {
    const headers = { Authorization: `Bearer ${sessionStorage.getItem("token")}` };
    const { ticket } = await (await fetch(`${server}/api/tickets/`, { method: "POST", headers })).json();
    const socket = new WebSocket(`${server.replace("http", "ws")}/ws/daily/standard/?ticket=${ticket}`);
    socket.onclose = ({ code }) => (document.title = `closed ${code}`);
    await new Promise((resolve) => (socket.onmessage = resolve));
}"""


@pytest.fixture
def app_page(server: Server, tmp_path: Path) -> Iterator[str]:
    """The page of the guide, on another origin, registered by the one command of the guide."""
    server.post("/api/register/", {"handle": "frank", "password": "correct horse battery"})
    text = block("app-page.md", "html", named(server))
    assert len(text.splitlines()) <= 60
    with site_of(tmp_path) as site:
        address = f"{site}/play.html"
        app = run([*MANAGE, "register_app", "frank", "My page", address], server.environment).stdout.strip()
        (tmp_path / "play.html").write_text(text.replace("YOUR-CLIENT-ID", app))
        yield address


def test_erin_signs_in_adds_a_passkey_and_ends_what_an_app_may_do_so_that_its_socket_closes(
    phone: Callable[[], Page], server: Server, app_page: str
) -> None:
    page = phone()
    with_telephone(page)
    open_daily(page)
    play_on(page, lambda one: one.tap(), most=2)
    page.goto("/account/claim/")
    at_school(page, "Sign in with Northfield School", "pupil-18")
    page.get_by_label("Handle").fill("erin")
    page.get_by_role("button", name="Register").click()
    add_a_passkey(page)
    app = page.context.new_page()
    play_through_the_app(app, app_page)
    app.evaluate(CONNECT, named(server))
    page.goto("/account/apps/")
    picture(page, "allowed-apps")
    page.get_by_role("button", name="End the access of My page").click()
    expect(page.get_by_role("main")).to_contain_text("No app has access to your account.")
    expect(app).to_have_title("closed 4401")
    app.get_by_role("button", name="Play as yourself").click()
    expect(app.locator("#moves")).to_contain_text("nvalid")
    picture(app, "app-ended")


def add_a_passkey(page: Page) -> None:
    page.get_by_role("link", name="Ways to sign in").click()
    at_school(page, "Sign in again with Northfield School", "pupil-18")
    page.get_by_label("Name of the passkey").fill("Telephone")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("status")).to_contain_text("you can sign in with this passkey")
    picture(page, "ways-with-passkey")


def play_through_the_app(app: Page, address: str) -> None:
    app.goto(address)
    app.get_by_role("button", name="Play as yourself").click()
    expect(app.get_by_role("main")).to_contain_text("My page, an app that frank has registered")
    picture(app, "consent")
    app.get_by_role("button", name="Allow", exact=True).click()
    expect(app.locator("#position")).to_contain_text("??")
    assert app.url == address
    before = app.locator("#position").inner_text()
    app.locator("#moves").get_by_role("button", name="D", exact=True).click()
    expect(app.locator("#position")).not_to_have_text(before)
