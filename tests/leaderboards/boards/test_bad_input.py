from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from games.calendar.models import DailyDeal
from games.players.models import Player
from tests.leaderboards.api import get
from tests.leaderboards.conftest import FASTEST, FEWEST_MOVES

pytestmark = pytest.mark.usefixtures("_noon")


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("handle", ["mallory", "nobody-at-all", "Alice", "_", "a" * 500])
@pytest.mark.parametrize("suffix", ["", "history/"])
def test_asking_for_someone_who_is_not_on_the_board_is_refused(handle: str, suffix: str) -> None:
    response = get(f"{FEWEST_MOVES}/players/{handle}/{suffix}")
    assert (response.status_code, response.json()["code"]) == (404, "not_on_board")


@pytest.mark.usefixtures("table")
def test_there_is_nothing_around_someone_who_is_not_on_the_board() -> None:
    response = get(f"{FEWEST_MOVES}/", around="mallory")
    assert (response.status_code, response.json()["code"]) == (404, "not_on_board")


@pytest.mark.parametrize(
    ("path", "field", "text"),
    [
        ("", "limit", "0"),
        ("", "limit", "-1"),
        ("", "limit", "101"),
        ("", "limit", "99999999999999999999999"),
        ("", "limit", "ten"),
        ("", "limit", "1e1"),
        ("", "around", "Alice"),
        ("", "around", "a" * 33),
        ("", "as_of", "2026-02-30T00:00:00Z"),
        ("", "as_of", "yesterday"),
        ("", "verified", "perhaps"),
        ("", "cursor", "a" * 10_000),
        ("players/", "handles", ",".join(["alice"] * 51)),
        ("players/", "handles", "alice,Bob"),
        ("histogram/", "bins", "0"),
        ("histogram/", "bins", "101"),
        ("histogram/", "field", "deck"),
    ],
)
def test_a_wrong_question_is_refused_naming_the_field(daily: DailyDeal, path: str, field: str, text: str) -> None:
    response = get(f"{FEWEST_MOVES}/{path}", **{field: text})
    assert (response.status_code, response.json()["code"]) == (400, "invalid_request")
    assert list(response.json()["fields"]) == [field]


@pytest.mark.parametrize(
    "slug",
    [
        "daily.2026-11-21.standard.open.fewest-moves",
        "daily.2026-11-19.standard.open.fewest-moves",
        "daily.2026-02-30.standard.open.fewest-moves",
        "daily.2026-11-20.standard.third.fewest-moves",
        "daily.2026-11-20.giza.open.fewest-moves",
        "weekly.2026-W48.standard.open.points",
        "monthly.2026-12.standard.open.points",
        "all-time.giza.open.fastest",
        "daily",
        "..",
        "a" * 3000,
    ],
)
def test_a_board_that_is_not_there_is_refused(daily: DailyDeal, slug: str) -> None:
    for path in (f"{slug}/", f"{slug}/players/alice/", f"{slug}/histogram/", f"{slug}/players/?handles=alice"):
        response = get(path)
        assert (response.status_code, response.json()["code"]) == (404, "unknown_board")


@pytest.mark.parametrize("day", ["2026-02-30", "20261120", "today", "2026-11-20T12:00"])
def test_a_day_that_does_not_exist_is_refused(day: str) -> None:
    response = get("", day=day)
    assert (response.status_code, response.json()["code"]) == (400, "invalid_request")
    assert list(response.json()["fields"]) == ["day"]


def test_a_score_table_cannot_be_written_to(alice: Player, daily: DailyDeal) -> None:
    client = APIClient()
    client.force_authenticate(alice)
    for method in (client.post, client.put, client.patch, client.delete):
        response = method(f"/api/boards/{FASTEST}/", {})
        assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")
