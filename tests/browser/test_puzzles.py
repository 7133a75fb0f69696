"""Puzzles on the table: a stranger solves them by pointer, touch and keys, and the server judges."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, Route, expect

from games.puzzles.clearing import pyramid_cards, removals, with_draws
from games.puzzles.library import Puzzle, find_puzzle, puzzle_ids
from games.puzzles.packing import RULES, Packed
from games.rules import Card, Move, Position
from tests.browser.conftest import NewPage
from tests.browser.player import button, face_of, free_cards

PUZZLE = next(one for one in map(find_puzzle, puzzle_ids()) if one.decisions == 1 and "pair" in one.themes)
SERIES = next(one for one in map(find_puzzle, puzzle_ids()) if one.decisions == 2)
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def wrong(puzzle: Puzzle) -> Move:
    right = pyramid_cards(puzzle.position, puzzle.packed.win[0])
    return next(move for move in removals(puzzle.position) if pyramid_cards(puzzle.position, move) != right)


def take(page: Page, puzzle: Puzzle, move: Move, *, finger: bool = False) -> None:
    """Draw until the cards of a removal are free, and take them."""
    for step in with_draws(puzzle.position, [move]):
        if not step.cards:
            page.keyboard.press("d")
        else:
            for card in step.cards:
                touch(page, card, finger=finger)


def touch(page: Page, card: Card, *, finger: bool) -> None:
    free = {face_of(name): place for name, place in free_cards(page).items()}
    place = free[card.text.lower()]
    if finger:
        place.tap()
    else:
        place.press("Enter")


def open_puzzle(page: Page, puzzle: Puzzle) -> None:
    page.goto(f"/puzzles/{puzzle.id}/")
    expect(button(page, "stock")).to_be_visible()


def test_a_wrong_removal_is_explained_and_the_right_one_found_by_keys(page: Page, complaints: list[str]) -> None:
    open_puzzle(page, PUZZLE)
    take(page, PUZZLE, wrong(PUZZLE))
    dialog = page.get_by_role("dialog", name="That loses")
    expect(dialog).to_contain_text("Once you take")
    expect(dialog).to_contain_text("This keeps the win:")
    dialog.get_by_role("button", name="Try again").press("Enter")
    expect(page.locator("#tells")).to_have_text("Find the removal that keeps the win.")
    take(page, PUZZLE, PUZZLE.packed.win[0])
    expect(page.get_by_role("dialog", name="This one wins")).to_be_visible()
    assert complaints == []


def test_a_series_is_solved_with_a_finger_on_a_phone(new_page: NewPage, complaints: list[str]) -> None:
    page = new_page(**PHONE)
    open_puzzle(page, SERIES)
    take(page, SERIES, SERIES.packed.win[0], finger=True)
    expect(page.locator("#tells")).to_have_text("Right. Now find the next one.")
    expect(page.locator("[data-found]").first).to_have_text("1/2")
    assert complaints == []


def test_the_answer_is_sent_only_when_it_is_asked_for_and_the_puzzle_can_then_be_tried_again(
    page: Page, complaints: list[str]
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    open_puzzle(page, PUZZLE)
    assert asked == []
    page.get_by_role("button", name="Answer").click()
    dialog = page.get_by_role("dialog", name="The answer")
    expect(dialog).to_contain_text("This keeps the win:")
    assert [address.rpartition("/api/")[2] for address in asked] == [f"puzzles/{PUZZLE.id}/solution/"]
    dialog.get_by_role("button", name="Try again").click()
    take(page, PUZZLE, PUZZLE.packed.win[0])
    dialog = page.get_by_role("dialog", name="This one wins")
    dialog.get_by_role("link", name="Next puzzle").click()
    page.wait_for_url(re.compile(f"/puzzles/(?!{PUZZLE.id})[0-9a-f]+/"))
    assert complaints == []


def hang_up(route: Route) -> None:
    route.abort()


def answer_by_half(route: Route) -> None:
    route.fulfill(body='{"state": "so', content_type="application/json")


def say_nothing(route: Route) -> None:
    pass


def test_a_removal_comes_back_that_the_server_hangs_up_on_answers_by_half_or_leaves_without_an_answer(
    page: Page,
) -> None:
    page.clock.install()
    for fate in (hang_up, answer_by_half, say_nothing):
        open_puzzle(page, PUZZLE)
        page.route("**/api/**", fate)
        with page.expect_request("**/attempts/"):
            take(page, PUZZLE, PUZZLE.packed.win[0])
        if fate is say_nothing:
            page.clock.run_for(20_000)
        expect(page.locator("#tells")).to_have_text("The server cannot be reached right now.")
        assert {card.text.lower() for card in PUZZLE.packed.win[0].cards} <= set(map(face_of, free_cards(page))), fate
        page.unroute_all()


def begin(page: Page, kind: str) -> Puzzle:
    page.goto(f"/puzzles/{kind}/")
    page.get_by_role("button", name=f"Start the {kind}").click()
    return shown(page)


def shown(page: Page) -> Puzzle:
    """Return the puzzle that a streak or a storm shows at the beginning of the page."""
    expect(button(page, "stock")).to_be_visible()
    told = json.loads(page.locator("#run").text_content() or "")["run"]["shown"]
    return find_puzzle(Packed(Position.from_text(told["position"], RULES), 1, ()).id)


def test_a_storm_goes_on_after_a_mistake_and_after_a_reload(page: Page, complaints: list[str]) -> None:
    puzzle = begin(page, "storm")
    take(page, puzzle, wrong(puzzle))
    expect(page.locator("#tells")).to_have_text("That loses: ten seconds less. The next puzzle.")
    page.reload()
    puzzle = shown(page)
    for move in puzzle.packed.win[: puzzle.decisions]:
        take(page, puzzle, move)
    expect(page.locator("#tells")).to_have_text("Right. The next puzzle.")
    expect(page.locator(".rail [data-figure=solved]")).to_have_text("1")
    expect(page.locator(".rail [data-figure=time]")).to_have_text(re.compile(r"[0-2]:\d\d"))
    assert complaints == []


def test_a_storm_that_ends_without_a_server_asks_how_it_ended_until_there_is_one(page: Page) -> None:
    page.clock.install()
    begin(page, "storm")
    page.route("**/api/puzzles/runs/**", lambda route: route.abort())
    page.clock.run_for(181_000)
    expect(page.locator("#tells")).to_have_text("The server cannot be reached right now.")
    over = json.loads(page.locator("#run").text_content() or "")["run"] | {"state": "over", "shown": None}
    page.route("**/api/puzzles/runs/**", lambda route: route.fulfill(json=over))
    page.clock.run_for(5_000)
    expect(page.get_by_role("dialog", name="0 puzzles solved")).to_contain_text("The time is up.")


def test_a_streak_ends_with_a_mistake_that_is_explained(new_page: NewPage, complaints: list[str]) -> None:
    page = new_page(**PHONE)
    puzzle = begin(page, "streak")
    take(page, puzzle, wrong(puzzle), finger=True)
    dialog = page.get_by_role("dialog", name="0 puzzles solved")
    expect(dialog).to_contain_text("Once you take")
    expect(dialog).to_contain_text("This keeps the win:")
    dialog.get_by_role("button", name="New streak").click()
    expect(button(page, "stock")).to_be_visible()
    assert complaints == []
