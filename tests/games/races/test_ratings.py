"""Races that have ended are rated once, in the order of their ends, and again when who counts has changed."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from games.calendar.models import Deal
from games.personal_data.erasure import erase_player
from games.play.models import Game
from games.players.models import Player
from games.races import course, ratings, rooms
from games.races.models import Race, Racer, Rating, RatingChange, UnratedRace
from games.races.ratings import rate_races, reconsider
from games.races.rooms import Terms
from leaderboards.boards.decisions import lift_ban, set_ban
from leaderboards.boards.models import Decision, EntryState
from leaderboards.moderation.traces import forget_old_traces, remember
from tests.games.api import Api, refusal
from tests.games.races.conftest import game_of
from tests.games.ways_to_play import resign, take_action

pytestmark = pytest.mark.django_db(transaction=True)

OPEN = Terms(rules="relaxed", limit_s=300, countdown_s=0, is_public=True, admits_bots=True)


@pytest.fixture
def people() -> list[Player]:
    """Five people."""
    return [Player.objects.create(username=f"racer-{number}") for number in range(5)]


def ended(
    racers: Sequence[Player], at: datetime, rules: str = "relaxed", *, is_public: bool = True, idle: int = 0
) -> Race:
    """Return a race that has ended, as `played` stored it, and is to be rated."""
    race = played(racers, at, rules, is_public=is_public, idle=idle)
    course.advance([race.pk], at)
    return Race.objects.get(pk=race.pk)


def played(
    racers: Sequence[Player], at: datetime, rules: str = "relaxed", *, is_public: bool = True, idle: int = 0
) -> Race:
    """Store a race whose games have ended, its racers in this order, the last `idle` without a move."""
    deal = Deal.objects.create(rules=rules, deck="", created_at=at, is_winnable=True)
    race = Race.objects.create(
        deal=deal, tie_break="time", limit_s=300, countdown_s=0, is_public=is_public, admits_bots=True, created_at=at
    )
    common: dict[str, Any] = {
        "deal": deal,
        "status": "resigned",
        "hints": 0,
        "draws": 0,
        "recycles": 0,
        "undos": 0,
        "elapsed_ms": 1000,
    }
    common |= dict.fromkeys(("created_at", "started_at", "finished_at"), at)
    moved = len(racers) - idle
    games = Game.objects.bulk_create(
        Game(player=player, cards_left=place, moves=3 if place <= moved else 0, **common)
        for place, player in enumerate(racers, 1)
    )
    Racer.objects.bulk_create(Racer(race=race, player=game.player, joined_at=at, game=game) for game in games)
    race.starts_at = race.begun_at = at
    race.save()
    return race


def begun(people: Sequence[Player], now: datetime) -> Race:
    """Return a public race that has begun, with the first of these people as its host."""
    race = rooms.create_race(people[0], OPEN, now)
    for player in people[1:]:
        rooms.join(race.pk, player, "", now)
    rooms.start(race.pk, people[0], now)
    course.advance([race.pk], now)
    return race


def _is_rated(race: Race) -> tuple[bool, bool]:
    """Return what the endpoints of a race and of past races say."""
    past = Api().get("/api/races/?when=past").json()["races"]
    own: bool = Api().get(f"/api/races/{race.pk}/").json()["is_rated"]
    return own, next(one["is_rated"] for one in past if one["id"] == race.pk)


def all_ratings() -> list[tuple[object, ...]]:
    """Return everything that is stored of ratings."""
    changes = RatingChange.objects.order_by("racer").values_list("racer", "races", "mean_before", "mean", "deviation")
    ratings = Rating.objects.order_by("player", "family").values_list("player", "family", "mean", "deviation", "races")
    return [*changes, *ratings]


def test_a_public_race_of_four_people_is_rated(people: list[Player], now: datetime) -> None:
    race = ended(people[:4], now)
    assert rate_races(now) == 1
    body = Api(people[0]).get(f"/api/races/{race.pk}/").json()
    assert body["is_rated"] is True
    first, *_, last = (racer["rating"] for racer in body["racers"])
    assert first["change"] == first["rating"] - 1500 > 0 > last["change"] == last["rating"] - 1500
    assert first["is_provisional"] is True
    assert 900 < first["uncertainty"] < 1000
    [own] = Api(people[0]).get("/api/players/me/statistics/").json()["ratings"]
    assert own == {
        "family": "thirteen",
        "rating": first["rating"],
        "uncertainty": first["uncertainty"],
        "races": 1,
        "is_provisional": True,
        "course": [first["rating"]],
    }


@pytest.mark.parametrize(("racers", "is_public"), [(3, True), (5, False)])
def test_other_races_are_not(people: list[Player], now: datetime, racers: int, is_public: bool) -> None:
    race = ended(people[:racers], now, is_public=is_public)
    rate_races(now)
    assert all_ratings() == []
    assert not race.racers.filter(is_rated=True).exists()
    assert Api(people[0]).get(f"/api/races/{race.pk}/").json()["is_rated"] is False
    assert not UnratedRace.objects.exists()


def test_people_and_bots_are_rated_among_themselves(people: list[Player], now: datetime) -> None:
    bots = [Player.objects.create(username=f"bot-{number}", is_bot=True) for number in range(4)]
    ended([bots[0], *people[:4]], now)
    rate_races(now)
    assert not Rating.objects.filter(player__is_bot=True).exists()
    alone = list(RatingChange.objects.order_by("racer").values_list("mean", flat=True))
    ended([*bots, *people[:3]], now + timedelta(minutes=1))
    rate_races(now)
    assert (
        list(RatingChange.objects.filter(player__is_bot=False).values_list("mean", flat=True).order_by("racer"))
        == alone
    )
    assert Rating.objects.filter(player__is_bot=True).count() == 4


def test_an_account_that_is_deleted_in_mid_race_is_not_rated(people: list[Player], now: datetime, room: Race) -> None:
    race = begun(people, now)
    erase_player(people[4], "they asked for it", None, now)
    for player in people[:4]:
        take_action(game_of(race, player), "D", 0, now)
        resign(game_of(race, player), 1, now)
    course.advance([race.pk], now)
    assert rate_races(now) == 1
    assert set(Rating.objects.values_list("player", flat=True)) == {player.pk for player in people[:4]}


def test_rating_again_and_again_changes_nothing(people: list[Player], now: datetime) -> None:
    ended(people, now)
    assert rate_races(now) == 1
    before = all_ratings()
    assert rate_races(now) == 0
    course.advance_all(now)
    assert rate_races(now) == 0
    assert all_ratings() == before


def test_races_and_cups_go_on_between_the_ratings_of_a_whole_round(
    people: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "TOGETHER", 1)
    for minute in range(3):
        ended(people, now + timedelta(minutes=minute))
    assert [rate_races(now) for _ in range(4)] == [1, 1, 1, 0]


def test_races_that_end_together_are_rated_by_their_ids_and_each_once(
    people: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "TOGETHER", 1)
    first, second = played(people, now - timedelta(minutes=1)).pk, ""
    while second < first:
        second = played(people, now).pk
    course.advance([first, second], now)
    assert [rate_races(now) for _ in range(3)] == [1, 1, 0]  # the second does not put back the first
    changes = RatingChange.objects.filter(player=people[0]).order_by("races")
    assert list(changes.values_list("racer__race", flat=True)) == [first, second]


@pytest.mark.servers  # SQLite has one writer at a time anyway
def test_two_workers_rate_each_race_once(people: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "TOGETHER", 4)
    for minute in range(8):
        ended(people, now + timedelta(minutes=minute))

    def work(_: int) -> int:
        try:
            return rate_races(now)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(work, range(2))) == 8
    assert set(Rating.objects.values_list("races", flat=True)) == {8}


def test_ratings_follow_from_the_results_in_the_order_of_ends(people: list[Player], now: datetime) -> None:
    """In whatever order the races are found, whatever bans come meanwhile, and however often they are computed."""
    random = Random(7)
    minutes = list(range(8))
    random.shuffle(minutes)
    for minute in minutes:
        racers = random.sample(people, random.choice([4, 5]))
        ended(racers, now + timedelta(minutes=minute), random.choice(["relaxed", "standard", "cheops"]))
        if random.random() < 0.5:
            rate_races(now)
        if random.random() < 0.3:
            set_ban(people[0], now)
        elif random.random() < 0.5:
            lift_ban(people[0])
    while rate_races(now):
        pass
    stepwise, out = all_ratings(), StringIO()
    call_command("rate_races", stdout=out)
    assert out.getvalue() == "Rated 8 races.\n"
    assert all_ratings() == stepwise


def test_a_ban_has_the_races_of_a_player_rated_without_them(people: list[Player], now: datetime) -> None:
    first = ended(people, now)
    second = ended(people[:4], now + timedelta(minutes=1))
    assert _is_rated(second) == (True, True)
    later = ended(people[1:], now + timedelta(minutes=2))
    rate_races(now)
    before = all_ratings()
    set_ban(people[0], now)
    assert rate_races(now) == 3
    assert not Rating.objects.filter(player=people[0]).exists()
    assert RatingChange.objects.filter(racer__race=first).count() == 4
    assert set(Rating.objects.values_list("races", flat=True)) == {2}
    assert RatingChange.objects.get(racer__race=later, player=people[1]).races == 2
    assert [_is_rated(race) for race in (first, second, later)] == [(True, True), (False, False), (True, True)]
    lift_ban(people[0])
    rate_races(now)
    assert all_ratings() == before


def test_a_ban_of_someone_who_never_raced_has_nothing_rated_again(
    people: list[Player], mallory: Player, now: datetime
) -> None:
    ended(people, now)
    rate_races(now)
    set_ban(mallory, now)
    assert rate_races(now) == 0


def test_a_decision_looks_at_those_races_only_that_count_differently_now(
    people: list[Player], now: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    alice = people[0]
    for minutes in range(6):
        ended(people[:4], now + timedelta(minutes=minutes))
    rate_races(now)
    with django_assert_num_queries(1):
        reconsider({alice.pk})
    assert not UnratedRace.objects.exists()
    game = Game.objects.filter(player=alice).order_by("-finished_at")[0]
    Decision.objects.create(game=game, state=EntryState.DISQUALIFIED, reason="a bot", at=now)
    reconsider({alice.pk})
    assert [row.race_id for row in UnratedRace.objects.all()] == [Race.objects.get(racers__game=game).pk]


def test_a_closed_account_has_no_rating_and_others_keep_theirs(people: list[Player], now: datetime) -> None:
    ended(people, now)
    rate_races(now)
    theirs = Rating.objects.get(player=people[1]).mean
    erase_player(people[0], "they asked for it", None, now)
    call_command("rate_races", stdout=StringIO())
    assert not Rating.objects.filter(player=people[0]).exists()
    assert Rating.objects.get(player=people[1]).mean == theirs


def test_the_table_lists_those_whose_rating_is_not_provisional(people: list[Player], now: datetime) -> None:
    for minute in range(10):
        ended(people[: 5 if minute else 4], now + timedelta(minutes=minute))
    rate_races(now)
    table = Api().get("/api/ratings/").json()
    assert (table["family"], table["of"]) == ("thirteen", "people")
    assert [(row["place"], row["player"]["handle"]) for row in table["rows"]] == [
        (place, f"racer-{place - 1}") for place in range(1, 5)
    ]
    assert {row["rating"]["races"] for row in table["rows"]} == {10}
    assert Api().get("/api/ratings/?of=bots").json()["rows"] == []
    assert len(Api().get("/api/ratings/?limit=2").json()["rows"]) == 2
    set_ban(people[0], now)
    rate_races(now)
    assert Api().get("/api/ratings/").json()["rows"] == []  # without them, nine races were rated
    assert refusal(Api().get("/api/ratings/?family=bridge"))[0] == 400


# The people behind racers


def guests(number: int) -> list[Player]:
    return [Player.objects.create(username=f"guest-{place}", is_guest=True) for place in range(number)]


def share_a_tablet(now: datetime, *players: Player) -> None:
    for player in players:
        remember([(player.pk, "", "one tablet")], now)


def test_three_guests_who_leave_at_once_win_nobody_a_rating(people: list[Player], now: datetime) -> None:
    race = ended([people[0], *guests(3)], now)
    rate_races(now)
    assert all_ratings() == []
    assert Api(people[0]).get(f"/api/races/{race.pk}/").json()["is_rated"] is False
    ended([*people[:4], *Player.objects.filter(is_guest=True)], now + timedelta(minutes=1))
    rate_races(now)
    assert set(Rating.objects.values_list("player", flat=True)) == {player.pk for player in people[:4]}


def test_linked_accounts_count_as_one_and_the_bots_of_an_owner_as_their_owner(
    people: list[Player], now: datetime
) -> None:
    share_a_tablet(now, *people[1:3])
    ended(people[:4], now)
    owner = people[4]
    bots = [Player.objects.create(username=f"bot-{place}", is_bot=True, owner=owner) for place in range(4)]
    ended(bots, now + timedelta(minutes=1))
    rate_races(now)
    assert all_ratings() == []


def test_races_that_end_together_are_compared_as_if_each_ended_alone(people: list[Player], now: datetime) -> None:
    link, other = (Player.objects.create(username=name) for name in ("link", "other"))
    remember([(people[0].pk, "", "one tablet"), (link.pk, "", "one tablet")], now)
    remember([(people[1].pk, "", "another one"), (link.pk, "", "another one")], now)
    fields = [[*people[:4]], [people[0], link, people[2], people[3], people[4]], [people[4], other, *people[2:4]]]

    def marks(races: Sequence[Race]) -> list[tuple[object, ...]]:
        racers = Racer.objects.filter(race__in=races).order_by("pk")
        return list(racers.values_list("player", "place", "is_rated", "is_rival", "person"))

    together = [played(field, now) for field in fields]
    with CaptureQueriesContext(connection) as queries:
        course.advance([race.pk for race in together], now)
    alone = []
    for month, field in enumerate(fields, 1):  # by then nobody counts as met
        later = now + timedelta(days=30 * month)
        alone.append(played(field, later))
        with CaptureQueriesContext(connection) as queries_of_one:
            course.advance([alone[-1].pk], later)
        assert len(queries) == len(queries_of_one)
    assert marks(together) == marks(alone)
    rated = Racer.objects.filter(race__in=together, is_rated=True).values_list("race", flat=True).distinct()
    assert set(rated) == {race.pk for race in together}
    assert Racer.objects.get(race=together[1], player=link).person == people[0].pk


def test_the_second_account_of_a_person_changes_no_rating_but_its_own(people: list[Player], now: datetime) -> None:
    second = Player.objects.create(username="second")
    share_a_tablet(now, people[0], second)
    ended(people, now)
    rate_races(now)
    alone = {change.player_id: change.mean for change in RatingChange.objects.all()}
    RatingChange.objects.all().delete()
    Rating.objects.all().delete()
    ended([*people, second], now + timedelta(minutes=1))
    rate_races(now)
    together = dict(Rating.objects.values_list("player", "mean"))
    assert together.pop(second.pk) < 1500
    assert together == alone


def test_who_never_moved_loses_alone_and_cannot_choose_whether_a_race_counts(
    people: list[Player], now: datetime
) -> None:
    race = ended(people[:4], now, idle=3)  # nobody is there to be compared with
    rate_races(now)
    assert all_ratings() == []
    assert Api(people[0]).get(f"/api/races/{race.pk}/").json()["is_rated"] is False
    race = ended(people[:4], now + timedelta(minutes=1), idle=1)
    assert Api(people[0]).get(f"/api/races/{race.pk}/").json()["is_rated"] is True
    rate_races(now)
    with_idle = dict(Rating.objects.values_list("player", "mean"))
    assert with_idle.pop(people[3].pk) < 1500
    assert round(sum(with_idle.values())) == 3 * 1500  # they gained nothing from the one who never moved


def test_who_never_moved_is_rated_as_the_last_although_placed_before_those_who_only_drew(
    people: list[Player], now: datetime, room: Race
) -> None:
    race = begun(people[:4], now)
    for seconds, player in enumerate(people[:3], 1):
        take_action(game_of(race, player), "D", 0, now + timedelta(seconds=seconds))
    end = now + timedelta(seconds=OPEN.limit_s)
    course.advance([race.pk], end)
    rate_races(end)
    assert race.racers.get(place=1).player == people[3]
    means = dict(Rating.objects.values_list("player", "mean"))
    assert means[people[3].pk] == min(means.values()) < 1500


def test_a_racer_who_is_deleted_in_mid_race_does_not_make_it_count_for_nothing(
    people: list[Player], now: datetime, room: Race
) -> None:
    race = begun(people[:4], now)
    erase_player(people[3], "the others are losing", None, now)
    for player in people[:3]:
        take_action(game_of(race, player), "D", 0, now)
        resign(game_of(race, player), 1, now)
    course.advance([race.pk], now)
    rate_races(now)
    assert set(Rating.objects.values_list("player", flat=True)) == {player.pk for player in people[:3]}


def test_rivals_who_come_with_a_new_account_each_time_are_known(people: list[Player], now: datetime) -> None:
    def gains(winner: Player, *, are_new: bool) -> list[float]:
        rivals = people[1:4]
        for minute in range(4):
            if are_new:
                rivals = [Player.objects.create(username=f"new-{minute}-{network}") for network in range(3)]
                for network, rival in enumerate(rivals):
                    remember([(rival.pk, f"192.0.2.{network}", "")], now)
            at = now + timedelta(minutes=minute)
            ended([winner, *rivals], at)
            rate_races(at)
            for rival in rivals if are_new else ():
                erase_player(rival, "not needed any more", None, at)
        changes = RatingChange.objects.filter(player=winner).order_by("races")
        return [change.mean - change.mean_before for change in changes]

    new, same = gains(people[4], are_new=True), gains(people[0], are_new=False)
    assert new[3] < new[0] / 2
    assert new[1:] <= [1.2 * gain for gain in same[1:]]
    assert forget_old_traces(now + timedelta(days=7, seconds=-1)) == 0
    assert forget_old_traces(now + timedelta(days=7, minutes=4)) == 12


def test_the_same_rivals_again_and_again_count_less(people: list[Player], now: datetime) -> None:
    for minute in range(10):
        ended(people[:4], now + timedelta(minutes=minute))
    rate_races(now)
    changes = RatingChange.objects.filter(player=people[0]).order_by("races")
    gains = [change.mean - change.mean_before for change in changes]
    assert gains == sorted(gains, reverse=True)
    assert gains[3] < gains[0] / 2
    ended(people[:4], now + timedelta(days=8))
    rate_races(now)
    newest = RatingChange.objects.filter(player=people[0]).latest("races")
    assert newest.mean - newest.mean_before > gains[-1]
