"""A tab that was open while the server was upgraded loads itself again, but never under somebody's hands."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.player import button, expect_dealt, open_practice
from tests.browser.test_lines import Line, assert_kept

AGE = "document.documentElement.dataset.release = 'old'; window.isOld = true"
COME_BACK = "dispatchEvent(new Event('online'))"
GO_BACK = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"  # to a page that the browser kept
IS_OLD = "window.isOld === true"


def test_an_old_tab_is_loaded_anew_when_nobody_is_at_it_and_no_move_is_pending(page: Page) -> None:
    line = Line(page)
    page.clock.install()
    open_practice(page)
    page.clock.run_for(6000)
    with page.expect_response("**/release/"):  # a line that comes back because no answer came asks, too
        page.evaluate(AGE)
        line.swallows_answers = True
        button(page, "stock").click()
        page.evaluate(COME_BACK)
    page.clock.run_for(30_000)
    assert page.evaluate(IS_OLD), "a move was pending"
    line.cut()
    line.mend()
    page.clock.run_for(60_000)
    expect(page.locator("html")).not_to_have_attribute("data-release", "old")
    page.clock.resume()
    assert_kept(page, 1)


def test_a_page_as_new_as_the_server_stays_and_so_does_a_form_that_is_being_filled_in(page: Page) -> None:
    page.clock.install()
    page.goto("/account/claim/")
    page.evaluate("window.isOld = true")
    with page.expect_response("**/release/"):
        page.evaluate(COME_BACK)
    page.clock.run_for(30_000)
    assert page.evaluate(IS_OLD)
    page.evaluate(AGE)
    page.clock.run_for(6000)
    page.get_by_label("Handle").fill("dave")
    with page.expect_response("**/release/"):
        page.evaluate(COME_BACK)
    page.clock.run_for(30_000)
    expect(page.get_by_label("Handle")).to_have_value("dave")
    page.get_by_label("Handle").fill("")
    page.clock.run_for(30_000)
    expect(page.locator("html")).not_to_have_attribute("data-release", "old")


def test_alice_who_has_become_a_guest_goes_back_to_the_first_page_and_its_form_is_accepted(page: Page) -> None:
    page.goto("/")
    page.evaluate("window.isOld = true")
    page.evaluate(GO_BACK)
    page.get_by_role("link", name="Sign in", exact=True).focus()
    assert page.evaluate(IS_OLD), "she was still a stranger"
    open_practice(page.context.new_page())
    page.evaluate(GO_BACK)
    expect(page.locator("header")).to_contain_text("Signed in as")
    page.get_by_role("button", name="Play today").click()
    expect_dealt(page)
