"""The answer of `/api/status/`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from games.doors.wire import JsonObject
from games.runtime.objectives import ObjectiveName
from games.status import reading

Share = Annotated[float, Meta(ge=0, le=1)]
Measured = Annotated[Share | None, Meta(description="Null: nothing was asked for.")]


class Part(JsonObject, frozen=True):
    """A part of the server: play, live changes of others, the deals of the coming days, the work of the worker."""

    part: reading.PartName
    state: Annotated[reading.State, Meta(description="unknown: it could not be examined yet.")]


class Kept(JsonObject, frozen=True):
    """The share of an objective that was in time in the last 24 hours, 7 days and 30 days, rounded down."""

    objective: ObjectiveName
    seconds: Annotated[float, Meta(ge=0, description="How long it may take.")]
    promised: Annotated[Share, Meta(description="Which part is to be in time.")]
    day: Measured
    week: Measured
    month: Measured

    @classmethod
    def of(cls, kept: reading.Kept) -> Kept:
        objective = kept.objective
        return cls(objective.name, objective.seconds, objective.promised, kept.day, kept.week, kept.month)


class ServerStatus(JsonObject, frozen=True):
    """The state of the server, and the share of what players asked for that they got in time."""

    parts: list[Part]
    objectives: list[Kept]

    @classmethod
    def of(cls, status: reading.ServerStatus) -> ServerStatus:
        parts = [Part(name, state) for name, state in status.parts.items()]
        return cls(parts, [Kept.of(kept) for kept in status.objectives])
