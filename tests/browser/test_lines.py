"""Lines that are cut, servers that are restarted, tabs and devices that take a game over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import NewPage
from tests.browser.player import (
    button,
    dig_for_a_pair,
    expect_dealt,
    middle,
    open_daily,
    open_practice,
    resign,
    run_until,
    settle,
    version,
    wait_until,
)
from tests.journeys.conftest import Server

KEPT = "No answer. Your moves are kept and will be sent."
OFFLINE = "You are offline. Your moves are kept and will be sent."
BACK = "Back. Nothing was lost."


class Line:
    """The line between a page and the server, which can be cut before or behind what is said."""

    def __init__(self, page: Page) -> None:
        self.swallows_answers = False
        self.is_silent = False
        self.is_cut = False
        self._sockets: list[WebSocketRoute] = []
        page.route_web_socket("**/ws/games/**", self._open)

    def _open(self, socket: WebSocketRoute) -> None:
        if self.is_cut:
            socket.close(code=1013)
            return
        server = socket.connect_to_server()
        self._sockets.append(socket)
        socket.on_message(lambda text: None if self.is_silent else server.send(text))
        server.on_message(lambda text: None if self._is_swallowed(str(text)) else socket.send(text))

    def _is_swallowed(self, text: str) -> bool:
        return self.is_silent or (self.swallows_answers and '"played"' in text)

    def cut(self) -> None:
        """Hang up, and answer no more until `mend`."""
        self.is_cut = True
        for socket in self._sockets:
            socket.close(code=1013)
        self._sockets.clear()

    def mend(self) -> None:
        self.is_cut = self.is_silent = self.swallows_answers = False


@pytest.fixture
def line(page: Page) -> Line:
    return Line(page)


def test_a_line_cut_in_mid_drag_or_before_an_answer_loses_nothing_and_when_it_is_back_a_closed_result_stays_closed(
    page: Page, line: Line
) -> None:
    open_practice(page)
    one, other = dig_for_a_pair(page)
    before = version(page)
    page.mouse.move(*middle(one))
    page.mouse.down()
    page.mouse.move(*middle(other), steps=4)
    line.cut()
    page.mouse.up()
    expect(page.locator("[data-figure=moves]").first).to_have_text(str(before + 1))
    expect(page.locator("#line-words")).to_have_text(KEPT)
    line.mend()
    expect(page.locator("#line-words")).to_have_text(BACK)
    assert_kept(page, before + 1)
    expect_that_a_move_that_was_kept_but_not_answered_is_not_made_twice(page, line, before + 2)
    resign(page)
    page.keyboard.press("Escape")
    line.cut()
    expect(page.locator("#line-dot.lost")).to_have_count(1)
    line.mend()
    expect(page.locator("#line-dot.lost")).to_have_count(0)
    page.wait_for_timeout(300)
    expect(page.locator("#end")).to_be_hidden()


def expect_that_a_move_that_was_kept_but_not_answered_is_not_made_twice(page: Page, line: Line, moves: int) -> None:
    line.swallows_answers = True
    button(page, "stock").click()
    page.wait_for_timeout(400)
    line.cut()
    line.mend()
    expect(page.locator("#line-dot.lost")).to_have_count(0)
    expect(button(page, "waste")).not_to_have_accessible_name("Waste, empty")
    assert_kept(page, moves)


def test_a_line_that_dies_silently_is_marked_at_once_and_loses_no_tap(page: Page, line: Line) -> None:
    page.clock.install()
    open_practice(page)
    page.clock.pause_at(datetime.fromtimestamp(page.evaluate("Date.now()") / 1000 + 5, UTC))
    line.is_silent = True
    button(page, "stock").click()
    page.clock.run_for(650)
    expect(page.locator("#line-dot.lost")).to_have_count(0)
    page.clock.run_for(100)
    expect(page.locator("#line-dot.lost")).to_have_count(1)
    for _ in range(7):
        page.keyboard.press("d")
    page.clock.run_for(1_750)
    button(page, "stock").click()
    expect(page.locator("#hello")).to_have_text("Eight moves are waiting for the server. One moment.")
    page.clock.run_for(500)
    expect(page.locator("#line-words")).to_have_text(KEPT)
    line.mend()
    page.clock.run_for(4_000)
    page.clock.resume()
    expect(page.locator("#line-words")).to_have_text(BACK)
    expect(button(page, "stock")).to_have_accessible_name("Stock, 16 cards. Draw")
    expect_stored(page, "D D D D D D D D")


def test_without_a_network_the_page_says_so_at_once_and_plays_on_when_it_is_back(page: Page, line: Line) -> None:
    open_practice(page)
    settle(page)
    page.context.set_offline(True)
    expect(page.locator("#line-words")).to_have_text(OFFLINE)
    line.is_silent = True
    for _ in range(3):
        button(page, "stock").click()
        settle(page)
    page.get_by_role("button", name="Undo").first.click()
    line.mend()
    page.context.set_offline(False)
    expect(page.locator("#line-words")).to_have_text(BACK)
    expect_stored(page, "D D D U")
    assert_kept(page, 4)


def expect_stored(page: Page, actions: str) -> None:
    """Wait until the server has stored these actions of a game."""
    wait_until(
        page,
        """async (actions) => {
            const { record } = await (await fetch(`/api${location.pathname}record/`)).json();
            return [...record.matchAll(/(\\S+)@\\d/g)].map(([, action]) => action).join(" ") === actions;
        }""",
        actions,
    )


def assert_kept(page: Page, moves: int) -> None:
    """Reload the page: what is shown then is what the server has."""
    expect(page.locator("#line-dot.lost")).to_have_count(0)
    page.wait_for_timeout(300)
    page.reload()
    expect(page.locator("[data-figure=moves]").first).to_have_text(str(moves))


def test_a_place_that_cannot_be_asked_for_is_not_said_to_wait_for_a_person(page: Page) -> None:
    page.route_web_socket(re.compile("/ws/(daily|games)/"), without_places)
    page.clock.install()
    open_daily(page)
    one, other = dig_for_a_pair(page)
    one.click()
    other.click()
    page.route("**/api/boards/**", lambda route: route.abort())
    resign(page)
    for _ in range(12):
        page.clock.run_for(1_000)
        page.wait_for_timeout(50)
    expect(page.locator("#end-title")).to_contain_text("left")
    assert "a person looks" not in page.locator("#end").inner_text()
    page.unroute("**/api/boards/**")
    page.clock.run_for(5_000)
    expect(page.locator("#end-text")).to_contain_text(re.compile("That is place|You are the first"))


def without_places(socket: WebSocketRoute) -> None:
    socket.connect_to_server().on_message(lambda text: None if '"placed"' in str(text) else socket.send(text))


@pytest.mark.parametrize("address", ["/", "/boards/{slug}/"])
def test_a_table_whose_line_has_died_without_a_word_is_connected_again(page: Page, address: str) -> None:
    dialed: list[WebSocketRoute] = []
    pongs: list[str] = []

    def answer(socket: WebSocketRoute) -> None:
        dialed.append(socket)
        socket.connect_to_server().on_message(lambda text: pass_on(socket, str(text)))

    def pass_on(socket: WebSocketRoute, text: str) -> None:
        if socket is not dialed[0] or '"pong"' not in text:
            socket.send(text)
            pongs.extend([text] if '"pong"' in text else [])

    page.goto("/")
    slug = page.locator("[data-live]").first.get_attribute("data-live")
    expect(page.locator(".live.on")).to_have_count(1)  # or this page, which is left, would dial when it is counted
    page.route_web_socket("**/ws/boards/**", answer)
    page.clock.install()
    page.goto(address.format(slug=slug))
    expect(page.locator(".live.on")).to_have_count(1)
    page.clock.run_for(60_000)
    assert len(dialed) == 1
    page.clock.run_for(60_000)
    run_until(page, lambda: len(dialed) > 1)
    expect(page.locator(".live.on")).to_have_count(1)
    page.clock.run_for(60_000)
    run_until(page, lambda: bool(pongs), step_ms=0)
    page.clock.run_for(60_000)
    assert len(dialed) == 2


def test_a_server_restarted_in_mid_game_goes_unnoticed_but_for_a_sign(own_server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{own_server.url}/rules/standard/")
    page.get_by_role("button", name="Play it").click()
    expect_dealt(page)
    settle(page)
    button(page, "stock").click()
    settle(page)
    own_server.kill()
    expect(page.locator("#line-dot.lost")).to_have_count(1)
    button(page, "stock").click()
    own_server.start()
    expect(page.locator("#line-dot.lost")).to_have_count(0)
    expect(button(page, "stock")).to_have_accessible_name("Stock, 22 cards. Draw")
    assert_kept(page, 2)


@pytest.fixture
def own_server(environment: dict[str, str]) -> Iterator[Server]:
    with Server(environment).running() as server:
        yield server


def test_of_two_tabs_the_later_plays_and_the_earlier_does_nothing_until_it_takes_the_game_back(page: Page) -> None:
    open_practice(page)
    settle(page)
    button(page, "stock").click()
    later = page.context.new_page()
    later.goto(page.url)
    expect(page.get_by_role("heading", name="Played elsewhere")).to_be_visible()
    page.keyboard.press("d")
    page.keyboard.press("?")
    button(page, "stock").dispatch_event("click")
    for name in ("Undo", "Hint"):
        expect(page.locator(".tools").get_by_role("button", name=name)).to_be_disabled()
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.keyboard.press("Tab")
    expect(page.locator("#table :focus")).to_have_count(0)
    expect(later.locator("[data-figure=moves]").first).to_have_text("1")
    settle(later)
    button(later, "stock").click()
    expect(later.locator("[data-figure=moves]").first).to_have_text("2")
    page.get_by_role("button", name="Play here").click()
    expect(page.locator("#table button:focus")).to_have_count(1)
    expect(page.locator("[data-figure=moves]").first).to_have_text("2")
    expect(button(page, "stock")).to_have_accessible_name("Stock, 22 cards. Draw")
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("[data-figure=moves]").first).to_have_text("3")


def test_todays_attempt_begins_on_the_socket_of_the_day_and_goes_on_at_its_own(page: Page) -> None:
    opened: list[str] = []
    page.on("websocket", lambda socket: opened.append(re.sub(r"^.*/ws/", "", socket.url)))
    open_daily(page)
    settle(page)
    button(page, "stock").click()
    expect(page.locator("[data-figure=moves]").first).to_have_text("1")
    assert_kept(page, 1)
    game = page.url.split("/")[-2]
    of_games = [one for one in opened if not one.startswith(("boards/", "me/"))]
    assert of_games == ["daily/standard/", f"games/{game}/"]


def test_a_second_tap_that_trembles_counts_once(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    open_practice(page)
    settle(page)
    page.evaluate(
        """() => {
            const { left, top } = document.querySelector('button[data-zone="stock"]').getBoundingClientRect();
            const target = document.elementFromPoint(left + 20, top + 20);
            const at = { clientX: left + 20, clientY: top + 20 };
            const touch = { bubbles: true, pointerId: 7, pointerType: "touch", button: 0, ...at };
            document.querySelector('#table').setPointerCapture = () => {};
            const types = ["pointerdown", "pointerup", "pointerdown", "pointerup"];
            for (const type of types) target.dispatchEvent(new PointerEvent(type, touch));
        }"""
    )
    page.wait_for_timeout(500)
    assert version(page) == 1
