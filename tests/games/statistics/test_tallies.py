from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.calendar.models import DailyDeal, Deal
from games.personal_data.erasure import erase_player
from games.personal_data.retention import forget_guest_practice
from games.play.models import Game
from games.play.scores import counting
from games.players.models import Player
from games.races.models import Race, Racer
from games.statistics.models import PlayedDays, Tally, UncountedGame
from games.statistics.statistics import statistics_of
from games.statistics.tallies import FAR_OVER, count_games, recount
from leaderboards.boards.decisions import decide, lift_ban
from leaderboards.boards.models import Decision, EntryState
from tests.guards import undone
from tests.leaderboards.conftest import ban

pytestmark = pytest.mark.django_db(transaction=True)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
COUNTS = {"draws": 0, "recycles": 0, "undos": 0}
PAR = 30
"""The par of every deal here."""


def deal_of(day: date | None, rules: str) -> Deal:
    """Return the deal of a day, made if it is not there; or one for practice."""
    if day is not None and (daily := DailyDeal.objects.filter(day=day, rules=rules).first()):
        return daily.deal
    deal = Deal.objects.create(rules=rules, deck="", created_at=NOON, is_winnable=True, par=PAR, grade="easy")
    if day is not None:
        number = DailyDeal.objects.count() + 1
        hashes = dict.fromkeys(("seed", "commitment"), f"{number:064}")
        key = {"day": day, "rules": rules, "division": "open"}
        DailyDeal.objects.create(**key, **hashes, candidate=0, committed_at=NOON, deal=deal)
    return deal


def finished(player: Player, at: datetime, deal: Deal, *, is_ranked: bool, **fields: Any) -> Game:
    """Store a finished game: a win of 40 moves in a minute, if nothing else is said."""
    daily = DailyDeal.objects.filter(deal=deal).first() if is_ranked else None
    summary = {"hints": 0, "moves": 40, "elapsed_ms": 60_000, "cards_left": 0, **COUNTS, **fields}
    status = "resigned" if summary["cards_left"] else "won"
    times = dict.fromkeys(("created_at", "started_at", "finished_at"), at)
    return Game.objects.create(player=player, deal=deal, daily=daily, status=status, **times, **summary)


def figures(player: Player) -> tuple[object, ...]:
    """Return what is stored of a player, as plain values."""
    days = PlayedDays.objects.filter(player=player).values_list("played", "won").first()
    columns = ("kind", "rules", "played", "won", "moves", "elapsed_ms", "over_par")
    return days or ([], []), list(Tally.objects.filter(player=player).values_list(*columns))


def shown(player: Player, now: datetime) -> tuple[object, ...]:
    """Return what a reader is shown of a player."""
    statistics = statistics_of(player, player, now)
    rows = [
        (row.kind, row.rules, row.played, row.won, row.moves, row.elapsed_ms, row.over_par)
        for row in statistics.tallies
    ]
    return statistics.played, statistics.won, rows


def recounted(player: Player, now: datetime) -> list[tuple[object, ...]]:
    """Count a player's games one by one, as one would by hand."""
    rows: list[tuple[object, ...]] = []
    games = list(counting(player.games.exclude(status="playing")).select_related("deal__daily", "daily"))
    of_kind = {(("practice", "daily")[game.is_ranked], game.deal.rules) for game in games}
    for kind, rules in sorted(of_kind):
        own = [game for game in games if (game.is_ranked, game.deal.rules) == (kind == "daily", rules)]
        won = [game for game in own if game.status == "won"]
        alone = [game for game in won if not game.hints]
        public = [game for game in won if not hasattr(game.deal, "daily") or game.deal.daily.key.is_public(now)]
        over = Counter(min(max((game.moves or 0) - PAR, 0), FAR_OVER) for game in public)
        counts = [over[index] for index in range(max(over, default=-1) + 1)]
        moves = min((game.moves or 0 for game in alone), default=None)
        elapsed = min((game.elapsed_ms or 0 for game in alone), default=None)
        rows.append((kind, rules, len(own), len(won), moves, elapsed, counts))
    return rows


GAMES = st.tuples(
    st.just("play"),
    st.integers(0, 1),
    st.sampled_from(["ranked", "practice", "practice on a day's deal"]),
    st.sampled_from(["standard", "giza"]),
    st.sampled_from([0, 0, 3]),
    st.integers(25, 60),
    st.sampled_from([0, 0, 2]),
)
ACTS = st.one_of(
    GAMES,
    GAMES,
    GAMES,
    st.tuples(st.just("decide"), st.integers(0, 30), st.sampled_from(["disqualified", "reinstated", "verified"])),
    st.tuples(st.just("ban"), st.integers(0, 1)),
    st.tuples(st.just("lift"), st.integers(0, 1)),
    st.tuples(st.just("count")),
    st.tuples(st.just("wait"), st.integers(1, 40)),
)


class World:
    """Two players, whose games end, are decided about and counted in any order."""

    def __init__(self, players: list[Player]) -> None:
        self.players, self.now, self.games = players, NOON, list[Game]()
        self.reviewers = [Player.objects.create(username=name, is_staff=True) for name in ("ines", "omar")]

    def act(self, act: tuple[Any, ...]) -> None:
        getattr(self, act[0])(*act[1:])

    def play(self, who: int, how: str, rules: str, cards_left: int, moves: int, hints: int) -> None:
        deal = deal_of(None if how == "practice" else self.now.date(), rules)
        if how == "ranked" and self.players[who].games.filter(daily__deal=deal).exists():
            return
        score = {"cards_left": cards_left, "moves": moves, "hints": hints, "elapsed_ms": moves * 1000}
        self.games.append(finished(self.players[who], self.now, deal, is_ranked=how == "ranked", **score))

    def decide(self, which: int, state: str) -> None:
        ranked = [game for game in self.games if game.is_ranked]
        if ranked:
            (one, other), game = self.reviewers, ranked[which % len(ranked)]
            about = {"game": game, "state": EntryState(state), "reason": "looked at", "at": self.now}
            decide(Decision(by=one, confirmed_by=other, **about))

    def ban(self, who: int) -> None:
        one, other = self.reviewers
        ban(self.players[who], "a program", one, self.now, other)

    def lift(self, who: int) -> None:
        lift_ban(self.players[who])

    def count(self) -> None:
        count_games(self.now)

    def wait(self, hours: int) -> None:
        self.now += timedelta(hours=hours)


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ACTS, min_size=4, max_size=14))
def test_statistics_are_at_any_time_what_one_counts_from_the_games(
    alice: Player, bob: Player, acts: list[tuple[Any, ...]]
) -> None:
    with undone():
        world = World([alice, bob])
        for act in acts:
            world.act(act)
            for player in world.players:
                assert shown(player, world.now)[2] == recounted(player, world.now)
        before = [shown(player, world.now) for player in world.players]
        count_games(world.now)
        assert [shown(player, world.now) for player in world.players] == before
        counted = [figures(player) for player in world.players]
        recount([player.pk for player in world.players])
        assert [figures(player) for player in world.players] == counted


def test_the_par_of_a_day_shows_in_no_statistics_before_the_day_is_over(alice: Player) -> None:
    deal = deal_of(NOON.date(), "standard")
    finished(alice, NOON, deal, is_ranked=True, moves=PAR + 2)
    finished(alice, NOON, deal, is_ranked=False, moves=PAR + 1)
    over = datetime(2026, 3, 2, 0, 30, tzinfo=UTC)
    for now, counts in ((NOON, []), (over - timedelta(milliseconds=1), []), (over, [0, 0, 1])):
        count_games(now)
        assert Tally.objects.get(kind="daily").over_par == counts
    assert Tally.objects.get(kind="practice").over_par == [0, 1]
    assert not UncountedGame.objects.exists()


def test_a_win_waits_until_the_par_of_its_deal_is_measured(alice: Player) -> None:
    deal = deal_of(None, "standard")
    Deal.objects.filter(pk=deal.pk).update(par=None, grade=None)
    finished(alice, NOON, deal, is_ranked=False, moves=PAR)
    count_games(NOON)
    assert (Tally.objects.get().won, Tally.objects.get().over_par) == (1, [])
    Deal.objects.filter(pk=deal.pk).update(par=PAR, grade="easy")
    count_games(NOON + timedelta(minutes=10))
    assert (Tally.objects.get().won, Tally.objects.get().over_par) == (1, [1])


def test_workers_at_the_same_moment_count_each_game_once(alice: Player, bob: Player) -> None:
    deal = deal_of(None, "standard")
    for number in range(20):
        finished((alice, bob)[number % 2], NOON, deal, is_ranked=False, moves=PAR + number)

    def work(_: int) -> None:
        count_games(NOON)
        recount([alice.pk, bob.pk])
        connection.close()

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(work, range(3)))
    count_games(NOON)
    assert list(Tally.objects.values_list("played", "won")) == [(10, 10), (10, 10)]


def test_nothing_is_counted_of_a_player_whose_account_is_deleted(alice: Player) -> None:
    finished(alice, NOON, deal_of(None, "standard"), is_ranked=False)
    count_games(NOON)
    finished(alice, NOON, deal_of(NOON.date(), "standard"), is_ranked=True)
    erase_player(alice, "asked for it", None, NOON)
    finished(alice, NOON, deal_of(NOON.date(), "giza"), is_ranked=True)
    count_games(NOON + 2 * DAY)
    recount([alice.pk])
    assert not any(model.objects.exists() for model in (Tally, PlayedDays, UncountedGame))


def test_practice_of_a_guest_that_is_deleted_leaves_the_statistics(alice: Player) -> None:
    finished(alice, NOON, deal_of(None, "standard"), is_ranked=False)
    finished(alice, NOON + 100 * DAY, deal_of(None, "giza"), is_ranked=False)
    count_games(NOON + 100 * DAY)
    forget_guest_practice(NOON + 100 * DAY)
    assert [tally.rules for tally in Tally.objects.all()] == ["giza"]


def test_an_operator_has_statistics_counted_again(alice: Player, bob: Player) -> None:
    for player in (alice, bob):
        finished(player, NOON, deal_of(None, "standard"), is_ranked=False)
    count_games(NOON)
    Tally.objects.update(played=9)
    call_command("recount", alice.username, stdout=StringIO())
    assert list(Tally.objects.order_by("player").values_list("played", flat=True)) == [1, 9]
    call_command("recount", stdout=StringIO())
    assert list(Tally.objects.values_list("played", flat=True)) == [1, 1]
    Tally.objects.update(played=9)
    with pytest.raises(CommandError, match="There is no player 'nobody'; nothing was counted"):
        call_command("recount", alice.username, "nobody")
    assert list(Tally.objects.values_list("played", flat=True)) == [9, 9]


def test_a_race_is_counted_apart_and_shows_no_par_before_its_end(alice: Player) -> None:
    deal = deal_of(None, "standard")
    race = Race.objects.create(
        deal=deal, tie_break="time", limit_s=300, countdown_s=5, is_public=True, admits_bots=False, created_at=NOON
    )
    game = finished(alice, NOON, deal, is_ranked=False, moves=PAR)
    Racer.objects.create(race=race, player=alice, joined_at=NOON, game=game)
    assert shown(alice, NOON)[2] == [("race", "standard", 1, 1, PAR, 60_000, [])]
    count_games(NOON)
    Race.objects.update(begun_at=NOON, starts_at=NOON, ended_at=NOON + DAY, end="all_finished")
    assert shown(alice, NOON + DAY)[2] == [("race", "standard", 1, 1, PAR, 60_000, [1])]
    count_games(NOON + DAY)
    assert (Tally.objects.get().over_par, UncountedGame.objects.count()) == ([1], 0)
