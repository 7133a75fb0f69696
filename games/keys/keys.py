"""The keys of an account: list browser sessions and tokens, name a token, and end them."""

from collections.abc import Iterator
from datetime import datetime
from typing import Literal, NamedTuple

from django.db import transaction
from django.db.models import F, QuerySet
from knox.models import AuthToken
from knox.settings import knox_settings

from games.doors.scopes import EVERYTHING, MissingScope, Scope, Scopes, in_order, scopes_in
from games.keys.authentication import key_of_hash, key_of_session, revoke
from games.keys.models import BrowserSession
from games.keys.refusals import TooManyKeys, UnknownKey
from games.keys.tokens import Allowance, SignedIn, issue_token, locked, token_row
from games.players.models import Player
from games.runtime.clock import clock

MOST_TOKENS = 100
LONGEST_NAME = 40
ID_LENGTH = 16

KeyKind = Literal["session", "token"]


class AccountKey(NamedTuple):
    """A session or a token of a player. The id grants no access; `key` is the name under which sockets know it.

    The fields before `key` are those of `wire.Key`.
    """

    id: str
    kind: KeyKind
    name: str
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime
    scopes: Scopes
    key: str

    @property
    def limits(self) -> list[Scope]:
        """Return the scopes of a key that is for some things only, in their order."""
        return [] if self.scopes == EVERYTHING else in_order(self.scopes)


def keys_of(player: Player) -> list[AccountKey]:
    """Return the sessions and tokens that give access to an account, the last used first."""
    return sorted([*_sessions_of(player), *_tokens_of(player)], key=lambda key: key.last_used_at, reverse=True)


@transaction.atomic
def make_token(player: Player, name: str, scopes: Scopes | None = None, maker: Player | None = None) -> SignedIn:
    """Issue a token with a name and scopes, by default all that the maker's key has: nobody hands on any other.

    If an app makes it for a player, it ends with what the app was allowed. Raises `MissingScope`, `TooManyKeys`, or
    `SignInFailed` if all keys end at this moment.
    """
    maker = maker or player
    scopes = maker.scopes if scopes is None else scopes
    for scope in in_order(scopes - maker.scopes):
        raise MissingScope(f"this token lacks the scope {scope}, so it hands it on to no other", scope)
    locked(player)  # or two that are made at once would not count each other
    if _own_tokens(player).count() >= MOST_TOKENS:
        raise TooManyKeys(f"you have {MOST_TOKENS} tokens; end one first")
    return issue_token(player, name, scopes, Allowance(maker.allowance) if maker.allowance else None)


def end_key(player: Player, key_id: str) -> None:
    """End one session or token of a player, with its tickets, and close its sockets. Raises `UnknownKey`."""
    found = next((key for key in keys_of(player) if key.id == key_id), None)
    if found is None:
        raise UnknownKey("you have no such session or token")
    if found.kind == "token":
        AuthToken.objects.filter(user=player, digest__startswith=found.id).delete()
    else:
        rows = BrowserSession.objects.filter(player=player)
        rows.filter(pk__in=[row.pk for row in rows if key_of_session(row.pk) == found.key]).delete()
    revoke(player, found.key)


def end_keys(player: Player, keep: str | None = None) -> int:
    """End all sessions, tickets and tokens of a player, but for one token; return how many of their tokens ended.

    With them end those that apps made for the player's bots. All sockets are closed, in every process.
    """
    kept = token_row(keep) if keep else None
    with transaction.atomic():
        Player.objects.filter(pk=player.pk).update(key_epoch=F("key_epoch") + 1)
        end_tokens(AuthToken.objects.filter(terms__grant__player=player).exclude(user=player))
        tokens = AuthToken.objects.filter(user=player).exclude(pk=kept.pk if kept else None)
        ended: int = tokens.delete()[1].get(AuthToken._meta.label, 0)
        BrowserSession.objects.filter(player=player).delete()
        revoke(player)
    return ended


def end_tokens(tokens: QuerySet[AuthToken]) -> None:
    """End tokens of any players, and close their sockets, in every process."""
    ended = [(token.user, token.digest) for token in tokens.select_related("user")]
    AuthToken.objects.filter(digest__in=[digest for _, digest in ended]).delete()
    for player, digest in ended:
        revoke(player, key_of_hash(digest))


def _sessions_of(player: Player) -> Iterator[AccountKey]:
    for row in BrowserSession.objects.filter(player=player, expire_date__gte=clock.now()):
        key = key_of_session(row.pk)
        yield AccountKey(_id_of(key), "session", "", row.created_at, row.used_at, row.expire_date, EVERYTHING, key)


def _tokens_of(player: Player) -> Iterator[AccountKey]:
    tokens = _own_tokens(player).filter(expiry__gte=clock.now()).select_related("terms")
    for row in tokens:
        key, used_at = key_of_hash(row.digest), max(row.created, row.expiry - knox_settings.TOKEN_TTL)
        name, scopes = (row.terms.name, scopes_in(row.terms.scopes)) if hasattr(row, "terms") else ("", EVERYTHING)
        yield AccountKey(_id_of(key), "token", name, row.created, used_at, row.expiry, scopes, key)


def _own_tokens(player: Player) -> QuerySet[AuthToken]:
    """Return the tokens of a player but those that apps got, which end with what they are allowed."""
    tokens: QuerySet[AuthToken] = AuthToken.objects.filter(user=player)
    return tokens.exclude(terms__grant__player=player)


def _id_of(key: str) -> str:
    """Return the beginning of the hash in the name of a key."""
    return key.partition(":")[2][:ID_LENGTH]
