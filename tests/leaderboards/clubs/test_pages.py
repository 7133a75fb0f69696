"""The pages of clubs, as two newcomers and a stranger see them."""

from __future__ import annotations

import pytest
from django.test import Client

from games.players.models import Player
from leaderboards.clubs.models import Club
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, Finish, named, submit_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]
FORM = {"name": "Oxbow Club", "middle": "s", "above": "c", "colour": "red", "admission": "request"}


def browser_of(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def test_two_players_found_and_join_a_club_by_its_letters(alice: Player, bob: Player) -> None:
    founder, friend = browser_of(alice), browser_of(bob)
    page = founder.post("/clubs/new/", FORM)
    club = Club.objects.get()
    assert (page.status_code, page["Location"]) == (303, f"/clubs/{club.pk}/")
    assert club.code in founder.get(f"/clubs/{club.pk}/").content.decode()
    assert club.code not in Client().get(f"/clubs/{club.pk}/").content.decode()
    link = friend.get("/clubs/join/", {"code": club.code.lower()})["Location"]
    assert "Ask to join" in friend.get(link).content.decode()
    friend.post(link)
    assert "Take the request back" in friend.get(f"/clubs/{club.pk}/").content.decode()
    founder.post(f"/clubs/{club.pk}/", {"act": "admit", "handle": "bob"})
    assert "Oxbow Club" in friend.get("/clubs/").content.decode()
    assert friend.get(link)["Location"] == f"/clubs/{club.pk}/"


def test_wrong_letters_of_a_club_lead_to_the_field_for_others(client: Client) -> None:
    answered = client.get("/clubs/join/BBBBBB/")
    assert (answered.status_code, 'id="club-code"' in answered.content.decode()) == (404, True)


def test_a_refused_form_leads_back_to_its_club(club: Club, alice: Player) -> None:
    answered = browser_of(alice).post(f"/clubs/{club.pk}/", {"act": "invite", "handle": "nobody-here"})
    assert (answered.status_code, f'href="/clubs/{club.pk}/"' in answered.content.decode()) == (404, True)


def test_the_last_who_leaves_a_club_comes_to_all_clubs_and_those_before_to_its_page(
    club: Club, alice: Player, bob: Player
) -> None:
    left = [browser_of(player).post(f"/clubs/{club.pk}/", {"act": "leave"})["Location"] for player in (alice, bob)]
    assert left == [f"/clubs/{club.pk}/", "/clubs/"]


def test_the_last_member_reads_that_the_club_ends(club: Club, alice: Player, bob: Player) -> None:
    warning = "You are its last member, so it ends with you."
    assert warning not in browser_of(bob).get(f"/clubs/{club.pk}/").text
    browser_of(alice).post(f"/clubs/{club.pk}/", {"act": "leave"})
    assert warning in browser_of(bob).get(f"/clubs/{club.pk}/").text


def test_a_form_with_a_bad_name_says_why_and_keeps_what_was_typed(alice: Player) -> None:
    page = browser_of(alice).post("/clubs/new/", {**FORM, "name": "Moderators"})
    assert page.status_code == 409
    assert 'value="Moderators"' in page.content.decode()
    assert not Club.objects.exists()


def test_the_page_has_the_table_of_the_members(club: Club, bob: Player, finish: Finish) -> None:
    submit_score(finish(bob), NOON)
    submit_score(finish(named("carol")), NOON)
    page = Client().get(f"/clubs/{club.pk}/", {"board": FEWEST_MOVES}).content.decode()
    table = page[page.index("<tbody>") : page.index("</tbody>")]
    assert "Bob" in table
    assert "Carol" not in table


def test_a_stranger_decides_nothing(club: Club, bob: Player) -> None:
    for browser in (Client(), browser_of(named("mallory")), browser_of(bob)):
        browser.post(f"/clubs/{club.pk}/", {"act": "remove", "handle": "alice"})
        assert browser.post(f"/clubs/{club.pk}/terms/", FORM).status_code in {302, 409}
    assert club.memberships.filter(left_at=None).count() == 2
    club.refresh_from_db()
    assert club.emblem == "sc-blue"


def test_what_is_not_there_is_not_there() -> None:
    for address in ("nowhere", "join/BBBBBB"):
        assert Client().get(f"/clubs/{address}/").status_code == 404


def test_a_member_beyond_the_first_rows_is_shown_among_the_neighbours(
    club: Club, alice: Player, bob: Player, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboards.clubs.table_pages.ROWS", 1)
    for player, moves in ((bob, 30), (named("mallory"), 35), (alice, 40)):
        submit_score(finish(player, moves=moves), NOON)
    page = browser_of(alice).get(f"/clubs/{club.pk}/", {"board": FEWEST_MOVES}).content.decode()
    first, beyond = page.split("<tbody>")[1:3]
    assert ('<a href="/players/bob/">' in first, "alice" in first.partition("</tbody>")[0]) == (True, False)
    assert '<tr class="you"><td class="rank"><i class="medal silver">2</i>' in beyond
