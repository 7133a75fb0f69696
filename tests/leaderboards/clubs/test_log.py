"""The log of a club: everything for those who lead it, what changed the club for members, nothing for strangers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games.players.models import Player
from leaderboards.clubs.founding import change
from leaderboards.clubs.log import DUELS
from leaderboards.clubs.membership import join, leave, manage
from leaderboards.clubs.models import Club
from leaderboards.clubs.words import ACTS
from tests.games.api import Api, refusal
from tests.leaderboards.clubs.conftest import terms
from tests.leaderboards.clubs.test_pages import browser_of
from tests.leaderboards.conftest import NOON, named

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]


@pytest.fixture
def eventful(club: Club, alice: Player, bob: Player) -> Club:
    """A club in which everything was done, whose only other member at the end is bob."""
    change(club.pk, alice, terms(admission="request"), NOON)
    carol, dave, erin = named("carol"), named("dave"), named("erin")
    for player in (carol, dave):
        join(club.pk, player, NOON - timedelta(hours=2))
    acts = [("admit", "carol"), ("decline", "dave"), ("invite", "dave"), ("appoint", "carol"), ("demote", "carol")]
    acts += [("remove", "carol"), ("ban", "erin"), ("unban", "erin"), ("invite", "erin")]
    for minutes, (act, handle) in enumerate(acts):
        manage(club.pk, alice, act, handle, NOON - timedelta(hours=1, minutes=-minutes))
    join(club.pk, erin, NOON)
    manage(club.pk, alice, "ban", "erin", NOON)
    join(club.pk, dave, NOON)
    leave(club.pk, dave, NOON)
    return club


def lines(club: Club, reader: Player) -> list[Any]:
    """Return the lines of the log, the oldest first."""
    found, address = list[Any](), f"/api/clubs/{club.pk}/log/"
    while address:
        page = Api(reader).get(address).json()
        found += page["lines"]
        address = page["next"]
    return found[::-1]


def told(club: Club, reader: Player) -> list[tuple[str, str | None, str | None]]:
    def name(player: Any) -> str | None:
        return str(player["handle"]) if player else None

    return [(line["act"], name(line["by"]), name(line["about"])) for line in lines(club, reader)]


def test_a_member_reads_what_changed_the_club(eventful: Club, bob: Player) -> None:
    assert told(eventful, bob) == [
        ("founded", "alice", "alice"),
        ("joined", "bob", "bob"),
        ("changed", "alice", None),
        ("joined", "carol", "carol"),
        ("appoint", "alice", "carol"),
        ("demote", "alice", "carol"),
        ("left", "carol", "carol"),
        ("joined", "erin", "erin"),
        ("left", "erin", "erin"),
        ("joined", "dave", "dave"),
        ("left", "dave", "dave"),
    ]


def test_those_who_lead_the_club_read_everything(eventful: Club, alice: Player, bob: Player) -> None:
    acts = {act for act, _, _ in told(eventful, alice)}
    assert acts == set(ACTS) - {"hand_over", *DUELS}
    assert ("ban", "alice", "erin") in told(eventful, alice)
    manage(eventful.pk, alice, "hand_over", "bob", NOON)
    assert told(eventful, alice) == told(eventful, bob)
    assert len(told(eventful, bob)) == eventful.acts.count()


def _list_of(page: Any) -> str:
    return str(page.content.decode().split('<ul class="dots members">')[1].split("</ul>")[0])


def test_strangers_and_those_who_left_read_nothing(eventful: Club) -> None:
    address = f"/api/clubs/{eventful.pk}/log/"
    assert refusal(Api().get(address)) == (401, "not_signed_in")
    for handle in ("mallory", "carol", "erin"):
        player = Player.objects.filter(username=handle).first() or named(handle)
        assert refusal(Api(player).get(address)) == (409, "not_in_club")
        assert browser_of(player).get(f"/clubs/{eventful.pk}/log/").status_code == 409
    assert Client().get(f"/clubs/{eventful.pk}/log/").status_code == 302
    assert refusal(Api(named("frank")).get(f"/api/clubs/{'0' * 12}/log/")) == (404, "unknown_club")


def test_pages_neither_skip_nor_repeat(
    eventful: Club, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = lines(eventful, alice), lines(eventful, bob)
    monkeypatch.setattr("leaderboards.clubs.history_wire.LINES", 3)
    assert (lines(eventful, alice), lines(eventful, bob)) == whole


def test_the_page_says_it_in_words(eventful: Club, alice: Player, bob: Player) -> None:
    Player.objects.get(username="carol").delete()
    for reader in (alice, bob):
        page = _list_of(browser_of(reader).get(f"/clubs/{eventful.pk}/log/"))
        assert ("banned" in page) == (reader == alice)
        assert "a deleted account an officer." in page
    assert browser_of(bob).get(f"/clubs/{eventful.pk}/log/", {"before": "-1"}).status_code == 200
