from __future__ import annotations

from collections import Counter

from games.puzzles.clearing import pyramid_cards, removals, without
from games.puzzles.library import find_puzzle, puzzle_ids
from games.puzzles.packing import RULES
from games.puzzles.themes import Theme, buried_card
from games.rules import Card, Position


def position(*rows: str, stock: str) -> Position:
    return Position.from_text(f"{'/'.join(rows)} |{stock} *", RULES)


def test_a_card_is_buried_if_its_only_partners_lie_below_or_above_it() -> None:
    below = position("5c", "----", "------", *("-" * size for size in (8, 10, 12, 14)), stock="8c8d")
    assert buried_card(below) is None
    held = position("5c", "8c9d", "------", *("-" * size for size in (8, 10, 12, 14)), stock="4cAs")
    assert buried_card(held) == (Card.from_text("5c"), [Card.from_text("8c")])
    beside = position("Kc", "8c5d", "------", *("-" * size for size in (8, 10, 12, 14)), stock="4cAs")
    assert buried_card(beside) is None


def test_every_theme_has_puzzles() -> None:
    themes = Counter(theme for puzzle_id in puzzle_ids()[:300] for theme in find_puzzle(puzzle_id).themes)
    assert set(themes) == set(Theme)


def test_the_themes_follow_from_the_removals() -> None:
    for puzzle_id in puzzle_ids()[:60]:
        puzzle = find_puzzle(puzzle_id)
        right, cards = puzzle.packed.win[0], pyramid_cards(puzzle.position, puzzle.packed.win[0])
        others = [move for move in removals(puzzle.position) if pyramid_cards(puzzle.position, move) != cards]
        assert len(others) == puzzle.choices - 1
        assert (Theme.KING in puzzle.themes) == (right.text[0] == "K")
        assert (Theme.SERIES in puzzle.themes) == (puzzle.decisions > 1)
        assert (Theme.BURIED in puzzle.themes) == any(buried_card(without(puzzle.position, move)) for move in others)
        if Theme.PAIR in puzzle.themes:
            assert len(cards) == 2
