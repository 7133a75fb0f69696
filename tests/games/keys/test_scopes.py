"""Tokens for some things only: every operation and socket names the scope that it needs, and refuses others."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.doors.scopes import EVERYTHING, FOR_APPS, Scope, Scopes, scopes_in
from games.keys.keys import make_token
from games.players.models import Player
from tests.games.accounts.test_pages import said
from tests.games.api import Api, openapi, refusal
from tests.games.sockets import connected
from tests.pyramid_server.test_http import ask

MISSING = (403, "missing_scope")
NO_SCOPE = 4406
ONLY_READ = frozenset({Scope.READ})

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("_no_deadline")]


def with_token(player: Player, *scopes: Scope) -> Api:
    api = Api()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(player, 'a program', frozenset(scopes)).token}")
    return api


def scoped_operations() -> list[tuple[str, str, Scope]]:
    return [
        (method, re.sub(r"\{\w+\}", "1", path), Scope(operation["x-scope"]))
        for path, operations in openapi()["paths"].items()
        for method, operation in operations.items()
        if "x-scope" in operation
    ]


def test_every_operation_that_knows_players_refuses_a_token_without_its_scope_and_names_it(alice: Player) -> None:
    tokens = {scope: make_token(alice, "x", EVERYTHING - {scope}).token for scope in Scope}
    for method, path, scope in scoped_operations():
        answer = Client().generic(method.upper(), path, headers={"authorization": f"Bearer {tokens[scope]}"})
        assert refusal(answer) == MISSING, (method, path)
        assert answer.json()["scope"] == scope
        assert answer["WWW-Authenticate"] == f'Bearer error="insufficient_scope", scope="{scope}"'
    assert len(scoped_operations()) > 80


def test_the_document_names_the_scope_of_each_operation_also_where_generators_look_for_it() -> None:
    for operations in openapi()["paths"].values():
        for operation in operations.values():
            named = [key["bearerToken"] for key in operation.get("security", ()) if "bearerToken" in key]
            assert named == ([[operation["x-scope"]]] if "x-scope" in operation else [])
            of_apps = [key["oauth2"] for key in operation.get("security", ()) if "oauth2" in key]
            assert of_apps == (named if operation.get("x-scope") in FOR_APPS else [])


def test_the_document_says_where_apps_get_tokens_and_what_each_scope_allows() -> None:
    flow = openapi()["components"]["securitySchemes"]["oauth2"]["flows"]["authorizationCode"]
    assert list(flow["scopes"]) == list(FOR_APPS)
    known = Client().get("/.well-known/oauth-authorization-server").json()
    assert known["authorization_endpoint"] == f"http://testserver{flow['authorizationUrl']}"
    assert known["token_endpoint"] == f"http://testserver{flow['tokenUrl']}" == f"http://testserver{flow['refreshUrl']}"


def test_a_token_made_for_some_things_does_them_and_no_more(as_carol: Api) -> None:
    made = as_carol.post("/api/me/keys/", {"name": "Widget", "scopes": ["read"]})
    api = Api()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {made.json()['token']}")
    assert api.get("/api/me/").json()["handle"] == "carol"
    assert refusal(api.post("/api/games/", {"kind": "practice", "rules": "relaxed"})) == MISSING
    assert refusal(api.post("/api/me/keys/", {"name": "more", "scopes": ["account"]})) == MISSING
    listed = {key["name"]: key["scopes"] for key in as_carol.get("/api/me/keys/").json()["keys"]}
    assert listed == {"Widget": ["read"], "": [scope.value for scope in Scope]}


@pytest.mark.parametrize("scopes", [[], ["everything"], "read", ["read", None]])
def test_scopes_that_are_none_make_no_token(as_carol: Api, scopes: object) -> None:
    assert refusal(as_carol.post("/api/me/keys/", {"name": "x", "scopes": scopes})) == (400, "invalid_request")


@pytest.mark.parametrize(("text", "scopes"), [("", set()), ("read  admin", {Scope.READ}), ("*", set())])
def test_words_that_are_no_scopes_give_no_right(text: str, scopes: Scopes) -> None:
    assert scopes_in(text) == scopes


@pytest.mark.usefixtures("views", "clock")
async def test_the_event_loop_starts_no_game_for_a_token_that_may_not_play(alice: Player, dailies: None) -> None:
    body = json.dumps({"kind": "daily", "rules": "standard"}).encode()
    may, may_not = [
        (await sync_to_async(make_token)(alice, "x", scopes)).token for scopes in (frozenset({Scope.PLAY}), ONLY_READ)
    ]
    statuses = [
        (await ask("/api/games/", body, authorization=f"Bearer {token}"))[0] for token in (may_not, may, may, may_not)
    ]
    assert statuses == [403, 201, 200, 403]


async def opened(path: str, player: Player, scopes: Scopes, about: str = "game") -> Any:
    """Return the first message on a socket, or its close code."""
    token = (await sync_to_async(make_token)(player, "x", scopes)).token
    async with connected(path, [(b"authorization", f"Bearer {token}".encode())], about) as client:
        event = await client.socket.receive_output(5)
        return event.get("code") or json.loads(event["text"])["type"], event.get("reason")


@pytest.mark.parametrize(
    ("path", "needed", "first"),
    [
        ("/ws/games/{game}/", Scope.PLAY, "state"),
        ("/ws/daily/standard/", Scope.PLAY, "state"),
        ("/ws/me/", Scope.NOTIFICATIONS, "news"),
        ("/ws/boards/all-time.standard.open.fastest/", Scope.READ, "table"),
    ],
)
@pytest.mark.usefixtures("clock")
async def test_a_socket_is_closed_with_the_scope_that_the_token_lacks(
    alice: Player, alices_game: str, dailies: None, path: str, needed: Scope, first: str
) -> None:
    path = path.format(game=alices_game)
    assert await opened(path, alice, EVERYTHING - {needed}) == (NO_SCOPE, f"scope={needed}")
    assert await opened(path, alice, frozenset({needed, Scope.READ})) == (first, None)


async def test_a_ticket_has_the_scopes_of_the_token_that_it_was_made_with(alice: Player, alices_game: str) -> None:
    def ticket() -> str:
        return str(with_token(alice, Scope.READ).post("/api/tickets/", {}).json()["ticket"])

    async with connected(f"/ws/games/{alices_game}/?ticket={await sync_to_async(ticket)()}", []) as client:
        assert await client.close_code() == NO_SCOPE


def test_the_page_makes_a_token_for_what_is_chosen_and_none_for_nothing(client: Client, carol: Player) -> None:
    assert "<code>" not in said(client.post("/account/keys/", {"name": "Widget"}))
    made = said(client.post("/account/keys/", {"name": "Widget", "scopes": ["read", "races"]}))
    (token,) = re.findall(r"<code>([0-9a-f]{64})</code>", made)
    api = Client(headers={"authorization": f"Bearer {token}"})
    assert (api.get("/api/me/").status_code, api.get("/api/me/keys/").status_code) == (200, 403)
    assert "only read, races" in " ".join(said(client.get("/account/keys/")).split())
