"""Whatever happens to a board, every way to read a rank says what a naive sort in Python says, at every version."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count, product
from typing import Any

from django.db import connection, transaction
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from games.play.models import Game
from games.players.models import Player
from games.rules import RULE_SETS
from leaderboards.boards import points
from leaderboards.boards.decisions import decide
from leaderboards.boards.histogram import histogram
from leaderboards.boards.models import Board, Decision, EntryState
from leaderboards.boards.ranking import Ranking, narrow, redis, replica, sql
from leaderboards.boards.ranking.view import Place, Position, View
from leaderboards.boards.recounting import mistakes_on
from leaderboards.boards.submission import MOST_HASTY, submit
from leaderboards.boards.value_counts import keep_counts
from tests.leaderboards.conftest import BEST, FASTEST, MONTH, NOON, WEEK, Finish, ban, board_named, named, submit_score

PLAYERS, DAYS = 4, 3
EXAMPLES = 4 if connection.vendor == "sqlite" else 6  # other ones in each run
serial = count()

# Small numbers make ties, and zero is a number like any other.
scores = st.fixed_dictionaries(
    {"cards_left": st.integers(0, 1), "moves": st.integers(0, 1), "elapsed_ms": st.integers(0, 1)}
)
players = st.integers(0, PLAYERS - 1)
operations = st.one_of(
    st.tuples(st.just("submit"), players, scores),
    st.tuples(
        st.just("decide"),
        players,
        st.sampled_from([EntryState.DISQUALIFIED, EntryState.REINSTATED, EntryState.VERIFIED]),
    ),
    st.tuples(st.sampled_from(["flag by the server", "flag by a person", "submit flagged"]), players, scores),
    st.tuples(st.just("ban"), players, st.none()),
    st.tuples(st.just("batch"), players, st.lists(st.tuples(players, scores), max_size=6)),
)
Score = dict[str, int]
Standing = tuple[int, Player]


@dataclass
class Naive:
    """A game as a list in Python knows it."""

    game: Game
    score: Score
    state: EntryState = EntryState.PROVISIONAL
    held: bool = False

    @property
    def may_rank(self) -> bool:
        return self.state != EntryState.DISQUALIFIED and not self.held


@dataclass
class World:
    """The database, and beside it the same in lists."""

    finish: Finish
    players: list[Player]
    games: list[Naive] = field(default_factory=list)
    banned: set[int] = field(default_factory=set)

    def do(self, operation: str, player: int, value: Any) -> None:
        own = [naive for naive in self.games if naive.game.player == self.players[player]]
        if operation == "submit" and len(own) < DAYS:
            self._submit([(player, value)])
        elif operation == "submit flagged" and len(own) < DAYS:
            self._submit([(player, value)], hasty=MOST_HASTY + 1)
        elif operation == "batch":
            self._submit(value)
        elif operation == "ban":
            ban(self.players[player], "cheats", None, NOON)
            self.banned.add(player)
            for naive in own:
                naive.state, naive.held = EntryState.DISQUALIFIED, False
        elif operation == "decide" and own:
            self._decide(own[-1], EntryState(value), None)
        elif operation.startswith("flag") and own:
            self._decide(own[-1], EntryState.FLAGGED, self.players[0] if "person" in operation else None)

    def _decide(self, naive: Naive, state: EntryState, by: Player | None) -> None:
        naive.state, naive.held = state, state is EntryState.FLAGGED and by is None
        decide(Decision(game=naive.game, state=state, reason="seen", at=NOON, by=by))

    def _submit(self, ended: list[tuple[int, Score]], hasty: int = 0) -> None:
        """Enter games together, each on the first day that its player has not played."""
        new: list[Naive] = []
        for number, score in ended:
            player = self.players[number]
            days = sum(naive.game.player == player for naive in [*self.games, *new])
            if days < DAYS:
                state = EntryState.FLAGGED if hasty else EntryState.PROVISIONAL
                state = EntryState.DISQUALIFIED if number in self.banned else state
                game = self.finish(player, **score, days=days, hasty=hasty)
                new.append(Naive(game, score, state, held=state is EntryState.FLAGGED))
        submit([naive.game.pk for naive in new], NOON)
        self.games += new

    def best_games(self, slug: str) -> list[Standing]:
        """Return (rank, player) of a board of games."""
        fields = ("cards_left", "elapsed_ms", "moves") if "fastest" in slug else ("cards_left", "moves", "elapsed_ms")
        best: dict[Player, tuple[list[int], int]] = {}
        for order, naive in enumerate(self.games):
            if naive.may_rank and _is_on(naive.game, slug):
                key = ([naive.score[name] for name in fields], order)
                best[naive.game.player] = min(key, best.get(naive.game.player, key))
        table = sorted((key, order, player.pk, player) for player, (key, order) in best.items())
        return [(1 + sum(other[0] < row[0] for other in table), row[3]) for row in table]

    def sums(self) -> dict[Player, tuple[int, int, int]]:
        """Return what the boards of points sort by; all days are within one month and fewer than count."""
        totals: dict[Player, tuple[int, int, int]] = {}
        for naive in self.games:
            if naive.may_rank:
                day = points.day_of(RULE_SETS["standard"], **naive.score)
                has = totals.get(naive.game.player, (0, 0, 0))
                totals[naive.game.player] = (has[0] - day.points, has[1] - day.wins, has[2] + day.moves)
        return totals


def _is_on(game: Game, slug: str) -> bool:
    assert game.daily
    return not slug.startswith("daily") or game.daily.day.isoformat() in slug


def standings(view: View, places: list[Place]) -> list[Standing]:
    owners = {entry.pk: entry.player for entry in view.entries().select_related("player")}
    return [(place.rank, owners[place.entry]) for place in places]


def assert_agreement(engine: Ranking, view: View, expected: list[Standing], limit: int) -> None:
    """Check list == rank == around == count == expected."""
    listed = engine.top(view, 1000).places
    assert standings(view, listed) == expected
    assert engine.top(view, 1).total == len(expected)
    assert engine.top(view, limit) == (len(expected), listed[:limit])
    for index, place in enumerate(listed):
        first = max(0, index - limit // 2)
        position = Position(place.sort_key, place.entry)
        assert engine.around(view, position, limit) == (len(expected), listed[first : first + limit])
    backwards = listed[::-1]
    positions = [Position(place.sort_key, place.entry) for place in backwards]
    assert engine.places_of(view, positions) == (len(expected), backwards)
    assert all(engine.places_of(view, [one]).places == [place] for one, place in zip(positions, backwards, strict=True))


def walk(view: View, limit: int) -> Iterator[Place]:
    page = sql.top(view, limit).places
    while page:
        yield from page
        page = sql.after(view, page[-1], limit)


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=EXAMPLES)
@given(steps=st.lists(operations, min_size=1, max_size=12), limit=st.integers(1, 6))
def test_list_rank_around_and_count_agree_with_a_naive_sort(
    finish: Finish, with_redis: None, steps: list[tuple[str, int, Any]], limit: int
) -> None:
    redis.client().flushdb()  # what the last example rolled back was never committed
    with transaction.atomic():
        world = World(finish, [named(f"player-{next(serial)}") for _ in range(PLAYERS)])
        past: dict[tuple[str, int], list[Standing]] = {}
        for step in steps:
            world.do(*step)
            for board in Board.objects.filter(slug__in=[BEST, FASTEST]):
                expected = world.best_games(board.slug)
                past[board.slug, board.version] = expected
                replica.catch_up(board)
                for engine in (sql, narrow, redis):
                    assert_agreement(engine, View(board, board.version), expected, limit)
                if step[1] == 0:
                    keep_counts(board)
                assert not mistakes_on(board.slug)
        for (slug, version), expected in past.items():
            view = View(board_named(slug), version)
            assert_agreement(sql, view, expected, limit)
            assert standings(view, list(walk(view, limit))) == expected
            assert_counted(view, limit)
        assert all(replica.is_true(board) for board in Board.objects.filter(slug__in=[BEST, FASTEST]))
        assert_sums_agree(world)
        transaction.set_rollback(True)


def assert_counted(view: View, limit: int) -> None:
    """Check that histograms, from what was kept at any version, count what the rows of this one say."""
    for name, is_verified, won in product(view.board.key.order.fields, (False, True), (False, True)):
        part = replace(view, verified_only=is_verified)
        scores = [view.board.key.order.unpack(entry.key) for entry in part.entries()]
        values = [score[name] for score in scores if not (won and score["cards_left"])]
        found = histogram(part, name, limit, won=won)
        starts = [found.start + index * found.width for index in range(len(found.counts))]
        assert found.counts == [sum(start <= value < start + found.width for value in values) for start in starts]
        assert sum(found.counts) == len(values)


def assert_sums_agree(world: World) -> None:
    totals = world.sums()
    for slug in (MONTH, WEEK):
        board = Board.objects.filter(slug=slug).first()
        if board is None:
            assert not totals
            continue
        view = View(board, board.version)
        listed = standings(view, sql.top(view, 1000).places)
        assert sorted((rank, player.pk) for rank, player in listed) == sorted(
            (1 + sum(other < total for other in totals.values()), player.pk) for player, total in totals.items()
        )


def test_a_narrowed_view_ranks_among_those_it_shows(finish: Finish) -> None:
    one, two, three = (named(f"player-{next(serial)}") for _ in range(3))
    games = [finish(player, elapsed_ms=time) for player, time in ((one, 10), (two, 20), (three, 30))]
    for game in games:
        submit_score(game, NOON)
    decide(Decision(game=games[2], state=EntryState.VERIFIED, reason="replayed", at=NOON))
    board = board_named(FASTEST)
    view = View(board, board.version)
    for engine in (sql, narrow):
        assert_agreement(engine, replace(view, verified_only=True), [(1, three)], 2)
        assert_agreement(engine, replace(view, among=(two.pk, three.pk)), [(1, two), (2, three)], 2)
