"""Every page in German: no text is left in English or too long for a phone, neither axe nor the browser complains."""

from __future__ import annotations

import re
from functools import cache

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.moving import Token, remove_and_give_up
from tests.browser.past_competitions import WIDEST
from tests.browser.player import expect_dealt
from tests.browser.test_every_page import ADDRESSES, NARROW, Look, Scheme, dated, pages_of_a_player, sideways
from tests.games.site.test_scripts import needs_node
from tests.journeys.conftest import Server
from tests.pyramid_server.test_catalogues import in_language

# What a visitor reads or has read out, without the documents, which are English, names and code.
SAID = """() => {
    const said = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (!parent.closest('script, style, code, kbd, bdi, [lang]:not(html)')) said.add(walker.currentNode.data);
    }
    for (const one of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) said.add(one.getAttribute(name) ?? '');
    }
    said.add(document.title.split(' · ')[0]);
    return [...said].map((text) => text.replace(/\\s+/g, ' ').trim()).filter(Boolean);
}"""


@cache
def english_texts() -> set[str]:
    """Return the texts that are different in German, those with a placeholder left out."""
    pairs = {
        (key[0].rpartition("\x04")[2], text) for texts in in_language("de").values() for key, text in texts.items()
    }
    german_too = {english for english, german in pairs if german == english}
    return {one for one, _ in pairs if one not in german_too and not re.search(r"%\(|\{", one)}


class GermanLook(Look):
    """Finds English texts, too."""

    def at(self, where: str, within: str = "html", scheme: Scheme | None = None) -> None:
        super().at(where, within, scheme)
        if not where.startswith("/docs/"):  # the documents are English
            self.found[where] += not_german(self.page)


def not_german(page: Page) -> list[str]:
    """Return the English texts of a page, or its language if that is another one."""
    # Without a locator, for which each page would load the code of locators.
    language, said = page.evaluate(f"[document.documentElement.lang, ({SAID})()]")
    return [*english_texts().intersection(said)] if language == "de" else [f"in {language}"]


@needs_node
def test_every_page_of_strangers_and_of_a_guest_is_german_and_fits_a_phone_and_neither_axe_nor_the_browser_complains(
    new_page: NewPage, axe: str, complaints: list[str], server: Server
) -> None:
    bot = Token(server, server.post("/api/guests/", {"display_name": "Bishop", "is_bot": True})["token"])
    remove_and_give_up(bot, bot.post("/api/games/", {"kind": "daily", "rules": "standard"})["id"])
    page = new_page(locale="de-DE", **NARROW)
    page.add_init_script(axe)
    assert len(english_texts()) > 900
    look = GermanLook(page, axe, {})
    look.visit("/", "/account/sign-in/", "/account/claim/")
    look.expect_nothing()
    page.set_viewport_size(NARROW["viewport"])
    page.goto("/")
    page.get_by_role("button", name="Heutiges Blatt spielen").click()
    expect_dealt(page)
    require_german_on_a_phone(page)
    page.keyboard.press("n")
    require_german_on_a_phone(page)
    page.get_by_role("button", name="Aufgeben").click()
    page.locator("#sure").get_by_role("button", name="Aufgeben").click()
    expect(page.locator("#end")).to_be_visible()
    expect(page.locator("#end-title")).to_have_text("28 Karten waren übrig")
    require_german_on_a_phone(page)
    own = pages_of_a_player(page)
    page.get_by_label("Name").fill(WIDEST)
    page.get_by_role("button", name="Namen ändern").click()
    look.visit(*own, *ADDRESSES, *dated(), "/bots/")
    look.expect_nothing()
    assert [one for one in complaints if "404 (Not Found)" not in one] == []


def require_german_on_a_phone(page: Page) -> None:
    assert not_german(page) + sideways(page) == []


# Names of buttons under a table that are cut, broken into lines, or touch the one before.
CROWDED = """() => {
    const bar = document.querySelector('.tools').getBoundingClientRect(), crowded = [];
    let last = null;
    for (const one of document.querySelectorAll('.tools :is(button, a)')) {
        const range = document.createRange();
        range.selectNodeContents(one.lastChild);
        const name = range.getBoundingClientRect();
        const touches = last && name.top === last.top && name.left < last.right + 3;
        const isCut = name.left < bar.left || name.right > bar.right || name.bottom > bar.bottom;
        if (touches || isCut || range.getClientRects().length > 1) crowded.push(one.textContent);
        last = name;
    }
    return crowded;
}"""


def test_the_buttons_under_a_table_have_room_for_their_names(new_page: NewPage) -> None:
    page = new_page(locale="de-DE")
    crowded: dict[tuple[str, int], list[str]] = {}
    page.goto("/rules/relaxed/")
    page.locator("main form button").first.click()
    expect_dealt(page)
    for address in (page.url, "/puzzles/"):
        page.goto(address)
        expect(page.locator(".tools [data-opens=menu]")).to_be_enabled()
        for width, height in ((320, 568), (360, 640), (1280, 800), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            crowded[address, width] = page.evaluate(CROWDED)
    assert {where: names for where, names in crowded.items() if names} == {}


def test_the_language_is_changed_on_the_settings_page(new_page: NewPage) -> None:
    page = new_page(locale="en-GB")
    page.goto("/settings/?next=/practice/")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    page.get_by_role("slider", name="Töne").fill("5")
    expect(page.get_by_text("Gespeichert.")).to_be_visible()
    page.get_by_role("link", name="Zurück zur Partie").click()
    expect(page.get_by_role("heading", name="Üben")).to_be_visible()
    page.goto("/settings/")
    page.get_by_role("button", name="Wie der Browser").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
