"""Dana signs in with a passkey that Chromium's virtual authenticator keeps, as the telephone in her hand would."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.conftest import PHONE, NewPage
from tests.browser.player import open_practice, play_on
from tests.browser.telephone import TELEPHONE, with_telephone
from tests.browser.test_signing_in import picture
from tests.journeys.conftest import Server


@pytest.fixture
def phone(new_page: NewPage, server: Server) -> Callable[..., Page]:
    """Open a page under the name of this machine: an address in numbers has no passkeys."""
    return lambda **options: new_page(**PHONE, **options | {"base_url": server.url.replace("127.0.0.1", "localhost")})


@pytest.fixture
def page(phone: Callable[..., Page]) -> Page:
    return phone()


def sign_out(page: Page) -> None:
    page.goto("/account/")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()


def sign_in(page: Page) -> None:
    page.goto("/account/sign-in/")
    page.get_by_role("button", name="Sign in with a passkey").click()


def test_dana_registers_signs_in_and_removes_a_passkey(page: Page, complaints: list[str]) -> None:
    session, telephone = with_telephone(page)
    open_practice(page)
    play_on(page, lambda one: one.tap(), most=2)
    register(page)
    sign_out(page)
    picture(page, "signed-out")
    sign_in(page)
    expect(page.get_by_role("main")).to_contain_text("handle dana")
    confirm_and_choose_a_password(page)
    have_two_of_which_one_is_removed(page, session, telephone)
    assert [one for one in complaints if "the server responded with" not in one] == []  # what was refused on purpose


def register(page: Page) -> None:
    page.goto("/account/claim/")
    picture(page, "claim-with-passkey")
    page.get_by_label("Handle").fill("admin")
    register_button = page.get_by_role("button", name="Register with a passkey")
    register_button.click()
    expect(page.get_by_role("alert").filter(has_text="reserved")).to_be_visible()
    page.get_by_label("Handle").fill("dana")
    register_button.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    expect(page.get_by_role("main")).to_contain_text("handle dana")


def confirm_and_choose_a_password(page: Page) -> None:
    page.get_by_role("link", name="Ways to sign in").click()
    expect(page.get_by_role("button", name="Remove")).to_be_disabled()
    picture(page, "ways-unconfirmed")
    page.get_by_role("button", name="Sign in again with a passkey").click()
    expect(page.get_by_role("status")).to_contain_text("For ten minutes")
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("alert").filter(has_text="your only way to sign in")).to_be_visible()
    page.get_by_role("link", name="Choose a password").click()
    page.get_by_label("New password").fill("correct horse battery")
    page.get_by_role("button", name="Choose a password").click()


def have_two_of_which_one_is_removed(page: Page, session: CDPSession, telephone: str) -> None:
    page.get_by_role("link", name="Ways to sign in").click()
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_label("Name of the passkey").fill("Blue key")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("alert").filter(has_text="has a passkey of your account already")).to_be_visible()
    session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": telephone})
    session.send("WebAuthn.addVirtualAuthenticator", {"options": TELEPHONE})
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("status")).to_contain_text("you can sign in with this passkey")
    picture(page, "ways-with-passkeys")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("listitem").filter(has_text="Blue key").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("status")).to_contain_text("You can no longer sign in with it.")
    sign_out(page)
    sign_in(page)
    expect(page.get_by_role("main")).to_contain_text("That did not work")


def test_a_cancelled_question_is_a_sentence(page: Page) -> None:
    session, telephone = with_telephone(page)
    page.goto("/account/sign-in/")
    session.send("WebAuthn.setUserVerified", {"authenticatorId": telephone, "isUserVerified": False})
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert").filter(has_text="cancelled, or it took too long")).to_be_visible()


def test_a_browser_without_passkeys_says_so_instead_of_a_button(page: Page) -> None:
    page.add_init_script("delete window.PublicKeyCredential")
    page.goto("/account/sign-in/")
    expect(page.get_by_text("This browser cannot use passkeys.")).to_be_visible()
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()


def test_without_a_script_there_is_a_sentence_instead_of_a_button(phone: Callable[..., Page]) -> None:
    page = phone(java_script_enabled=False)
    page.goto("/account/sign-in/")
    expect(page.locator("noscript p")).to_have_text("Passkeys need JavaScript.")
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()


def test_at_an_address_in_numbers_there_is_nothing_of_passkeys(new_page: NewPage) -> None:
    page = new_page(**PHONE)
    page.goto("/account/sign-in/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    expect(page.get_by_text("passkey")).to_have_count(0)
