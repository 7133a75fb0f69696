"""Without a line one can practise; what is kept for that is of one release, and never personal."""

from __future__ import annotations

import json
import re
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.player import button, free_cards, open_practice, pair_of_thirteen, settle, version, wait_until
from tests.journeys.conftest import Server

IS_READY = "navigator.serviceWorker.ready.then(() => true)"
KEPT = """async () => {
    const kept = {};
    for (const name of await caches.keys()) {
        kept[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
    }
    return kept;
}"""
# What a page notices of a server that is gone and comes back: nothing but its own requests.
ALWAYS_A_NETWORK = """
    Object.defineProperty(Navigator.prototype, "onLine", { get: () => true });
    for (const name of ["online", "offline"]) addEventListener(name, (event) => event.stopImmediatePropagation());
"""
ASKED_AGAIN = 10_000  # milliseconds after which a page asks for the server again


@pytest.fixture
def page(new_page: NewPage) -> Page:
    return new_page(service_workers="allow")


def test_without_a_line_one_practises_on_a_deal_of_this_device(page: Page, complaints: list[str]) -> None:
    page.goto("/practice/")
    assert page.evaluate(IS_READY)
    page.context.set_offline(True)
    page.goto("/practice/")
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator("[data-figure=left]").first).to_have_text("28")
    for _ in range(30):
        settle(page)
        cards, before = free_cards(page), version(page)
        for card in pair_of_thirteen(list(cards)):
            cards[card].click()
        if version(page) == before:
            button(page, "stock").click()
        assert version(page) == before + 1
        if page.locator("[data-figure=left]").first.text_content() != "28":
            break
    moves = version(page)
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("[data-figure=left]").first).to_have_text("28")
    assert version(page) == moves + 1
    page.get_by_role("button", name="More").click()
    expect(page.get_by_text("You are offline. Hints, ranks and races wait for a connection.")).to_be_visible()
    page.get_by_label("Rules").select_option("giza")
    page.get_by_role("button", name="New deal").click()
    expect(page.locator("[data-title]").first).to_have_text("Giza")
    expect(page.locator("[data-figure=moves]").first).to_have_text("0")
    expect_no_stock(page)
    page.get_by_role("button", name="More").click()
    page.context.set_offline(False)
    page.get_by_role("button", name="Back to the site").click()
    expect(page.get_by_role("heading", name="Practice", level=1)).to_be_visible()
    assert [text for text in complaints if "ERR_INTERNET_DISCONNECTED" not in text] == []


def expect_no_stock(page: Page) -> None:
    """Expect that neither a stock nor keys are spoken of that have no use here."""
    page.keyboard.press("d")
    expect(page.locator("#hello")).not_to_have_text("The stock is empty.")
    page.keyboard.press("?")
    assert {"D", "P", "H", "R"}.isdisjoint(page.locator("kbd:visible").all_text_contents())
    page.keyboard.press("Escape")


def test_in_a_window_at_400_percent_the_button_that_deals_can_be_scrolled_to_and_no_figure_is_cut(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 256})
    page.goto("/offline/")
    deal = page.get_by_role("button", name="Deal", exact=True)
    expect(deal).to_be_enabled()
    hidden = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.hud'))"
    assert page.evaluate(hidden) == 0
    page.mouse.move(80, 120)
    page.mouse.wheel(0, 1000)
    expect(deal).to_be_in_viewport(ratio=1)


def test_a_network_without_the_server_is_not_called_online_until_the_server_is_back(page: Page) -> None:
    page.context.add_init_script(ALWAYS_A_NETWORK)
    page.goto("/practice/")
    assert page.evaluate(IS_READY)
    page.context.set_offline(True)
    waiting = page.context.new_page()
    for one, address in ((page, "/offline/"), (waiting, "/practice/")):
        one.clock.install()
        one.goto(address)
        expect(one.get_by_role("button", name="Deal", exact=True)).to_be_enabled()
    page.get_by_role("button", name="Deal", exact=True).click()
    page.get_by_role("button", name="More").click()
    expect(page.get_by_text("You are offline. Hints, ranks and races wait for a connection.")).to_be_visible()
    page.context.set_offline(False)
    for one in (page, waiting):
        one.clock.fast_forward(ASKED_AGAIN)
    expect(waiting.get_by_role("heading", name="Practice", level=1, exact=True)).to_be_visible()
    expect(page.get_by_role("status").get_by_text("You are online again.")).to_be_attached()
    page.get_by_role("button", name="Back to the site").click()
    expect(page.get_by_role("heading", name="Practice", level=1, exact=True)).to_be_visible()


def test_a_game_that_cannot_be_loaded_comes_back_by_itself_with_the_moves_that_waited(page: Page) -> None:
    open_practice(page)
    button(page, "stock").click()
    settle(page)
    assert page.evaluate(IS_READY)
    page.context.set_offline(True)
    button(page, "stock").click()
    expect(page.locator("#line-words")).to_have_text("You are offline. Your moves are kept and will be sent.")
    page.reload()
    expect(page.get_by_text("Your game is safe on the server.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("button", name="Hint")).to_be_visible()
    expect(page.locator("[data-figure=moves]").first).to_have_text("2")
    settle(page)
    page.reload()
    expect(page.locator("[data-figure=moves]").first).to_have_text("2")


def test_only_the_files_of_one_release_are_kept_the_same_for_everyone_and_none_after_signing_out(page: Page) -> None:
    page.goto("/release/")  # which has no script: nothing is kept yet, and nothing forgotten
    page.evaluate("caches.open('offline-older')")
    open_practice(page)
    assert page.evaluate(IS_READY)
    wait_until(page, f"() => ({KEPT})().then((kept) => Object.keys(kept).length === 1)")
    for address in ("/account/", "/", page.url, "/api/me/"):
        page.goto(address)
    release = page.evaluate("fetch('/release/').then((answer) => answer.json())")["release"]
    page.goto("/")
    [(name, kept)] = page.evaluate(KEPT).items()
    assert name == f"offline-{release}"
    assert [address for address in kept if not re.match(r"/static/games/.+\.[0-9a-f]{12}\.(css|js|svg)$", address)] == [
        "/offline/"
    ]
    name = page.locator(".who").inner_text()
    page.goto("/offline/")
    assert name
    assert name not in page.content()
    assert "csrf" not in page.content()
    page.goto("/account/")
    page.get_by_role("button", name="Sign out", exact=True).click()
    wait_until(page, f"() => ({KEPT})().then((kept) => Object.keys(kept).length === 0)")


def test_the_site_can_be_installed(page: Page, server: Server, complaints: list[str]) -> None:
    page.goto("/")
    devtools = page.context.new_cdp_session(page)
    found = devtools.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert {"name", "start_url", "display", "icons", "scope"} <= set(manifest)
    assert "maskable" in {icon["purpose"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        with urlopen(server.url + icon["src"]) as answer:
            assert len(answer.read()) < 16_000
    faults = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {fault["errorId"] for fault in faults} <= {"in-incognito"}  # as every context of a test is
    assert complaints == []
