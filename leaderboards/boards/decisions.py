"""Decide about scores. Nothing is ever deleted: every decision is kept and can be followed by another."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from games.keys.tokens import forget_tokens
from games.play.models import Game
from games.players.models import Player
from games.statistics.tallies import recount
from leaderboards.boards.models import Board, Decision, Entry, EntryState
from leaderboards.boards.publishing import publish
from leaderboards.boards.refusals import BoardsMoved, DayIsFinal
from leaderboards.boards.revision import BoardChange, Revision, successor_of
from leaderboards.boards.submission import boards_of_games
from leaderboards.boards.sums import Sums

MOVES_RANKS = (EntryState.DISQUALIFIED, EntryState.REINSTATED)

Versions = Mapping[str, int]
"""Versions of boards by name."""

# What other subjects count again after decisions of people, in their transaction: functions of keys of daily deals.
recounters: list[Callable[[set[int]], object]] = []


def decide(*decisions: Decision, versions: Versions | None = None, now: datetime | None = None) -> list[BoardChange]:
    """Set the state of games' entries, now or at the time of the first decision, and return the changes of boards.

    A disqualified game is replaced by the player's next best one. `versions` are those of the boards in the preview:
    raises `BoardsMoved` if a board has a different one. Raises `DayIsFinal` for ranks on a final day without two
    reviewers.
    """
    if not decisions:
        return []
    _require_two_reviewers(decisions)
    with transaction.atomic():
        Decision.objects.bulk_create(decisions)
        revision = _revised(decisions, versions, now)
        changes = revision.write()
        publish(changes)
        # The server's own verification, of every game, does not change which games count.
        by_people = [each for each in decisions if each.by is not None or each.state != EntryState.VERIFIED]
        recount({each.game.player_id for each in by_people})
        for count_again in recounters:
            count_again({each.game.daily_id for each in by_people if each.game.daily_id is not None})
    return changes


def foresee(*decisions: Decision) -> Revision | None:
    """Return the boards as they would become, without writing anything; None without decisions."""
    with transaction.atomic():
        return _revised(decisions) if decisions else None


def ranked_games(player: Player) -> QuerySet[Game]:
    """Return the ranked attempts of a player that have ended."""
    games = Game.objects.filter(player=player, daily__isnull=False).exclude(status=Game.Status.PLAYING)
    return games.select_related("player", "daily").order_by("pk")


def set_ban(player: Player, now: datetime) -> None:
    """Exclude a player's future games from ranks, from now on in every process.

    Comes before the games are read that a ban is about: a game that ends later finds the player banned.
    """
    Player.objects.filter(pk=player.pk, banned_at=None).update(banned_at=now)
    forget_tokens(player.pk)
    recount([player.pk])


def lift_ban(player: Player) -> None:
    """Let a player's future games have ranks again; earlier ones are reinstated one by one."""
    Player.objects.filter(pk=player.pk).update(banned_at=None)
    forget_tokens(player.pk)
    recount([player.pk])


def counting(games: QuerySet[Game]) -> QuerySet[Game]:
    """Return the games that are not disqualified by their last decision, nor of a banned player."""
    last = Decision.objects.filter(game=OuterRef("pk")).order_by("-pk").values("state")[:1]
    decided = games.annotate(decided=Subquery(last))
    return decided.filter(Q(decided=None) | ~Q(decided=EntryState.DISQUALIFIED), player__banned_at=None)


def held_games(games: Iterable[str]) -> set[str]:
    """Return the games whose scores have no rank because of a flag; clearing one moves ranks."""
    held = Entry.objects.filter(game__in=list(games), valid_to=None, held=True).order_by()
    return {game for game in held.values_list("game_id", flat=True) if game}


def _require_two_reviewers(decisions: Sequence[Decision]) -> None:
    """Raise `DayIsFinal` if one staff member alone would change ranks on a final day."""
    games = [decision.game_id for decision in decisions]
    valid = Entry.objects.filter(game__in=games, valid_to=None, state=EntryState.DISQUALIFIED).order_by()
    held, unranked = held_games(games), set(valid.values_list("game_id", flat=True))
    for decision in decisions:
        daily = decision.game.daily
        is_final = daily is not None and decision.at >= daily.key.final_at
        # To let a flagged score stand as it is, although its record differs, reinstates one that has its rank.
        returns = decision.state == EntryState.REINSTATED and decision.game_id in unranked
        moves_ranks = returns or decision.state == EntryState.DISQUALIFIED or decision.game_id in held
        if is_final and moves_ranks and not _has_two_reviewers(decision):
            raise DayIsFinal(f"the tables of {decision.game_id}'s day are final: two reviewers have to decide")


def _has_two_reviewers(decision: Decision) -> bool:
    one, other = decision.by, decision.confirmed_by
    return one is not None and other is not None and one != other and one.is_staff and other.is_staff


def _revised(decisions: Sequence[Decision], versions: Versions | None = None, now: datetime | None = None) -> Revision:
    """Return the boards with decisions carried out in memory. Raises `BoardsMoved`."""
    boards = boards_of_games([decision.game for decision in decisions])
    revision = Revision((slug for own in boards.values() for slug, _ in own), now or decisions[0].at)
    if versions is not None:
        _require_versions(revision, versions)
    players = {decision.game.player_id for decision in decisions}
    # Unlisted rows too: the next best game takes the place of one that loses its rank.
    revision.load(players, unlisted=True)
    sums = Sums(revision, players)
    for decision in decisions:
        if own := boards[decision.game_id]:
            sums.revise(own, decision.game.player_id, partial(_decided_rows, revision, decision))
    return revision


def _decided_rows(revision: Revision, decision: Decision, board: Board) -> list[Entry]:
    decided = {"state": decision.state, "held": decision.holds}
    rows = revision.rows(board, decision.game.player_id)
    return [successor_of(row, **(decided if row.game_id == decision.game_id else {})) for row in rows]


def _require_versions(revision: Revision, versions: Versions) -> None:
    moved = [slug for slug, board in revision.boards.items() if versions.get(slug) != board.version]
    if moved:
        raise BoardsMoved(f"the boards have moved since you looked: {', '.join(sorted(moved))}")
