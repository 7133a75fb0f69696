"""The pages about a player's bots, and what profiles say of bots and their owners."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from django.test import Client

from games.players.models import Player
from tests.games.accounts.test_pages import said
from tests.games.conftest import PASSWORD
from tests.games.site.test_pages import _Inline

BOT = {"handle": "deep-thirteen", "display_name": "<i>Deep</i>"}
BOTS, ONE, DELETE = "/account/bots/", "/account/bots/deep-thirteen/", "/account/bots/deep-thirteen/delete/"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fast_hashes")]


def token_in(page: str) -> str:
    (token,) = re.findall(r"<code>([0-9a-f]{64})</code>", page)
    return str(token)


def handle_of(token: str) -> str | None:
    answer = Client().get("/api/me/", headers={"authorization": f"Bearer {token}"})
    return answer.json()["handle"] if answer.status_code == 200 else None


def test_a_bot_is_made_and_its_token_is_shown_once(client: Client, carol: Player) -> None:
    assert "You have no bots." in said(client.get(BOTS))
    made = client.post(BOTS, BOT)
    token = token_in(said(made))
    assert "no-store" in made["Cache-Control"]
    again = said(client.get(BOTS))
    assert token not in again
    assert "&lt;i&gt;Deep&lt;/i&gt;" in again
    assert handle_of(token) == "deep-thirteen"
    assert Player.objects.get(username="deep-thirteen").owner == carol


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"handle": ""}, "This field is required."),
        ({"handle": "no"}, "A handle has 3 to 32 lower-case letters"),
        ({"handle": "carol"}, "This handle is taken."),
        ({"handle": "admin"}, "This handle is reserved."),
        ({"display_name": "Admin"}, "could be mistaken for the server"),
    ],
)
def test_a_bot_that_is_refused_says_why(client: Client, carol: Player, asked: dict[str, str], reason: str) -> None:
    assert reason in said(client.post(BOTS, BOT | asked))
    assert not carol.bots.exists()


def test_the_sixth_bot_is_refused_in_words(client: Client, carol: Player) -> None:
    for number in range(5):
        client.post(BOTS, {"handle": f"robot-{number:03}"})
    page = said(client.post(BOTS, BOT))
    assert "You own as many bots as you may. Delete one first." in page
    assert "You may own 5 bots." in page
    assert carol.bots.count() == 5


def test_tokens_of_a_bot_are_made_and_ended_on_its_page(client: Client, carol: Player) -> None:
    first = token_in(said(client.post(BOTS, BOT)))
    second = token_in(said(client.post(ONE, {"name": "laptop", "scopes": ["read", "play", "account"]})))
    assert handle_of(second) == "deep-thirteen"
    page = said(client.get(ONE))
    assert second not in page
    ids = re.findall(r'name="end" value="(\w+)"', page)
    assert len(ids) == 2
    for key in ids:
        assert client.post(ONE, {"end": key})["Location"] == ONE
    assert "It has ended." in said(client.get(ONE))
    assert (handle_of(first), handle_of(second)) == (None, None)
    client.post(ONE, {"end": ids[0]})
    assert "It had already ended." in said(client.get(ONE))


def test_a_bot_is_deleted_after_a_yes_and_the_password_of_its_owner(client: Client, carol: Player) -> None:
    client.post(BOTS, BOT)
    assert "This is not your password." in said(client.post(DELETE, {"confirm": "on", "password": "a guess"}))
    assert "This field is required." in said(client.post(DELETE, {"password": PASSWORD}))
    assert carol.bots.exists()
    assert client.post(DELETE, {"confirm": "on", "password": PASSWORD})["Location"] == BOTS
    page = said(client.get(BOTS))
    assert "&lt;i&gt;Deep&lt;/i&gt; is deleted." in page
    assert "You have no bots." in page
    assert client.get(ONE).status_code == 404
    assert client.get("/account/").status_code == 200


@pytest.mark.parametrize("address", [ONE, DELETE])
def test_there_is_no_page_about_somebody_elses_bot(client: Client, carol: Player, staff: Player, address: str) -> None:
    client.post(BOTS, BOT)
    evil = Client()
    evil.force_login(staff)
    assert evil.get(address).status_code == 404
    for form in ({"name": "mine"}, {"end": "0" * 16}, {"confirm": "on", "password": PASSWORD}):
        assert evil.post(address, form).status_code == 404
    assert carol.bots.get().is_active


@pytest.mark.parametrize("address", [BOTS, ONE, DELETE])
def test_these_pages_are_for_named_players_and_not_for_other_sites(
    client: Client, carol: Player, alice: Player, address: str
) -> None:
    client.post(BOTS, BOT)
    assert Client().get(address)["Location"] == f"/account/sign-in/?{urlencode({'next': address})}"
    guest = Client()
    guest.force_login(alice)
    assert guest.get(address)["Location"] == f"/account/claim/?{urlencode({'next': address})}"
    forging = Client(enforce_csrf_checks=True)
    forging.force_login(carol)
    assert forging.post(address, BOT | {"name": "x"}).status_code == 403
    response, inline = client.get(address), _Inline()
    inline.feed(said(response))
    assert inline.found == []
    assert "no-store" in response["Cache-Control"]


def test_a_bot_that_is_signed_in_is_told_that_it_owns_none(client: Client) -> None:
    client.force_login(Player.objects.create_user(username="robot", is_bot=True))
    assert BOTS not in said(client.get("/account/"))
    assert "Bots and banned players cannot own bots." in said(client.post(BOTS, BOT))


def test_profiles_name_the_owner_and_the_bots_until_either_account_is_closed(client: Client, carol: Player) -> None:
    client.post(BOTS, BOT)
    bot = Player.objects.get(username="deep-thirteen")
    assert 'a bot of <a href="/players/carol/"><bdi>Carol</bdi></a>' in said(client.get("/players/deep-thirteen/"))
    assert '<a href="/players/deep-thirteen/"><bdi>&lt;i&gt;Deep&lt;/i&gt;</bdi></a>' in said(
        Client().get("/players/carol/")
    )
    Player.objects.filter(pk=carol.pk).update(is_active=False)
    page = said(client.get("/players/deep-thirteen/"))
    assert "a bot" in page
    assert "Carol" not in page
    Player.objects.filter(pk=carol.pk).update(is_active=True)
    Player.objects.filter(pk=bot.pk).update(is_active=False)
    assert "deep-thirteen" not in said(Client().get("/players/carol/"))


def test_whoever_deletes_an_account_is_told_of_the_bots(client: Client, carol: Player) -> None:
    assert "Your bots are deleted with it." not in said(client.get("/account/delete/"))
    client.post(BOTS, BOT)
    assert "Your bots are deleted with it." in said(client.get("/account/delete/"))
