"""Issue tokens."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from knox.models import AuthToken, get_digest_token
from knox.settings import CONSTANTS, knox_settings

from games.keys.models import TokenName
from games.keys.refusals import SignInFailed
from games.keys.tokens import remember_token
from games.players.models import Player


class SignedIn(NamedTuple):
    """A player and a new token, the only key of a guest; each use of a token extends its life."""

    player: Player
    token: str
    expires_at: datetime


@transaction.atomic
def issue_token(player: Player, name: str = "") -> SignedIn:
    """Issue another token for a player. Raises what `locked` raises."""
    locked(player)
    return _new_token(player, name)


def locked(player: Player) -> Player:
    """Return a player as stored now, and lock the row.

    Raises `SignInFailed` if all keys of the player have ended since it was read, such as with its password: no key that
    is made at that moment stays.
    """
    unchanged = Player.objects.filter(pk=player.pk, key_epoch=player.key_epoch, is_active=True)
    stored = unchanged.select_for_update(no_key=True).first()
    if stored is None:
        raise SignInFailed("all keys of this account ended at the same moment")
    return stored


def _new_token(player: Player, name: str = "") -> SignedIn:
    row, token = _unsaved_token(player)
    row.save()
    if name:
        TokenName.objects.create(token=row, name=name)
    remember_token(row)
    return SignedIn(player, token, row.expiry)


def _unsaved_token(player: Player) -> tuple[AuthToken, str]:
    digest, token = get_digest_token()
    expiry = timezone.now() + knox_settings.TOKEN_TTL
    return AuthToken(digest=digest, token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH], user=player, expiry=expiry), token
