from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import chain
from typing import Any

import pytest
import time_machine

from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal
from games.deals.policy import RANKED
from tests.games.api import Api, refusal

MILLISECOND = timedelta(milliseconds=1)
OPENS = datetime(2026, 3, 1, tzinfo=UTC)
CLOSES = OPENS + timedelta(days=1)
FINISH_BY = CLOSES + timedelta(minutes=30)
FINAL = FINISH_BY + timedelta(days=1)
BOUNDARIES = [
    (OPENS, "committed", "open"),
    (CLOSES, "open", "closing"),
    (FINISH_BY, "closing", "provisional"),
    (FINAL, "provisional", "final"),
]
pytestmark = [pytest.mark.usefixtures("dailies"), pytest.mark.usefixtures("clock")]


def the_day(api: Api, day: str = "2026-03-01") -> Any:
    """Return the deal of the reader's own division."""
    (daily,) = [daily for daily in api.get(f"/api/daily/{day}/").json()["dailies"] if daily["yours"]]
    return daily


def test_anyone_reads_what_is_played_today(anyone: Api) -> None:
    today = anyone.get("/api/daily/").json()
    assert (today["server_now"], today["day"]) == ("2026-03-01T12:00:00Z", "2026-03-01")
    main, daily = today["dailies"]
    assert (main["division"], main["yours"], main["attempt"], main["reveal"]) == ("main", False, None, None)
    assert daily == {
        "day": "2026-03-01",
        "rules": "standard",
        "division": "open",
        "state": "open",
        "opens_at": "2026-03-01T00:00:00Z",
        "closes_at": "2026-03-02T00:00:00Z",
        "finish_by": "2026-03-02T00:30:00Z",
        "commitment": DailyDeal.objects.get(day=date(2026, 3, 1), division="open").commitment,
        "committed_at": "2026-03-01T12:00:00Z",
        "beacon": None,
        "grade": None,
        "is_certified": True,
        "yours": True,
        "policy": RANKED.data,
        "attempt": None,
        "reveal": None,
    }
    assert the_day(anyone) == daily


@pytest.mark.parametrize(("boundary", "before", "after"), BOUNDARIES, ids=[state for _, _, state in BOUNDARIES])
def test_a_state_begins_at_its_boundary(
    anyone: Api, clock: time_machine.Traveller, boundary: datetime, before: str, after: str
) -> None:
    for moment, state in ((boundary - MILLISECOND, before), (boundary, after), (boundary + MILLISECOND, after)):
        clock.move_to(moment)
        assert the_day(anyone)["state"] == state


def test_seed_and_deck_are_told_from_finish_by_on_and_not_a_millisecond_before(
    anyone: Api, clock: time_machine.Traveller
) -> None:
    clock.move_to(FINISH_BY - MILLISECOND)
    assert the_day(anyone)["reveal"] is None
    clock.move_to(FINISH_BY)
    daily = DailyDeal.objects.get(day=date(2026, 3, 1), division="open")
    reveal = the_day(anyone)["reveal"]
    assert (reveal["seed"], reveal["candidate"], reveal["deck"]) == (daily.seed, daily.candidate, daily.deal.deck)
    assert daily.key.commitment(bytes.fromhex(daily.seed)) == the_day(anyone)["commitment"]


def test_coming_days_have_their_commitment_and_nothing_else(anyone: Api) -> None:
    daily = the_day(anyone, "2026-03-08")
    assert (daily["state"], daily["reveal"]) == ("committed", None)
    assert len(daily["commitment"]) == 64


def test_a_day_without_deals_is_empty(anyone: Api) -> None:
    for day in ("0001-01-01", "2026-03-09", "9999-12-31"):
        assert anyone.get(f"/api/daily/{day}/").json()["dailies"] == []


@pytest.mark.django_db(transaction=True)
def test_alice_finds_her_attempt_and_bob_does_not(as_alice: Api, as_bob: Api) -> None:
    game = as_alice.start("daily", "standard")
    assert the_day(as_alice)["attempt"] == game
    assert [daily["attempt"] for daily in as_alice.get("/api/daily/").json()["dailies"]] == [None, game]
    assert the_day(as_bob)["attempt"] is None


def test_at_midnight_today_is_the_next_day(anyone: Api, clock: time_machine.Traveller) -> None:
    clock.move_to(CLOSES - MILLISECOND)
    assert anyone.get("/api/daily/").json()["day"] == "2026-03-01"
    clock.move_to(CLOSES)
    assert anyone.get("/api/daily/").json()["day"] == "2026-03-02"


def test_history_has_past_days_only_whatever_is_asked_for(anyone: Api) -> None:
    assert anyone.get("/api/daily/history/").json()["dailies"] == []
    assert anyone.get("/api/daily/history/", {"before": "9999-12-31"}).json()["dailies"] == []


def test_history_is_walked_page_by_page_without_gaps_or_repetition(anyone: Api, clock: time_machine.Traveller) -> None:
    for days in (7, 14):
        ensure_dailies(OPENS + timedelta(days=days))
    clock.move_to(OPENS + timedelta(days=21, hours=1))
    pages, address = [], "/api/daily/history/"
    while address:
        page = anyone.get(address).json()
        pages.append(list(dict.fromkeys(daily["day"] for daily in page["dailies"])))
        address = page["next"]
    assert [*chain(*pages)] == [str(OPENS.date() + timedelta(days=days)) for days in range(20, -1, -1)]
    assert len(pages) == 3


def test_yesterday_is_in_the_history_before_it_may_be_told(anyone: Api, clock: time_machine.Traveller) -> None:
    clock.move_to(CLOSES)
    dailies = anyone.get("/api/daily/history/").json()["dailies"]
    assert [(daily["state"], daily["reveal"]) for daily in dailies] == [("closing", None)] * 2


@pytest.mark.parametrize("day", ["20260301", "2026-3-1", "2026-13-01", "2026-02-30", "0000-01-01", "2026-W09-7"])
def test_what_is_no_date_is_refused(anyone: Api, day: str) -> None:
    assert refusal(anyone.get(f"/api/daily/{day}/")) == (400, "invalid_request")
    response = anyone.get("/api/daily/history/", {"before": day})
    assert refusal(response) == (400, "invalid_request")
    assert list(response.json()["fields"]) == ["before"]
