"""The first minute of a newcomer: one tap from the front page to the cards, and a clock that only a person starts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import MOVING, PHONE, NewPage
from tests.browser.player import expect_dealt, free_cards, open_daily
from tests.journeys.conftest import Server

UNREAD = "document.querySelector('#unread').hidden = false"


def has_begun(page: Page) -> bool:
    """Return True if the clock of the game in the address has started, as the server knows it."""
    return bool(
        page.evaluate(
            "fetch(location.href).then((one) => one.text()).then((text) => !text.includes('\"has_begun\": false'))"
        )
    )


# The button that deals is for those who open a game by its address.
NOTE_BUTTON = """
    const look = () => {
        const isSeen = document.querySelector("#deal")?.checkVisibility({ visibilityProperty: true });
        globalThis.hasShownButton ||= isSeen;
        requestAnimationFrame(look);
    };
    look();
"""


def test_one_tap_leads_from_the_front_page_of_a_phone_to_cards_without_a_mark_or_a_button_in_any_frame(
    new_page: NewPage, complaints: list[str]
) -> None:
    page = new_page(**MOVING, **PHONE)
    page.add_init_script(NOTE_BUTTON)
    open_daily(page)
    assert not page.evaluate("globalThis.hasShownButton")
    assert free_cards(page)
    assert "#" not in page.url
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
    expect(page.locator(":focus-visible")).to_have_count(0)
    assert complaints == []


def test_the_first_button_is_in_sight_on_a_phone_that_is_held_across(new_page: NewPage) -> None:
    page = new_page(locale="de-DE", **PHONE | {"viewport": {"width": 844, "height": 390}})
    page.goto("/")
    expect(page.get_by_role("button", name="Heutiges Blatt spielen")).to_be_in_viewport(ratio=1)


def test_the_whole_name_of_a_guest_is_in_the_bar_of_a_phone_and_news_make_the_page_of_a_game_no_wider(
    new_page: NewPage,
) -> None:
    page = new_page(**PHONE)
    page.goto("/")
    page.get_by_label("What should others call you?").fill("Daring Firecrest")
    page.get_by_role("button", name="Play today").tap()
    expect_dealt(page)
    page.evaluate(UNREAD)
    for width, height in ((844, 390), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("(width) => innerWidth === width", arg=width)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    page.set_viewport_size(PHONE["viewport"])
    page.goto("/days/")
    page.evaluate(UNREAD)
    assert page.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.who bdi'))"
    )


def test_the_score_table_beside_a_game_shows_the_first_places_and_ones_own_in_full(
    new_page: NewPage, complaints: list[str]
) -> None:
    page = new_page(viewport={"width": 1280, "height": 800})
    open_daily(page)
    assert complaints == []
    page.evaluate("""document.querySelector('.rail tbody').replaceChildren(...Array.from({ length: 7 }, () => {
        const row = document.createElement('tr');
        row.append(...['td', 'th', 'td', 'td'].map((name) => document.createElement(name)));
        const texts = ['12', 'Wilhelmina van der Meer', '24 left', '12:01'];
        [...row.cells].forEach((cell, at) => (cell.textContent = texts[at]));
        row.cells[0].className = 'rank';
        return row;
    }))""")
    board, table = (page.locator(f".rail .board{inner}").bounding_box() for inner in ("", " table"))
    assert board is not None
    assert table is not None
    assert (table["x"], table["width"]) == (board["x"], board["width"])
    assert table["y"] + table["height"] <= board["y"] + board["height"]


def test_a_clock_starts_neither_by_loading_a_game_nor_by_its_address(page: Page, server: Server) -> None:
    page.goto("/")
    page.route("**/pages/play.*", lambda route: route.abort())  # the tap came, the script did not
    page.get_by_role("button", name="Play today").click()
    page.wait_for_url(re.compile("/games/"))
    address = page.url.partition("#")[0]
    page.unroute("**/pages/play.*")
    page.goto("/settings/")
    page.goto(address)
    expect(page.get_by_role("button", name="Deal: the clock starts")).to_be_focused()
    page.reload()
    expect(page.get_by_role("button", name="Deal: the clock starts")).to_be_focused()
    assert not has_begun(page)
    page.keyboard.press("Enter")
    expect_dealt(page)
    assert has_begun(page)


def test_a_tap_whose_page_is_looked_at_later_deals_then(page: Page) -> None:
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => globalThis.isAway ?? true })")
    page.goto("/")
    page.get_by_role("button", name="Play today").click()
    page.wait_for_url(re.compile("/games/[^#]*$"))
    assert not has_begun(page)
    page.evaluate("globalThis.isAway = false; document.dispatchEvent(new Event('visibilitychange'))")
    expect_dealt(page)


@pytest.mark.parametrize("has_scripts", [True, False], ids=["scripts", "no scripts"])
def test_on_a_phone_everything_is_two_taps_away(new_page: NewPage, has_scripts: bool) -> None:
    page = new_page(**PHONE, java_script_enabled=has_scripts)
    for name in ("Leagues", "Achievements", "Settings", "Rules"):
        page.goto("/nowhere/")
        page.locator(".tabs summary").tap()
        page.locator(".tabs").get_by_role("link", name=name, exact=True).tap()
        expect(page).to_have_url(re.compile(f"/{name.lower()}/$"))
    page.locator(".tabs").get_by_role("link", name="Races").tap()
    expect(page).to_have_url(re.compile("/races/$"))
    page.locator(".tabs summary").tap()
    page.mouse.click(200, 200)  # anywhere else closes it
    expect(page.locator(".tabs .elsewhere")).to_be_hidden()
