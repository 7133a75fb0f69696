"""Sockets know their visitors, and have their keys checked together."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.keys import sockets
from games.keys.sockets import KeyCheck, VisitorConnection
from games.keys.tokens import issue_token
from games.players.devices import Seen, players_seen, tell_of_visit
from games.players.models import Player
from games.runtime import log_context


async def served(scope: dict[str, Any], talk: Callable[[VisitorConnection], Awaitable[None]]) -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(event: dict[str, Any]) -> None:
        pass

    more = {"query_string": b"", "client": ("203.0.113.7", 4), "url_route": {"kwargs": {"game_id": "hgkpcm83byqh"}}}
    await sockets.serve(scope | more, receive, send, talk)


def session_of(player: Player) -> str:
    browser = Client()
    browser.force_login(player)
    return browser.cookies["sessionid"].value


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_session", [True, False])
async def test_the_log_of_a_socket_names_its_player_and_where_it_was_opened_is_reported(
    alice: Player, *, has_session: bool
) -> None:
    mark = secrets.token_urlsafe(16)
    headers = [(b"cookie", f"device={mark}".encode())]
    if has_session:
        headers = [(b"cookie", f"device={mark}; sessionid={await sync_to_async(session_of)(alice)}".encode())]
    else:
        headers.append((b"authorization", f"Bearer {(await sync_to_async(issue_token)(alice)).token}".encode()))
    seen: list[tuple[int, str, str]] = []
    known: list[object] = []

    def note(visits: Sequence[Seen], **signal: Any) -> None:
        seen.extend((visit.player, visit.address, visit.device) for visit in visits)

    async def talk(connection: VisitorConnection) -> None:
        fields = log_context.fields()
        known.extend([connection.visitor.player, fields["player"], fields["game"], connection.scope["headers"]])

    players_seen.connect(note)
    try:
        await served({"headers": headers}, talk)
    finally:
        players_seen.disconnect(note)
    assert known == [alice, alice.pk, "hgkpcm83byqh", []]
    # A program could send the mark of anyone together with the token of its player.
    assert seen == [(alice.pk, "203.0.113.7", mark if has_session else "")]


@pytest.mark.django_db(transaction=True)
async def test_sockets_that_open_at_the_same_moment_are_reported_together_and_none_from_nowhere(
    alice: Player, bob: Player
) -> None:
    reports: list[Sequence[Seen]] = []

    def note(visits: Sequence[Seen], **signal: Any) -> None:
        reports.append(visits)

    def opened_from(address: str) -> dict[str, Any]:
        return {"headers": [], "client": (address, 4)}

    players_seen.connect(note)
    try:
        places = [opened_from("203.0.113.8"), opened_from("203.0.113.9"), opened_from("127.0.0.1")]
        await asyncio.gather(*(tell_of_visit(player, place) for player in (alice, bob) for place in places))
    finally:
        players_seen.disconnect(note)
    [together] = reports
    assert [(visit.player, visit.address) for visit in together] == [
        (player.pk, address) for player in (alice, bob) for address in ("203.0.113.8", "203.0.113.9")
    ]


async def test_all_sockets_of_an_event_loop_have_their_keys_checked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[KeyCheck] = []

    async def check(one: KeyCheck) -> None:
        checked.append(one)

    monkeypatch.setattr(sockets, "KEYS_SECONDS", 0)
    monkeypatch.setattr(KeyCheck, "_check", check)
    keys = KeyCheck()
    keys.plan()
    keys.plan()
    for _ in range(5):
        await asyncio.sleep(0)
    assert checked == [keys]
