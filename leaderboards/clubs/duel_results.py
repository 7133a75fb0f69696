"""The sums of the clubs of a duel: those of the clubs of the week, kept once the last day is final."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache
from typing import NamedTuple

from django.db import IntegrityError, transaction

from games.notifications.notifications import notify
from leaderboards.boards.catalog import BoardKey
from leaderboards.boards.refusals import UnknownBoard
from leaderboards.clubs import notifications
from leaderboards.clubs.models import Club, Duel, DuelResult
from leaderboards.clubs.week import final_at_of_key, table_of


class Sides(NamedTuple):
    """The packed sums of both clubs, the challenger's first; without one, nobody of a club is on the table."""

    challenger: int | None
    opponent: int | None

    @property
    def winner(self) -> int | None:
        """0 for the challenger, 1 for the opponent, None for a draw."""
        if self.challenger == self.opponent:
            return None
        return 0 if self.opponent is None or (self.challenger is not None and self.challenger < self.opponent) else 1


class Table(NamedTuple):
    """The version of a board, and the packed sum of each club in it."""

    version: int
    sums: dict[str, int]

    def sides(self, duel: Duel) -> Sides:
        return Sides(self.sums.get(duel.challenger_id), self.sums.get(duel.opponent_id))


def sides_of(duels: Iterable[Duel], now: datetime) -> list[Sides | None]:
    """Return the sums of duels as they are, or were at the end, and None for those whose week has not begun.

    Each table is read once.
    """
    read = cache(lambda board: _read(board, now))
    return [_sides_of(duel, now, read) for duel in duels]


def _sides_of(duel: Duel, now: datetime, read: Callable[[str], Table]) -> Sides | None:
    if result := getattr(duel, "result", None):
        return Sides(result.challenger_sum, result.opponent_sum)
    is_running = duel.state == Duel.State.ACCEPTED and duel.week <= now.date()
    return read(duel.board).sides(duel) if is_running else None


def close_duels(now: datetime) -> int:
    """Keep the results of the duels whose last day is final, and return how many."""
    begun = Duel.objects.filter(state=Duel.State.ACCEPTED, week__lte=now.date(), result=None)
    over = [duel for duel in begun.select_related("challenger", "opponent") if now >= final_at(duel)]
    return sum(_close(duel, now) for duel in over)


def final_at(duel: Duel) -> datetime:
    return final_at_of_key(BoardKey.parse(duel.board))


def _close(duel: Duel, now: datetime) -> bool:
    """Keep the result of a duel, or return False if another process was first."""
    table = _read(duel.board, now)
    sides = table.sides(duel)
    try:
        with transaction.atomic():
            DuelResult.objects.create(
                duel=duel,
                version=table.version,
                challenger_sum=sides.challenger,
                opponent_sum=sides.opponent,
                closed_at=now,
            )
            for number, (club, other) in enumerate((duel.clubs, duel.clubs[::-1])):
                _notify(duel, club, other, _outcome(sides, number), now)
    except IntegrityError:
        return False
    return True


def _read(board: str, now: datetime) -> Table:
    try:
        table = table_of(board, now)
    except UnknownBoard:  # there was no such deal in the whole week
        return Table(0, {})
    return Table(table.version, table.counted.by_club)


def _outcome(sides: Sides, number: int) -> str:
    return "drawn" if sides.winner is None else "won" if sides.winner == number else "lost"


def _notify(duel: Duel, club: Club, other: Club, what: str, now: datetime) -> None:
    members = club.memberships.filter(left_at=None, player__is_active=True).values_list("player", flat=True)
    facts = {"what": what, "club": club.pk, "other": other.name, "week": duel.week.isoformat()}
    notify(notifications.DUEL, dict.fromkeys(members, facts), notifications.subject_of_duel(duel, "over"), now)
