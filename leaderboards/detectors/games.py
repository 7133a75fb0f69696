"""A finished ranked game as the detectors read it."""

from dataclasses import dataclass
from functools import cached_property

from games.rules import Action, Card, Kind, Play, Position, RuleSet


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """An action that changed the position: the position before, the one after, and the time."""

    action: Action
    at_ms: int
    before: Position
    after: Position
    turned: tuple[Card, ...]  # cards seen for the first time

    @property
    def is_removal(self) -> bool:
        return self.action.kind is Kind.REMOVE

    @property
    def is_forced(self) -> bool:
        """True if no other move was legal."""
        return len(self.before.legal_moves) == 1


@dataclass(frozen=True)
class RankedGame:
    """A finished game with its account and its deal, in the suits of the deal.

    `started_ms` is milliseconds since 1970, `par` the length of the shortest win, None if unknown; `client_ms` the
    client's clock at each action of the play, None if it was not sent.
    """

    id: str
    account: str
    deal: str
    started_ms: int
    play: Play
    par: int | None = None
    client_ms: tuple[int | None, ...] = ()

    @property
    def rules(self) -> RuleSet:
        return self.play.start.rules

    @property
    def ended_ms(self) -> int:
        return self.started_ms + self.play.elapsed_ms

    @property
    def gap(self) -> int | None:
        """The number of moves above par; None if the game was not won or par is unknown."""
        is_known = self.par is not None and self.play.position.is_won
        return self.play.moves - self.par if is_known and self.par is not None else None

    @cached_property
    def steps(self) -> tuple[JudgedStep, ...]:
        """The actions that changed the position, in order."""
        again, steps = Play(self.play.start), []
        for action, at_ms in self.play.actions:
            before = again.position
            turned = again.do(action, at_ms)
            if action.kind is not Kind.HINT:
                steps.append(JudgedStep(action, at_ms, before, again.position, turned))
        return tuple(steps)

    @cached_property
    def line(self) -> tuple[JudgedStep, ...]:
        """The steps whose moves are in effect at the end, with the time at which each was last made."""
        stack: list[JudgedStep] = []
        for step in self.steps:
            if step.action.kind is Kind.UNDO:
                stack.pop()
            else:
                stack.append(step)
        return tuple(stack)
