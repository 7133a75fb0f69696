"""The sockets of a club's races and tournaments end for those who are not in the club any more."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from asgiref.sync import sync_to_async

from games.cups.hosting import Terms, announce
from games.cups.models import Cup
from games.cups.signups import sign_up
from games.keys.authentication import issue_ticket
from games.players.models import Player
from games.races import feed, rooms
from leaderboards.clubs.membership import leave, manage
from leaderboards.clubs.models import Club, Role
from tests.games.sockets import Client, connected
from tests.leaderboards.conftest import named

pytestmark = pytest.mark.django_db(transaction=True)
NOT_FOUND = 4404


@pytest.fixture
def people() -> dict[str, Player]:
    return {handle: named(handle) for handle in ("olga", "mia", "mallory")}


@pytest.fixture
def club(people: dict[str, Player]) -> Club:
    """A club of Olga, Mia and Mallory."""
    now = datetime.now(UTC)
    club = Club.objects.create(name="Oxbow Club", name_key="oxbow", emblem="sc-blue", admission="open", founded_at=now)
    for handle, player in people.items():
        role = Role.OWNER if handle == "olga" else Role.MEMBER
        club.memberships.create(player=player, role=role, joined_at=now)
    return club


@asynccontextmanager
async def at(path: str, player: Player) -> AsyncIterator[Client]:
    ticket = await sync_to_async(issue_ticket)(player)
    async with connected(f"{path}?ticket={ticket}", [], about="race" if "races" in path else "cup") as client:
        yield client


async def closed_with(client: Client) -> int:
    """Return the code with which a socket is closed, whatever comes before."""
    while (event := await client.socket.receive_output(timeout=180))["type"] != "websocket.close":
        pass
    return int(event["code"])


@pytest.mark.parametrize("how", ["leaves", "removed", "banned"])
async def test_mallory_watches_no_race_of_a_club_that_mallory_is_in_no_longer_and_mia_goes_on(
    club: Club, people: dict[str, Player], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.5)
    now = datetime.now(UTC)
    race = await sync_to_async(rooms.create_race)(people["olga"], rooms.Terms("standard", circle=club.pk), now)
    path = f"/ws/races/{race.pk}/"
    async with at(path, people["mallory"]) as mallorys, at(path, people["mia"]) as mias:
        assert [(await client.receive())["type"] for client in (mallorys, mias)] == ["room", "room"]
        if how == "leaves":
            await sync_to_async(leave)(club.pk, people["mallory"], now)
        else:
            act = "remove" if how == "removed" else "ban"
            await sync_to_async(manage)(club.pk, people["olga"], act, "mallory", now)
        assert await closed_with(mallorys) == NOT_FOUND
        await mias.send('{"type": "ping", "id": 1}')
        while (await mias.receive())["type"] != "pong":
            pass


async def test_mallory_hears_no_more_of_a_tournament_of_a_club_that_mallory_has_left(
    club: Club, people: dict[str, Player]
) -> None:
    now = datetime.now(UTC)
    terms = Terms("Oxbow Open", "standard", now + timedelta(hours=1), circle=club.pk)
    cup: Cup = await sync_to_async(announce)(people["olga"], terms, now)
    path = f"/ws/cups/{cup.pk}/1/"
    async with at(path, people["mallory"]) as mallorys, at(path, people["mia"]) as mias:
        assert [(await client.receive())["type"] for client in (mallorys, mias)] == ["bracket", "bracket"]
        await sync_to_async(leave)(club.pk, people["mallory"], now)
        await sync_to_async(sign_up)(cup.pk, people["mia"], now)
        assert (await mias.receive())["type"] == "bracket"
        event = await mallorys.socket.receive_output(timeout=180)
        assert (event["type"], event.get("code")) == ("websocket.close", NOT_FOUND)
