"""The pages of the guides work in a browser, away from the server; the documents are searched."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.other_sites import site_of
from tests.browser.player import run_until
from tests.journeys.conftest import Server
from tests.journeys.guides import block


def test_an_overlay_from_a_file_follows_todays_table(page: Page, server: Server, tmp_path: Path) -> None:
    overlay = tmp_path / "overlay.html"
    text = block("stream-overlay.md", "html", server.url)
    overlay.write_text(text.replace('division = "open"', 'division = "open-bots"'))  # people do not play as fast
    for name in ("Ada", "Bob"):
        token = server.post("/api/guests/", {"display_name": name, "is_bot": True})["token"]
        game = server.post("/api/games/", {"kind": "daily", "rules": "standard"}, token)
        answer = server.get(f"/api/games/{game['id']}/state/", token)
        for _ in range(60):
            if not answer["legal"] or (len(move := max(answer["legal"], key=len)) > 1 and answer["version"] > 30):
                break
            body = {"version": answer["version"], "action": move}
            answer = server.post(f"/api/games/{game['id']}/actions/", body, token)
        server.post(f"/api/games/{game['id']}/resign/", {"version": answer["version"]}, token)
        if name == "Ada":
            page.goto(overlay.as_uri())
        expect(page.locator("li", has_text=name)).to_contain_text("left")
    expect(page.locator("li", has_text=re.compile("Ada|Bob"))).to_have_count(2)


def test_an_overlay_whose_clock_is_ahead_asks_again_until_the_server_has_the_new_day(
    page: Page, server: Server, tmp_path: Path
) -> None:
    overlay, asked = tmp_path / "overlay.html", list[str]()
    overlay.write_text(block("stream-overlay.md", "html", server.url))
    page.on("request", lambda request: asked.append(request.url))
    page.clock.install(time=f"{date.fromisoformat(server.get('/api/daily/')['day']) + timedelta(days=1)}T00:00:30Z")
    with page.expect_websocket():
        page.goto(overlay.as_uri())
    run_until(page, lambda: sum("/api/boards/" in url for url in asked) > 1)  # the socket closes, and the page waits


def test_a_page_on_another_origin_plays(page: Page, server: Server, tmp_path: Path) -> None:
    (tmp_path / "play.html").write_text(block("other-site.md", "html", server.url))
    with site_of(tmp_path) as address:
        page.goto(f"{address}/play.html")
        page.get_by_role("button", name="Play").click()
        expect(page.locator("#position")).to_contain_text("??")
        dealt = page.locator("#position").inner_text()
        page.locator("#moves").get_by_role("button", name="D", exact=True).click()
        expect(page.locator("#position")).not_to_have_text(dealt)
        page.route(f"{server.url}/api/**", lambda route: route.abort())
        page.locator("#moves").get_by_role("button", name="D", exact=True).click()
        expect(page.locator("#moves")).to_have_text("Failed to fetch")


def test_a_reader_searches_the_documents_by_keyboard_and_copies_code(page: Page, complaints: list[str]) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/docs/")
    page.keyboard.press("/")
    page.keyboard.type("clock heartbeat")
    expect(page.locator(".finder li").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/docs/*/#*")
    page.goto("/docs/tutorial/")
    page.locator(".listing").first.hover()
    page.locator(".listing button").first.click()
    expect(page.locator(".listing button").first).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").startswith("mkdir my-bot")
    assert complaints == []


def test_a_reader_sees_where_a_page_is_in_the_contents_and_whole_tables_on_a_phone(
    page: Page, complaints: list[str]
) -> None:
    page.goto("/docs/speed/")
    expect(page.locator(".contents [aria-current]")).to_be_in_viewport()
    page.set_viewport_size({"width": 390, "height": 844})
    hidden = "boxes => boxes.filter((box) => box.scrollWidth > box.clientWidth + 1).length"
    for name in ("web", "rules", "detectors-measured"):
        page.goto(f"/docs/{name}/")
        assert page.locator(".document .scroll:has(> table)").evaluate_all(hidden) == 0
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert complaints == []
