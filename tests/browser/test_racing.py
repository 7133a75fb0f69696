"""Two people in two browsers race each other from a link, and race again."""

from __future__ import annotations

import re

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import PHONE, NewPage
from tests.browser.player import play_on, resign, run_until
from tests.browser.test_every_page import violations
from tests.games.site.test_scripts import needs_node


def rows(page: Page) -> list[list[str]]:
    """Return the cells of the racers' table."""
    found: list[list[str]] = page.eval_on_selector_all(
        "[data-race] tbody tr", "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return found


LONG_NAME = "W" * 40
# Figures that lie on the sign of the site or on one another, or reach beyond the window, with long names and values.
CROWDED = """() => {
    const texts = ["Zeit", "1:23:45", "Züge", "87", "Übrig", "28", "Platz", "12/12"];
    const figures = document.querySelectorAll('.hud :is(dt, dd)');
    const boxes = [document.querySelector('.brand'), ...figures].map((one, index) => {
        const range = document.createRange();
        if (index) one.textContent = texts[index - 1];
        range.selectNodeContents(one);
        return range.getBoundingClientRect();
    });
    const reaches = (one, other) => one.left < other.right && one.top < other.bottom;
    const meet = (one, other) => reaches(one, other) && reaches(other, one);
    return boxes.flatMap((one, index) =>
        one.right > innerWidth || boxes.slice(0, index).some((other) => meet(one, other)) ? [texts[index - 1]] : []);
}"""
TOO_WIDE = "({ scrollWidth, clientWidth }) => scrollWidth - clientWidth"


def tie(socket: WebSocketRoute) -> None:
    """Let the second place of a race be shared with the first."""
    server = socket.connect_to_server()
    server.on_message(lambda text: socket.send(str(text).replace('"place":2', '"place":1')))


def test_alice_reads_that_her_line_is_lost_for_as_long_as_it_is_and_at_once_if_her_browser_is_offline(
    page: Page,
) -> None:
    is_silent = False
    dialed = []

    def answer(socket: WebSocketRoute) -> None:
        dialed.append(socket)
        if not is_silent:
            socket.connect_to_server().on_message(lambda text: None if is_silent else socket.send(text))

    page.route_web_socket("**/ws/races/**", answer)
    page.clock.install()
    page.goto("/races/")
    page.get_by_role("button", name="Open a race").click()
    expect(page.get_by_text("Waiting for others.")).to_be_visible()
    is_silent = True
    dialed.clear()
    page.clock.run_for(26_000)  # a ping, and the time for its answer
    status = page.locator("[data-race] .status")
    expect(status).to_have_text("The connection is lost. Trying again automatically.")
    run_until(page, lambda: bool(dialed))
    page.clock.run_for(1_000)
    assert status.text_content() == "The connection is lost. Trying again automatically."
    is_silent = False
    page.clock.run_for(30_000)
    expect(status).to_have_text("")
    page.clock.pause_at(page.evaluate("new Date(Date.now() + 1000).toISOString()"))  # before any ping
    page.context.set_offline(True)
    expect(status).to_have_text("The connection is lost. Trying again automatically.")
    page.context.set_offline(False)
    page.clock.resume()
    expect(status).to_have_text("")


@needs_node
def test_two_people_race_from_a_link_and_race_again(new_page: NewPage, axe: str, complaints: list[str]) -> None:  # noqa: PLR0915  a whole race
    alice = new_page(bypass_csp=True, viewport={"width": 1200, "height": 900})
    bob = new_page(bypass_csp=True, color_scheme="dark", **PHONE)
    alice.route_web_socket("**/ws/races/**", tie)
    alice.goto("/races/")
    alice.get_by_role("button", name="Open a race").click()
    expect(alice.get_by_text("Waiting for others.")).to_be_visible()
    found = {"room": violations(alice, axe)}
    link = alice.get_by_label("Send this link").input_value()
    code = alice.locator(".code .unseen").text_content() or ""
    assert re.search(rf"/races/join/{code}/$", link)

    bob.goto("/races/")
    bob.get_by_label("Do you have a code?").fill(code.lower())
    bob.get_by_role("button", name="Show").tap()
    expect(bob).to_have_url(link)
    expect(bob.get_by_role("heading", level=1)).to_have_text(re.compile("wants to race you$"))
    found["invite"] = violations(bob, axe)
    bob.get_by_label("What should others call you?").fill(LONG_NAME)
    bob.get_by_role("button", name="Join the race").tap()
    expect(bob.get_by_text("Waiting for the host to start the race.")).to_be_visible()
    found["room on a phone"] = violations(bob, axe)
    bob.get_by_role("contentinfo").scroll_into_view_if_needed()  # where the count does not begin
    alice.get_by_role("button", name="Start the race").press("Enter")
    expect(bob.locator(".counting #race-clock", has_text=re.compile("^[1-5]$"))).to_be_in_viewport()
    for page in (alice, bob):
        expect(page.locator("body")).to_have_class(re.compile("begun"), timeout=60_000)
        assert "/games/" in page.url
    found["table"] = violations(alice, axe)

    play_on(bob, lambda one: one.tap(), most=3)
    expect(alice.locator("[data-race] td:last-child", has_text=re.compile("^3$"))).to_have_count(1)
    expect(bob.locator(".hud [data-race-place]")).to_have_text(re.compile("^[12]/2$"))
    for width in (320, 360):
        bob.set_viewport_size({"width": width, "height": 640})
        assert bob.evaluate(CROWDED) == []
    resign(alice)
    expect(alice.locator("#end-racing")).to_have_text("Others are still racing.")
    resign(bob)
    for page in (alice, bob):
        expect(page.locator("#end-racing")).to_have_text("The race is over.")
        expect(page.locator("#end-racers li")).to_have_count(2)
        expect(page.locator("#end-racers")).to_contain_text(re.compile(LONG_NAME + r".*gave up · \d+ cards left"))
        assert page.locator("#end").evaluate(TOO_WIDE) == 0
    assert alice.eval_on_selector_all("#end-racers li", "(items) => items.map(({ value }) => value)") == [1, 1]
    found["end"] = violations(alice, axe, within="#end")  # the rest of a table is looked at elsewhere
    race = alice.locator(".rail [data-race]").get_attribute("data-race")
    watcher = alice.context.new_page()
    watcher.goto(f"/races/{race}/")
    expect(watcher.get_by_text("The race is over.")).to_be_visible()
    found["results"] = violations(watcher, axe)
    assert [row[-1] for row in rows(watcher)] == ["gave up", "gave up"]
    phone = bob.context.new_page()
    phone.goto(f"/races/{race}/")
    result = phone.locator("[data-race] tbody td:last-child a").first
    expect(result).to_be_visible()
    assert result.evaluate("(link) => link.getClientRects().length") == 1  # it is not broken into lines
    expect(alice.locator(".bar nav [aria-current]")).to_have_text("Races")

    alice.locator("#end").get_by_role("button", name="Rematch").click()
    expect(alice.get_by_text("Waiting for others.")).to_be_visible()
    bob.locator("#end").get_by_role("button", name="Join the rematch").tap()
    expect(bob.get_by_text("Waiting for the host to start the race.")).to_be_visible()
    assert bob.url == alice.url.partition("#")[0]
    assert {where: all_of for where, all_of in found.items() if all_of} == {}
    assert complaints == []
