"""The pages that a newcomer's browser loads with an empty cache, from a server that was started as `make run` does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import CDPSession, Page, Route, expect

from tests.browser.player import button, expect_dealt, open_practice, resign, settle, wait_until

MOST_REQUESTS, MOST_BYTES = 12, 70_000  # of one page, as they are on the wire
# What can be seen and pressed, but for buttons that send a form; one that asks before it does needs the script, too.
PRESSED_IN_VAIN = """[...document.querySelectorAll('button:enabled, input:enabled, select:enabled')]
    .filter((one) => one.checkVisibility() && (!one.form || 'endsGame' in one.form.dataset))
    .map((one) => one.outerHTML)"""


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


# A browser shows nothing before its style sheets have come: until then a hidden button may seem to be there.
IS_SHOWN = """document.readyState === 'interactive'
    && [...document.querySelectorAll('link[rel=stylesheet]')].every((link) => link.sheet)"""


@contextmanager
def opened_before_its_scripts(page: Page, address: str) -> Iterator[None]:
    """Open a page whose scripts do not arrive; afterwards they do."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/static/games/pages/*.js", hold)
    page.goto(address, wait_until="commit")
    wait_until(page, IS_SHOWN)
    yield
    for route in held:
        route.continue_()
    page.unroute_all()
    page.wait_for_load_state()


def test_what_needs_the_script_cannot_be_pressed_before_it_has_run(page: Page, complaints: list[str]) -> None:
    open_practice(page)
    game = page.url
    more = page.locator(".tools").get_by_role("button", name="More", exact=True)
    for address in ("/", "/offline/", game):
        with opened_before_its_scripts(page, address):
            assert page.evaluate(PRESSED_IN_VAIN) == []
    expect(page.get_by_role("button", name="Restart")).to_be_enabled()
    more.click()
    expect(page.locator("#menu")).to_be_visible()
    page.keyboard.press("Escape")
    button(page, "stock").click()
    settle(page)
    resign(page)
    with opened_before_its_scripts(page, game):
        assert page.evaluate(PRESSED_IN_VAIN) == []
    for name, at in (("One move on", "1"), ("One move back", "0")):
        page.get_by_role("button", name=name).click()
        expect(page.locator("#at")).to_have_value(at)
    expect(page.locator("#at")).to_be_enabled()
    more.click()
    expect(page.locator("#menu")).to_be_visible()
    assert complaints == []
