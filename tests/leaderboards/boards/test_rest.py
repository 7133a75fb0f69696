from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest
import time_machine
from rest_framework.test import APIClient

from games.calendar.models import DailyDeal
from games.play.starting import start_ranked
from games.players.models import Player
from leaderboards.boards import examples
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from tests.leaderboards.api import get, ranks
from tests.leaderboards.conftest import BEST, FASTEST, FEWEST_MOVES, MONTH, NOON, WEEK, Finish, named, submit_score

pytestmark = pytest.mark.usefixtures("_noon")


def shape(value: Any) -> Any:
    """Return the same structure with types in place of what may differ from answer to answer."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value else type(value)


@pytest.mark.usefixtures("table")
def test_anyone_sees_the_table_of_an_open_daily() -> None:
    response = get(f"{FEWEST_MOVES}/")
    assert response.status_code == 200
    assert ranks(response) == [(1, "alice"), (2, "bob")]
    assert response.json()["count"] == response.json()["version"] == 2


@pytest.mark.usefixtures("table")
def test_a_row_shows_the_score_and_nothing_of_the_deck(daily: DailyDeal) -> None:
    response = get(f"{FEWEST_MOVES}/")
    row = response.json()["rows"][0]
    game = row.pop("game")
    assert row == {
        "rank": 1,
        "place": 1,
        "player": {"handle": "alice", "display_name": "Alice", "is_bot": False},
        "cards_left": 0,
        "moves": 41,
        "elapsed_ms": 183_250,
        "result": "won",
        "score_state": "provisional",
        "at": "2026-11-20T12:03:03.250000Z",
    }
    for secret in (daily.deal.deck, daily.deal.id, daily.seed):
        assert secret not in response.content.decode()
        assert secret not in game


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("slug", [WEEK, MONTH])
def test_a_board_of_points_shows_sums_without_a_game(slug: str) -> None:
    row = get(f"{slug}/").json()["rows"][0]
    assert {name: row[name] for name in ("points", "wins", "moves", "game")} == {
        "points": 1000 + 259 + 139,
        "wins": 1,
        "moves": 41,
        "game": None,
    }
    assert "result" not in row


@pytest.mark.usefixtures("table")
def test_the_documented_examples_have_the_shape_of_real_answers() -> None:
    documented = msgspec.to_builtins(examples.TABLE)
    assert shape(get(f"{FEWEST_MOVES}/").json()) == shape({**documented, "rows": [*documented["rows"]]})
    assert shape(get(f"{FEWEST_MOVES}/players/bob/").json()) == shape(msgspec.to_builtins(examples.STANDING))


@pytest.mark.usefixtures("nine")
def test_a_player_finds_the_neighbours() -> None:
    response = get(f"{FEWEST_MOVES}/", around="player-5", limit=3)
    assert ranks(response) == [(5, "player-4"), (6, "player-5"), (7, "player-6")]
    assert response.json()["count"] == 9


@pytest.mark.usefixtures("nine")
def test_walking_pages_while_scores_arrive_skips_and_repeats_nothing(
    alice: Player, bob: Player, finish: Finish
) -> None:
    pages = [get(f"{BEST}/", limit=4)]
    submit_score(finish(alice, moves=5), NOON)
    leader = finish(bob, moves=1)
    submit_score(leader, NOON)
    while cursor := pages[-1].json()["next"]:
        decide(Decision(game=leader, state=EntryState.DISQUALIFIED, reason="a bot", at=NOON))
        pages.append(get(f"{BEST}/", cursor=cursor, limit=4))
    assert [row for page in pages for row in ranks(page)] == [(rank, f"player-{rank - 1}") for rank in range(1, 10)]
    assert {page.json()["version"] for page in pages} == {9}
    assert [page.json()["count"] for page in pages] == [9, 9, 9]


@pytest.mark.usefixtures("nine")
def test_a_page_after_the_rows_around_a_player_goes_on_below_them() -> None:
    page = get(f"{BEST}/", around="player-4", limit=3)
    assert ranks(get(f"{BEST}/", cursor=page.json()["next"], limit=2)) == [(7, "player-6"), (8, "player-7")]


@pytest.mark.usefixtures("nine")
@pytest.mark.parametrize("spoil", [lambda text: text[:-1], lambda text: f"a{text}", lambda _: ":", lambda _: "a:b:c"])
def test_mallory_cannot_forge_a_cursor(spoil: Any) -> None:
    cursor = get(f"{BEST}/", limit=4).json()["next"]
    response = get(f"{BEST}/", cursor=spoil(cursor))
    assert (response.status_code, response.json()["code"]) == (400, "bad_cursor")


@pytest.mark.usefixtures("nine")
def test_a_cursor_of_one_board_is_no_cursor_of_another() -> None:
    cursor = get(f"{BEST}/", limit=4).json()["next"]
    response = get(f"{FASTEST}/", cursor=cursor)
    assert (response.status_code, response.json()["code"]) == (400, "bad_cursor")


@pytest.mark.usefixtures("nine")
def test_a_cursor_says_everything_but_the_limit() -> None:
    cursor = get(f"{BEST}/", limit=4).json()["next"]
    assert list(get(f"{BEST}/", cursor=cursor, verified="true").json()["fields"]) == ["cursor"]


@pytest.mark.usefixtures("nine")
def test_a_player_has_a_rank_and_a_percentile() -> None:
    response = get(f"{FEWEST_MOVES}/players/player-2/")
    assert (response.json()["row"]["rank"], response.json()["percentile"]) == (3, 77.78)


@pytest.mark.usefixtures("nine")
def test_several_players_are_looked_up_at_once() -> None:
    response = get(f"{FEWEST_MOVES}/players/", handles="player-7,mallory,player-1")
    assert [standing["row"]["rank"] for standing in response.json()["standings"]] == [2, 8]
    assert response.json()["missing"] == ["mallory"]


@pytest.mark.usefixtures("nine")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"field": "moves", "bins": 3}, {"field": "moves", "start": 10, "width": 3, "counts": [3, 3, 3]}),
        ({"field": "moves", "bins": 100}, {"field": "moves", "start": 10, "width": 1, "counts": [1] * 9}),
        ({}, {"field": "cards_left", "start": 0, "width": 1, "counts": [9]}),
    ],
)
def test_the_spread_of_the_scores(query: dict[str, Any], expected: dict[str, Any]) -> None:
    assert get(f"{FEWEST_MOVES}/histogram/", **query).json() == expected


@pytest.mark.usefixtures("table")
def test_the_spread_of_the_wins_leaves_out_those_who_gave_up_early() -> None:
    assert get(f"{FEWEST_MOVES}/histogram/", field="moves").json()["start"] == 37
    wins = get(f"{FEWEST_MOVES}/histogram/", field="moves", won="true").json()
    assert wins == {"field": "moves", "start": 41, "width": 1, "counts": [1]}
    assert list(get(f"{MONTH}/histogram/", won="true").json()["fields"]) == ["won"]


@pytest.mark.usefixtures("nine")
def test_the_spread_of_points_counts_upwards_though_more_is_better() -> None:
    spread = get(f"{MONTH}/histogram/", field="points", bins=1).json()
    assert (spread["start"], spread["counts"]) == (1460, [9])  # in tens: 1000 + 300 - 18 + 180


def test_the_spread_of_an_empty_board_is_empty(daily: DailyDeal) -> None:
    assert get(f"{FASTEST}/histogram/").json()["counts"] == []


def test_a_field_the_board_does_not_sort_by_has_no_spread(daily: DailyDeal) -> None:
    response = get(f"{FASTEST}/histogram/", field="points")
    assert (response.status_code, list(response.json()["fields"])) == (400, ["field"])


def test_a_board_can_be_seen_as_it_was(alice: Player, bob: Player, finish: Finish) -> None:
    submit_score(finish(bob, moves=50), NOON)
    game = finish(alice, moves=40)
    submit_score(game, NOON + timedelta(minutes=1))
    decide(Decision(game=game, state=EntryState.DISQUALIFIED, reason="a bot", at=NOON + timedelta(minutes=2)))
    moments = {0: [(1, "bob")], 59: [(1, "bob")], 60: [(1, "alice"), (2, "bob")], 120: [(1, "bob")], -1: []}
    for seconds, expected in moments.items():
        then = (NOON + timedelta(seconds=seconds)).isoformat()
        assert ranks(get(f"{FEWEST_MOVES}/", as_of=then)) == expected


def test_the_history_of_a_score_is_kept(alice: Player, bob: Player, finish: Finish) -> None:
    game = finish(alice)
    submit_score(game, NOON)
    for state in (EntryState.FLAGGED, EntryState.DISQUALIFIED, EntryState.REINSTATED):
        decide(Decision(game=game, state=state, reason="looked at", at=NOON, by=bob))
    changes = get(f"{FASTEST}/players/alice/history/").json()["changes"]
    assert [(change["version"], change["score"]["score_state"], change["listed"]) for change in changes] == [
        (1, "provisional", True),
        (2, "flagged", True),
        (3, "disqualified", False),
        (4, "reinstated", True),
    ]


def test_verified_scores_can_be_seen_alone(alice: Player, bob: Player, finish: Finish) -> None:
    submit_score(finish(bob, moves=10), NOON)
    game = finish(alice)
    submit_score(game, NOON)
    decide(Decision(game=game, state=EntryState.VERIFIED, reason="replayed", at=NOON))
    assert ranks(get(f"{FEWEST_MOVES}/", verified="true")) == [(1, "alice")]


def test_a_board_nobody_has_entered_yet_is_empty(alice: Player, daily: DailyDeal) -> None:
    start_ranked(alice, "standard", NOON)
    for slug in (FASTEST, WEEK, BEST):
        response = get(f"{slug}/")
        assert (response.status_code, response.json()["count"], response.json()["rows"]) == (200, 0, [])


def test_the_boards_of_a_day_are_listed_and_can_be_narrowed(daily: DailyDeal) -> None:
    of_deals, of_runs = 2 * 2 * 6, 2 * 2 * 4
    assert len(get("").json()["boards"]) == of_deals + of_runs
    narrowed = get("", period="daily", division="open-bots", rules="standard").json()["boards"]
    assert [board["table"] for board in narrowed] == ["fewest-moves", "fastest", "storm", "streak"]
    assert get("", period="hourly").status_code == 400


@pytest.mark.usefixtures("table")
def test_a_past_day_keeps_its_boards() -> None:
    with time_machine.travel(NOON + timedelta(days=400), tick=False):
        boards = get("", day="2026-11-20").json()["boards"]
        assert next(board for board in boards if board["slug"] == FASTEST)["version"] == 2
        assert ranks(get(f"{FASTEST}/")) == [(1, "alice"), (2, "bob")]


def test_a_day_to_come_has_no_boards_yet(daily: DailyDeal) -> None:
    assert get("", day="2026-11-21").json()["boards"] == []


@pytest.mark.usefixtures("table")
def test_who_has_the_rows_already_is_told_so_until_the_board_changes(finish: Finish) -> None:
    first = get(f"{FASTEST}/")
    client = APIClient(headers={"If-None-Match": first["ETag"]})
    assert client.get(f"/api/boards/{FASTEST}/").status_code == 304
    submit_score(finish(named("carol")), NOON)
    assert client.get(f"/api/boards/{FASTEST}/").status_code == 200
    assert "max-age=2" in first["Cache-Control"]
