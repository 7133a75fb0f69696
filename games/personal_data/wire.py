from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, ClassVar, Literal

from django.utils.translation import gettext
from msgspec import UNSET, Meta, UnsetType

from games.accounts.wire import Password
from games.doors.wire import Check, Input, JsonObject, Number, documented
from games.personal_data.models import DataExport
from games.players.wire import Handle, Time


def _mistake_in_consent(is_sure: bool) -> str | None:
    return None if is_sure else gettext("Nothing is deleted without a yes.")


class DeleteInput(Input, frozen=True):
    """The confirmation that an account is to be deleted."""

    example: ClassVar = {"confirm": True, "password": "correct horse battery"}

    confirm: Annotated[
        bool, Meta(description="`true`: there is no way back."), documented(const=True), Check(_mistake_in_consent)
    ]
    password: Annotated[Password | UnsetType, Meta(description="Yours, if you have a named account.")] = UNSET


class Export(JsonObject, frozen=True):
    """The progress of the copy of your data."""

    state: Literal["pending", "done", "failed"]
    done: Annotated[Number, Meta(description="How many of your games are in it.")]
    total: Annotated[Number, Meta(description="Of how many; 0 before the work has begun.")]
    requested_at: Time
    finished_at: Time | None
    removed_at: Annotated[Time | None, Meta(description="Until when it can be downloaded.")]

    @classmethod
    def of(cls, row: DataExport) -> Export:
        removed_at = row.finished_at + timedelta(days=DataExport.DAYS_KEPT) if row.finished_at else None
        state: Any = row.state
        return cls(state, row.done, row.total, row.requested_at, row.finished_at, removed_at)


class Deleted(JsonObject, frozen=True):
    """The remains of a deleted account."""

    handle: Annotated[Handle, Meta(description="The made-up handle under which the ranked games stay.")]
