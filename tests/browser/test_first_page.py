from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, ViewportSize, expect

from tests.journeys.conftest import Server

MILLISECOND = timedelta(milliseconds=1)
PHONE = ViewportSize(width=390, height=844)
RIGHT_EDGES = "Math.max(...[...document.querySelectorAll('*')].map((one) => one.getBoundingClientRect().right))"


def finish_todays_deal(server: Server, name: str, *, draws: int = 0, is_bot: bool = False) -> str:
    """Play today's deal over REST until it is given up, and return the handle of the player."""
    guest = server.post("/api/guests/", {"display_name": name, "is_bot": is_bot})
    token = guest["token"]
    game = server.post("/api/games/", {"kind": "daily", "rules": "standard"}, token)
    server.get(f"/api/games/{game['id']}/state/", token)
    for version in range(draws):
        server.post(f"/api/games/{game['id']}/actions/", {"action": "D", "version": version}, token)
    server.post(f"/api/games/{game['id']}/resign/", {"version": draws}, token)
    return str(guest["player"]["handle"])


def table(page: Page) -> Locator:
    """The table of the newest daily deal of a newcomer's division."""
    return page.locator(".daily").first.locator("tbody tr")


def test_the_first_page_loads_without_a_complaint(page: Page, complaints: list[str]) -> None:
    page.goto("/", wait_until="networkidle")
    expect(page.get_by_role("heading", level=1)).to_contain_text("One deal a day")
    expect(page.locator(".daily .state").first).to_have_text("Open")
    expect(page.locator(".daily .left").first).to_contain_text("closes in")
    assert complaints == []


def test_the_table_shows_who_has_finished(page: Page, server: Server, complaints: list[str]) -> None:
    handle = finish_todays_deal(server, "Alice", draws=2)
    page.goto("/")
    row = table(page).filter(has_text="Alice")
    expect(row.locator("td.number").nth(0)).to_have_text("28")
    expect(row.locator("td.number").nth(1)).to_have_text("2")
    expect(row.locator("th")).to_have_attribute("title", handle)
    assert complaints == []


def test_bots_have_a_table_of_their_own(page: Page, server: Server) -> None:
    finish_todays_deal(server, "Rosie the robot", is_bot=True)
    page.goto("/")
    rosie = table(page).filter(has_text="Rosie the robot")
    expect(page.locator(".status").first).not_to_have_text("Fetching the table …")
    expect(rosie).to_have_count(0)
    page.get_by_label("Bots").first.check()
    expect(rosie).to_be_visible()


def test_another_order_is_fetched_when_it_is_chosen_by_keyboard(page: Page) -> None:
    page.goto("/", wait_until="networkidle")
    page.get_by_label("Fewest moves").first.focus()
    with page.expect_response(lambda response: "fastest" in response.url) as answer:
        page.keyboard.press("ArrowRight")
    assert answer.value.ok


def test_a_name_is_text_and_never_markup(page: Page, server: Server, complaints: list[str]) -> None:
    finish_todays_deal(server, "<img src=x onerror=alert(1)>")
    page.goto("/")
    expect(table(page).filter(has_text="<img src=x onerror=alert(1)>")).to_be_visible()
    assert complaints == []


def test_an_empty_table_says_so(page: Page) -> None:
    page.route("**/api/boards/**", lambda route: route.fulfill(json={"count": 0, "rows": []}))
    page.goto("/")
    expect(page.get_by_text("Nobody has finished this deal yet")).to_have_count(2)
    expect(page.get_by_role("table")).to_have_count(0)


def test_an_unreachable_table_says_so_and_comes_back(page: Page, server: Server) -> None:
    finish_todays_deal(server, "Bob")
    page.clock.install()

    def fail(route: Route) -> None:
        route.fulfill(status=503)

    page.route("**/api/boards/**", fail)
    page.goto("/")
    expect(page.get_by_text("The table cannot be reached just now")).to_have_count(2)
    page.unroute("**/api/boards/**", fail)
    page.clock.run_for("00:31")
    expect(table(page).filter(has_text="Bob")).to_be_visible()
    expect(page.get_by_text("The table cannot be reached just now")).to_have_count(0)


def test_the_countdown_follows_the_deal_through_its_end(page: Page) -> None:
    """The clock of this browser is wrong by a day: only the server's counts."""
    page.clock.install(time=datetime.now(UTC) - timedelta(days=1))
    page.goto("/")
    state, left = page.locator(".daily .state").first, page.locator(".daily .left").first
    expect(state).to_have_text("Open")
    closes_at = datetime.fromisoformat(page.locator(".countdown").first.get_attribute("data-closes-at") or "")
    page.clock.fast_forward((closes_at - datetime.now(UTC) + timedelta(minutes=1)) // MILLISECOND)
    expect(state).to_have_text("Closing")
    expect(left).to_contain_text("games end in 00:2")
    expect(page.get_by_text("A new day has begun.")).to_be_visible()
    page.clock.fast_forward("30:00")
    expect(state).to_have_text("Closed")


def test_an_account_is_claimed_and_used_by_keyboard_alone(page: Page, complaints: list[str]) -> None:
    page.goto("/account/claim/")
    page.get_by_label("Handle").focus()
    for text in ("carol", "Carol", "correct horse battery"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    page.get_by_role("button", name="Sign out").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("One deal a day")
    page.wait_for_load_state("networkidle")
    page.goto("/account/sign-in/")
    page.get_by_label("Handle").fill("carol")
    page.get_by_label("Password").fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("There is no account with this handle and this password.")
    page.get_by_label("Password").fill("correct horse battery")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_contain_text("You are signed in as Carol")
    assert complaints == []


@pytest.mark.parametrize("address", ["/", "/rules/pharaohs/", "/account/claim/", "/nowhere/"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_does_not_scroll_sideways(
    browser: Browser, server: Server, address: str, scheme: Literal["light", "dark"]
) -> None:
    finish_todays_deal(server, "W" * 40)
    with browser.new_context(base_url=server.url, viewport=PHONE, is_mobile=True, color_scheme=scheme) as context:
        page = context.new_page()
        page.goto(address, wait_until="networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.evaluate(RIGHT_EDGES) <= 390
