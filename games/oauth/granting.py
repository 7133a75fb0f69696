"""Allow an app something, exchange codes and refresh tokens for tokens, and end all that came of it.

A code or refresh token counts once. If one comes back, somebody has stolen it, or the answer to it: everything that
came of the same consent ends.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from knox.crypto import hash_token
from knox.models import AuthToken

from games.doors.scopes import FOR_APPS, Scope, Scopes, in_order, scopes_in, text_of
from games.keys.keys import end_tokens
from games.keys.models import TokenTerms
from games.keys.refusals import SignInFailed
from games.keys.tokens import Allowance, SignedIn, issue_token, locked
from games.oauth.models import App, Grant, Voucher, WaitingDevice
from games.players.models import Player

CODE_LASTS, TOKEN_LASTS = timedelta(minutes=1), timedelta(hours=1)
MOST_GRANTS = 20  # of one player to one app, such as on several devices
MOST_TOKENS = 5  # of one grant at once


class Issued(NamedTuple):
    """The tokens that an app gets."""

    token: SignedIn
    refresh_token: str
    scopes: Scopes


class Allowed(NamedTuple):
    """The scopes that a player allows an app, on all devices together."""

    app: App
    scopes: list[Scope]
    since: datetime
    used_at: datetime


class NotExchanged(Exception):
    """A code or refresh token is void, or was used before."""


@transaction.atomic
def allow(player: Player, app: App, scopes: Scopes, now: datetime) -> Grant:
    """Note that a player allows an app something; the oldest of too many grants ends.

    Raises `SignInFailed` if all keys of the player end at this moment.
    """
    locked(player)
    present = Grant.objects.filter(player=player, app=app).order_by("-used_at").values_list("pk", flat=True)
    end_grants(Grant.objects.filter(pk__in=list(present[MOST_GRANTS - 1 :])))
    allowed = text_of(scopes.intersection(FOR_APPS))
    times = {"created_at": now, "used_at": now}
    return Grant.objects.create(player=player, app=app, scopes=allowed, key_epoch=player.key_epoch, **times)


def code_for(grant: Grant, address: str, challenge: str, now: datetime) -> str:
    """Return a code, good for a minute at the address that it is sent to, for the app that knows its verifier."""
    code = secrets.token_urlsafe(32)
    bound = {"address": address, "challenge": challenge}
    Voucher.objects.create(digest=_digest(code), grant=grant, expires_at=now + CODE_LASTS, **bound)
    return code


def find_voucher(text: str, app: App, now: datetime, *, is_code: bool) -> Voucher | None:
    """Return an unused code or refresh token of an app, or None.

    One that was used before ends all that came of the same consent.
    """
    kind = ~Q(challenge="") if is_code else Q(challenge="")
    vouchers = Voucher.objects.filter(kind, digest=_digest(text), grant__app=app)
    found = vouchers.select_related("grant__player", "grant__app").first()
    if found is None:
        return None
    if found.used_at is not None:
        end_grants(Grant.objects.filter(pk=found.grant_id))
        return None
    return found if found.expires_at > now else None


def exchange(voucher: Voucher, scopes: Scopes, now: datetime) -> Issued:
    """Return tokens for a code or a refresh token. Raises `NotExchanged`, also for the second of two at once."""
    if not Voucher.objects.filter(pk=voucher.pk, used_at=None).update(used_at=now):
        end_grants(Grant.objects.filter(pk=voucher.grant_id))
        raise NotExchanged
    return issue(voucher.grant, scopes, now)


@transaction.atomic
def issue(grant: Grant, scopes: Scopes, now: datetime) -> Issued:
    """Return new tokens for a grant, with some of its scopes. Raises `NotExchanged` if it has ended."""
    if not Grant.objects.select_for_update().filter(pk=grant.pk).exists():
        raise NotExchanged
    player = grant.player
    player.key_epoch = grant.key_epoch
    given = scopes & scopes_in(grant.scopes)
    try:
        token = issue_token(player, grant.app.name, given, Allowance(grant.pk, TOKEN_LASTS))
    except SignInFailed as error:
        raise NotExchanged from error
    _end_oldest(grant)
    refresh_token = secrets.token_urlsafe(32)
    lasts = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    Voucher.objects.create(digest=_digest(refresh_token), grant=grant, expires_at=now + lasts)
    Grant.objects.filter(pk=grant.pk).update(used_at=now)
    return Issued(token, refresh_token, given)


def end_by_token(text: str, app: App) -> None:
    """End the grant of a refresh token, or one access token, of an app; nothing happens if there is none."""
    grants = Grant.objects.filter(app=app)
    end_grants(grants.filter(vouchers__digest=_digest(text), vouchers__challenge=""))
    _end_tokens(TokenTerms.objects.filter(token__digest=hash_token(text), grant__app=app))


@transaction.atomic
def end_grants(grants: QuerySet[Grant]) -> None:
    """End grants with all tokens that came of them, and close their sockets, in every process."""
    found = list(grants.values_list("pk", flat=True))
    # Locked, so that none of them gets a token at this moment.
    ending = list(Grant.objects.select_for_update().filter(pk__in=found).order_by("pk").values_list("pk", flat=True))
    _end_tokens(TokenTerms.objects.filter(grant__in=ending))
    Grant.objects.filter(pk__in=ending).delete()


def allowed_by(player: Player) -> list[Allowed]:
    """Return what a player allows apps, each app once."""
    grants = Grant.objects.filter(player=player, key_epoch=player.key_epoch).select_related("app__owner")
    by_app: dict[App, list[Grant]] = {}
    for grant in grants:
        by_app.setdefault(grant.app, []).append(grant)
    return [
        Allowed(
            app,
            in_order(frozenset[Scope]().union(*(scopes_in(grant.scopes) for grant in some))),
            min(grant.created_at for grant in some),
            max(grant.used_at for grant in some),
        )
        for app, some in by_app.items()
    ]


def forget_ended_grants(now: datetime) -> None:
    """Delete what can no longer be used: expired codes, refresh tokens and devices, and grants without any."""
    Voucher.objects.filter(expires_at__lt=now).delete()
    WaitingDevice.objects.filter(expires_at__lt=now).delete()
    unused = Q(vouchers=None, tokens=None, device=None)
    end_grants(Grant.objects.filter(unused | ~Q(key_epoch=F("player__key_epoch"))))


def _end_oldest(grant: Grant) -> None:
    newest = TokenTerms.objects.filter(grant=grant, token__user=grant.player_id).order_by("-token__created")
    kept = list(newest.values_list("pk", flat=True)[:MOST_TOKENS])
    _end_tokens(newest.exclude(pk__in=kept))


def _end_tokens(terms: QuerySet[TokenTerms]) -> None:
    end_tokens(AuthToken.objects.filter(terms__in=terms))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
