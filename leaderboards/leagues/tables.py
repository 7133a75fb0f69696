"""Read the groups of the leagues, and the weeks that a player spent in them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from django.db.models import Q, QuerySet

from games.players.models import Player
from leaderboards.boards.catalog import Period
from leaderboards.boards.models import Board, Entry
from leaderboards.boards.ranking.view import View
from leaderboards.boards.sort_keys import ranks
from leaderboards.leagues.leagues import board_key, latest_closing
from leaderboards.leagues.models import LeagueClosing, LeagueSeat
from leaderboards.leagues.refusals import UnknownLeague
from leaderboards.leagues.tiers import GROUP_SIZE, MOST_IDLE_WEEKS, TIERS, direction, groups_for, open_tiers

MOST_WEEKS = 53


@dataclass(frozen=True, slots=True)
class LeagueWeek:
    """A week of the leagues. `sizes` are the numbers of players in its open tiers, the highest first."""

    monday: date
    is_over: bool
    sizes: list[int]


class GroupRow(NamedTuple):
    """A player in a group: rank and values are None for those who have not played.

    `tiers_down` is -1 for a player who moves up and 1 for one who moves down; in a week that is not over, as if it
    ended now.
    """

    player: Player
    rank: int | None
    values: dict[str, int] | None
    tiers_down: int


@dataclass(frozen=True, slots=True)
class GroupTable:
    """A group and its players, those who have not played last."""

    week: LeagueWeek
    tier: int
    group: int
    rows: list[GroupRow]

    @property
    def groups(self) -> int:
        """The number of groups in the tier."""
        return groups_for(self.week.sizes[self.tier - 1])


class PlayedWeek(NamedTuple):
    """A week in which a player was in a group. `rank` is None if the player did not play."""

    monday: date
    tier: int
    group: int
    rank: int | None
    tiers_down: int


@dataclass(frozen=True, slots=True)
class Career:
    """A player's tier, None for one who never had one; the group in the newest week, if any; and the weeks before."""

    tier: int | None
    group: GroupTable | None
    weeks: list[PlayedWeek]


def newest_week() -> LeagueWeek | None:
    """Return the newest week that has groups."""
    closing = latest_closing()
    return None if closing is None else LeagueWeek(closing.next_week, is_over=False, sizes=closing.sizes)


def find_group(week: str, tier: int, group: int) -> GroupTable:
    """Return a group of a week such as `2026-W48`. Raises `UnknownLeague`."""
    closing = LeagueClosing.objects.filter(week=_monday_of(week) - timedelta(days=7)).first()
    table = None if closing is None else _group_table(closing, tier, group)
    if table is None:
        raise UnknownLeague(f"there is no group {group} of tier {tier} in the week {week!r}")
    return table


def seat_in(player: Player, monday: date) -> tuple[int, int] | None:
    """Return the tier and group of a player in a week, None for one who has none."""
    seats = _seats_of(player).filter(closing__week=monday - timedelta(days=7))
    return seats.values_list("tier", "group").first()


def tier_of(player: Player) -> int | None:
    """Return a player's tier, even if the player has not played for weeks; None for one who never had a tier."""
    return _seats_of(player).values_list("tier", flat=True).first()


def career_of(player: Player) -> Career:
    """Return a player's career in the leagues: the newest weeks first, at most a year."""
    seats = list(_seats_of(player).select_related("closing")[: MOST_WEEKS + 1])
    if not seats:
        return Career(None, None, [])
    newest, latest = seats[0], latest_closing()
    is_seated = latest is not None and newest.closing_id == latest.pk
    group = _group_table(newest.closing, newest.tier, newest.group) if is_seated else None
    weeks = [] if is_seated else [PlayedWeek(newest.closing.next_week, newest.tier, newest.group, None, 0)]
    for after, seat in pairwise(seats):
        is_next = after.closing.week == seat.closing.next_week
        rank, tiers_down = (after.rank, after.tier - seat.tier) if is_next else (None, 0)
        weeks.append(PlayedWeek(seat.closing.next_week, seat.tier, seat.group, rank, tiers_down))
    return Career(newest.tier, group, weeks)


def _seats_of(player: Player) -> QuerySet[LeagueSeat]:
    return LeagueSeat.objects.filter(player=player).order_by("-closing__week")


def _monday_of(week: str) -> date:
    """Return the first day of a week by its name. Raises `UnknownLeague`."""
    try:
        monday = Period.WEEKLY.read_date(week)
    except ValueError as error:
        raise UnknownLeague(f"{week!r} is not the name of a week") from error
    if Period.WEEKLY.date_text(monday) != week or monday < date.min + timedelta(days=7):
        raise UnknownLeague(f"{week!r} is not the name of a week")
    return monday


def _group_table(closing: LeagueClosing, tier: int, group: int) -> GroupTable | None:
    """Return a group that a closing led to, None if there is none."""
    seats = list(LeagueSeat.objects.filter(closing=closing, tier=tier, group=group).select_related("player"))
    players = {seat.player_id: seat.player for seat in seats}
    if not players:
        return None
    end = LeagueClosing.objects.select_related("board").filter(week=closing.next_week).first()
    week = LeagueWeek(closing.next_week, is_over=end is not None, sizes=closing.sizes)
    board = end.board if end else Board.objects.filter(slug=str(board_key(closing.next_week))).first()
    version = end.version if end else board.version if board else 0
    listed = [] if board is None else _listed(View(board, version, among=tuple(players)))
    if end:
        moves = _moves(end, tier, players)
    else:
        staying = [seat.player_id for seat in seats if seat.idle < MOST_IDLE_WEEKS]
        moves = _moves_now(tier, _lowest_now(closing, board, version), [player for player, _, _ in listed], staying)
    rows = [GroupRow(players[player], rank, values, moves.get(player, 0)) for player, rank, values in listed]
    absent = players.keys() - {player for player, _, _ in listed}
    # A closed week never changes: who was banned after it stays where the absent are.
    shown = [players[player] for player in absent if not _was_banned(players[player], end)]
    named = sorted(shown, key=lambda player: (player.listed_name, player.pk))
    rows += [GroupRow(player, None, None, moves.get(player.pk, 0)) for player in named]
    return GroupTable(week, tier, group, rows)


def _was_banned(player: Player, end: LeagueClosing | None) -> bool:
    """Return True for a player who was banned when a week was closed, or is now, before its end."""
    return player.banned_at is not None and (end is None or player.banned_at < end.closed_at)


def _listed(view: View) -> list[tuple[int, int, dict[str, int]]]:
    """Return players with their ranks among themselves and their values, in order."""
    found = list(view.entries().values_list("player", "key"))
    unpack, numbered = view.board.key.order.unpack, zip(found, ranks(key for _, key in found), strict=True)
    return [(player, rank, unpack(key)) for (player, key), rank in numbered]


def _moves(end: LeagueClosing, tier: int, players: dict[int, Player]) -> dict[int, int]:
    after = LeagueSeat.objects.filter(closing=end, player__in=players).values_list("player", "tier")
    return {player: new - tier for player, new in after}


def _moves_now(tier: int, lowest: int, played: Sequence[int], staying: Iterable[int]) -> dict[int, int]:
    """Return what `next_seats` would for those who played, in order, and for those who stay without having played."""
    moves = dict.fromkeys(staying, 0) | {player: direction(n, len(played)) for n, player in enumerate(played, 1)}
    return {player: min(max(tier + move, 1), lowest) - tier for player, move in moves.items()}


def _lowest_now(closing: LeagueClosing, board: Board | None, version: int) -> int:
    """Return the lowest tier that would be open if the week ended now, with newcomers and without those who rest."""
    playing = View(board, version).entries().order_by() if board else Entry.objects.none()
    seats = LeagueSeat.objects.filter(closing=closing)
    staying = seats.filter(Q(idle__lt=MOST_IDLE_WEEKS) | Q(player__in=playing.values("player")))
    members = staying.order_by()[: TIERS * GROUP_SIZE].count()  # so many open all tiers
    if open_tiers(members) < TIERS:
        members += playing.exclude(player__in=seats.values("player")).count()
    return open_tiers(members)
