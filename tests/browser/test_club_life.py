"""Days of a club: founded at a desk, joined on a phone and by two programs; it plays a duel, and its week is closed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, NewPage
from tests.browser.moving import PASSWORD, Player, Token, World, moving_world, register, remove_and_give_up
from tests.browser.player import Requests, dig_for_a_pair, open_daily, resign, settle
from tests.clocks import LIBRARY
from tests.journeys.conftest import Server

pytestmark = pytest.mark.skipif(LIBRARY is None, reason="moves a clock by days (apt-get install libfaketime)")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with moving_world(tmp_path) as world:
        yield world


@pytest.fixture
def server(world: World) -> Server:
    """Return the server before which pages are opened, and closed before it ends."""
    return world.server


def test_a_club_is_founded_and_joined_by_six_letters_wins_a_duel_and_closes_its_week(
    world: World, new_page: NewPage
) -> None:
    alice, bob = new_page(), new_page(**PHONE)
    letters = found(alice)
    join_on_phone(bob, letters)
    bots = [join_by_program(world.server, letters, name) for name in ("Bishop", "Rook")]
    carol, others = found_by_program(world.server)
    agree_on_duel(world.server, alice, carol, others)
    world.go_on(days=2)
    play_today(alice, tap=False)
    play_today(bob, tap=True)
    for bot in bots:
        play_by_requests(bot)
    players: list[Player] = [Requests(alice), Requests(bob), *bots]
    for _ in range(2):
        world.go_on(days=1)
        for player in players:
            play_by_requests(player)
    alice.goto("/clubs/")
    alice.get_by_role("link", name="Oxbow Club").click()
    expect(alice.locator("tbody tr")).to_have_count(2)  # programs have tables of their own
    world.go_on(days=7)
    # A process keeps the notices for ten seconds, which the moved clock does not shorten.
    world.wait_for(lambda: alice.reload() and alice.get_by_text(re.compile(r"(Alice|Bob).* won")).count())
    duel = alice.get_by_role("region", name="Duels")
    expect(duel).to_contain_text(re.compile(r"Oxbow Club\s*[1-9]\d* : 0\s*Kestrel Club"))
    expect(duel).to_contain_text("won by Oxbow Club")
    alice.goto("/clubs/week/")
    alice.get_by_role("link", name="Week before").click()
    expect(alice.get_by_role("row", name="Oxbow Club")).to_be_visible()
    bob.goto("/account/notifications/")
    expect(bob.get_by_text("Kestrel Club").first).to_be_visible()


def found(page: Page) -> str:
    """Register, found a club, and return its letters."""
    register(page, "Alice")
    page.goto("/clubs/new/")
    page.get_by_label("Name", exact=True).fill("Oxbow Club")
    page.get_by_role("button", name="Found the club").click()
    letters = page.locator(".code .unseen").text_content()
    assert letters is not None
    return letters


def join_on_phone(page: Page, letters: str) -> None:
    page.goto("/clubs/")
    page.get_by_label("Six letters of a club").fill(letters.lower())
    page.get_by_role("button", name="Show").tap()
    page.get_by_label("What should others call you?").fill("Bob")
    page.get_by_role("button", name="Join the club").tap()
    expect(page.get_by_role("heading", name="Oxbow Club")).to_be_visible()


def join_by_program(server: Server, letters: str, name: str) -> Token:
    bot = Token(server, server.post("/api/guests/", {"display_name": name, "is_bot": True})["token"])
    assert bot.post("/api/clubs/join/", {"letters": letters})["name"] == "Oxbow Club"
    return bot


def found_by_program(server: Server) -> tuple[str, str]:
    """Register carol, found a second club, and return her token and the id of the club."""
    account = {"handle": "carol", "display_name": "Carol", "password": PASSWORD}
    token: str = server.post("/api/register/", account)["token"]
    return token, server.post("/api/clubs/", {"name": "Kestrel Club"}, token)["id"]


def agree_on_duel(server: Server, alice: Page, carol: str, others: str) -> None:
    """Have alice propose a duel of the coming week on the page of the other club, and carol accept it."""
    alice.goto(f"/clubs/{others}/")
    alice.get_by_role("button", name="Propose a duel").click()
    expect(alice.get_by_role("region", name="Duels")).to_contain_text("Oxbow Club")
    [duel] = server.get(f"/api/clubs/{others}/duels/", carol)["duels"]
    server.post(f"/api/clubs/{others}/duels/{duel['id']}/", {"act": "accept"}, carol)


def play_today(page: Page, *, tap: bool) -> None:
    """Remove something from today's pyramid, and give up; without a removal there is no rank."""
    open_daily(page)
    for card in dig_for_a_pair(page):
        card.tap() if tap else card.click()
    settle(page)
    resign(page)


def play_by_requests(player: Player) -> None:
    remove_and_give_up(player, player.post("/api/games/", {"kind": "daily", "rules": "standard"})["id"])
