"""`/ws/games/{id}/` and `/ws/daily/{rules}/`: the player plays, others who may know the deal watch."""

from __future__ import annotations

from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import Any

from django.db import DatabaseError

from games import wire
from games.errors import AlreadySeenByStaff, NoOpenDaily, NotYours, StaleVersion, UnknownGame
from games.kit.errors import BadMessage, MessageTooLarge, Refusal, Unavailable
from games.kit.reasons import message_of
from games.kit.sockets import metrics
from games.kit.sockets.close_codes import CloseCode, Closed
from games.kit.sockets.connection import Connection, serve
from games.kit.threads import run_in_db_thread
from games.kit.wire import read_id, write
from games.models import Player
from games.playing.hints import hint_for
from games.playing.live_game import LiveGame
from games.playing.live_games import live_games
from games.playing.restarting import restart
from games.playing.starting import Attempt, todays_attempt
from games.rules import HINT, REDO, UNDO, Action, Move, RulesError, UnknownRuleSet
from games.services.sessions import find_game
from games.services.visibility import require_watchable
from games.session import Session

SUPERSEDED = write(wire.Superseded())
ACTIONS: dict[type[wire.Act], Action] = {wire.Undo: UNDO, wire.Redo: REDO, wire.Hint: HINT}
# In messages, on top of the one that every message counts for: a refusal reads the log, a hint searches.
REFUSAL_COST, HINT_COST, SYNC_COST, RESTART_COST = 2, 10, 2, 20
MOST_MISSED = 200  # actions; a client that missed more gets the state


def game_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve a socket on a game."""
    return serve(scope, receive, send, _talk_about_game)


def daily_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve a socket on the player's ranked attempt at today's deal, starting it if there is none."""
    return serve(scope, receive, send, _talk_about_daily)


def _talk_about_game(connection: Connection) -> Awaitable[None]:
    return _talk(connection, Attempt(connection.scope["url_route"]["kwargs"]["game_id"]))


async def _talk_about_daily(connection: Connection) -> None:
    rules = connection.scope["url_route"]["kwargs"]["rules"]
    try:
        attempt = await todays_attempt(_player_of(connection), rules, datetime.now(UTC))
    except (UnknownRuleSet, NoOpenDaily):
        raise Closed(CloseCode.NOT_FOUND) from None
    except AlreadySeenByStaff:
        raise Closed(CloseCode.NOT_YOURS) from None
    await _talk(connection, attempt)


async def _talk(connection: Connection, attempt: Attempt) -> None:
    player = _player_of(connection)
    game = None
    try:
        # Not `live_games().using`: the frame of its generator would take memory for each socket.
        game = await live_games().enter(attempt.game, datetime.now(UTC), attempt.loaded)
        kind = PlayerSocket if game.player == player.pk else WatcherSocket
        await kind(connection, game).run()
    except UnknownGame:
        raise Closed(CloseCode.NOT_FOUND) from None
    except NotYours:
        raise Closed(CloseCode.NOT_YOURS) from None
    finally:
        if game is not None:
            live_games().leave(game)


def _player_of(connection: Connection) -> Player:
    player = connection.visitor.player
    if player is None:
        raise Closed(CloseCode.NOT_SIGNED_IN)
    return player


class WatcherSocket:
    """A connection to a game that receives everything that happens in it, and may ask but not act."""

    __slots__ = ("_connection", "_game")

    def __init__(self, connection: Connection, game: LiveGame) -> None:
        self._connection = connection
        self._game = game

    async def run(self) -> None:
        """Send the state and all that follows, and answer until either side closes. Raises `Closed`."""
        if not await self._game.was_begun(datetime.now(UTC)):
            raise UnknownGame(f"game {self._game.id} has not begun")
        await run_in_db_thread(_require_watchable, self._game.id, _player_of(self._connection))
        with metrics.watchers.track_inprogress():
            async with live_games().watching(self._game):
                await self._converse()

    async def _converse(self) -> None:
        """Send the state, then answer. Everything that happens from now on is queued behind the state."""
        self._game.subscribers.add(self._connection)
        try:
            await self._tell(self._game.state(datetime.now(UTC)))
            await self._game.tell_end(self._connection.tell)
            while True:
                await self._answer(await self._connection.next_frame())
        except Closed as closed:
            if closed.code is CloseCode.MESSAGE_TOO_LARGE:
                await self._refuse(None, MessageTooLarge("a message is shorter; docs/live-protocol.md says how long"))
            raise
        finally:
            self._game.subscribers.discard(self._connection)

    async def _answer(self, frame: str | None) -> None:
        try:
            if frame is None:
                raise BadMessage("binary frames are not supported; send JSON as text")
            await self._carry_out(wire.read(frame))
        except (Refusal, RulesError) as error:
            self._connection.charge(REFUSAL_COST)
            await self._refuse(read_id(frame), error)
            if isinstance(error, StaleVersion):  # spares the client a `sync`: it can choose again at once
                await self._tell(self._game.state(datetime.now(UTC)))
        except DatabaseError:
            await self._refuse(
                read_id(frame),
                Unavailable("the database does not answer; if you send it again, it is not counted twice"),
            )

    async def _carry_out(self, message: wire.ClientMessage) -> None:
        now = datetime.now(UTC)
        if self._game.session.is_overdue(now):  # a player who only pings hears of it too
            await self._game.catch_up(now)
        match message:
            case wire.Sync():
                self._connection.charge(SYNC_COST)
                await self._tell(_since(message, self._game.durable, now))
            case wire.Ping():
                await self._tell(wire.Pong(message.id, self._game.session.elapsed_ms(now)))
            case _:
                raise NotYours("you watch this game; only its player can do that")

    async def _refuse(self, number: int | None, error: Refusal | RulesError) -> None:
        refused = wire.Refused(number, error.code, message_of(error), self._game.version)  # type: ignore[arg-type]
        await self._tell(refused)

    def _tell(self, message: wire.ServerMessage) -> Awaitable[None]:
        return self._connection.tell(write(message))


class PlayerSocket(WatcherSocket):
    """The connection that plays."""

    __slots__ = ()

    async def run(self) -> None:
        """Send the state, which starts the clock, then answer until either side closes. Raises `Closed`."""
        # First of all: another device that plays here is stopped before this one sees the state.
        seat = live_games().take_seat(self._game, self._supersede, self._connection.accepted_at)
        try:
            await self._game.begin(datetime.now(UTC))
            await self._converse()
        finally:
            live_games().leave_seat(self._game, seat)

    async def _carry_out(self, message: wire.ClientMessage) -> None:
        match message:
            case wire.Play() | wire.Undo() | wire.Redo() | wire.Hint():
                await self._act(message)
            case wire.Resign():
                change = await self._game.resign(message.version, datetime.now(UTC))
                if change.repeated:  # the end was published to all before this socket asked again
                    await self._game.tell_end(self._connection.tell)
            case wire.Restart():
                self._connection.charge(RESTART_COST)
                follower = await restart(self._game, datetime.now(UTC))
                await self._tell(wire.Restarted(message.id, follower))
            case _:
                await super()._carry_out(message)

    async def _act(self, command: wire.Act) -> None:
        game, now = self._game, datetime.now(UTC)
        action = _action(command, game)
        # `by`: the sender gets an answer with its own id, in place of the copy that all others get.
        change = await game.act(action, command.version, now, command.client_ms, by=self._connection)
        assert change.step is not None  # noqa: S101
        if isinstance(command, wire.Hint):
            self._connection.charge(HINT_COST)
            suggestion = await hint_for(game.session, change.step)
            await self._tell(wire.Hinted.of(suggestion, change.step.version, command.id))
        else:
            await self._tell(wire.Played.of(change.step, game.session, command.id))
        if change.summary is not None and change.repeated:
            await game.tell_end(self._connection.tell)

    def _supersede(self) -> None:
        metrics.superseded.inc()
        self._connection.end(CloseCode.SUPERSEDED, SUPERSEDED)


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
    require_watchable(find_game(game_id), watcher, datetime.now(UTC))
