from __future__ import annotations

import pytest

from games.puzzles.clearing import pyramid_cards, removal_of, removals
from games.puzzles.library import FILE, find_puzzle, puzzle_ids
from games.puzzles.packing import MOST_BYTES
from games.puzzles.refusals import NotARemoval, UnknownPuzzle
from games.puzzles.seeding import seed_of
from games.rules import Move, Position
from games.solver.verdict import verdict

IDS = puzzle_ids()
SAMPLE = IDS[:: max(1, len(IDS) // 100)]


def test_the_server_comes_with_some_thousands_of_puzzles_that_all_differ() -> None:
    lines = FILE.read_text().splitlines()
    assert len(set(IDS)) == len(lines)
    assert max(len(line.split()[1]) for line in lines) * 6 / 8 <= MOST_BYTES
    assert FILE.stat().st_size < 600_000


def test_each_begins_with_the_rating_that_its_simulated_player_gives_it() -> None:
    for puzzle_id in SAMPLE[:20]:
        assert find_puzzle(puzzle_id).seed == seed_of(find_puzzle(puzzle_id).packed)


@pytest.mark.parametrize("puzzle_id", SAMPLE)
def test_each_has_one_removal_that_keeps_the_win_and_a_line_that_wins(puzzle_id: str) -> None:
    puzzle = find_puzzle(puzzle_id)
    position = puzzle.position
    assert puzzle.packed.id == puzzle_id
    for count in range(puzzle.decisions):
        before = puzzle.position_after(count)
        for move in removals(before):
            later = _after(before, move)
            assert verdict(later) == puzzle.is_right(move, count)
    for move in puzzle.line:
        position = position.after(move)
    assert position.is_won


def _after(position: Position, move: Move) -> Position:
    while not position.allows(move):
        position = position.after(next(one for one in position.legal_moves if not one.cards))
    return position.after(move)


def test_everyone_sees_a_puzzle_in_the_same_cards() -> None:
    first = find_puzzle(IDS[0]).position.text
    find_puzzle.cache_clear()
    assert find_puzzle(IDS[0]).position.text == first


def test_another_partner_of_the_stock_is_as_right() -> None:
    for puzzle_id in IDS[:100]:
        puzzle = find_puzzle(puzzle_id)
        cards = pyramid_cards(puzzle.position, puzzle.packed.win[0])
        for partner in puzzle.position.stock:
            card = next(iter(cards))
            if len(cards) == 1 and card.rank + partner.rank == 13:
                move = removal_of(puzzle.position, card.text + partner.text)
                assert puzzle.is_right(move, 0)


@pytest.mark.parametrize("text", ["", "D", "R", "Kc", "4s9h4d", "zz", "U", "AcAd", "P4s", "x" * 1000])
def test_what_cannot_leave_is_refused(text: str) -> None:
    position = find_puzzle(IDS[0]).position
    possible = {move.text for move in removals(position)}
    if text not in possible:
        with pytest.raises(NotARemoval, match=r"^\S"):  # the message begins with the removal
            removal_of(position, text)


def test_an_unknown_puzzle_is_refused() -> None:
    with pytest.raises(UnknownPuzzle):
        find_puzzle("0123456789")
