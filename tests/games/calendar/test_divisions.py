"""Two divisions with deals of their own; a player belongs to one of them all day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from games.accounts.guests import create_guest
from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal, DayDivision
from games.days.disclosure import disclose
from games.play.models import Game
from games.play.refusals import NoOpenDaily
from games.play.starting import start_practice, start_ranked
from games.players.models import Player
from games.rules import DRAW
from games.tlog.models import LogLeaf
from tests.calendar import prepared_dailies
from tests.games.ways_to_play import commit, open_session
from tests.guards import guards_dropped

pytestmark = pytest.mark.django_db(transaction=True)

MIDNIGHT = datetime(2026, 3, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
DAY = timedelta(days=1)
ASKS_FOR_NOTHING = {"minimum_age_days": 0, "minimum_finished_games": 0}


@pytest.fixture(autouse=True)
def _dailies(settings: Settings, now: datetime, db: None) -> None:
    settings.PYRAMID_DAILY_RULE_SETS = ["standard", "relaxed"]
    settings.PYRAMID_DAILY_POLICIES = dict.fromkeys(("standard", "relaxed"), ASKS_FOR_NOTHING)
    prepared_dailies(now)


def named(handle: str, claimed_at: datetime) -> Player:
    return Player.objects.create(username=handle, display_name=handle.title(), claimed_at=claimed_at)


def division_of(game: Game) -> str:
    assert game.daily
    return game.daily.division


def yours(reader: Player | None, now: datetime, days: int = 0) -> list[tuple[str, str]]:
    dailies = list(DailyDeal.objects.filter(day=(now + days * DAY).date()))
    return [(daily.key.rules, daily.key.division) for daily in disclose(dailies, reader, now) if daily.is_yours]


def finish_practice(player: Player, at: datetime) -> None:
    session = open_session(start_practice(player, "standard", at), at)
    for version in range(10):
        commit(session.act(DRAW, version, at))
    commit(session.resign(10, at))


def test_many_deals_are_told_with_as_many_queries_as_two(now: datetime, alice: Player) -> None:
    ensure_dailies(now + DAY)
    dailies = list(DailyDeal.objects.select_related("deal").order_by("day", "pk"))

    def queries(told: list[DailyDeal]) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert len(disclose(told, alice, now)) == len(told)
        return len(captured)

    assert len(dailies) >= 8
    assert queries(dailies) == queries(dailies[:2])


def test_each_division_has_a_deal_and_a_seed_of_its_own() -> None:
    main, other = DailyDeal.objects.filter(day=MIDNIGHT.date(), rules="standard").order_by("division")
    assert (main.division, other.division) == ("main", "open")
    assert main.seed != other.seed
    assert main.deal.deck != other.deal.deck
    assert main.commitment != other.commitment


def test_guests_play_in_open_and_accounts_with_a_name_in_main(alice: Player, now: datetime) -> None:
    carol = named("carol", MIDNIGHT - DAY)
    assert division_of(start_ranked(alice, "standard", now)) == "open"
    assert division_of(start_ranked(carol, "standard", now)) == "main"


@pytest.mark.parametrize(
    ("claimed_at", "division"),
    [(MIDNIGHT - MICROSECOND, "main"), (MIDNIGHT, "open"), (MIDNIGHT + MICROSECOND, "open")],
)
def test_an_account_has_to_be_claimed_before_the_day_opens(claimed_at: datetime, division: str, now: datetime) -> None:
    assert division_of(start_ranked(named("carol", claimed_at), "standard", now)) == division


def test_an_account_that_staff_made_has_its_name_from_the_beginning(staff: Player, now: datetime) -> None:
    staff.date_joined = MIDNIGHT - DAY
    assert division_of(start_ranked(staff, "standard", now)) == "main"


def test_the_division_of_a_day_holds_for_all_rule_sets_whatever_becomes_of_the_account(
    alice: Player, now: datetime
) -> None:
    start_ranked(alice, "standard", now)
    alice.is_guest, alice.claimed_at = False, MIDNIGHT - DAY
    alice.save()
    assert division_of(start_ranked(alice, "relaxed", now)) == "open"
    assert yours(alice, now) == [("relaxed", "open"), ("standard", "open")]
    assert division_of(start_ranked(alice, "relaxed", now + DAY)) == "main"


def test_claiming_in_the_middle_of_a_day_changes_nothing_before_the_next(alice: Player, now: datetime) -> None:
    alice.is_guest, alice.claimed_at = False, now
    alice.save()
    assert division_of(start_ranked(alice, "standard", now + timedelta(hours=1))) == "open"
    assert yours(alice, now, days=1) == [("relaxed", "main"), ("standard", "main")]
    assert division_of(start_ranked(alice, "standard", now + DAY)) == "main"


@pytest.mark.parametrize("claimed", [timedelta(), timedelta(hours=12), DAY - MICROSECOND])
def test_by_default_an_account_of_any_time_of_a_day_plays_in_main_from_the_next(
    claimed: timedelta, now: datetime
) -> None:
    with guards_dropped():
        DailyDeal.objects.update(stored_policy={})
    carol = named("carol", MIDNIGHT - DAY + claimed)
    for days in (2, 1, 1):
        finish_practice(carol, MIDNIGHT - days * DAY)
    assert yours(carol, MIDNIGHT) == [("relaxed", "open"), ("standard", "open")]
    finish_practice(carol, MIDNIGHT - 3 * DAY)
    assert yours(carol, MIDNIGHT) == [("relaxed", "main"), ("standard", "main")]
    assert division_of(start_ranked(carol, "standard", MIDNIGHT)) == "main"


@pytest.mark.parametrize(("days", "division"), [(29, "open"), (30, "main")])
def test_a_policy_may_ask_for_an_age(settings: Settings, now: datetime, days: int, division: str) -> None:
    with guards_dropped():
        DailyDeal.objects.update(stored_policy=ASKS_FOR_NOTHING | {"minimum_age_days": 30})
    assert (
        division_of(start_ranked(named("carol", MIDNIGHT - days * DAY + timedelta(hours=23)), "standard", now))
        == division
    )


def test_a_policy_may_ask_for_days_played_before_the_day(now: datetime) -> None:
    with guards_dropped():
        DailyDeal.objects.update(stored_policy=ASKS_FOR_NOTHING | {"minimum_finished_games": 2})
    carol, dave = named("carol", MIDNIGHT - DAY), named("dave", MIDNIGHT - DAY)
    for player, second in ((carol, MIDNIGHT - MICROSECOND), (dave, MIDNIGHT)):
        for at in (MIDNIGHT - DAY - timedelta(hours=1), second):
            finish_practice(player, at)
        start_practice(player, "standard", MIDNIGHT - DAY)
    assert division_of(start_ranked(carol, "standard", now)) == "main"
    assert division_of(start_ranked(dave, "standard", now)) == "open"
    assert yours(dave, now) == [("relaxed", "open"), ("standard", "open")]


def test_someone_unknown_would_play_in_open(now: datetime) -> None:
    assert yours(None, now) == [("relaxed", "open"), ("standard", "open")]


def test_rules_without_a_deal_in_the_own_division_cannot_be_played_for_rank(now: datetime) -> None:
    carol = named("carol", MIDNIGHT - DAY)
    start_ranked(carol, "standard", now)
    with guards_dropped():
        DailyDeal.objects.filter(rules="relaxed", division="main").delete()
    with pytest.raises(NoOpenDaily, match="division main"):
        start_ranked(carol, "relaxed", now)


def test_divisions_of_a_day_share_one_policy_though_they_are_made_apart(settings: Settings, now: datetime) -> None:
    with guards_dropped():
        DailyDeal.objects.filter(day=MIDNIGHT.date(), division="main").delete()
        LogLeaf.objects.filter(subject__regex=rf"\|{MIDNIGHT.date()}\|[a-z]+\|main$").delete()
    settings.PYRAMID_DAILY_POLICIES = {"standard": {"attempts": 7}}
    made = ensure_dailies(now)
    assert [(daily.division, daily.policy.attempts) for daily in made] == [("main", 1), ("main", 1)]


def test_the_database_refuses_a_second_division_of_a_day(alice: Player, now: datetime) -> None:
    start_ranked(alice, "standard", now)
    with pytest.raises(IntegrityError), transaction.atomic():
        DayDivision.objects.create(player=alice, day=now.date(), division="main")


def test_nobody_is_placed_by_asking_for_what_is_not_there(alice: Player, now: datetime) -> None:
    with pytest.raises(NoOpenDaily):
        start_ranked(alice, "giza", now)
    assert not DayDivision.objects.exists()


def test_a_guest_sees_nothing_of_main_but_its_commitment(now: datetime) -> None:
    guest = create_guest().player
    main, other = disclose(list(DailyDeal.objects.filter(day=now.date(), rules="standard")), guest, now)
    assert (main.is_yours, main.attempt, main.reveal) == (False, None, None)
    assert (other.is_yours, other.reveal) == (True, None)
    assert main.commitment != other.commitment
