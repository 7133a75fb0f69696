"""Traces of accounts: keyed hashes of their networks, browsers and owners, and until when they are kept."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.crypto import salted_hmac

from games.deals.daily import MODERATION, first_day_not_public
from games.play.models import Game
from games.players.models import ERASED, Player
from games.races.models import Racer
from games.races.people import SAME_DAYS
from games.runtime.addresses import UNKNOWN, site_of
from leaderboards.judging.links import network_of
from leaderboards.moderation.evidence_models import Trace

_SALT = "leaderboards.trace"
MARK_LENGTH = 32


def remember(visits: Sequence[tuple[int, str, str]], now: datetime) -> None:
    """Store the network address and the device of accounts as hashes that only this server can compute.

    Nothing is stored of an account that has been closed meanwhile.
    """
    # Locked and written in one order, so that two processes with the same players do not wait for each other.
    seen = sorted({trace for player, address, device in visits for trace in _traces_of(player, address, device)})
    with transaction.atomic():
        active = Player.objects.filter(pk__in={player for player, _, _ in seen}, is_active=True).order_by("pk")
        kept = set(active.select_for_update(no_key=True).values_list("pk", flat=True))
        _keep([trace for trace in seen if trace[0] in kept], now)


def _traces_of(player: int, address: str, device: str) -> Iterator[tuple[int, str, str]]:
    network = "" if address == UNKNOWN else network_of(address)
    values = {Trace.Kind.ADDRESS: network, Trace.Kind.SITE: site_of(network), Trace.Kind.DEVICE: device}
    return ((player, kind, value) for kind, value in values.items() if value)


def mark_of(kind: str, value: str) -> str:
    """Return the keyed hash of an address, a device mark or an owner."""
    return salted_hmac(f"{_SALT}.{kind}", value, algorithm="sha256").hexdigest()[:MARK_LENGTH]


def keep_of_erased(player: Player, now: datetime) -> bool:
    """Return True if the traces of an account that is being erased stay for a while.

    A scout could otherwise delete the account, and with it the evidence, before the day is examined; and a rival of
    whom somebody has many, one for each race, would be a new person each time. A bot is about to lose its owner, so
    both keep a trace of that too.
    """
    if not (_ranked_in_question(now).filter(player=player).exists() or _raced(now).filter(player=player).exists()):
        return False
    if player.owner_id is not None:
        _keep([(pk, Trace.Kind.OWNER, str(player.owner_id)) for pk in (player.pk, player.owner_id)], now)
    return True


def forget_old_traces(now: datetime) -> int:
    """Delete traces not seen for `PYRAMID_TRACE_DAYS`, and those of erased accounts once the days of their ranked
    games are examined and final, and their races past. Returns the number of rows."""
    oldest = now.date() - timedelta(days=settings.PYRAMID_TRACE_DAYS)
    needed = (Exists(rows.filter(player=OuterRef("pk"))) for rows in (_ranked_in_question(now), _raced(now)))
    erased = Player.objects.filter(ERASED, *(~each for each in needed))
    # Two statements: no index finds what is old or of such an account.
    ways = (Q(last_seen__lt=oldest), Q(player__in=erased))
    return sum(Trace.objects.filter(way).delete()[0] for way in ways)


def _ranked_in_question(now: datetime) -> QuerySet[Game]:
    """Return the attempts at deals that are not examined yet, or whose day is not final."""
    is_final = Q(daily__examined__isnull=False, daily__day__lt=first_day_not_public(now - MODERATION))
    return Game.objects.filter(~is_final, daily__isnull=False).order_by()


def _raced(now: datetime) -> QuerySet[Racer]:
    """Return the racers of public races whose rivals meet them again, or would."""
    recent = Q(race__ended_at=None) | Q(race__ended_at__gt=now - SAME_DAYS)
    return Racer.objects.filter(recent, race__is_public=True, player__is_guest=False).order_by()


def _keep(seen: list[tuple[int, str, str]], now: datetime) -> None:
    today = now.date()
    Trace.objects.bulk_create(
        [
            Trace(player_id=player, kind=kind, mark=mark_of(kind, value), first_seen=today, last_seen=today)
            for player, kind, value in seen
        ],
        update_conflicts=True,
        unique_fields=["player", "kind", "mark"],
        update_fields=["last_seen"],
    )
