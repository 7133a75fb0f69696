"""The names of players: those that they give themselves, and the handles by which they are found."""

from games.players.lookalikes import name_key, normal, speaks_for_server
from games.players.models import Player
from games.players.refusals import NameReserved, UnknownPlayer

NAME_FIELDS = ["display_name", "name_key"]


def give_name(player: Player, name: str) -> None:
    """Give a player a name; the caller saves the player and calls `tell_apart`. Raises `NameReserved`."""
    name = normal(name)
    if speaks_for_server(name) and not player.is_staff:
        raise NameReserved(f"{name!r} could be mistaken for the server")
    player.display_name, player.name_key = name, name_key(name)


def tell_apart(*keys: str) -> None:
    """Show the handles of all players whose names have one of these keys, unless only one player has it.

    Call it once the names are stored: of those who take a name at the same moment, the last one finds the others.
    """
    for key in {*keys} - {""}:
        holders = Player.objects.filter(name_key=key)
        some = list(holders[:2])
        is_shared = len(some) > 1 or any(map(_is_a_handle, some))
        holders.filter(name_is_shared=not is_shared).update(name_is_shared=is_shared)


def has_new_name(player: Player, name: str) -> bool:
    """Return True if a name is another one than a player has."""
    return normal(name) != player.display_name


def find_player(handle: str) -> Player:
    """Return a player by handle. Raises `UnknownPlayer`, also for a closed account."""
    player = Player.objects.filter(username=handle, is_active=True).first()
    if player is None:
        raise UnknownPlayer(f"there is no player {handle!r}")
    return player


def _is_a_handle(player: Player) -> bool:
    """Return True if a name is the handle of another player."""
    return Player.objects.filter(username=player.display_name.casefold()).exclude(pk=player.pk).exists()
