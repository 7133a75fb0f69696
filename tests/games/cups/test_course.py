"""A cup runs by itself, each step once, whichever workers die on the way."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.calendar.models import Deal
from games.cups import course, rounds
from games.cups.drawing import draw
from games.cups.models import Cup, CupEntry, CupMatch, CupSeat
from games.cups.programme import announce
from games.cups.qualification import enter, enter_together, open_qualification
from games.cups.refusals import CupNotOpen, NotYourCup, UnknownCup
from games.cups.rounds import COUNTDOWN_S
from games.cups.slots import slots_from
from games.notifications import notifications
from games.notifications.models import Notification
from games.play.models import Game, Uptime
from games.players.models import Player
from games.practice.refusals import NoDealForRace
from games.races import course as races
from games.races.models import Race, Racer
from games.races.reading import past_races, public_races, races_of
from games.races.refusals import RaceFull, UnknownRace
from games.races.rooms import find_race, join, leave
from games.statistics.statistics import statistics_of
from games.statistics.tallies import count_games
from tests.games.conftest import DECK
from tests.games.cups.conftest import Entrants, game_in, games_of, play, play_on, qualify, reread, tick

pytestmark = pytest.mark.django_db(transaction=True)
SECOND = timedelta(seconds=1)


def test_a_cup_goes_from_its_qualification_to_a_final_of_four(cup: Cup, entrants: Entrants, now: datetime) -> None:
    players = entrants(9)
    now = qualify(cup, players, now)
    assert list(cup.entries.values_list("player__username", "seed", "division")) == [
        (player.username, seed, 1) for seed, player in enumerate(players, 1)
    ]
    play_on(cup, now)
    assert reread(cup).end == "completed"
    assert list(cup.entries.order_by("place").values_list("seed", flat=True)) == list(range(1, 10))
    final = cup.matches.last()
    assert final is not None
    assert [seat.entry.seed for seat in final.seats.all()] == [1, 2, 3, 4]
    # One match of three: the others go on without it.
    assert cup.matches.filter(round=0, race=None).count() == 3


def test_the_round_is_in_the_database_before_it_starts_and_its_deal_is_new(
    cup: Cup, entrants: Entrants, now: datetime
) -> None:
    now = qualify(cup, entrants(4), now)
    match = cup.matches.get()
    assert match.race is not None
    assert (match.race.starts_at, match.race.begun_at) == (now + COUNTDOWN_S * SECOND, None)
    assert not Game.objects.filter(racer__race=match.race).exists()
    assert not Game.objects.filter(deal=match.race.deal).exists()
    assert Notification.objects.filter(kind="cup_match", subject=match.race.pk).count() == 4


@pytest.mark.parametrize("dies", [False, True])
def test_players_are_told_of_their_matches_once_also_by_a_worker_after_the_one_that_died(
    cup: Cup, entrants: Entrants, now: datetime, monkeypatch: pytest.MonkeyPatch, *, dies: bool
) -> None:
    tick(now)
    players = entrants(4)
    for player in players:
        play(game_in(cup, player, now), 1, now)
    now += cup.qualify_s * SECOND
    told: list[int] = []
    monkeypatch.setattr(notifications, "tell_sockets", told.extend)
    monkeypatch.setattr(rounds, "tell_sockets", told.extend)
    with monkeypatch.context() as dying:
        if dies:
            dying.setattr(transaction, "on_commit", Mock())
        races.advance_all(now)
        while not cup.matches.exclude(race=None).exists():
            assert course.step(cup.pk, now)
    assert sorted(told) == ([] if dies else [player.pk for player in players])
    tick(now)
    tick(now + SECOND)
    assert sorted(told) == [player.pk for player in players]


def test_a_round_starts_in_as_many_statements_for_many_matches_as_for_one(
    entrants: Entrants, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    players, taken = entrants(8), []
    deals = Deal.objects.bulk_create(Deal(rules="relaxed", deck=DECK, created_at=now, is_winnable=True) for _ in "123")
    for hour, count in enumerate((4, 8)):
        at = now + timedelta(hours=hour)
        cup = Cup.objects.create(
            rules="relaxed", for_bots=False, announced_for=at, opens_at=at, qualify_s=900, limit_s=600
        )
        monkeypatch.setattr(rounds, "certified_for_races", Mock(side_effect=NoDealForRace("not yet")))
        at = qualify(cup, players[:count], at) + SECOND
        found = [deals.pop() for _ in range(count // 4)]
        monkeypatch.setattr(rounds, "certified_for_races", Mock(return_value=found))
        with CaptureQueriesContext(connection) as queries:
            course.advance_cups(at)
        assert Notification.objects.filter(kind="cup_match", at=at).count() == count
        taken.append(len(queries))
    assert taken[0] == taken[1]


def test_the_divisions_of_a_large_round_begin_one_after_the_other_and_the_entrants_of_each_at_one_moment(
    now: datetime,
) -> None:
    cup = Cup.objects.create(
        rules="relaxed", for_bots=False, announced_for=now, opens_at=now, qualify_s=900, limit_s=600
    )
    players = Player.objects.bulk_create(Player(username=f"p{i}", display_name="P") for i in range(144))
    open_qualification(cup, now)
    draw(cup, [player.pk for player in players], now)
    rounds.start_matches(cup, now)
    starts = Race.objects.filter(cup_match__cup=cup).values_list("cup_match__division", "starts_at")
    # 64, 64 and 16 entrants, of whom 500 begin in a second.
    first = now + COUNTDOWN_S * SECOND
    assert set(starts) == {(1, first), (2, first + 0.128 * SECOND), (3, first + 0.256 * SECOND)}


@pytest.mark.parametrize(("divisions", "later"), [(1, 0), (8, 0.896), (32, 3.875), (300, 3.987)])
def test_the_last_division_begins_soon_however_many_there_are(divisions: int, later: float, now: datetime) -> None:
    matches = [Mock(division=number, **{"seats.all": lambda: range(64)}) for number in range(divisions)]
    starts = [*rounds._starts_of(matches, now).values()]
    assert starts[0] == now + COUNTDOWN_S * SECOND
    assert starts[-1] == pytest.approx(starts[0] + later * SECOND, abs=timedelta(milliseconds=1))
    assert starts == sorted(starts)


def die_at(statement: int) -> Callable[..., Any]:
    """Return a wrapper of statements that fails as one of them would be carried out, and notes whether it did."""
    left = iter(range(statement))

    def run(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.split(maxsplit=1)[0] in {"INSERT", "UPDATE", "DELETE"} and next(left, None) is None:
            raise KeyboardInterrupt
        return execute(sql, *rest)

    return run


def tick_of_workers_that_die(now: datetime) -> None:
    """Let workers die at the first statement, at the second and so on, each followed by another one."""
    races.advance_all(now)
    for statement in range(1000):
        try:
            with connection.execute_wrapper(die_at(statement % 40)):
                course.advance_cups(now)
        except KeyboardInterrupt:
            continue
        return


def facts_of(cup: Cup) -> list[Any]:
    seats = CupSeat.objects.filter(match__cup=cup).order_by(
        "match__division", "match__round", "match__number", "entry__seed"
    )
    return [
        *cup.entries.values_list("player__username", "seed", "division", "place"),
        *seats.values_list("match__round", "match__number", "entry__seed", "place", "goes_on"),
    ]


def test_workers_that_die_at_any_statement_repeat_nothing_and_skip_nothing(entrants: Entrants, now: datetime) -> None:
    players, facts = entrants(6), []
    for rules, one_tick in (("relaxed", tick), ("standard", tick_of_workers_that_die)):
        cup = Cup.objects.create(
            rules=rules, for_bots=False, announced_for=now, opens_at=now, qualify_s=900, limit_s=600
        )
        begun = qualify(cup, players, now) if one_tick is tick else _qualify_with(cup, players, now)
        play_on(cup, begun, one_tick)
        facts.append(facts_of(cup))
        assert Race.objects.filter(cup_match__cup=cup).count() == cup.matches.exclude(race=None).count()
        orphans = Race.objects.filter(entry=Race.Entry.SET, cup_match=None)
        assert not orphans.exists()
        now += timedelta(days=1)
    assert facts[0] == facts[1]


def _qualify_with(cup: Cup, players: list[Player], now: datetime) -> datetime:
    tick_of_workers_that_die(now)
    for number, player in enumerate(players, 1):
        play(game_in(cup, player, now), number, now)
    tick_of_workers_that_die(after := now + cup.qualify_s * SECOND)
    return after


def test_who_is_away_forfeits_after_two_minutes_and_nobody_waits_longer(
    cup: Cup, entrants: Entrants, now: datetime
) -> None:
    begins = qualify(cup, entrants(4), now) + COUNTDOWN_S * SECOND
    tick(begins)
    one, other, *_ = games_of(cup)
    play(one, 30, begins)
    play(other, 20, begins)
    tick(begins + 119 * SECOND)
    assert not reread(cup).ended_at
    tick(begins + 120 * SECOND)
    tick(begins + 121 * SECOND)
    assert reread(cup).end == "completed"
    seats = CupSeat.objects.filter(match__cup=cup)
    assert list(seats.values_list("entry__seed", "place")) == [(1, 2), (2, 1), (3, None), (4, None)]
    assert list(cup.entries.values_list("seed", "place")) == [(1, 2), (2, 1), (3, 3), (4, 4)]


def test_the_first_attempt_counts_and_there_is_no_second(cup: Cup, alice: Player, bob: Player, now: datetime) -> None:
    with pytest.raises(CupNotOpen):
        enter(cup.pk, alice, now)
    tick(now)
    game = game_in(cup, alice, now + SECOND)
    play(game, 2, now)
    for seconds in (5, cup.qualify_s):
        assert enter(cup.pk, alice, now + seconds * SECOND) == game.pk
    with pytest.raises(CupNotOpen):
        enter(cup.pk, bob, now + cup.qualify_s * SECOND)
    assert Racer.objects.count() == 1


def test_mallory_reads_on_no_profile_how_alice_has_qualified_before_the_qualification_is_over(
    cup: Cup, alice: Player, now: datetime
) -> None:
    tick(now)
    play(game_in(cup, alice, now), 20, now)
    minute = timedelta(minutes=1)
    for at in (now + minute, now + 2 * minute):
        assert statistics_of(alice, None, at).tallies == ()
        count_games(at)
    after = now + timedelta(seconds=cup.qualify_s)
    tick(after)
    for _ in range(2):
        assert [(one.kind, one.played) for one in statistics_of(alice, None, after).tallies] == [("race", 1)]
        count_games(after + minute)


def test_of_those_who_enter_together_each_gets_one_game_or_the_reason(
    cup: Cup, alice: Player, bob: Player, mallory: Player, now: datetime
) -> None:
    tick(now)
    earlier = enter(cup.pk, alice, now)
    mallory.is_bot = True
    asked = [(cup.pk, player, now) for player in (bob, alice, mallory, bob)]
    first, known, refused, same, nowhere = enter_together([*asked, ("2x9nowhere", bob, now)])
    assert (known, same) == (earlier, first)
    assert first == Racer.objects.get(player=bob).game_id
    assert isinstance(refused, NotYourCup)
    assert isinstance(nowhere, UnknownCup)
    assert Racer.objects.count() == Game.objects.count() == 2


def test_people_and_bots_have_separate_cups(cup: Cup, alice: Player, now: datetime) -> None:
    tick(now)
    bot = Player.objects.create(username="bot", display_name="Bot", is_bot=True, owner=alice)
    with pytest.raises(NotYourCup):
        enter(cup.pk, bot, now)


def test_a_cup_that_too_few_enter_is_cancelled(cup: Cup, entrants: Entrants, now: datetime) -> None:
    qualify(cup, entrants(1), now)
    assert reread(cup).end == "too_few"


def test_a_match_is_in_no_list_of_races_and_nobody_else_gets_in_or_leaves(
    cup: Cup, entrants: Entrants, alice: Player, now: datetime
) -> None:
    players = entrants(4)
    now = qualify(cup, players, now)
    match = cup.matches.get()
    assert match.race is not None
    with pytest.raises(RaceFull):
        join(match.race.pk, alice, "", now)
    leave(match.race.pk, players[0], now)
    assert match.race.racers.count() == 4
    assert public_races() == []
    play_on(cup, now)
    assert past_races(None, 10) == []
    assert [racer.race_id for racer in races_of(players[0], None, 10)] == [match.race.pk]
    with pytest.raises(UnknownRace):
        find_race(reread(cup).qualification_id or "", players[0])


def test_a_cup_whose_server_was_down_at_its_time_is_moved_and_later_cancelled(cup: Cup, now: datetime) -> None:
    course.advance_cups(now + timedelta(minutes=5))
    moved = reread(cup)
    assert (moved.opens_at, moved.state) == (now + timedelta(minutes=15), "announced")
    assert moved.is_moved
    course.advance_cups(now + timedelta(minutes=61))
    assert reread(cup).end == "server_down"
    assert reread(cup).qualification is None


@pytest.mark.parametrize("minutes", [0, 2])
def test_a_cup_during_which_the_server_was_down_is_cancelled(
    cup: Cup, entrants: Entrants, now: datetime, minutes: int, settings: Any
) -> None:
    settings.PYRAMID_HEARTBEAT_SECONDS = 5
    begins = qualify(cup, entrants(4), now)
    back = begins + timedelta(minutes=minutes)
    Uptime.objects.create(since=now, until=begins)
    Uptime.objects.create(since=back, until=back + 9 * SECOND)
    course.advance_cups(back + SECOND)
    assert reread(cup).end == ("server_down" if minutes else "")


def test_a_cup_whose_worker_was_away_during_a_match_is_cancelled_and_leads_nobody_to_it(
    cup: Cup, entrants: Entrants, client: Client, now: datetime
) -> None:
    players = entrants(4)
    begins = qualify(cup, players, now) + COUNTDOWN_S * SECOND
    client.force_login(players[0])
    assert "To your match" in client.get(f"/cups/{cup.pk}/").content.decode()
    tick(begins + timedelta(minutes=2))
    assert reread(cup).end == "server_down"
    page = client.get(f"/cups/{cup.pk}/").content.decode()
    assert "To your match" not in page
    assert "not decided" in page


def test_a_running_match_is_one_step_from_its_cup_and_who_has_played_it_watches_it_until_it_is_decided(
    cup: Cup, entrants: Entrants, client: Client, now: datetime
) -> None:
    players = entrants(4)
    begins = qualify(cup, players, now) + COUNTDOWN_S * SECOND
    client.force_login(players[0])
    race = Race.objects.get(cup_match__cup=cup)
    assert f'href="/races/{race.pk}/">To your match' in client.get(f"/cups/{cup.pk}/").content.decode()
    tick(begins)
    own = Game.objects.get(racer__race=race, player=players[0])
    assert f'href="/games/{own.pk}/">To your match' in client.get(f"/cups/{cup.pk}/").content.decode()
    for game in games_of(cup):
        play(game, 30, begins)
        page = client.get(f"/cups/{cup.pk}/").content.decode()
        assert "To your match" not in page
        assert "Watch your match" in page
    tick(begins + 31 * SECOND)
    assert "Watch your match" not in client.get(f"/cups/{cup.pk}/").content.decode()


def test_cups_are_announced_once_for_two_days_by_any_number_of_workers(now: datetime) -> None:
    slots = slots_from(["12:00", "20:00=standard=bots"])
    for _ in range(3):
        announce(slots, now)
    assert Cup.objects.filter(for_bots=False).count() == Cup.objects.filter(for_bots=True).count() == 2
    announce(slots, now + timedelta(days=1))
    assert Cup.objects.count() == 6


@pytest.mark.parametrize("texts", [["25:00"], ["12:00=nothing"], ["12:00=standard=cats"], ["12"], ["12:00", "12:00"]])
def test_a_slot_that_makes_no_sense_is_refused(texts: list[str]) -> None:
    with pytest.raises(ValueError):
        slots_from(texts)


def test_entries_and_matches_stay_as_they_were_decided(cup: Cup, entrants: Entrants, now: datetime) -> None:
    play_on(cup, qualify(cup, entrants(4), now))
    for change in (
        lambda: CupEntry.objects.filter(seed=1).update(seed=9),
        lambda: CupSeat.objects.update(place=1),
        lambda: CupMatch.objects.update(decided_at=now),
        lambda: Cup.objects.update(ended_at=now),
        Cup.objects.get().delete,
    ):
        with pytest.raises(Exception, match=r"a step of a cup|a seed|a match|a cup that has opened"):
            change()
