from __future__ import annotations

import re

from hypothesis import given

from games.rules import RULE_SETS, Peak, Play, Position, RuleSet
from games.rules.drawing import draw
from tests.games.rules.strategies import named_rule_sets, plays, positions

CARD = re.compile(r"[A2-9TJQK][cdhsCDHS]")
TOUCHABLE = re.compile(r"\[(..)\]")


def drawn(text: str, rules: str) -> list[str]:
    return draw(Position.from_text(text, RULE_SETS[rules])).splitlines()


def test_a_pyramid_is_drawn_as_a_pyramid() -> None:
    text = "Th/2h4d/3hQd8h/9h5dJcTd/7c4cTsAc9c/8d5s2s7h6s7s/2c----3d5c5h-- 9dQs|??AdKd *"
    assert drawn(text, "standard") == [
        "             Th",
        "           2h  4d",
        "         3h  Qd  8h",
        "       9h  5d  Jc  Td",
        "     7c  4c  Ts  Ac  9c",
        "   8d [5s] 2s  7h  6s  7s",
        "[2c] ..  .. [3d][5c][5h] ..",
        "",
        "waste      9d [Qs]",
        "stock      ?? Ad Kd",
        "recycles   no limit",
    ]


def test_peaks_stand_side_by_side_and_each_pile_has_a_line() -> None:
    rules = RuleSet("small", tableau=(Peak(2), Peak(3, inverted=True)), draw=2, wastes=2, reserve=(2, 2), cells=2)
    text = "Ac/--2d+3c4c5c/6c--/-- 7c,8c|??????9h 0 r:2c2h,Kd c:Qs--"
    assert draw(Position.from_text(text, rules)).splitlines() == [
        "   Ac      3c  4c [5c]",
        " .. [2d]    [6c] ..",
        "               ..",
        "",
        "waste 1    [7c]",
        "waste 2    [8c]",
        "stock      ??x3 9h",
        "recycles   0",
        "reserve 1  2c [2h]",
        "reserve 2  [Kd]",
        "cells      [Qs] ..",
    ]


def test_a_long_pile_goes_on_below() -> None:
    stock = "".join(f"{rank}{suit}" for suit in "cdhs" for rank in "A23456")
    lines = drawn(f"{'/'.join('--' * row for row in range(1, 8))} |{stock} *", "standard")
    assert lines[-3:-1] == [
        "stock      Ac 2c 3c 4c 5c 6c Ad 2d 3d 4d 5d 6d Ah 2h 3h 4h 5h 6h As 2s 3s 4s 5s",
        "           6s",
    ]


@given(positions())
def test_every_card_is_drawn_once(position: Position) -> None:
    assert sorted(CARD.findall(draw(position))) == sorted(CARD.findall(position.text))


@given(positions())
def test_exactly_the_exposed_cards_are_marked(position: Position) -> None:
    assert sorted(TOUCHABLE.findall(draw(position))) == sorted(card.text for card in position.exposed)


@given(plays())
def test_a_drawn_view_names_no_card_that_was_never_seen(play: Play) -> None:
    assert set(CARD.findall(draw(play.view))) <= {card.text for card in play.seen}


@given(positions(named_rule_sets))
def test_a_drawing_fits_into_eighty_columns(position: Position) -> None:
    assert max(len(line) for line in draw(position).splitlines()) <= 80
