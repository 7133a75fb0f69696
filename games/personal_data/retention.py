"""Remove abandoned data: guests who never finished a game, and old practice games of guests."""

from contextlib import suppress
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, ProtectedError, QuerySet
from knox.models import AuthToken

from games.keys.models import BrowserSession
from games.personal_data.models import Erasure
from games.play.models import Game, practice_among
from games.players.models import Player
from games.races.models import Racer
from games.statistics.tallies import recount

TOGETHER = 200  # guests in one run of a task
IDLE = "a guest who never finished a game"
OLD = "old practice games of a guest"


def forget_idle_guests(now: datetime) -> int:
    """Remove guests who have not been here for `PYRAMID_IDLE_GUEST_DAYS` and never finished a game.

    Returns their number. Guests stay who have a ranked game, finished or not, or were in a race; so do those of whom
    something was deleted before, because the trace of that deletion refers to them.
    """
    return sum(_removed(guest, now) for guest in _idle_guests(now)[:TOGETHER])


def forget_guest_practice(now: datetime) -> int:
    """Delete practice games of guests after `PYRAMID_GUEST_PRACTICE_DAYS`, and return their number."""
    old = _old_practice(now)
    guests = Player.objects.filter(pk__in=old.filter(restarted_as=None).values("player")).order_by("pk")[:TOGETHER]
    return sum(_without_practice(guest, old.filter(player=guest), now) for guest in guests)


def _idle_guests(now: datetime) -> QuerySet[Player]:
    since = now - timedelta(days=settings.PYRAMID_IDLE_GUEST_DAYS)
    games = Game.objects.filter(player=OuterRef("pk"))
    guests = Player.objects.filter(is_guest=True, is_active=True, is_staff=False, date_joined__lt=since)
    return (
        guests.filter(erasures=None)
        .order_by("pk")
        .exclude(last_login__gte=since)
        .exclude(Exists(AuthToken.objects.filter(user=OuterRef("pk"), expiry__gte=now)))
        .exclude(Exists(BrowserSession.objects.filter(player=OuterRef("pk"), used_at__gte=since)))
        .exclude(Exists(games.filter(daily__isnull=False)))
        .exclude(Exists(games.exclude(status=Game.Status.PLAYING)))
        .exclude(Exists(games.filter(created_at__gte=since)))
        .exclude(Exists(Racer.objects.filter(player=OuterRef("pk"))))
    )


def _old_practice(now: datetime) -> QuerySet[Game]:
    """Return the practice games of guests that are old enough, and of which no younger one is a restart."""
    since = now - timedelta(days=settings.PYRAMID_GUEST_PRACTICE_DAYS)
    games = practice_among(Game.objects.filter(player__is_guest=True, created_at__lt=since))
    return games.exclude(restarted_as__created_at__gte=since)


def _removed(guest: Player, now: datetime) -> bool:
    with suppress(ProtectedError), transaction.atomic():
        erasure = _erase(guest, guest.games.all(), IDLE, now)
        # One statement: an erasure can only be closed, and the row may stay without its player.
        Erasure.objects.filter(pk=erasure.pk).update(is_open=False, player=None, games=erasure.games)
        guest.delete()
        return True
    return False


def _without_practice(guest: Player, games: QuerySet[Game], now: datetime) -> int:
    with suppress(ProtectedError), transaction.atomic():
        erasure = _erase(guest, games, OLD, now)
        erasure.is_open = False
        erasure.save()
        recount([guest.pk])
        return erasure.games
    return 0


def _erase(guest: Player, games: QuerySet[Game], reason: str, now: datetime) -> Erasure:
    """Delete games of a guest, as the guards of the database allow it while an erasure is open."""
    erasure = Erasure.objects.create(player=guest, reason=reason, at=now)
    while last := list(games.filter(restarted_as=None)):  # a game that starts another again before that one
        for game in last:
            game.delete()
        erasure.games += len(last)
    return erasure
