"""A language model's client plays over stdio against a real server, and sees no more than a player may."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from pyramid_client import AsyncClient, api
from pyramid_client import Client as Pyramid

from games.rules import Record
from tests.journeys.conftest import Server
from tests.processes import PROJECT

if TYPE_CHECKING:  # the package takes two thirds of a second to import, in all processes that collect these tests
    from mcp import Client

MODULE = "pyramid_client.mcp_server"
PATH = {"PYTHONPATH": str(PROJECT / "clients" / "python")}
ONE_PASS = 30
TOOLS = {
    *("rules", "today", "start_daily", "start_practice", "own_games", "view", "play", "undo", "hint", "resign"),
    *("result", "boards", "board"),
}


@asynccontextmanager
async def process(url: str, token: str) -> AsyncIterator[Client]:
    from mcp import Client  # noqa: PLC0415
    from mcp.client.stdio import StdioServerParameters  # noqa: PLC0415

    command = StdioServerParameters(
        command=sys.executable, args=["-m", MODULE, url], env=PATH | {"PYRAMID_TOKEN": token}
    )
    async with Client(command) as client:
        yield client


@asynccontextmanager
async def model(url: str) -> AsyncIterator[Client]:
    """Speak to the tools without a process of theirs, and without a token."""
    from mcp import Client  # noqa: PLC0415
    from pyramid_client.mcp_server import server_of  # noqa: PLC0415

    async with Client(server_of(AsyncClient(url))) as client:
        yield client


async def call(client: Client, name: str, **arguments: Any) -> Any:
    answer = await client.call_tool(name, arguments)
    assert not answer.is_error, answer.content
    return answer.structured_content


async def refusal(client: Client, name: str, **arguments: Any) -> str:
    answer = await client.call_tool(name, arguments)
    assert answer.is_error
    return str(answer.content)


async def played_on(client: Client, shown: Any) -> Any:
    """Play a game until nothing new can come, and return its last view."""
    fruitless = 0
    while shown["legal"] and shown["result"] == "*" and fruitless <= ONE_PASS:
        move = max(shown["legal"], key=lambda one: len(one) > 1)
        shown = await call(client, "play", game=shown["game"], version=shown["version"], move=move)
        fruitless = 0 if len(move) > 1 else fruitless + 1
    return shown


async def test_a_model_practises_with_the_tools_and_the_log_has_what_it_did(server: Server) -> None:
    player = Pyramid(server.url)
    player.enter(api.guest("Model", is_bot=True))
    async with process(server.url, player.token) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        for tool in (await client.list_tools()).tools:
            assert tool.description
            assert tool.input_schema["additionalProperties"] is False
        for name in ("start_daily", "rules"):
            assert "rule_set" in await refusal(client, name, rule_set="giza")
        names = [each["slug"] for each in (await call(client, "rules"))["rule_sets"]]
        assert "pyramid-thirteen" not in await refusal(client, "rules", rules="no-such-rules")
        assert "13" in (await call(client, "rules", rules=names[0]))["rules"]
        begun = await call(client, "start_practice", rules="relaxed")
        state = player.ask(api.state(begun["game"]))
        assert f"{'/'.join(begun['rows'])} {begun['talon']}" in state.position
        assert set(begun["talon"].partition("|")[2][2:]) == {"?"}  # but for the next card
        assert "bad_notation" in await refusal(
            client, "play", game=begun["game"], version=begun["version"], move="nonsense"
        )
        assert "stale_version" in await refusal(client, "play", game=begun["game"], version=7, move=begun["legal"][0])
        after = await call(client, "play", game=begun["game"], version=begun["version"], move=begun["legal"][0])
        back = await call(client, "undo", game=begun["game"], version=after["version"])
        assert (back["rows"], back["moves"]) == (begun["rows"], 2)
        last = await played_on(client, back)
        if last["result"] == "*":
            await call(client, "resign", game=begun["game"], version=last["version"])
        assert (await call(client, "own_games"))["games"][0]["id"] == begun["game"]
        ended = await call(client, "result", game=begun["game"])
        assert ended["status"] != "playing"
        assert "game" in await refusal(client, "view", game="nonsense")
    kept = Record.from_text(server.get(f"/api/games/{begun['game']}/record/", player.token)["record"])
    assert [action.text for action, _ in kept.actions][:2] == [begun["legal"][0], "U"]


async def test_a_model_that_plays_an_h_is_shown_the_hint_that_it_has_spent(server: Server) -> None:
    async with model(server.url) as client:
        begun = await call(client, "start_practice", rules="three-piles")
        answer = await call(client, "play", game=begun["game"], version=begun["version"], move="H")
        assert answer["version"] == begun["version"] + 1
        assert answer["hint"]["move"] in begun["legal"]


async def test_a_model_without_a_token_is_a_guest_that_says_that_it_is_a_bot(server: Server) -> None:
    async with model(server.url) as client:
        begun = await call(client, "start_practice")
        player = (await call(client, "result", game=begun["game"]))["player"]
        assert (player["is_bot"], player["is_guest"]) == (True, True)
        assert "??" in begun["talon"]


async def test_a_model_goes_on_with_the_deal_of_the_day_and_reads_the_boards_of_bots(server: Server) -> None:
    async with model(server.url) as client:
        if not (deals := (await call(client, "today"))["dailies"]):
            pytest.skip("no deal is open on this server")
        rules = deals[0]["rules"]
        begun = await call(client, "start_daily", rules=rules)
        assert (await call(client, "start_daily", rules=rules))["game"] == begun["game"]
        await call(client, "resign", game=begun["game"], version=begun["version"])
        assert "already" in await refusal(client, "start_daily", rules=rules)
        found = await call(client, "boards", rules=rules, division="open-bots")
        page = await call(client, "board", slug=found["boards"][0]["slug"])
        assert (page["board"]["rules"], page["board"]["division"]) == (rules, "open-bots")


async def test_no_server_is_an_error_that_says_so() -> None:
    async with model("http://127.0.0.1:9") as client:
        assert "does not answer" in await refusal(client, "rules")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["http://a", "http://b"]])
def test_without_one_address_it_says_how_it_is_called(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from pyramid_client import mcp_server  # noqa: PLC0415

    monkeypatch.setattr(sys, "argv", [MODULE, *arguments])
    with pytest.raises(SystemExit, match="usage: pyramid-mcp ADDRESS"):
        mcp_server.main()


def test_an_address_without_a_scheme_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyramid_client import mcp_server  # noqa: PLC0415

    monkeypatch.setattr(sys, "argv", [MODULE, "127.0.0.1:8000"])
    with pytest.raises(SystemExit, match="is not the address of a server"):
        mcp_server.main()
