"""Covering cards: upright and inverted peaks, covered pairs, cards face down."""

from __future__ import annotations

from math import comb

import pytest

from games.rules import RULE_SETS, Peak, Position, RuleSet
from games.rules.tableau import Shape, shape_families
from tests.games.rules.drawn import after, legal, refusal
from tests.games.rules.strategies import shuffled

UPRIGHT = RuleSet("upright", tableau=(Peak(3),))
INVERTED = RuleSet("inverted", tableau=(Peak(3, inverted=True),))
OVERLAP = RuleSet("overlap", tableau=(Peak(3),), overlap=True)
INVERTED_OVERLAP = RuleSet("inverted-overlap", tableau=(Peak(3, inverted=True),), overlap=True)
FACE_DOWN = RuleSet("face-down", tableau=(Peak(3),), face_down=True)


def all_shapes(peak: Peak) -> set[Shape]:
    """Every shape that taking uncovered cards one by one can lead to."""
    (family,) = shape_families((peak,))
    met, waiting = {family.full}, [family.full]
    while waiting:
        shape = waiting.pop()
        for place in shape.exposed:
            smaller = shape.without(1 << place)
            if smaller not in met:
                met.add(smaller)
                waiting.append(smaller)
    return met


def catalan(n: int) -> int:
    return comb(2 * n, n) // (n + 1)


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("rows", range(1, 9))
def test_an_upright_peak_of_n_rows_has_catalan_n_plus_1_shapes(rows: int, inverted: bool) -> None:
    shapes = all_shapes(Peak(rows, inverted))
    assert inverted or len(shapes) == catalan(rows + 1)
    assert all(shape.family.is_reachable(shape.occupied) for shape in shapes)


def test_a_peak_of_seven_rows_has_1430_shapes() -> None:
    assert len(all_shapes(Peak(7))) == 1430


def test_exactly_the_reachable_shapes_are_called_reachable() -> None:
    (family,) = shape_families((Peak(4),))
    reachable = {shape.occupied for shape in all_shapes(Peak(4))}
    assert {occupied for occupied in range(2**10) if family.is_reachable(occupied)} == reachable


def test_an_upright_card_is_covered_by_two_cards_of_the_next_row() -> None:
    assert Peak(3).covers() == ((1, 2), (3, 4), (4, 5), (), (), ())


def test_an_inverted_card_is_covered_by_two_cards_at_the_edge_by_one() -> None:
    assert Peak(3, inverted=True).covers() == ((3,), (3, 4), (4,), (5,), (5,), ())


def test_at_the_start_only_the_tip_of_an_inverted_peak_is_exposed() -> None:
    position = Position.deal(shuffled(3), RULE_SETS["triangle"])
    assert position.exposed[:1] == [position.layout.cards[27]]
    assert len(position.exposed) == 2  # the tip and the open stock


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("Ks/5d8c/4s9h2c |Jd 0", "4s9h D"),
        ("Ks/5d8c/4s9hKc Jd| 0", "4s9h Kc"),
        ("Ks/5d8c/----2c Jd| 0", "2cJd"),
        ("Ks/5d8c/------ Jd| 0", "5d8c"),
        ("Ks/--8c/----2c Jd| 0", "2cJd"),
        ("Ks/----/------ Jd| 0", "Ks"),
    ],
)
def test_an_upright_card_is_exposed_once_both_covers_have_left(text: str, moves: str) -> None:
    assert legal(text, UPRIGHT) == moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("4s9h2c/5d8c/Ks | 0", "Ks"),
        ("4s9h2c/5d8c/-- | 0", "5d8c"),
        ("4s9h2c/--8c/-- 5d| 0", "5d8c"),
        ("4s9hJc/--8c/-- 9d2d| 0", ""),
        ("4s9hJc/5d--/-- 9d2d| 0", "2dJc"),
        ("4s9hJc/----/-- 9d2d| 0", "2dJc 4s9h"),
    ],
)
def test_an_inverted_edge_card_is_exposed_once_its_one_cover_has_left(text: str, moves: str) -> None:
    assert legal(text, INVERTED) == moves


def test_a_card_with_its_only_remaining_cover_is_a_covered_pair() -> None:
    text = "Ks/5d8c/--5h2c |Jd 0"
    assert legal(text, UPRIGHT) == "D"
    assert legal(text, OVERLAP) == "D"  # 8c still has two covers
    assert legal("Ks/5d8c/--8h-- |Jd 0", UPRIGHT) == "D"
    assert legal("Ks/5d8c/--8h-- |Jd 0", OVERLAP) == "5d8h D"
    assert after("Ks/5d8c/--8h-- |Jd 0", OVERLAP, "5d8h") == "Ks/--8c/------ |Jd 0"


def test_the_cover_in_a_covered_pair_has_to_be_exposed() -> None:
    assert legal("8s/5d--/4s---- |Jd 0", OVERLAP) == "D"
    assert legal("8s/5d--/------ |Jd 0", OVERLAP) == "5d8s D"


def test_the_apex_may_leave_with_the_last_card_under_it() -> None:
    assert after("8s/5d--/------ |Jd 0", OVERLAP, "5d8s") == "--/----/------ |Jd 0"


def test_a_covered_king_never_leaves_with_its_cover() -> None:
    assert legal("Ks/5d--/------ |Jd 0", OVERLAP) == "D"


def test_an_edge_card_of_an_inverted_peak_is_a_covered_pair_with_its_one_cover() -> None:
    assert legal("4s9hJc/5d2d/-- | 0", INVERTED) == ""
    assert legal("4s9hJc/5d2d/-- | 0", INVERTED_OVERLAP) == "2dJc"
    assert legal("4s9hJc/5d8d/4h | 0", INVERTED_OVERLAP) == ""


@pytest.mark.parametrize("talon", ["4d9d|", "9d4d|", "4d|9d"])
def test_a_card_under_the_top_of_the_waste_or_stock_is_never_in_a_covered_pair(talon: str) -> None:
    rules = RuleSet("open-overlap", tableau=(Peak(2),), overlap=True, stock_open=True)
    pairs = [move for move in legal(f"Ks/KdKh {talon} 0", rules).split() if len(move) == 4]
    assert pairs == (["4d9d"] if "|9d" in talon else [])


def test_a_card_under_the_top_of_a_reserve_pile_is_never_in_a_covered_pair() -> None:
    rules = RuleSet("reserve-overlap", tableau=(Peak(2),), overlap=True, reserve=(2, 2))
    assert legal("2s/2d2h | 0 r:4d9d,3d3h", rules) == ""


def test_a_face_down_card_shows_itself_when_its_last_cover_leaves() -> None:
    position = Position.from_text("Ks/5d8c/--9h2c 4d| 0", FACE_DOWN)
    assert {card.text for card in position.in_sight} == {"9h", "2c", "4d"}
    position = Position.from_text(after(position.text, FACE_DOWN, "4d9h"), FACE_DOWN)
    assert {card.text for card in position.in_sight} == {"5d", "2c"}


def test_a_face_down_card_is_refused_without_a_word_about_it() -> None:
    text = "Ks/5d8c/4s9h2c |Jd 0"
    assert refusal(text, FACE_DOWN, "5d8c") == "5d8c: 5d is not in sight; 8c is not in sight"
    assert refusal(text, FACE_DOWN, "5d7h") == "5d7h: 5d is not in sight; 7h is not in sight"
    assert refusal(text, UPRIGHT, "5d8c") == "5d8c: 5d is covered by 4s and 9h; 8c is covered by 9h and 2c"


def test_peaks_lie_side_by_side_and_cover_nothing_of_each_other() -> None:
    rules = RuleSet("two-peaks", tableau=(Peak(2), Peak(2, inverted=True)))
    assert legal("Ks/5d8c+2s9h/4c | 0", rules) == "5d8c"
    assert after("Ks/5d8c+2s9h/4c | 0", rules, "5d8c", "Ks") == "--/----+2s9h/4c | 0"
    assert legal("--/----+4s9h/-- | 0", rules) == "4s9h"
