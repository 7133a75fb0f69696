"""Mute players, whose notices one does not want to see."""

from django.db.models import QuerySet

from games.players.models import Player
from games.players.names import find_player
from games.runtime.limits import Hit, count
from leaderboards.clubs.models import MutedPlayer
from leaderboards.clubs.refusals import TooManyMuted

MOST_MUTED = 200


def muted_by(player: Player) -> QuerySet[Player]:
    """Return the players whose notices a player does not see, in the order of muting."""
    return Player.objects.filter(muted_by__by=player).order_by("muted_by__id")


def mute(player: Player, handle: str) -> None:
    """Hide the notices of someone else from a player. Idempotent.

    Raises `UnknownPlayer`, `TooManyMuted` or `Throttled`.
    """
    count(Hit("club_acts", str(player.pk)))
    muted = find_player(handle)
    if muted == player:
        return
    if muted_by(player).exclude(pk=muted.pk).count() >= MOST_MUTED:
        raise TooManyMuted(f"you have muted {MOST_MUTED} players; unmute one first")
    MutedPlayer.objects.get_or_create(by=player, player=muted)


def unmute(player: Player, handle: str) -> None:
    """Show the notices of someone again. Idempotent."""
    MutedPlayer.objects.filter(by=player, player__username=handle).delete()
