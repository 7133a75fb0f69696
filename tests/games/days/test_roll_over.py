"""Days begin and end to the millisecond, also on a leap day and at a year's end."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
import time_machine

from games.calendar.models import DailyDeal
from games.deals.daily import Division
from games.play.models import Game
from games.play.sessions import expire_overdue
from tests.calendar import prepared_dailies
from tests.games.api import Api, refusal

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

DAY, MILLISECOND = timedelta(days=1), timedelta(milliseconds=1)
LEAP, NEW_YEAR = date(2028, 2, 29), date(2026, 12, 31)
AROUND = pytest.mark.parametrize("offset", [-MILLISECOND, timedelta()], ids=["-1ms", "0"])


@pytest.fixture(params=[LEAP, NEW_YEAR], ids=str)
def now(request: pytest.FixtureRequest) -> datetime:
    """The time at first: the noon before the day in question."""
    return datetime.combine(request.param - DAY, time(12), UTC)


@pytest.fixture
def daily(db: None, now: datetime) -> DailyDeal:
    """The guests' deal of the day; that of `main` and those of the days around it are there, too."""
    prepared_dailies(now, days_ahead=2)
    return DailyDeal.objects.get(day=now.date() + DAY, division=Division.OPEN)


def attempt_at(api: Api, clock: time_machine.Traveller, moment: datetime) -> tuple[str, str]:
    """Start the ranked attempt of a moment and return its id and its day."""
    clock.move_to(moment)
    game = api.start("daily", "standard")
    return game, api.get(f"/api/games/{game}/").json()["day"]


@AROUND
def test_an_attempt_belongs_to_the_day_that_is_open_when_it_starts(
    as_alice: Api, clock: time_machine.Traveller, daily: DailyDeal, offset: timedelta
) -> None:
    for boundary, day_before in ((daily.key.opens_at, daily.day - DAY), (daily.key.closes_at, daily.day)):
        _, day = attempt_at(as_alice, clock, boundary + offset)
        assert day == str(day_before if offset < timedelta() else day_before + DAY)


@AROUND
def test_an_attempt_that_has_started_goes_on_through_the_close(
    as_alice: Api, clock: time_machine.Traveller, daily: DailyDeal, offset: timedelta
) -> None:
    game, _ = attempt_at(as_alice, clock, daily.key.closes_at - DAY / 2)
    as_alice.state(game)
    clock.move_to(daily.key.closes_at + offset)
    assert as_alice.act(game, 0, "D").json()["version"] == 1
    assert as_alice.get(f"/api/games/{game}/").json()["day"] == str(daily.day)


@AROUND
def test_an_attempt_may_first_be_looked_at_after_the_close(
    as_alice: Api, clock: time_machine.Traveller, daily: DailyDeal, offset: timedelta
) -> None:
    game, _ = attempt_at(as_alice, clock, daily.key.closes_at - MILLISECOND)
    clock.move_to(daily.key.closes_at + offset)
    assert as_alice.state(game)["elapsed_ms"] == 0


@AROUND
@pytest.mark.parametrize(
    ("now", "ending"),
    [(LEAP, "resign"), (NEW_YEAR, "look"), (LEAP, "worker"), (NEW_YEAR, "action")],
    indirect=["now"],
    ids=str,
)
def test_the_grace_time_ends_to_the_millisecond_whoever_looks_first(
    as_alice: Api, clock: time_machine.Traveller, daily: DailyDeal, offset: timedelta, ending: str
) -> None:
    game, _ = attempt_at(as_alice, clock, daily.key.closes_at - MILLISECOND)
    as_alice.state(game)
    as_alice.act(game, 0, "D")
    now, is_over = daily.key.finish_by + offset, offset >= timedelta()
    clock.move_to(now)
    match ending:
        case "action":
            response = as_alice.act(game, 1, "D")
            assert (refusal(response) == (409, "game_over")) if is_over else response.status_code == 200
        case "resign":
            response = as_alice.resign(game, 1)
            assert (refusal(response) == (409, "game_over")) if is_over else response.status_code == 200
        case "look":
            assert as_alice.state(game)["result"] == ("expired" if is_over else "*")
        case _:
            assert expire_overdue(now) == is_over
    row = Game.objects.get(pk=game)
    if is_over:
        assert (row.status, row.moves, row.elapsed_ms, row.finished_at) == ("expired", 1, 0, now)
    else:
        assert row.status == ("resigned" if ending == "resign" else "playing")


@AROUND
def test_what_is_secret_until_the_grace_time_ends_is_told_from_then_on(
    as_alice: Api, anyone: Api, clock: time_machine.Traveller, daily: DailyDeal, offset: timedelta
) -> None:
    game, _ = attempt_at(as_alice, clock, daily.key.opens_at)
    as_alice.resign(game)
    clock.move_to(daily.key.finish_by + offset)
    is_told = offset >= timedelta()
    dailies = anyone.get(f"/api/daily/{daily.day}/").json()["dailies"]
    assert len(dailies) == len(Division)
    for told in dailies:
        assert (told["reveal"] is not None) is is_told
        assert told["state"] == ("provisional" if is_told else "closing")
    assert ("??" not in as_alice.get(f"/api/games/{game}/record/").json()["record"]) is is_told
    for address in (f"games/{game}/", f"games/{game}/record/", f"deals/{daily.deal_id}/"):
        assert (anyone.get(f"/api/{address}").status_code == 200) is is_told, address
    assert (as_alice.get(f"/api/games/{game}/analysis/").status_code == 202) is is_told


@AROUND
def test_the_day_after_opens_as_this_one_closes(
    anyone: Api, clock: time_machine.Traveller, daily: DailyDeal, offset: timedelta
) -> None:
    clock.move_to(daily.key.closes_at + offset)
    today = anyone.get("/api/daily/").json()
    assert today["day"] == str(daily.day + (timedelta() if offset < timedelta() else DAY))
    assert [told["state"] for told in today["dailies"]] == ["open"] * len(Division)
    for day, before, after in ((daily.day, "open", "closing"), (daily.day + DAY, "committed", "open")):
        dailies = anyone.get(f"/api/daily/{day}/").json()["dailies"]
        state = before if offset < timedelta() else after
        assert [told["state"] for told in dailies] == [state] * len(Division)
