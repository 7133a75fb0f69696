"""Bots that people own: a bot has no password, its owner makes and ends its tokens and answers for it."""

from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Q
from django.http import HttpRequest

from games.accounts.accounts import handle_free, require_possible_handle
from games.accounts.passwords import require_own_password
from games.accounts.refusals import GuestAccount
from games.bots.refusals import CannotOwnBots, TooManyBots, UnknownBot
from games.keys.keys import make_token
from games.keys.tokens import SignedIn, locked
from games.personal_data.erasure import erase_player
from games.personal_data.models import Erasure
from games.players.lookalikes import name_key
from games.players.models import Player
from games.players.names import give_name, publish_names, tell_apart
from games.runtime.addresses import address_of_request
from games.runtime.limits import Hit, count, new_account


class OwnedBot(NamedTuple):
    """A bot with the number of its tokens that have not expired."""

    player: Player
    tokens: int


def create_bot(owner: Player, handle: str, display_name: str | None, request: HttpRequest, now: datetime) -> SignedIn:
    """Create a bot that a player owns, and return it with a token, which bears the handle as its name.

    The token has the scopes of the key with which the owner came in.

    Raises `GuestAccount`, `CannotOwnBots`, `TooManyBots`, `BadHandle`, `HandleReserved`, `HandleTaken`, `NameReserved`,
    `Throttled`, or `SignInFailed` if all keys of the owner end at this moment.
    """
    _require_may_own_another(owner)
    require_possible_handle(handle)
    bot = Player(username=handle, claimed_at=now, is_bot=True, owner=owner)
    give_name(bot, display_name or handle)
    bot.set_unusable_password()
    count(*new_account(address_of_request(request)))
    with handle_free(handle):
        _require_may_own_another(locked(owner))
        bot.save(force_insert=True)
        made = make_token(bot, handle, maker=owner)
    tell_apart(bot.name_key, name_key(handle))
    return made


def bots_of(owner: Player, now: datetime) -> list[OwnedBot]:
    """Return the bots that a player owns, in the order in which they were made."""
    tokens = Count("auth_token_set", filter=Q(auth_token_set__expiry__gte=now))
    return [OwnedBot(bot, bot.tokens) for bot in owner.bots.annotate(tokens=tokens).order_by("pk")]


def own_bot(owner: Player, handle: str) -> Player:
    """Return a bot that a player owns. Raises `UnknownBot`, also for one of somebody else."""
    bot = owner.bots.filter(username=handle).first()
    if bot is None:
        raise UnknownBot(f"you own no bot {handle!r}")
    return bot


def name_model(bot: Player, model: str) -> Player:
    """Note which language model plays a bot, as its owner says; an empty text means none. Raises `Throttled`."""
    if model != bot.model:
        count(Hit("renames", str(bot.pk)))  # every process forgets the pages that it keeps
        bot.model = model
        Player.objects.filter(pk=bot.pk).update(model=model)
        publish_names()
    return bot


def delete_own_bot(owner: Player, handle: str, password: str, request: HttpRequest, now: datetime) -> Erasure:
    """Delete a bot, with the password of its owner. Raises `UnknownBot`, `SignInFailed` or `Throttled`."""
    bot = own_bot(owner, handle)
    require_own_password(owner, password, request)
    return erase_player(bot, "the owner deleted the bot", None, now)


def _require_may_own_another(owner: Player) -> None:
    if owner.is_guest:
        raise GuestAccount("a guest cannot own bots; register first")
    if owner.is_bot or owner.banned_at is not None:
        raise CannotOwnBots("a bot cannot own bots" if owner.is_bot else "a banned player cannot own bots")
    if owner.bots.count() >= settings.PYRAMID_BOTS_PER_PLAYER:
        raise TooManyBots(f"you own {settings.PYRAMID_BOTS_PER_PLAYER} bots; delete one first")
