from __future__ import annotations

import pytest
import time_machine

from games.calendar.models import DailyDeal, Deal
from games.play.models import Game
from tests.games.api import Api, refusal
from tests.games.conftest import DECK, WINNING_LINE
from tests.games.play.test_games_rest import FINISH_BY
from tests.guards import guards_dropped

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

NOT_YET = (409, "deal_not_yet")


@pytest.fixture
def deal(alices_game: str) -> str:
    Deal.objects.update(par=29, grade="hard")
    return Game.objects.get().deal_id


def win(api: Api, game: str) -> None:
    for version, action in enumerate(WINNING_LINE.split()):
        assert api.act(game, version, action).status_code == 200


def test_bob_reads_what_alice_needed_and_plays_the_same_deal(
    as_alice: Api, as_bob: Api, alices_game: str, deal: str
) -> None:
    assert refusal(as_bob.get(f"/api/deals/{deal}/")) == NOT_YET
    assert refusal(as_bob.post(f"/api/deals/{deal}/games/")) == NOT_YET
    win(as_alice, alices_game)
    result = {"result": "won", "cards_left": 0, "moves": 34, "elapsed_ms": 0}
    told = as_bob.get(f"/api/deals/{deal}/").json()
    assert told == {
        "id": deal,
        "rules": "relaxed",
        "day": None,
        "par": 29,
        "grade": "hard",
        "best": result,
        "yours": None,
        "page": f"/deals/{deal}/",
    }
    assert as_alice.get(f"/api/deals/{deal}/").json()["yours"] == result
    response = as_bob.post(f"/api/deals/{deal}/games/")
    game = response.json()
    assert (response.status_code, response["Location"]) == (201, f"/api/games/{game['id']}/")
    assert (game["kind"], game["deal"], game["status"]) == ("practice", deal, "playing")
    win(as_bob, game["id"])
    assert as_bob.get(f"/api/deals/{deal}/").json()["yours"] == result


def test_no_card_of_a_shared_deal_is_told_to_who_plays_it(
    as_alice: Api, as_bob: Api, alices_game: str, deal: str
) -> None:
    as_alice.resign(alices_game)
    game = as_bob.post(f"/api/deals/{deal}/games/").json()["id"]
    as_bob.state(game)
    answers = [f"/api/deals/{deal}/", f"/api/games/{game}/record/", f"/api/games/{game}/state/"]
    assert not [address for address in answers if DECK[60:70] in as_bob.get(address).content.decode()]


@pytest.mark.usefixtures("dailies")
def test_todays_deal_is_practised_after_the_own_attempt_and_by_nobody_else(
    as_alice: Api, as_bob: Api, clock: time_machine.Traveller
) -> None:
    with guards_dropped():
        DailyDeal.objects.update(stored_policy={"practice_after": True})
    attempt = as_alice.start("daily", "standard")
    deal = as_alice.get(f"/api/games/{attempt}/").json()["deal"]
    assert refusal(as_alice.post(f"/api/deals/{deal}/games/")) == NOT_YET
    as_alice.resign(attempt)
    practice = as_alice.post(f"/api/deals/{deal}/games/").json()
    assert (practice["kind"], practice["day"], practice["deal"]) == ("practice", None, deal)
    assert refusal(as_bob.post(f"/api/deals/{deal}/games/")) == NOT_YET
    for api in (as_alice, as_bob):
        assert refusal(api.get(f"/api/deals/{deal}/")) == NOT_YET
    assert refusal(as_bob.get(f"/api/games/{practice['id']}/")) == (403, "not_yours")
    assert as_alice.post(f"/api/games/{practice['id']}/restart/").status_code == 201
    clock.move_to(FINISH_BY)
    assert as_bob.get(f"/api/deals/{deal}/").json()["day"] == "2026-03-01"
    assert as_bob.post(f"/api/deals/{deal}/games/").status_code == 201


def test_what_is_no_deal_is_not_found(as_alice: Api) -> None:
    assert refusal(as_alice.get("/api/deals/000000000000/")) == (404, "unknown_deal")
    assert refusal(as_alice.post("/api/deals/000000000000/games/")) == (404, "unknown_deal")
