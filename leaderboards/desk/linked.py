"""Accounts that share a device or a network with a player, and their games on a deal."""

from typing import Any

from django.utils.translation import gettext as _

from games.play.admin_cells import RESULTS
from games.play.models import Game
from games.players.models import Player
from leaderboards.desk import words
from leaderboards.moderation.links import linked_accounts
from leaderboards.moderation.models import Case
from leaderboards.moderation.visibility import visible_to


def linked_to(player: Player, reader: Player) -> list[dict[str, Any]]:
    """Return the accounts linked to a player that the reader may see, the firmest first, with what they share."""
    linked = linked_accounts(player)
    if not linked:
        return []
    visible = visible_to(reader, Player.objects.filter(pk__in=[account.player.pk for account in linked]), "pk")
    shown = set(visible.values_list("pk", flat=True))
    return [
        {"account": account, "shares": [words.SHARED[kind] for kind in account.shares]}
        for account in linked
        if account.player.pk in shown
    ]


def linked_on(case: Case, own: Game | None, reader: Player) -> list[dict[str, Any]]:
    """Return the accounts linked to the player of a case, with their newest attempts at its deal."""
    linked = linked_to(case.player, reader)
    players = [one["account"].player.pk for one in linked]
    attempts = Game.objects.filter(daily=case.daily_id, player__in=players).order_by("-attempt")
    games = {game.player_id: game for game in attempts}
    found = [games.get(player) for player in players]
    return [{**one, "game": game, "did": _did(game, own)} for one, game in zip(linked, found, strict=True)]


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
