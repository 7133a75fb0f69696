"""The client for programs that wait: `Client`, and the games and score tables that it opens."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Self, TypeVar

from websockets.sync.client import ClientConnection, connect

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
    """Takes the steps of conversations, over one socket at most."""

    _socket: ClientConnection | None = None
    _open: ExitStack | None = None

    def _run(self, work: Work[T]) -> T:
        try:
            step = next(work)
            while True:
                try:
                    result = self._take(step)
                except BROKEN as error:
                    step = work.throw(meaning(error))
                else:
                    step = work.send(result)
        except StopIteration as end:
            value: T = end.value
            return value

    def _take(self, step: Step) -> Any:
        match step:
            case Fetch():
                return fetch(step)
            case Sleep(seconds):
                return time.sleep(seconds)
            case Connect(address, token):
                self._open = ExitStack()
                self._socket = self._open.enter_context(
                    connect(address, additional_headers=headers(token), **CONNECT_OPTIONS)
                )
            case Disconnect() if self._open is not None:
                self._open.close()
            case Send() | Receive():
                return self._over_socket(step)
        return None

    def _over_socket(self, step: Send | Receive) -> bytes | None:
        assert self._socket is not None  # noqa: S101  a line connects first
        if isinstance(step, Send):
            self._socket.send(step.frame, text=True)
            return None
        try:
            return self._socket.recv(step.seconds, decode=False)
        except TimeoutError:
            return None


class Client(_Taker):
    """A server, and a token for it, which `enter` gets.

    client = Client("https://example.org")
    client.enter(api.guest("Ada's bot", is_bot=True))
    print(client.ask(api.today()))
    """

    def __init__(self, server: str, token: str = "") -> None:
        self.server = checked(server)
        self.token = token
        self.client_id = self.refresh_token = ""

    def ask(self, call: Call[T]) -> T:
        """Return the answer to a call of `api`. Raises `Refused` and `Unreachable`."""
        return self._run(ask(self.server, self.token, call))

    def enter(self, call: Call[answers.SignedIn]) -> answers.Player:
        """Send a call that answers with a token, and use that from now on."""
        signed_in = self.ask(call)
        self.token = signed_in.token
        return signed_in.player

    def sign_in(self, client_id: str, scopes: Iterable[str], show: Show = show_in_terminal) -> answers.Player:
        """Have a person allow this program what it asks for, on another device that takes the code shown.

        Raises `Refused`, such as with `access_denied` or `expired_token`.
        """
        self.client_id = client_id
        self._use(self._run(tokens_of_device(self.server, client_id, scopes, show)))
        return self.ask(Call("GET", "/me/", answers.Player))

    def refresh(self) -> None:
        """Get the next token, and the next `refresh_token`. Raises `Refused` if the access has ended."""
        self._use(self._run(refreshed(self.server, self.client_id, self.refresh_token)))

    def _use(self, tokens: Tokens) -> None:
        self.token, self.refresh_token = tokens.access_token, tokens.refresh_token

    def play_today(self, rules: str = "standard") -> Game:
        """Start your ranked attempt at today's deal of a rule set, or continue it."""
        return Game(self.server, self.token, "daily", rules)

    def play(self, game_id: str) -> Game:
        """Continue a game, or watch it if it is another player's."""
        return Game(self.server, self.token, "games", game_id)

    def play_cup(self, cup_id: str) -> Game:
        """Enter the qualification of a cup, or continue your game in it."""
        return Game(self.server, self.token, "cups", cup_id, "play")

    def play_race(self, race_id: str) -> Game:
        """Play your game in a race, whose state comes when the race begins."""
        return Game(self.server, self.token, "races", race_id, "play")

    def board(self, slug: str, club: str = "") -> Board:
        """Follow a score table, or the part of it that the members of a club have."""
        return Board(self.server, self.token, slug, club)

    def race(self, race_id: str) -> Race:
        """Take part in a race that you have joined, or watch a public one."""
        return Race(self.server, self.token, race_id)

    def cup(self, cup_id: str, division: int = 1) -> Cup:
        """Follow a division of a cup: its bracket, and how many cards each has left who plays."""
        return Cup(self.server, self.token, cup_id, str(division))

    def puzzle_run(self, run_id: str) -> Run:
        """Play a streak or a storm that you have begun."""
        return Run(self.server, self.token, run_id)

    def analysis(self, game_id: str) -> answers.Analysis | None:
        """Wait for the analysis of a finished game; None if it could not be made."""
        return self._run(finished_analysis(self.server, self.token, game_id))


class Game(KnownGame, _Taker):
    """A game that you play. One thing at a time: a move returns once the server has made it durable.

    It connects at the beginning of a `with` block, or with `state`. Each command raises `Refused`, or
    `Closed` if connecting again would not help.
    """

    def state(self) -> messages.State:
        """Return the whole state, and connect if necessary. The first time this starts the clock."""
        return self._run(self._state())

    def __enter__(self) -> Self:
        self.state()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def play(self, move: str) -> messages.Played:
        """Make a move, one of `legal`."""
        return self._run(self._play(move))

    def undo(self) -> messages.Played:
        return self._run(self._undo())

    def redo(self) -> messages.Played:
        return self._run(self._redo())

    def hint(self) -> messages.Hinted:
        """Ask for the best move; practice only."""
        return self._run(self._hint())

    def resign(self) -> messages.Finished:
        """Give up, which also ends a game that is stuck."""
        return self._run(self._resign())

    def restart(self) -> str:
        """Start the deal again as another game, and return its id; practice only."""
        return self._run(self._restart())

    def placements(self, seconds: float = 10.0) -> list[messages.Standing]:
        """Return the ranks of a ranked game that has ended; none if none arrive within these seconds."""
        return self._run(self._placements(seconds))

    def listen(self) -> Iterator[Message]:
        """Yield every message of the server, the state first: for watching."""
        while True:
            yield self._run(self._next())

    def close(self) -> None:
        self._run(self._line.close())


class Board(KnownBoard, _Taker):
    """A score table that you follow."""

    def listen(self) -> Iterator[BoardMessage]:
        """Yield the table and then its changes, which `rows` has by then."""
        while True:
            yield self._run(self._next())

    def close(self) -> None:
        self._run(self._line.close())


class Race(KnownRace, _Taker):
    """A race: its room, its countdown, and everyone's progress. Play your own game with `play`.

    It connects at the beginning of a `with` block, or with the first call. Commands raise `Refused`.
    """

    def room(self) -> race_messages.Race:
        """Return the race as it is, and connect if necessary."""
        return self._run(self._room())

    def __enter__(self) -> Self:
        self.room()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def start(self) -> None:
        """Begin the countdown of a race that you host."""
        self._run(self._carry_out(race_messages.Start))

    def leave(self) -> None:
        """Leave the room; in a running race, give up your game."""
        self._run(self._carry_out(race_messages.Leave))

    def rematch(self) -> str:
        """Race again once the race is over, and return the id of the race that follows."""
        return self._run(self._carry_out(race_messages.Rematch))

    def begun(self) -> str | None:
        """Wait until the race begins, and return the id of your game; None if it is over without one."""
        return self._run(self._begun())

    def ended(self) -> race_messages.Race:
        """Wait until the race is over, and return it with its places."""
        return self._run(self._ended())

    def listen(self) -> Iterator[RaceMessage]:
        """Yield the room and then its changes and standings, which `race` has by then."""
        while True:
            yield self._run(self._next())

    def close(self) -> None:
        self._run(self._line.close())


class Cup(KnownCup, _Taker):
    """A cup that you follow, one of its divisions; play your matches with `race` and `play`.

    It connects at the beginning of a `with` block, or with the first call.
    """

    def bracket(self) -> cup_messages.Cup:
        """Return the cup as it is, and connect if necessary."""
        return self._run(self._bracket())

    def __enter__(self) -> Self:
        self.bracket()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def ended(self) -> cup_messages.Cup:
        """Wait until the cup is over, and return it with its places."""
        return self._run(self._ended())

    def listen(self) -> Iterator[CupMessage]:
        """Yield the bracket and then its changes, which `cup` has by then."""
        while True:
            yield self._run(self._next())

    def close(self) -> None:
        self._run(self._line.close())


class Run(KnownRun, _Taker):
    """A streak or a storm of yours, which `api.start_run` begins; `run` is how it stands.

    It connects at the beginning of a `with` block, or with the first call. Commands raise `Refused`.
    """

    def look(self) -> run_messages.Run:
        """Return the run as it stands, and connect if necessary: a storm ends without a message."""
        return self._run(self._look())

    def __enter__(self) -> Self:
        self.look()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def remove(self, moves: Sequence[str]) -> run_messages.Judged:
        """Have the removals so far in the puzzle that is shown judged, the last one being new.

        A removal that was stored before its answer was lost is refused as `stale_puzzle`; `run` then has it.
        """
        return self._run(self._remove(moves))

    def end(self) -> run_messages.Run:
        """End the run as it is."""
        return self._run(self._end())

    def close(self) -> None:
        self._run(self._line.close())
