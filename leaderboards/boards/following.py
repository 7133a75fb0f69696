"""Follow other players."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.players.models import Player
from games.players.refusals import UnknownPlayer
from leaderboards.boards.models import Following

MOST_FOLLOWED = 200


class FollowingError(ValueError):
    """The player cannot follow this one; the text says why."""


def followed_by(player: Player) -> QuerySet[Player]:
    """Return the players whom a player follows, in the order of following."""
    return Player.objects.filter(followers__follower=player).order_by("followers__id")


def follow(player: Player, handle: str) -> None:
    """Follow someone. Idempotent. Raises `UnknownPlayer` or `FollowingError`."""
    followed = Player.objects.filter(username=handle, is_active=True).first()
    if followed is None:
        raise UnknownPlayer(f"there is no player {handle!r}")
    if followed == player:
        raise FollowingError(_("you cannot follow yourself; your own scores are always shown"))
    if followed_by(player).exclude(pk=followed.pk).count() >= MOST_FOLLOWED:
        raise FollowingError(_("you already follow %(count)d players, the maximum") % {"count": MOST_FOLLOWED})
    Following.objects.get_or_create(follower=player, followed=followed)


def unfollow(player: Player, handle: str) -> None:
    """Stop following someone. Idempotent."""
    Following.objects.filter(follower=player, followed__username=handle).delete()
