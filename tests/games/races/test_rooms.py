"""Rooms over REST: who may come in, who may start, and what is answered to everything else."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.utils import timezone
from rest_framework.exceptions import Throttled

from games.accounts.guests import create_guest
from games.personal_data.erasure import erase_player
from games.players.models import Player
from games.races import course, rooms
from games.races.invites import invite_of
from games.races.models import Race
from games.races.refusals import TooManyRaces, UnknownRace
from tests.games.api import Api, refusal
from tests.games.races.conftest import TERMS, game_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def clock(now: datetime) -> Iterator[time_machine.Traveller]:
    with time_machine.travel(now, tick=False) as traveller:
        yield traveller


def create(api: Api, **terms: object) -> dict[str, object]:
    answer = api.post("/api/races/", {"rules": "relaxed", **terms})
    assert answer.status_code == 201, answer.json()
    assert answer["Location"] == f"/api/races/{answer.json()['id']}/"
    room: dict[str, object] = answer.json()
    return room


def require_invited(api: Api, host: Player, race: str) -> None:
    """Require that a player has been notified of a rematch, and its host has not."""
    (told,) = api.get("/api/me/notifications/").json()["notifications"]
    assert (told["kind"], told["page"], told["is_read"]) == ("rematch", f"/races/{race}/", False)
    assert told["words"] == f"{host.display_name} wants to race you again."
    assert not host.notifications.exists()
    assert host.notifications_sent.exists()


def test_friends_race_from_a_link(alice: Player, bob: Player, clock: time_machine.Traveller) -> None:
    as_alice, as_bob = Api(alice), Api(bob)
    room = create(as_alice, countdown_s=3)
    path = f"/api/races/{room['id']}/"
    assert refusal(as_bob.get(path)) == (404, "unknown_race")
    assert refusal(as_alice.post(f"{path}start/", {})) == (409, "too_few_racers")
    joined = as_bob.post(f"{path}join/", {"invite": room["invite"]}).json()
    assert [racer["display_name"] for racer in joined["racers"]] == ["Alice", "Bob"]
    assert refusal(as_bob.post(f"{path}start/", {})) == (409, "not_host")
    started = as_alice.post(f"{path}start/", {}).json()
    assert (started["state"], started["starts_at"]) == ("countdown", "2026-03-01T12:00:03Z")
    assert as_alice.post(f"{path}start/", {}).json() == started
    clock.shift(3)
    course.advance_all(timezone.now())
    running = as_bob.get(path).json()
    assert running["state"] == "running"
    assert [racer["game"] for racer in running["racers"]] == [None, None]
    own = running["game"]
    assert as_bob.act(own, 0, "D").status_code == 200
    assert {racer["display_name"]: racer["moves"] for racer in as_alice.get(path).json()["racers"]} == {
        "Alice": 0,
        "Bob": 1,
    }
    for api in (as_alice, as_bob):
        assert api.post(f"{path}leave/", {}).status_code == 200
    course.advance_all(timezone.now())
    ended = as_alice.get(path).json()
    assert (ended["state"], ended["end"]) == ("ended", "all_finished")
    assert [(racer["place"], racer["result"]) for racer in ended["racers"]] == [(1, "resigned"), (2, "resigned")]
    rematch = as_bob.post(f"{path}rematch/", {}).json()
    assert (rematch["rematch_of"], rematch["host"]) == (room["id"], bob.username)
    require_invited(as_alice, bob, rematch["id"])
    assert (
        as_alice.post(f"{path}rematch/", {}).json()["id"]
        == rematch["id"]
        == as_alice.get(path).json()["rematch"]
        == rematch["id"]
    )
    assert as_alice.get("/api/me/notifications/").json()["unread"] == 0  # she has come
    assert [(each["race"]["id"], each["place"]) for each in as_alice.get("/api/me/races/").json()["races"]] == [
        (rematch["id"], None),
        (room["id"], 1),
    ]


def test_mallory_with_the_name_of_alice_is_listed_with_the_handle(room: Race, alice: Player) -> None:
    mallory = create_guest(alice.display_name).player
    Api(mallory).post(f"/api/races/{room.pk}/join/", {"invite": invite_of(room.pk)})
    racers = Api(alice).get(f"/api/races/{room.pk}/").json()["racers"]
    assert [racer["display_name"] for racer in racers] == [f"Alice ({one.username})" for one in (alice, mallory)]


def test_joining_from_two_devices_is_joining_once(room: Race, bob: Player) -> None:
    body, path = {"invite": invite_of(room.pk)}, f"/api/races/{room.pk}/join/"
    first, second = [Api(bob).post(path, body) for _ in range(2)]
    assert first.status_code == second.status_code == 200
    assert first.json() == second.json()
    assert room.racers.count() == 2


@pytest.mark.servers  # SQLite has one writer at a time anyway
def test_two_devices_that_join_at_the_same_moment_are_one_racer(room: Race, bob: Player, now: datetime) -> None:
    def join(_: int) -> None:
        try:
            rooms.join(room.pk, bob, invite_of(room.pk), now)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as devices:
        list(devices.map(join, range(4)))
    assert room.racers.filter(player=bob).count() == 1


@pytest.mark.parametrize("invite", ["", "0" * 32, "5f0c4f7a9be1d2c38a6405b7e91d23fc", "ü"])
def test_a_wrong_invite_says_nothing(room: Race, mallory: Player, invite: str) -> None:
    wrong, nowhere = [
        Api(mallory).post(f"/api/races/{race_id}/join/", {"invite": invite}) for race_id in (room.pk, "0" * 12)
    ]
    assert refusal(wrong) == refusal(nowhere) == (404, "unknown_race")
    assert wrong.json()["message"].replace(room.pk, "") == nowhere.json()["message"].replace("0" * 12, "")


def test_an_invite_opens_its_own_room_alone(
    room: Race, alice: Player, bob: Player, mallory: Player, now: datetime
) -> None:
    other = rooms.create_race(alice, TERMS, now)
    assert [rooms.join(one.pk, bob, invite_of(one.pk), now) for one in (room, other)] == [room, other]
    with pytest.raises(UnknownRace):
        rooms.join(room.pk, mallory, invite_of(other.pk), now)


def test_a_second_start_does_not_put_the_race_off(room: Race, alice: Player, bob: Player, now: datetime) -> None:
    rooms.join(room.pk, bob, invite_of(room.pk), now)
    first, second = (rooms.start(room.pk, alice, now + timedelta(seconds=after)).starts_at for after in (0, 3))
    assert first == second == now + timedelta(seconds=TERMS.countdown_s)


def test_guessing_invites_is_limited(room: Race, mallory: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "race_invites", (2, 3600))
    api, path = Api(mallory), f"/api/races/{room.pk}/join/"
    guesses = [refusal(api.post(path, {"invite": f"{guess:032x}"})) for guess in range(3)]
    assert guesses == [(404, "unknown_race"), (404, "unknown_race"), (429, "too_many_requests")]


def test_a_race_that_has_started_takes_nobody_in(race: Race, alice: Player, mallory: Player) -> None:
    path, body = f"/api/races/{race.pk}/join/", {"invite": invite_of(race.pk)}
    assert refusal(Api(mallory).post(path, body)) == (409, "race_started")
    assert Api(alice).post(path, body).json()["state"] == "running"
    assert refusal(Api(alice).post(f"/api/races/{race.pk}/rematch/", {})) == (409, "race_not_over")


def test_a_full_race_takes_nobody_in(room: Race, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "MOST_RACERS", 1)
    answer = Api(bob).post(f"/api/races/{room.pk}/join/", {"invite": invite_of(room.pk)})
    assert refusal(answer) == (409, "race_full")


def test_bots_race_where_they_are_admitted(alice: Player) -> None:
    bot = Api(create_guest("Robo", is_bot=True).player)
    assert refusal(bot.post("/api/races/", {"rules": "relaxed"})) == (409, "bots_not_admitted")
    people, mixed = [create(Api(alice), is_public=True, admits_bots=admits)["id"] for admits in (False, True)]
    assert refusal(bot.post(f"/api/races/{people}/join/", {})) == (409, "bots_not_admitted")
    assert bot.post(f"/api/races/{mixed}/join/", {}).status_code == 200


def test_nobody_hosts_rooms_without_end(room: Race, alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    api = Api(alice)
    last = [create(api)["id"] for _ in range(2)][-1]
    assert refusal(api.post("/api/races/", {"rules": "relaxed"})) == (409, "too_many_races")
    assert api.post(f"/api/races/{last}/leave/", {}).status_code == 200
    create(api)
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "races", (1, 3600))
    api.post(f"/api/races/{room.pk}/leave/", {})
    assert refusal(api.post("/api/races/", {"rules": "relaxed"})) == (429, "too_many_requests")


def test_rooms_that_are_opened_at_the_same_moment_count_each_other(mallory: Player, now: datetime) -> None:
    def is_opened(_: int) -> bool:
        try:
            return bool(rooms.create_race(mallory, TERMS, now))
        except TooManyRaces:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as devices:
        assert sum(devices.map(is_opened, range(8))) == rooms.MOST_HOSTED
    assert Race.objects.filter(host=mallory).count() == rooms.MOST_HOSTED


def test_nobody_waits_in_rooms_without_end(room: Race, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "MOST_JOINED", 1)
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "race_joins", (2, 3600))
    other, path = create(Api(bob))["id"], f"/api/races/{room.pk}/join/"
    assert refusal(Api(bob).post(path, {"invite": invite_of(room.pk)})) == (409, "too_many_races")
    Api(bob).post(f"/api/races/{other}/leave/", {})
    assert Api(bob).post(path, {"invite": invite_of(room.pk)}).status_code == 200
    Api(bob).post(f"/api/races/{room.pk}/leave/", {})
    assert refusal(Api(bob).post(path, {"invite": invite_of(room.pk)})) == (429, "too_many_requests")


def test_a_rematch_is_one_of_its_hosts_rooms_and_a_race_that_is_over_is_none(
    race: Race, alice: Player, bob: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    course.advance_all(now + timedelta(seconds=TERMS.limit_s))
    assert rooms.leave(race.pk, alice, now) is None
    monkeypatch.setattr(rooms, "MOST_HOSTED", 1)
    monkeypatch.setattr(rooms, "MOST_JOINED", 1)
    other = rooms.create_race(bob, TERMS, now)
    with pytest.raises(TooManyRaces):
        rooms.rematch(race.pk, bob, now)
    assert rooms.join(other.pk, alice, invite_of(other.pk), now) == other
    rooms.leave(other.pk, alice, now)
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "races", (1, 3600))
    with pytest.raises(Throttled):
        rooms.rematch(race.pk, alice, now)


def test_the_room_of_a_host_who_leaves_goes_to_who_came_first(room: Race, alice: Player, bob: Player) -> None:
    path = f"/api/races/{room.pk}/"
    Api(bob).post(f"{path}join/", {"invite": invite_of(room.pk)})
    assert Api(alice).post(f"{path}leave/", {}).status_code == 200
    assert Api(bob).get(path).json()["host"] == bob.username
    assert refusal(Api(alice).get(path)) == (404, "unknown_race")
    assert Api(bob).post(f"{path}leave/", {}).status_code == 200
    room.refresh_from_db()
    assert room.end == "cancelled"


def test_the_room_of_a_host_whose_account_is_deleted_goes_to_who_came_first(
    room: Race, alice: Player, bob: Player, now: datetime
) -> None:
    path = f"/api/races/{room.pk}/"
    Api(bob).post(f"{path}join/", {"invite": invite_of(room.pk)})
    erase_player(alice, "she asked for it", None, now)
    left = Api(bob).get(path).json()
    assert (left["host"], [racer["handle"] for racer in left["racers"]]) == (bob.username, [bob.username])


def test_who_is_not_in_a_public_race_watches_it_and_does_nothing_else(alice: Player, mallory: Player) -> None:
    path = f"/api/races/{create(Api(alice), is_public=True)['id']}/"
    assert Api(mallory).get(path).json()["invite"] is None
    assert Api().get(path).status_code == 200
    assert refusal(Api().post(f"{path}join/", {})) == (401, "not_signed_in")
    assert refusal(Api(mallory).post(f"{path}start/", {})) == (409, "not_in_race")
    assert Api(mallory).post(f"{path}leave/", {}).status_code == 200


def test_a_room_that_is_not_public_does_not_exist_for_who_is_not_in_it(room: Race, mallory: Player) -> None:
    answers = [Api(mallory).post(f"/api/races/{room.pk}/{door}/", {}) for door in ("start", "leave", "rematch")]
    assert [refusal(answer) for answer in answers] == 3 * [(404, "unknown_race")]


def test_public_races_are_listed_before_and_after_they_are_run(
    room: Race, alice: Player, bob: Player, clock: time_machine.Traveller
) -> None:
    public = create(Api(alice), is_public=True)["id"]
    assert [race["id"] for race in Api().get("/api/races/").json()["races"]] == [public]
    Api(bob).post(f"/api/races/{public}/join/", {})
    Api(alice).post(f"/api/races/{public}/start/", {})
    for seconds in (60, 3600):
        clock.shift(seconds)
        course.advance_all(timezone.now())
    assert Api().get("/api/races/").json()["races"] == []
    past = Api().get("/api/races/?when=past").json()
    assert [(race["id"], race["racers"], race["end"]) for race in past["races"]] == [(public, 2, "time_up")]
    assert Api().get(f"/api/races/?when=past&before={public}").json() == {"races": [], "next": None}
    assert refusal(Api().get(f"/api/races/?when=past&before={room.pk}")) == (404, "unknown_race")


@pytest.mark.parametrize(
    "terms",
    [
        {"limit_s": 29},
        {"limit_s": 3601},
        {"limit_s": "600"},
        {"countdown_s": -1},
        {"countdown_s": 61},
        {"tie_break": "luck"},
        {"is_public": "yes"},
        {"rated": True},
    ],
)
def test_impossible_terms_are_refused(alice: Player, terms: dict[str, object]) -> None:
    assert refusal(Api(alice).post("/api/races/", {"rules": "relaxed", **terms})) == (400, "invalid_request")


def test_only_racers_find_a_race_in_their_history(race: Race, bob: Player, mallory: Player) -> None:
    assert [each["game"] for each in Api(bob).get("/api/me/races/").json()["races"]] == [game_of(race, bob).pk]
    assert Api(mallory).get("/api/me/races/").json() == {"races": [], "next": None}
    assert refusal(Api(mallory).get(f"/api/me/races/?before={race.pk}")) == (404, "unknown_race")
