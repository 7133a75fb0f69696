"""Today's deal, won by clicking and dragging throughout; by touch and by keys alone, but for the moves in between."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from itertools import cycle

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser.conftest import NewPage
from tests.browser.player import (
    CARD,
    LOOKS,
    button,
    drag,
    elsewhere,
    expect_dealt,
    focus_by_rank,
    free_cards,
    open_daily,
    resign,
    wait_until,
)
from tests.journeys.conftest import Server
from tests.processes import MANAGE, run

# A desktop by all rules of the styles: each move paints all of the window, which is two thirds of the usual one.
DESKTOP: dict[str, object] = {"viewport": {"width": 1024, "height": 576}}
SMALL_PHONE = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}
IS_ANSWERED = """async ([moves, turnedUp]) => {
    const { version } = await (await fetch(`/api/games/${location.pathname.split("/")[2]}/state/`)).json();
    const faces = document.querySelectorAll("#table .card[data-face]:not([data-face=''])").length;
    return version === moves && faces === turnedUp;
}"""
FACES = "() => [...document.querySelectorAll('#table .card')].map((one) => one.dataset.face)"
RANKS = {"A": "Ace", "T": "10", "J": "Jack", "Q": "Queen", "K": "King"}
PYRAMID = {str(number) for number in range(28)}
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
A_MOVE = 250  # milliseconds of the server's clock: a faster win waits for a reviewer and has no rank
FIRST, LAST = 4, 8  # moves that are made on the page where those between, which are all alike, need none
FREES_A_CARD = 450  # milliseconds after which no card rests, and the stock may be turned over

StillPage = Callable[..., Page]


@pytest.fixture(scope="module")
def line(server: Server) -> list[str]:
    """Return a line that wins today's deal, as numbers of cards: no two games have the same suits."""
    solved = run([sys.executable, "-m", "tests.browser.winning_line"], server.environment)
    solved.check_returncode()
    return solved.stdout.splitlines()


@pytest.fixture
def still_page(new_page: NewPage) -> StillPage:
    """Open a page that shows no motion and whose clock can be put forward."""

    def open_page(**options: object) -> Page:
        page = new_page(**DESKTOP | options)
        page.clock.install()
        return page

    return open_page


def play(page: Page, line: list[str], remove: Callable[[Page, list[Locator]], None], draw: Callable[[], None]) -> None:
    """Make every move of a line, as soon as the one before it is shown."""
    moves = page.locator("[data-figure=moves]").first
    before = int(moves.text_content() or 0)
    for made, move in enumerate(line, start=before + 1):
        page.wait_for_timeout(A_MOVE)
        if made > 1:
            expect(page.locator("[data-action=undo]").first).to_be_enabled()  # the page has the game
        page.clock.fast_forward(FREES_A_CARD)
        if move in {"D", "R"}:
            draw()
        else:
            for number in {*move.split()} - PYRAMID:  # a drawn card has a face once the answer has come
                expect(page.locator("#table .card").nth(int(number))).to_have_attribute("data-face", re.compile("."))
            faces: list[str] = page.evaluate(FACES)
            free = free_cards(page)
            remove(page, [free[name_of(faces[int(number)])] for number in move.split()])
        expect(moves).to_have_text(str(made))


def play_elsewhere(page: Page, made: list[str], line: list[str]) -> None:
    """Make moves without a page, at the same pace, once the server has those of the page, and the page their faces."""
    moves = int(page.locator("[data-figure=moves]").first.text_content() or 0)
    wait_until(page, IS_ANSWERED, [moves, len(PYRAMID) + made.count("D")])
    faces = page.evaluate(FACES)
    with elsewhere(page) as game:
        for move in line:
            page.wait_for_timeout(A_MOVE)
            cards = {faces[int(number)] for number in move.split()} if move not in {"D", "R"} else {move}
            action = next(legal for legal in game.legal if {*re.findall("..?", legal)} == cards)
            for face in game.make(action)["revealed"]:
                faces[next(number for number, known in enumerate(faces) if not known)] = face


def name_of(face: str) -> str:
    return f"{RANKS.get(face[0], face[0])} of {SUITS[face[1]]}"


def expect_won(page: Page, moves: int) -> None:
    """Expect the finale with both ranks, one's own bar lit, and the time of the clock."""
    page.clock.run_for(1000)
    expect(page.get_by_role("dialog", name="You cleared it")).to_be_visible()
    expect(page.locator("#end-title")).to_be_focused()
    expect(page.locator("#end-moves")).to_have_text(str(moves))
    expect(page.locator("#end-time")).to_have_text(page.locator("[data-figure=time]").first.text_content() or "")
    expect(page.locator("#end-rank")).to_have_text(re.compile(r"^\d+(st|nd|rd|th)$"))
    expect(page.locator("#end-of")).to_have_text(re.compile(r"^of \d+ by fewest moves$"))
    expect(page.locator("#end-other")).to_have_text(re.compile(r"^\d+(st|nd|rd|th) by time$"))
    expect(page.locator("#end-bars .you")).to_have_text(f"You, {moves}")
    expect(page.locator("#end .button:not(.quiet)")).to_have_count(1)


def click_each(page: Page, cards: list[Locator]) -> None:
    for card in cards:
        card.click()


def clicks_and_drags() -> Callable[[Page, list[Locator]], None]:
    """Return what removes cards by clicking each, and the next ones by dragging, by turns."""
    ways = cycle((click_each, drag_together))

    def remove(page: Page, cards: list[Locator]) -> None:
        next(ways)(page, cards)

    return remove


def drag_together(page: Page, cards: list[Locator]) -> None:
    """Drag the first card onto the second, and a king onto the removed cards."""
    one, other = [*cards, button(page, "removed")][:2]
    drag(page, one, other)


def test_todays_deal_is_won_by_clicking_and_dragging_and_the_dialog_leads_on(
    still_page: StillPage, line: list[str], server: Server, complaints: list[str]
) -> None:
    page = still_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_daily(page)
    expect(page.locator("#hello")).to_have_text("Tap two free cards that make 13. A king goes alone.")
    play(page, line, clicks_and_drags(), button(page, "stock").click)
    expect(page.locator("#hello")).to_be_hidden()
    expect_won(page, len(line))
    run([*MANAGE, "worker", "--once"], server.environment).check_returncode()
    expect(page.locator("#end-earned")).to_have_text(re.compile("Cleared|Deal of the day"))
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#share-status")).to_contain_text("It gives nothing away about the cards.")
    shared = page.evaluate("navigator.clipboard.readText()")
    assert re.search(
        rf"▲ {len(line)} moves \d:\d\d, rank \d+ of \d+\n(?:[⬜🟨🟧🟫⬛]+\n){{7}}http://.*/days/.*game=", shared
    )
    expect(page.locator("#end-shades i")).to_have_count(28)
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider", name="Move")).to_have_attribute("max", str(len(line)))
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("You have won today")
    assert complaints == []


def tap_each(page: Page, cards: list[Locator]) -> None:
    for card in cards:
        card.tap()


def test_a_stranger_wins_todays_deal_by_touch_on_a_small_phone_and_finds_the_rank(
    still_page: StillPage, line: list[str], complaints: list[str]
) -> None:
    page = still_page(**SMALL_PHONE)
    open_daily(page)
    play(page, line[:FIRST], tap_each, button(page, "stock").tap)
    play_elsewhere(page, line[:FIRST], line[FIRST:-LAST])
    play(page, line[-LAST:], tap_each, button(page, "stock").tap)
    expect_won(page, len(line))
    page.get_by_role("button", name="Look at the table").tap()
    page.get_by_role("link", name="Pyramid, today").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("You have won today")
    expect(page.locator(".board tbody tr.you")).to_have_count(1)
    assert complaints == []


def keep_ranks_back(page: Page) -> None:
    """Let no rank reach a page, as if its score waited for a reviewer."""

    def listen(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: None if '"placed"' in str(text) else socket.send(text))

    page.route_web_socket("**/ws/**", listen)
    page.route("**/api/boards/*/players/*/", lambda route: route.fulfill(body="null", content_type="application/json"))


def expect_no_place(page: Page, where: str) -> None:
    """Let time pass until the page, which asks eight times for a rank, explains that there is none."""
    for _ in range(LOOKS):
        page.clock.run_for(700)
        if page.locator(where).text_content() == "No place yet: a person looks at this score first.":
            return
        page.wait_for_timeout(100)  # for the answer, after which it waits to ask again
    raise AssertionError(page.locator(where).text_content())


def test_a_lost_game_that_waits_for_a_reviewer_says_so(still_page: StillPage, line: list[str]) -> None:
    page = still_page()
    keep_ranks_back(page)
    open_daily(page)
    # A game gets a place once a card of the pyramid is gone; a pair of drawn cards may come first.
    first = next(number for number, move in enumerate(line) if any(card in PYRAMID for card in move.split()))
    play(page, line[: first + 1], click_each, button(page, "stock").click)
    resign(page)
    expect_no_place(page, "#end-text")


def take_by_keys(page: Page, cards: list[Locator]) -> None:
    for card in cards:
        found = CARD.search(card.get_attribute("aria-label") or "")
        assert found
        focus_by_rank(page, found[0])
        page.keyboard.press("Enter")


def test_todays_deal_is_won_by_keys_alone_and_a_score_without_a_place_is_explained(
    still_page: StillPage, line: list[str], complaints: list[str]
) -> None:
    page = still_page()
    keep_ranks_back(page)
    page.add_init_script(WORSE_BEST)
    page.goto("/")
    page.get_by_role("button", name="Play today").press("Enter")
    expect_dealt(page)
    play(page, line[:FIRST], take_by_keys, lambda: page.keyboard.press("d"))
    look_around_by_keys(page)
    play_elsewhere(page, line[:FIRST], line[FIRST:-LAST])
    play(page, line[-LAST:], take_by_keys, lambda: page.keyboard.press("d"))
    page.clock.run_for(1000)
    expect(page.get_by_role("dialog", name="You cleared it")).to_be_visible()
    for figure in ("#end-moves", "#end-best"):
        expect(page.locator(figure)).to_have_text(str(len(line) + 2))
    expect(page.locator("#end-of")).to_have_text("Your place is being worked out.")
    expect_no_place(page, "#end-of")
    assert complaints == []


# Have a page know its player as one who has won before, with more moves.
WORSE_BEST = """JSON.parse = new Proxy(JSON.parse, { apply(parse, json, texts) {
    const data = Reflect.apply(parse, json, texts);
    if (data?.about?.best === null) data.about.best = { moves: 999, elapsed_ms: 1 };
    return data;
} });"""


def look_around_by_keys(page: Page) -> None:
    """Undo and redo, ask for the status and for the keys, think of giving up and play on."""
    said = page.locator("#polite")
    page.keyboard.press("u")
    expect(said).to_contain_text("Undone")
    expect(page.get_by_role("button", name="Redo")).to_be_enabled()
    page.keyboard.press("Control+y")
    expect(said).to_contain_text("Redone")
    page.keyboard.press("s")
    expect(said).to_contain_text("left to remove")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    expect(page.get_by_role("dialog", name="Give up this game?")).to_be_visible()
    page.keyboard.press("Escape")
