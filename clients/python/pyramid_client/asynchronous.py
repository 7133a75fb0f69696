"""The client for programs with asyncio, which has the same names as the blocking one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack
from typing import Any, Self, TypeVar

from websockets.asyncio.client import ClientConnection, connect

from pyramid_client import answers, cup_messages, messages, race_messages, run_messages
from pyramid_client.devices import Show, Tokens, refreshed, show_in_terminal, tokens_of_device
from pyramid_client.known_board import KnownBoard
from pyramid_client.known_board import Message as BoardMessage
from pyramid_client.known_cup import KnownCup
from pyramid_client.known_cup import Message as CupMessage
from pyramid_client.known_game import KnownGame, Message
from pyramid_client.known_race import KnownRace
from pyramid_client.known_race import Message as RaceMessage
from pyramid_client.known_run import KnownRun
from pyramid_client.rest import Call, ask, finished_analysis
from pyramid_client.steps import Connect, Disconnect, Fetch, Receive, Send, Sleep, Step, Work
from pyramid_client.transport import BROKEN, CONNECT_OPTIONS, checked, fetch, headers, meaning

T = TypeVar("T")


class _Taker:
    """Takes the steps of conversations."""

    _socket: ClientConnection | None = None
    _open: AsyncExitStack | None = None

    async def _run(self, work: Work[T]) -> T:
        try:
            step = next(work)
            while True:
                try:
                    result = await self._take(step)
                except BROKEN as error:
                    step = work.throw(meaning(error))
                else:
                    step = work.send(result)
        except StopIteration as end:
            value: T = end.value
            return value

    async def _take(self, step: Step) -> Any:
        match step:
            case Fetch():
                return await asyncio.to_thread(fetch, step)
            case Sleep(seconds):
                return await asyncio.sleep(seconds)
            case Connect(address, token):
                self._open = AsyncExitStack()
                self._socket = await self._open.enter_async_context(
                    connect(address, additional_headers=headers(token), **CONNECT_OPTIONS)
                )
            case Disconnect() if self._open is not None:
                await self._open.aclose()
            case Send() | Receive():
                return await self._over_socket(step)
        return None

    async def _over_socket(self, step: Send | Receive) -> bytes | None:
        assert self._socket is not None  # noqa: S101  a line connects first
        if isinstance(step, Send):
            await self._socket.send(step.frame, text=True)
            return None
        try:
            async with asyncio.timeout(step.seconds):
                return await self._socket.recv(decode=False)
        except TimeoutError:
            return None


class _OneAtATime(_Taker):
    """A connection with one conversation at a time, because they share a socket."""

    def __init__(self, *arguments: str) -> None:
        super().__init__(*arguments)
        self._turn = asyncio.Lock()

    async def _run(self, work: Work[T]) -> T:
        async with self._turn:
            return await super()._run(work)


class AsyncClient(_Taker):
    """A server, and a token for it, which `enter` gets. Requests go through threads, sockets do not."""

    def __init__(self, server: str, token: str = "") -> None:
        self.server = checked(server)
        self.token = token
        self.client_id = self.refresh_token = ""

    async def ask(self, call: Call[T]) -> T:
        """Return the answer to a call of `api`. Raises `Refused` and `Unreachable`."""
        return await self._run(ask(self.server, self.token, call))

    async def enter(self, call: Call[answers.SignedIn]) -> answers.Player:
        """Send a call that answers with a token, and use that from now on."""
        signed_in = await self.ask(call)
        self.token = signed_in.token
        return signed_in.player

    async def sign_in(self, client_id: str, scopes: Iterable[str], show: Show = show_in_terminal) -> answers.Player:
        """Have a person allow this program what it asks for, on another device that takes the code shown.

        Raises `Refused`, such as with `access_denied` or `expired_token`.
        """
        self.client_id = client_id
        self._use(await self._run(tokens_of_device(self.server, client_id, scopes, show)))
        return await self.ask(Call("GET", "/me/", answers.Player))

    async def refresh(self) -> None:
        """Get the next token, and the next `refresh_token`. Raises `Refused` if the access has ended."""
        self._use(await self._run(refreshed(self.server, self.client_id, self.refresh_token)))

    def _use(self, tokens: Tokens) -> None:
        self.token, self.refresh_token = tokens.access_token, tokens.refresh_token

    def play_today(self, rules: str = "standard") -> AsyncGame:
        """Start your ranked attempt at today's deal of a rule set, or continue it."""
        return AsyncGame(self.server, self.token, "daily", rules)

    def play(self, game_id: str) -> AsyncGame:
        """Continue a game, or watch it if it is another player's."""
        return AsyncGame(self.server, self.token, "games", game_id)

    def play_cup(self, cup_id: str) -> AsyncGame:
        """Enter the qualification of a cup, or continue your game in it."""
        return AsyncGame(self.server, self.token, "cups", cup_id, "play")

    def play_race(self, race_id: str) -> AsyncGame:
        """Play your game in a race, whose state comes when the race begins."""
        return AsyncGame(self.server, self.token, "races", race_id, "play")

    def board(self, slug: str, club: str = "") -> AsyncBoard:
        """Follow a score table, or the part of it that the members of a club have."""
        return AsyncBoard(self.server, self.token, slug, club)

    def race(self, race_id: str) -> AsyncRace:
        """Take part in a race that you have joined, or watch a public one."""
        return AsyncRace(self.server, self.token, race_id)

    def cup(self, cup_id: str, division: int = 1) -> AsyncCup:
        """Follow a division of a cup: its bracket, and how many cards each has left who plays."""
        return AsyncCup(self.server, self.token, cup_id, str(division))

    def puzzle_run(self, run_id: str) -> AsyncRun:
        """Play a streak or a storm that you have begun."""
        return AsyncRun(self.server, self.token, run_id)

    async def analysis(self, game_id: str) -> answers.Analysis | None:
        """Wait for the analysis of a finished game; None if it could not be made."""
        return await self._run(finished_analysis(self.server, self.token, game_id))


class AsyncGame(_OneAtATime, KnownGame):
    """A game that you play. One thing at a time: a move returns once the server has made it durable.

    It connects at the beginning of an `async with` block, or with `state`. Each command raises `Refused`, or
    `Closed` if connecting again would not help.
    """

    async def state(self) -> messages.State:
        """Return the whole state, and connect if necessary. The first time this starts the clock."""
        return await self._run(self._state())

    async def __aenter__(self) -> Self:
        await self.state()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def play(self, move: str) -> messages.Played:
        """Make a move, one of `legal`."""
        return await self._run(self._play(move))

    async def undo(self) -> messages.Played:
        return await self._run(self._undo())

    async def redo(self) -> messages.Played:
        return await self._run(self._redo())

    async def hint(self) -> messages.Hinted:
        """Ask for the best move; practice only."""
        return await self._run(self._hint())

    async def resign(self) -> messages.Finished:
        """Give up, which also ends a game that is stuck."""
        return await self._run(self._resign())

    async def restart(self) -> str:
        """Start the deal again as another game, and return its id; practice only."""
        return await self._run(self._restart())

    async def placements(self, seconds: float = 10.0) -> list[messages.Standing]:
        """Return the ranks of a ranked game that has ended; none if none arrive within these seconds."""
        return await self._run(self._placements(seconds))

    async def listen(self) -> AsyncIterator[Message]:
        """Yield every message of the server, the state first: for watching."""
        while True:
            yield await self._run(self._next())

    async def close(self) -> None:
        await self._run(self._line.close())


class AsyncBoard(_OneAtATime, KnownBoard):
    """A score table that you follow."""

    async def listen(self) -> AsyncIterator[BoardMessage]:
        """Yield the table and then its changes, which `rows` has by then."""
        while True:
            yield await self._run(self._next())

    async def close(self) -> None:
        await self._run(self._line.close())


class AsyncRace(_OneAtATime, KnownRace):
    """A race: its room, its countdown, and everyone's progress. Play your own game with `play`.

    It connects at the beginning of an `async with` block, or with the first call. Commands raise `Refused`.
    """

    async def room(self) -> race_messages.Race:
        """Return the race as it is, and connect if necessary."""
        return await self._run(self._room())

    async def __aenter__(self) -> Self:
        await self.room()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def start(self) -> None:
        """Begin the countdown of a race that you host."""
        await self._run(self._carry_out(race_messages.Start))

    async def leave(self) -> None:
        """Leave the room; in a running race, give up your game."""
        await self._run(self._carry_out(race_messages.Leave))

    async def rematch(self) -> str:
        """Race again once the race is over, and return the id of the race that follows."""
        return await self._run(self._carry_out(race_messages.Rematch))

    async def begun(self) -> str | None:
        """Wait until the race begins, and return the id of your game; None if it is over without one."""
        return await self._run(self._begun())

    async def ended(self) -> race_messages.Race:
        """Wait until the race is over, and return it with its places."""
        return await self._run(self._ended())

    async def listen(self) -> AsyncIterator[RaceMessage]:
        """Yield the room and then its changes and standings, which `race` has by then."""
        while True:
            yield await self._run(self._next())

    async def close(self) -> None:
        await self._run(self._line.close())


class AsyncCup(_OneAtATime, KnownCup):
    """A cup that you follow, one of its divisions; play your matches with `race` and `play`.

    It connects at the beginning of an `async with` block, or with the first call.
    """

    async def bracket(self) -> cup_messages.Cup:
        """Return the cup as it is, and connect if necessary."""
        return await self._run(self._bracket())

    async def __aenter__(self) -> Self:
        await self.bracket()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def ended(self) -> cup_messages.Cup:
        """Wait until the cup is over, and return it with its places."""
        return await self._run(self._ended())

    async def listen(self) -> AsyncIterator[CupMessage]:
        """Yield the bracket and then its changes, which `cup` has by then."""
        while True:
            yield await self._run(self._next())

    async def close(self) -> None:
        await self._run(self._line.close())


class AsyncRun(_OneAtATime, KnownRun):
    """A streak or a storm of yours, which `api.start_run` begins; `run` is how it stands.

    It connects at the beginning of an `async with` block, or with the first call. Commands raise `Refused`.
    """

    async def look(self) -> run_messages.Run:
        """Return the run as it stands, and connect if necessary: a storm ends without a message."""
        return await self._run(self._look())

    async def __aenter__(self) -> Self:
        await self.look()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def remove(self, moves: Sequence[str]) -> run_messages.Judged:
        """Have the removals so far in the puzzle that is shown judged, the last one being new.

        A removal that was stored before its answer was lost is refused as `stale_puzzle`; `run` then has it.
        """
        return await self._run(self._remove(moves))

    async def end(self) -> run_messages.Run:
        """End the run as it is."""
        return await self._run(self._end())

    async def close(self) -> None:
        await self._run(self._line.close())
