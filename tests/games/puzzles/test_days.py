"""The puzzle of each day, over REST and on its page."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import time_machine
from django.test import Client

from games.puzzles.days import FIRST_DAY, day_of, puzzle_of
from games.puzzles.library import find_puzzle, puzzle_ids

pytestmark = pytest.mark.django_db
TODAY = date(2026, 3, 1)


@pytest.fixture(autouse=True)
def noon() -> object:
    with time_machine.travel("2026-03-01T12:00Z", tick=False) as traveller:
        yield traveller


def test_days_take_the_puzzles_in_the_order_of_the_file() -> None:
    assert [puzzle_of(FIRST_DAY + timedelta(days=count)).puzzle for count in range(3)] == list(puzzle_ids()[:3])
    assert day_of(puzzle_ids()[2], TODAY) == FIRST_DAY + timedelta(days=2)


def test_a_coming_day_is_not_named() -> None:
    tomorrow = TODAY + timedelta(days=1)
    assert day_of(puzzle_of(tomorrow).puzzle, TODAY) is None
    assert day_of(puzzle_of(tomorrow).puzzle, tomorrow) == tomorrow


def test_the_days_are_listed_from_today_back_to_the_first(client: Client) -> None:
    days, address = [], "/api/puzzles/days/"
    while address:
        answer = client.get(address).json()
        days += answer["days"]
        address = answer["older"]
    assert [day["day"] for day in days] == [
        str(TODAY - timedelta(days=back)) for back in range((TODAY - FIRST_DAY).days + 1)
    ]
    assert days[0]["puzzle"] == puzzle_of(TODAY).puzzle


def test_coming_days_are_not_listed(client: Client) -> None:
    assert client.get("/api/puzzles/days/?until=2027-01-01").json()["days"][0]["day"] == str(TODAY)
    assert client.get("/api/puzzles/days/?until=2025-01-01").json() == {"days": [], "older": None}


def test_the_page_leads_to_the_puzzle_of_today_and_of_past_days(client: Client) -> None:
    text = client.get("/puzzles/days/").content.decode()
    for back in range(31):
        assert f'href="/puzzles/{puzzle_of(TODAY - timedelta(days=back)).puzzle}/"' in text
    assert puzzle_of(TODAY + timedelta(days=1)).puzzle not in text
    assert "?until=2026-01-29" in text


@pytest.mark.parametrize("until", ["nonsense", "2026-02-30", "", "9" * 30])
def test_a_day_that_does_not_exist_leads_to_today(client: Client, until: str) -> None:
    answer = client.get("/puzzles/days/", {"until": until})
    assert (answer.status_code, answer["Location"]) == (302, "/puzzles/days/")


def test_a_page_shows_the_position_and_not_the_solution(client: Client) -> None:
    puzzle = find_puzzle(puzzle_of(TODAY).puzzle)
    text = client.get(f"/puzzles/{puzzle.id}/").content.decode()
    assert puzzle.position.text in text.replace("\\u002D", "-")
    assert puzzle.packed.win[0].text not in text
    assert "1 March 2026" in text or "March 1" in text


def test_any_puzzle_is_one_of_the_file_and_an_unknown_one_is_not_found(client: Client) -> None:
    assert client.get("/puzzles/")["Location"].split("/")[2] in puzzle_ids()
    assert client.get("/puzzles/0123456789/").status_code == 404
