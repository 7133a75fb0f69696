from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import LazySettings

from games.calendar.certificates import make_deals
from games.deals.grading import Grade
from games.play.models import Game
from games.rules import RULE_SETS, UNSEEN, Deck, Record
from tests.games.api import Api, refusal
from tests.games.conftest import DECK

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

FINISH_BY = datetime(2026, 3, 2, 0, 30, tzinfo=UTC)


def test_alice_starts_a_practice_game_and_is_told_where_it_is(as_alice: Api) -> None:
    response = as_alice.post("/api/games/", {"kind": "practice", "rules": "Standard"})
    game = response.json()
    assert response["Location"] == f"/api/games/{game['id']}/"
    assert as_alice.get(response["Location"]).json() == game
    assert game["socket"] == f"/ws/games/{game['id']}/"
    assert (game["kind"], game["rules"], game["day"], game["status"]) == ("practice", "standard", None, "playing")
    assert (game["created_at"], game["started_at"], game["moves"]) == ("2026-03-01T12:00:00Z", None, None)


@pytest.mark.usefixtures("dailies")
def test_alice_has_one_ranked_attempt_and_is_told_which(as_alice: Api) -> None:
    response = as_alice.post("/api/games/", {"kind": "daily", "rules": "standard"})
    game = response.json()
    assert (game["kind"], game["day"], game["player"]["display_name"]) == ("daily", "2026-03-01", "Alice")
    same = as_alice.post("/api/games/", {"kind": "daily", "rules": "standard"})
    assert (same.status_code, same.json(), same["Location"]) == (200, game, f"/api/games/{game['id']}/")
    as_alice.resign(game["id"])
    again = as_alice.post("/api/games/", {"kind": "daily", "rules": "standard"})
    assert refusal(again) == (409, "already_attempted")
    assert again.json()["game"] == game["id"]
    assert Game.objects.count() == 1


@pytest.mark.usefixtures("dailies")
def test_an_attempt_starts_on_its_day_alone(as_alice: Api, clock: time_machine.Traveller) -> None:
    midnight = datetime(2026, 3, 2, tzinfo=UTC)
    clock.move_to(midnight - timedelta(milliseconds=1))
    first = as_alice.start("daily", "standard")
    clock.move_to(midnight)
    second = as_alice.start("daily", "standard")
    days = [as_alice.get(f"/api/games/{game}/").json()["day"] for game in (first, second)]
    assert days == ["2026-03-01", "2026-03-02"]


@pytest.mark.usefixtures("dailies")
def test_rules_without_a_daily_deal_cannot_be_played_for_rank(as_alice: Api) -> None:
    assert refusal(as_alice.post("/api/games/", {"kind": "daily", "rules": "giza"})) == (404, "no_open_daily")


def test_unknown_rules_cannot_be_played(as_alice: Api) -> None:
    for kind in ("daily", "practice"):
        assert refusal(as_alice.post("/api/games/", {"kind": kind, "rules": "spider"})) == (404, "unknown_rule_set")
    assert not Game.objects.exists()


def test_unfinished_practice_games_are_limited_whichever_way_they_start(as_alice: Api, settings: LazySettings) -> None:
    settings.PYRAMID_OPEN_PRACTICE_GAMES = 2
    first = as_alice.start()
    restarted = as_alice.post(f"/api/games/{first}/restart/").json()["id"]
    other = as_alice.start()
    refused = (409, "too_many_open_games")
    assert refusal(as_alice.post("/api/games/", {"kind": "practice", "rules": "relaxed"})) == refused
    as_alice.resign(restarted)
    as_alice.start()
    assert refusal(as_alice.post(f"/api/games/{restarted}/restart/")) == refused
    as_alice.resign(other)
    assert as_alice.post(f"/api/games/{restarted}/restart/").status_code == 201
    assert as_alice.post(f"/api/games/{first}/restart/").json()["id"] == restarted


def test_a_restarted_game_is_another_game_on_the_same_deal(as_alice: Api, alices_game: str) -> None:
    as_alice.act(alices_game, 0, "D")
    response = as_alice.post(f"/api/games/{alices_game}/restart/")
    again, before = response.json(), as_alice.get(f"/api/games/{alices_game}/").json()
    assert response["Location"] == f"/api/games/{again['id']}/"
    assert again["deal"] == before["deal"]
    assert (before["status"], again["status"]) == ("resigned", "playing")
    assert as_alice.state(again["id"])["version"] == 0


@pytest.mark.usefixtures("dailies")
def test_a_ranked_attempt_cannot_be_restarted(as_alice: Api) -> None:
    game = as_alice.start("daily", "standard")
    assert refusal(as_alice.post(f"/api/games/{game}/restart/")) == (403, "restart_not_allowed")
    as_alice.resign(game)
    assert refusal(as_alice.post(f"/api/games/{game}/restart/")) == (403, "restart_not_allowed")


def test_alice_walks_her_games_without_gaps_or_repetition_while_more_arrive(
    as_alice: Api, as_bob: Api, clock: time_machine.Traveller
) -> None:
    as_bob.start()
    mine = [as_alice.start() for _ in range(20)]
    for game in mine[:5]:
        as_alice.resign(game)
    mine += [as_alice.start() for _ in range(3)]
    page = as_alice.get("/api/games/").json()
    as_alice.resign(mine[-1])
    clock.shift(timedelta(milliseconds=1))
    late = as_alice.start()
    rest = as_alice.get(page["next"]).json()
    found = [game["id"] for game in page["games"] + rest["games"]]
    assert (len(page["games"]), len(rest["games"]), rest["next"]) == (20, 3, None)
    assert sorted(found) == sorted(mine)
    assert late not in found


def test_a_page_goes_on_from_a_game_of_ones_own_alone(as_alice: Api, as_bob: Api) -> None:
    assert refusal(as_alice.get("/api/games/", {"before": as_bob.start()})) == (403, "not_yours")
    assert refusal(as_alice.get("/api/games/", {"before": "0" * 15})) == (404, "unknown_game")


def test_bob_reads_alices_game_and_record_once_its_deal_is_closed(as_alice: Api, as_bob: Api, alices_game: str) -> None:
    as_alice.act(alices_game, 0, "D")
    for address in (f"/api/games/{alices_game}/", f"/api/games/{alices_game}/record/"):
        assert refusal(as_bob.get(address)) == (403, "not_yours")
    as_alice.resign(alices_game, 1)
    assert as_bob.get(f"/api/games/{alices_game}/").json()["status"] == "resigned"
    record = as_bob.get(f"/api/games/{alices_game}/record/").json()["record"]
    assert Record.from_text(record).deck.text == DECK
    assert Record.from_text(record).replay().result == "resigned"


@pytest.mark.usefixtures("dailies")
def test_a_daily_game_stays_alices_until_finish_by_even_when_it_is_over(
    as_alice: Api, anyone: Api, clock: time_machine.Traveller
) -> None:
    game = as_alice.start("daily", "standard")
    as_alice.resign(game)
    clock.move_to(FINISH_BY - timedelta(milliseconds=1))
    assert refusal(anyone.get(f"/api/games/{game}/record/")) == (403, "not_yours")
    assert "??" in as_alice.get(f"/api/games/{game}/record/").json()["record"]
    clock.move_to(FINISH_BY)
    assert "??" not in anyone.get(f"/api/games/{game}/record/").json()["record"]


def test_the_record_of_an_own_game_hides_what_was_not_seen(as_alice: Api, alices_game: str) -> None:
    as_alice.state(alices_game)
    record = Record.from_text(as_alice.get(f"/api/games/{alices_game}/record/").json()["record"])
    seen = 28 + 1  # the pyramid and the top of the open stock
    assert record.deck.text == DECK[: 2 * seen] + "??" * (52 - seen)


def test_no_card_is_told_before_the_clock_runs(as_alice: Api, alices_game: str) -> None:
    record = Record.from_text(as_alice.get(f"/api/games/{alices_game}/record/").json()["record"])
    assert record.deck == Deck((UNSEEN,) * 52)
    assert as_alice.get(f"/api/games/{alices_game}/").json()["started_at"] is None


@pytest.mark.parametrize(
    ("wish", "fields"),
    [
        ({"kind": "daily", "winnable": "certified"}, ["winnable"]),
        ({"kind": "daily", "winnable": "any", "grade": "hard"}, ["grade", "winnable"]),
        ({"kind": "practice", "grade": "hard"}, ["grade"]),
        ({"kind": "practice", "winnable": "any", "grade": "hard"}, ["grade"]),
        ({"kind": "practice", "winnable": "perhaps"}, ["winnable"]),
        ({"kind": "practice", "winnable": "certified", "grade": "impossible"}, ["grade"]),
        ({"kind": "practice", "winnable": None}, ["winnable"]),
        ({"kind": "practice", "winnable": "certified", "grade": 1}, ["grade"]),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused_by_field(as_alice: Api, wish: dict[str, object], fields: object) -> None:
    response = as_alice.post("/api/games/", {"rules": "standard", **wish})
    assert refusal(response) == (400, "invalid_request")
    assert sorted(response.json()["fields"]) == fields
    assert not Game.objects.exists()


def test_alice_practises_a_certified_deal_of_a_grade_and_the_answer_tells_no_card(as_alice: Api, now: datetime) -> None:
    (stock,) = make_deals(RULE_SETS["relaxed"], 1, Grade.HARD, now)
    wish = {"kind": "practice", "rules": "msc", "winnable": "certified", "grade": "hard"}
    game = as_alice.post("/api/games/", wish).json()
    assert (game["kind"], game["rules"], game["deal"], game["started_at"]) == ("practice", "relaxed", stock.id, None)


def test_deals_of_two_decks_have_no_grade(as_alice: Api) -> None:
    wish = {"kind": "practice", "rules": "two-pyramids", "winnable": "certified", "grade": "hard"}
    assert refusal(as_alice.post("/api/games/", wish)) == (409, "not_certifiable")


def test_a_grade_that_is_not_in_stock_is_refused(as_alice: Api) -> None:
    wish = {"kind": "practice", "rules": "cheops", "winnable": "certified", "grade": "easy"}
    assert refusal(as_alice.post("/api/games/", wish)) == (503, "no_certified_deal")
