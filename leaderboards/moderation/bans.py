"""Bans beside other decisions: the case that bans a player, and what holds for the player's games apart from it."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef

from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.decisions import ranked_games
from leaderboards.boards.models import Decision, EntryState
from leaderboards.boards.submission import PLAYER_BANNED
from leaderboards.moderation.models import Act, Case, LogLine, Outcome

ABOUT_GAMES = (Outcome.DISQUALIFY, Outcome.REINSTATE, Outcome.UNBAN)


def banning_case(player: Player) -> Case | None:
    """Return the case whose decision bans a player, None without one."""
    return Case.objects.filter(player=player, decision__outcome=Outcome.BAN).first() if player.banned_at else None


def taken_by_ban(player: Player) -> list[Game]:
    """Return the games that only a ban keeps from ranks, those that ended after it too.

    The ban replaced what its own case had decided before, so lifting it leaves nothing of that in force.
    """
    disqualified = disqualified_apart(player)
    return [game for game in ranked_games(player) if game.pk not in disqualified]


def disqualified_apart(player: Player) -> set[str]:
    """Return the games of a banned player that other cases or the server have disqualified, before the ban or since.

    During the ban such a decision changes no score, so only the log has it.
    """
    by_server = Decision.objects.filter(game__player=player, by=None, state=EntryState.DISQUALIFIED)
    found = set(by_server.exclude(reason=PLAYER_BANNED).values_list("game_id", flat=True))
    decided = LogLine.objects.filter(case__player=player, act=Act.DECIDED, outcome__in=ABOUT_GAMES)
    if case := banning_case(player):
        decided = decided.exclude(case=case)
    for outcome, games in decided.order_by("number").values_list("outcome", "games"):
        found = found.union(games) if outcome == Outcome.DISQUALIFY else found.difference(games)
    return found


def flags_in_force(games: Iterable[Game]) -> dict[str, Decision]:
    """Return the flags on scores of a banned player, by game, about which no case has decided anything else since."""
    later = Decision.objects.filter(game=OuterRef("game"), pk__gt=OuterRef("pk")).exclude(state=EntryState.DISQUALIFIED)
    cases = Case.objects.filter(player=OuterRef("game__player"), daily=OuterRef("game__daily"))
    # During the ban, only the log has what was decided.
    judged = cases.filter(decision__at__gte=OuterRef("at")).exclude(decision__outcome=Outcome.FLAG)
    flags = Decision.objects.filter(~Exists(later), ~Exists(judged), game__in=list(games), state=EntryState.FLAGGED)
    return {flag.game_id: flag for flag in flags}
