"""Months of daily deals as calendars, with what a player made of each day."""

from __future__ import annotations

from calendar import Calendar
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from games.calendar.dailies import coming_dailies
from games.calendar.models import DailyDeal
from games.deals.grading import Grade
from games.play.models import Game
from games.play.scores import Placement, counting, daily_placements
from games.players.models import Player

WEEKS = Calendar()  # which begin on Monday
GOLD, SILVER, BRONZE = "gold", "silver", "bronze"
SHARES = {GOLD: 100, SILVER: 20, BRONZE: 10}
"""One in so many wins a medal; gold at least the first, silver the second, bronze the third."""


def medal(placement: Placement | None) -> str:
    """Return the medal for a win's place, "" if there is none."""
    if placement is None:
        return ""
    places = {name: max(least, placement.of // share) for least, (name, share) in enumerate(SHARES.items(), start=1)}
    return next((name for name, last in places.items() if placement.rank <= last), "")


@dataclass(frozen=True, slots=True)
class DayCell:
    """A day of a calendar: the grade of its deal, and the player's best attempt with its place if it was won."""

    day: date
    is_open: bool
    grade: str | None
    own: Game | None = None
    placement: Placement | None = None
    is_today: bool = False
    is_rest: bool = False

    @property
    def medal(self) -> str:
        return medal(self.placement)

    @property
    def is_won(self) -> bool:
        return self.own is not None and self.own.status == Game.Status.WON

    @property
    def triangles(self) -> str:
        return "▲" * (list(Grade).index(Grade(self.grade)) + 1) if self.grade else ""


@dataclass(frozen=True, slots=True)
class Month:
    """A month by weeks from Monday, with None for days of other months."""

    first: date
    weeks: list[list[DayCell | None]]

    @property
    def past(self) -> int:
        """The number of days so far that have a deal."""
        return sum(cell.is_open for cell in self._cells)

    @property
    def played(self) -> int:
        return sum(cell.own is not None for cell in self._cells)

    @property
    def won(self) -> int:
        return sum(cell.is_won for cell in self._cells)

    @property
    def _cells(self) -> list[DayCell]:
        return [cell for week in self.weeks for cell in week if cell]


def months_of(
    firsts: Collection[date], today: date, player: Player | None, *, rules: str = "", rests: Collection[date] = ()
) -> list[Month]:
    """Return months by their first days: with the attempts at one rule set, or by default the best of each day."""
    start, end = min(firsts), month_after(max(firsts)) - timedelta(days=1)
    deals = DailyDeal.objects.filter(day__range=(start, min(end, today)), **({"rules": rules} if rules else {}))
    grades: dict[date, str | None] = {}
    for day, grade in deals.order_by("day", "pk").values_list("day", "grade"):
        grades[day] = grades.get(day) or grade
    own = _best_attempts(player, start, end, rules) if player else {}
    places = daily_placements([game.pk for game in own.values() if game.status == Game.Status.WON])
    coming = _coming_grades(max(start, today + timedelta(days=1)), end, rules)

    def cell(day: date) -> DayCell:
        game = own.get(day)
        return DayCell(
            day,
            is_open=day in grades,
            grade=grades.get(day) or coming.get(day),
            own=game,
            placement=places.get(game.pk) if game else None,
            is_today=day == today,
            is_rest=day in rests,
        )

    return [
        Month(
            first,
            [
                [cell(day) if day.month == first.month else None for day in week]
                for week in WEEKS.monthdatescalendar(first.year, first.month)
            ],
        )
        for first in firsts
    ]


def month_after(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)


def month_before(first: date) -> date:
    return (first - timedelta(days=1)).replace(day=1)


def _best_attempts(player: Player, start: date, end: date, rules: str) -> Mapping[date, Game]:
    """Return a player's best attempt of each day: won before lost, fewer cards left, fewer moves; last those played.

    One that is disqualified counts here as little as in the streaks.
    """
    games = counting(player.games.filter(daily__day__range=(start, end)).select_related("daily"))
    if rules:
        games = games.filter(daily__rules=rules)
    best_last = sorted(games, key=lambda game: (game.is_over, -(game.cards_left or 0), -(game.moves or 0)))
    return {game.daily.day: game for game in best_last if game.daily}


def _coming_grades(first: date, last: date, rules: str) -> Mapping[date, str | None]:
    """Return the grades of coming days."""
    deals = coming_dailies(first, max(0, (last - first).days + 1))
    return {deal.key.day: deal.grade for deal in reversed(deals) if deal.grade and rules in {"", deal.key.rules}}
