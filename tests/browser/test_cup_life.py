"""A cup from its announcement to the medal: two browsers, two programs and twelve thin clients live through it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from pyramid_client import Client, Game, api

from tests.browser.conftest import PHONE, NewPage
from tests.browser.moving import PASSWORD, Token, World, moving_world, register, remove_and_give_up
from tests.browser.player import (
    Elsewhere,
    Requests,
    Touch,
    button,
    elsewhere,
    expect_dealt,
    play_on,
    resign,
    settle,
)
from tests.clocks import LIBRARY
from tests.journeys.conftest import Server
from tests.moves import takes_from_pyramid

pytestmark = pytest.mark.skipif(LIBRARY is None, reason="moves a clock by hours (apt-get install libfaketime)")

CARDS = 28
AWAY_AFTER = timedelta(minutes=2)
CROWD = 12
# Seeds follow from the cards that are left: alice is the first, those without a removal are the last.
ALICE_LEAVES = 24
CLICK: Touch = Locator.click
TAP: Touch = Locator.tap


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with moving_world(tmp_path) as world, world.working():
        yield world


@pytest.fixture
def server(world: World) -> Server:
    """Return the server before which pages are opened, and closed before it ends."""
    return world.server


class Thin:
    """An entrant without a client's library: requests alone."""

    def __init__(self, server: Server, name: str) -> None:
        signed_in = server.post("/api/guests/", {"display_name": name})
        self.handle, self._own = signed_in["player"]["handle"], Token(server, signed_in["token"])

    def enter(self, cup: str) -> None:
        self.play(self._own.post(f"/api/cups/{cup}/enter/", {})["game"])

    def game_of(self, race: str) -> str | None:
        game: str | None = self._own.get(f"/api/races/{race}/")["game"]
        return game

    def play(self, game: str) -> None:
        remove_and_give_up(self._own, game)


class Program:
    """An entrant with the Python client. It is a person's: people and declared bots have separate cups."""

    def __init__(self, server: Server, name: str) -> None:
        self.handle = name.lower()
        self.client = Client(server.url)
        self.client.enter(api.register(self.handle, PASSWORD, name))

    def enter(self, cup: str) -> None:
        with self.client.play_cup(cup) as own:
            self.remove(own)
            own.resign()

    def game_of(self, race: str) -> str | None:
        with self.client.race(race) as room:
            return room.begun()

    def play(self, game: str) -> None:
        """Remove something, and give up."""
        with self.client.play(game) as own:
            self.remove(own)
            own.resign()

    def remove(self, own: Game) -> None:
        while not (move := removal(own.legal)):
            own.play(own.legal[-1])
        own.play(move)

    def leave(self, race: str) -> None:
        """Draw a card in a match, and leave it."""
        with self.client.race(race) as room, self.client.play_race(race) as own:
            own.play("D")
            room.leave()


Entrant = Thin | Program


def removal(legal: list[str]) -> str | None:
    return next((move for move in legal if takes_from_pyramid(move)), None)


def test_a_cup_of_sixteen_goes_from_announcement_to_medal_although_one_leaves_in_mid_match_and_one_never_comes(  # noqa: PLR0915  a whole cup
    world: World, new_page: NewPage, complaints: list[str]
) -> None:
    alice, bob = new_page(), new_page(**PHONE)
    register(alice, "Alice")
    register(bob, "Bob")
    bishop, rook = Program(world.server, "Bishop"), Program(world.server, "Rook")
    crowd = [Thin(world.server, f"Guest {number}") for number in range(CROWD)]
    everyone: list[Entrant] = [bishop, rook, *crowd]
    others = {one.handle: one for one in everyone}

    alice.goto("/races/")
    alice.get_by_role("link", name="The cups of the day").click()
    alice.get_by_role("main").get_by_role("listitem").get_by_role("link").first.click()
    expect(alice.get_by_text("The qualification takes 15 minutes")).to_be_visible()
    cup = Bracket(world.server, alice.url)
    world.await_worker()  # which does all at first, while the clock must not jump
    world.go_to(cup.time("opens_at"))
    qualify(alice, CLICK, ALICE_LEAVES)
    bob.goto(f"/cups/{cup.id}/")
    qualify(bob, TAP, CARDS - 1)
    for one in everyone:
        one.enter(cup.id)
    expect(alice.get_by_text("16 entrants")).to_be_visible()
    world.go_to(cup.time("qualifies_until"))

    go_to_match(alice, CLICK)
    go_to_match(bob, TAP)
    absent = crowd[0].handle
    play(alice, CLICK, ALICE_LEAVES)
    watch(alice, bishop, cup.races()["bishop"])
    play(bob, TAP, CARDS)  # who cannot go on
    rook.leave(cup.races()["rook"])
    play_round(cup, {handle: one for handle, one in others.items() if handle not in {absent, "rook"}})
    world.clock.shift(AWAY_AFTER)
    expect(seat(alice, "Guest 0")).to_contain_text("away")
    expect(seat(alice, "Rook")).to_contain_text(re.compile(r"28 left\s*$"))
    expect(seat(alice, "Alice")).to_contain_text(re.compile(r"2[0-4] left\s*goes on"))
    expect(bob.locator(".round")).to_have_count(2)
    replay(bob)

    expect(alice.locator(".round")).to_have_count(2)
    play_elsewhere(alice, world, cup)
    play_round(cup, others)
    expect(alice.locator(".round")).to_have_count(3)
    go_to_match(alice, CLICK)
    play(alice, CLICK, ALICE_LEAVES)
    play_round(cup, others)
    with bishop.client.cup(cup.id) as followed:
        assert [player.handle for player in followed.ended().players if player.place == 1] == ["alice"]
    expect(alice.get_by_text("completed")).to_be_visible()
    world.wait_for(lambda: "gold" in str(world.server.get("/api/players/alice/cups/")))
    alice.goto("/players/alice/")
    expect(alice.locator(".medal.gold")).to_be_visible()
    bob.goto(f"/cups/seasons/{world.clock.now:%Y-%m}/")
    expect(bob.get_by_role("row", name="Alice")).to_contain_text("21")
    expect(bob.get_by_role("row", name="Bob")).to_be_visible()
    assert complaints == []


class Bracket:
    """A cup as anyone may know it."""

    def __init__(self, server: Server, address: str) -> None:
        self._server, self.id = server, address.rstrip("/").rpartition("/")[2]

    def time(self, name: str) -> datetime:
        return datetime.fromisoformat(self._read()[name])

    def races(self) -> dict[str, str]:
        """Return the race that each entrant has to play now."""
        running = [
            match
            for matches in self._read()["rounds"]
            for match in matches
            if match["race"] and not match["decided_at"]
        ]
        return {seat["handle"]: match["race"] for match in running for seat in match["seats"]}

    def _read(self) -> Any:
        return self._server.get(f"/api/cups/{self.id}/")


def qualify(page: Page, touch: Touch, left: int) -> None:
    """Begin the one attempt on a page that has been open since the announcement, and play it."""
    touch(page.get_by_role("button", name="Begin the qualification"))
    expect_dealt(page)
    play(page, touch, left)


def go_to_match(page: Page, touch: Touch) -> None:
    """Follow the bracket to one's match, where the deal comes by itself, or is a step away if it was there before."""
    touch(page.get_by_role("link", name="To your match"))
    page.locator("body.begun, #own-game:not([hidden])").wait_for()
    if (own := page.locator("#own-game")).is_visible():
        touch(own)
    expect_dealt(page)


def play(page: Page, touch: Touch, left: int) -> None:
    """Play until few cards are left, or draw one, give up, and go back to the cup.

    After the first move, which is made on the page, the others need none.
    """
    if left == CARDS:
        touch(button(page, "stock"))
        settle(page)
    else:
        play_on(page, touch, most=1)
    if cards_left(page) > left:
        with elsewhere(page) as game:
            game.clear_until(left)
        assert cards_left(page) <= left
    resign(page)
    touch(page.locator("#end").get_by_role("link", name="The cup", exact=True))  # news may be of a cup, too
    expect(page.locator("#cup-live")).to_be_visible()


def cards_left(page: Page) -> int:
    return int(page.locator("[data-figure=left]").first.text_content() or CARDS)


def play_elsewhere(page: Page, world: World, cup: Bracket) -> None:
    """Play alice's match without its page, as soon as it has begun."""
    requests = Requests(page)

    def begun() -> Any:
        race = cup.races().get("alice")
        return race and requests.get(f"/api/races/{race}/")["game"]

    world.wait_for(begun)
    game = Elsewhere(requests, begun())
    game.clear_until(ALICE_LEAVES)
    game.resign()


def watch(page: Page, program: Program, race: str) -> None:
    """Watch a match of others from the bracket: it says how many cards are left, and shows none."""
    match = page.locator(f"[data-race='{race}']")
    expect(match.get_by_role("listitem")).to_have_count(4)
    expect(match.locator("a[href^='/games/']")).to_have_count(0)
    game = program.game_of(race)
    assert game
    assert page.request.get(f"/games/{game}/").status == 403
    back = page.url
    match.get_by_role("link", name="Match").click()
    row = page.locator("[data-race] tbody tr", has_text="Bishop")
    expect(row).to_contain_text("28")
    with program.client.play(game) as own:
        program.remove(own)
    expect(row).to_contain_text(re.compile("Bishop2[0-7]"))  # a king may have gone before
    expect(page.locator("[data-race] a[href^='/games/'], [data-zone]")).to_have_count(0)
    page.goto(back)


def play_round(cup: Bracket, entrants: dict[str, Entrant]) -> None:
    """Have everyone play whose match runs."""
    for handle, race in cup.races().items():
        if handle in entrants and (game := entrants[handle].game_of(race)):
            entrants[handle].play(game)


def replay(page: Page) -> None:
    """See how another one played a match that is over."""
    page.locator(".match a[href^='/games/']").first.tap()
    expect(page.get_by_role("button", name="One move on")).to_be_visible()


def seat(page: Page, name: str) -> Locator:
    return page.locator(".round").first.get_by_role("listitem").filter(has_text=re.compile(rf"^\s*{name}\b"))
