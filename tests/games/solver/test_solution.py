"""Answers of the solver beyond lengths: limits, whole games, bad input."""

import threading
from itertools import accumulate, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import CARDS, RULE_SETS, Deck, NotationError, Position, RuleSet
from games.solver import KnownPositions, Solution, Status, distances, find_win, is_winnable, solve

WEAKER = [  # a win of the left one wins the right one
    ("single-pass", "dark-pyramid"),
    ("dark-pyramid", "dark-pyramid-redeal"),
    ("dark-pyramid-redeal", "relaxed"),
    ("dark-pyramid", "open-pyramid"),  # the solver sees every card anyway
    ("open-pyramid", "dark-pyramid"),
    ("face-up-stock", "standard"),
    ("standard", "face-up-stock"),
    ("relaxed", "standard"),
    ("classic", "dark-pyramid"),
    ("classic", "classic-overlap"),
    ("classic", "par-pyramid"),
    ("par-pyramid", "relaxed"),
    ("standard", "covered-pairs"),
    ("king-tut", "standard"),
    ("king-tut", "tuts-tomb"),
    ("three-piles", "standard"),
    ("no-waste", "dark-pyramid"),
    ("dark-pyramid", "cell"),
]


def deal(seed: int, rules: RuleSet) -> Position:
    cards = list(CARDS[: rules.deck_size])
    Random(seed).shuffle(cards)
    return Position.deal(Deck(tuple(cards)), rules)


def path(position: Position, solution: Solution) -> list[Position]:
    return list(accumulate(solution.moves, lambda here, move: here.after(move), initial=position))


@pytest.mark.parametrize(("left", "right"), WEAKER)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_winnable_under_stricter_rules_means_winnable_under_looser_ones(left: str, right: str, seed: int) -> None:
    if is_winnable(deal(seed, RULE_SETS[left])):
        assert is_winnable(deal(seed, RULE_SETS[right]))


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_distance_falls_by_exactly_one_along_a_solution(seed: int) -> None:
    position = deal(seed, RULE_SETS["relaxed"])
    solution = solve(position)
    for left, here in enumerate(reversed(path(position, solution))):
        if solution.status is Status.SOLVED:
            assert solve(here).length == left


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), moves=st.randoms(use_true_random=False))
def test_no_move_brings_the_win_nearer_by_more_than_one(seed: int, moves: Random) -> None:
    position = deal(seed, RULE_SETS["relaxed"])
    game = [position]
    while position.legal_moves and len(game) < 25:
        position = position.after(moves.choice(position.legal_moves))
        game.append(position)
    lengths = [solution.length for solution in distances(game)]
    assert lengths == [solve(here).length for here in game]
    for before, after in pairwise(lengths):
        assert after is None or (before is not None and after >= before - 1)


def test_a_position_that_is_won_needs_no_moves() -> None:
    position = deal(1, RULE_SETS["relaxed"])
    won = path(position, solve(position))[-1]
    assert not won.is_won or solve(won) == Solution(Status.SOLVED)


@pytest.mark.parametrize("slug", ["relaxed", "two-pyramids"])
def test_beyond_the_node_limit_the_answer_is_unknown(slug: str) -> None:
    positions = [deal(seed, RULE_SETS[slug]) for seed in range(20)]
    solutions = [solve(position, node_limit=50) for position in positions]
    assert Status.UNKNOWN in {solution.status for solution in solutions}
    for position, solution in zip(positions, solutions, strict=True):
        assert solution.status is Status.UNKNOWN or solution.length == solve(position).length
        assert solution.length is None or path(position, solution)[-1].is_won


def test_mallory_cannot_have_unseen_cards_guessed() -> None:
    position = deal(3, RULE_SETS["standard"]).seen_by(set())
    with pytest.raises(NotationError, match="without unseen cards"):
        solve(position)


def test_threads_get_the_answers_that_one_thread_gets() -> None:
    positions = [deal(seed, RULE_SETS["relaxed"]) for seed in range(16)]
    alone = [solve(position) for position in positions]
    together: dict[int, Solution] = {}

    def work(number: int) -> None:
        together[number] = solve(positions[number])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(positions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[number] for number in range(len(positions))] == alone


def test_what_is_known_is_not_looked_for_again_but_further_if_it_was_left_open() -> None:
    known, position = KnownPositions(1), deal(1, RULE_SETS["relaxed"])
    first = known.solve(position, 10)
    assert first.status is Status.UNKNOWN
    assert known.solve(position, 10) is first
    decided = known.solve(position, 1_000_000)
    assert decided.status is not Status.UNKNOWN
    assert known.solve(position, 10) is decided
    known.solve(deal(2, RULE_SETS["relaxed"]), 10)  # there is room for one
    assert known.solve(position, 10) is not decided


@pytest.mark.parametrize("slug", ["two-pyramids", "up-and-down", "double-pyramid", "cheops", "cell"])
def test_a_win_is_found_where_many_positions_look_alike(slug: str) -> None:
    start = deal(3, RULE_SETS[slug])
    solution = find_win(start)
    assert path(start, solution)[-1].is_won
    assert solution.nodes < 20_000
