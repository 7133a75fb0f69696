"""The names of players: those that they give themselves, and the handles by which they are found."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Min, Q, QuerySet

from games.players.lookalikes import looks_like_handle, name_key, normal, speaks_for_server
from games.players.models import Player
from games.players.refusals import NameLikeHandle, NameReserved, UnknownPlayer
from games.runtime.kept_queries import rows_of
from games.runtime.memory import EVERYTHING
from games.runtime.pubsub import pubsub

TOPIC = "names"
NAME_FIELDS = ["display_name", "name_key"]


def give_name(player: Player, name: str) -> None:
    """Give a player a name; the caller saves the player and calls `tell_apart`. Raises `NameReserved`."""
    name = normal(name)
    if speaks_for_server(name) and not player.is_staff:
        raise NameReserved(f"{name!r} could be mistaken for the server")
    if looks_like_handle(name):
        raise NameLikeHandle(f"{name!r} could be mistaken for the handle of a player")
    player.display_name, player.name_key = name, name_key(name)


def tell_apart(*keys: str) -> None:
    """Show the handles of all players whose names have one of these keys, unless only one player has it.

    Call it once the names are stored: of those who take a name at the same moment, the last one finds the others.
    However many keys there are, two queries find what differs, and mostly nothing does.
    """
    held = _held(list({*keys} - {""}))
    handles = _players_by_handle(names.of_one for names in held if names.holders == 1)
    mark: list[str] = []
    unmark: list[str] = []
    for names in held:
        is_shared = names.holders > 1 or handles.get(names.of_one.casefold(), names.one) != names.one
        if is_shared and names.marked < names.holders:
            mark.append(names.key)
        elif not is_shared and names.marked:
            unmark.append(names.key)
    for keys_of, is_shared in ((mark, True), (unmark, False)):
        if keys_of:  # or the ORM would compose a statement that it does not send
            Player.objects.filter(name_key__in=keys_of, name_is_shared=not is_shared).update(name_is_shared=is_shared)


def publish_names() -> None:
    """Notify all processes after the commit that what is known of the names of players is outdated."""
    transaction.on_commit(partial(pubsub().publish, TOPIC, {"about": EVERYTHING}), robust=True)


def has_new_name(player: Player, name: str) -> bool:
    """Return True if a name is another one than a player has."""
    return normal(name) != player.display_name


def find_player(handle: str) -> Player:
    """Return a player by handle. Raises `UnknownPlayer`, also for a closed account."""
    player = Player.objects.filter(username=handle, is_active=True).first()
    if player is None:
        raise UnknownPlayer(f"there is no player {handle!r}")
    return player


class _Held(NamedTuple):
    """A key with the number of its holders, of those who are marked, and one of them."""

    key: str
    holders: int
    marked: int
    one: int
    of_one: str


def _held(keys: Sequence[str]) -> list[_Held]:
    """Count the holders of each key in the database: thousands may have one."""
    return list(map(_Held._make, rows_of(_count_holders, keys)))


def _count_holders(keys: Sequence[str]) -> QuerySet[Player, Any]:
    return (
        Player.objects.filter(name_key__in=keys)
        .values("name_key")
        .annotate(
            holders=Count("pk"),
            marked=Count("pk", filter=Q(name_is_shared=True)),
            one=Min("pk"),
            of_one=Min("display_name"),
        )
        .values_list("name_key", "holders", "marked", "one", "of_one")
    )


def _players_by_handle(names: Iterable[str]) -> dict[str, int]:
    """Return who has one of these names as a handle, which has no spaces."""
    handles = [name.casefold() for name in names if " " not in name]
    return dict(rows_of(_handles_and_players, handles))


def _handles_and_players(handles: Sequence[str]) -> QuerySet[Player, Any]:
    return Player.objects.filter(username__in=handles).values_list("username", "pk")
