"""A player's socket on one of the own games: have the session act, wait for the journal, answer."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from games import journal
from games.advice import Knowledge, advise, advise_quickly
from games.errors import Conflict, StaleVersion
from games.live import answers, messages
from games.live.connection import Connection
from games.live.game import GameSocket
from games.live.hub import Hub
from games.losses import loss_of
from games.models import Game, Player
from games.rules import HINT, REDO, UNDO, Action, Move, RuleSet
from games.services.attempts import open_session, own_game, restart
from games.services.thinking import think
from games.services.uptime import was_up_since
from games.session import Change, Session, Step
from games.threads import in_shared_thread

HINT_SECONDS, NOTICE_SECONDS = 2.0, 0.5

ACTIONS: dict[type[messages.FromClient], Action] = {messages.Undo: UNDO, messages.Redo: REDO, messages.Hint: HINT}


class PlayerSocket(GameSocket):
    """Plays."""

    def __init__(self, connection: Connection, hub: Hub, game: str, player: Player) -> None:
        super().__init__(connection, game)
        self._hub, self._player = hub, player
        self._is_lost = False
        self._loaded_at = datetime.now(UTC)

    async def run(self) -> None:
        """Send the state, then answer until one side closes. Raises `Closed`."""
        await self._current(datetime.now(UTC))
        async with self._hub.playing(self._game, self._connection):
            await self._tell_state()
            await self._converse()

    async def _carry_out(self, message: messages.ClientMessage) -> None:
        match message:
            case messages.Play() | messages.Undo() | messages.Redo() | messages.Hint() | messages.Resign():
                await self._take(message)
            case messages.Restart():
                game = await in_shared_thread(_restart, self._game, self._player)
                self._session = None
                await self._tell(messages.Restarted(message.id, game.id))
            case messages.Sync():
                self._session = None
                await self._tell(answers.since(message, await self._current(datetime.now(UTC)), datetime.now(UTC)))
            case messages.Ping():
                now = datetime.now(UTC)
                await self._tell(messages.Pong(message.id, (await self._current(now)).elapsed_ms(now)))

    async def _take(self, command: messages.Command) -> None:
        try:
            session, change = await self._commit(command)
        except (StaleVersion, Conflict):
            # Another writer may have brought the game to the very version that this client knows.
            self._session = None
            session, change = await self._commit(command)
        await self._tell_change(command, session, change)

    async def _tell_change(self, command: messages.Command, session: Session, change: Change) -> None:
        announcing = asyncio.create_task(journal.announce(self._game)) if change.summary else None
        if change.step is not None:
            await self._tell_step(command, change.step, session)
        if change.summary is not None and announcing is not None:
            finished = answers.finished(change.summary, session.play.version)
            if self._hub.is_watched(self._game):
                self._hub.show(self._game, finished)
            await announcing  # whoever is told of the end finds it in the score tables
            await self._tell(finished)

    async def _tell_step(self, command: messages.Command, step: Step, session: Session) -> None:
        if self._hub.is_watched(self._game):
            self._hub.show(self._game, answers.played(None, step))
        if isinstance(command, messages.Hint):
            knowledge = Knowledge.of(session.play.up_to(step.version))
            advice = await think(advise, knowledge, seconds=HINT_SECONDS) or advise_quickly(knowledge)
            await self._tell(answers.hinted(command.id, step.version, advice))
        else:
            await self._tell(answers.played(command.id, step))
            if session.policy.loss_notices and session.play.result is None:
                await self._tell_loss(session)

    async def _tell_loss(self, session: Session) -> None:
        """Say once that the game cannot be won any more, and again after an undo has saved it in between."""
        loss = await think(loss_of, session.play, seconds=NOTICE_SECONDS)
        if loss and not self._is_lost:
            await self._tell(messages.Unwinnable(session.play.version, loss.since))
        self._is_lost = loss is not None

    async def _commit(self, command: messages.Command) -> tuple[Session, Change]:
        now = datetime.now(UTC)
        session = await self._current(now)
        if isinstance(command, messages.Resign):
            change = session.resign(command.version, now)
        else:
            change = session.act(_action(command, session.rules), command.version, now, command.client_ms)
        if not change.repeated:
            await self._write(change)
        return session, change

    async def _write(self, change: Change) -> None:
        try:
            await journal.write(change)
        except BaseException:
            self._session = None  # it is ahead of the database
            raise

    async def _current(self, now: datetime) -> Session:
        if self._session is None or self._session.is_overdue(now) or not was_up_since(self._loaded_at, now):
            self._session = await in_shared_thread(_open_own_game, self._game, self._player)
            self._loaded_at = now
        return self._session

    async def _tell_state(self) -> None:
        now = datetime.now(UTC)
        await self._tell(answers.state(await self._current(now), now))


def _action(command: messages.Act, rules: RuleSet) -> Action:
    if isinstance(command, messages.Play):
        return Move.from_text(command.move, decks=rules.decks)
    return ACTIONS[type(command)]


def _open_own_game(game_id: str, player: Player) -> Session:
    return open_session(own_game(game_id, player), datetime.now(UTC))


def _restart(game_id: str, player: Player) -> Game:
    return restart(own_game(game_id, player), datetime.now(UTC))
