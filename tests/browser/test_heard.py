"""The tables as people hear them: what their screen readers are given to read out, and how often."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.player import open_practice


def test_the_veil_of_a_table_is_read_with_its_button_and_leads_alice_who_has_signed_out_to_a_page_that_says_so(
    page: Page,
) -> None:
    open_practice(page)
    other = page.context.new_page()
    other.goto("/account/")
    other.get_by_role("button", name="Sign out", exact=True).click()
    again = page.get_by_role("button", name="Reload the page")
    expect(again).to_be_focused()
    expect(again).to_have_accessible_description(
        "You are no longer signed in Sign in again, and the game goes on where it was."
    )
    again.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("This game is not public yet")
