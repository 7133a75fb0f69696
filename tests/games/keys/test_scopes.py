"""Tokens for some things only: every operation and socket names the scope that it needs, and refuses others."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.doors.scopes import EVERYTHING, FOR_APPS, MEANINGS, Scope, Scopes, scopes_in
from games.keys.keys import make_token
from games.players.models import Player
from tests.games.accounts.test_pages import said
from tests.games.api import Api, openapi, refusal
from tests.games.sockets import Json, connected
from tests.processes import PROJECT
from tests.pyramid_server.test_http import ask

MISSING = (403, "missing_scope")
NO_SCOPE = 4406
ONLY_READ = frozenset({Scope.READ})

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("_no_deadline")]


def with_token(player: Player, *scopes: Scope) -> Api:
    api = Api()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(player, 'a program', frozenset(scopes)).token}")
    return api


def scopes_named_by(operation: Json) -> list[str]:
    """Return the scopes of which a token needs one, in the order in which the document names them."""
    return [operation[name] for name in ("x-scope", "x-scope-or") if name in operation]


def scoped_operations() -> list[tuple[str, str, list[Scope]]]:
    return [
        (method, re.sub(r"\{\w+\}", "1", path), [Scope(name) for name in scopes_named_by(operation)])
        for path, operations in openapi()["paths"].items()
        for method, operation in operations.items()
        if "x-scope" in operation
    ]


def test_every_operation_that_knows_players_refuses_a_token_without_its_scope_and_names_it(alice: Player) -> None:
    without = cache(lambda *scopes: make_token(alice, "x", EVERYTHING.difference(scopes)).token)
    only = cache(lambda scope: make_token(alice, "x", frozenset({scope})).token)

    def answered(method: str, path: str, token: str) -> Any:
        return Client().generic(method.upper(), path, headers={"authorization": f"Bearer {token}"})

    for method, path, scopes in scoped_operations():
        scope, answer = scopes[0], answered(method, path, without(*scopes))
        assert refusal(answer) == MISSING, (method, path)
        assert answer.json()["scope"] == scope
        assert answer["WWW-Authenticate"] == f'Bearer error="insufficient_scope", scope="{scope}"'
        if method == "get":
            assert all(answered(method, path, only(each)).status_code != 403 for each in scopes), path
    assert len(scoped_operations()) > 80


def test_the_document_names_the_scope_of_each_operation_also_where_generators_look_for_it() -> None:
    for operations in openapi()["paths"].values():
        for operation in operations.values():
            named = [key["bearerToken"] for key in operation.get("security", ()) if "bearerToken" in key]
            of_any_token: list[list[str]] = [[]] if operation["operationId"] == "create_ticket" else []
            assert named == ([[scope] for scope in scopes_named_by(operation)] or of_any_token)
            of_apps = [key["oauth2"] for key in operation.get("security", ()) if "oauth2" in key]
            assert of_apps == [rights for rights in named if set(rights) <= set(FOR_APPS)]


def test_whatever_strangers_may_read_a_token_that_may_read_may_too() -> None:
    public = [
        operation
        for operations in openapi()["paths"].values()
        for method, operation in operations.items()
        if method == "get" and {} in operation.get("security", [])
    ]
    assert [one["operationId"] for one in public if "read" not in scopes_named_by(one)] == []
    assert len(public) > 40


# The word by which a scope has to name what a part of an address is about.
SUBJECTS = {
    "clubs": "clubs", "cups": "cups", "following": "follow", "games": "games", "muted": "mute", "puzzles": "puzzles",
    "races": "races",
}  # fmt: skip


@pytest.mark.parametrize("scope", [Scope.READ, Scope.PLAY, Scope.RACES])
def test_carol_is_asked_for_all_that_an_app_reads_of_hers_and_does_for_her(scope: Scope) -> None:
    tables = [(PROJECT / "docs" / name).read_text() for name in ("apps.md", "rest-api.md")]
    rows = [row for table in tables for row in table.splitlines() if row.startswith(f"| `{scope}` |")]
    said = [str(MEANINGS[scope]), *rows]
    needed = {
        SUBJECTS[part]
        for path, operations in openapi()["paths"].items()
        for operation in operations.values()
        if scopes_named_by(operation)[:1] == [scope] and {} not in operation["security"]
        for part in path.split("/")
        if part in SUBJECTS
    }
    assert len(said) == 3
    assert len(needed) > 1
    assert [(text, word) for text in said for word in needed if word not in text] == []


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


def test_a_token_hands_on_no_scope_that_it_lacks(carol: Player, alice: Player) -> None:
    api = with_token(carol, Scope.ACCOUNT)
    assert refusal(api.post("/api/me/keys/", {"name": "more", "scopes": ["account", "play"]})) == MISSING
    made = api.post("/api/me/keys/", {"name": "as much"}).json()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {made['token']}")
    assert refusal(api.get("/api/games/")) == MISSING
    asked = {"handle": "alice", "password": "correct horse battery"}
    named = with_token(alice, Scope.ACCOUNT).post("/api/register/", asked).json()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {named['token']}")
    assert refusal(api.get("/api/games/")) == MISSING


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


@pytest.mark.usefixtures("clock")
async def test_a_token_that_may_only_play_gets_a_ticket_for_its_game_and_solves_puzzles(
    alice: Player, alices_game: str
) -> None:
    def use() -> tuple[str, list[int]]:
        api = with_token(alice, Scope.PLAY)
        run = api.post("/api/puzzles/runs/", {"kind": "streak"}).json()
        read = [api.get(path).status_code for path in ("/api/puzzles/next/", f"/api/puzzles/runs/{run['id']}/")]
        return api.post("/api/tickets/", {}).json()["ticket"], read

    ticket, statuses = await sync_to_async(use)()
    assert statuses == [200, 200]
    async with connected(f"/ws/games/{alices_game}/?ticket={ticket}", []) as client:
        assert (await client.receive())["type"] == "state"
        assert (await client.play("D"))["type"] == "played"


@pytest.mark.usefixtures("clock")
async def test_a_token_that_may_only_read_watches_games_and_one_that_may_only_play_does_not(
    alice: Player, bob: Player, alices_game: str
) -> None:
    path = f"/ws/games/{alices_game}/"
    assert await opened(path, alice, frozenset({Scope.PLAY})) == ("state", None)
    assert await opened(path, alice, ONLY_READ) == (NO_SCOPE, "scope=play")
    assert await opened(path, bob, frozenset({Scope.PLAY})) == (NO_SCOPE, "scope=read")
    assert await opened(path, bob, ONLY_READ) == ("state", None)


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
    assert await opened(path, alice, frozenset({needed})) == (first, None)


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
