"""All rule sets on real tables: nothing overlaps or sticks out, and a first move is made.

Of the rule sets whose tables have the same places, one is looked at; the rules of all are tried by the tests of the
scripts in Node. `make walk` looks at all of them.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from games.rules import RULE_SETS, RuleSet
from tests.browser.conftest import IS_WALK
from tests.browser.player import (
    button,
    expect_dealt,
    face_of,
    free_cards,
    open_practice,
    settle,
    version,
    wait_until,
)

VIEWPORTS = [(360, 640), (390, 844), (768, 1024), (1280, 800)]
# The form of the table that is shown, without being asked whether to leave its game.
DEAL_BY = """(rules) => {
    const form = document.querySelector('.tools form:has([name=rules])');
    form.elements.rules.value = rules;
    form.submit();
}"""
RECTANGLES = """() => {
    const rectangle = (one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return { left, top, right, bottom, name: `${one.dataset.zone}-${one.dataset.index}` };
    };
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length);
    const { scrollHeight, scrollWidth } = document.documentElement;
    return {
        cards: shown('.card').map(rectangle),
        places: shown('button.place').map(rectangle),
        felt: rectangle(document.querySelector('#felt')),
        talon: shown('.felt .talon li').map(rectangle),
        scrolls: scrollHeight > innerHeight || scrollWidth > innerWidth,
    };
}"""

IS_LAID_OUT = """([width, height]) => {
    const [felt, table] = [document.querySelector('#felt'), document.querySelector('#table')];
    const talon = felt.querySelector('.talon')?.offsetHeight ?? 0;
    return innerWidth === width && innerHeight === height
        && table.offsetWidth + 2 * table.offsetLeft === felt.clientWidth
        && table.offsetHeight + 2 * table.offsetTop + talon === felt.clientHeight;
}"""


def overlap(one: dict[str, Any], other: dict[str, Any]) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return bool(across > 0.5 and down > 0.5)


def test_tables_fit_their_viewports_and_a_first_move_is_made(page: Page, complaints: list[str]) -> None:
    sizes = VIEWPORTS
    open_practice(page)
    for slug in looked_at():
        deal_playable(page, slug)
        sizes = sizes[::-1]  # each table comes at the size at which the one before it was left
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            wait_until(page, IS_LAID_OUT, [width, height])
            found = page.evaluate(RECTANGLES)
            assert not found["scrolls"], slug
            assert [one for one in found["cards"] if not inside(one, found["felt"])] == [], slug
            assert overlapping_piles(found["places"]) == [], slug
            assert [one for one in found["talon"] for card in found["cards"] if overlap(one, card)] == [], slug
        make_a_move(page)
    assert complaints == []


def looked_at() -> list[str]:
    firsts: dict[object, str] = {}
    for slug, rules in RULE_SETS.items():
        firsts.setdefault(places_of(rules), slug)
    return [*RULE_SETS] if IS_WALK else [*firsts.values()]


def places_of(rules: RuleSet) -> object:
    """Return that on which the places of a table and the sides of its cards depend."""
    piles = rules.decks, rules.reserve, rules.cells, rules.draw, rules.wastes
    return rules.tableau, piles, rules.stock_seen, rules.face_down


def deal_playable(page: Page, slug: str) -> None:
    """Start a practice game that has a first move: without a stock, one deal in a thousand has none."""
    with page.expect_navigation():
        page.evaluate(DEAL_BY, slug)
    expect_dealt(page)
    settle(page)
    if page.locator("#stuck").is_visible():
        deal_playable(page, slug)


def inside(one: dict[str, Any], felt: dict[str, Any]) -> bool:
    return bool(
        one["left"] >= felt["left"] - 0.5
        and one["right"] <= felt["right"] + 4  # the edges of a stock's lower cards
        and one["top"] >= felt["top"] - 0.5
        and one["bottom"] <= felt["bottom"] + 0.5
    )


def overlapping_piles(places: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return the places that overlap though one of them is outside the tableau."""
    piles = [place for place in places if not place["name"].startswith("tableau")]
    return [
        (pile["name"], place["name"])
        for pile in piles
        for place in places
        if place["name"] != pile["name"] and overlap(pile, place)
    ]


def make_a_move(page: Page) -> None:
    """Draw, or remove what a hint names."""
    before = version(page)
    if page.locator('button[data-zone="stock"]').count():
        page.keyboard.press("d")
    else:
        page.keyboard.press("h")
        page.locator(".card.hinted").first.wait_for()
        hinted: list[str] = page.evaluate(
            "[...document.querySelectorAll('.card.hinted')].map((one) => one.dataset.face)"
        )
        free = free_cards(page)
        for name in [name for name in free if face_of(name) in {face.lower() for face in hinted}]:
            free[name].click()
    expect(page.locator("[data-figure=moves]").first).to_have_text(str(before + 1))
    assert button(page, "removed").is_visible()
