"""Games played as people play them: by clicking, touching, dragging, and by keys alone."""

from __future__ import annotations

import re

import pytest
from django.utils.translation import gettext, ngettext, override
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import MOVING, PHONE, NewPage
from tests.browser.player import (
    button,
    dig_for_a_pair,
    drag,
    expect_dealt,
    free_cards,
    middle,
    open_daily,
    open_practice,
    pair_of_thirteen,
    play_on,
    resign,
    settle,
    version,
)
from tests.journeys.conftest import Server


def test_a_ranked_game_has_no_hint_and_without_a_removal_it_says_why_it_has_no_place(
    page: Page, complaints: list[str]
) -> None:
    open_daily(page)
    expect(page.get_by_role("button", name="Hint")).to_be_hidden()
    resign(page)
    expect(page.locator("#end-text")).to_have_text("No card was removed, so the game has no place on the tables.")
    expect(page.locator("#end-place")).to_be_hidden()
    assert complaints == []


def test_in_its_last_five_minutes_a_ranked_game_says_when_it_ends(page: Page) -> None:
    page.clock.install()
    open_daily(page)
    left_ms: int = page.evaluate("JSON.parse(document.getElementById('game').textContent).left_ms")
    ends = page.locator("#ends")
    page.clock.fast_forward(left_ms - 330_000)
    expect(page.locator("#line-words")).to_be_empty()
    expect(ends).to_be_hidden()
    page.clock.fast_forward(60_000)
    expect(ends).to_have_text(re.compile(r"^This game ends in 4:[012]\d$"))
    expect(page.locator("#polite")).to_have_text(re.compile("^This game ends in 4:"))
    button(page, "stock").click()
    settle(page)
    expect(ends).to_be_visible()
    page.clock.fast_forward(300_000)
    expect(ends).to_be_hidden()


def test_who_looks_at_the_table_of_a_game_that_is_over_finds_back_to_the_result_which_counts_all_cards(
    page: Page,
) -> None:
    open_practice(page, "classic")
    resign(page)
    page.keyboard.press("Escape")
    result = page.get_by_role("button", name="Result")
    expect(result).to_be_focused()
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.locator("#menu").get_by_role("button", name="Give up")).to_be_hidden()
    page.keyboard.press("Escape")
    result.click()
    expect(page.get_by_role("dialog", name="52 cards were left")).to_be_visible()
    expect(page.locator("#end-text")).to_contain_text("28 of them are in the pyramid.")


def test_where_the_whole_stock_is_known_it_can_be_read(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    open_practice(page, "open-pyramid")
    cards = page.locator(".felt .talon li")
    expect(cards).to_have_count(24)
    settle(page)
    first = cards.nth(0).locator(".unseen").text_content()
    page.keyboard.press("d")
    expect(page.locator(".felt .talon .last .unseen")).to_have_text(first or "")
    expect(cards).to_have_count(24)


def test_a_king_goes_with_one_click_and_a_pair_with_two_or_by_dragging(
    new_page: NewPage, complaints: list[str]
) -> None:
    page = new_page(**MOVING)
    open_practice(page)
    settle(page)
    done = 0
    while done < 3:
        cards = free_cards(page)
        pair = pair_of_thirteen(list(cards))
        before = version(page)
        for card in pair:
            cards[card].click()
        if not pair:
            button(page, "stock").click()
        expect(page.locator("[data-figure=moves]").first).to_have_text(str(before + 1))
        done += bool(pair)
        settle(page)
    one, other = dig_for_a_pair(page)
    before = version(page)
    drag(page, one, other)
    expect(page.locator("[data-figure=moves]").first).to_have_text(str(before + 1))
    assert complaints == []


def test_a_finger_plays_by_pointer_events_and_the_browser_makes_no_gestures_of_it(new_page: NewPage) -> None:
    page = new_page(**PHONE)
    open_practice(page)
    settle(page)
    page.evaluate(
        """() => {
            window.heard = [];
            for (const type of ["touchstart", "touchend", "mousedown", "click"])
                addEventListener(type, (event) => heard.push([type, event.defaultPrevented]));
        }"""
    )
    page.touchscreen.tap(*middle(button(page, "stock")))
    expect(page.locator("[data-figure=moves]").first).to_have_text("1")
    settle(page)
    assert page.evaluate("heard") == [["touchstart", True], ["touchend", True]]
    expect(page.locator(".card.lifted")).to_have_count(0)


def test_a_card_is_dropped_beside_the_others_selected_and_ringed_and_others_are_taken(
    new_page: NewPage, complaints: list[str]
) -> None:
    page = new_page(**MOVING)
    open_practice(page)
    settle(page)
    card = next(one for name, one in free_cards(page).items() if not name.startswith("King"))
    fly_back(page, card)
    settle(page)
    card.click()
    expect(card).to_have_attribute("aria-selected", "true")
    expect(page.locator(".card.selected")).to_have_count(1)
    page.evaluate("document.querySelector('.card.free:not(.selected)').classList.add('hinted')")
    outlines = """[...document.querySelectorAll('.card.selected, .card.hinted')]
        .sort((one) => one.matches('.selected') ? -1 : 1).map((one) => getComputedStyle(one, '::after').outlineStyle)"""
    assert page.evaluate(outlines) == ["none", "dashed"]
    settle(page)
    card.click()
    expect(page.locator(".card.selected")).to_have_count(0)
    button(page, "stock").click()
    expect(page.locator("[data-figure=moves]").first).to_have_text("1")
    assert complaints == []


def fly_back(page: Page, card: Locator) -> None:
    """Drop a card where it cannot lie."""
    x, y = middle(card)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 240, steps=4)
    expect(page.locator(".card.dragged")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".card.dragged")).to_have_count(0)
    assert version(page) == 0


def test_keys_begin_at_the_first_free_card_and_a_hint_says_why_it_rings_cards_until_the_next_move(page: Page) -> None:
    open_practice(page)
    expect(button(page, "tableau", 21)).to_be_focused()
    for place in range(22, 28):
        page.keyboard.press("ArrowRight")
        expect(button(page, "tableau", place)).to_be_focused()
    page.keyboard.press("Control+ArrowUp")
    expect(button(page, "tableau", 20)).to_be_focused()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#hello")).not_to_be_empty()
    expect(page.locator(".card.hinted, .ring-stock")).not_to_have_count(0)
    page.keyboard.press("d")
    expect(page.locator(".card.hinted, .ring-stock")).to_have_count(0)
    expect(page.locator("#hello")).to_be_hidden()


def test_another_deal_in_the_middle_of_a_game_is_asked_for_and_a_deal_is_played_again(page: Page) -> None:
    open_practice(page)
    settle(page)
    button(page, "stock").click()
    address = page.url
    page.get_by_role("button", name="New deal").click()
    leaving = page.get_by_role("dialog", name="Leave this game?")
    leaving.get_by_role("button", name="Play on").click()
    assert page.url == address
    page.get_by_role("button", name="New deal").click()
    leaving.get_by_role("button", name="Leave it").click()
    page.wait_for_url(lambda url: url != address and "/games/" in url)
    expect_dealt(page)
    last, address = button(page, "tableau", 27).get_attribute("aria-label") or "", page.url
    page.get_by_role("button", name="Restart").click()
    page.wait_for_url(lambda url: url != address and "/games/" in url)
    expect_dealt(page)
    expect(button(page, "tableau", 27)).to_have_attribute("aria-label", last)


def test_without_a_script_the_page_of_a_game_leads_on(new_page: NewPage) -> None:
    page = new_page(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page.goto("/rules/standard/")
    page.get_by_role("button", name="Play it").click()
    expect(page.get_by_role("heading", name="Playing needs JavaScript")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Rules").click()
    expect(page.get_by_role("heading", name="Standard")).to_be_visible()


# The longest texts of each message, by the id of its element.
MESSAGES = [
    ("line-words", "You are offline. Your moves are kept and will be sent."),
    ("hello", "Your best chance: this wins at least %(count)d of %(samples)d shuffles of the hidden cards."),
    ("hello", "Tap two free cards that make 12, or a queen and a king."),
    ("hello", "Tap two free cards that make 11, or two equal picture cards."),
    ("stuck", "You are stuck: nothing more can be removed."),
]


@pytest.mark.parametrize("language", ["en", "de"])
def test_messages_fit_their_strip_and_it_never_changes_its_height(new_page: NewPage, language: str) -> None:
    page = new_page(locale=language)
    page.goto("/rules/standard/")
    page.locator("main form button").first.click()
    page.locator("body.begun").wait_for()
    with override(language):
        texts = [(name, gettext(text) % {"count": 7, "samples": 8}) for name, text in MESSAGES]
        undo = ngettext("Undo {count} move to save it.", "Undo {count} moves to save it.", 12).format(count=12)
        texts.append(("lost", f"{gettext('You can no longer win.')} {undo}"))
    for width, height in ((320, 568), (390, 844), (640, 400), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(STRIP, texts) == [], width


# Every message that is too high for the strip, and heights of the strip if it has more than one.
STRIP = """(texts) => {
    const strip = document.querySelector('.says'), heights = new Set([strip.offsetHeight]), cut = [];
    const shown = (id, text) => {
        for (const one of strip.querySelectorAll('p')) one.hidden = one.id !== id;
        for (const one of strip.querySelectorAll('button')) one.hidden = false;
        const words = document.querySelector(`#${id}-text`) ?? document.querySelector(`#${id}`);
        words.textContent = text;
        heights.add(strip.offsetHeight);
        if (strip.scrollHeight > strip.clientHeight) cut.push(words.textContent);
    };
    for (const [id, text] of texts) shown(id, text);
    return heights.size > 1 ? [...cut, ...heights] : cut;
}"""


def test_a_finished_game_is_replayed_at_the_same_address_with_every_button_in_sight_on_a_phone_held_across(
    page: Page, complaints: list[str]
) -> None:
    open_practice(page)
    play_on(page, lambda one: one.click(), most=4)
    resign(page)
    page.get_by_role("link", name="See how it could have gone").click()
    expect(page.get_by_role("slider", name="Move")).to_be_visible()
    expect(page.locator("#step-text")).to_have_text("The deal")
    for _ in range(4):
        page.get_by_role("button", name="One move on").click()
    expect(page.locator("[data-figure=moves]").first).to_have_text("4")
    page.goto(f"{page.url.partition('#')[0]}#2")
    page.reload()
    expect(page.locator("[data-figure=moves]").first).to_have_text("2")
    for width, height in ((568, 320), (667, 375), (844, 390), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        for tool in page.locator(".replay-tools button").all():
            expect(tool).to_be_in_viewport(ratio=1)
    assert complaints == []


def test_the_open_stock_is_taken_with_a_card_or_drawn(page: Page, complaints: list[str]) -> None:
    open_practice(page, "relaxed")
    settle(page)
    before = version(page)
    expect(page.locator(".slot.stock .count")).to_have_text("24 ↻2")
    expect(button(page, "stock")).to_have_accessible_name(re.compile("Draw. 2 more passes$"))
    page.get_by_role("navigation", name="Actions").get_by_role("button", name="Draw").click()
    expect(page.locator("[data-figure=moves]").first).to_have_text(str(before + 1))
    assert complaints == []


def test_a_card_is_parked_by_a_key_and_by_dragging(page: Page) -> None:
    open_practice(page, "cell")
    settle(page)
    card = next(one for name, one in free_cards(page).items() if "King" not in name)
    drag(page, card, button(page, "cell"))
    expect(page.locator("#polite")).to_contain_text("parked")


def test_a_practice_game_is_watched_by_a_guest(new_page: NewPage, server: Server, complaints: list[str]) -> None:
    alice, bob = new_page(), new_page()
    open_practice(alice)
    bob.goto(alice.url)
    bob.get_by_role("button", name="Go on as a guest and watch").click()
    expect(bob.locator("[data-figure=moves]").first).to_have_text("0")
    settle(alice)
    button(alice, "stock").click()
    expect(bob.locator("[data-figure=moves]").first).to_have_text("1")
    expect(button(bob, "stock")).to_have_accessible_name("Stock, 23 cards. Draw")
    resign(alice)
    end = bob.get_by_role("dialog", name="28 cards were left")
    expect(end.locator("#end-moves")).to_have_text("1")
    expect(end.get_by_role("link", name="See how it could have gone")).to_be_visible()
    assert [one for one in complaints if "403 (Forbidden)" not in one] == []  # as the page says before bob is a guest
