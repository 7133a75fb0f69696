"""The names of tournaments by hand: which nobody can give, and what one is called without its name."""

from collections.abc import Callable
from functools import partial

from django.db import transaction

from games.cups.models import Cup
from games.cups.reading import forget_cup
from games.cups.refusals import CupNameRemoved, CupNameReserved
from games.players.lookalikes import speaks_for_server

bans: list[Callable[[str], bool]] = []
"""Functions that return True for names that nobody can give to a tournament any more."""


def require_allowed(name: str) -> None:
    """Raise `CupNameReserved` or `CupNameRemoved` for names that a tournament cannot have."""
    if speaks_for_server(name):
        raise CupNameReserved(f"{name!r} could be mistaken for the server")
    if any(is_banned(name) for is_banned in bans):
        raise CupNameRemoved(f"reviewers have removed the name {name!r}")


def remove_name(cup: Cup) -> None:
    """Call a tournament by its identifier."""
    cup.name = f"Tournament {cup.pk}"
    cup.save(update_fields=["name"])
    transaction.on_commit(partial(forget_cup, cup.pk))
