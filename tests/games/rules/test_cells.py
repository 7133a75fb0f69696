"""Cells: what may be parked, what a parked card may do, and when it still has to go."""

from __future__ import annotations

from games.rules import Goal, Peak, Position, RuleSet
from tests.games.rules.drawn import after, legal, outcome, refusal

CELL = RuleSet("cell", tableau=(Peak(2),), cells=1, stock_open=True)
TWO_CELLS = RuleSet("two-cells", tableau=(Peak(2),), cells=2, reserve=(1, 2))
ALL = RuleSet("all", tableau=(Peak(2),), cells=1, goal=Goal.ALL)


def test_exposed_tableau_cards_and_waste_tops_may_be_parked_but_not_the_stock_or_the_reserve() -> None:
    assert legal("Kh/2c3d 7s5s|9h 0 c:--", CELL) == "D P2c P3d P5s"
    assert (
        refusal("Kh/2c3d 5s|9h 0 c:--", CELL, "P9h") == "P9h: only a tableau card or the top of the waste can be parked"
    )
    assert legal("Kh/2c3d 5s|9h 0 r:6c8d c:----", TWO_CELLS) == "5s8d D P2c P3d P5s"


def test_a_covered_card_is_not_parked() -> None:
    assert refusal("Kh/2c3d |9h 0 c:--", CELL, "PKh") == "PKh: Kh is covered by 2c and 3d"
    assert refusal("Kh/2c3d 7s5s|9h 0 c:--", CELL, "P7s") == "P7s: 7s lies under 5s"


def test_a_full_cell_takes_no_other_card() -> None:
    assert legal("Kh/2c-- 7s5s|9h 0 c:3d", CELL) == "D"
    assert refusal("Kh/2c-- 7s5s|9h 0 c:3d", CELL, "P2c") == "P2c: no cell is free"


def test_a_game_without_cells_parks_nothing() -> None:
    plain = RuleSet("plain", tableau=(Peak(2),))
    assert refusal("Kh/2c3d |9h 0", plain, "P2c") == "P2c: this game has no cells"


def test_a_parked_card_leaves_only_by_removal() -> None:
    assert legal("Kh/--3d 5s|9h 0 c:Jc", CELL) == "D"
    assert legal("Kh/--2d 5s|9h 0 c:Jc", CELL) == "2dJc D"
    assert after("Kh/--2d 5s|9h 0 c:Jc", CELL, "2dJc") == "Kh/---- 5s|9h 0 c:--"
    assert refusal("Kh/--3d 5s| 0 r: c:Jc--", TWO_CELLS, "PJc") == (
        "PJc: only a tableau card or the top of the waste can be parked"
    )


def test_a_parked_card_uncovers_what_it_lay_on() -> None:
    text = after("4h/--9d 5s|2h 0 c:--", CELL, "P9d")
    assert text == "4h/---- 5s|2h 0 c:9d"
    assert legal(text, CELL) == "4h9d D"


def test_parked_cards_pair_with_each_other_and_a_parked_king_leaves_alone() -> None:
    assert legal("4h/---- |2h 0 r: c:5d8c", TWO_CELLS) == "5d8c D"
    assert legal("4h/---- |2h 0 r: c:Kd--", TWO_CELLS) == "D Kd P4h"


def test_a_parked_card_of_the_tableau_still_has_to_leave_one_of_the_waste_does_not() -> None:
    assert outcome("--/---- 5s|9h 0 c:Kd", CELL) is None
    assert legal("--/---- 5s|9h 0 c:Kd", CELL) == "D Kd"
    assert outcome("--/---- 5s|9h 0 c:Kdw", CELL) == "won"
    assert Position.from_text("Kh/2c-- 5s|9h 0 c:Kd", CELL).cards_left == 3
    assert Position.from_text("Kh/2c-- 5s|9h 0 c:Kdw", CELL).cards_left == 2


def test_a_card_parked_from_the_waste_is_marked_w() -> None:
    assert after("Kh/2c3d 7s5s|9h 0 c:--", CELL, "P5s") == "Kh/2c3d 7s|9h 0 c:5sw"
    assert after("Kh/2c3d 7s5s|9h 0 c:--", CELL, "P2c") == "Kh/--3d 7s5s|9h 0 c:2c"


def test_where_every_card_is_the_goal_a_parked_card_has_no_mark_and_has_to_leave() -> None:
    text = after("--/---- Kd| 0 c:--", ALL, "PKd")
    assert text == "--/---- | 0 c:Kd"
    assert outcome(text, ALL) is None
    assert outcome(after(text, ALL, "Kd"), ALL) == "won"


def test_cells_are_written_in_the_order_of_their_texts_whichever_was_parked_first() -> None:
    one = after("Kh/2c3d | 0 r: c:----", TWO_CELLS, "P3d", "P2c")
    other = after("Kh/2c3d | 0 r: c:----", TWO_CELLS, "P2c", "P3d")
    assert one == other == "Kh/---- | 0 r: c:2c3d"


def test_a_removal_that_only_a_park_brings_up_keeps_a_game_from_being_stuck() -> None:
    assert outcome("Kh/2c-- |9h 0 c:--", CELL) is None
    assert outcome("5h/2c-- |9h 0 c:3s", CELL) == "stuck"


def test_an_unseen_card_has_no_name_and_so_no_park() -> None:
    assert legal("Kh/2c3d ??|?? 0 c:--", CELL) == "D P2c P3d"
    assert legal("Kh/??3d 5s|?? 0 c:--", CELL) == "D P3d P5s"
