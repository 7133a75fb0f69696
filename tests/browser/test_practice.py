"""A practice game from the choice of its rules to its analysis."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.player import button, expect_dealt, free_cards, pair_of_thirteen
from tests.processes import MANAGE, run

STOCK = 24
NOTE_ALERTS = """() => {
    globalThis.alerts = [];
    const alert = document.querySelector('[role=alert]');
    new MutationObserver(() => alerts.push(alert.textContent)).observe(alert, { childList: true });
}"""
MOST_RUNS = 10  # the worker takes four at once, and other tests may have asked before
FREES_A_CARD = 450  # milliseconds after which no card rests


def test_a_practice_game_is_played_to_its_end_and_analysed_by_the_worker(
    new_page: NewPage, environment: dict[str, str], complaints: list[str]
) -> None:
    page = new_page()
    page.goto("/practice/")
    page.clock.install()
    page.get_by_role("button", name="Single Pass").click()
    expect_dealt(page)
    page.evaluate(NOTE_ALERTS)
    moves = play_badly(page)
    expect(page.locator("#stuck")).to_be_visible()
    assert "You are stuck: nothing more can be removed." in page.evaluate("alerts")
    page.locator("#stuck").get_by_role("button", name="Give up").click()
    page.locator("#sure").get_by_role("button", name="Give up").click()
    expect(page.get_by_role("dialog", name=re.compile(r"^\d+ cards? (was|were) left$"))).to_be_visible()
    expect(page.locator("#end-title")).to_be_focused()
    expect(page.locator("[data-figure=moves]").first).to_have_text(str(moves))
    expect(page.locator("#end-text")).to_have_text("No more cards could be removed.")
    expect(page.locator("#end").get_by_role("button")).to_have_text(
        ["New deal", "Share", "Same deal again", "Look at the table"]
    )
    page.get_by_role("link", name="See how it could have gone").click()
    expect(page.locator("#step-text")).to_have_text("The deal")
    page.get_by_role("button", name="Result").click()
    expect(page.locator("#analysis")).to_have_text("The analysis is being computed.")
    for _ in range(MOST_RUNS):
        run([*MANAGE, "worker", "--once"], environment).check_returncode()
        if analysis_on_server(page):
            break
    expect_analysis(page)
    assert complaints == []


def play_badly(page: Page) -> int:
    """Draw the whole stock, then remove what fits until nothing does, and return the number of moves."""
    stock, moves = button(page, "stock"), page.locator("[data-figure=moves]").first
    for made in count(1):
        page.clock.run_for(FREES_A_CARD)
        cards = free_cards(page)
        move = [stock] if made <= STOCK else [cards[card] for card in pair_of_thirteen(list(cards))]
        if not move:
            return made - 1
        for one in move:
            one.click()
        expect(moves).to_have_text(str(made))
        expect(page.locator(".tools [data-action=undo]")).to_be_enabled()  # the answer has come
    raise AssertionError


def analysis_on_server(page: Page) -> Any:
    return page.evaluate("fetch(`/api${location.pathname}analysis/`).then((one) => one.json())")["analysis"]


def expect_analysis(page: Page) -> None:
    """Expect what the server found: the shortest win, each critical moment, and at each move how far the win was."""
    analysis = analysis_on_server(page)
    shown = page.locator("#analysis")
    expect(shown).to_contain_text(f"The deal can be won in {analysis['shortest']} moves.")
    moments = shown.get_by_role("button")
    expect(moments).to_have_count(len(analysis["critical"]))
    moments.last.click()
    at = analysis["critical"][-1]
    expect(page.get_by_role("slider", name="Move")).to_have_value(str(at))
    expect(page.locator(".timeline .critical")).to_have_count(len(analysis["critical"]))
    lost = next(step["version"] for step in analysis["steps"] if step["verdict"] == "lost")
    for version, words in {
        1: f"{analysis['steps'][0]['after']} moves from the win",
        lost: "here the win was lost",
    }.items():
        page.get_by_role("slider", name="Move").fill(str(version))
        expect(page.locator("#step-text")).to_contain_text(words)
    page.get_by_role("slider", name="Move").fill(str(lost + 1))
    expect(page.locator("#step-text")).to_contain_text("cannot be won")
