"""A server of the Model Context Protocol, with which a language model plays: `pyramid-mcp http://127.0.0.1:8000`.

It speaks over standard input and output, and is one player: the one of the token in `PYRAMID_TOKEN`, or else a new
guest, which says that it is a bot. It adds nothing to what that player may see.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, Literal, ParamSpec

import msgspec
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from pydantic import create_model

from pyramid_client import answers, api
from pyramid_client.asynchronous import AsyncClient
from pyramid_client.errors import PyramidError
from pyramid_client.rest import Call, T

P = ParamSpec("P")
Answer = dict[str, Any]

MOST_ROWS = 50
HINT = "H"
INSTRUCTIONS = """\
Play Pyramid Solitaire. Read `rules` first, then begin with `start_daily` (ranked, once a day) or `start_practice`, or
find a game that is not over with `own_games`. `view` shows a game, `play` makes a move, chosen from `legal`.

A card is a rank (A 2 3 4 5 6 7 8 9 T J Q K) and a suit (c d h s). `rows` is the tableau from its tip to its last row: a
card is covered by the two beside each other below it; `--` has left, `??` cannot be seen yet. `talon` is the waste, its
newest card last, then `|` and the stock, its next card first. A move names the cards that leave, `Kd` or `4s9s`;
`D` draws, `R` turns the waste over, `P` and a card parks it. Each move names the `version` at which it was chosen, so
that none is made twice. Nothing here tells an unseen card, and hints are for practice.
"""


class Tools:
    """The tools of a model: each public method is one, and its docstring is what the model reads about it."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def rules(self, rules: str = "") -> Answer:
        """Return the names of all rule sets, or the rules of one in words."""
        found = (await self._asked(api.rule_sets())).rule_sets
        if not rules:
            return {"rule_sets": [{"slug": each.slug, "title": each.title} for each in found]}
        for each in found:
            if rules in {each.slug, *each.aliases}:
                return {"slug": each.slug, "title": each.title, "rules": each.text}
        raise ToolError(f"there is no rule set {rules!r}; call `rules` without one for their names")

    async def today(self) -> Answer:
        """Return the deals of today, one for each rule set, with what their policies allow."""
        return await self._told(api.today())

    async def start_daily(self, rules: str = "standard") -> Answer:
        """Begin the ranked attempt at today's deal and return its view, or go on with it. The clock starts."""
        return await self._view((await self._asked(api.start_daily(rules))).id)

    async def start_practice(self, rules: str = "standard", winnable: Literal["any", "certified"] = "any") -> Answer:
        """Begin a practice game, which counts on no table, and return its view."""
        return await self._view((await self._asked(api.start_practice(rules, winnable=winnable))).id)

    async def own_games(self) -> Answer:
        """Return your newest games, also those that are not over, with which you can go on."""
        kept = ("id", "kind", "rules", "day", "status", "moves", "cards_left")
        games = (await self._told(api.games()))["games"]
        return {"games": [{name: game[name] for name in kept} for game in games]}

    async def view(self, game: str) -> Answer:
        """Return a game of yours as you may see it, with the moves that are possible now."""
        return await self._view(game)

    async def play(self, game: str, version: int, move: str) -> Answer:
        """Make a move, one of `legal` at this version, and return the game after it."""
        if move == HINT:  # the view of the game has no room for its answer
            return await self.hint(game, version)
        return await self._acted(game, version, move)

    async def undo(self, game: str, version: int) -> Answer:
        """Take the last move back where the game allows it, which counts as a move, and return the game after it."""
        return await self._acted(game, version, "U")

    async def hint(self, game: str, version: int) -> Answer:
        """Return the best move of a practice game and the reason, as far as anyone can know it."""
        taken = await self._asked(api.act(game, version, HINT))
        return {"version": taken.version, "hint": taken.hint and _plain(taken.hint)}

    async def resign(self, game: str, version: int) -> Answer:
        """Give up, which ends the game."""
        return await self._told(api.resign(game, version))

    async def result(self, game: str) -> Answer:
        """Return how a game went or goes: status, moves, time, cards left, day and division."""
        return await self._told(api.game(game))

    async def boards(self, day: str = "", rules: str = "", division: str = "") -> Answer:
        """Return the score tables of a day such as 2026-11-20, else of today; bots have their own divisions."""
        found = await self._asked(api.boards(day or None, rules=rules or None, division=division or None))
        return {"boards": [{"slug": one.slug, "order": one.order} for one in found.boards]}

    async def board(self, slug: str, around: str = "", limit: int = 10) -> Answer:
        """Return the first rows of a score table, or those around the player with a handle."""
        return await self._told(api.board(slug, limit=max(1, min(limit, MOST_ROWS)), around=around or None))

    async def _asked(self, call: Call[T]) -> T:
        """Return the answer to a call; the first one makes a guest if there is no token."""
        if not self._client.token:
            await self._client.enter(api.guest("Language model", is_bot=True))
        return await self._client.ask(call)

    async def _told(self, call: Call[Any]) -> Answer:
        """Return the whole answer to a call as it is."""
        return _plain(await self._asked(call))

    async def _view(self, game: str) -> Answer:
        return _shown(await self._asked(api.state(game)))

    async def _acted(self, game: str, version: int, action: str) -> Answer:
        """Act, and return the whole game: a model that answers later should not have to put changes together."""
        taken = await self._asked(api.act(game, version, action))
        shown = await self._view(game)
        return shown | {"finished": _plain(taken.finished)} if taken.finished else shown


def _shown(state: answers.State) -> Answer:
    tableau, talon, recycles, *rest = state.position.split(" ")
    peaks = [peak.split("/") for peak in tableau.split("+")]
    return {
        "game": state.game,
        "rules": state.rules,
        "version": state.version,
        "rows": peaks[0] if len(peaks) == 1 else peaks,
        "talon": talon,
        "recycles_left": recycles,
        "reserve_and_cells": rest,
        "legal": state.legal,
        "moves": state.moves,
        "elapsed_ms": state.elapsed_ms,
        "outcome": state.outcome,
        "result": state.result,
    }


def _plain(answer: object) -> Answer:
    plain: Answer = msgspec.to_builtins(answer)
    return plain


def server_of(client: AsyncClient) -> MCPServer:
    """Return a server whose tools play as the player of a client."""
    tools = Tools(client)
    offered = [_tool(_offered(getattr(tools, name))) for name in vars(Tools) if not name.startswith("_")]
    return MCPServer("pyramid", instructions=INSTRUCTIONS, tools=offered)


def _tool(method: Callable[..., Any]) -> Tool:
    """Return a tool that refuses arguments it does not know: a misspelt one must not begin the wrong ranked game."""
    tool = Tool.from_function(method)
    known = tool.fn_metadata.arg_model
    strict = create_model(known.__name__, __base__=known, __cls_kwargs__={"extra": "forbid"})
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema()
    return tool


def _offered(method: Callable[P, Awaitable[Answer]]) -> Callable[P, Awaitable[Answer]]:
    """Return a method whose refusal is an error with its code, which a model can act on."""

    @wraps(method)
    async def offered(*args: P.args, **kwargs: P.kwargs) -> Answer:
        try:
            return await method(*args, **kwargs)
        except PyramidError as error:
            raise ToolError(str(error)) from error

    return offered


def main() -> None:
    """Serve the server of the argument until the input ends."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: pyramid-mcp ADDRESS, with a token in PYRAMID_TOKEN")
    try:
        client = AsyncClient(sys.argv[1], os.environ.get("PYRAMID_TOKEN", ""))
    except PyramidError as mistake:
        sys.exit(str(mistake))
    server_of(client).run("stdio")


if __name__ == "__main__":
    main()
