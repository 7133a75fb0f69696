"""`/ws/games/{id}/` and `/ws/daily/{rules}/`: the player plays, others who may know the deal watch."""

from collections.abc import Awaitable
from datetime import datetime
from typing import Any, ClassVar, get_args

from games.doors.refusals import Refusal, message_of
from games.doors.scopes import Scope
from games.doors.sockets.close_codes import CloseCode, Closed
from games.doors.sockets.conversation import Conversation, Handlers
from games.doors.wire import write
from games.keys.sockets import VisitorConnection, serve
from games.play import wire
from games.play.live.hints import hint_for, require_hints
from games.play.live.live_game import LiveGame
from games.play.live.live_games import live_games
from games.play.live.starting import Attempt, restart, todays_attempt
from games.play.refusals import AlreadySeenByStaff, NoOpenDaily, NotYours, StaleVersion, UnknownGame
from games.play.session import Session
from games.play.sessions import find_game
from games.play.visibility import require_watchable
from games.players.models import Player
from games.rules import HINT, REDO, UNDO, Action, Move, RulesError, UnknownRuleSet
from games.runtime import socket_metrics
from games.runtime.clock import clock
from games.runtime.threads import run_in_db_thread

SUPERSEDED = write(wire.Superseded())
ACTIONS: dict[type[wire.Act], Action] = {wire.Undo: UNDO, wire.Redo: REDO, wire.Hint: HINT}
# In messages, on top of the one that every message counts for: a refusal reads the log, a hint searches.
REFUSAL_COST, HINT_COST, SYNC_COST, RESTART_COST = 2, 10, 2, 20
MOST_MISSED = 200  # actions; a client that missed more gets the state


def game_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve a socket on a game; only when it is loaded is it known which of both scopes that needs."""
    return serve(scope, receive, send, _talk_about_game, PlayerSocket.needs, WatcherSocket.needs)


def daily_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve a socket on the player's ranked attempt at today's deal, starting it if there is none."""
    return serve(scope, receive, send, _talk_about_daily, Scope.PLAY)


def _talk_about_game(connection: VisitorConnection) -> Awaitable[None]:
    return talk(connection, Attempt(connection.scope["url_route"]["kwargs"]["game_id"]))


async def _talk_about_daily(connection: VisitorConnection) -> None:
    rules = connection.scope["url_route"]["kwargs"]["rules"]
    try:
        attempt = await todays_attempt(player_of(connection), rules, clock.now())
    except (UnknownRuleSet, NoOpenDaily):
        raise Closed(CloseCode.NOT_FOUND) from None
    except AlreadySeenByStaff:
        raise Closed(CloseCode.NOT_YOURS) from None
    await talk(connection, attempt)


async def talk(connection: VisitorConnection, attempt: Attempt) -> None:
    """Converse about a game with its player or a watcher, until either side closes. Raises `Closed`."""
    player = player_of(connection)
    game = None
    try:
        # Not `live_games().using`: the frame of its generator would take memory for each socket.
        game = await live_games().enter(attempt.game, clock.now(), attempt.loaded, in_crowd=True)
        kind = PlayerSocket if game.player == player.pk else WatcherSocket
        connection.require_scope(kind.needs)
        await kind(connection, game).run()
    except UnknownGame:
        raise Closed(CloseCode.NOT_FOUND) from None
    except NotYours:
        raise Closed(CloseCode.NOT_YOURS) from None
    finally:
        if game is not None:
            game.subscribers.discard(connection)
            live_games().leave(game)


def player_of(connection: VisitorConnection) -> Player:
    """Return who has opened a socket. Raises `Closed` for somebody who is not signed in."""
    player = connection.visitor.player
    if player is None:
        raise Closed(CloseCode.NOT_SIGNED_IN)
    return player


class WatcherSocket(Conversation[wire.ClientMessage]):
    """A connection to a game that receives everything that happens in it, and may ask but not act."""

    __slots__ = ("_game",)

    _connection: VisitorConnection
    needs = Scope.READ
    refusals = (Refusal, RulesError)
    refusal_cost = REFUSAL_COST
    when_unavailable = "if you send it again, it is not counted twice"
    read = staticmethod(wire.read)

    def __init__(self, connection: VisitorConnection, game: LiveGame) -> None:
        super().__init__(connection)
        self._game = game

    async def run(self) -> None:
        """Send the state and all that follows, and answer until either side closes. Raises `Closed`."""
        if not await self._game.was_begun(clock.now()):
            raise UnknownGame(f"game {self._game.id} has not begun")
        await run_in_db_thread(_require_watchable, self._game.id, player_of(self._connection))
        with socket_metrics.watchers.track_inprogress():
            async with live_games().watching(self._game):
                await self.converse()

    async def greet(self) -> None:
        """Send the state. Everything that happens from now on is queued behind it."""
        self._game.subscribers.add(self._connection)
        await self._send_state(clock.now())
        await self._game.tell_end(self._connection.tell)

    def refused(self, number: int | None, error: Exception) -> wire.Refused:
        return wire.Refused(number, error.code, message_of(error), self._game.version)  # type: ignore[attr-defined]

    async def refuse(self, number: int | None, error: Exception) -> None:
        await super().refuse(number, error)
        if isinstance(error, StaleVersion):  # spares the client a `sync`: it can choose again at once
            await self._send_state(clock.now())

    async def _sync(self, message: wire.Sync) -> None:
        now = await self._end_if_overdue()
        self._connection.charge(SYNC_COST)
        await self.send(_since(message, self._game.durable, now))

    async def _ping(self, message: wire.Ping) -> None:
        now = await self._end_if_overdue()  # a player who only pings learns of the end too
        await self.send(wire.Pong(message.id, self._game.session.elapsed_ms(now)))

    async def _reject(self, message: wire.ClientMessage) -> None:
        await self._end_if_overdue()
        raise NotYours("you watch this game; only its player can do that")

    async def _end_if_overdue(self) -> datetime:
        now = clock.now()
        if self._game.session.is_overdue(now):
            await self._game.catch_up(now)
        return now

    def _send_state(self, now: datetime) -> Awaitable[None]:
        return self.send(self._game.state(now))

    handlers: ClassVar[Handlers] = dict.fromkeys(get_args(wire.ClientMessage), _reject) | {
        wire.Sync: _sync,
        wire.Ping: _ping,
    }


class PlayerSocket(WatcherSocket):
    """The connection that plays."""

    __slots__ = ()

    needs = Scope.PLAY

    async def run(self) -> None:
        """Send the state, which starts the clock, then answer until either side closes. Raises `Closed`."""
        # First of all: another device that plays here is stopped before this one sees the state.
        self._connection.plays = True
        seat = live_games().take_seat(self._game, self._supersede, self._connection.accepted_at)
        try:
            await self._game.begin(clock.now())
            await self.converse()
        finally:
            live_games().leave_seat(self._game, seat)

    async def _act(self, command: wire.Act) -> None:
        game, now = self._game, clock.now()
        action = _action(command, game)
        if isinstance(command, wire.Hint):
            await require_hints(game.session)
        # `by`: the sender gets an answer with its own id, in place of the copy that all others get.
        change = await game.act(action, command.version, now, command.client_ms, by=self._connection)
        assert change.step is not None  # noqa: S101
        if isinstance(command, wire.Hint):
            self._connection.charge(HINT_COST)
            suggestion = await hint_for(game.session, change.step, game.player)
            await self.send(wire.Hinted.of(suggestion, change.step.version, command.id))
        else:
            await self.send(wire.Played.of(change.step, game.session, command.id))
        if change.summary is not None and change.repeated:
            await game.tell_end(self._connection.tell)

    async def _resign(self, command: wire.Resign) -> None:
        change = await self._game.resign(command.version, clock.now())
        if change.repeated:  # the end was published to all before this socket asked again
            await self._game.tell_end(self._connection.tell)

    async def _restart(self, command: wire.Restart) -> None:
        self._connection.charge(RESTART_COST)
        await self.send(wire.Restarted(command.id, await restart(self._game, clock.now())))

    def _supersede(self) -> None:
        socket_metrics.superseded.inc()
        self._connection.end(CloseCode.SUPERSEDED, SUPERSEDED)

    handlers = (
        WatcherSocket.handlers
        | dict.fromkeys(get_args(wire.Act), _act)
        | {wire.Resign: _resign, wire.Restart: _restart}
    )


def _action(command: wire.Act, game: LiveGame) -> Action:
    if isinstance(command, wire.Play):
        return Move.from_text(command.move, decks=game.session.rules.decks)
    return ACTIONS[type(command)]


def _since(question: wire.Sync, session: Session, now: datetime) -> wire.Missed | wire.State:
    """Return the actions since a version, or the state if the game never had that version or too much has happened."""
    version = question.version
    if version is not None and session.play.version - version <= MOST_MISSED:
        steps = session.steps_since(version)
        if steps is not None:
            return wire.Missed.of(steps, session, question.id)
    return wire.State.of(session, now)


def _require_watchable(game_id: str, watcher: Player) -> None:
    require_watchable(find_game(game_id), watcher, clock.now())
