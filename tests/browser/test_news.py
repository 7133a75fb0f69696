"""News reach the pages that a player looks at: the number in the header, and a line with a link."""

from __future__ import annotations

import json
import re
from urllib.parse import urlsplit

from playwright.sync_api import Page, WebSocket, WebSocketRoute, expect

from tests.browser.conftest import PHONE, NewPage
from tests.browser.player import open_practice, resign
from tests.browser.test_every_page import violations
from tests.games.site.test_scripts import needs_node


def own_handle(page: Page) -> str:
    page.goto("/account/")
    profile = page.get_by_role("link", name="Your games and statistics").get_attribute("href") or ""
    return profile.strip("/").rpartition("/")[2]


class NewsHeard:
    """The messages on a page's socket for news. Of the first the line on the page shows only what cannot wait."""

    def __init__(self, page: Page) -> None:
        self._page, self._messages = page, list[str | bytes]()
        page.on("websocket", self._listen)

    @staticmethod
    def is_about_news(socket: WebSocket) -> bool:
        return socket.url.endswith("/ws/me/")

    def wait(self) -> None:
        while not self._messages:
            self._page.wait_for_timeout(20)

    def _listen(self, socket: WebSocket) -> None:
        if self.is_about_news(socket):
            socket.on("framereceived", self._note)

    def _note(self, message: str | bytes) -> None:
        self._messages.append(message)


@needs_node
def test_an_invitation_arrives_on_the_page_that_is_looked_at(
    new_page: NewPage, axe: str, complaints: list[str]
) -> None:
    alice, bob = new_page(bypass_csp=True), new_page(**PHONE)
    open_practice(alice)
    game = alice.url
    handle = own_handle(alice)
    at_the_table = alice.context.new_page()
    for page, address in ((alice, "/rules/"), (at_the_table, game)):
        heard = NewsHeard(page)
        page.goto(address)
        heard.wait()
        expect(page.locator("#unread")).to_be_hidden()

    bob.goto("/races/")
    bob.get_by_role("button", name="Open a race").tap()
    bob.wait_for_url("/races/*/")  # and for its script: without it the form is an ordinary one
    bob.get_by_label("Invite a player by handle").fill("nobody-at-all")
    bob.get_by_role("button", name="Send the invitation").tap()
    expect(bob.get_by_text("There is no player 'nobody-at-all'.")).to_be_visible()
    bob.get_by_label("Invite a player by handle").fill(handle)
    bob.get_by_label("Invite a player by handle").press("Enter")
    expect(bob.get_by_text(f"You have invited {handle}.")).to_be_visible()

    for page in (alice, at_the_table):
        expect(page.locator("#unread")).to_have_text("1 unread notification")
    line = alice.locator("#news")
    expect(line).to_contain_text("invites you to a race.")
    expect(line).to_have_attribute("aria-live", "polite")
    assert violations(alice, axe) == []
    assert at_the_table.locator("#news").inner_text() == ""

    line.get_by_role("link").click()
    expect(alice.get_by_label("Invite", exact=True)).to_have_value(re.compile("^[0-9a-f]{32}$"))
    for page in (alice, at_the_table):
        expect(page.locator("#unread")).to_be_hidden()
    alice.get_by_role("button", name="Join the race").click()
    expect(bob.get_by_text("Everyone here? Start the race.")).to_be_visible()
    assert [one for one in complaints if "404 (Not Found)" not in one] == []


@needs_node
def test_a_match_is_told_on_other_pages_until_its_player_has_been_in_its_room(
    new_page: NewPage, complaints: list[str]
) -> None:
    page = new_page()
    page.goto("/races/")
    page.get_by_role("button", name="Open a race").click()
    page.wait_for_url("/races/*/")
    room = urlsplit(page.url).path
    match = {"id": 7, "kind": "cup_match", "subject": room.split("/")[2], "words": "Your match begins.", "page": room}
    news = json.dumps({"type": "news", "unread": 1, "notifications": [match]})
    page.route_web_socket("**/ws/me/", lambda socket: socket.send(news))
    page.goto("/rules/")
    expect(page.locator("#news").get_by_role("link")).to_have_text("Your match begins.")
    with page.expect_request("**/api/me/notifications/read/") as read:
        page.goto(room)
    assert read.value.post_data_json == {"up_to": 7, "only": True}
    expect(page.locator("#unread")).to_have_text("1 unread notification")
    expect(page.locator("#news")).to_be_empty()
    assert complaints == []


@needs_node
def test_a_match_of_alice_is_told_at_the_table_of_another_game_and_above_its_dialogs(
    new_page: NewPage, complaints: list[str]
) -> None:
    page, sockets = new_page(**PHONE), list[WebSocketRoute]()

    def keep(socket: WebSocketRoute) -> None:
        sockets.append(socket)

    page.route_web_socket("**/ws/me/", keep)
    open_practice(page)
    while not sockets:
        page.wait_for_timeout(20)
    line = page.locator("#news")
    notification = {"id": 7, "subject": "another", "words": "Something happens.", "page": "/cups/"}

    def tell(kind: str, unread: int) -> None:
        news = {"type": "news", "unread": unread, "notifications": [notification | {"kind": kind}]}
        sockets[0].send(json.dumps(news))
        expect(page.locator("#unread")).to_contain_text(str(unread))

    tell("race_invited", 1)
    expect(line).to_be_empty()
    tell("cup_match", 2)
    line.get_by_role("button", name="Close").tap()
    resign(page)
    tell("cup_match", 3)
    expect(line).to_be_in_viewport(ratio=1)
    page.locator("#end").get_by_role("button", name="Look at the table").tap()
    line.get_by_role("link", name="Something happens.").tap()
    page.wait_for_url("/cups/")
    assert complaints == []


def test_a_line_is_closed_and_a_page_that_is_hidden_or_left_keeps_no_socket(new_page: NewPage) -> None:
    page = new_page()
    open_practice(page)
    page.clock.install()
    first = NewsHeard(page)
    with page.expect_websocket(NewsHeard.is_about_news) as opened:
        page.goto("/rules/")
        page.clock.run_for(1500)
    socket = opened.value
    first.wait()  # closing it before it is open would be an error
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true})")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    with socket.expect_event("close"):
        page.clock.run_for(61_000)
