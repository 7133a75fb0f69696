from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.player import button, middle, open_practice, play_on, resign, settle


def test_an_account_is_claimed_and_used_by_keyboard_alone(page: Page, complaints: list[str]) -> None:
    page.goto("/account/claim/")
    page.get_by_label("Handle").focus()
    for text in ("carol", "Carol", "correct horse battery"):
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(text)
        page.keyboard.press("Enter" if text == "correct horse battery" else "Tab")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    page.get_by_role("button", name="Sign out", exact=True).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("pyramid is dealt")
    page.wait_for_load_state("networkidle")
    page.goto("/account/sign-in/")
    page.get_by_label("Handle").fill("carol")
    page.get_by_label("Password").fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Wrong handle or password.")
    expect(page.get_by_role("alert")).to_be_focused()
    page.get_by_label("Password").fill("correct horse battery")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_contain_text("You are signed in as Carol")
    assert complaints == []


def test_a_guest_registers_in_one_step_and_keeps_the_games(page: Page, complaints: list[str]) -> None:
    open_practice(page)
    play_on(page, lambda one: one.click(), most=3)
    address = page.url
    resign(page)
    page.get_by_role("link", name="Keep your games with a name and a password").click()
    page.get_by_label("Handle").fill("dora")
    page.get_by_label("Name", exact=True).fill("Dora")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Register").click()
    expect(page.locator(".who")).to_contain_text("Dora")
    page.get_by_role("link", name="Your games and statistics").click()
    expect(page.locator("tbody a[href^='/games/']")).to_have_count(1)
    page.goto(address)
    expect(page.get_by_role("slider", name="Move")).to_be_visible()
    assert complaints == []


def test_a_name_of_200_characters_is_refused_in_words_and_nothing_is_lost(page: Page) -> None:
    page.goto("/account/claim/")
    page.evaluate("document.querySelectorAll('input').forEach((one) => one.removeAttribute('maxlength'))")
    page.get_by_label("Handle").fill("erin")
    page.get_by_label("Name", exact=True).fill("E" * 200)
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("alert")).to_contain_text("at most 40 characters")
    expect(page.get_by_label("Handle")).to_have_value("erin")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()


def test_a_button_that_alice_presses_twice_makes_one_token(page: Page) -> None:
    sent: list[Route] = []
    open_practice(page)
    page.goto("/account/keys/")
    page.get_by_label("Name", exact=True).fill("My bot")
    make = page.get_by_role("button", name="Make a token")
    make.scroll_into_view_if_needed()
    place = middle(make)
    page.route("**/account/keys/", lambda route: sent.append(route))  # noqa: PLW0108  Playwright marks it
    for _ in range(2):
        page.mouse.click(*place)
        page.wait_for_timeout(500)
    assert len(sent) == 1
    sent[0].continue_()
    expect(page.get_by_text("It is shown only once")).to_be_visible()


def test_settings_are_kept_and_shown_on_the_next_table(page: Page, complaints: list[str]) -> None:
    page.goto("/settings/")
    expect(page.get_by_label("Sounds")).to_have_value("0")
    page.get_by_label("Four colours").check()
    page.get_by_label("Stock on the right").check()
    page.get_by_label("Disable letter keys").check()
    expect(page.locator("#saved")).to_have_text("Saved.")
    open_practice(page)
    expect(page.locator("html")).to_have_attribute("data-options", "four mirrored noletters")
    stock, removed = button(page, "stock").bounding_box(), button(page, "removed").bounding_box()
    assert stock
    assert removed
    assert stock["x"] > removed["x"]
    page.keyboard.press("d")
    settle(page)
    expect(page.locator("[data-figure=moves]").first).to_have_text("0")
    assert complaints == []


def test_without_javascript_the_tables_can_be_read(new_page: NewPage) -> None:
    page = new_page(java_script_enabled=False)
    page.goto("/")
    page.get_by_role("link", name="the score tables do not").click()
    expect(page.get_by_role("table")).to_be_visible()


def test_without_cookies_a_form_is_refused_in_words(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.context.clear_cookies()
    page.get_by_role("button", name="Play today").click()
    expect(page.get_by_role("main")).to_contain_text("Allow cookies")
