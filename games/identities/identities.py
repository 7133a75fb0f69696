"""The identities of accounts: find, add and remove one, and make an account from one."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction
from django.http import HttpRequest

from games.accounts.accounts import Wanted, register
from games.accounts.passwords import has_password, require_own_password
from games.identities.models import Identity
from games.identities.passkeys import Passkey
from games.identities.proving import Proof
from games.identities.refusals import IdentityTaken, LastWayIn, ProofFailed, TooManyIdentities
from games.players.models import Player
from games.runtime.clock import clock

MOST = 10

Way = Proof | Passkey


def holder_of(proof: Proof, now: datetime) -> Player | None:
    """Return the player with an identity, and note its use; None if nobody has it. The account may be closed."""
    found = Identity.objects.filter(issuer=proof.issuer, subject=proof.subject).select_related("player").first()
    if found is None:
        return None
    Identity.objects.filter(pk=found.pk).update(used_at=now)
    return found.player


def register_with(reader: Player | None, handle: str, name: str | None, way: Way, request: HttpRequest) -> Player:
    """Make a named account without a password: that of the guest who registers, or else a new one.

    Raises what `register` raises, or `IdentityTaken`, with nothing made.
    """
    now = clock.now()
    with transaction.atomic():
        player = register(reader, Wanted(handle, name, password=None), request, now)
        _save(player, way, now)
    return player


@transaction.atomic
def link(player: Player, way: Way, now: datetime) -> None:
    """Add an identity to an account, which may have it already.

    Raises `ProofFailed` for an account that was closed meanwhile, `IdentityTaken` or `TooManyIdentities`.
    """
    # An account that is erased at this moment keeps nothing; and two that are added at once count each other.
    if not Player.objects.select_for_update(no_key=True).filter(pk=player.pk, is_active=True).exists():
        raise ProofFailed("the account is closed")
    if player.identities.filter(issuer=way.issuer, subject=way.subject).exists():
        return
    if player.identities.count() >= MOST:
        raise TooManyIdentities(f"an account has at most {MOST} identities")
    _save(player, way, now)


@transaction.atomic
def unlink(player: Player, number: str, password: str, request: HttpRequest) -> int:
    """Remove an identity from an account, and return how many went: none if it was gone, or never there.

    Raises `LastWayIn`, or what `require_own_password` raises.
    """
    require_own_password(player, password, request)
    # Two that are removed at once would each be the last but one.
    present = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    removed = [identity for identity in present.identities.all() if str(identity.pk) == number]
    if removed and not has_password(present) and present.identities.count() == 1:
        raise LastWayIn("this is the only way into the account")
    for identity in removed:
        identity.delete()
    return len(removed)


def _save(player: Player, way: Way, now: datetime) -> None:
    try:
        with transaction.atomic():
            Identity.objects.create(player=player, created_at=now, used_at=now, **way.stored)
    except IntegrityError as error:
        raise IdentityTaken("another account has this identity") from error
