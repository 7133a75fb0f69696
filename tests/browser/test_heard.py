"""The tables as people hear them: what their screen readers are given to read out, and how often."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.player import await_frame, button, open_practice, resign, settle
from tests.browser.test_puzzles import PUZZLE, open_puzzle

LISTEN = """() => {
    globalThis.heard = [];
    const read = (changes) => heard.push(...new Set(changes.map(({ target }) => target.textContent)));
    for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]"))
        new MutationObserver(read).observe(region, { childList: true, characterData: true, subtree: true });
}"""


def heard(page: Page) -> list[str]:
    """Return what was read out since the last call."""
    await_frame(page)
    texts: list[str] = page.evaluate("() => heard.splice(0)")
    return [text.strip() for text in texts]


def hear_next(page: Page) -> str:
    """Wait for a sentence, and return it."""
    page.wait_for_function("() => heard.length")
    (text,) = heard(page)
    return text


def test_alice_hears_what_she_asks_for_as_often_as_she_asks_and_once_what_she_draws_in_play_and_in_the_replay(
    page: Page,
) -> None:
    open_practice(page)
    pairs = page.locator(".rail").get_by_role("list", name="These leave together").get_by_role("listitem")
    expect(pairs).to_have_text(["A Q", "2 J", "3 10", "4 9", "5 8", "6 7", "K"])
    settle(page)
    page.evaluate(LISTEN)
    for key in ("s", "s", "s"):
        page.keyboard.press(key)
        assert [text[:18] for text in heard(page)] == ["28 left to remove,"]
    for _ in range(2):
        assert [text[:10] for text in heard_after_taps(page)] == ["Covered by"]
    drawn = []
    for _ in range(2):
        page.keyboard.press("d")
        drawn.append(hear_next(page))
    for _ in range(2):
        expect_hint_that_names_what_it_rings(page)
    resign(page)
    page.get_by_role("link", name="See how it could have gone").click()
    expect(page.get_by_role("slider", name="Move")).to_be_enabled()
    page.evaluate(LISTEN)
    for sentence in drawn:
        page.keyboard.press("ArrowRight")
        assert hear_next(page).split(" · ")[0] == sentence


def heard_after_taps(page: Page) -> list[str]:
    """Tap a covered card until something is read out: two quick taps are one."""
    while True:
        button(page, "tableau", 20).press("Enter")
        if texts := heard(page):
            return texts


def expect_hint_that_names_what_it_rings(page: Page) -> None:
    page.keyboard.press("h")
    text = hear_next(page)
    reason = page.locator("#hello").text_content() or ""
    assert text.endswith(reason)
    rung = page.locator(".card.hinted").count()
    named = re.findall(r"(?:\w+) of (?:clubs|diamonds|hearts|spades)", text.removesuffix(reason))
    assert len(named) == rung
    assert rung or text.startswith("Stock, 22 cards. Draw. ")


def test_a_puzzle_says_once_why_a_card_stays(page: Page) -> None:
    open_puzzle(page, PUZZLE)
    page.evaluate(LISTEN)
    page.locator("button[data-zone=tableau][aria-disabled=true]:not([hidden])").first.press("Enter")
    expect(page.locator("#tells")).to_contain_text("Covered by")
    assert heard(page) == [page.locator("#tells").text_content()]


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


def test_bob_hears_the_game_that_he_watches(page: Page, new_page: NewPage) -> None:
    open_practice(page)
    settle(page)
    bob = new_page()
    bob.goto(page.url)
    bob.get_by_role("button", name="Go on as a guest and watch").click()
    expect(button(bob, "stock")).to_be_visible()
    bob.evaluate(LISTEN)
    page.keyboard.press("d")
    assert re.fullmatch(r"Drawn: .+\. 23 in the stock\.", hear_next(bob))
    page.keyboard.press("u")
    assert hear_next(bob) == "Undone. 28 left."
