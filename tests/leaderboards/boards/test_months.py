"""The calendar of days: medals, the best attempt of a day, days of rest, and grades."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client
from pytest_django import Settings

from games.calendar.models import DailyDeal
from games.days.months import Month, medal, months_of
from games.play.scores import Placement
from games.players.models import Player
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from tests.calendar import prepared_dailies
from tests.leaderboards.conftest import NOON, Finish, submit_score

TODAY = NOON.date()
FIRST = TODAY.replace(day=1)


@pytest.mark.parametrize(
    ("rank", "of", "expected"),
    [
        *((1, 1, "gold"), (2, 3, "silver"), (3, 3, "bronze"), (4, 9, "")),
        *((2, 212, "gold"), (3, 212, "silver"), (10, 212, "silver"), (11, 212, "bronze"), (21, 212, "bronze")),
        (22, 212, ""),
    ],
)
def test_medals_go_to_the_first_places_and_the_first_percents(rank: int, of: int, expected: str) -> None:
    assert medal(Placement("board", rank, of)) == expected


def marks_of(months: list[Month]) -> dict[int, str]:
    """Return what stands on the days of a calendar that have something on them."""
    cells = [cell for month in months for week in month.weeks for cell in week if cell and (cell.own or cell.is_rest)]
    return {cell.day.day: cell.medal or (f"{cell.own.cards_left} left" if cell.own else "rest") for cell in cells}


@pytest.mark.django_db(transaction=True)
def test_a_day_shows_the_best_attempt_and_a_medal_only_for_a_win(
    alice: Player, bob: Player, finish: Finish, settings: Settings
) -> None:
    settings.PYRAMID_DAILY_RULE_SETS = ["standard", "giza"]
    won = [finish(bob, moves=30, days=-1), finish(alice, moves=40, days=-1)]
    lost = [finish(alice, cards_left=left, days=days) for left, days in ((5, -2), (9, -3))]
    giza = DailyDeal.objects.get(day=TODAY - timedelta(days=3), rules="giza", division="open")
    better = finish(alice, cards_left=3, days=-3, daily=giza, deal=giza.deal)
    for game in (*won, *lost, better):
        submit_score(game, NOON)
    (month,) = shown = months_of([FIRST], TODAY, alice, rests=[date(2026, 11, 16)])
    assert marks_of(shown) == {19: "silver", 18: "5 left", 17: "3 left", 16: "rest"}
    assert (month.played, month.won) == (3, 1)
    assert marks_of(months_of([FIRST], TODAY, alice, rules="standard")) == {19: "silver", 18: "5 left", 17: "9 left"}
    assert marks_of(months_of([FIRST], TODAY, None)) == {}


def test_a_disqualified_win_is_no_day_of_the_calendar_until_it_is_reinstated(
    bob: Player, finish: Finish, settings: Settings
) -> None:
    settings.PYRAMID_DAILY_RULE_SETS = ["standard", "giza"]
    won = finish(bob, moves=30, days=-1)
    giza = DailyDeal.objects.get(day=TODAY - timedelta(days=1), rules="giza", division="open")
    lost = finish(bob, cards_left=3, days=-1, daily=giza, deal=giza.deal)
    for game in (won, lost):
        submit_score(game, NOON)
    decide(Decision(game=won, state=EntryState.DISQUALIFIED, reason="a program", at=NOON))
    (month,) = shown = months_of([FIRST], TODAY, bob)
    assert (marks_of(shown), month.won) == ({19: "3 left"}, 0)
    decide(Decision(game=won, state=EntryState.REINSTATED, reason="our mistake", at=NOON))
    (month,) = shown = months_of([FIRST], TODAY, bob)
    assert (marks_of(shown), month.won) == ({19: "gold"}, 1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_noon")
def test_the_page_shows_a_streak_over_a_day_of_rest_and_leads_back_who_looks_beyond_the_calendar(
    client: Client, alice: Player, finish: Finish
) -> None:
    prepared_dailies(NOON - timedelta(days=8))
    for ago in (*range(2, 9), 0):
        finish(alice, cards_left=7, days=-ago)
    client.force_login(alice)
    page = client.get("/days/").content.decode()
    assert '<span class="unseen">8 </span>days in a row' in page
    assert "November 19, day of rest" in page
    assert "November 20, 7 cards left" in page
    assert "8 of 9 played · 0 won" in page
    assert "October 2026" not in page  # which had no deal yet
    some = client.get("/days/?rules=giza").content.decode()  # where these days are not: a streak is of all rules
    assert "day of rest</span>" not in some.partition("legend")[0]
    assert "days in a row" not in some
    for query in ("month=2026-13", "month=x", "month=0001-01", "rules=nothing"):
        assert client.get(f"/days/?{query}")["Location"] == "/days/"
