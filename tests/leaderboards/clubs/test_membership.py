"""Clubs are founded, joined, led and left, by those who may."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from games.accounts.guests import create_guest
from games.personal_data.erasure import erase_player
from games.players.models import Player
from games.players.names import find_player
from leaderboards.clubs import membership
from leaderboards.clubs.circles import circles_of_member
from leaderboards.clubs.founding import found
from leaderboards.clubs.models import Club, ClubAct, Role
from leaderboards.clubs.reading import roster_of
from leaderboards.clubs.refusals import NotInClub
from tests.games.api import Api, refusal
from tests.leaderboards.clubs.conftest import terms
from tests.leaderboards.conftest import NOON, ban, named

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]


def act(club: Club, by: Player, act: str, about: Player) -> object:
    """Return what the club knows of who is in it and outside, or how the act was refused."""
    answer = Api(by).post(f"/api/clubs/{club.pk}/members/", {"act": act, "handle": about.username})
    return people(answer.json()) if answer.status_code == 200 else refusal(answer)


def people(answer: Any) -> dict[str, str]:
    inside = {one["player"]["handle"]: one["role"] for one in answer["members"]}
    return inside | {one["player"]["handle"]: one["state"] for one in answer["outsiders"]}


def test_a_club_is_founded_by_an_account_and_joined_by_its_letters(alice: Player, bob: Player) -> None:
    made = Api(alice).post("/api/clubs/", {"name": "Oxbow Club", "description": "Tea."}).json()
    assert (made["you"], len(made["letters"])) == ("owner", 6)
    joined = Api(bob).post("/api/clubs/join/", {"letters": made["letters"].lower()}).json()
    assert (joined["id"], joined["you"], people(joined)) == (made["id"], "member", {"alice": "owner", "bob": "member"})
    assert [(one["name"], one["you"]) for one in Api(bob).get("/api/me/clubs/").json()["clubs"]] == [
        ("Oxbow Club", "member")
    ]
    assert Api().get(f"/api/clubs/{made['id']}/").json()["letters"] is None
    assert refusal(Api(bob).post("/api/clubs/join/", {"letters": "BBBBBB"})) == (404, "unknown_club")
    assert refusal(Api(create_guest("Gus").player).post("/api/clubs/", {"name": "Mine"})) == (
        409,
        "guests_found_no_clubs",
    )


@pytest.mark.parametrize(
    ("name", "code"),
    [("Oxbow C1ub", "club_name_taken"), ("Moderators", "name_reserved"), ("\u3164", "invalid_request")],
)
def test_a_name_keeps_the_rules_for_names(club: Club, bob: Player, name: str, code: str) -> None:
    assert refusal(Api(bob).post("/api/clubs/", {"name": name}))[1] == code


@pytest.mark.parametrize("text", ["\u202ekcom", "a\u200bb", "\u2066x", "tag\U000e0041", "o" + "\u0338" * 9])
def test_mallory_describes_no_club_with_what_turns_or_covers_other_texts(club: Club, bob: Player, text: str) -> None:
    asked = {"name": "Mallory's", "description": text}
    assert Api(bob).post("/api/clubs/", asked).json()["fields"].keys() == {"description"}
    browser = Client()
    browser.force_login(bob)
    form = {"middle": "s", "above": "c", "colour": "red", "admission": "open"}
    assert "id_description_error" in browser.post("/clubs/new/", asked | form).content.decode()
    assert Club.objects.get() == club
    assert Api(bob).post("/api/clubs/", asked | {"description": "Thé à 5\nheures 🂡 cafe\u0301"}).status_code == 201


def test_a_club_by_request_lets_officers_decide(club: Club, alice: Player, bob: Player) -> None:
    Api(alice).put(f"/api/clubs/{club.pk}/terms/", {"name": "Oxbow", "admission": "request"})
    mallory = named("mallory")
    assert Api(mallory).post(f"/api/clubs/{club.pk}/join/", {}).json()["you"] == "asked"
    assert act(club, bob, "admit", mallory) == (409, "not_officer")
    assert act(club, mallory, "admit", mallory) == (409, "not_in_club")
    assert act(club, alice, "appoint", bob) == {"alice": "owner", "bob": "officer", "mallory": "asked"}
    assert act(club, bob, "admit", mallory) == {"alice": "owner", "bob": "officer", "mallory": "member"}


def test_a_club_by_invitation_takes_nobody_else(club: Club, alice: Player) -> None:
    Api(alice).put(f"/api/clubs/{club.pk}/terms/", {"name": "Oxbow", "admission": "invitation"})
    carol = named("carol")
    assert refusal(Api(carol).post(f"/api/clubs/{club.pk}/join/", {})) == (409, "by_invitation")
    assert act(club, alice, "invite", carol) == {"alice": "owner", "bob": "member", "carol": "invited"}
    assert Api(carol).post(f"/api/clubs/{club.pk}/join/", {}).json()["you"] == "member"


def test_who_is_banned_stays_outside_until_the_ban_is_lifted(club: Club, alice: Player, bob: Player) -> None:
    assert act(club, alice, "ban", bob) == {"alice": "owner", "bob": "banned"}
    assert refusal(Api(bob).post(f"/api/clubs/{club.pk}/join/", {})) == (409, "banned_from_club")
    Api(bob).post(f"/api/clubs/{club.pk}/leave/", {})  # does not take a ban back
    assert act(club, alice, "invite", bob) == (409, "banned_from_club")
    assert act(club, alice, "unban", bob) == {"alice": "owner"}
    assert Api(bob).post(f"/api/clubs/{club.pk}/join/", {}).json()["you"] == "member"


@pytest.mark.parametrize("what", ["appoint", "demote", "hand_over"])
def test_officers_do_not_choose_officers(club: Club, alice: Player, bob: Player, what: str) -> None:
    act(club, alice, "appoint", bob)
    carol = named("carol")
    membership.join(club.pk, carol, NOON)
    assert act(club, bob, what, carol) == (409, "not_officer")
    assert act(club, bob, "remove", alice) == (409, "not_officer")


@pytest.mark.parametrize("what", ["appoint", "hand_over", "remove"])
def test_a_decision_about_a_member_who_leaves_at_that_moment_is_refused(
    club: Club, alice: Player, bob: Player, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_after_leaving(handle: str) -> Player:
        membership.leave(club.pk, bob, NOON)
        return find_player(handle)

    monkeypatch.setattr("leaderboards.clubs.membership.find_player", find_after_leaving)  # after the members are read
    assert act(club, alice, what, bob) == (409, "not_in_club")


@pytest.mark.parametrize("go", ["leave", "erase", "ban"])
def test_a_club_whose_owner_is_gone_is_led_by_its_officer_at_once(
    club: Club, alice: Player, bob: Player, go: str
) -> None:
    carol = named("carol")
    membership.join(club.pk, carol, NOON)
    act(club, alice, "appoint", carol)
    if go == "leave":
        membership.leave(club.pk, alice, NOON)
    elif go == "erase":
        erase_player(alice, "asked to", None, NOON)
    else:
        ban(alice, "cheated", None, NOON)
        alice.refresh_from_db()
        assert act(club, alice, "demote", carol) == (409, "not_officer")
        assert [circle.is_led for circle in circles_of_member(alice)] == [False]
    assert [circle.is_led for circle in circles_of_member(carol)] == [True]
    left = {"alice": "member"} if go == "ban" else {}
    assert act(club, carol, "appoint", bob) == {"carol": "owner", "bob": "officer"} | left


def test_a_member_who_is_next_in_rank_leads_before_anybody_acts(club: Club, alice: Player, bob: Player) -> None:
    membership.leave(club.pk, alice, NOON)
    assert [circle.is_led for circle in circles_of_member(bob)] == [True]


def test_a_club_that_everyone_has_left_is_gone(club: Club, alice: Player, bob: Player) -> None:
    for player in (alice, bob):
        membership.leave(club.pk, player, NOON)
    assert refusal(Api(bob).post("/api/clubs/join/", {"letters": club.code})) == (404, "unknown_club")
    assert refusal(Api().get(f"/api/clubs/{club.pk}/")) == (404, "unknown_club")


def test_a_player_is_in_ten_clubs_and_a_club_has_room_for_so_many(
    club: Club, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        found(bob, terms(f"Club {'abcdefghi'[number]}"), NOON)
    assert refusal(Api(bob).post("/api/clubs/", {"name": "Eleventh"})) == (409, "too_many_clubs")
    monkeypatch.setattr(membership, "MOST_MEMBERS", 2)
    assert refusal(Api(named("carol")).post(f"/api/clubs/{club.pk}/join/", {})) == (409, "club_full")


@pytest.mark.parametrize("limit", ["club_codes", "club_joins"])
def test_a_limit_counts_tries(bob: Player, monkeypatch: pytest.MonkeyPatch, limit: str, club: Club) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, limit, (1, 3600))
    code = "BBBBBB" if limit == "club_codes" else club.code
    Api(bob).post("/api/clubs/join/", {"letters": code})
    assert refusal(Api(bob).post("/api/clubs/join/", {"letters": code})) == (429, "too_many_requests")


def test_the_log_says_who_did_what(club: Club, alice: Player, bob: Player) -> None:
    act(club, alice, "appoint", bob)
    acts = ClubAct.objects.filter(club=club).order_by("pk").values_list("act", "by__username", "about__username")
    assert list(acts) == [("founded", "alice", "alice"), ("joined", "bob", "bob"), ("appoint", "alice", "bob")]


def test_an_act_that_changes_nothing_is_neither_logged_nor_told(club: Club, alice: Player, bob: Player) -> None:
    carol, dave = named("carol"), named("dave")
    Api(alice).put(f"/api/clubs/{club.pk}/terms/", {"name": "Oxbow", "admission": "request"})
    Api(dave).post(f"/api/clubs/{club.pk}/join/", {})
    before = ClubAct.objects.filter(club=club).count()
    for _ in range(2):
        act(club, alice, "appoint", bob)
        act(club, alice, "invite", carol)
        act(club, alice, "ban", named_once("mallory"))
        act(club, alice, "invite", dave)  # who has asked
    acts = ClubAct.objects.filter(club=club).order_by("pk")[before:]
    assert [(one.act, one.about and one.about.username) for one in acts] == [
        *(("appoint", "bob"), ("invite", "carol"), ("ban", "mallory"), ("joined", "dave"), ("admit", "dave")),
    ]
    assert heard_by(carol) == ["Alice invites you to the club Oxbow."]
    assert heard_by(dave) == ["You are now in the club Oxbow."]
    assert heard_by(bob) == []
    act(club, alice, "decline", carol)
    act(club, alice, "invite", carol)  # nobody is badgered by invitations that are taken back
    assert len(heard_by(carol)) == 1
    erase_player(alice, "asked to", None, NOON)
    assert heard_by(carol) == []


def heard_by(player: Player) -> list[str]:
    return [one["words"] for one in Api(player).get("/api/me/notifications/").json()["notifications"]]


def named_once(handle: str) -> Player:
    return Player.objects.filter(username=handle).first() or named(handle)


@pytest.mark.django_db(transaction=True)
def test_alice_leaves_while_she_hands_the_club_over_and_neither_waits_for_the_other(alice: Player, bob: Player) -> None:
    clubs = [found(alice, terms(f"Club {number}"), NOON) for number in range(8)]
    for club in clubs:
        membership.join(club.pk, bob, NOON)
    both_are_there = Barrier(2)

    def do_in_all(act: Callable[[Club], object]) -> None:
        try:
            for club in clubs:
                both_are_there.wait(180)
                with suppress(NotInClub):  # she has just left
                    act(club)
        except BaseException:
            both_are_there.abort()  # or the other would wait
            raise
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as devices:
        leaving = devices.submit(do_in_all, lambda club: membership.leave(club.pk, alice, NOON))
        handing = devices.submit(do_in_all, lambda club: membership.manage(club.pk, alice, "hand_over", "bob", NOON))
        for done in (leaving, handing):
            done.result()
    assert {(one.player.username, one.role) for club in clubs for one in roster_of(club)} == {("bob", Role.OWNER)}
