from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.journeys.conftest import Server
from tests.processes import MANAGE, run


def test_the_api_documentation_loads_without_a_complaint_and_is_dark_by_night(
    page: Page, complaints: list[str]
) -> None:
    page.goto("/api/docs/")
    expect(page.get_by_text("/api/guests/").first).to_be_visible()
    expect(page.locator("html.dark-mode")).to_have_count(0)
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html.dark-mode")).to_have_count(1)
    expect(page.locator(".opblock-tag").first).to_contain_text("Start")
    assert complaints == []


def test_staff_finds_a_deal_in_the_admin_without_a_complaint(
    page: Page, environment: dict[str, str], complaints: list[str]
) -> None:
    account = {"DJANGO_SUPERUSER_USERNAME": "staff", "DJANGO_SUPERUSER_PASSWORD": "a good long password"}
    run([*MANAGE, "createsuperuser", "--noinput"], environment | account).check_returncode()
    page.goto("/admin/games/dailydeal/")
    page.get_by_label("Handle").fill("staff")
    page.get_by_label("Password").fill("a good long password")
    page.get_by_role("button", name="Log in").click()
    page.locator("#result_list tbody a").first.click()
    expect(page.get_by_text("hidden while the deal can be played")).to_be_visible()
    assert complaints == []


def test_the_link_of_a_shared_deal_is_copied_with_the_challengers_game(
    page: Page, server: Server, complaints: list[str]
) -> None:
    token = server.post("/api/guests/", {"display_name": "Ada"})["token"]
    game = server.post("/api/games/", {"kind": "practice", "rules": "relaxed"}, token)
    server.post(f"/api/games/{game['id']}/resign/", {"version": 0}, token)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/deals/{game['deal']}/?game={game['id']}")
    expect(page.get_by_role("heading", name="Beat my 28 cards left after 0 moves")).to_be_visible()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert complaints == []


def test_a_browser_recomputes_a_closed_day_and_finds_a_result_among_those_it_was_sealed_with(
    page: Page, server: Server, environment: dict[str, str], complaints: list[str]
) -> None:
    run([sys.executable, "-m", "tests.browser.seed", "3", "2"], environment).check_returncode()
    day = datetime.now(UTC).date() - timedelta(days=3)
    page.goto(f"/fairness/?day={day}")
    expect(page.get_by_text("Everything that could be checked is correct.")).to_be_visible()
    checks = page.locator(".checks li.good")
    for claim in ("the deck follows from the seed", "no deck of the seed before it", "days of results is unbroken"):
        expect(checks.filter(has_text=claim).first).to_be_visible()
    expect(page.locator(".checks li.bad")).to_have_count(0)
    games = server.get(f"/api/boards/daily.{day}.standard.open.fewest-moves/")["rows"]
    page.goto(f"/fairness/?game={games[0]['game']}")
    expect(checks.filter(has_text="results that lead to the root of its day")).to_be_visible()
    expect(page.get_by_text("Everything that could be checked is correct.")).to_be_visible()
    assert complaints == []


def test_a_browser_recomputes_the_chain_of_commitments(page: Page, complaints: list[str]) -> None:
    page.goto(f"/fairness/?day={datetime.now(UTC).date()}")
    expect(page.locator(".checks li.good")).to_have_count(3)
    expect(page.locator(".checks li").first).to_contain_text("commitments is unbroken")
    expect(page.locator(".checks li.bad")).to_have_count(0)
    expect(page.get_by_text("the seed is revealed when the last games have ended").first).to_be_visible()
    assert complaints == []
