"""The programme of daily deals: checked at startup, and never changed for days already committed to."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal, SetProgramme
from games.calendar.programme import programme_on, scheduled
from games.deals.grading import Grade, grade_of
from games.deals.programme import DEFAULT, Programme, ProgrammeError, Weekday
from games.players.models import Player
from games.rules import RULE_SETS, Deck

MONDAY = date(2026, 3, 2)


def programme(*slots: dict[str, Any]) -> Programme:
    return Programme.from_data({"slots": list(slots)})


def asked(asked_for: Programme, day: date) -> list[tuple[str, str, Grade | None]]:
    return [(deal.key.rules, deal.key.division, deal.grade) for deal in asked_for.on(day)]


def test_the_default_is_standard_harder_towards_the_weekend_with_a_variant_of_the_week() -> None:
    grades = []
    for ahead in range(7):
        deals = list(DEFAULT.on(MONDAY + timedelta(days=ahead)))
        grades.append({deal.grade for deal in deals if deal.key.rules == "standard"})
        assert {deal.key.division for deal in deals} == {"main", "open"}
    assert grades == [{Grade.EASY}] * 2 + [{Grade.MEDIUM}] * 3 + [{Grade.HARD}] * 2


def test_the_variant_changes_on_mondays_and_all_ten_have_their_turn() -> None:
    weeks = [
        {deal.key.rules for ahead in range(6) for deal in DEFAULT.on(MONDAY + timedelta(days=7 * week + ahead))}
        for week in range(10)
    ]
    variants = [(week - {"standard"}).pop() for week in weeks]
    assert all(len(week) == 2 for week in weeks)
    assert len(set(variants)) == 10
    assert all(RULE_SETS[slug].decks == 1 for slug in variants)


def test_a_grade_may_hold_for_all_days_or_for_some() -> None:
    always = programme({"rules": "standard", "grade": "hard", "divisions": ["open"]})
    assert asked(always, MONDAY) == [("standard", "open", Grade.HARD)]
    sometimes = programme({"rules": "Standard", "grade": {"tue": "easy"}, "divisions": ["open"]})
    assert asked(sometimes, MONDAY) == [("standard", "open", None)]
    assert asked(sometimes, MONDAY + timedelta(days=1)) == [("standard", "open", Grade.EASY)]


def test_a_slot_is_there_on_its_days_only_and_under_its_policy() -> None:
    weekends = programme({"rules": "giza", "days": ["sat", "sun"], "policy": {"attempts": 3}})
    assert asked(weekends, MONDAY) == []
    assert [deal.policy.attempts for deal in weekends.on(MONDAY - timedelta(days=1))] == [3, 3]


@pytest.mark.parametrize(
    ("slots", "code"),
    [
        ([{"rules": "klondike"}], "unknown_rule_set"),
        ([{"rules": ["standard", "klondike"]}], "unknown_rule_set"),
        ([{"rules": "two-pyramids", "grade": "hard"}], "not_certifiable"),
        ([{"rules": ["giza", "double-pyramid"], "grade": {"mon": "hard"}}], "not_certifiable"),
        ([{"rules": "standard"}, {"rules": ["giza", "Standard"], "days": ["sun"]}], "two_slots"),
        ([{"rules": "standard", "beacon": "mallorynet"}], "unknown_beacon"),
        ([{"rules": ["standard", "cell"], "beacon": "quicknet"}], "too_slow_for_beacon"),
        ([{"rules": "dark-pyramid", "grade": "easy", "beacon": "quicknet"}], "too_slow_for_beacon"),
        ([{"rules": "standard", "policy": {"attempts": 0}}], "malformed_policy"),
        ([{"rules": "standard", "days": ["sat"], "grade": {"sun": "easy"}}], "malformed_programme"),
        ([{"rules": []}], "malformed_programme"),
        ([{"rules": "standard", "days": []}], "malformed_programme"),
        ([{"rules": "standard", "days": ["funday"]}], "malformed_programme"),
        ([{"rules": "standard", "grade": "impossible"}], "malformed_programme"),
        ([{"rules": "standard", "divisions": ["third"]}], "malformed_programme"),
        ([{"rules": "standard", "colour": "red"}], "malformed_programme"),
        ([{}], "malformed_programme"),
        ("standard", "malformed_programme"),
    ],
)
def test_a_programme_that_cannot_be_is_refused_with_a_code(slots: Any, code: str) -> None:
    with pytest.raises(ProgrammeError) as refusal:
        Programme.from_data({"slots": slots})
    assert refusal.value.code == code


def test_two_slots_of_one_rule_set_may_share_it_by_day_or_division() -> None:
    programme({"rules": "standard", "days": ["sat"]}, {"rules": "standard", "days": ["sun"]})
    programme({"rules": "standard", "divisions": ["main"]}, {"rules": "standard", "divisions": ["open"]})


def test_deals_are_chosen_by_the_grade_of_their_day(db: None, now: datetime, settings: Settings) -> None:
    settings.PYRAMID_PROGRAMME = {
        "slots": [{"rules": "standard", "divisions": ["open"], "grade": {"sun": "hard", "mon": "easy"}}]
    }
    ensure_dailies(now)
    grades = {daily.day: (daily.grade, daily.deal) for daily in DailyDeal.objects.select_related("deal")}
    for day, grade in ((now.date(), Grade.HARD), (MONDAY, Grade.EASY)):
        chosen, deal = grades[day]
        assert chosen == grade_of(Deck.from_text(deal.deck), deal.rule_set) == grade
    assert grades[MONDAY + timedelta(days=1)][0] is None


def test_an_operator_changes_the_days_that_are_not_committed_to(
    client: Client, staff: Player, now: datetime, dailies: None
) -> None:
    client.force_login(staff)
    slots = '[{"rules": "giza"}]'
    late, early = now.date() + timedelta(days=8), now.date() + timedelta(days=7)
    refused = client.post("/admin/games/setprogramme/add/", {"valid_from": str(early), "slots": slots})
    assert f"days up to {early} are committed to" in refused.content.decode()
    wrong = client.post("/admin/games/setprogramme/add/", {"valid_from": str(late), "slots": '[{"rules": "klondike"}]'})
    assert "no rule set is called" in wrong.content.decode()
    assert not SetProgramme.objects.exists()
    client.post("/admin/games/setprogramme/add/", {"valid_from": str(late), "slots": slots})
    assert SetProgramme.objects.get().made_by == staff
    assert {deal.key.rules for deal in scheduled(early, 1)} == {"standard"}
    assert {deal.key.rules for deal in scheduled(late, 3)} == {"giza"}
    assert client.post(f"/admin/games/setprogramme/{SetProgramme.objects.get().pk}/delete/").status_code == 403


def test_the_newest_programme_that_has_begun_is_the_one(db: None, now: datetime) -> None:
    for ahead, rules in ((1, "giza"), (5, "relaxed")):
        SetProgramme.objects.create(valid_from=now.date() + timedelta(days=ahead), slots=[{"rules": rules}])
    names = [programme_on(now.date() + timedelta(days=ahead)).slots[0].rules for ahead in (0, 1, 4, 5, 99)]
    assert names == ["standard", "giza", "giza", "relaxed", "relaxed"]
    with pytest.raises(ValidationError):
        SetProgramme(valid_from=now.date(), slots="standard").full_clean()


def test_anyone_reads_the_programme(db: None, settings: Settings) -> None:
    settings.PYRAMID_DAILY_RULE_SETS = []
    said = APIClient().get("/api/programme/").json()
    standard = said["slots"][0]
    assert (standard["rules"], standard["grades"]["sun"], len(standard["days"])) == (["standard"], "hard", 7)
    assert len({deal["day"] for deal in said["dailies"]}) == 14
    assert {"day", "rules", "division", "grade"} == set(said["dailies"][0])


def test_a_weekday_is_one_of_seven() -> None:
    assert [day.value for day in Weekday] == ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
