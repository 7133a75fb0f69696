"""A socket lives no longer than the key that opened it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from threading import Event
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import InterfaceError, OperationalError, transaction
from django.db import connection as db_connection
from django.test import Client as Browser
from django.test import RequestFactory
from django.utils import timezone
from knox.models import AuthToken

from games.accounts.accounts import sign_out
from games.accounts.passwords import set_password
from games.keys import sockets
from games.keys.authentication import (
    Visitor,
    issue_ticket,
    key_of_session,
    key_of_token,
    revoked_among,
    ticket_holder,
    visitor_of,
)
from games.keys.models import BrowserSession
from games.keys.tokens import issue_token, token_holder
from games.play.models import Game
from games.players.models import Player
from games.runtime.memory import forget_everything
from tests.games.conftest import MakeGame
from tests.games.play.test_socket import DECK
from tests.games.sockets import Client, connected

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("_no_deadline")]


@asynccontextmanager
async def playing(game: Game, header: tuple[bytes, bytes] | None = None, query: str = "") -> AsyncIterator[Client]:
    async with connected(f"/ws/games/{game.id}/{query}", [header] if header else []) as client:
        assert (await client.receive())["type"] == "state"
        yield client


async def token_of(player: Player) -> tuple[str, tuple[bytes, bytes]]:
    token = (await sync_to_async(issue_token)(player)).token
    return token, (b"authorization", f"Bearer {token}".encode())


async def test_signing_out_closes_the_sockets_of_that_token_and_no_others(practice: MakeGame, alice: Player) -> None:
    (token, header), (_, other) = await token_of(alice), await token_of(alice)
    async with playing(await practice(DECK), header) as phone, playing(await practice(DECK), other) as laptop:
        await sync_to_async(sign_out)(alice, token)
        assert await phone.close_code() == 4401
        assert (await laptop.play("D"))["type"] == "played"


async def test_signing_out_everywhere_closes_them_all(practice: MakeGame, alice: Player, bob: Player) -> None:
    (token, header), game = await token_of(alice), await practice(DECK)
    ticket = issue_ticket(alice)
    async with (
        playing(game, header) as phone,
        playing(await practice(DECK), query=f"?ticket={ticket}") as laptop,
        playing(game, query=f"?ticket={issue_ticket(bob)}") as watcher,
    ):
        await sync_to_async(sign_out)(alice, token, everywhere=True)
        assert await phone.close_code() == 4401
        assert await laptop.close_code() == 4401
        assert (await watcher.ask("ping"))["type"] == "pong"


async def test_a_changed_password_closes_the_sockets_of_all_keys(practice: MakeGame, alice: Player) -> None:
    (token, header), cookie_of = await token_of(alice), Browser()
    await sync_to_async(cookie_of.force_login)(alice)
    cookie = (b"cookie", f"sessionid={cookie_of.cookies['sessionid'].value}".encode())
    async with playing(await practice(DECK), header) as phone, playing(await practice(DECK), cookie) as laptop:
        request = RequestFactory().post("/")
        await sync_to_async(set_password)(await Player.objects.aget(pk=alice.pk), "staple the horse to it", request)
        assert await phone.close_code() == 4401
        assert await laptop.close_code() == 4401
    assert await sync_to_async(token_holder)(token) is None


async def test_signing_out_everywhere_ends_browsers_and_tickets_too(practice: MakeGame, alice: Player) -> None:
    laptop, phone = Browser(), Browser()
    for browser in (laptop, phone):
        await sync_to_async(browser.force_login)(alice)
    cookie = (b"cookie", f"sessionid={phone.cookies['sessionid'].value}".encode())
    game, ticket = await practice(DECK), issue_ticket(alice, key_of_session("of another browser"))
    async with playing(game, cookie) as client:
        await sync_to_async(laptop.post)("/account/sign-out/", {"everywhere": "yes"})
        assert await client.close_code() == 4401
    for query, headers in ((f"?ticket={ticket}", []), ("", [cookie])):
        async with connected(f"/ws/games/{game.id}/{query}", headers) as client:
            assert await client.close_code() == 4401
    assert (await sync_to_async(phone.get)("/api/me/")).status_code == 401
    await sync_to_async(phone.force_login)(await Player.objects.aget(pk=alice.pk))
    assert (await sync_to_async(phone.get)("/api/me/")).status_code == 200


async def test_a_browser_that_signs_out_leaves_the_others_signed_in(alice: Player) -> None:
    laptop, phone = Browser(), Browser()
    for browser in (laptop, phone):
        await sync_to_async(browser.force_login)(alice)
    await sync_to_async(laptop.post)("/account/sign-out/")
    assert (await sync_to_async(phone.get)("/api/me/")).status_code == 200


async def test_a_ticket_ends_with_the_password(alice: Player) -> None:
    ticket = issue_ticket(alice)
    alice.set_password("another one altogether")
    await alice.asave()
    assert (await sync_to_async(ticket_holder)(ticket)).player is None


async def test_a_key_that_is_taken_back_while_a_socket_opens_does_not_open_it(
    practice: MakeGame, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    (token, header), game, asked = await token_of(alice), await practice(DECK), []

    async def visitor_just_before(scope: dict[str, Any]) -> Visitor:
        visitor = await visitor_of(scope)
        asked.append(visitor)
        if len(asked) == 1:
            await sync_to_async(sign_out)(alice, token)
        return visitor

    monkeypatch.setattr(sockets, "visitor_of", visitor_just_before)
    forget_everything()  # a token that is known at once is not asked about
    async with connected(f"/ws/games/{game.id}/", [header]) as client:
        assert await client.close_code() == 4401
    assert [visitor.player for visitor in asked] == [alice, None]


async def test_a_browser_that_signs_out_loses_its_socket(practice: MakeGame, alice: Player) -> None:
    browser = Browser()
    await sync_to_async(browser.force_login)(alice)
    cookie = (b"cookie", f"sessionid={browser.cookies['sessionid'].value}".encode())
    async with playing(await practice(DECK), cookie) as client:
        await sync_to_async(browser.post)("/account/sign-out/")
        assert await client.close_code() == 4401


async def test_an_account_that_is_closed_loses_its_sockets(practice: MakeGame, alice: Player) -> None:
    async with playing(await practice(DECK), query=f"?ticket={issue_ticket(alice)}") as client:
        alice.is_active = False
        await alice.asave()
        assert await client.close_code() == 4401


async def test_a_socket_that_opens_before_a_closed_account_is_committed_is_closed_then(
    practice: MakeGame, alice: Player
) -> None:
    (_, header), game, saved, may_commit = await token_of(alice), await practice(DECK), Event(), Event()

    def close_account() -> None:
        try:
            with transaction.atomic():
                alice.is_active = False
                alice.save()
                saved.set()
                may_commit.wait(60)
        finally:
            db_connection.close()

    async with playing(game, header):
        pass  # the clock runs: what follows writes nothing, which it could not beside the transaction
    closing = asyncio.create_task(asyncio.to_thread(close_account))
    await asyncio.to_thread(saved.wait, 60)
    async with playing(game, header) as client:
        may_commit.set()
        await closing
        assert await client.close_code() == 4401


ENDINGS: dict[str, Callable[[Player], object]] = {
    "token": lambda alice: AuthToken.objects.filter(user=alice).update(expiry=timezone.now()),
    "session": lambda alice: BrowserSession.objects.filter(player=alice).update(expire_date=timezone.now()),
    "ticket": lambda alice: Player.objects.filter(pk=alice.pk).update(is_active=False),
}


@pytest.mark.parametrize("key", ENDINGS)
async def test_a_socket_whose_key_ends_without_a_notice_is_closed_after_a_while(
    practice: MakeGame, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    errors = iter([OperationalError("no connection"), InterfaceError("the connection is closed")])

    def fail_at_first(visitors: set[tuple[int, str]]) -> set[tuple[int, str]]:
        if error := next(errors, None):
            raise error
        return revoked_among(visitors)

    monkeypatch.setattr(sockets, "revoked_among", fail_at_first)
    monkeypatch.setattr(sockets, "KEYS_SECONDS", 0.01)
    browser = Browser()
    await sync_to_async(browser.force_login)(alice)
    cookie = (b"cookie", f"sessionid={browser.cookies['sessionid'].value}".encode())
    (_, header), game = await token_of(alice), await practice(DECK)
    headers = {"token": header, "session": cookie}
    async with (
        playing(game, headers.get(key), "" if key in headers else f"?ticket={issue_ticket(alice)}") as client,
        playing(game, query=f"?ticket={issue_ticket(bob)}") as watcher,
    ):
        await sync_to_async(ENDINGS[key])(alice)
        assert await client.close_code() == 4401
        assert (await watcher.ask("ping"))["type"] == "pong"
    assert next(errors, None) is None


async def test_a_ticket_ends_with_the_token_that_it_was_asked_with(practice: MakeGame, alice: Player) -> None:
    token, _ = await token_of(alice)
    ticket, game = issue_ticket(alice, key_of_token(token)), await practice(DECK)
    async with playing(game, query=f"?ticket={ticket}") as client:
        await sync_to_async(sign_out)(alice, token)
        assert await client.close_code() == 4401
    async with connected(f"/ws/games/{game.id}/?ticket={ticket}", []) as client:
        assert await client.close_code() == 4401


async def test_a_ticket_ends_with_the_session_that_it_was_asked_with(alice: Player) -> None:
    browser = Browser()
    await sync_to_async(browser.force_login)(alice)
    asked = await sync_to_async(browser.post)("/api/tickets/", content_type="application/json")
    ticket = asked.json()["ticket"]
    assert (await sync_to_async(ticket_holder)(ticket)).player == alice
    await sync_to_async(browser.post)("/account/sign-out/")
    assert (await sync_to_async(ticket_holder)(ticket)).player is None


async def test_an_empty_ticket_does_not_fall_back_to_the_session(practice: MakeGame, alice: Player) -> None:
    browser = Browser()
    await sync_to_async(browser.force_login)(alice)
    cookie = (b"cookie", f"sessionid={browser.cookies['sessionid'].value}".encode())
    async with connected(f"/ws/games/{(await practice(DECK)).id}/?ticket=", [cookie]) as client:
        assert await client.close_code() == 4401
