"""Close the weeks of the leagues: once its last day is sealed, a week's results make the groups of the next week."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.db import IntegrityError, transaction

from games.notifications.notifications import Facts, notify
from games.players.models import Player
from leaderboards.audit.sealing import is_sealed
from leaderboards.boards.catalog import POINTS_TABLE, BoardKey, Entrants, Period
from leaderboards.boards.models import Board
from leaderboards.boards.ranking.view import View
from leaderboards.leagues.models import LeagueClosing, LeagueSeat
from leaderboards.leagues.notifications import LEAGUE
from leaderboards.leagues.tiers import DIVISION, RULES, Score, Seat, next_seats

BATCH = 1000
ROWS_AT_ONCE = 10_000


def board_key(week: date) -> BoardKey:
    """Return the board that decides a week of the leagues, given its Monday."""
    return BoardKey(Period.WEEKLY, week, RULES, DIVISION, Entrants.PEOPLE, POINTS_TABLE)


def latest_closing() -> LeagueClosing | None:
    return LeagueClosing.objects.select_related("board").first()


def close_leagues(now: datetime) -> int:
    """Close the weeks whose last day is sealed, the oldest first, and return how many this call closed."""
    closed = 0
    while (week := _next_to_close(now)) and _close(week, now):
        closed += 1
    return closed


def _next_to_close(now: datetime) -> date | None:
    """Return the next week to close: the one after the last closed week, or for the first time the newest sealed."""
    last = latest_closing()
    if last is not None:
        return last.next_week if _is_over(last.next_week, now) else None
    ending = f".{RULES}.{DIVISION}.{POINTS_TABLE}"
    slugs = Board.objects.filter(slug__startswith=f"{Period.WEEKLY}.", slug__endswith=ending)
    weeks = sorted((board.key.first for board in slugs), reverse=True)
    return next((week for week in weeks if _is_over(week, now)), None)


def _is_over(week: date, now: datetime) -> bool:
    last = board_key(week).last
    return last < now.date() and is_sealed(week, last)


def _close(week: date, now: datetime) -> bool:
    """Close a week, or return False if another process was first."""
    try:
        with transaction.atomic():
            board = Board.objects.select_for_update(no_key=True).filter(slug=str(board_key(week))).first()
            if LeagueClosing.objects.filter(week=week).exists():
                return False
            closing = LeagueClosing(week=week, board=board, version=board.version if board else 0, closed_at=now)
            before = _stored_seats(LeagueClosing.objects.filter(week=week - timedelta(days=7)).first())
            table = _table(View(board, board.version)) if board else []
            resting = _resting(before, table, week)
            seats = next_seats(before, table, resting)
            closing.sizes = _sizes(seats)
            closing.save(force_insert=True)
            _store(closing, seats)
            tiers = {seat.player: seat.tier for seat in before} | resting
            notify(LEAGUE, _moved(closing, tiers, seats), closing.next_week.isoformat(), now)
    except IntegrityError:
        return False
    return True


def _stored_seats(closing: LeagueClosing | None) -> list[Seat]:
    fields = LeagueSeat.objects.filter(closing=closing).values_list("player", "tier", "group", "rank", "idle")
    return [] if closing is None else [Seat(*values) for values in fields.order_by().iterator(ROWS_AT_ONCE)]


def _table(view: View) -> list[Score]:
    return [Score(*values) for values in view.entries().values_list("player", "key").iterator(ROWS_AT_ONCE)]


def _resting(before: Sequence[Seat], table: Sequence[Score], week: date) -> dict[int, int]:
    """Return the last tiers of those on a week's table who had a seat only in earlier weeks."""
    seated = {seat.player for seat in before}
    returned = [score.player for score in table if score.player not in seated]
    tiers: dict[int, int] = {}
    for first in range(0, len(returned), BATCH):
        earlier = LeagueSeat.objects.filter(player__in=returned[first : first + BATCH], closing__week__lt=week)
        tiers |= dict(earlier.order_by("closing__week").values_list("player", "tier"))
    return tiers


def _sizes(seats: Sequence[Seat]) -> list[int]:
    tiers = [seat.tier for seat in seats]
    return [tiers.count(tier) for tier in range(1, max(tiers, default=1) + 1)]


def _store(closing: LeagueClosing, seats: Sequence[Seat]) -> None:
    rows = (
        LeagueSeat(closing=closing, player_id=player, tier=tier, group=group, rank=rank, idle=idle)
        for player, tier, group, rank, idle in seats
    )
    LeagueSeat.objects.bulk_create(rows, batch_size=BATCH)


def _moved(closing: LeagueClosing, before: dict[int, int], seats: Sequence[Seat]) -> dict[int, Facts]:
    """Return the facts for players whose tier has changed, except for closed accounts."""
    week = Period.WEEKLY.date_text(closing.next_week)
    new = {seat.player: seat for seat in seats if before.get(seat.player) != seat.tier}
    closed = set(Player.objects.filter(is_active=False).values_list("pk", flat=True))
    return {
        player: {"week": week, "tier": seat.tier, "group": seat.group, "before": before.get(player)}
        for player, seat in new.items()
        if player not in closed
    }
