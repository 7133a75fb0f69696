"""The page of a cup shows what happens without being loaded again."""

from __future__ import annotations

from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.processes import MANAGE, run

ANNOUNCE = """
from datetime import UTC, datetime, time
from games.cups.programme import announce
from games.cups.slots import Slot
from games.cups.models import Cup
announce([Slot(time(13, 7), qualify_s=600)], datetime.now(UTC))  # beside those that a worker may have announced
print(Cup.objects.filter(qualify_s=600).latest("opens_at").pk)
"""
MATCH = """<p data-race="2x9k4m7vq1ht"><span data-handle="carol">28 left</span></p>"""


def test_the_page_of_a_cup_follows_its_socket(page: Page, environment: dict[str, str], complaints: list[str]) -> None:
    sockets, failed = list[WebSocketRoute](), list[str]()

    def later(route: Route) -> None:
        if not failed:  # the first time
            failed.append(route.request.url)
            route.abort()
            return
        answer = route.fetch()
        body = (
            answer.text().replace("takes 10 minutes", "takes 11 minutes").replace("11 minutes;", f"11 minutes;{MATCH}")
        )
        route.fulfill(response=answer, body=body)

    announced = run([*MANAGE, "shell", "--no-imports", "--command", ANNOUNCE], environment)
    announced.check_returncode()
    page.route_web_socket("**/ws/cups/*/1/", lambda socket: sockets.append(socket))  # noqa: PLW0108  it is marked
    page.goto("/cups/")
    page.locator(f"main a[href='/cups/{announced.stdout.strip()}/']").click()
    expect(page.get_by_text("The qualification takes 10 minutes")).to_be_visible()
    page.wait_for_load_state()  # its script has a socket by then
    page.route("**/cups/*/", later)
    (socket,) = sockets
    for _ in range(2):  # the first is as new as the page
        socket.send('{"type": "bracket", "cup": {}}')
    expect(page.get_by_text("The qualification takes 11 minutes")).to_be_visible()
    socket.send('{"type": "progress", "seats": [{"race": "2x9k4m7vq1ht", "handle": "carol", "cards_left": 26}]}')
    expect(page.get_by_text("26 left")).to_be_visible()
    assert all("ERR_FAILED" in one for one in complaints)
