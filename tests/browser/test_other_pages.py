from __future__ import annotations

import re
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from games.deals.certify import first_fitting
from games.deals.daily import DailyKey
from games.deals.grading import Grade
from tests.browser.conftest import UNHURRIED
from tests.browser.other_sites import site_of
from tests.browser.player import open_daily, wait_until
from tests.journeys.conftest import Server
from tests.processes import MANAGE, PROJECT, fill, own_database

COMMITTED_LATE = "committed to only when its day had begun"
STAFF = {"DJANGO_SUPERUSER_USERNAME": "staff", "DJANGO_SUPERUSER_PASSWORD": "a good long password"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server lies about a day with one deal of any grade."""
    with own_database(tmp_path_factory.mktemp("browser")) as environment:
        seed = [sys.executable, "-m", "tests.browser.seed", "4", "2", "0"]
        fill(environment | STAFF, seed, [*MANAGE, "createsuperuser", "--noinput"])
        with Server(environment | UNHURRIED).running() as server:
            yield server


def test_staff_finds_a_deal_in_the_admin_without_a_complaint(page: Page, complaints: list[str]) -> None:
    page.goto("/admin/games/dailydeal/")
    page.get_by_label("Handle").fill(STAFF["DJANGO_SUPERUSER_USERNAME"])
    page.get_by_label("Password").fill(STAFF["DJANGO_SUPERUSER_PASSWORD"])
    page.get_by_role("button", name="Log in").click()
    page.locator("#result_list tbody a").first.click()
    expect(page.get_by_text("hidden while the deal can be played")).to_be_visible()
    assert complaints == []


def test_the_link_of_a_shared_deal_is_copied_with_the_challengers_game(
    page: Page, server: Server, complaints: list[str]
) -> None:
    token = server.post("/api/guests/", {"display_name": "Ada"})["token"]
    game = server.post("/api/games/", {"kind": "practice", "rules": "relaxed"}, token)
    server.post(f"/api/games/{game['id']}/resign/", {"version": 0}, token)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/deals/{game['deal']}/?game={game['id']}")
    expect(page.get_by_role("heading", name="Beat my 28 cards left after 0 moves")).to_be_visible()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert complaints == []


@pytest.fixture(scope="module")
def closed_day() -> date:
    """A day that is final and sealed, with results: the last games of the one after it may have just ended."""
    return datetime.now(UTC).date() - timedelta(days=4)


@pytest.fixture(scope="module")
def result(server: Server, closed_day: date) -> str:
    """A game of that day."""
    rows = server.get(f"/api/boards/daily.{closed_day}.standard.open.fewest-moves/")["rows"]
    return str(rows[0]["game"])


def test_a_browser_recomputes_a_closed_day_and_finds_a_result_among_those_it_was_sealed_with(
    page: Page, closed_day: date, result: str, complaints: list[str]
) -> None:
    page.goto(f"/fairness/?day={closed_day}")
    expect(page.get_by_text("Everything that could be checked is correct.")).to_be_visible()
    checks = page.locator(".checks li.good")
    for claim in ("the deck follows from the seed", "no deck of the seed before it", "lead to its signed head"):
        expect(checks.filter(has_text=claim).first).to_be_visible()
    expect(page.locator(".checks li.bad")).to_have_count(0)
    expect(page.get_by_text(COMMITTED_LATE).first).to_be_visible()  # it is the first day of its server
    page.goto(f"/fairness/?game={result}")
    for claim in ("results of its day", "Its day is in the signed log"):
        expect(checks.filter(has_text=claim)).to_be_visible()
    expect(page.get_by_text("Everything that could be checked is correct.")).to_be_visible()
    assert complaints == []


LEAST_SEEN = 0.01  # of a layout shift: rounding of a row's height on a busy machine stays far below


def test_nothing_moves_while_a_day_and_its_check_are_loaded(page: Page, closed_day: date) -> None:
    page.add_init_script(
        """window.moved = 0;
        new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.moved += value)))
            .observe({ type: "layout-shift", buffered: true });"""
    )
    page.goto(f"/days/{closed_day}/")
    expect(page.locator(".board tbody tr:not(.blank)").first).to_be_visible()
    wait_until(page, "[...document.querySelectorAll('.board .status')].every((one) => one.textContent.trim())")
    assert page.evaluate("window.moved") < LEAST_SEEN
    page.goto(f"/fairness/?day={closed_day}")
    expect(page.get_by_text("Everything that could be checked is correct.")).to_be_visible()
    assert page.evaluate("window.moved") < LEAST_SEEN


def exchanged_leaf(told: bytes) -> bytes:
    return told.replace(b"|open|", b"|main|", 1)


def other_head(told: bytes) -> bytes:
    """Tell of another head under the signature of the true one."""
    origin, size, rest = told.split(b"\n", 2)
    return b"\n".join([origin, b"%d" % (int(size) - 1), rest])


def unknown_deal(told: Any) -> None:
    """Tell of a deal without a commitment that nobody committed to."""
    standard_of(told)["division"] = "third"
    del standard_of(told)["commitment"]


def other_grade(told: Any) -> None:
    """Tell of a grade that was not asked for when the deal was committed to."""
    daily = standard_of(told)
    daily["grade"] = Grade.EASY if daily["grade"] is None else None


def withheld_seed(told: Any) -> None:
    standard_of(told)["reveal"] = None


def wrong_seed(told: Any) -> None:
    standard_of(told)["reveal"]["seed"] = "5" * 64


def wrong_deck(told: Any) -> None:
    reveal = standard_of(told)["reveal"]
    reveal["deck"] = reveal["deck"][-2:] + reveal["deck"][:-2]


def chosen_later(told: Any) -> None:
    """Tell of another deck of the seed, as if another grade had been asked for than was committed to."""
    daily, reveal = standard_of(told), standard_of(told)["reveal"]
    key, seed = DailyKey(date.fromisoformat(daily["day"]), "standard", "open"), bytes.fromhex(reveal["seed"])
    firsts = ((grade, first_fitting(key, seed, grade)) for grade in Grade)
    grade, other = next((grade, first) for grade, first in firsts if first not in (None, reveal["candidate"]))
    reveal |= {"grade": grade, "candidate": other, "deck": key.deck(seed, other or 0).text}


def wrong_suits(told: Any) -> None:
    told["record"] = re.sub(r'(?<=\[Suits ")(.)(.)', r"\2\1", told["record"])


def other_division(told: bytes) -> bytes:
    first, extra, rest = told.split(b"\n", 2)
    leaf = b64decode(extra.removeprefix(b"extra ")).replace(b"|open|", b"|main|")
    return b"\n".join([first, b"extra " + b64encode(leaf), rest])


def without_its_day(told: Any) -> None:
    told["record"] = re.sub(r'\[Day "[^"]*"\]\n', "", told["record"])


def standard_of(told: Any) -> Any:
    """Return the deal that is lied about."""
    return next(one for one in told["dailies"] if (one["rules"], one["division"]) in LIED_ABOUT)


LIED_ABOUT = {("standard", "open"), ("standard", "third")}


LIES: list[tuple[Callable[[Any], Any], str, str, str]] = [
    (exchanged_leaf, "day", "/tlog/tile/entries/**", "lead to its signed head"),
    (other_head, "day", "/tlog/checkpoint", "lead to its signed head"),
    (unknown_deal, "day", "/api/daily/2*/", "its commitment is in the log, made never"),
    (other_grade, "day", "/api/daily/2*/", "its commitment is in the log"),
    (withheld_seed, "day", "/api/daily/2*/", "the seed is revealed"),
    (wrong_seed, "day", "/api/daily/2*/", "the seed is the one that was committed to"),
    (wrong_deck, "day", "/api/daily/2*/", "the deck follows from the seed"),
    (chosen_later, "day", "/api/daily/2*/", "no deck of the seed before it could be taken"),
    (wrong_seed, "game", "/api/daily/2*/", "the seed is the one that was committed to"),
    (wrong_deck, "game", "/api/daily/2*/", "It was played on the deal of its day"),
    (wrong_suits, "game", "/api/games/*/record/", "It was played on the deal of its day"),
    (other_division, "game", "/tlog/proof/games/*", "Its line is the one that was sealed"),
    (without_its_day, "game", "/api/games/*/record/", "Its day, rules, division and result"),
]


def test_a_page_says_what_the_server_lies_about(page: Page, closed_day: date, result: str) -> None:
    for lie, asked, place, found in LIES:
        told_of = lied_to(page, f"**{place}", lie)
        page.goto(f"/fairness/?{asked}={closed_day if asked == 'day' else result}")
        expect(page.get_by_text("Something is wrong. Please tell the operator.")).to_be_visible()
        expect(page.locator(".checks li.bad").first, lie.__name__).to_contain_text(found)
        assert told_of == [True], lie.__name__
        page.unroute_all()


def lied_to(page: Page, place: str, lie: Callable[[Any], Any]) -> list[bool]:
    """Let a page get lies from an address, and return a list that notes of each answer if it differs from the truth."""

    def answer(route: Route) -> None:
        fetched = route.fetch()
        if "/tlog/" in place:
            body = lie(fetched.body())
            lies.append(body != fetched.body())
            route.fulfill(body=body)
            return
        told = fetched.json()
        before = deepcopy(told)
        lie(told)
        lies.append(told != before)
        route.fulfill(json=told)

    lies: list[bool] = []
    page.route(place, answer)
    return lies


def test_a_browser_recomputes_the_log(page: Page, complaints: list[str]) -> None:
    page.goto(f"/fairness/?day={datetime.now(UTC).date()}")
    expect(page.locator(".checks li.good")).to_have_count(4)
    expect(page.locator(".checks li").first).to_contain_text("lead to its signed head")
    expect(page.locator(".checks li.bad")).to_have_count(0)
    expect(page.get_by_text("the seed is revealed when the last games have ended").first).to_be_visible()
    expect(page.get_by_text(COMMITTED_LATE)).to_have_count(0)
    assert complaints == []


def test_a_player_who_checks_a_game_of_today_sees_what_holds_and_when_to_come_back(page: Page) -> None:
    open_daily(page)
    game = page.url.split("/")[-2]
    token = next(str(each.get("value")) for each in page.context.cookies() if each.get("name") == "csrftoken")
    headers = {"X-CSRFToken": token, "Referer": page.url}
    assert page.request.post(f"/api/games/{game}/resign/", data={"version": 0}, headers=headers).ok
    page.goto(f"/fairness/?game={game}")
    expect(page.get_by_text("the seed is revealed when the last games have ended")).to_be_visible()
    expect(page.get_by_text("Everything that could be checked is correct.")).to_be_visible()


PACKAGE = PROJECT / "clients" / "javascript"
PLAY = """
await pyramid.enter("/guests/", { is_bot: true });
const { id } = await pyramid.send("/games/", { kind: "practice", rules: "relaxed" });
pyramid.play(id).on("state", ({ rules }) => (document.title = rules)).connect();
"""


@pytest.fixture
def elsewhere(server: Server, tmp_path: Path) -> Iterator[str]:
    """Serve the page of the client's README, which goes on to play, from another origin than the server's."""
    [html] = re.findall(r"```html\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    page = html.replace("https://pyramid.example", server.url).replace("</script>", f"{PLAY}</script>")
    (tmp_path / "index.html").write_text(page)
    (tmp_path / "client").symlink_to(PACKAGE / "client")
    with site_of(tmp_path) as address:
        yield f"{address}/"


def test_a_page_on_another_origin_plays_with_the_client_as_in_its_readme(page: Page, elsewhere: str) -> None:
    page.goto(elsewhere)
    expect(page).to_have_title("relaxed")
