"""Every page: nothing that axe finds, and nothing sideways. Those of visitors and guests are seen in `test_german.py`.

axe looks at one page by day and at the next by night; `make walk` has it look at all of them by day and by night.
"""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.browser.conftest import IS_WALK, PHONE, NewPage
from tests.browser.moving import register
from tests.browser.past_competitions import WIDEST
from tests.browser.player import expect_dealt, open_practice, play_on, resign
from tests.games.site.test_scripts import needs_node
from tests.journeys.conftest import Server
from tests.processes import run

ADDRESSES = [
    *("/", "/practice/", "/rules/", "/rules/pharaohs/", "/boards/", "/days/", "/fairness/", "/settings/", "/offline/"),
    *("/privacy/", "/programs/", "/account/sign-in/", "/account/claim/", "/account/reset/", "/review/", "/nowhere/"),
    *(
        "/seasons/",
        "/leagues/",
        "/achievements/",
        "/clubs/",
        "/clubs/week/",
        "/cups/",
        "/cups/seasons/2026-01/",
        "/races/",
        "/races/000000000000/",
    ),
    # Of the documents: the contents, one with pictures, one with code in colours, and one that unfolds.
    *("/status/", "/docs/", "/docs/architecture/", "/docs/races/", "/docs/asyncapi/"),
]
ACCOUNT = [
    "/account/",
    "/account/notifications/",
    "/account/notifications/devices/",
    "/account/keys/",
    "/account/data/",
    "/account/delete/",
    "/review/own/",
]
NAMED = [
    *("/account/", "/account/ways/", "/account/bots/", "/account/apps/", "/account/apps/own/", "/device/"),
    *("/clubs/new/", "/cups/new/"),
]
WIDE: Any = {"width": 1280, "height": 720}
NARROW = PHONE | {"viewport": {"width": 320, "height": 568}}
RIGHT_EDGES = """Math.max(...[...document.querySelectorAll('body *')]
    .filter((one) => !one.closest('.scroll, .bar nav, svg, .unseen, #table'))
    .map((one) => one.getBoundingClientRect().right))"""
# A dialog that fades in has less contrast for a moment.
SETTLED = """Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime < Infinity).map((one) => one.finished)).then(() => true)"""
# Nothing is loaded ahead: that is for sounds, of which there are none, and for a rule that is not among the usual ones.
RUN = """([within, options]) => axe.run(within, { resultTypes: ['violations'], preload: false, ...options })
    .then((all) => all.violations)"""
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
NAMELESS = """new MutationObserver(() => {
    const nameless = document.querySelector('[role=grid]:not([hidden]) button:not([aria-label])');
    if (nameless) console.error('a place has no name');
}).observe(document, { attributes: true, childList: true, subtree: true })"""
Scheme = Literal["light", "dark"]
SCHEMES: list[Scheme] = ["light", "dark"]


def page_for_axe(new_page: NewPage, axe: str) -> Page:
    """Open a page that has axe from the start, which takes a third of the time of bringing it to each page."""
    page = new_page(bypass_csp=True, viewport=WIDE)
    page.add_init_script(axe)
    return page


def violations(page: Page, axe: str, options: dict[str, Any] | None = None, within: str = "html") -> list[str]:
    """Return what axe finds on a page, or within a part of it, by its rules or those of the options."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    page.evaluate(SETTLED)
    found: list[dict[str, Any]] = page.evaluate(RUN, [within, options or {}])
    return [
        f"{one['id']}: {node['html'][:200]} {node['failureSummary'][:300]}" for one in found for node in one["nodes"]
    ]


class Look(NamedTuple):
    """The findings of axe on pages, of which it sees every other one by night."""

    page: Page
    axe: str
    found: dict[str, list[str]]

    def at(self, where: str, within: str = "html", scheme: Scheme | None = None) -> None:
        """Look at what is shown, or a part of it. The dark scheme changes nothing but colours."""
        scheme = scheme or SCHEMES[len(self.found) % 2]
        self.page.emulate_media(color_scheme=scheme)
        self.found[where] = violations(self.page, self.axe, within=within)
        if IS_WALK:
            self.page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
            self.found[where] += violations(self.page, self.axe, COLOURS, within)

    def visit(self, *addresses: str) -> None:
        """Look at every other page by day, at the others by night, and for what is wider than a narrow phone."""
        for scheme, seen in zip(SCHEMES, (addresses[::2], addresses[1::2]), strict=True):
            for address in seen:
                self.page.goto(address)
                is_wide = self.page.viewport_size == WIDE
                beyond = [] if is_wide else sideways(self.page)
                self.page.set_viewport_size(WIDE)
                self.at(address, scheme=scheme)
                if is_wide:  # and the next page comes on the narrow phone: each is laid out twice
                    self.page.set_viewport_size(NARROW["viewport"])
                    beyond = sideways(self.page)
                self.found[address] += beyond
        self.page.set_viewport_size(WIDE)

    def expect_nothing(self) -> None:
        assert {where: all_of for where, all_of in self.found.items() if all_of} == {}


def sideways(page: Page) -> list[str]:
    """Return how far a page, or something on it, reaches where that is beyond the window."""
    assert page.viewport_size
    width = page.viewport_size["width"]
    page_itself, on_it = page.evaluate(f"[document.documentElement.scrollWidth, {RIGHT_EDGES}]")
    return [f"{page_itself} and {on_it} of {width} pixels"] if page_itself > width or on_it > width + 0.5 else []


def dated() -> list[str]:
    today = datetime.now(UTC).date()
    return [f"/days/{today}/", f"/boards/daily.{today}.standard.open.fewest-moves/"]


def pages_of_a_player(page: Page) -> list[str]:
    """Return the pages of the player whose game is shown: of the game, the player, the account."""
    game = page.url.partition("#")[0].rpartition("/games/")[2]
    page.goto("/account/")
    profile = page.locator("main a[href^='/players/']").first.get_attribute("href") or ""
    return [*ACCOUNT, profile, f"/games/{game}", f"/review/report/{game}"]


def founded(page: Page) -> list[str]:
    """Found a club and announce a tournament with the longest names, and return the pages of both."""
    page.goto("/clubs/new/")
    page.get_by_label("Name", exact=True).fill(WIDEST)
    page.get_by_role("button", name="Found the club").click()
    club = page.url
    page.goto("/cups/new/")
    page.get_by_label("Name", exact=True).fill(WIDEST)
    page.get_by_label("Start (UTC)").fill(f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Announce the tournament").click()
    cup = page.url
    return [club, *(f"{club}{part}/" for part in ("notices", "log", "report", "terms")), cup]


@needs_node
def test_axe_finds_nothing_on_the_pages_of_a_named_account_and_of_apps(new_page: NewPage, axe: str) -> None:
    page = page_for_axe(new_page, axe)
    look = Look(page, axe, {})
    page.goto("/account/claim/")
    page.get_by_label("Handle").fill("carol-who-looks")
    page.get_by_label("Password", exact=True).fill("thirteen kings in a row")
    page.get_by_role("button", name="Register", exact=True).click()
    look.visit(*NAMED, *founded(page))
    page.goto("/account/apps/own/")
    page.get_by_label("Name").fill("Widget")
    page.get_by_label("Addresses").fill("https://widget.example/back")
    page.get_by_role("button", name="Register the app").click()
    look.at("an app of one's own")
    app = (page.locator("code").first.text_content() or "").partition("=")[2]
    asked = {
        "response_type": "code",
        "client_id": app,
        "redirect_uri": "https://widget.example/back",
        "state": "x",
        "code_challenge": "y" * 43,
        "code_challenge_method": "S256",
    }
    look.visit(*(f"/oauth/authorize/?{urlencode(asked | {'scope': scope})}" for scope in ("read play", "account")))
    waiting = page.request.post("/oauth/devices/", form={"client_id": app, "scope": "read"}).json()
    page.goto("/device/")
    page.get_by_label("The code on your device").fill(waiting["user_code"])
    page.get_by_role("button", name="Go on").click()
    look.at("a device that asks")
    page.get_by_role("button", name="Allow", exact=True).click()
    look.at("an app that is allowed something")
    look.expect_nothing()


@needs_node
def test_axe_finds_nothing_on_the_pages_of_competitions_that_are_over_and_of_reports_about_them(
    new_page: NewPage, server: Server, axe: str, complaints: list[str]
) -> None:
    done = run([sys.executable, "-m", "tests.browser.past_competitions"], server.environment)
    assert done.returncode == 0, done.stderr
    *sessions, pages = json.loads(done.stdout)
    for session, addresses in zip(sessions, pages.values(), strict=True):
        page = page_for_axe(new_page, axe)
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": server.url}])
        look = Look(page, axe, {})
        look.visit(*addresses)
        look.expect_nothing()
    assert complaints == []  # such as that a page is not found


def test_text_is_as_large_as_readers_have_set_it_in_their_browser_and_nothing_goes_sideways(page: Page) -> None:
    tools = page.context.new_cdp_session(page)
    tools.send("Page.enable")
    tools.send("Page.setFontSizes", {"fontSizes": {"standard": 24}})  # what Chrome calls very large, instead of 16
    for address in ("/", "/boards/", "/days/", "/rules/", "/review/", "/account/claim/", "/status/", "/docs/"):
        page.goto(address)
        for width, size in ((1280, "22.5px"), (768, "22.5px"), (390, "18.75px")):
            page.set_viewport_size({"width": width, "height": 720})
            assert page.locator("main").evaluate("one => getComputedStyle(one).fontSize") == size
            assert sideways(page) == [], address
    page.goto("/offline/")
    assert page.locator("body").evaluate("one => getComputedStyle(one).fontSize") == "15px"  # the game fits its window
    register(page, "Alice-Reads")
    page.set_viewport_size({"width": 320, "height": 720})
    page.goto("/cups/new/")  # with the widest of all fields, which is for a date and a time
    assert sideways(page) == []


@needs_node
def test_the_page_of_the_api_is_dark_by_night_and_has_nothing_that_axe_finds_while_endpoints_are_tried(
    page: Page, axe: str, complaints: list[str]
) -> None:
    page.route("**/api/schema/**", lambda route: route.fulfill(json=shortened(route.fetch().json())))
    page.goto("/api/docs/")
    expect(page.locator(".opblock-tag").first).to_contain_text("Start")
    for method in METHODS:
        expect(page.locator(f".opblock-{method}").first).to_be_visible()
    guests, day = (page.locator(".opblock", has=page.locator(f"[data-path='{path}']")) for path in OPERATIONS[:2])
    for operation in (guests, day):
        operation.locator(".opblock-summary-control").click()
        operation.get_by_role("button", name="Try it out").click()
    guests.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table").first).to_be_visible()
    expect(day.get_by_role("textbox", name="day")).to_be_visible()
    found = {}
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html.dark-mode")).to_have_count(1 if scheme == "dark" else 0)
        found[scheme] = violations(page, axe, COLOURS if scheme == "dark" else {})
    assert not any(found.values()), found
    assert complaints == []


METHODS = ("get", "post", "put", "patch", "delete")
OPERATIONS = ("/api/guests/", "/api/days/{day}/results/", "/api/me/", "/api/clubs/muted/{handle}/")


def shortened(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document of the API with operations of every method, and the schemas that they need.

    It takes the page twenty seconds to draw those of the whole one, and seconds to open any of them.
    """
    schemas = document["components"].pop("schemas")
    document["paths"] = {path: document["paths"][path] for path in OPERATIONS}
    needed: dict[str, Any] = {}
    while missing := {*re.findall(r"#/components/schemas/(\w+)", json.dumps([document, needed]))} - {*needed}:
        needed |= {name: schemas[name] for name in missing}
    document["components"]["schemas"] = needed
    return document


@needs_node
def test_axe_finds_nothing_on_a_table_and_its_dialogs_where_no_place_lacks_its_name_for_a_moment(
    new_page: NewPage, axe: str, complaints: list[str]
) -> None:
    page = page_for_axe(new_page, axe)
    page.add_init_script(NAMELESS)
    page.goto("/")
    page.get_by_role("button", name="Play today").click()
    look = Look(page, axe, {})
    look.at("before the deal")
    expect_dealt(page)
    look.at("table")
    for key, dialog in {"?": "keys", "n": "menu", "r": "sure"}.items():
        page.keyboard.press(key)
        expect(page.locator(f"#{dialog}")).to_be_visible()
        look.at(dialog, f"#{dialog}")
        page.keyboard.press("Escape")
    play_on(page, lambda one: one.click(), most=6)
    resign(page)
    expect(page.locator("#end")).to_be_visible()
    look.at("end", "#end")
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider")).to_be_visible()
    look.at("replay")
    look.expect_nothing()
    assert "a place has no name" not in complaints


@needs_node
def test_an_owner_makes_a_bot_on_pages_that_fit_a_narrow_phone_and_on_which_axe_finds_nothing(
    new_page: NewPage, axe: str, complaints: list[str]
) -> None:
    page = new_page(bypass_csp=True, **NARROW)
    page.goto("/account/claim/")
    page.get_by_label("Handle").fill("otto")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Register").click()
    page.get_by_role("link", name="Your bots").click()
    page.get_by_label("Handle").fill("a-bot-with-a-name-as-long-as-can")
    page.get_by_role("button", name="Make a bot").click()
    expect(page.locator(".notice")).to_contain_text("It is shown only once")
    found = {}
    for address in ("made", "/account/bots/", "Manage", "Delete this bot"):
        if address.startswith("/"):
            page.goto(address)
        elif address != "made":
            page.get_by_role("link", name=address).click()
            expect(page.get_by_role("button").last).to_be_visible()
        found[address] = violations(page, axe)
        assert page.evaluate(RIGHT_EDGES) <= 320.5, address
    assert {where: all_of for where, all_of in found.items() if all_of} == {}
    page.get_by_label("Your password").fill("correct horse battery")
    page.get_by_label("Yes, delete this bot.").check()
    page.get_by_role("button", name="Delete the bot").click()
    expect(page.locator(".notice")).to_contain_text("is deleted.")
    assert complaints == []


def test_a_table_stays_usable_at_twice_the_size_of_text_and_in_forced_colours(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 640, "height": 400}, device_scale_factor=2, forced_colors="active")
    open_practice(page)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.locator('button[data-zone="stock"]').click()
    expect(page.locator("[data-figure=moves]").first).to_have_text("1")
