"""Register apps, and decide where players may be sent back to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlsplit

from django.db import transaction

from games.accounts.refusals import GuestAccount
from games.keys.tokens import locked
from games.oauth.granting import end_grants
from games.oauth.models import LONGEST_ADDRESS, App, Grant
from games.oauth.refusals import BadAddress, TooManyApps
from games.players.lookalikes import normal, speaks_for_server
from games.players.models import Player
from games.players.refusals import NameReserved

MOST_APPS, MOST_ADDRESSES = 10, 10
# RFC 8252, section 7.3: literals, because other programs may answer for a name.
LOOPBACK = {"127.0.0.1", "::1"}


@transaction.atomic
def register_app(owner: Player, name: str, addresses: Sequence[str], now: datetime) -> App:
    """Register an app.

    Raises `GuestAccount`, `NameReserved`, `BadAddress`, `TooManyApps`, or `SignInFailed` as `locked` does.
    """
    if owner.is_guest:
        raise GuestAccount("a guest cannot register apps; register first")
    name = normal(name)
    if speaks_for_server(name):
        raise NameReserved(f"{name!r} could be mistaken for the server")
    require_addresses(addresses)
    locked(owner)  # or two that are registered at once would not count each other
    if owner.apps.count() >= MOST_APPS:
        raise TooManyApps(f"you have {MOST_APPS} apps; remove one first")
    return App.objects.create(owner=owner, name=name, addresses="\n".join(addresses), created_at=now)


@transaction.atomic
def remove_app(app: App) -> None:
    """Remove an app, and end everything that players have allowed it."""
    end_grants(Grant.objects.filter(app=app))
    app.delete()


@transaction.atomic
def forget_apps_of(player: Player) -> None:
    """End what a player has allowed apps, and remove the apps that the player has registered."""
    end_grants(Grant.objects.filter(player=player))
    for app in player.apps.all():
        remove_app(app)


def require_addresses(addresses: Sequence[str]) -> None:
    """Raise `BadAddress` unless players may be sent to each of some addresses."""
    if len(addresses) > MOST_ADDRESSES:
        raise BadAddress(f"an app has at most {MOST_ADDRESSES} addresses")
    for address in addresses:
        if not _is_possible(address):
            raise BadAddress(f"{address[:LONGEST_ADDRESS]!r} is not an address to send players back to")


def is_address_of(app: App, address: str) -> bool:
    """Return True if an app has registered exactly this address; on the player's own machine, any port will do."""
    registered = app.addresses.split("\n")
    return _is_possible(address) and (address in registered or _without_port(address) in map(_without_port, registered))


def _is_possible(address: str) -> bool:
    if len(address) > LONGEST_ADDRESS or not re.fullmatch(r"[!#-;=?-\[\]-~]+", address):
        return False
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if not host or "@" in parts.netloc or "#" in address:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK | {"localhost"})


def _without_port(address: str) -> str:
    """Return an address on the player's own machine without its port; any other address as it is."""
    parts = urlsplit(address)
    if parts.scheme != "http" or parts.hostname not in LOOPBACK:
        return address
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return parts._replace(netloc=host).geturl()
