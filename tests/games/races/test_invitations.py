"""Players are invited to races by their handles: once, where they want it, and by those who are in the room."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest
import time_machine
from django.conf import settings
from django.test import Client

from games.accounts.guests import create_guest
from games.notifications.models import Notification
from games.notifications.notifications import mute
from games.personal_data.erasure import erase_player
from games.players.models import Player
from games.races import rooms
from games.races.course import call_off
from games.races.invites import invite_of
from games.races.models import Race
from tests.games.api import Api, refusal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def clock(now: datetime) -> Iterator[time_machine.Traveller]:
    with time_machine.travel(now, tick=False) as traveller:
        yield traveller


@pytest.fixture
def public_room(alice: Player, now: datetime) -> Race:
    return rooms.create_race(alice, rooms.Terms("relaxed", is_public=True), now)


def invite(race: Race, racer: Player, handle: str) -> object:
    """Return the status of an invitation, with its code if it is refused."""
    answer = Api(racer).post(f"/api/races/{race.pk}/invitations/", {"handle": handle})
    return refusal(answer) if answer.status_code != 200 else answer.json()


def news_of(player: Player) -> list[tuple[str, str, str]]:
    told = Api(player).get("/api/me/notifications/").json()["notifications"]
    return [(one["kind"], one["words"], one["page"]) for one in told]


def test_who_is_invited_comes_in_with_what_the_notification_has(room: Race, alice: Player, bob: Player) -> None:
    assert invite(room, alice, bob.username) == {"race": room.pk, "handle": bob.username}
    ((kind, words, page),) = news_of(bob)
    assert (kind, words) == ("invited", "Alice invites you to a race.")
    path, _, sent = page.partition("#")
    assert (path, sent) == (f"/races/{room.pk}/", invite_of(room.pk))
    joined = Api(bob).post(f"/api{path}join/", {"invite": sent}).json()
    assert [racer["display_name"] for racer in joined["racers"]] == ["Alice", "Bob"]
    assert Api(bob).get("/api/me/notifications/").json()["unread"] == 0


def test_the_invite_reaches_nobody_else_and_is_not_stored(
    room: Race, alice: Player, bob: Player, mallory: Player
) -> None:
    invite(room, alice, bob.username)
    assert news_of(mallory) == news_of(alice) == []
    assert invite_of(room.pk) not in str(list(Notification.objects.values()))


def test_the_invitations_of_a_deleted_account_are_gone_with_its_name(
    room: Race, alice: Player, bob: Player, now: datetime
) -> None:
    invite(room, alice, bob.username)
    erase_player(alice, "asked for it", None, now)
    assert news_of(bob) == []


def test_the_page_of_a_public_race_takes_no_invite(public_room: Race, alice: Player, bob: Player) -> None:
    invite(public_room, alice, bob.username)
    assert news_of(bob) == [("invited", "Alice invites you to a race.", f"/races/{public_room.pk}/")]


def test_an_invitation_comes_once_whoever_repeats_it(room: Race, alice: Player, bob: Player, mallory: Player) -> None:
    rooms.join(room.pk, bob, invite_of(room.pk), room.created_at)
    answers = [invite(room, racer, mallory.username) for racer in (alice, alice, bob)]
    assert answers == [{"race": room.pk, "handle": mallory.username}] * 3
    assert news_of(mallory)[0][1] == "Alice invites you to a race."
    assert len(news_of(mallory)) == 1


def test_nobody_learns_who_wants_no_invitations_or_is_banned(
    room: Race, alice: Player, bob: Player, mallory: Player, now: datetime
) -> None:
    mute(bob, ["invited"])
    Player.objects.filter(pk=mallory.pk).update(banned_at=now)
    for player in (bob, mallory):
        assert invite(room, alice, player.username) == {"race": room.pk, "handle": player.username}
        assert news_of(player) == []


def test_who_is_in_the_race_already_needs_no_invitation(room: Race, alice: Player) -> None:
    assert invite(room, alice, alice.username) == {"race": room.pk, "handle": alice.username}
    assert news_of(alice) == []


def test_unknown_and_closed_accounts_are_said_to_be_so(room: Race, alice: Player, bob: Player) -> None:
    Player.objects.filter(pk=bob.pk).update(is_active=False)
    for handle in (bob.username, "nobody", "Bob", "ü"):
        assert invite(room, alice, handle) == (404, "unknown_player")
    for handle in ("", "x" * 33, "bob\0"):
        assert invite(room, alice, handle) == (400, "invalid_request")


def test_bots_are_invited_where_they_are_admitted(room: Race, alice: Player, now: datetime) -> None:
    bot = create_guest("Robo", is_bot=True).player
    assert invite(room, alice, bot.username) == (409, "bots_not_admitted")
    mixed = rooms.create_race(alice, rooms.Terms("relaxed", admits_bots=True), now)
    invite(mixed, alice, bot.username)
    assert [kind for kind, *_ in news_of(bot)] == ["invited"]


def test_only_racers_invite(room: Race, public_room: Race, bob: Player, mallory: Player) -> None:
    assert invite(room, mallory, bob.username) == (404, "unknown_race")
    assert invite(public_room, mallory, bob.username) == (409, "not_in_race")
    assert news_of(bob) == []


def test_a_race_that_has_begun_is_over_or_is_full_invites_nobody(
    race: Race, public_room: Race, alice: Player, mallory: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert invite(race, alice, mallory.username) == (409, "race_started")
    monkeypatch.setattr(rooms, "MOST_RACERS", 1)
    assert invite(public_room, alice, mallory.username) == (409, "race_full")
    call_off(public_room.pk, now)
    assert invite(public_room, alice, mallory.username) == (409, "not_in_race")
    assert news_of(mallory) == []


@pytest.mark.parametrize("limit", ["race_invitations", "race_invitations_to_one", "race_invitations_to_race"])
def test_nobody_invites_without_end(
    room: Race, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, limit, (1, 3600))
    invite(room, alice, bob.username)
    assert invite(room, alice, bob.username) == (429, "too_many_requests")


def test_too_many_invitations_from_one_do_not_keep_others_from_inviting(
    public_room: Race, alice: Player, bob: Player, mallory: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "race_invitations_to_one", (1, 3600))
    rooms.join(public_room.pk, mallory, "", public_room.created_at)
    invite(public_room, mallory, bob.username)
    assert invite(public_room, mallory, bob.username) == (429, "too_many_requests")
    assert invite(public_room, alice, bob.username) == {"race": public_room.pk, "handle": bob.username}


def test_the_page_invites_without_scripts(room: Race, alice: Player, bob: Player) -> None:
    browser, path = Client(), f"/races/{room.pk}/"
    browser.force_login(alice)
    answer = browser.post(path, {"handle": f" {bob.username.upper()} "}, follow=True)
    assert f"You have invited {bob.username}." in answer.content.decode()
    assert [kind for kind, *_ in news_of(bob)] == ["invited"]
    for handle in ("nobody", "", "bob-", "x" * 40):
        answer = browser.post(path, {"handle": handle})
        assert answer.status_code == 409
        assert "There is no player with this handle" in answer.content.decode()


def test_the_form_is_for_racers_of_a_race_that_can_be_joined(
    room: Race, public_room: Race, race: Race, alice: Player, mallory: Player
) -> None:
    shown = '<form method="post" id="invitation" class="panel row">'
    for player, where, is_shown in ((alice, public_room, True), (mallory, public_room, False), (alice, race, False)):
        browser = Client()
        browser.force_login(player)
        assert (shown in browser.get(f"/races/{where.pk}/").content.decode()) is is_shown
