"""On a phone: sign in with an issuer, play, come back, add a password, and remove the issuer."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from subprocess import DEVNULL
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, UNHURRIED, NewPage
from tests.browser.player import open_practice, play_on
from tests.journeys.conftest import Server
from tests.processes import free_port, newcomers_database
from tests.with_servers import started, wait_for


@pytest.fixture(scope="module")
def school() -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    address = f"http://127.0.0.1:{port}"
    with started(command, signal.SIGTERM, stdout=DEVNULL, stderr=DEVNULL) as issuer:
        wait_for(issuer, lambda: urlopen(address, timeout=30).close(), OSError)
        yield address


@pytest.fixture(scope="module")
def server(school: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    issuers = {"school": {"label": "Northfield School", "issuer": school, "client_id": "pyramid", "client_secret": "s"}}
    with newcomers_database(tmp_path_factory.mktemp("signing_in")) as environment:
        own = environment | UNHURRIED | {"PYRAMID_SIGN_IN_WITH": json.dumps(issuers)}
        with Server(own).running() as server:
            yield server


def at_school(page: Page, button: str) -> None:
    """Press a button that leads to the issuer, and prove there who one is."""
    page.get_by_role("button", name=button).click()
    page.get_by_placeholder("sub").fill("pupil-17")
    picture(page, "issuer")
    page.get_by_role("button", name="Authorize").click()


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("PICTURES"):
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.screenshot(path=f"{folder}/{name}-{theme}.png", full_page=True)


@pytest.fixture
def phone(new_page: NewPage) -> Callable[[], Page]:
    """Open a page on another phone, without the style sheet of the issuer, which lies on the internet."""

    def open_page() -> Page:
        page = new_page(**PHONE)
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
