"""Days of simulated players as rows of the database, examined by the worker's own code, and the queue afterwards.

On the last days there are enough players to compare lines; on those before only those planted play, for their history.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from random import Random
from time import process_time

from django.db.models import Sum
from tqdm import tqdm

from games.calendar.models import DailyDeal
from games.players.models import Player
from games.rules import Deck, Position
from games.solver import solve
from games.solver.orders import Pyramid
from leaderboards.detectors.games import RankedGame
from leaderboards.moderation import traces
from leaderboards.moderation.evidence_models import DetectorRun, Examination
from leaderboards.moderation.examining import examine_games
from leaderboards.moderation.models import Case
from leaderboards.moderation.priority import priority_of
from tests.integrity.hands import BOT, Hand, client_times, person, times
from tests.integrity.populate import Attempt, daily_of, write
from tests.integrity.store import played, winnable_deal
from tests.integrity.styles import STYLES, Choices, Chooser

FIRST_DAY = date(2026, 11, 1)
CROWDED, CROWD = 6, 40  # so many days with so many players before the last one, which has all
PLAYS = 4  # of a style on a deal
HOUR = 3600
CROWDS_STYLES = ("careless", "casual", "thinker", "draws first")
PLANTED = ("bot", "scout", "second", "copyist", "original", "champion")

Cast = dict[str, Player]


def run(players: int, days: int, seed: str) -> None:
    """Populate the days, examine them, and print what is in the queue and what it cost."""
    planted = {name: _player(name) for name in PLANTED}
    crowd = [_player(f"player-{number}") for number in range(players)]
    for day in tqdm(range(days), desc="days"):
        people = crowd if day == days - 1 else crowd[: CROWD * (day >= days - CROWDED)]
        write(*_day(day, f"{seed}/{day}", people, planted))
    now = datetime.combine(FIRST_DAY + timedelta(days=days), time(1), UTC)
    for name in ("scout", "second"):
        traces.remember([(planted[name].pk, "", "one device")], now)
    begun = process_time()
    for _ in tqdm(iter(lambda: examine_games(now), 0), desc="examined for three seconds"):
        pass
    _report(now, process_time() - begun)


def _day(number: int, seed: str, people: Sequence[Player], planted: Cast) -> tuple[DailyDeal, list[Attempt]]:
    deal = winnable_deal(Random(seed))
    deck = Deck((*deal.layout.cards, *deal.stock))
    daily = daily_of(FIRST_DAY + timedelta(days=number), deck, solve(deal).length)
    playing = _Playing(deal, seed)
    attempts = [
        playing.attempt(player, CROWDS_STYLES[place % 4], place // 4 % PLAYS, 6 + place % 12)
        for place, player in enumerate(people)
    ]
    attempts += playing.planted(planted)
    if people:
        attempts += playing.copied(planted)
    return daily, attempts


class _Playing:
    """Simulated players at one deal; plays of a style are made once for all who share them."""

    def __init__(self, deal: Position, seed: str) -> None:
        self._deal, self._seed, self._pyramid = deal, seed, Pyramid(deal)
        self._choices = lru_cache(maxsize=None)(self._choose)

    def attempt(self, player: Player, style: str, play: int, hour: int, hand: Hand | None = None) -> Attempt:
        choices = self._choices(style, play)
        dice = Random(f"{self._seed}/{player.username}")
        game = RankedGame("", "", "", 0, played(self._deal, choices))
        hand = hand or person(Random(player.username))
        server = list(times(game.steps, hand, dice))
        return Attempt(player, played(self._deal, choices, server), hour * HOUR, client_times(server, hand, dice))

    def planted(self, cast: Cast) -> Iterator[Attempt]:
        yield self.attempt(cast["second"], "draws first", PLAYS, 8)
        yield self.attempt(cast["scout"], "perfect", 0, 11)
        yield self.attempt(cast["bot"], "perfect", 0, 10, BOT)
        yield self.attempt(cast["champion"], "champion", 0, 13)

    def copied(self, cast: Cast) -> Iterator[Attempt]:
        yield self.attempt(cast["original"], "thinker", PLAYS, 7)
        yield self.attempt(cast["copyist"], "thinker", PLAYS, 14)

    def _choose(self, style: str, play: int) -> Choices:
        return Chooser(self._deal, self._pyramid, STYLES[style], Random(f"{self._seed}/{style}/{play}")).play()


def _player(name: str) -> Player:
    return Player.objects.create(username=name, display_name=name)


def _report(now: datetime, cpu_seconds: float) -> None:
    games = Examination.objects.count()
    print(
        f"\n{games} games examined in {cpu_seconds:.0f} s of processor time, {1e3 * cpu_seconds / games:.0f} ms a game"
    )
    for row in DetectorRun.objects.values("detector").annotate(us=Sum("cpu_us"), n=Sum("games")).order_by("-us"):
        print(f"    {row['detector']:<16}{row['us'] / row['n'] / 1e3:10.2f} ms a game")
    print("\nthe queue, the most urgent first:")
    for case in Case.objects.select_related("player", "daily").order_by("-urgency"):
        found = ", ".join(sorted({finding.detector for finding in case.findings.all()}))
        print(f"    {priority_of(case, now).number:>3}  {case.player.username:<12}{case.daily.day}  {found}")
