"""Reviewers at the desk, who use nothing but the keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.leaderboards.desk.plant import PASSWORD

KEYS = {"disqualify": "3", "clear": "1"}
BEGINNINGS = {
    "The times are those of a program": "The times",
    "Choices fit cards": "The play",
    "Follows lines": "The games",
}
WRITTEN = "t3d: letters rest in fields"


def signed_in(page: Page, name: str) -> Page:
    page.goto("/admin/login/?next=/admin/review/")
    page.fill("#id_username", name)
    page.fill("#id_password", PASSWORD)
    page.press("#id_password", "Enter")
    arrive(page, page.get_by_role("heading", name="Queue"))
    return page


def as_player(page: Page, handle: str) -> Page:
    page.goto("/account/sign-in/")
    page.get_by_label("Handle").fill(handle)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    return page


def appeal(page: Page) -> None:
    """Appeal against the newest decision about the player's own scores."""
    page.goto("/review/own/")
    page.get_by_text("Appeal, until").first.click()
    page.get_by_label("Why it is wrong").first.fill("I played all of it myself, on my phone.")
    page.get_by_role("button", name="Appeal").first.click()
    expect(page.get_by_text("there is no answer yet").first).to_be_visible()


def decide_all(page: Page) -> list[str]:
    """Go through the open cases of the queue, deciding those that may be taken, and return what was said of each."""
    numbers = [row.get_attribute("data-case") or "" for row in page.locator("tr.row").all()]
    return [said for number in numbers if (said := _decide(page, number))]


def open_case(page: Page, number: str) -> None:
    """Search for a case by its number, on any page of the desk, and open the only one found."""
    page.keyboard.press("/")
    page.keyboard.type(number)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"[?&]q={number}$"))  # the queue may have had one row before, too
    expect(page.locator("tr.row")).to_have_count(1)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    arrive(page, page.get_by_role("heading", name="The score"))


def arrive(page: Page, sign: Locator) -> None:
    """Wait for the page with this sign, and for its script: before it has run, keys do nothing."""
    expect(sign).to_be_visible()
    page.wait_for_load_state()


def look_at_the_changes(page: Page, outcome: str, reason: str) -> None:
    """Choose on the panel of a case that was taken, as far as the page on which to confirm."""
    page.keyboard.press("d")
    page.keyboard.press(KEYS[outcome])
    expect(page.locator("#who-said, .who-moves tbody tr").first).to_be_attached()
    page.keyboard.press("Tab")
    page.keyboard.type(reason)
    page.keyboard.press("Tab")
    page.keyboard.type(WRITTEN)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    arrive(page, page.get_by_role("heading", name="Changes of rank", level=2))  # the panel has one of level 3


def _decide(page: Page, number: str) -> str:
    """Decide a case, against the player if something was found that makes a case; nothing if it waits for another."""
    open_case(page, number)
    page.keyboard.press("t")
    choosing = page.locator("form.choose").or_(page.get_by_text("has to look at", exact=False))
    arrive(page, choosing.first)
    if not page.locator("form.choose").count():
        return ""
    against = page.get_by_text("Opens a case.").count() > 0
    found = page.locator("#findings h3").first.text_content() or ""
    reason = next((first for title, first in BEGINNINGS.items() if title in found), "")
    look_at_the_changes(page, *(("disqualify", reason) if against else ("clear", "What was")))
    page.keyboard.press("Control+Enter")
    said = page.locator(".messagelist")
    expect(said).to_be_visible()
    return (said.text_content() or "").strip()
