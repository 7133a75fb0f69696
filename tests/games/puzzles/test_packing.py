from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.puzzles.packing import MOST_BYTES, BadPuzzle, Packed, in_order
from games.rules import Card


def test_a_puzzle_is_read_as_it_was_written(puzzles: list[Packed]) -> None:
    for puzzle in puzzles:
        read = Packed.from_text(puzzle.text)
        assert read.text == puzzle.text
        assert read.decisions == puzzle.decisions
        assert [card and card.rank for card in read.position.tableau] == [
            card and card.rank for card in puzzle.position.tableau
        ]
        assert [card.rank for card in read.position.stock] == [card.rank for card in puzzle.position.stock]


def test_its_win_is_a_line_of_legal_moves_that_clears_the_pyramid(puzzles: list[Packed]) -> None:
    for puzzle in puzzles:
        read = Packed.from_text(puzzle.text)
        position = read.position
        for move in read.line:
            assert not position.is_won, puzzle.text
            position = position.after(move)
        assert position.is_won, puzzle.text


def test_a_puzzle_takes_at_most_60_bytes(puzzles: list[Packed]) -> None:
    assert max(len(puzzle.text) for puzzle in puzzles) * 6 / 8 <= MOST_BYTES


def test_the_id_of_a_puzzle_does_not_depend_on_its_suits(puzzles: list[Packed]) -> None:
    def reversed_suits(ranks: Sequence[int]) -> list[Card]:
        return list(reversed(in_order(list(reversed(ranks)))))

    puzzle = puzzles[0]
    other = Packed.from_text(puzzle.text, reversed_suits)
    assert other.position != Packed.from_text(puzzle.text).position
    assert other.id == puzzle.id
    assert other.text == puzzle.text


def test_different_positions_have_different_ids(puzzles: list[Packed]) -> None:
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)


@pytest.mark.parametrize("text", ["", "A", "é", "0" * 1000, "____", "AAAA", "not a puzzle"])
def test_what_is_not_a_puzzle_is_refused(text: str) -> None:
    with pytest.raises(BadPuzzle):
        Packed.from_text(text)
