"""Measure the pages in Chromium, with an empty cache, on a server of this machine: python -m tests.bench.page_speed

With a number, only count the long tasks of so many games, without tracing: python -m tests.bench.page_speed 10
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Locator, Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM, PHONE, UNHURRIED
from tests.browser.player import button, expect_dealt, free_cards, middle, pair_of_thirteen, play_on
from tests.journeys.conftest import Server
from tests.processes import newcomers_database

ROUNDS = 3
THROTTLING = 4  # a phone is about so much slower
MOVES = 20
QUERY = "blink.mojom.DevToolsSession"  # how the browser names what this program asks a page

OBSERVE = """
    window.seen = { paint: 0, shifts: 0, slowest: 0, tasks: [] };
    const watch = (type, handle, more = {}) =>
        new PerformanceObserver((list) => list.getEntries().forEach(handle)).observe({ type, buffered: true, ...more });
    new MutationObserver((_, observer) => {
        if (!document.body?.classList.contains("begun")) return;
        seen.ready = performance.now();
        observer.disconnect();
    }).observe(document, { subtree: true, attributeFilter: ["class"] });
    watch("paint", ({ startTime }) => (seen.paint = startTime));
    watch("layout-shift", ({ value }) => (seen.shifts += value));
    watch("longtask", ({ startTime, duration }) => seen.tasks.push([startTime, duration]));
    watch("event", ({ duration, interactionId }) => {
        if (interactionId) seen.slowest = Math.max(seen.slowest, duration);
    }, { durationThreshold: 16 });
"""
LOADED = """() => {
    const [visit] = performance.getEntriesByType("navigation");
    const files = performance.getEntriesByType("resource");
    const bytes = [visit, ...files].reduce((sum, { transferSize }) => sum + transferSize, 0);
    return { loaded: visit.loadEventEnd, requests: 1 + files.length, bytes };
}"""
# What began after a time and has ended before this question, which is a task of its own.
LONG_TASKS = """(since) => {
    const now = performance.now();
    return seen.tasks.filter(([at, took]) => at >= since && at + took < now).map(([, took]) => took);
}"""
FRAMES = """() => new Promise((resolve) => {
    const times = [];
    const tick = (now) => {
        times.push(now);
        if (now - times[0] < 500) requestAnimationFrame(tick);
        else resolve((times.length - 1) * 1000 / (now - times[0]));
    };
    requestAnimationFrame(tick);
})"""


def main() -> None:
    """Print the median of some rounds, each in a browser profile that has seen nothing; or count long tasks."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    with (
        tempfile.TemporaryDirectory() as folder,
        newcomers_database(Path(folder)) as environment,
        Server(environment | UNHURRIED).running() as server,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS) as browser,
    ):
        if games:
            print_long_tasks([long_tasks(browser, server.url) for _ in range(games)])
        else:
            print_medians(browser, server.url)


def print_medians(browser: Browser, url: str) -> None:
    both = [(measured(browser, url), measured(browser, url, throttling=THROTTLING)) for _ in range(ROUNDS)]
    print(f"load {os.getloadavg()[0]:.1f}; medians of {ROUNDS}; with the processor throttled {THROTTLING} times")
    for name in both[0][0]:
        usual, slow = (statistics.median(one[name] for one in rounds) for rounds in zip(*both, strict=True))
        digits = 3 if "shift" in name else 1
        print(f"{name:42} {usual:8.{digits}f} {slow:8.{digits}f}")


def print_long_tasks(games: list[tuple[list[float], list[float]]]) -> None:
    print(f"load {os.getloadavg()[0]:.1f}; {len(games)} games, throttled {THROTTLING} times, without tracing")
    for name, found in zip(("opening and dealing", f"{MOVES} moves"), zip(*games, strict=True), strict=True):
        tasks = sorted(took for one in found for took in one)
        print(f"{name:20} long tasks {len(tasks):4}, the longest {max(tasks, default=0):4.0f} ms")


def long_tasks(browser: Browser, url: str) -> tuple[list[float], list[float]]:
    """Open a game, which deals, and make some moves; ask the page nothing meanwhile, which would be tasks too."""
    with browser.new_context(base_url=url, **PHONE) as context:
        context.add_init_script(OBSERVE)
        page = context.new_page()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": THROTTLING})
        page.goto("/", wait_until="load")
        page.touchscreen.tap(*middle(page.get_by_role("button", name="Play today")))
        page.wait_for_timeout(4000)
        opened = list(page.evaluate(LONG_TASKS, 0))
        return opened, [took for _ in range(MOVES) for took in long_tasks_of_move(page)]


def long_tasks_of_move(page: Page) -> list[float]:
    cards = free_cards(page)
    places = [cards[card] for card in pair_of_thirteen(list(cards))] or [button(page, "stock")]
    points = [middle(place) for place in places]
    since = page.evaluate("performance.now()")
    for point in points:
        page.touchscreen.tap(*point)
    page.wait_for_timeout(550)
    return list(page.evaluate(LONG_TASKS, since))


def measured(browser: Browser, url: str, throttling: int = 1) -> dict[str, float]:
    """Load the first page and a game, deal and play some moves on a phone."""
    with browser.new_context(base_url=url, **PHONE) as context:
        context.add_init_script(OBSERVE)
        page = context.new_page()
        devtools = context.new_cdp_session(page)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": throttling})
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})  # processor time, whatever else is busy
        with traced(browser) as first_tasks:
            page.goto("/", wait_until="load")
            first = page.evaluate(LOADED) | seen(page)
        devtools.send("Network.clearBrowserCache")
        with traced(browser) as game_tasks:
            page.get_by_role("button", name="Play today").click()
            expect_dealt(page)
            opened, loaded = seen(page), page.evaluate(LOADED)
        frames = page.evaluate(FRAMES)
        button(page, "stock").tap()
        before = worked(devtools)
        taps = Taps(page)
        with traced(browser) as move_tasks:
            play_on(page, taps, most=MOVES)
        after = worked(devtools)
        game = seen(page)
        return {
            "first page, first paint, ms": first["paint"],
            "first page, loaded, ms": first["loaded"],
            "first page, requests": first["requests"],
            "first page, bytes": first["bytes"],
            "game, requests": loaded["requests"],
            "game, bytes": loaded["bytes"],
            "game, dealt, ms": opened["ready"],
            "first page, longest task, CPU ms": max(first_tasks),
            "game, longest task until it is dealt, CPU ms": max(game_tasks),
            "frames a second while cards are dealt": frames,
            "slowest tap to paint of a game, ms": game["slowest"],
            "longest task of the moves, CPU ms": max(move_tasks),
            **{
                f"a tap with all that follows, {name}, CPU ms": (after[name] - before[name]) / taps.made
                for name in after
            },
            "layout shift, both pages": first["shifts"] + game["shifts"],
        }


@contextmanager
def traced(browser: Browser) -> Iterator[list[float]]:
    """Collect the processor time in ms of every task of the page's thread, but for the queries of this program."""
    devtools, tasks = browser.new_browser_cdp_session(), list[float]()
    events, is_complete = list[dict[str, Any]](), list[object]()
    devtools.on("Tracing.dataCollected", lambda some: events.extend(some["value"]))
    devtools.on("Tracing.tracingComplete", lambda end: is_complete.extend([end]))
    devtools.send("Tracing.start", {"transferMode": "ReportEvents", "categories": "toplevel,devtools.timeline"})
    yield tasks
    devtools.send("Tracing.end")
    while not is_complete:
        browser.contexts[0].pages[0].wait_for_timeout(50)
    tasks.extend(_tasks(events))


def _tasks(events: list[dict[str, Any]]) -> Iterator[float]:
    ours = {event["pid"] for event in events if "http://127.0.0.1" in str(event["args"])}  # not the browser's own pages
    named = (event for event in events if event["pid"] in ours and event["args"].get("name") == "CrRendererMain")
    for thread in {(event["pid"], event["tid"]) for event in named}:
        own = [event for event in events if event["ph"] == "X" and (event["pid"], event["tid"]) == thread]
        queries = [event["ts"] for event in own if QUERY in str(event["args"])]
        for task in own:
            if task["name"] == "ThreadControllerImpl::RunTask":
                end = task["ts"] + task["dur"]
                if not any(task["ts"] <= at <= end for at in queries):
                    yield task.get("tdur", 0) / 1000


class Taps:
    """Taps what it is called with, and counts. `Locator.tap` would itself listen on the page, in the same tasks."""

    made = 0

    def __init__(self, page: Page) -> None:
        self.page = page

    def __call__(self, one: Locator) -> None:
        self.page.touchscreen.tap(*middle(one))
        self.made += 1


def worked(devtools: CDPSession) -> dict[str, float]:
    """Return the milliseconds that the page's main thread has worked."""
    metrics = {one["name"]: 1000 * one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}
    return {
        "script": metrics["ScriptDuration"],
        "style": metrics["RecalcStyleDuration"],
        "layout": metrics["LayoutDuration"],
        "all": metrics["TaskDuration"],
    }


def seen(page: Page) -> dict[str, Any]:
    page.wait_for_timeout(500)
    return dict(page.evaluate("window.seen"))


if __name__ == "__main__":
    main()
