"""Take a picture of every page at three sizes, by day and by night: `python -m tests.browser.shots [FOLDER]`.

`DAYS` says how many days have been played (4). The pictures of README.md are renewed from them.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from games.rules import RULE_SETS
from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.player import button, expect_dealt, play_on, resign
from tests.journeys.conftest import Server
from tests.processes import MANAGE, PROJECT, newcomers_database, run

SIZES: dict[str, Any] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "tablet": {"viewport": {"width": 768, "height": 1024}},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
ACCOUNT = {
    "account": "/account/",
    "tokens": "/account/keys/",
    "own-data": "/account/data/",
    "delete": "/account/delete/",
    "own-review": "/review/own/",
}
SHOWN = {"playing-desktop-light": "game-light", "playing-desktop-dark": "game-dark"}
LIMITS = (
    *("PYRAMID_GUESTS_PER_HOUR", "PYRAMID_GUESTS_PER_DAY", "PYRAMID_PAGES_PER_MINUTE"),
    *("PYRAMID_ANONYMOUS_REQUESTS_PER_MINUTE", "PYRAMID_REQUESTS_PER_MINUTE"),
)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "var/shots")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, newcomers_database(Path(temporary)) as environment:
        limited = environment | dict.fromkeys(LIMITS, "100000")
        server = Server(limited)
        server.start()
        try:
            days = os.environ.get("DAYS") or "4"
            run([sys.executable, "-m", "tests.browser.seed", days], limited, 1800).check_returncode()
            have_best_game_analysed(server)
            run([*MANAGE, "worker", "--once"], limited, 600, is_cold=True).check_returncode()
            with (
                sync_playwright() as playwright,
                playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS) as browser,
            ):
                for size in SIZES:
                    for scheme in ("light", "dark"):
                        take_all(browser, server.url, folder, (size, scheme))
        finally:
            server.close()
    for shot, picture in SHOWN.items():
        with Image.open(folder / f"{shot}.png") as taken:  # a palette takes a third of the bytes
            taken.convert("RGB").quantize().save(PROJECT / "docs" / "pictures" / f"{picture}.png", optimize=True)


def have_best_game_analysed(server: Server) -> None:
    """Ask for the analysis of the game whose replay is shown."""
    token = server.post("/api/guests/", {"display_name": "Curious"})["token"]
    best = server.get(f"/api{pages()['board']}")["rows"][0]["game"]
    server.get(f"/api/games/{best}/analysis/", token)


def take_all(browser: Browser, url: str, folder: Path, look: tuple[str, str]) -> None:
    """Take all pages in one look, as one visitor who plays today's deal between them."""
    size, scheme = look
    with browser.new_context(base_url=url, color_scheme=scheme, **SIZES[size]) as context:  # type: ignore[arg-type]
        page = context.new_page()

        def shot(name: str, *, whole: bool = True) -> None:
            page.wait_for_timeout(350)
            page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=whole)

        for name, address in pages().items():
            page.goto(address)
            shot(name)
        take_closed(page, shot)
        take_races(page, shot)
        take_tables(page, shot)
        take_daily(page, shot)


def pages() -> dict[str, str]:
    yesterday = (datetime.now(UTC) - timedelta(days=1, minutes=30)).date()
    board = f"daily.{yesterday}.standard.open.fewest-moves"
    return {
        "home": "/",
        "practice": "/practice/",
        "rules": "/rules/",
        "rule-set": "/rules/covered-pairs/",
        "boards": "/boards/",
        "board": f"/boards/{board}/",
        "seasons": "/seasons/",
        "leagues": "/leagues/",
        "achievements": "/achievements/",
        "bots": "/bots/",
        "days": "/days/",
        "day": f"/days/{yesterday}/",
        "fairness": f"/fairness/?day={yesterday}",
        "races": "/races/",
        "race-invite": "/races/000000000000/",
        "settings": "/settings/",
        "sign-in": "/account/sign-in/",
        "register": "/account/claim/",
        "reset": "/account/reset/",
        "review": "/review/",
        "privacy": "/privacy/",
        "programs": "/programs/",
        "nothing": "/nowhere/",
    }


def take_closed(page: Page, shot: Callable[..., None]) -> None:
    """Take what a stranger sees of yesterday: the best game, its result and its player."""
    page.goto(pages()["board"])
    page.locator("tbody th a").first.click()
    shot("player")
    page.goto(pages()["board"])
    page.locator("tbody td.number a").first.click()
    page.get_by_role("button", name="One move on").click()
    shot("closed-replay", whole=False)
    page.get_by_role("button", name="Result").click()
    shot("closed-result", whole=False)


def take_races(page: Page, shot: Callable[..., None]) -> None:
    """Take a past race with its ratings, the profile of its winner, and a room that one has opened."""
    page.goto("/races/")
    page.locator(".days a").first.click()
    expect(page.locator("[data-race] tbody tr")).not_to_have_count(0)
    shot("race-over")
    page.locator("[data-race] tbody th a").first.click()
    shot("rated-player")
    page.goto("/races/")
    page.get_by_role("button", name="Open a race").click()
    expect(page.get_by_text("Waiting for others.")).to_be_visible()
    shot("race-room")
    page.get_by_role("button", name="Leave").click()
    page.wait_for_url("/races/")


def take_analysed(page: Page, shot: Callable[..., None]) -> None:
    """Take what a player sees of the same game: its analysis, a critical moment, the form of a report."""
    page.goto(pages()["board"])
    page.locator("tbody td.number a").first.click()
    expect(page.locator("#analysis")).to_contain_text("The deal can be won")
    page.get_by_role("button", name="Result").click()
    shot("analysed", whole=False)
    page.locator("#analysis button").first.click()
    shot("critical-moment", whole=False)
    page.get_by_role("button", name="Result").click()
    links = {"deal": "Challenge someone", "report-form": "Report the score"}
    addresses = {name: page.get_by_role("link", name=link).get_attribute("href") for name, link in links.items()}
    for name, address in addresses.items():
        page.goto(address or "")
        shot(name)


def take_tables(page: Page, shot: Callable[..., None]) -> None:
    for slug in RULE_SETS if page.viewport_size and page.viewport_size["width"] != 768 else ("giza", "pharaohs"):
        page.goto(f"/rules/{slug}/")
        page.get_by_role("button", name="Play it").click()
        expect_dealt(page)
        page.wait_for_timeout(700)
        for _ in range(4):
            stock = button(page, "stock")
            if stock.count():
                page.keyboard.press("d")
                page.wait_for_timeout(150)
        shot(f"table-{slug}", whole=False)
        resign(page)


def take_daily(page: Page, shot: Callable[..., None]) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play today").click()
    shot("start", whole=False)
    expect_dealt(page)
    page.wait_for_timeout(700)
    shot("first", whole=False)
    play_on(page, lambda one: one.click(), most=12)
    shot("playing", whole=False)
    page.get_by_role("button", name="More", exact=True).click()
    shot("menu", whole=False)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    shot("keys", whole=False)
    page.keyboard.press("Escape")
    resign(page)
    page.wait_for_timeout(1500)
    shot("end", whole=False)
    page.get_by_role("link", name="Replay").click()
    page.get_by_role("button", name="One move on").click()
    shot("replay", whole=False)
    page.get_by_role("button", name="Result").click()
    shot("result", whole=False)
    take_account(page, shot)
    take_analysed(page, shot)


def take_account(page: Page, shot: Callable[..., None]) -> None:
    for name, address in reversed(ACCOUNT.items()):
        page.goto(address)
        shot(name)
    page.get_by_role("link", name="Your games and statistics").click()
    shot("profile")
    page.goto("/")
    shot("home-played")


if __name__ == "__main__":
    sys.path.insert(0, str(PROJECT))
    main()
