"""The pages that a newcomer's browser loads with an empty cache, from a server that was started as `make run` does."""

from __future__ import annotations

from playwright.sync_api import CDPSession, Page

from tests.browser.player import expect_dealt

MOST_REQUESTS, MOST_BYTES = 12, 70_000  # of one page, as they are on the wire


class Loaded:
    """Counts what a page loads."""

    def __init__(self, page: Page) -> None:
        self.addresses: list[str] = []
        self.bytes = 0
        self._devtools: CDPSession = page.context.new_cdp_session(page)
        self._devtools.send("Network.enable")
        self._devtools.on("Network.requestWillBeSent", lambda event: self.addresses.append(event["request"]["url"]))
        self._devtools.on("Network.loadingFinished", lambda event: self._add(event["encodedDataLength"]))

    def _add(self, length: int) -> None:
        self.bytes += length

    def forget(self) -> None:
        """Begin to count again, with an empty cache."""
        self._devtools.send("Network.clearBrowserCache")
        self.addresses.clear()
        self.bytes = 0


def test_the_first_page_and_a_game_are_a_few_small_files(page: Page, complaints: list[str]) -> None:
    loaded = Loaded(page)
    page.goto("/", wait_until="networkidle")
    assert len(loaded.addresses) <= MOST_REQUESTS, loaded.addresses
    assert 5_000 < loaded.bytes <= MOST_BYTES
    loaded.forget()
    with page.expect_navigation(url="**/games/*/", wait_until="networkidle"):
        page.get_by_role("button", name="Play today").click()
    expect_dealt(page)
    assert any("/static/games/pages/play." in address for address in loaded.addresses)
    assert len(loaded.addresses) <= MOST_REQUESTS, loaded.addresses
    assert 20_000 < loaded.bytes <= MOST_BYTES
    assert complaints == []
