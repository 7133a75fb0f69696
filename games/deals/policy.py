"""Policies: the options of a competition, stored with every game that was started under it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

Attempts = Annotated[int, msgspec.Meta(ge=1, le=100)]
Count = Annotated[int, msgspec.Meta(ge=0, le=10_000)]


class PolicyError(ValueError):
    """Invalid policy data; the text says what is wrong."""


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a game; the defaults are those of a ranked attempt.

    `attempts` is the number of ranked attempts a player has at one deal; `restart` allows starting the next attempt
    during the current one. `practice_after` and `watch_after` open the deal for practice and for watching others once
    the player's attempts have ended, before the day is over. The minimum age of an account, counted from its claim,
    and the minimum of finished games are conditions of the division `main`. Hints and notices are for practice:
    nobody gets any on a deal whose day is not over, whatever the policy says.
    """

    attempts: Attempts = 1
    undo: bool = True
    hints: bool = False
    restart: bool = False
    loss_notices: bool = False
    practice_after: bool = False
    watch_after: bool = False
    minimum_age_days: Count = 1
    minimum_finished_games: Count = 3

    @classmethod
    def from_data(cls, data: object) -> Policy:
        """Read a JSON object; missing fields have their defaults. Raises `PolicyError`."""
        try:
            return msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise PolicyError(str(error)) from error

    @property
    def without_hints(self) -> Policy:
        """The same policy without hints and notices."""
        return msgspec.structs.replace(self, hints=False, loss_notices=False)

    @property
    def data(self) -> dict[str, Any]:
        """The policy as a JSON object with every field."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


RANKED = Policy()
PRACTICE = Policy(hints=True, restart=True, loss_notices=True)
