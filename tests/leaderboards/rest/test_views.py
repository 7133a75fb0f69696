from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from games.models import DailyDeal, Player
from games.services.attempts import start_ranked
from leaderboards.rest import examples
from leaderboards.services.submission import submit_score
from tests.leaderboards.conftest import FASTEST, FEWEST_MOVES, NOON, Finish, named


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    with time_machine.travel(NOON, tick=False):
        yield


def get(path: str, **query: Any) -> Any:
    return APIClient().get(f"/api/boards/{path}", query)


def ranks(response: Any) -> list[tuple[int, str]]:
    return [(row["rank"], row["player"]["handle"]) for row in response.data["rows"]]


def shape(value: Any) -> Any:
    """Return the same structure with types in place of what may differ from answer to answer."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value else type(value)


@pytest.fixture
def table(alice: Player, bob: Player, finish: Finish) -> None:
    submit_score(finish(alice, moves=41, elapsed_ms=183_250))
    submit_score(finish(bob, cards_left=3, moves=37))


@pytest.mark.usefixtures("table")
def test_anyone_sees_the_table_of_an_open_daily() -> None:
    response = get(f"{FEWEST_MOVES}/")
    assert response.status_code == 200
    assert ranks(response) == [(1, "alice"), (2, "bob")]
    assert response.data["count"] == response.data["board"]["version"] == 2


@pytest.mark.usefixtures("table")
def test_a_row_shows_the_score_and_nothing_of_the_deck(daily: DailyDeal) -> None:
    response = get(f"{FEWEST_MOVES}/")
    row = response.json()["rows"][0]
    assert row["player"] == {"handle": "alice", "display_name": "Alice", "is_bot": False}
    assert {name: row[name] for name in ("rank", "cards_left", "moves", "elapsed_ms", "result", "at")} == {
        "rank": 1,
        "cards_left": 0,
        "moves": 41,
        "elapsed_ms": 183_250,
        "result": "won",
        "at": "2026-11-20T12:03:03.250000Z",
    }
    assert set(row) == {"rank", "player", "game", "cards_left", "moves", "elapsed_ms", "result", "at"}
    for secret in (daily.deal.deck, daily.deal.id, daily.seed):
        assert secret not in response.content.decode()


@pytest.mark.usefixtures("table")
def test_the_documented_examples_have_the_shape_of_real_answers() -> None:
    assert shape(get(f"{FEWEST_MOVES}/").json()) == shape(examples.TABLE)
    assert shape(get(f"{FEWEST_MOVES}/players/alice/").json()) == shape(examples.ALICE)
    assert shape(get("").json()) == shape([examples.BOARD])


def test_bob_finds_his_neighbours(finish: Finish) -> None:
    for number in range(9):
        submit_score(finish(named(f"player-{number}"), moves=10 + number))
    response = get(f"{FEWEST_MOVES}/", around="player-5", limit=3)
    assert ranks(response) == [(5, "player-4"), (6, "player-5"), (7, "player-6")]
    assert response.data["count"] == 9


@pytest.mark.usefixtures("table")
def test_a_player_has_a_row_to_look_up() -> None:
    response = get(f"{FEWEST_MOVES}/players/bob/")
    assert (response.status_code, response.data["rank"], response.data["result"]) == (200, 2, "resigned")


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("handle", ["mallory", "nobody-at-all", "Alice", "_", "a" * 500])
def test_asking_for_someone_who_is_not_on_the_board_is_refused(handle: str) -> None:
    response = get(f"{FEWEST_MOVES}/players/{handle}/")
    assert (response.status_code, response.data["code"]) == (404, "not_on_board")


@pytest.mark.usefixtures("table")
def test_there_is_nothing_around_someone_who_is_not_on_the_board() -> None:
    response = get(f"{FEWEST_MOVES}/", around="mallory")
    assert (response.status_code, response.data["code"]) == (404, "not_on_board")


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("limit", "0"),
        ("limit", "-1"),
        ("limit", "101"),
        ("limit", "99999999999999999999999"),
        ("limit", "ten"),
        ("limit", "1e1"),
        ("around", "Alice"),
        ("around", "alice\0"),
        ("around", "a" * 33),
    ],
)
def test_a_wrong_question_is_refused_naming_the_field(daily: DailyDeal, field: str, text: str) -> None:
    response = get(f"{FEWEST_MOVES}/", **{field: text})
    assert (response.status_code, response.data["code"]) == (400, "invalid_request")
    assert list(response.data["fields"]) == [field]


@pytest.mark.parametrize(
    "slug",
    [
        "daily.2026-11-21.standard.open.fewest-moves",
        "daily.2026-11-19.standard.open.fewest-moves",
        "daily.2026-02-30.standard.open.fewest-moves",
        "daily.2026-11-20.standard.main.fewest-moves",
        "daily.2026-11-20.giza.open.fewest-moves",
        "daily",
        "%00",
        "..",
        "a" * 3000,
    ],
)
def test_a_board_that_is_not_there_is_refused(daily: DailyDeal, slug: str) -> None:
    for path in (f"{slug}/", f"{slug}/players/alice/"):
        response = get(path)
        assert (response.status_code, response.data["code"]) == (404, "unknown_board")


def test_a_board_nobody_has_entered_yet_is_empty(alice: Player, daily: DailyDeal) -> None:
    start_ranked(alice, "standard", NOON)
    response = get(f"{FASTEST}/")
    assert (response.status_code, response.data["count"], response.data["rows"]) == (200, 0, [])


def test_today_has_six_boards_for_each_deal(daily: DailyDeal) -> None:
    slugs = [board["slug"] for board in get("").data]
    assert len(slugs) == 6
    assert FASTEST in slugs


@pytest.mark.usefixtures("table")
def test_a_past_day_keeps_its_boards() -> None:
    with time_machine.travel(NOON + timedelta(days=400), tick=False):
        boards = get("", day="2026-11-20").data
        assert next(board for board in boards if board["slug"] == FASTEST)["version"] == 2
        assert ranks(get(f"{FASTEST}/")) == [(1, "alice"), (2, "bob")]


def test_a_day_to_come_has_no_boards_yet(daily: DailyDeal) -> None:
    assert get("", day="2026-11-21").data == []


@pytest.mark.parametrize("day", ["2026-02-30", "20261120", "today", "2026-11-20T12:00"])
def test_a_day_that_does_not_exist_is_refused(day: str) -> None:
    response = get("", day=day)
    assert (response.status_code, response.data["code"]) == (400, "invalid_request")
    assert list(response.data["fields"]) == ["day"]


def test_a_score_table_cannot_be_written_to(alice: Player, daily: DailyDeal) -> None:
    client = APIClient()
    client.force_authenticate(alice)
    for method in (client.post, client.put, client.patch, client.delete):
        response = method(f"/api/boards/{FASTEST}/", {})
        assert (response.status_code, response.data["code"]) == (405, "method_not_allowed")
