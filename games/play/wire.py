"""The types of all messages about games, for REST, sockets, OpenAPI and AsyncAPI.

docs/live-protocol.md and docs/asyncapi.json are checked against this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated, ClassVar, Literal, cast

import msgspec
from django.utils import translation
from msgspec import UNSET, Meta, UnsetType

from games.doors import wire
from games.doors.wire import FromClient, Input, JsonObject, Message, Milliseconds, Number, Ordinal, Text
from games.hints.hints import Suggestion
from games.play.notation_wire import (
    ActionText,
    CardText,
    GameId,
    Moves,
    MoveText,
    Outcome,
    PositionText,
    Result,
    ResultSoFar,
    RuleSlug,
    TimedActions,
)
from games.play.scores import Placement
from games.play.session import Session, Step
from games.rules import REDO, UNDO, Card, Move

LONGEST_ACTION = 16
GivenAction = Annotated[str, Meta(max_length=LONGEST_ACTION)]
# The name of a score table, such as `daily.2026-11-20.standard.open.fastest`.
BoardSlug = Annotated[str, Meta(pattern=r"^[a-z-]+(\.[A-Za-z0-9-]+){3,4}$", max_length=80)]
Version = Annotated[Number, Meta(description="The number of actions so far, which the next one has to name.")]
Position = Annotated[PositionText, Meta(description="All cards by place; `??` is one that you have not seen.")]
Legal = Annotated[Moves, Meta(description="The moves that are possible now.")]
MoveCount = Annotated[Number, Meta(description="The moves so far: an undo counts, a hint does not.")]
Clock = Annotated[Milliseconds, Meta(description="Milliseconds since the start, by the clock of the game.")]
OutcomeSoFar = Annotated[Outcome | None, Meta(description="`stuck`: no removal can be reached without an undo.")]
RefusalCode = Literal[
    "already_attempted",
    "bad_message",
    "bad_notation",
    "conflict",
    "game_over",
    "hints_not_allowed",
    "illegal_move",
    "message_too_large",
    "no_open_daily",
    "not_begun",
    "not_yours",
    "restart_not_allowed",
    "stale_version",
    "too_many_actions",
    "too_many_games",
    "too_many_open_games",
    "unavailable",
    "undo_not_allowed",
]


class _AtVersion(FromClient, frozen=True):
    version: Number


class _Timed(_AtVersion, frozen=True):
    client_ms: Milliseconds | None = None


class Play(_AtVersion, frozen=True):
    """Make a move chosen at a version."""

    move: GivenAction
    client_ms: Milliseconds | None = None


class Undo(_Timed, frozen=True):
    """Take back the last move."""


class Redo(_Timed, frozen=True):
    """Repeat the move that was taken back last."""


class Hint(_Timed, frozen=True):
    """Ask for the best move (practice only)."""


class Resign(_AtVersion, frozen=True):
    """Give up."""


class Restart(FromClient, frozen=True):
    """Start the same deal as a new game (practice only)."""


class Sync(FromClient, frozen=True):
    """Ask for what has happened since a version, or without one for the whole state."""

    version: Number | None = None


class Ping(FromClient, frozen=True):
    """Ask whether the connection is alive."""


Act = Play | Undo | Redo | Hint
ClientMessage = Play | Undo | Redo | Hint | Resign | Restart | Sync | Ping


class VersionInput(Input, frozen=True):
    """A command, chosen at a version of the game."""

    example: ClassVar = {"version": 12}

    version: Annotated[Number, Meta(description="The version that the player looked at.")]


class ActionInput(VersionInput, frozen=True):
    """An action, chosen at a version of the game."""

    example: ClassVar = {"version": 0, "action": "D", "client_ms": 1500}

    action: Annotated[
        Text,
        Meta(
            max_length=LONGEST_ACTION,
            description="`D`, `R`, `4s9s`, `Kd`, `P4s`, `U` (undo), `Y` (redo) or `H` (hint).",
        ),
    ]
    client_ms: Annotated[
        Milliseconds | None, Meta(description="The client's own clock. Evidence only: the server's ranks.")
    ] = None


class State(Message, frozen=True):
    """The whole game as the player may know it: the first message, and the answer if client and server disagree."""

    game: GameId
    version: Version
    rules: RuleSlug
    position: Position
    legal: Legal
    moves: MoveCount
    elapsed_ms: Clock
    outcome: OutcomeSoFar
    result: Annotated[ResultSoFar, Meta(description="`*` until the game has ended.")]

    @classmethod
    def of(cls, session: Session, now: datetime) -> State:
        play = session.play
        return cls(
            game=session.game,
            version=play.version,
            rules=session.rules.slug,
            position=play.view.text,
            legal=_texts(play.legal_moves),
            moves=play.moves,
            elapsed_ms=session.elapsed_ms(now),
            outcome=cast("Outcome | None", play.outcome),
            result=cast("ResultSoFar", play.result or "*"),
        )


class Played(Message, kw_only=True, frozen=True):
    """An action is durable. `revealed` are the cards it turned up, `legal` the moves that follow.

    `id` is null on connections that did not send the action: those of watchers, and the player's own if the move
    came over REST. `position` is the whole position, only after an undo or redo.
    """

    id: Number | None
    version: Version
    move: ActionText
    revealed: Annotated[list[CardText], Meta(description="The cards that this action turned up.")]
    legal: Legal
    moves: MoveCount
    at_ms: Clock
    outcome: OutcomeSoFar
    position: Position | UnsetType = UNSET

    @classmethod
    def of(cls, step: Step, session: Session, number: int | None = None) -> Played:
        """Return the message for a step, which need not be the game's last."""
        return cls(
            id=number,
            version=step.version,
            move=step.action.text,
            revealed=_texts(step.revealed),
            legal=_texts(step.legal),
            moves=step.moves,
            at_ms=step.at_ms,
            outcome=cast("Outcome | None", step.outcome),
            position=_position_after_undo([step], session),
        )


class Refused(Message, frozen=True):
    """Nothing was changed. `id` is null if the message had no readable one."""

    id: Number | None
    code: RefusalCode
    message: str
    version: Number


class Missed(Message, kw_only=True, frozen=True):
    """The actions since the requested version, each with its time, and the cards they turned up, in order.

    `position` is the whole position, if an undo or redo is among the actions.
    """

    id: Number
    version: Version
    actions: TimedActions
    revealed: list[CardText]
    legal: Legal
    moves: MoveCount
    outcome: OutcomeSoFar
    position: Position | UnsetType = UNSET

    @classmethod
    def of(cls, steps: Sequence[Step], session: Session, number: int) -> Missed:
        play = session.play
        return cls(
            id=number,
            version=play.version,
            actions=" ".join(f"{step.action.text}@{step.at_ms}" for step in steps),
            revealed=[card.text for step in steps for card in step.revealed],
            legal=_texts(play.legal_moves),
            moves=play.moves,
            outcome=cast("Outcome | None", play.outcome),
            position=_position_after_undo(steps, session),
        )


class Hinted(Message, frozen=True):
    """The best move, null if there is none, and the reason for it; `is_exact` once every card has been seen."""

    id: Number | None
    version: Number
    move: MoveText | None
    reason: str
    is_exact: bool

    @classmethod
    def of(cls, suggestion: Suggestion, version: int, number: int | None = None) -> Hinted:
        move = suggestion.move.text if suggestion.move else None
        return cls(number, version, move, suggestion.reason(translation), suggestion.is_exact)


class Unwinnable(Message, frozen=True):
    """The game can no longer be won, whatever the unseen cards are; `since` is the last version at which it could."""

    version: Number
    since: Number | None


class Finished(Message, frozen=True):
    """The game has ended."""

    version: Number
    result: Result
    moves: Number
    elapsed_ms: Milliseconds
    cards_left: Number

    @classmethod
    def of(cls, session: Session) -> Finished:
        play = session.play
        return cls(
            version=play.version,
            result=cast("Result", play.result),
            moves=play.moves,
            elapsed_ms=play.elapsed_ms,
            cards_left=play.position.cards_left,
        )


class Standing(JsonObject, frozen=True):
    """A rank on a score table, and the number of entries."""

    board: BoardSlug
    rank: Ordinal
    of: Ordinal


class Placed(Message, frozen=True):
    """The placements of a ranked game. Follows `finished` as soon as the score is entered."""

    boards: list[Standing]

    @classmethod
    def of(cls, placements: Sequence[Placement]) -> Placed:
        return cls([Standing(*placement) for placement in placements])


class Restarted(Message, frozen=True):
    """The deal has been restarted as a new game, which has its own socket."""

    id: Number
    game: GameId


class Superseded(Message, frozen=True):
    """Another device of the player has taken over the game; this connection is closed."""


class Pong(Message, frozen=True):
    """The answer to a ping, with the time on the game's clock."""

    id: Number
    elapsed_ms: Milliseconds


ServerMessage = (
    State | Played | Refused | Missed | Hinted | Unwinnable | Finished | Placed | Restarted | Superseded | Pong
)


class ActionTaken(Played, tag="played", kw_only=True, frozen=True):
    """A durable action with its effect: the hint if it was one, the end if it ended the game."""

    hint: Hinted | None
    finished: Finished | None


_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)


def read(frame: str) -> ClientMessage:
    """Read a client's message. Raises `BadMessage`."""
    return wire.read(_decoder, frame)


def _position_after_undo(steps: Sequence[Step], session: Session) -> str | UnsetType:
    """Return the last position if a client cannot derive it from the steps: an undo does not name the cards."""
    for step in steps:
        if step.action is UNDO or step.action is REDO:
            return steps[-1].position.seen_by(session.play.seen).text
    return UNSET


def _texts(values: Iterable[Card | Move]) -> list[str]:
    return [value.text for value in values]
