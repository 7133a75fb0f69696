"""The review desk in a real browser: by keyboard, without a script, on a phone; axe and the policy find nothing."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, NewPage
from tests.browser.test_every_page import Scheme, axe, violations
from tests.games.web.test_scripts import needs_node
from tests.journeys.conftest import Server
from tests.leaderboards.desk.plant import PASSWORD
from tests.processes import run

__all__ = ["axe"]  # a fixture

PAGES = ["/admin/", "/admin/review/", "/admin/review/decisions/", "/admin/review/detectors/", "/admin/review/faults/"]


@pytest.fixture(scope="module")
def planted(server: Server, environment: dict[str, str]) -> None:
    """Two days of a few players and the cheats, with reviewers and the case of a bot."""
    run(
        [sys.executable, "-m", "tests.leaderboards.desk.plant", "4", "2", "no bets"], environment, 300
    ).check_returncode()


def signed_in(page: Page, name: str) -> Page:
    page.goto("/admin/login/?next=/admin/review/")
    page.fill("#id_username", name)
    page.fill("#id_password", PASSWORD)
    page.press("#id_password", "Enter")
    expect(page.get_by_role("heading", name="Queue")).to_be_visible()
    return page


def open_first_case(page: Page) -> None:
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#picture")).to_be_visible()


@pytest.mark.usefixtures("planted")
def test_a_reviewer_steps_through_the_game_and_two_decide_the_case_by_keyboard(
    new_page: NewPage, complaints: list[str]
) -> None:
    for name in ("ines", "paula"):
        page = signed_in(new_page(), name)
        open_first_case(page)
        page.keyboard.press("t")
        expect(page.locator("form.choose")).to_be_visible()
        page.keyboard.press("d")
        page.keyboard.press("3")
        expect(page.locator(".who-moves tbody tr")).not_to_have_count(0)
        page.select_option("#reason", "program")
        page.locator("#reason").press("Tab")
        page.keyboard.type("t3d: letters rest in fields")
        page.get_by_role("button", name="Look at the changes").press("Enter")
        expect(page.get_by_role("heading", name="Who moves")).to_be_visible()
        page.keyboard.press("Control+Enter")
        expect(page.locator(".messagelist")).to_contain_text("second reviewer" if name == "ines" else "is decided")
    page = signed_in(new_page(), "sigrid")
    page.goto("/admin/review/decisions/")
    expect(page.get_by_role("region", name="Decisions")).to_contain_text("letters rest in fields")
    assert complaints == []


@pytest.mark.usefixtures("planted")
def test_the_picture_steps_with_the_script_exactly_as_it_does_without(new_page: NewPage, complaints: list[str]) -> None:
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
    without_script = ": csp"  # a browser without scripts blocks what would be loaded ahead
    assert [one for one in complaints if not one.endswith(without_script)] == []


def text_in(page: Page, selector: str) -> str:
    return re.sub(r"\s+", "", page.locator(selector).text_content() or "")


def shown(page: Page) -> list[str]:
    """Return the tags of the cards, `display` for one that is gone."""
    html = page.locator("#picture").inner_html()
    tags = re.findall(r'<g data-card="\d+"[^>]*>', html)
    return ["display" if "display=" in tag else tag for tag in tags]


@pytest.mark.usefixtures("planted")
def test_without_a_script_a_case_is_taken_noted_and_handed_back(new_page: NewPage) -> None:
    page = signed_in(new_page(java_script_enabled=False), "sigrid")
    page.goto("/admin/review/?view=decided-today&q=quill")
    page.goto("/admin/review/2/")
    at = int(text_in(page, "#at").split("/")[0])
    page.get_by_role("link", name="Next action").click()
    expect(page.locator("#at")).to_contain_text(f"{at + 1} /")
    page.get_by_role("button", name="Take the case").click()
    page.get_by_role("button", name="Hand back").click()
    expect(page.get_by_role("heading", name="Queue")).to_be_visible()


@needs_node
@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize(("scheme", "look"), [("light", {}), ("dark", PHONE)], ids=["desktop", "phone"])
def test_axe_finds_nothing_on_the_desk_and_nothing_goes_sideways(
    new_page: NewPage, axe: str, scheme: Scheme, look: dict[str, Any]
) -> None:
    page = signed_in(new_page(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce", **look), "robin")
    found = {}
    for address in [*PAGES, "/admin/review/1/"]:
        page.goto(address)
        found[address] = violations(page, axe)
        if look:
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, address
    assert {where: all_of for where, all_of in found.items() if all_of} == {}
