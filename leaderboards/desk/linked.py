"""Accounts that share a device or a network with a player, and their games on a deal."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.play.admin_cells import RESULTS
from games.play.models import Game
from games.players.models import Player
from leaderboards.desk import words
from leaderboards.moderation.links import LinkedAccount, linked_accounts
from leaderboards.moderation.models import Case


@dataclass(frozen=True, slots=True)
class Linked:
    """A linked account, its attempt at a deal, and a few words about that."""

    account: LinkedAccount
    game: Game | None = None
    did: str = ""

    @property
    def shares(self) -> list[str]:
        return [str(words.SHARED[kind]) for kind in self.account.shares]


def linked_to(player: Player) -> list[Linked]:
    """Return the accounts linked to a player, the firmest first."""
    return [Linked(account) for account in linked_accounts(player)]


def linked_on(case: Case, own: Game | None) -> Iterator[Linked]:
    """Yield the accounts linked to the player of a case, with their newest attempts at its deal."""
    accounts = linked_accounts(case.player)
    players = [account.player.pk for account in accounts]
    attempts = Game.objects.filter(daily=case.daily_id, player__in=players).order_by("-attempt")
    games = {game.player_id: game for game in attempts}
    for account in accounts:
        game = games.get(account.player.pk)
        yield Linked(account, game, _did(game, own))


def _did(game: Game | None, own: Game | None) -> str:
    if game is None or own is None:
        return _("did not play it")
    how = {
        "span": words.age(abs(game.created_at - own.created_at)),
        "result": RESULTS[Game.Status(game.status)],
        "draws": game.draws or 0,
    }
    if game.created_at < own.created_at:
        return _("%(span)s before: %(result)s, %(draws)d draws") % how
    return _("%(span)s after: %(result)s, %(draws)d draws") % how
