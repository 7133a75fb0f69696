from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.processes import MANAGE, run


def test_the_api_documentation_loads_without_a_complaint(page: Page, complaints: list[str]) -> None:
    page.goto("/api/docs/")
    expect(page.get_by_text("/api/guests/").first).to_be_visible()
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
    expect(page.get_by_text("hidden as long as the deal can be played")).to_be_visible()
    assert complaints == []
