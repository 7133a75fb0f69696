"""Reviewers decide a populated day by keyboard, with pictures of every page: `make desk-day` (PEOPLE=1000 DAYS=14).

A crowd plays, most of it on the last day; a bot, one who knows the stock, a copyist and others cheat, a champion does
not. Ends with an error if a cheat is not on top of the queue, if the champion is in it, if no rank changes, or if the
log does not verify.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM, GENEROUS, PHONE, listening
from tests.browser.reviewers import appeal, as_player, decide_all, look_at_the_changes, signed_in
from tests.journeys.conftest import Server
from tests.processes import MANAGE, PROJECT, own_database, run

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
LOOKS: dict[str, dict[str, Any]] = {
    f"{size}-{scheme}": {**shape, "color_scheme": scheme}
    for size, shape in (("desktop", WIDE), ("phone", PHONE))
    for scheme in ("light", "dark")
}
PAGES = {
    "start": "/admin/",
    "queue": "/admin/review/",
    "decisions": "/admin/review/decisions/",
    "detectors": "/admin/review/detectors/",
    "faults": "/admin/review/faults/",
    "players": "/admin/games/player/",
    "games": "/admin/games/game/",
    "days": "/admin/games/dailydeal/",
    "entries": "/admin/leaderboards/entry/",
    "report": "/review/",
}
SHOWN = PROJECT / "docs" / "pictures"  # README.md shows the desk
CHEATS, CHAMPION = ("Quill", "Wren", "Magpie"), "Amenhotep"
REVIEWERS = ("ines", "paula", "sigrid", "ines", "paula")


def main() -> None:
    folder = Path("var/desk")
    folder.mkdir(parents=True, exist_ok=True)
    people, days = os.environ.get("PEOPLE") or "1000", os.environ.get("DAYS") or "14"
    with tempfile.TemporaryDirectory() as temporary, own_database(Path(temporary)) as environment:
        run([sys.executable, "-m", "tests.leaderboards.desk.plant", people, days], environment, 7200).check_returncode()
        with _pages(environment) as open_page:
            journey(open_page, folder, int(days))
        run([*MANAGE, "verify_decisions"], environment).check_returncode()
    print(f"The log verifies. The pictures are in {folder}/.")


def journey(open_page: Callable[..., Page], folder: Path, days: int) -> None:
    """Look at every page, decide all cases, and look again."""
    page = signed_in(open_page(**WIDE), "sigrid")
    queue = page.locator("tr.row a.open").all_inner_texts()
    print(f"The queue: {', '.join(queue)}")
    _require(
        set(queue[:3]) == set(CHEATS) and CHAMPION not in queue, "those who cheat come first, the champion is not there"
    )
    for look, options in LOOKS.items():
        shoot(signed_in(open_page(**options), "robin"), folder, look)
    before = placed(page, days)
    for name in REVIEWERS:
        for said in decide_all(signed_in(open_page(**WIDE), name)):
            print(f"{name}: {said}")
    left = {name for name, _ in before - placed(page, days)}
    _require(set(CHEATS) <= left, "each of those who cheat has left a board")
    page.goto("/admin/review/")
    _require("Nothing is waiting here." in page.inner_text("main"), "all cases are decided")
    for name in ("queue", "decisions", "start", "report"):
        page.goto(PAGES[name])
        page.screenshot(path=folder / f"after-{name}.png", full_page=True)
    for look, options in LOOKS.items():
        shoot_own(as_player(open_page(**options), "quill"), folder, look)
    own = as_player(open_page(**WIDE), "quill")
    appeal(own)
    own.screenshot(path=folder / "appealed.png", full_page=True)


def shoot(page: Page, folder: Path, look: str) -> None:
    """Take a picture of each page in one look; robin, who sees all, hands back the case whose changes are shown."""

    def shot(name: str) -> None:
        page.wait_for_timeout(300)
        page.screenshot(path=folder / f"{name}-{look}.png", full_page=True)

    for name, address in PAGES.items():
        page.goto(address)
        shot(name)
    for number in [row.get_attribute("data-case") for row in _queue(page)]:
        page.goto(f"/admin/review/{number}/")
        shot(f"case-{number}")
    if look.startswith("desktop"):
        page.goto("/admin/review/1/")
        page.screenshot(path=SHOWN / f"{look.replace('desktop', 'desk')}.png")
    page.locator("h1 a").click()
    shot("player")
    page.goto("/admin/review/1/")
    page.keyboard.press("t")
    page.locator("form.choose").wait_for()
    shot("deciding")
    look_at_the_changes(page, "disqualify", "The times")
    shot("confirm")
    page.go_back()
    page.keyboard.press("b")
    page.get_by_role("heading", name="Queue").wait_for()


def shoot_own(page: Page, folder: Path, look: str) -> None:
    """Take pictures of what somebody disqualified reads, with the form of an appeal, and of the form of a report."""
    page.goto("/review/own/")
    game = (page.locator('.panel a[href^="/games/"]').first.get_attribute("href") or "").removeprefix("/games/")
    page.get_by_text("Appeal, until").first.click()
    page.screenshot(path=folder / f"own-{look}.png", full_page=True)
    page.goto(f"/review/report/{game}")
    page.screenshot(path=folder / f"report-form-{look}.png", full_page=True)


def placed(page: Page, days: int) -> set[tuple[str, str]]:
    """Return who is on the first page of which day's board."""
    found = set()
    for ago in range(1, days + 1):
        day = (datetime.now(UTC) - timedelta(days=ago)).date()
        page.goto(f"/boards/daily.{day}.standard.open.fewest-moves/")
        found |= {(name, str(day)) for name in page.locator("tbody tr a").all_inner_texts()}
    return found


def _queue(page: Page) -> list[Any]:
    page.goto("/admin/review/")
    return page.locator("tr.row").all()


@contextmanager
def _pages(environment: dict[str, str]) -> Iterator[Callable[..., Page]]:
    """Open pages in a browser in front of a server of its own; complaints of the browser are an error."""
    server, complaints = Server(environment | dict.fromkeys(GENEROUS, "100000")), list[str]()
    server.start()
    try:
        with (
            sync_playwright() as playwright,
            playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS) as browser,
        ):
            yield lambda **options: listening(_new_page(browser, server.url, options), complaints)
    finally:
        server.close()
    _require(not complaints, f"the browser complains about nothing: {complaints}")


def _new_page(browser: Browser, url: str, options: dict[str, Any]) -> Page:
    return browser.new_context(base_url=url, **options).new_page()


def _require(is_so: bool, what: str) -> None:
    if not is_so:
        raise SystemExit(f"Not so: {what}.")


if __name__ == "__main__":
    main()
