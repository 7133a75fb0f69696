"""One socket on one game: parse, have the session act, wait for the journal, answer.

A plain ASGI application inside Channels' routing: a game needs none of the tasks and dispatch of its consumers.
"""

from __future__ import annotations

import asyncio
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from games import journal
from games.advice import Knowledge, advise, advise_quickly, loss_of
from games.errors import (
    BadMessage,
    Conflict,
    MessageTooLarge,
    NotYours,
    Refusal,
    StaleVersion,
    Unavailable,
    UnknownGame,
)
from games.live import answers, messages
from games.live.credit import Credit
from games.models import Game, Player
from games.rules import HINT, REDO, UNDO, Action, Move, RulesError, RuleSet
from games.services.attempts import open_session, own_game, restart
from games.services.thinking import think
from games.session import Change, Session, Step

NOT_SIGNED_IN, NOT_YOURS, NO_SUCH_GAME, IDLE, TOO_MANY_MESSAGES = 4401, 4403, 4404, 4408, 4429
TOO_LARGE, TRY_AGAIN_LATER = 1009, 1013
BURST_SECONDS = 5
MOST_MISSED = 200  # actions; whoever missed more gets the state
HINT_SECONDS, NOTICE_SECONDS = 2.0, 0.5

ACTIONS: dict[type[messages.FromClient], Action] = {messages.Undo: UNDO, messages.Redo: REDO, messages.Hint: HINT}


class Closed(Exception):
    """The connection ends: with a close code of ours, or with None because the client is gone."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


async def play_game(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve `/ws/games/{id}/`."""
    await receive()  # websocket.connect; only an accepted socket can be closed with a code of ours
    await send({"type": "websocket.accept"})
    try:
        await GameSocket(scope, receive, send).serve()
    except Closed as closed:
        if closed.code is not None:
            await send({"type": "websocket.close", "code": closed.code})


class GameSocket:
    """A player's connection to one of the own games.

    `_session` is None when it may differ from the database and has to be loaded before it is used again.
    """

    def __init__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self._player = scope["user"]
        self._game_id: str = scope["url_route"]["kwargs"]["game_id"]
        self._receive, self._send = receive, send
        rate = settings.PYRAMID_MESSAGES_PER_SECOND
        self._credit = Credit(rate, rate * BURST_SECONDS, _seconds())
        self._session: Session | None = None
        self._is_lost = False

    async def serve(self) -> None:
        """Send the state, then answer until one side closes. Raises `Closed`."""
        if not self._player.is_authenticated:
            raise Closed(NOT_SIGNED_IN)
        try:
            await self._tell_state()
        except UnknownGame:
            raise Closed(NO_SUCH_GAME) from None
        except NotYours:
            raise Closed(NOT_YOURS) from None
        except DatabaseError:
            raise Closed(TRY_AGAIN_LATER) from None
        while True:
            await self._answer(await self._next_frame())

    async def _next_frame(self) -> str | None:
        """Return the next text frame, or None for a binary one. Raises `Closed` at any limit."""
        try:
            async with asyncio.timeout(settings.PYRAMID_IDLE_SECONDS):
                event = await self._receive()
        except TimeoutError:
            raise Closed(IDLE) from None
        if event["type"] == "websocket.disconnect":
            raise Closed(None)
        if not self._credit.spend(_seconds()):
            raise Closed(TOO_MANY_MESSAGES)
        text: str | None = event.get("text")
        binary: bytes | None = event.get("bytes")
        if len(text.encode() if text else binary or b"") > settings.PYRAMID_MAX_FRAME_BYTES:
            await self._refuse(None, MessageTooLarge(f"a message has at most {settings.PYRAMID_MAX_FRAME_BYTES} bytes"))
            raise Closed(TOO_LARGE)
        return text

    async def _answer(self, frame: str | None) -> None:
        number = messages.read_id(frame) if frame is not None else None
        try:
            await self._carry_out_or_refuse(frame, number)
        except DatabaseError:
            self._session = None
            await self._refuse(number, Unavailable("the database does not answer; nothing was kept, try again"))

    async def _carry_out_or_refuse(self, frame: str | None, number: int | None) -> None:
        before = self._session
        try:
            if frame is None:
                raise BadMessage("binary frames are not understood; send JSON text")
            await self._carry_out(messages.read(frame))
        except (Refusal, RulesError) as error:
            await self._refuse(number, error)
            if self._session is not before:
                await self._tell_state()

    async def _carry_out(self, message: messages.ClientMessage) -> None:
        match message:
            case messages.Ping():
                elapsed_ms = (await self._current()).state(timezone.now()).elapsed_ms
                await self._tell(messages.Pong(message.id, elapsed_ms))
            case messages.Sync():
                await self._tell_missed(message)
            case messages.Restart():
                game = await database_sync_to_async(_restart)(self._game_id, self._player)
                self._session = None
                await self._tell(messages.Restarted(message.id, game.id))
            case _:
                await self._take(message)

    async def _take(self, command: messages.Command) -> None:
        try:
            change = await self._commit(command)
        except (StaleVersion, Conflict):
            # Another writer may have brought the game to the very version that this client knows.
            self._session = None
            change = await self._commit(command)
        if change.step is not None:
            await self._tell_step(command, change.step)
        if change.summary is not None:
            await self._tell(answers.finished(change.summary, (await self._current()).play.version))

    async def _tell_step(self, command: messages.Command, step: Step) -> None:
        if isinstance(command, messages.Hint):
            knowledge = Knowledge.of((await self._current()).play.up_to(step.version))
            advice = await think(advise, knowledge, seconds=HINT_SECONDS) or advise_quickly(knowledge)
            await self._tell(answers.hinted(command.id, step.version, advice))
        else:
            await self._tell(answers.played(command.id, step))
            await self._tell_loss()

    async def _tell_loss(self) -> None:
        """Say once that the game cannot be won any more, and again after an undo has saved it in between."""
        session = await self._current()
        if session.policy.loss_notices and session.play.result is None:
            loss = await think(loss_of, session.play, seconds=NOTICE_SECONDS)
            if loss and not self._is_lost:
                await self._tell(messages.Unwinnable(session.play.version, loss.since))
            self._is_lost = loss is not None

    async def _commit(self, command: messages.Command) -> Change:
        session, now = await self._current(), timezone.now()
        if isinstance(command, messages.Resign):
            change = session.resign(command.version, now)
        else:
            change = session.act(_action(command, session.rules), command.version, now, command.client_ms)
        if not change.repeated:
            await self._write(change)
        return change

    async def _write(self, change: Change) -> None:
        try:
            await journal.commit_async(change)
        except BaseException:
            self._session = None  # it is ahead of the database
            raise

    async def _current(self) -> Session:
        if self._session is None or self._session.is_overdue(timezone.now()):
            self._session = await database_sync_to_async(_open_own_game)(self._game_id, self._player)
        return self._session

    async def _tell_missed(self, message: messages.Sync) -> None:
        self._session = None
        session = await self._current()
        missed = session.missed(message.version)
        if missed is None or len(missed.entries) > MOST_MISSED:
            await self._tell_state()
        else:
            await self._tell(answers.missed(message.id, missed, session))

    async def _tell_state(self) -> None:
        await self._tell(answers.state(await self._current(), timezone.now()))

    async def _refuse(self, number: int | None, error: Refusal | RulesError) -> None:
        version = self._session.play.version if self._session else None
        await self._tell(messages.Refused(number, error.code, str(error), version))

    async def _tell(self, message: messages.ServerMessage) -> None:
        await self._send({"type": "websocket.send", "text": messages.write(message)})


def _action(command: messages.Act, rules: RuleSet) -> Action:
    if isinstance(command, messages.Play):
        return Move.from_text(command.move, decks=rules.decks)
    return ACTIONS[type(command)]


def _seconds() -> float:
    return asyncio.get_running_loop().time()


def _open_own_game(game_id: str, player: Player) -> Session:
    return open_session(own_game(game_id, player), timezone.now())


def _restart(game_id: str, player: Player) -> Game:
    return restart(own_game(game_id, player), timezone.now())
