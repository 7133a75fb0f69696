"""Scopes: what a token may be used for, named alike by tokens, operations, sockets, refusals and documents."""

from collections.abc import Collection
from enum import StrEnum
from http import HTTPStatus

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class Scope(StrEnum):
    """A use of a token."""

    READ = "read"
    PLAY = "play"
    RACES = "races"
    BOTS = "bots"
    NOTIFICATIONS = "notifications"
    ACCOUNT = "account"


Scopes = frozenset[Scope]
EVERYTHING: Scopes = frozenset(Scope)
# What a player can allow an app of somebody else: never the account itself.
FOR_APPS = tuple(scope for scope in Scope if scope is not Scope.ACCOUNT)

MEANINGS: dict[Scope, Promise] = {
    Scope.READ: _(
        "Read your games, puzzles and results, your races, cups and clubs, whom you follow or mute, and everything "
        "that is public."
    ),
    Scope.PLAY: _("Play for you: start games, move, resign; also ranked games and puzzles."),
    Scope.RACES: _("Create, join, start and leave races and cups for you; also invite and remove others there."),
    Scope.BOTS: _("See your bots, make new ones, and make and end their tokens."),
    Scope.NOTIFICATIONS: _("Read your notifications, mark them as read, and choose which kinds you get."),
    Scope.ACCOUNT: _(
        "Everything else: your name, tokens, data, appeals; with your password also password, mail address, deletion."
    ),
}


class MissingScope(Refusal):
    """The token lacks the scope that `scope` names; `account` means that only a token with all rights may do that."""

    status = HTTPStatus.FORBIDDEN
    reason = _("This token may not do that.")
    example = "this token lacks the scope play"

    def __init__(self, text: str = example, scope: Scope = Scope.PLAY) -> None:
        super().__init__(text)
        self.scope = scope

    @property
    def details(self) -> dict[str, str]:
        return {"scope": self.scope}

    @property
    def auth_header(self) -> str:
        """Return the challenge of the answer (RFC 6750, section 3.1)."""
        return f'Bearer error="insufficient_scope", scope="{self.scope}"'


def require_scope(given: Scopes, *needed: Scope) -> None:
    """Raise `MissingScope`, which names the first, unless one of these scopes, or none, is among those of a key."""
    if needed and given.isdisjoint(needed):
        raise MissingScope(f"this token lacks the scope {needed[0]}", needed[0])


def in_order(scopes: Collection[Scope]) -> list[Scope]:
    return [scope for scope in Scope if scope in scopes]


def text_of(scopes: Collection[Scope]) -> str:
    """Return scopes as one text, in their order."""
    return " ".join(in_order(scopes))


def scopes_in(text: str) -> Scopes:
    """Return the scopes that a text names; a word that names none gives no right."""
    return EVERYTHING.intersection(text.split())
