"""The state machine of one game: an action and a time in, a change out. No I/O.

REST, sockets and pages all play games through it; the journal makes each change durable before it is published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from games.deals.policy import Policy
from games.play.refusals import HintsNotAllowed, StaleVersion, TooManyActions, UndoNotAllowed
from games.rules import HINT, REDO, UNDO, Action, Card, GameOver, Kind, Move, Outcome, Play, Position, RuleSet

MILLISECOND = timedelta(milliseconds=1)
MOST_STEPS = 4  # in memory
MOST_ACTIONS = 2_000  # without a limit, undo and redo could make a game grow, and its replay slow down, forever


class Pause(NamedTuple):
    """An interval in which the clock stood still, in milliseconds of real time since the game started."""

    first: int
    last: int


class Step(msgspec.Struct, frozen=True):
    """The effect of one accepted action; `version` and `moves` include the action itself.

    `position` is the position it led to, unseen cards included; `revealed` are the cards it turned face up for the
    first time, in order.
    """

    version: int
    action: Action
    at_ms: int
    client_ms: int | None
    position: Position
    revealed: tuple[Card, ...]
    legal: tuple[Move, ...]
    moves: int
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a game, as stored with a finished game. `downtime_ms` is not part of `elapsed_ms`."""

    status: str
    finished_at: datetime
    elapsed_ms: int
    moves: int
    draws: int
    recycles: int
    undos: int
    hints: int
    cards_left: int
    downtime_ms: int = 0
    hasty: int = 0


Start = Mapping[str, Any]
"""The row of a game that begins: a player's first attempt at a daily deal. Columns that it leaves out are empty."""


class Change(NamedTuple):
    """The next write to the database: an action, the end of the game, or both; or its start.

    `repeated` marks an action that was already durable and has only been sent again.
    """

    game: str
    step: Step | None = None
    summary: Summary | None = None
    repeated: bool = False
    start: Start | None = None


@dataclass(slots=True, eq=False)
class Session:
    """A game between two actions.

    A refusal does not change it. After a failed commit it is ahead of the database: discard it and load a new one.
    From `deadline` on no action is accepted and the game waits to expire. `pauses` are the times in which no server
    was up before it was loaded; later ones cannot matter, because a session dies with its server.
    """

    game: str
    policy: Policy
    play: Play
    started_at: datetime
    deadline: datetime | None = None
    pauses: tuple[Pause, ...] = ()
    # The steps from some version to the current one, a few for those who send an action again or come back; earlier
    # ones are made on demand.
    _steps: list[Step] = field(default_factory=list, init=False)

    def act(self, action: Action, version: int, now: datetime, client_ms: int | None = None) -> Change:
        """Take an action that was chosen at a version.

        If the same action has already been taken at that version, returns the same change, marked as repeated. Raises
        `StaleVersion`, `UndoNotAllowed`, `HintsNotAllowed`, or an error of the rules.
        """
        if self._was_taken(action, version):
            return Change(self.game, self.step(version + 1), self._ended_by(version + 1, now), repeated=True)
        self._require_present(version, now)
        self._require_allowed(action)
        step = self._do(action, max(self._clock(now), self.play.elapsed_ms), client_ms)
        if self._ends(step):
            self.play.end(Outcome.STUCK)
        return Change(self.game, step, self._ended_by(step.version, now))

    def resign(self, version: int, now: datetime) -> Change:
        """Give up; repeating it at the same version returns the same change.

        Raises `StaleVersion` or `GameOver`.
        """
        if version == self.play.version and self.play.result in {Outcome.RESIGNED, Outcome.STUCK}:
            return Change(self.game, summary=self.summary(now), repeated=True)
        self._require_present(version, now)
        self.play.resign()
        return Change(self.game, summary=self.summary(now))

    def expire(self, now: datetime) -> Change:
        """End the game as it stands because its time has run out. Raises `GameOver`."""
        self.play.end(Outcome.EXPIRED)
        return Change(self.game, summary=self.summary(now))

    def follow(self, action: Action, at_ms: int) -> None:
        """Apply an action that another process has made durable. Raises an error of the rules."""
        self._do(action, at_ms, client_ms=None)

    def follow_end(self, result: Outcome) -> None:
        """Apply an end that another process has made durable."""
        if self.play.result is None:
            self.play.end(result)

    def step(self, version: int) -> Step:
        """Return the step that led to a version, from 1 on: from memory, or by replaying the game."""
        play = self.play
        first = play.version - len(self._steps) + 1
        if version < first:
            self._steps[:0] = map(self._as_answered, islice(_steps_of(play), first - 1))
            first = 1
        return self._steps[version - first]

    def up_to(self, version: int) -> Session:
        """Return this game as it was at a version, unfinished."""
        return Session(self.game, self.policy, self.play.up_to(version), self.started_at, self.deadline, self.pauses)

    def steps_since(self, version: int) -> list[Step] | None:
        """Return the steps since a version; None if the game never had that version."""
        if not 0 <= version <= self.play.version:
            return None
        return [self.step(later) for later in range(version + 1, self.play.version + 1)]

    @property
    def rules(self) -> RuleSet:
        return self.play.position.rules

    def is_overdue(self, now: datetime) -> bool:
        """Return True if the time has run out but the game has not ended yet."""
        return self.play.result is None and self.deadline is not None and now >= self.deadline

    def elapsed_ms(self, now: datetime) -> int:
        """The time on the game's clock."""
        play = self.play
        return max(self._clock(now), play.elapsed_ms) if play.result is None else play.elapsed_ms

    def _was_taken(self, action: Action, version: int) -> bool:
        return 0 <= version < self.play.version and self.play.actions[version].action is action

    def _do(self, action: Action, at_ms: int, client_ms: int | None) -> Step:
        revealed = self.play.do(action, at_ms)
        step = self._as_answered(_step(self.play, revealed, client_ms))
        self._steps.append(step)
        # There are more only where somebody has asked for them: mallory could have a game replayed after each action.
        if len(self._steps) == MOST_STEPS + 1:
            del self._steps[0]
        return step

    def _as_answered(self, step: Step) -> Step:
        """Return a step without the moves that nobody can make any more, the same wherever the game is played."""
        return msgspec.structs.replace(step, legal=()) if self._ends(step) else step

    def _ends(self, step: Step) -> bool:
        """Return True if a step leaves a game stuck that has no undo to save it."""
        return not self.policy.undo and step.outcome is Outcome.STUCK

    def _require_present(self, version: int, now: datetime) -> None:
        if version != self.play.version:
            raise StaleVersion(f"the game is at version {self.play.version}, not {version}")
        if self.is_overdue(now):
            raise GameOver("the time for this game has run out")

    def _require_allowed(self, action: Action) -> None:
        if self.play.version >= MOST_ACTIONS:
            raise TooManyActions(f"a game has at most {MOST_ACTIONS} actions; this one can only be resigned")
        if not self.policy.undo and action in (UNDO, REDO):
            raise UndoNotAllowed(f"{action.kind.name.lower()} is disabled in this game")
        if not self.policy.hints and action is HINT:
            raise HintsNotAllowed("hints are disabled in this game")

    def _clock(self, now: datetime) -> int:
        """Return the milliseconds since the start during which a server was up."""
        real = (now - self.started_at) // MILLISECOND
        return real - self._downtime_ms(real) if self.pauses else real  # at each action, and hardly a game has any

    def _downtime_ms(self, real: int) -> int:
        """Return how long the clock stood still within the first `real` milliseconds of real time."""
        return sum(min(pause.last, real) - min(pause.first, real) for pause in self.pauses)

    def _ended_by(self, version: int, now: datetime) -> Summary | None:
        """Return the summary if the action that led to this version ended the game."""
        play = self.play
        if version < play.version or play.result is None or play.outcome is not play.result:
            return None
        return self.summary(now)

    def summary(self, now: datetime) -> Summary:
        """Return the summary of a finished game."""
        play = self.play
        assert play.result is not None  # noqa: S101
        # Where the server's clock was set back, a game still ends no sooner than its last action.
        set_back = timedelta(milliseconds=max(play.elapsed_ms - self._clock(now), 0))
        return Summary(
            status=play.result.value,
            finished_at=now + set_back,
            elapsed_ms=play.elapsed_ms,
            moves=play.moves,
            draws=play.count(Kind.DRAW),
            recycles=play.count(Kind.RECYCLE),
            undos=play.count(Kind.UNDO),
            hints=play.count(Kind.HINT),
            cards_left=play.position.cards_left,
            downtime_ms=self._downtime_ms((now - self.started_at) // MILLISECOND),
            hasty=play.hasty,
        )


def _step(play: Play, revealed: tuple[Card, ...], client_ms: int | None) -> Step:
    action, at_ms = play.actions[-1]
    return Step(
        version=play.version,
        action=action,
        at_ms=at_ms,
        client_ms=client_ms,
        position=play.position,
        revealed=revealed,
        legal=play.legal_moves,
        moves=play.moves,
        outcome=play.outcome,
    )


def _steps_of(play: Play) -> Iterator[Step]:
    again = Play(play.start)
    for timed in play.actions:
        yield _step(again, again.do(*timed), client_ms=None)
