"""The desk in a real browser: by keyboard, without a script, on a phone; axe and the policy find nothing.

axe looks at one page on a wide screen by day and at the next on a phone by night; `make walk` has it look at both.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import IS_WALK, NewPage, newcomers_server
from tests.browser.past_competitions import WIDEST
from tests.browser.reviewers import WRITTEN, appeal, as_player, decide_all, signed_in
from tests.browser.test_every_page import NARROW, SCHEMES, WIDE, violations
from tests.games.site.test_scripts import needs_node
from tests.journeys.conftest import Server

LEAST_CONTRAST = 3.0
PAGES = ["/admin/", "/admin/review/", "/admin/review/decisions/", "/admin/review/detectors/", "/admin/review/faults/"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Two days of a few players and the cheats, with reviewers and the case of a bot."""
    plant = [sys.executable, "-m", "tests.leaderboards.desk.plant", "4", "2", "no bets"]
    with newcomers_server(tmp_path_factory.mktemp("browser"), plant) as server:
        yield server


def test_without_a_script_the_picture_steps_exactly_as_it_does_with_it_and_a_case_is_taken_and_handed_back(
    new_page: NewPage, complaints: list[str]
) -> None:
    page = signed_in(new_page(), "robin")
    page.goto("/admin/review/1/?at=1")
    plain = signed_in(new_page(java_script_enabled=False), "sigrid")
    for key in ("ArrowRight", "Shift+ArrowRight", "ArrowLeft", "End", "Home"):
        page.keyboard.press(key)
        at = (page.locator("#at").text_content() or "").split(" ")[0]
        plain.goto(f"/admin/review/1/?at={at}")
        for name in ("#step-title", "#step-took", "#in-stock", "#in-removed", "#unseen"):
            assert text_in(page, name) == text_in(plain, name), (key, name)
        seen = [re.findall(r"translate\([^)]*\)|display", one) for one in shown(page)]
        assert seen == [re.findall(r"translate\([^)]*\)|display", one) for one in shown(plain)], key
    plain.goto("/admin/review/2/")
    before = int(text_in(plain, "#at").split("/")[0])
    plain.get_by_role("link", name="Next action").click()
    expect(plain.locator("#at")).to_contain_text(f"{before + 1} /")
    plain.get_by_role("button", name="Take the case").click()
    plain.get_by_role("button", name="Hand back").click()
    expect(plain.get_by_role("heading", name="Queue")).to_be_visible()
    without_script = ": csp"  # a browser without scripts blocks what would be loaded ahead
    assert [one for one in complaints if not one.endswith(without_script)] == []


def text_in(page: Page, selector: str) -> str:
    return re.sub(r"\s+", "", page.locator(selector).text_content() or "")


def shown(page: Page) -> list[str]:
    """Return the tags of the cards, `display` for one that is gone."""
    html = page.locator("#picture").inner_html()
    tags = re.findall(r'<g data-card="\d+"[^>]*>', html)
    return ["display" if "display=" in tag else tag for tag in tags]


@needs_node
def test_axe_finds_nothing_on_the_desk_nothing_goes_sideways_and_at_200_percent_every_control_can_be_reached(
    new_page: NewPage, axe: str
) -> None:
    page = signed_in(new_page(bypass_csp=True), "robin")
    found, player = {}, page_of_the_player(page)
    page.goto("/account/")
    page.get_by_label("Name").fill(WIDEST)
    page.get_by_role("button", name="Change the name").click()
    for number, address in enumerate([*PAGES, "/admin/review/1/", player]):
        page.goto(address)
        require_everything_in_reach_at_200_percent(page, address)
        for scheme, size in zip(SCHEMES, (WIDE, NARROW["viewport"]), strict=True):
            page.set_viewport_size(size)
            if IS_WALK or number % 2 == SCHEMES.index(scheme):
                page.emulate_media(color_scheme=scheme)
                found[address, scheme] = violations(page, axe)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, address
    assert {where: all_of for where, all_of in found.items() if all_of} == {}


def require_everything_in_reach_at_200_percent(page: Page, where: str) -> None:
    page.set_viewport_size({"width": WIDE["width"] // 2, "height": WIDE["height"] // 2})
    assert page.evaluate("document.documentElement.scrollWidth") <= 640, where
    assert page.evaluate(BEYOND_640) == [], where


BEYOND_640 = """[...document.querySelectorAll("main :is(a, button, select, input:not([type=hidden]), summary)")]
    .filter((own) => own.checkVisibility() && !own.closest(".scroll, .views"))
    .filter((own) => own.getBoundingClientRect().right > 640).map((own) => own.outerHTML)"""


CONTRASTS = """() => {
  const of = (selector, part) => getComputedStyle(document.querySelector(selector))[part];
  const linear = (own) => (own <= 0.04 ? own / 12.92 : ((own + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const [r, g, b] = colour.match(/[0-9.]+/g).map((own) => linear(own / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const ratio = (one, other) => Math.max(light(one) / light(other), light(other) / light(one));
  const ground = of("body", "backgroundColor");
  const strokes = [".ln", ".dots", ".g", ".cursor"].map((each) => [each, ratio(of(each, "stroke"), ground)]);
  const label = [".plot .y", ratio(of(".plot .y", "fill"), ground)];
  const button = ratio(of(".panel .primary", "color"), of(".panel .primary", "backgroundColor"));
  return Object.fromEntries([...strokes, label, ["button", button]]);
}"""


def test_with_forced_colours_charts_marks_and_buttons_stand_out(new_page: NewPage) -> None:
    page = signed_in(new_page(forced_colors="active"), "robin")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        bullet = page.evaluate("getComputedStyle(document.querySelector('.sig .hit'), '::before').backgroundColor")
        assert bullet != page.evaluate("getComputedStyle(document.body).backgroundColor"), scheme
    page.goto("/admin/review/1/")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate(CONTRASTS)
        assert {name: ratio for name, ratio in found.items() if ratio < LEAST_CONTRAST} == {}, scheme


def page_of_the_player(page: Page) -> str:
    page.goto("/admin/review/1/")
    return page.locator("h1 a").get_attribute("href") or ""


@needs_node
def test_reviewers_decide_all_cases_by_keyboard_and_a_player_appeals(
    new_page: NewPage, axe: str, complaints: list[str]
) -> None:
    said = {name: decide_all(signed_in(new_page(), name)) for name in ("ines", "paula")}
    assert ["second reviewer" in one for one in said["ines"]] == [True, False, False]
    assert ["is decided" in one for one in said["paula"]] == [True]
    page = signed_in(new_page(), "sigrid")
    expect(page.get_by_text("Nothing is waiting here.")).to_be_visible()
    page.goto("/admin/review/decisions/")
    expect(page.get_by_role("region", name="Decisions")).to_contain_text(WRITTEN)
    player = as_player(new_page(bypass_csp=True, **NARROW), "quill")
    appeal(player)
    for scheme in SCHEMES:
        player.emulate_media(color_scheme=scheme)
        assert violations(player, axe) == []
    assert player.evaluate("document.documentElement.scrollWidth") <= 320
    assert complaints == []
