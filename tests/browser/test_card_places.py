"""Cards are drawn exactly where they lie, whatever is done with them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.conftest import MOVING, PHONE, NewPage
from tests.browser.player import (
    await_frame,
    button,
    dig_for_a_pair,
    expect_dealt,
    middle,
    open_practice,
    pair_after_draws,
    settle,
    wait_until,
)

RAISED = 2.0  # pixels by which a card that is pressed or selected is raised
VIEWPORTS: dict[str, Any] = {
    "phone": PHONE,
    "landscape": PHONE | {"viewport": {"width": 844, "height": 390}},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
# Places of the grid for which no picture lies exactly there, by their names: at the beginning, in the middle and at the
# end of every movement that goes on.
MISPLACED = """(slack) => {
    const edges = ({ left, right, top, bottom }) => [left, right, top, bottom];
    const apart = (one, other) => Math.max(...edges(one).map((edge, at) => Math.abs(edge - edges(other)[at])));
    const pictures = [...document.querySelectorAll('.card:not([hidden], .buried)')];
    const isAt = (place) => (one) => apart(one.getBoundingClientRect(), place.getBoundingClientRect()) <= slack;
    const places = [...document.querySelectorAll('[role=gridcell]:not([hidden])')];
    const found = () => places.filter((place) => !pictures.some(isAt(place))).map((place) => place.ariaLabel);
    const endless = document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations === Infinity);
    const finite = document.getAnimations().filter((one) => !endless.includes(one));
    for (const one of finite) one.finish();
    return [0, 0.5, 1].flatMap((part) => {
        for (const one of endless) one.currentTime = part * one.effect.getComputedTiming().duration;
        return found();
    });
}"""
SIZE = "document.querySelector('#table').style.cssText"
ALL_DRAWN = "[...document.querySelectorAll('.card:not([hidden])')].every((card) => card.querySelector('svg'))"


def assert_in_place(page: Page, slack: float = 0.1) -> None:
    await_frame(page)
    assert page.evaluate(MISPLACED, slack) == []


def box_of(one: Locator) -> list[float]:
    box = one.bounding_box()
    assert box is not None
    return [box["x"], box["y"], box["width"], box["height"]]


@pytest.fixture
def page(new_page: NewPage) -> Page:
    return new_page(**MOVING)


@pytest.mark.parametrize("device", VIEWPORTS)
def test_a_card_is_drawn_in_its_place_in_every_state(new_page: NewPage, device: str, complaints: list[str]) -> None:
    page = new_page(**MOVING, **VIEWPORTS[device])
    open_practice(page)
    assert_in_place(page)  # dealt
    wait_until(page, ALL_DRAWN)
    settle(page)
    page.evaluate("document.querySelectorAll('.card')[27].classList.add('hinted')")  # at the right edge
    assert_in_place(page)
    page.evaluate("document.querySelectorAll('.card')[27].classList.remove('hinted')")
    one, other = dig_for_a_pair(page)
    settle(page)
    drag_and_put_back(page, one)
    assert_in_place(page, RAISED)  # selected
    settle(page)
    other.click()
    assert_in_place(page)
    settle(page)
    page.get_by_role("button", name="Undo").first.click()
    assert_in_place(page)
    button(page, "stock").click()
    settle(page)
    before = page.evaluate(SIZE)
    page.set_viewport_size({"width": 700, "height": 600})
    wait_until(page, f"{SIZE} !== '{before}'")
    assert_in_place(page)
    assert complaints == []


def test_a_removed_card_is_not_drawn_once_others_lie_on_it_until_an_undo_brings_it_back(page: Page) -> None:
    open_with_pairs_removed(page)
    gone = page.locator(".card.gone")
    wait_until(page, "document.querySelectorAll('.card.gone:not(.buried)').length === 6")
    assert gone.count() >= 10
    assert_in_place(page)
    while gone.count():
        page.evaluate(
            "document.querySelectorAll('.gone').forEach((card) => card.classList.add('buried'))"
        )  # as a jump does
        page.keyboard.press("u")
        assert_in_place(page)


def test_the_stock_lies_on_the_right_for_those_who_want_it_there(page: Page) -> None:
    open_practice(page)
    usual = box_of(button(page, "stock"))
    page.context.add_cookies([{"name": "pyramid_options", "value": "mirrored", "url": page.url}])
    page.reload()
    expect_dealt(page)
    mirrored = box_of(button(page, "stock"))
    assert mirrored[0] > usual[0]
    assert_in_place(page)


def open_with_pairs_removed(page: Page) -> None:
    """Deal practice games until one is not lost before five pairs are removed."""
    for _ in range(5):
        open_practice(page)
        if all(pair_leaves(page) for _ in range(5)):
            return
    raise AssertionError("no game lasts for five pairs")


def pair_leaves(page: Page) -> bool:
    pair = pair_after_draws(page)
    for one in pair or ():
        one.click()
    return pair is not None


def drag_and_put_back(page: Page, one: Locator) -> None:
    """Expect that a card stays in its place while it is pressed, and then at the pointer."""
    x, y = middle(one)
    page.mouse.move(x, y)
    page.mouse.down()
    assert_in_place(page, RAISED)
    before = box_of(page.locator(".card.lifted"))
    page.mouse.move(x + 40, y - 30, steps=3)
    left, top, width, height = box_of(page.locator(".card.dragged"))
    assert [left, top] == pytest.approx([before[0] + 40, before[1] - 30 + RAISED], abs=RAISED)
    assert [width, height] == pytest.approx(before[2:], abs=0.1)
    page.mouse.move(x, y)
    page.mouse.up()
