"""A tournament by hand is a cup whose entrants come by invitation, and that its organiser starts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from games.cups import course, signups
from games.cups.hosting import MOST_HOSTED, Terms, announce, call_off, remove, start
from games.cups.models import Cup, CupEntry
from games.cups.qualification import enter
from games.cups.reading import current_cups, past_cups
from games.cups.refusals import (
    ByLetters,
    CannotHost,
    CupFull,
    CupNameReserved,
    CupNotOpen,
    NotOrganiser,
    NotYourCup,
    RemovedFromCup,
    StartOutOfRange,
    TooFewEntrants,
    TooManyCups,
)
from games.cups.signups import remind_entrants, sign_up, withdraw
from games.doors.scopes import EVERYTHING
from games.keys.keys import make_token
from games.notifications.models import Notification
from games.personal_data.retention import forget_idle_guests
from games.players.models import Player
from games.races.models import Rating
from games.races.strength import family_of
from tests.games.cups.conftest import Entrants, play_on, play_round, reread, tick
from tests.journeys.shell import shell
from tests.processes import PROJECT

pytestmark = pytest.mark.django_db(transaction=True)
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)


@pytest.fixture
def alice(alice: Player) -> Player:
    """Alice, who has claimed her account."""
    alice.is_guest = False
    alice.save()
    return alice


@pytest.fixture
def cup(alice: Player, now: datetime) -> Cup:
    """A tournament that Alice organises, an hour before it begins."""
    return announce(alice, Terms("Oxbow Open", "relaxed", now + HOUR), now)


def players_of(cup: Cup) -> list[str]:
    return list(CupEntry.objects.filter(cup=cup).order_by("seed").values_list("player__username", flat=True))


def test_it_begins_by_itself_with_the_best_rated_first_and_ends_like_any_cup(
    cup: Cup, entrants: Entrants, now: datetime
) -> None:
    *players, late = entrants(10)
    for player in players:
        sign_up(cup.pk, player, now)
        sign_up(cup.pk, player, now)
    family = family_of(cup.rule_set)
    for player, mean in ((players[5], 1700), (players[0], 1400)):
        Rating.objects.create(player=player, family=family, races=1, mean=mean, deviation=100)
    tick(now + HOUR - SECOND)
    assert reread(cup).state == "announced"
    tick(begins := now + HOUR)
    assert reread(cup).state == "playing"
    with pytest.raises(CupNotOpen):
        sign_up(cup.pk, late, begins)
    unrated = [f"guest{number}" for number in range(9) if number not in {0, 5}]
    assert players_of(cup) == ["guest5", *unrated, "guest0"]
    play_on(cup, begins)
    assert reread(cup).end == "completed"
    assert set(cup.entries.values_list("place", flat=True)) == set(range(1, 10))


def test_the_tournament_in_the_document_is_announced_signed_up_for_and_started(
    alice: Player, live_server: LiveServer
) -> None:
    section = (PROJECT / "docs" / "cups.md").read_text().split("\n## A tournament by hand\n")[1]
    script = section.split("```sh\n")[1].split("```")[0]
    auth = f"Authorization: Bearer {make_token(alice, 'a program', EVERYTHING).token}"
    given = f"api={live_server.url}/api; json='Content-Type: application/json'; auth='{auth}'\n"
    assert shell(given + script, live_server.url).split() == ["1", "2", '"announced"']
    tick(timezone.now())
    assert Cup.objects.get().state == "playing"


def test_who_signed_up_is_reminded_once_ten_minutes_before_it_begins(
    cup: Cup, alice: Player, entrants: Entrants, now: datetime
) -> None:
    one, withdrawn, removed = entrants(3)
    for player in (one, withdrawn, removed):
        sign_up(cup.pk, player, now)
    withdraw(cup.pk, withdrawn, now)
    remove(cup.pk, alice, removed.username, now)
    reminded = Notification.objects.filter(kind="cup_soon", subject=cup.pk).values_list("player", flat=True)
    remind_entrants(now + HOUR - timedelta(minutes=10) - SECOND)
    assert not reminded.all()
    for before in (600, 570):
        remind_entrants(now + HOUR - before * SECOND)
        assert list(reminded.all()) == [one.pk]
    call_off(cup.pk, alice, now)
    Notification.objects.all().delete()
    remind_entrants(now + HOUR - SECOND)
    assert not reminded.all()


def test_its_organiser_starts_it_early_and_may_remove_entrants_before(
    cup: Cup, alice: Player, mallory: Player, entrants: Entrants, now: datetime
) -> None:
    one, other, third = entrants(3)
    sign_up(cup.pk, one, now)
    with pytest.raises(TooFewEntrants):
        start(cup.pk, alice, now)
    sign_up(cup.pk, other, now)
    sign_up(cup.pk, mallory, now)
    for decide in (start, call_off):
        with pytest.raises(NotOrganiser):
            decide(cup.pk, mallory, now)
    with pytest.raises(NotOrganiser):
        remove(cup.pk, mallory, one.username, now)
    remove(cup.pk, alice, mallory.username, now)
    with pytest.raises(RemovedFromCup):
        sign_up(cup.pk, mallory, now)
    withdraw(cup.pk, mallory, now)
    with pytest.raises(RemovedFromCup):
        sign_up(cup.pk, mallory, now)
    sign_up(cup.pk, third, now)
    withdraw(cup.pk, third, now)
    start(cup.pk, alice, now)
    with pytest.raises(CupNotOpen):
        sign_up(cup.pk, third, now)
    tick(now)
    assert players_of(cup) == [one.username, other.username]
    assert not reread(cup).is_moved
    for decide in (start, call_off):
        with pytest.raises(CupNotOpen):
            decide(cup.pk, alice, now)


def test_alice_who_was_banned_after_the_announcement_leads_it_no_more(
    host: Client, cup: Cup, alice: Player, entrants: Entrants, now: datetime
) -> None:
    one, other = entrants(2)
    for player in (one, other):
        sign_up(cup.pk, player, now)
    assert "Call it off" in host.get(f"/cups/{cup.pk}/").content.decode()
    Player.objects.filter(pk=alice.pk).update(banned_at=now)
    alice.refresh_from_db()
    for decide in (start, call_off):
        with pytest.raises(NotOrganiser):
            decide(cup.pk, alice, now)
    with pytest.raises(NotOrganiser):
        remove(cup.pk, alice, one.username, now)
    assert "Call it off" not in host.get(f"/cups/{cup.pk}/").content.decode()


def test_one_that_is_called_off_or_has_too_few_entrants_is_cancelled(
    cup: Cup, alice: Player, entrants: Entrants, now: datetime
) -> None:
    call_off(cup.pk, alice, now)
    assert reread(cup).end == "called_off"
    alone = announce(alice, Terms("Lonely Cup", "standard", now + HOUR), now)
    sign_up(alone.pk, entrants(1)[0], now)
    tick(now + HOUR)
    assert reread(alone).end == "too_few"
    assert Cup.objects.filter(ended_at=None).count() == 0


def test_a_server_that_was_down_at_the_start_moves_it_and_lets_others_sign_up(
    cup: Cup, alice: Player, entrants: Entrants, now: datetime
) -> None:
    one, other = entrants(2)
    sign_up(cup.pk, one, now)
    course.advance_cups(back := now + HOUR + timedelta(minutes=5))
    assert reread(cup).is_moved
    sign_up(cup.pk, other, back)
    start(cup.pk, alice, back)
    tick(back)
    assert players_of(cup) == [one.username, other.username]


def test_who_may_host_and_who_may_enter_is_limited(
    cup: Cup, alice: Player, bob: Player, entrants: Entrants, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    terms = Terms("Oxbow Open", "standard", now + HOUR)
    one, other = entrants(2)
    bot = Player.objects.create(username="bot", display_name="Bot", is_bot=True, owner=alice)
    bob.banned_at = now
    for player in (one, bot, bob):
        with pytest.raises(CannotHost):
            announce(player, terms, now)
    with pytest.raises(NotYourCup):
        sign_up(cup.pk, bot, now)
    with pytest.raises(ByLetters):
        enter(cup.pk, one, now)
    monkeypatch.setattr(signups, "MOST_ENTRANTS", 1)
    sign_up(cup.pk, one, now)
    with pytest.raises(CupFull):
        sign_up(cup.pk, other, now)
    for refused in (Terms("Server Staff", "standard", now + HOUR), Terms("Admin", "standard", now + HOUR)):
        with pytest.raises(CupNameReserved):
            announce(alice, refused, now)
    for at in (now, now + timedelta(days=30, seconds=1)):
        with pytest.raises(StartOutOfRange):
            announce(alice, Terms("Oxbow Open", "standard", at), now)
    for _ in range(MOST_HOSTED - 1):
        announce(alice, terms, now)
    with pytest.raises(TooManyCups):
        announce(alice, terms, now)
    assert current_cups() == past_cups() == []


def test_a_guest_who_signed_up_and_is_forgotten_leaves_no_trace(
    cup: Cup, entrants: Entrants, now: datetime, settings: Any
) -> None:
    one, idle = entrants(2)
    for player in (one, idle):
        sign_up(cup.pk, player, now)
    long_ago = now - timedelta(days=settings.PYRAMID_IDLE_GUEST_DAYS + 1)
    Player.objects.filter(pk=idle.pk).update(date_joined=long_ago, last_login=long_ago)
    assert forget_idle_guests(now) == 1
    assert [signup.player for signup in cup.signups.all()] == [one]


@pytest.fixture
def host(alice: Player) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def announce_from_form(host: Client) -> Cup:
    """Return a tournament that begins in an hour."""
    opens_at = f"{datetime.now(UTC) + HOUR:%Y-%m-%dT%H:%M}"
    form = {"name": "Oxbow Open", "rules": "relaxed", "opens_at": opens_at, "limit_s": 600, "rounds": 0}
    return Cup.objects.get(pk=host.post("/cups/new/", form)["Location"].split("/")[2])


def test_letters_lead_from_the_form_of_the_organiser_to_the_list_of_who_signed_up(host: Client, client: Client) -> None:
    cup = announce_from_form(host)
    address = f"/cups/{cup.pk}/"
    stranger = client.get(address).content.decode()
    assert cup.code not in stranger
    assert "Start the tournament" not in stranger
    assert Client().post(address).status_code == 409  # no letters
    typed = client.get("/cups/join/", {"code": cup.code.lower()})["Location"]
    assert "Oxbow Open" in client.get(typed).content.decode()
    assert client.post(typed, {"display_name": "Newcomer"})["Location"] == address
    entered = client.get(address).content.decode()
    assert [text for text in (cup.code, "Newcomer", "Withdraw") if text not in entered] == []
    assert client.post(address, {"act": "start"}).status_code == 409
    assert client.post(address, {"act": "withdraw"}).status_code == 303
    assert "Newcomer" not in host.get(address).content.decode()


def test_the_organiser_decides_from_the_page_and_plays_too(host: Client, client: Client, entrants: Entrants) -> None:
    cup = announce_from_form(host)
    address = f"/cups/{cup.pk}/"
    one, idle = entrants(2)
    for player in (one, idle):
        sign_up(cup.pk, player, datetime.now(UTC))
    assert host.post(address, {"remove": idle.username}).status_code == 303
    assert host.post(address, {"act": "start"}).status_code == 409
    host.post(f"/cups/join/{cup.code}/")
    assert "Oxbow Open" in host.get("/cups/").content.decode()
    assert "Oxbow Open" not in client.get("/cups/").content.decode()
    assert "Start the tournament" in host.get(address).content.decode()
    assert host.post(address, {"act": "start"}).status_code == 303
    tick(datetime.now(UTC))
    shown = host.get(address).content.decode()
    assert "To your match" in shown
    assert "Start the tournament" not in shown


def send(client: Client, path: str, body: dict[str, Any]) -> Any:
    return client.post(f"/api/cups/{path}", body, "application/json")


def test_a_tournament_is_announced_entered_and_called_off_over_rest(host: Client, alice: Player, bob: Player) -> None:
    guest, now = Client(), datetime.now(UTC)
    guest.force_login(bob)
    terms = {"name": "Oxbow Open", "rules": "standard", "opens_at": (now + HOUR).isoformat()}
    announced = send(host, "", terms)
    assert announced.status_code == 201
    cup = announced.json()
    assert (cup["name"], cup["host"], cup["players"]) == ("Oxbow Open", alice.username, [])
    assert Client().get(announced["Location"]).json()["letters"] is None
    entered = send(guest, "join/", {"letters": cup["letters"]}).json()
    assert [player["handle"] for player in entered["players"]] == [bob.username]
    assert entered["letters"] == cup["letters"]
    for reader in (host, guest):
        assert [own["id"] for own in reader.get("/api/me/cups/").json()["cups"]] == [cup["id"]]
    assert send(guest, f"{cup['id']}/withdraw/", {}).json()["players"] == []
    assert send(guest, f"{cup['id']}/decisions/", {"act": "call_off"}).json()["code"] == "not_organiser"
    assert send(host, f"{cup['id']}/removals/", {"handle": "nobody"}).json()["code"] == "unknown_player"
    assert send(host, f"{cup['id']}/removals/", {"handle": bob.username}).json()["players"] == []
    assert send(host, f"{cup['id']}/decisions/", {"act": "call_off"}).json()["end"] == "called_off"
    assert send(guest, "join/", {"letters": cup["letters"]}).status_code == 404
    assert guest.post(f"/cups/join/{cup['letters']}/").status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        {"name": "\0"},
        {"name": "\u2800"},
        {"name": "x" * 41},
        {"rules": "nothing"},
        {"rules": "two-pyramids"},
        {"opens_at": "2026-03-01T20:00:00"},
        {"opens_at": "0001-01-01T00:00:00+14:00"},
        {"opens_at": "9999-12-31T23:59:59-12:00"},
        {"limit_s": 0},
        {"rounds": 10},
    ],
)
def test_terms_that_make_no_sense_are_refused(alice: Player, client: Client, change: dict[str, Any]) -> None:
    client.force_login(alice)
    terms = {"name": "Oxbow Open", "rules": "standard", "opens_at": (datetime.now(UTC) + HOUR).isoformat()} | change
    assert send(client, "", terms).status_code in {400, 404, 409}
    assert client.post("/cups/new/", {"limit_s": 600, "rounds": 0, **terms}).status_code in {400, 409}
    assert not Cup.objects.exists()


def test_letters_lead_to_the_page_of_a_tournament_that_one_is_in_or_that_has_begun(
    cup: Cup, client: Client, entrants: Entrants, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    players, letters, page = entrants(4), f"/cups/join/{cup.code}/", f"/cups/{cup.pk}/"
    for player in players[:3]:
        sign_up(cup.pk, player, now)
    client.force_login(players[0])
    assert client.get(letters)["Location"] == page
    client.force_login(players[3])
    assert "Sign up" in client.get(letters).content.decode()
    monkeypatch.setattr("games.cups.pages.MOST_ENTRANTS", 3)
    assert "This tournament is full." in client.get(letters).content.decode()
    monkeypatch.setattr(signups, "MOST_ENTRANTS", 3)
    known = Player.objects.count()
    assert Client().post(letters, {"display_name": "Newcomer"}).status_code == 409
    assert Player.objects.count() == known  # a refusal makes nobody a guest
    tick(now + HOUR)
    assert client.get(letters)["Location"] == page


def test_every_try_of_letters_counts(cup: Cup, client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "cup_codes", (3, 3600))
    tried = [client.get(f"/cups/join/{letters}/").status_code for letters in ("BBBBBB", cup.code, "CCCCCC", "DDDDDD")]
    assert tried == [404, 200, 404, 429]


def test_swiss_by_points_lets_all_play_every_round_but_those_who_forfeit(
    alice: Player, entrants: Entrants, client: Client, now: datetime
) -> None:
    cup = announce(alice, Terms("Oxbow Open", "relaxed", now + HOUR, rounds=3), now)
    for player in entrants(9):
        sign_up(cup.pk, player, now)
    tick(begins := now + HOUR)
    begins = play_round(cup, begins, away=["guest8"])
    shown = client.get(f"/cups/{cup.pk}/").content.decode()
    assert "Points" in shown
    assert "goes on" not in shown
    assert client.get(f"/api/cups/{cup.pk}/").json()["players"][0]["points"] == 3
    play_on(cup, begins)
    assert reread(cup).end == "completed"
    answer = client.get(f"/api/cups/{cup.pk}/").json()
    # In each match those with the lowest numbers are first.
    assert [[sorted(seat["seed"] for seat in match["seats"]) for match in matches] for matches in answer["rounds"]] == [
        [[1, 6, 7], [2, 5, 8], [3, 4, 9]],
        [[1, 2, 3, 5], [4, 6, 7, 8]],
        [[1, 2, 4, 6], [3, 5, 7, 8]],
    ]
    # The fifth seed met rivals with fewer points than the sixth.
    assert [(player["seed"], player["points"]) for player in answer["players"]] == [
        *((1, 9), (2, 7), (3, 7), (4, 6), (6, 4), (5, 4), (7, 3), (8, 1), (9, 0)),
    ]
