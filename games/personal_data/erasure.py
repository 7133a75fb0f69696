"""Erase personal data. Nothing else may delete what the guards of the database protect."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models, transaction
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.http import HttpRequest
from knox.models import AuthToken

from games.accounts.passwords import require_own_password
from games.oauth.registering import forget_apps_of
from games.personal_data.models import Erasure
from games.play.models import Game
from games.players.models import DELETED_NAME, ERASED, Player, new_id
from games.players.names import publish_names, tell_apart
from games.races import rooms

GAMES_AT_ONCE = 200
UNDER_WAY = timedelta(minutes=5)  # longer than any request that began before the deletion
BY_PLAYER = "the player deleted the account"
WITH_OWNER = "the account of the bot's owner was deleted"
REST = "games of a deleted account"

# Tables whose rows may outlive an erasure for a while: a function returns True if those of a player do. The app that
# registers one says so on the privacy page, and deletes the rows afterwards.
outliving: dict[type[Model], Callable[[Player, datetime], bool]] = {}


def delete_own_account(player: Player, password: str, request: HttpRequest, now: datetime) -> Erasure:
    """Delete the account of a player who is signed in, at once except for old games, which the worker deletes.

    Named accounts need their password. Raises `SignInFailed` or `Throttled`.
    """
    if not player.is_guest:
        require_own_password(player, password, request)
    return erase_player(Player.objects.get(pk=player.pk), BY_PLAYER, None, now)


@transaction.atomic
def erase_player(player: Player, reason: str, by: Player | None, now: datetime) -> Erasure:
    """Delete a player's personal data, and close the account permanently.

    Tokens, sessions, followed players and the newest unranked games are deleted, with their logs; handle, name, address
    and password are replaced. Ranked games stay, without a person behind them, because the ranks of others depend on
    them. `erase_games` deletes unranked games that are left. The same is done to bots that the player owns.
    """
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)  # adding a bot waits for this
    for bot in player.bots.all():
        erase_player(bot, WITH_OWNER, by, now)
    rooms.leave_all(player, now)
    erasure = _erase_games(player, reason, by, now)
    _delete_what_belongs_to(player, now)
    _forget_name_of(player)
    # The log of the admin names the account as it was.
    about = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(Player), object_id=str(player.pk))
    about.update(object_repr=player.username)
    return erasure


def erase_games(player: Player, now: datetime) -> int:
    """Delete some unranked games that an erased player still has, and return how many; 0 if none is left."""
    if not _erased_with_games().filter(pk=player.pk).exists():
        return 0
    with transaction.atomic():
        return _erase_games(player, REST, None, now).games


def finish_erasures(now: datetime) -> int:
    """Delete what requests under way have stored for players who were erased meanwhile, and some of the unranked games
    that erased players still have; return how many games.
    """
    for player in Player.objects.filter(ERASED, erasures__at__gte=now - UNDER_WAY).distinct():
        rooms.leave_all(player, now)
        _delete_what_belongs_to(player, now)
    return sum(erase_games(player, now) for player in _erased_with_games())


def _erased_with_games() -> QuerySet[Player]:
    unranked = Game.objects.filter(player=OuterRef("pk"), daily=None)
    return Player.objects.filter(ERASED, Exists(unranked), erasures__isnull=False).distinct()


def _erase_games(player: Player, reason: str, by: Player | None, now: datetime) -> Erasure:
    erasure = Erasure.objects.create(player=player, by=by, reason=reason, at=now)
    # Restarts come before the games that they restart.
    for game in player.games.filter(daily=None).order_by("-created_at", "-pk")[:GAMES_AT_ONCE]:
        game.delete()
        erasure.games += 1
    erasure.is_open = False
    erasure.save()
    return erasure


def _delete_what_belongs_to(player: Player, now: datetime) -> None:
    """Delete the rows that belong to the account, except the audit trail of its actions as staff, and what outlives."""
    forget_apps_of(player)
    kept = {LogEntry, *(model for model, outlives in outliving.items() if outlives(player, now))}
    for relation in Player._meta.related_objects:
        if relation.on_delete is models.CASCADE and relation.related_model not in kept:
            relation.related_model._base_manager.filter(**{relation.field.name: player}).delete()
    AuthToken.objects.filter(user=player).delete()


def _forget_name_of(player: Player) -> None:
    former = player.name_key
    player.username, player.display_name, player.email, player.model = f"deleted-{new_id()}", DELETED_NAME, "", ""
    player.name_key, player.name_is_shared = "", False
    player.is_active = player.is_staff = player.is_superuser = False
    player.last_login = player.owner = None
    player.set_unusable_password()
    player.save()
    player.groups.clear()
    player.user_permissions.clear()
    tell_apart(former)
    publish_names()
