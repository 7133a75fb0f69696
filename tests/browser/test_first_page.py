from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from games.rules.pace import HASTY_MS
from tests.browser.conftest import MOVING, NewPage, newcomers_server
from tests.browser.pieces import in_pieces
from tests.browser.player import button, open_daily, wait_until
from tests.journeys.conftest import Server
from tests.moves import takes_from_pyramid

MILLISECOND = timedelta(milliseconds=1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The short table of the front page has only those who finish in these tests."""
    with newcomers_server(tmp_path_factory.mktemp("browser")) as server:
        yield server


class Finished(NamedTuple):
    """The result of a player's game."""

    handle: str
    cards_left: int
    moves: int


def finish_todays_deal(server: Server, name: str, *, is_bot: bool = False) -> Finished:
    """Play today's deal over REST until a card has left, without which a game has no rank, and give up.

    At the pace of a person, because a game of somebody faster has no rank either.
    """
    guest = server.post("/api/guests/", {"display_name": name, "is_bot": is_bot})
    token = guest["token"]
    game = server.post("/api/games/", {"kind": "daily", "rules": "standard"}, token)
    address, move = f"/api/games/{game['id']}/", ""
    known = server.get(f"{address}state/", token)
    while not takes_from_pyramid(move):
        move = next(filter(takes_from_pyramid, known["legal"]), known["legal"][-1])
        time.sleep(HASTY_MS / 1_000)
        known = server.post(f"{address}actions/", {"action": move, "version": known["version"]}, token)
    ended = server.post(f"{address}resign/", {"version": known["version"]}, token)
    return Finished(guest["player"]["handle"], ended["cards_left"], ended["moves"])


def table(page: Page) -> Locator:
    """The table of the newest daily deal of a newcomer's division."""
    return page.locator(".board").first.locator("tbody tr")


ABOVE_THE_RING = """(one) => {
    const { outlineOffset, outlineWidth } = getComputedStyle(one);
    return one.getBoundingClientRect().top - parseFloat(outlineOffset) - parseFloat(outlineWidth);
}"""


def test_the_first_page_loads_without_a_complaint_and_its_menu_closes_by_escape(
    page: Page, complaints: list[str]
) -> None:
    page.goto("/", wait_until="networkidle")
    expect(page.get_by_role("heading", level=1)).to_contain_text("pyramid is dealt")
    expect(page.locator(".countdown .state").first).to_have_text("Open")
    expect(page.locator(".countdown .left").first).to_contain_text("closes in")
    more, menu = page.locator(".bar .more summary"), page.locator(".bar .more .elsewhere")
    more.press("Enter")
    page.keyboard.press("Tab")
    expect(menu.get_by_role("link").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(more).to_be_focused()
    assert more.evaluate(ABOVE_THE_RING) >= 0
    assert complaints == []


# Notes what moves by itself, without an input.
NOTE_SHIFTS = """window.shifted = [];
const note = (list) => list.getEntries().forEach(({ hadRecentInput, sources }) =>
    hadRecentInput || shifted.push(...sources.map(({ node, previousRect, currentRect }) =>
        `${node?.nodeName} ${node?.textContent.trim()} ${previousRect.y} ${currentRect.y}`)));
new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });"""
ARE_STYLED = "() => [...document.querySelectorAll('link[rel=stylesheet]')].every((link) => link.sheet)"
# The next frame, or none where the browser waits for more of the page.
LOOK = """() => new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 200);
})"""


def test_nothing_moves_while_the_first_page_and_a_game_are_loaded(new_page: NewPage, server: Server) -> None:
    finish_todays_deal(server, "Carol")
    page = new_page(**MOVING)
    page.add_init_script(NOTE_SHIFTS)
    page.goto("/")
    expect(page.locator(".board").first.get_by_role("link", name="Carol")).to_be_visible()
    assert page.evaluate("window.shifted") == []
    open_daily(page)
    button(page, "stock").click()
    expect(page.locator("[data-figure=moves]").first).to_have_text("1")
    assert page.evaluate("window.shifted") == []


def test_nothing_moves_where_a_page_arrives_in_pieces(new_page: NewPage, server: Server) -> None:
    page = new_page()
    open_daily(page)
    game = urlsplit(page.url).path
    page.add_init_script(NOTE_SHIFTS)
    with in_pieces(server.url, b"More</summary>|<h1|<dt>Moves|Redo</button>") as slow:
        for address in ("/rules/", "/", game):
            page.goto(slow.url + address, wait_until="commit")
            wait_until(page, ARE_STYLED)
            while page.evaluate("document.readyState") == "loading":
                page.evaluate(LOOK)
                slow.next_piece.release()
            page.evaluate(LOOK)
            assert page.evaluate("window.shifted") == []


def test_the_table_shows_who_finishes_while_one_looks_at_it(page: Page, server: Server, complaints: list[str]) -> None:
    page.goto("/")
    expect(page.locator(".live.on")).to_have_count(1)
    alice = finish_todays_deal(server, "Alice")
    row = table(page).filter(has_text="Alice")
    expect(row.locator("td.number").nth(0)).to_have_text(str(alice.cards_left))
    expect(row.locator("td.number").nth(1)).to_have_text(str(alice.moves))
    expect(row.get_by_role("link", name="Alice")).to_have_attribute("href", f"/players/{alice.handle}/")
    open_daily(page)
    beside_the_game = page.locator(".rail tbody tr").filter(has_text="Alice")
    expect(beside_the_game.locator("td.number").nth(0)).to_have_text(f"{alice.cards_left} left")
    assert complaints == []


def test_bots_have_a_table_of_their_own(page: Page, server: Server) -> None:
    finish_todays_deal(server, "Rosie the robot", is_bot=True)
    page.goto("/")
    page.get_by_role("link", name="s table").click()
    expect(page.get_by_role("link", name="Rosie the robot")).to_have_count(0)
    page.get_by_role("link", name="Bots", exact=True).click()
    expect(page.get_by_role("link", name="Rosie the robot")).to_be_visible()


def test_a_name_is_text_and_never_markup(page: Page, server: Server, complaints: list[str]) -> None:
    finish_todays_deal(server, "<img src=x onerror=alert(1)>")
    page.goto("/")
    expect(table(page).filter(has_text="<img src=x onerror=alert(1)>")).to_be_visible()
    assert complaints == []


def test_an_unreachable_table_says_so_and_comes_back(page: Page, server: Server) -> None:
    finish_todays_deal(server, "Bob")
    is_away = True

    def answer(socket: WebSocketRoute) -> None:
        if is_away:
            socket.close(code=1013)
        else:
            socket.connect_to_server()

    page.route_web_socket("**/ws/boards/**", answer)
    page.goto("/")
    expect(page.get_by_text("The table cannot be reached right now")).to_be_visible()
    is_away = False
    expect(table(page).filter(has_text="Bob")).to_be_visible()
    expect(page.get_by_text("The table cannot be reached right now")).to_have_count(0)


def test_a_table_that_nobody_looked_at_is_up_to_date_as_soon_as_somebody_does(page: Page, server: Server) -> None:
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => globalThis.isAway ?? false })")
    page.goto("/boards/")
    lamp = page.locator("[data-follow] .live")
    expect(lamp).to_have_class(re.compile("on"))
    page.evaluate("globalThis.isAway = true; document.dispatchEvent(new Event('visibilitychange'))")
    expect(lamp).not_to_have_class(re.compile("on"))
    finish_todays_deal(server, "Mallory")
    page.evaluate("globalThis.isAway = false; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("[data-follow] tbody tr", has_text="Mallory")).to_be_visible()


def test_the_countdown_follows_the_deal_through_its_end(page: Page) -> None:
    """The clock of this browser is wrong by a day: only the server's counts."""
    page.clock.install(time=datetime.now(UTC) - timedelta(days=1))
    page.goto("/")
    state, left = page.locator(".countdown .state").first, page.locator(".countdown .left").first
    expect(state).to_have_text("Open")
    closes_at = datetime.fromisoformat(page.locator(".countdown").first.get_attribute("data-closes-at") or "")
    page.clock.fast_forward((closes_at - datetime.now(UTC) + timedelta(minutes=1)) // MILLISECOND)
    expect(state).to_have_text("Closing")
    expect(left).to_contain_text("games end in 00:2")
    expect(page.get_by_text("A new day has begun.")).to_be_visible()
    page.clock.fast_forward("30:00")
    expect(state).to_have_text("Closed")
