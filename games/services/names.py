"""The names that players give themselves."""

from __future__ import annotations

from django.db.models import Q

from games.errors import NameReserved
from games.kit.names import name_key, normal, speaks_for_server
from games.models import Player

NAME_FIELDS = ["display_name", "name_key", "name_is_shared"]


def give_name(player: Player, name: str) -> None:
    """Give a player, who is saved by the caller, a name. Raises `NameReserved`.

    Two may have one name: the one who takes it second is shown with the handle.
    """
    name = normal(name)
    if speaks_for_server(name) and not player.is_staff:
        raise NameReserved(f"{name!r} could be mistaken for the server")
    player.display_name, player.name_key = name, name_key(name)
    alike = Q(name_key=player.name_key) | Q(username=name.casefold())
    player.name_is_shared = Player.objects.filter(alike).exclude(pk=player.pk).exists()


def has_new_name(player: Player, name: str) -> bool:
    """Return True if a name is another one than a player has."""
    return normal(name) != player.display_name
