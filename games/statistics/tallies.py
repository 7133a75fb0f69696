"""Add finished games to the tallies of their players, each game once, and recount the tallies of players.

Readers include the games that are still waiting, so that statistics are always right; the worker keeps those few.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import Signal

from games.deals.daily import DailyKey
from games.play.models import Game, GameKind
from games.play.scores import counting
from games.players.models import ERASED, Player
from games.races.models import Race
from games.statistics.models import PlayedDays, Tally, UncountedGame
from games.statistics.streaks import Days

TOGETHER = 500  # in one transaction
MOST_BATCHES = 40  # in one run of the worker, which has more to do
FAR_OVER = 20
"""Wins with this many moves over par or more are counted together."""
UNTIL_MEASURED = timedelta(minutes=10)
UNTIL_RACE_IS_OVER = timedelta(minutes=1)

# Sent in the transaction that adds finished games to the tallies of their players, with `games: set[str]`, their ids,
# and `now: datetime`. A game may come a second time, when the par of its deal is public.
games_counted = Signal()

# Sent in the transaction that counts all games of players again, with `players: set[int]`.
players_recounted = Signal()

Place = tuple[int, str, str]
"""The player, the kind and the rules of a tally."""


class Finished(NamedTuple):
    """The facts about a finished game that tallies need. In practice, too, its deal may be that of a day or a race."""

    game: str
    player: int
    daily: int | None
    day: date | None
    rules: str
    status: str
    moves: int
    elapsed_ms: int
    hints: int
    par: int | None
    grade: str | None
    is_winnable: bool | None
    day_of_deal: date | None
    racer: int | None
    race_of_deal: str | None
    race_ended_at: datetime | None
    entry: str | None

    @property
    def place(self) -> Place:
        """The tally in which it counts."""
        return self.player, _kind(self.daily, self.racer), self.rules

    @property
    def is_won(self) -> bool:
        return self.status == Game.Status.WON

    @property
    def is_secret(self) -> bool:
        """True for a game of a qualification that is not over: until then nobody else knows how it went."""
        return self.entry == Race.Entry.ROLLING and self.race_ended_at is None

    def waits_until(self, now: datetime) -> datetime | None:
        """Return when a win can be counted among the moves over par; None if now, or never.

        Before the day or the race of its deal is over, that would reveal the par; and the par of a new deal may not be
        measured yet.
        """
        if not self.is_won:
            return None
        deal = self.day_of_deal and DailyKey(self.day_of_deal, self.rules, "")
        if deal and not deal.is_public(now):
            return deal.finish_by
        if self.race_of_deal and self.race_ended_at is None:
            return now + UNTIL_RACE_IS_OVER
        return now + UNTIL_MEASURED if self.is_winnable and self.grade is None else None


FIELDS = (
    *("pk", "player_id", "daily_id", "daily__day", "deal__rules", "status", "moves", "elapsed_ms", "hints"),
    *("deal__par", "deal__grade", "deal__is_winnable", "deal__daily__day"),
    *("racer__pk", "deal__race__pk", "deal__race__ended_at", "racer__race__entry"),
)


@dataclass
class Tallies:
    """The tallies of some players in memory, and the days whose daily deals they finished and won."""

    tallies: dict[Place, Tally] = field(default_factory=dict)
    played: dict[int, Days] = field(default_factory=dict)
    won: dict[int, Days] = field(default_factory=dict)
    touched: set[Place] = field(default_factory=set)
    touched_days: set[int] = field(default_factory=set)

    def add_result(self, game: Finished) -> None:
        """Count a game, but not among the moves over par."""
        tally = self._tally(game)
        tally.played += 1
        tally.won += game.is_won
        if game.is_won and not game.hints:
            tally.moves = game.moves if tally.moves is None else min(tally.moves, game.moves)
            tally.elapsed_ms = game.elapsed_ms if tally.elapsed_ms is None else min(tally.elapsed_ms, game.elapsed_ms)
        if game.day is not None:
            self.touched_days.add(game.player)
            for days in (self.played, self.won) if game.is_won else (self.played,):
                days[game.player] = days.get(game.player, Days()).with_days([game.day])

    def add_over_par(self, game: Finished) -> None:
        """Count a win among the moves over par, if the par is known."""
        if game.is_won and game.par is not None:
            over, counts = min(max(game.moves - game.par, 0), FAR_OVER), self._tally(game).over_par
            counts += [0] * (over + 1 - len(counts))
            counts[over] += 1

    def days(self, player: int) -> tuple[Days, Days]:
        """Return the days whose daily deals a player finished, and those whose deals the player won."""
        return self.played.get(player, Days()), self.won.get(player, Days())

    def _tally(self, game: Finished) -> Tally:
        self.touched.add(game.place)
        if game.place not in self.tallies:
            player, kind, rules = game.place
            self.tallies[game.place] = Tally(player_id=player, kind=kind, rules=rules)
        return self.tallies[game.place]


def count_games(now: datetime) -> int:
    """Count games that have ended and wins whose par has become public, up to the number for one run.

    Returns how many there were.
    """
    total = 0
    for _ in range(MOST_BATCHES):
        found = _count_batch(now)
        total += found
        if found < TOGETHER:
            break
    return total


def recount(players: Collection[int]) -> None:
    """Count all games of players again, except those that are still waiting to be counted."""
    if players:
        _recount(players)


@transaction.atomic
def _recount(players: Collection[int]) -> None:
    staying = set(_locked(players).played)
    Tally.objects.filter(player__in=players).delete()
    tallies = Tallies(touched_days=staying)
    # In one statement, which sees both a game's end and the row that a trigger made of it, or neither.
    games = counting(Game.objects.filter(player__in=staying)).exclude(status=Game.Status.PLAYING)
    for *facts, is_counted in games.order_by().values_list(*FIELDS, "uncounted__is_counted").iterator():
        game = Finished._make(facts)
        if is_counted is not False:
            tallies.add_result(game)
        if is_counted is None:
            tallies.add_over_par(game)
    _write(tallies)
    players_recounted.send(Game, players=set(players))


def tallies_of(player: Player, now: datetime) -> Tallies:
    tallies = _stored([player.pk])
    waiting = {row.game_id: row for row in UncountedGame.objects.filter(player=player)}
    if waiting:
        for game in _finished(counting(Game.objects.filter(pk__in=waiting))):
            _add(tallies, game, waiting[game.game], now)
    return tallies


@transaction.atomic
def _count_batch(now: datetime) -> int:
    due = UncountedGame.objects.filter(due_at__lte=now).order_by("due_at", "pk")
    rows = {row.game_id: row for row in due.select_for_update(skip_locked=True)[:TOGETHER]}
    tallies = _locked({row.player_id for row in rows.values()})
    games = [game for game in _finished(Game.objects.filter(pk__in=rows)) if game.player in tallies.played]
    secret = {game.game for game in games if game.is_secret}
    that_count = set(counting(Game.objects.filter(pk__in=rows)).values_list("pk", flat=True)) - secret
    for game in games:
        if game.game in that_count:
            _add(tallies, game, rows[game.game], now)
    _write(tallies)
    # Rows of games that do not count wait like others: such a game may count again before its par is public.
    UncountedGame.objects.filter(pk__in=secret).update(due_at=now + UNTIL_RACE_IS_OVER)
    _settle(set(rows) - secret, [game for game in games if not game.is_secret], now)
    if that_count:
        games_counted.send(Game, games=that_count, now=now)
    return len(rows)


def _add(tallies: Tallies, game: Finished, row: UncountedGame, now: datetime) -> None:
    if game.is_secret:
        return
    if not row.is_counted:
        tallies.add_result(game)
    if game.waits_until(now) is None:
        tallies.add_over_par(game)


def _settle(rows: set[str], games: Iterable[Finished], now: datetime) -> None:
    """Keep the rows of wins that wait for their par, and delete the others."""
    waiting: dict[datetime, list[str]] = {}
    for game in games:
        if until := game.waits_until(now):
            waiting.setdefault(until, []).append(game.game)
    for until, some in waiting.items():
        UncountedGame.objects.filter(pk__in=some).update(due_at=until, is_counted=True)
        rows -= set(some)
    UncountedGame.objects.filter(pk__in=rows).delete()


def _kind(daily: int | None, racer: int | None) -> GameKind:
    if daily is not None:
        return GameKind.DAILY
    return GameKind.PRACTICE if racer is None else GameKind.RACE


def _finished(games: QuerySet[Game]) -> Iterator[Finished]:
    yield from map(Finished._make, games.order_by().values_list(*FIELDS))


def _locked(players: Collection[int]) -> Tallies:
    """Lock the tallies of players until the transaction ends, and return them; none of players who were erased."""
    staying = set(Player.objects.filter(pk__in=players).exclude(ERASED).values_list("pk", flat=True))
    PlayedDays.objects.bulk_create((PlayedDays(player_id=player) for player in staying), ignore_conflicts=True)
    # The row with the days is the lock, so it has to exist first. All lock in the same order: they cannot deadlock.
    list(PlayedDays.objects.select_for_update().filter(pk__in=staying).order_by("pk"))
    return _stored(staying)


def _stored(players: Collection[int]) -> Tallies:
    days = PlayedDays.objects.filter(pk__in=players)
    tallies = Tallies()
    for row in days:
        tallies.played[row.player_id] = Days.from_data(row.played)
        tallies.won[row.player_id] = Days.from_data(row.won)
    for tally in Tally.objects.filter(player__in=players):
        tallies.tallies[tally.player_id, tally.kind, tally.rules] = tally
    return tallies


def _write(tallies: Tallies) -> None:
    rows = [tallies.tallies[place] for place in sorted(tallies.touched)]
    for row in rows:
        row.pk = None
    Tally.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["player", "kind", "rules"],
        update_fields=["played", "won", "moves", "elapsed_ms", "over_par"],
    )
    days = (
        PlayedDays(player_id=player, played=tallies.days(player)[0].data, won=tallies.days(player)[1].data)
        for player in sorted(tallies.touched_days)
    )
    PlayedDays.objects.bulk_create(
        days, update_conflicts=True, unique_fields=["player"], update_fields=["played", "won"]
    )
