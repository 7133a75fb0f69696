"""The page of a cup shows what happens without being loaded again."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.processes import MANAGE, run

ANNOUNCE = """
from datetime import UTC, datetime, time
from games.cups.programme import announce
from games.cups.slots import Slot
announce([Slot(time(12), qualify_s=600)], datetime.now(UTC))
"""


def test_the_page_of_a_cup_shows_a_newer_state_by_itself(
    page: Page, environment: dict[str, str], complaints: list[str]
) -> None:
    run([*MANAGE, "shell", "--no-imports", "--command", ANNOUNCE], environment).check_returncode()
    page.clock.install()
    page.goto("/cups/")
    page.get_by_role("main").get_by_role("listitem").get_by_role("link").first.click()
    expect(page.get_by_text("The qualification takes 10 minutes")).to_be_visible()

    def later(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("takes 10 minutes", "takes 11 minutes"))

    page.route("**/cups/*/", later)
    page.clock.fast_forward(3000)
    expect(page.get_by_text("The qualification takes 11 minutes")).to_be_visible()
    assert complaints == []
