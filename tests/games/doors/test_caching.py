"""An answer is kept no longer than it is true."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db.models import F
from hypothesis import given
from hypothesis import strategies as st

from games.calendar.certificates import certify_deals
from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal, Deal
from games.deals.daily import DailyKey
from tests.games.api import Api
from tests.games.days.test_rest import BOUNDARIES, CLOSES, FINAL, FINISH_BY, MILLISECOND, OPENS
from tests.guards import guards_dropped

pytestmark = [pytest.mark.usefixtures("dailies"), pytest.mark.usefixtures("clock")]
SECOND = timedelta(seconds=1)
DAY = "/api/daily/2026-03-01/"
CACHEABLE = ["/api/daily/", DAY, "/api/daily/2026-03-04/", "/api/daily/2026-02-01/", "/api/daily/commitments/"]


def max_age(response: Any) -> int:
    found = re.search(r"max-age=(\d+)", response["Cache-Control"])
    assert found, response["Cache-Control"]
    return int(found[1])


def again(api: Api, address: str, known: Any) -> Any:
    return api.get(address, HTTP_IF_NONE_MATCH=known["ETag"])


@pytest.mark.parametrize("address", CACHEABLE)
def test_whoever_has_the_answer_gets_304_and_the_same_headers(
    anyone: Api, clock: time_machine.Traveller, address: str
) -> None:
    known = anyone.get(address)
    clock.shift(SECOND)
    unchanged = again(anyone, address, known)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    for header in ("ETag", "Cache-Control", "Vary"):
        assert unchanged[header] == known[header]
    assert {"Authorization", "Cookie"} <= set(re.split(r", *", known["Vary"]))


@pytest.mark.parametrize("tags", ['"x"', 'W/"x", "y"', "", "x", '"', "W/", "é", "*x"])
def test_another_tag_gets_the_whole_answer(anyone: Api, tags: str) -> None:
    assert anyone.get(DAY, HTTP_IF_NONE_MATCH=tags).status_code == 200


def test_tags_are_compared_weakly_and_in_lists(anyone: Api) -> None:
    tag = anyone.get(DAY)["ETag"]
    for tags in (tag.removeprefix("W/"), f'"x", {tag}', "*"):
        assert anyone.get(DAY, HTTP_IF_NONE_MATCH=tags).status_code == 304


@pytest.mark.parametrize(("boundary", "before", "after"), BOUNDARIES, ids=[state for _, _, state in BOUNDARIES])
def test_no_answer_outlives_its_state(
    anyone: Api, clock: time_machine.Traveller, boundary: datetime, before: str, after: str
) -> None:
    for left, allowed in ((timedelta(minutes=5), 60), (61 * SECOND, 60), (30 * SECOND, 30), (MILLISECOND, 0)):
        clock.move_to(boundary - left)
        assert max_age(anyone.get(DAY)) == allowed
    known = anyone.get(DAY)
    assert known.json()["dailies"][0]["state"] == before
    for moment in (boundary, boundary + MILLISECOND):
        clock.move_to(moment)
        changed = again(anyone, DAY, known)
        assert (changed.status_code, changed.json()["dailies"][0]["state"]) == (200, after)


@given(st.datetimes(datetime(2026, 2, 20), datetime(2026, 3, 10)))  # noqa: DTZ001  times without zone are asked for
def test_the_next_change_is_the_next_moment_with_another_state(moment: datetime) -> None:
    key, now = DailyKey(date(2026, 3, 1), "standard", "open"), moment.replace(tzinfo=UTC)
    change = key.next_change(now)
    if change is None:
        assert key.state(now) == "final"
    else:
        assert change > now
        assert key.state(change - timedelta(microseconds=1)) == key.state(now) != key.state(change)


def test_todays_answer_ends_with_the_day(anyone: Api, clock: time_machine.Traveller) -> None:
    clock.move_to(CLOSES - 10 * SECOND)
    known = anyone.get("/api/daily/")
    assert max_age(known) == 10
    clock.move_to(CLOSES)
    changed = again(anyone, "/api/daily/", known)
    assert (changed.status_code, changed.json()["day"]) == (200, "2026-03-02")


@pytest.mark.django_db(transaction=True)
def test_what_a_player_is_told_is_private_and_asked_for_again(as_alice: Api, anyone: Api) -> None:
    today = as_alice.get("/api/daily/")
    before = as_alice.get(DAY)
    assert today["Cache-Control"] == before["Cache-Control"] == "private, no-cache"
    assert again(as_alice, DAY, before).status_code == 304
    attempt = as_alice.start("daily", "standard")
    changed = again(as_alice, DAY, before)
    assert [daily["attempt"] for daily in changed.json()["dailies"] if daily["yours"]] == [attempt]
    assert again(anyone, DAY, changed).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_the_tag_of_alice_is_not_the_tag_of_bob_once_they_are_told_different_things(as_alice: Api, as_bob: Api) -> None:
    as_alice.start("daily", "standard")
    assert again(as_bob, DAY, as_alice.get(DAY)).status_code == 200


def test_a_final_day_is_kept_for_good_once_it_is_measured(anyone: Api, clock: time_machine.Traveller) -> None:
    clock.move_to(FINAL)
    unmeasured = anyone.get(DAY)
    assert max_age(unmeasured) == 60
    while certify_deals(FINAL):
        pass
    measured = again(anyone, DAY, unmeasured)
    assert (measured.status_code, measured["Cache-Control"]) == (200, "public, max-age=604800, immutable")
    clock.shift(timedelta(days=300))
    assert again(anyone, DAY, measured).status_code == 304


def test_a_measured_day_is_not_settled_before_it_is_final(anyone: Api, clock: time_machine.Traveller) -> None:
    while certify_deals(OPENS):
        pass
    for moment in (OPENS, FINISH_BY, FINAL - MILLISECOND):
        clock.move_to(moment)
        assert "immutable" not in anyone.get(DAY)["Cache-Control"]
    clock.move_to(FINAL)
    assert "immutable" in anyone.get(DAY)["Cache-Control"]


def test_the_tag_of_a_secret_deal_does_not_depend_on_its_secrets(anyone: Api) -> None:
    tags = [anyone.get(address)["ETag"] for address in ("/api/daily/", "/api/daily/2026-03-02/")]
    with guards_dropped():
        DailyDeal.objects.update(seed="0" * 64, candidate=F("candidate") + 1)
        Deal.objects.update(deck="", par=5, grade="hard", greedy_moves=5)
    assert [anyone.get(address)["ETag"] for address in ("/api/daily/", "/api/daily/2026-03-02/")] == tags


def test_a_day_without_deals_is_asked_for_again(anyone: Api) -> None:
    assert anyone.get("/api/daily/2026-03-09/")["Cache-Control"] == "public, no-cache"


def test_full_pages_of_commitments_are_kept_for_good_and_the_last_one_is_asked_for_again(anyone: Api) -> None:
    assert anyone.get("/api/daily/commitments/")["Cache-Control"] == "public, no-cache"
    known = anyone.get("/api/daily/commitments/")
    for days in range(8, 56, 8):
        ensure_dailies(OPENS + timedelta(days=days))
    changed = again(anyone, "/api/daily/commitments/", known)
    assert (changed.status_code, changed["Cache-Control"]) == (200, "public, max-age=604800, immutable")
    page = changed
    while page.json()["next"]:
        assert page["Cache-Control"] == "public, max-age=604800, immutable"
        page = anyone.get(page.json()["next"])
    assert page["Cache-Control"] == "public, no-cache"


def test_a_refusal_is_kept_by_nobody(anyone: Api) -> None:
    refused = anyone.get("/api/daily/today/", HTTP_IF_NONE_MATCH="*")
    assert (refused.status_code, "ETag" in refused, refused["Cache-Control"]) == (400, False, "private, no-cache")
