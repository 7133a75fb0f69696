"""Erase personal data. Nothing else may delete what the guards of the database protect."""

from __future__ import annotations

from datetime import datetime

from django.contrib.admin.models import LogEntry
from django.db import models, transaction
from knox.models import AuthToken

from games.models import Erasure, Player, new_id

DELETED_NAME = "Deleted player"


@transaction.atomic
def erase_player(player: Player, reason: str, by: Player | None, now: datetime) -> Erasure:
    """Delete a player's personal data, and close the account permanently.

    Unranked games are deleted with their logs, and so are tokens and followed players; handle, name, address and
    password are replaced. Ranked games stay, without a person behind them, because the ranks of others depend on them.
    """
    erasure = Erasure.objects.create(player=player, by=by, reason=reason, at=now)
    practice = list(player.games.filter(daily=None).order_by("-created_at"))
    for game in practice:  # restarts before the games that they restart
        game.delete()
    erasure.games = len(practice)
    _delete_what_belongs_to(player)
    _forget_name_of(player)
    erasure.is_open = False
    erasure.save()
    return erasure


def _delete_what_belongs_to(player: Player) -> None:
    """Delete the rows that belong to the account, but not the trace of what it did as staff."""
    for relation in Player._meta.related_objects:
        if relation.on_delete is models.CASCADE and relation.related_model is not LogEntry:
            relation.related_model._base_manager.filter(**{relation.field.name: player}).delete()
    AuthToken.objects.filter(user=player).delete()


def _forget_name_of(player: Player) -> None:
    player.username, player.display_name, player.email = f"deleted-{new_id()}", DELETED_NAME, ""
    player.name_key, player.name_is_shared = "", False
    player.is_active = player.is_staff = player.is_superuser = False
    player.last_login = None
    player.set_unusable_password()
    player.save()
    player.groups.clear()
    player.user_permissions.clear()
