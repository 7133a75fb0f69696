"""Leagues as plain values: everyone has one seat in a group of at most fifty, and equal data lead to equal seats."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from leaderboards.boards.sort_keys import ranks
from leaderboards.leagues.tiers import (
    GROUP_SIZE,
    MOST_IDLE_WEEKS,
    TIERS,
    Score,
    Seat,
    movers,
    next_seats,
    open_tiers,
)

PLAYERS = st.integers(1, 400)
TABLES = st.lists(st.tuples(PLAYERS, st.integers(0, 30)), max_size=300, unique_by=lambda row: row[0])
WEEKS = st.lists(TABLES, min_size=1, max_size=5)


def scores(rows: list[tuple[int, int]]) -> list[Score]:
    return [Score(*row) for row in sorted(rows, key=lambda row: row[1])]


def played(weeks: list[list[tuple[int, int]]]) -> list[list[Seat]]:
    """Return the seats after each week; everyone who has lost a seat rests in the last tier."""
    seats: list[list[Seat]] = [[]]
    tiers: dict[int, int] = {}
    for rows in weeks:
        table, seated = scores(rows), {seat.player for seat in seats[-1]}
        resting = {row.player: tiers[row.player] for row in table if row.player in tiers and row.player not in seated}
        seats.append(next_seats(seats[-1], table, resting))
        tiers |= {seat.player: seat.tier for seat in seats[-1]}
    return seats[1:]


@given(WEEKS)
def test_everyone_who_plays_has_one_seat_in_a_group_of_at_most_fifty(weeks: list[list[tuple[int, int]]]) -> None:
    for rows, seats in zip(weeks, played(weeks), strict=True):
        players = [seat.player for seat in seats]
        assert len(set(players)) == len(players)
        assert {player for player, _ in rows} <= set(players)
        sizes = Counter((seat.tier, seat.group) for seat in seats)
        assert max(sizes.values(), default=0) <= GROUP_SIZE
        assert all(1 <= seat.tier <= open_tiers(len(seats)) for seat in seats)
        for tier in {seat.tier for seat in seats}:
            of_tier = [sizes[key] for key in sizes if key[0] == tier]
            assert [key[1] for key in sorted(sizes) if key[0] == tier] == list(range(1, len(of_tier) + 1))
            assert max(of_tier) - min(of_tier) <= 1


@given(WEEKS, st.randoms(use_true_random=False))
def test_seats_depend_on_the_data_and_not_on_the_order_they_are_read_in(
    weeks: list[list[tuple[int, int]]], random: object
) -> None:
    seats = played(weeks)
    assert played(weeks) == seats
    before = [*seats[-1]]
    random.shuffle(before)  # type: ignore[attr-defined]
    table = scores(weeks[0])
    resting = dict.fromkeys({row.player for row in table} - {seat.player for seat in before}, 2)
    assert next_seats(before, table, resting) == next_seats(seats[-1], table, resting)


@given(WEEKS)
def test_as_many_move_up_as_down_and_never_more_than_ten(weeks: list[list[tuple[int, int]]]) -> None:
    before: list[Seat] = []
    for rows, after in zip(weeks, played(weeks), strict=True):
        tiers, places = {seat.player: seat.tier for seat in after}, [score.player for score in scores(rows)]
        lowest = open_tiers(len(after))
        groups: dict[tuple[int, int], list[int]] = {}
        for seat in before:
            groups.setdefault((seat.tier, seat.group), []).append(seat.player)
        for (tier, _), members in groups.items():
            order = [player for player in places if player in members]
            most = movers(len(order))
            assert all(tiers[player] == min(max(1, tier - 1), lowest) for player in order[:most])
            assert all(tiers[player] == min(tier + 1, lowest) for player in order[len(order) - most :])
            staying = [player for player in members if player not in order[:most] + order[len(order) - most :]]
            assert all(tiers.get(player, tier) == min(tier, lowest) or player not in tiers for player in staying)
        before = after


@given(st.integers(0, 10_000))
def test_at_most_a_third_of_a_group_moves_up(size: int) -> None:
    assert movers(size) == min(10, size // 3)
    assert 1 <= open_tiers(size) <= TIERS


@given(st.lists(st.integers(0, 9)))
def test_equal_scores_share_a_rank(keys: list[int]) -> None:
    keys.sort()
    assert list(ranks(keys)) == [1 + sum(other < key for other in keys) for key in keys]


def test_the_first_week_spreads_its_table_over_the_tiers() -> None:
    seats = next_seats([], [Score(player, player) for player in range(1, 1001)], {})
    assert Counter(seat.tier for seat in seats) == dict.fromkeys(range(1, 11), 100)
    assert {seat.player for seat in seats if seat.tier == 1} == set(range(1, 101))
    assert max(seat.group for seat in seats) == 2


def test_ten_of_a_whole_group_move_up_and_ten_down() -> None:
    seats = [Seat(player, tier, 1) for tier in (1, 2, 3) for player in range(100 * tier, 100 * tier + 50)]
    table = [Score(seat.player, seat.player) for seat in seats]
    tiers = {seat.player: seat.tier for seat in next_seats(seats, table, {})}
    assert [tiers[player] for player in range(200, 250)] == [1] * 10 + [2] * 30 + [3] * 10
    assert [tiers[player] for player in range(100, 150)] == [1] * 40 + [2] * 10
    assert [tiers[player] for player in range(300, 350)] == [2] * 10 + [3] * 40


def test_a_newcomer_starts_in_the_lowest_tier_and_who_returns_where_they_were() -> None:
    seats = [Seat(player, 1 + player // 60, 1 + player % 60 // 30) for player in range(120)]
    table = [Score(1000, 1), Score(2000, 2), *(Score(player, 3) for player in range(120))]
    tiers = {seat.player: seat.tier for seat in next_seats(seats, table, {2000: 1})}
    assert (tiers[1000], tiers[2000]) == (3, 1)


def test_a_tier_that_few_players_closed_takes_nobody() -> None:
    assert [seat.tier for seat in next_seats([Seat(1, 9, 4)], [Score(1, 1)], {})] == [1]
    assert [seat.tier for seat in next_seats([], [Score(1, 1)], {1: 10})] == [1]


def test_a_group_of_one_or_two_moves_nobody() -> None:
    crowd = [Seat(player, 1, 1) for player in range(10, 60)]
    alone = next_seats([*crowd, Seat(1, 2, 1)], [Score(1, 1)], {})
    assert next(seat for seat in alone if seat.player == 1) == Seat(1, 2, 1, rank=1)


def test_who_does_not_play_stays_and_rests_after_four_weeks() -> None:
    seats = [Seat(1, 1, 1)]
    for week in range(1, MOST_IDLE_WEEKS + 1):
        seats = next_seats(seats, [], {})
        assert seats == [Seat(1, 1, 1, idle=week)]
    assert next_seats(seats, [], {}) == []
