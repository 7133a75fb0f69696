"""Places in cups are shown as long as the cup is, and count once for each person."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from games.cups.models import Cup, CupMatch, CupSeat
from games.play.models import Game
from games.players.models import Player
from games.races.models import Race, Racer
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from leaderboards.cups.counting import count_cups
from leaderboards.cups.models import CupResult
from leaderboards.cups.points import points
from leaderboards.cups.results import CupCareer, careers_in_cups, results_of
from leaderboards.moderation.traces import remember
from leaderboards.profiles.pages import SHOWN_CUPS
from tests.games.api import Api, refusal
from tests.guards import require_guarded
from tests.leaderboards.conftest import NOON, Finish, ban, named
from tests.leaderboards.cups.conftest import Play

LATER = NOON + timedelta(hours=2)


def of(*handles: str, **fields: Any) -> list[Player]:
    return [named(handle, **fields) for handle in handles]


def earned(cup: Cup) -> dict[str, int | None]:
    results = CupResult.objects.filter(entry__cup=cup).order_by("entry__seed")
    return dict(results.values_list("entry__player__username", "points"))


@given(st.integers(1, 500), st.data())
def test_a_better_rank_earns_more_and_each_halving_of_the_field_ten(persons: int, data: st.DataObject) -> None:
    rank = data.draw(st.integers(1, persons))
    assert points(rank, persons) >= points(min(rank + 1, persons), persons) >= points(persons, persons) == 1
    assert points(rank, 2 * persons) == points(rank, persons) + 10


def test_the_page_of_a_cup_shows_the_medals_of_profiles_and_no_others(alice: Player, played: Play) -> None:
    guest, banned = named("guest", is_guest=True), named("mallory")
    cup = played([alice, guest, banned, *of("p1", "p2")], of("p3", "p4"))
    by_hand = played([alice], name="Oxbow Open", code="BCDFGH")
    medal = '<i class="medal {}">'
    assert medal.format("gold") not in Client().get(f"/cups/{cup.pk}/").content.decode()
    count_cups(LATER)
    page = Client().get(f"/cups/{cup.pk}/").content.decode()
    assert [name for name in ("gold", "silver", "bronze") if medal.format(name) in page] == ["gold", "bronze"]
    Player.objects.filter(pk=banned.pk).update(banned_at=NOON)
    assert medal.format("bronze") not in Client().get(f"/cups/{cup.pk}/").content.decode()
    for other in (f"/cups/{cup.pk}/?division=2", f"/cups/{by_hand.pk}/"):
        assert "medal" not in Client().get(other).content.decode()


def test_places_points_and_medals_are_the_same_on_the_profile_and_over_rest(alice: Player, played: Play) -> None:
    others = of(*(f"p{number}" for number in range(15)))
    first, second = played([alice, *others]), played(others[:7], [others[8], alice], days=1)
    assert count_cups(LATER) == 2
    answer = Api().get("/api/players/alice/cups/").json()
    assert [
        [row[name] for name in ("cup", "division", "place", "entrants", "points", "medal")] for row in answer["places"]
    ] == [
        [second.pk, 2, 2, 2, 1, None],
        [first.pk, 1, 1, 16, 41, "gold"],
    ]
    shown = Client().get("/players/alice/").content.decode()
    assert shown.index(f'href="/cups/{second.pk}/"') < shown.index(f'href="/cups/{first.pk}/"')
    assert "place 1 of 16" in shown
    assert shown.count("medal gold") == 1
    in_german = Client().get("/players/alice/", headers={"Accept-Language": "de"}).content.decode()
    assert "Platz 1 von 16" in in_german


def test_a_players_cups_are_read_page_by_page_although_one_ends_meanwhile(
    alice: Player, bob: Player, played: Play
) -> None:
    days = [(0, "relaxed"), (1, "relaxed"), (2, "relaxed"), (2, "standard"), (3, "relaxed")]
    cups = [played([alice, bob], days=day, rules=rules).pk for day, rules in days]
    address, found = "/api/players/alice/cups/", list[str]()
    answer = Api().get(address, {"limit": 2}).json()
    played([alice, bob], days=9)
    while True:
        found += [row["cup"] for row in answer["places"]]
        if not answer["next"]:
            break
        answer = Api().get(address, {"limit": 2, "cursor": answer["next"]}).json()
    assert sorted(found) == sorted(cups)
    assert (found[0], found[-2:]) == (cups[4], cups[1::-1])
    own = Api().get(address, {"limit": 1}).json()["next"]
    for cursor in ("nonsense", own[:-1] + ("A" if own[-1] != "A" else "B")):
        assert refusal(Api().get(address, {"cursor": cursor})) == (400, "bad_cursor")
        assert Client().get("/players/alice/cups/", {"cursor": cursor}).status_code == 404
    assert refusal(Api().get("/api/players/bob/cups/", {"cursor": own})) == (400, "bad_cursor")


def test_a_profile_leads_to_the_page_with_all_cups(alice: Player, bob: Player, played: Play) -> None:
    for day in range(SHOWN_CUPS):
        played([alice, bob], days=day)
    assert "/players/alice/cups/" not in Client().get("/players/alice/").content.decode()
    first = played([alice, bob], days=-1)
    shown = Client().get("/players/alice/").content.decode()
    assert (first.pk in shown, "/players/alice/cups/" in shown) == (False, True)
    assert first.pk in Client().get("/players/alice/cups/").content.decode()
    assert "No cups yet." in Client().get(f"/players/{named('carol').username}/cups/").content.decode()


def test_a_tournament_by_hand_gives_neither_points_nor_medals(alice: Player, bob: Player, played: Play) -> None:
    played([alice, bob], name="Oxbow Open", code="BCDFGH")
    assert count_cups(LATER) == 0
    assert results_of(alice, 20).places == []


def test_a_cup_counts_once_however_many_count_it_and_is_never_changed(alice: Player, bob: Player, played: Play) -> None:
    cup = played([alice, bob])
    assert results_of(alice, 20).places[0].points is None
    assert [count_cups(LATER), count_cups(LATER)] == [1, 0]
    assert earned(cup) == {"alice": 11, "bob": 1}
    require_guarded("UPDATE leaderboards_cupresult SET points = 3", "DELETE FROM leaderboards_cupresult")


def test_accounts_of_one_person_count_as_the_better_one_and_guests_as_nobody(played: Play) -> None:
    guest, first, second, third = *of("guest", is_guest=True), *of("first", "second", "third")
    remember([(first.pk, "192.0.2.1", "device"), (second.pk, "192.0.2.2", "device")], NOON)
    cup = played([guest, first, second, third])
    count_cups(LATER)
    assert earned(cup) == {"guest": None, "first": 11, "second": None, "third": 1}
    medals = {player.username: results_of(player, 20).places[0].medal for player in (guest, first, second, third)}
    assert medals == {"guest": None, "first": "silver", "second": None, "third": None}


def test_bots_of_one_owner_are_one_person(alice: Player, bob: Player, played: Play) -> None:
    bots = [*of("one", "two", is_bot=True, owner=alice), *of("three", is_bot=True, owner=bob)]
    cup = played(bots, for_bots=True)
    count_cups(LATER)
    assert earned(cup) == {"one": 11, "two": None, "three": 1}


@pytest.mark.parametrize("fields", [{"end": "server_down"}, {"code": "234567", "name": "By hand"}], ids=str)
def test_a_cup_that_is_cancelled_or_by_hand_earns_nothing_and_is_on_no_profile(
    alice: Player, bob: Player, played: Play, fields: dict[str, str]
) -> None:
    played([alice, bob], **fields)
    assert count_cups(LATER) == 0
    assert results_of(alice, 20).places == []


def test_a_banned_player_loses_medal_and_points_and_nobody_moves_up(alice: Player, bob: Player, played: Play) -> None:
    played([alice, bob])
    count_cups(LATER)
    ban(alice, "cheated", None, LATER)
    (own,), (other,) = (results_of(player, 20).places for player in (alice, bob))
    assert (own.entry.place, own.points, own.medal) == (1, None, None)
    assert (other.entry.place, other.points, other.medal) == (2, 1, "silver")


def test_a_disqualified_game_of_a_match_takes_the_points_until_it_is_reinstated(
    alice: Player, bob: Player, finish: Finish, played: Play
) -> None:
    cup, game, (staff,) = played([alice, bob]), finish(alice, daily=None), of("staff", is_staff=True)
    count_cups(LATER)
    race = Race.objects.create(
        deal=game.deal, limit_s=600, countdown_s=5, is_public=True, admits_bots=False, created_at=NOON
    )
    CupMatch.objects.create(cup=cup, division=1, round=0, number=0, race=race)
    Racer.objects.create(race=race, player=alice, joined_at=NOON, game=game)
    for state, expected in ((EntryState.DISQUALIFIED, None), (EntryState.REINSTATED, 11)):
        decide(Decision(game=Game.objects.get(pk=game.pk), state=state, reason="looked at", by=staff, at=LATER))
        assert results_of(alice, 20).places[0].points == expected
        assert results_of(bob, 20).places[0].points == 1


def test_a_final_that_is_the_only_match_makes_no_finalist(alice: Player, bob: Player, played: Play) -> None:
    cup = played([alice, bob, *of("carol")])
    match = CupMatch.objects.create(cup=cup, division=1, round=0, number=0)
    CupSeat.objects.bulk_create(CupSeat(match=match, entry=entry) for entry in cup.entries.all())
    count_cups(LATER)
    assert careers_in_cups([alice.pk, bob.pk]) == {
        alice.pk: [CupCareer(1, 1, is_in_final=False)],
        bob.pk: [CupCareer(1, 2, is_in_final=False)],
    }


def test_of_two_matches_that_nobody_went_on_from_neither_is_the_final(alice: Player, bob: Player, played: Play) -> None:
    cup = played([alice, bob])
    for number, entry in enumerate(cup.entries.order_by("seed")):
        match = CupMatch.objects.create(cup=cup, division=1, round=1, number=number)
        CupSeat.objects.create(match=match, entry=entry)
    count_cups(LATER)
    careers = careers_in_cups([alice.pk, bob.pk])
    assert [careers[player.pk][0].is_finalist for player in (alice, bob)] == [False, False]
    cup.matches.get(number=1).seats.all().delete()
    assert careers_in_cups([alice.pk])[alice.pk][0].is_finalist


@pytest.mark.servers
@pytest.mark.django_db(transaction=True)
def test_workers_that_count_at_once_count_once(played: Play) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("one writer at a time")
    cup = played(of("one", "two", "three"))

    def count(_: int) -> int:
        try:
            return count_cups(LATER)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(count, range(4))) == 1
    assert earned(cup) == {"one": 17, "two": 7, "three": 1}
