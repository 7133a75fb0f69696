"""Someone who plays at a table in the browser: looks at its buttons as people do, and knows what to do next."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Locator, Page, expect

RANKS = {"Ace": 1, "Jack": 11, "Queen": 12, "King": 13} | {str(number): number for number in range(2, 11)}
CARD = re.compile(r"(Ace|Jack|Queen|King|10|[2-9]) of (clubs|diamonds|hearts|spades)")
CARDS = re.compile("[2-9TJQKA][cdhs]")  # of a position, as it is written
MOST_MOVES = 150
LOOKS = 1_800  # a tenth of a second apart: a limit for what never comes, not for what is slow

Touch = Callable[[Locator], None]


def open_practice(page: Page, rules: str = "standard") -> None:
    """Start a practice game by the form."""
    page.goto(f"/rules/{rules}/")
    page.get_by_role("button", name="Play it").click()
    expect_dealt(page)


def open_daily(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play today").click()
    expect_dealt(page)


def expect_dealt(page: Page) -> None:
    expect(page.locator("body")).to_have_class(re.compile("begun"))
    await_frame(page)


def button(page: Page, zone: str, index: int = 0) -> Locator:
    return page.locator(f'button[data-zone="{zone}"][data-index="{index}"]')


def free_cards(page: Page) -> dict[str, Locator]:
    """Return what can be taken, by the name of the card."""
    names: list[dict[str, str]] = page.evaluate(
        """() => [...document.querySelectorAll('button[data-zone]')]
            .filter((one) => !one.hidden && one.dataset.zone !== 'removed' && one.ariaDisabled !== 'true')
            .map(({ ariaLabel, dataset }) => ({ label: ariaLabel, zone: dataset.zone, index: dataset.index }))"""
    )
    found = {}
    for name in names:
        card = CARD.search(name["label"])
        if card and "free" in name["label"]:
            found[card[0]] = button(page, name["zone"], int(name["index"]))
    return found


def face_of(name: str) -> str:
    """Return a card as a record writes it, in small letters: `th` for the 10 of hearts."""
    rank, _, suit = name.partition(" of ")
    return f"{'t' if rank == '10' else rank[0].lower()}{suit[0]}"


def pair_of_thirteen(cards: list[str]) -> list[str]:
    """Return cards that leave by the rules of thirteen: a king, or two that make the sum; else nothing."""
    ranks = {card: RANKS[card.split()[0]] for card in cards}
    for card, rank in ranks.items():
        if rank == 13:
            return [card]
        for other, rank_of_other in ranks.items():
            if rank + rank_of_other == 13:
                return [card, other]
    return []


def await_frame(page: Page) -> None:
    """Wait until what was done is shown: places and figures come a frame after the cards begin to fly."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))")


def version(page: Page) -> int:
    """Return how many moves are confirmed or shown."""
    await_frame(page)
    return int(page.locator("[data-figure=moves]").first.text_content() or 0)


def play_on(page: Page, touch: Touch, most: int = MOST_MOVES) -> int:
    """Remove what fits, draw otherwise, and return the number of moves made; ends when the dialog opens."""
    for move in range(most):
        if page.locator("#end").is_visible():
            return move
        cards = free_cards(page)
        before = version(page)
        for card in pair_of_thirteen(list(cards)):
            touch(cards[card])
        if version(page) == before:
            touch(button(page, "stock"))
        page.wait_for_function(
            "(before) => Number(document.querySelector('[data-figure=moves]').textContent) > before", arg=before
        )
        settle(page)
    return most


class Requests:
    """Requests of the person who is signed in on a page."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def get(self, path: str) -> Any:
        return self._page.request.get(path).json()

    def post(self, path: str, body: object) -> Any:
        [mark] = [cookie["value"] for cookie in self._page.context.cookies() if cookie["name"] == "csrftoken"]
        # The server may close a connection that was kept just when it is used again.
        answer = self._page.request.post(path, data=body, headers={"X-CSRFToken": mark}, max_retries=1)
        said = answer.json()
        assert answer.ok, said
        return said


class Elsewhere:
    """A game that is played by requests, without a page."""

    def __init__(self, requests: Requests, game: str) -> None:
        self._requests, self._game = requests, f"/api/games/{game}"
        self._shown = self.state()

    @property
    def legal(self) -> list[str]:
        legal: list[str] = self._shown["legal"]
        return legal

    def state(self) -> Any:
        return self._requests.get(f"{self._game}/state/")

    def make(self, action: str) -> Any:
        """Make a move, and return what is said of it."""
        move = {"version": self._shown["version"], "action": action}
        self._shown = self._requests.post(f"{self._game}/actions/", move)
        return self._shown

    def clear_until(self, left: int) -> None:
        """Remove what may be removed, and draw otherwise, until few cards of the pyramid are left."""
        while len(CARDS.findall(self.state()["position"].partition(" ")[0])) > left:
            self.make(next((move for move in self.legal if move not in {"D", "R"}), self.legal[-1]))

    def resign(self) -> None:
        self._requests.post(f"{self._game}/resign/", {"version": self._shown["version"]})


@contextmanager
def elsewhere(page: Page) -> Iterator[Elsewhere]:
    """Leave the page of a game, which would draw each move, to play without it, and open it again."""
    address = page.url
    page.goto("about:blank")
    yield Elsewhere(Requests(page), re.findall(r"/games/(\w+)", address)[0])
    page.goto(address)
    expect_dealt(page)


def settle(page: Page) -> None:
    """Wait until everything that was done is confirmed and a card that was uncovered may be taken."""
    page.wait_for_timeout(320)


def run_until(page: Page, is_true: Callable[[], bool], step_ms: int = 500) -> None:
    """Move the clock of a page on, step by step, until something is true; without steps it only waits."""
    for _ in range(LOOKS):
        if is_true():
            return
        page.clock.run_for(step_ms)
        page.wait_for_timeout(100)  # and what happened becomes known here
    raise AssertionError("it never came true")


def wait_until(page: Page, script: str, arg: Any = None) -> None:
    """Wait until a script answers yes.

    It may be asynchronous, where Playwright's `wait_for_function` takes a promise for a yes, and need not be a
    function, whose second look the page's policy would forbid there.
    """
    for _ in range(LOOKS):
        if page.evaluate(script, arg):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"never true for {arg!r}: {script}")


def resign(page: Page) -> None:
    page.get_by_role("button", name="More", exact=True).click()
    page.locator("#menu").get_by_role("button", name="Give up").click()
    page.locator("#sure").get_by_role("button", name="Give up").click()
    expect(page.locator("#end")).to_be_visible()


def dig_for_a_pair(page: Page) -> tuple[Locator, Locator]:
    """Draw until two cards fit, and return them."""
    if pair := pair_after_draws(page):
        return pair
    raise AssertionError("no two cards fit")


def pair_after_draws(page: Page) -> tuple[Locator, Locator] | None:
    """Draw until two cards fit, and return them, or nothing if none fit any more."""
    for _ in range(60):
        settle(page)
        cards = free_cards(page)
        pair = pair_of_thirteen([name for name in cards if not name.startswith("King")])
        if pair:
            return cards[pair[0]], cards[pair[1]]
        button(page, "stock").click()
    return None


def middle(one: Locator) -> tuple[float, float]:
    box = one.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, one: Locator, other: Locator) -> None:
    page.mouse.move(*middle(one))
    page.mouse.down()
    page.mouse.move(*middle(other), steps=6)
    page.mouse.up()


def focus_by_rank(page: Page, card: str) -> None:
    rank = card.partition(" ")[0]
    key = {"Ace": "a", "Jack": "j", "Queen": "q", "King": "k", "10": "0"}.get(rank, rank)
    for _ in range(9):
        page.keyboard.press(key)
        if card in (page.evaluate("document.activeElement.ariaLabel") or ""):
            return
    raise AssertionError(f"{key} never reaches {card}")
