"""The tables of docs/rules.md are those of the code, field by field."""

from __future__ import annotations

import re
from dataclasses import fields
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from games.rules import RULE_SETS, Goal, Match, Peak, RuleSet

PAGE = (Path(__file__).parents[3] / "docs" / "rules.md").read_text(encoding="ascii")
RANKS = "A23456789TJQK"


def table(first_column: str) -> list[dict[str, str]]:
    """The rows of the table whose heading starts with this column."""
    (found,) = re.findall(rf"^(\| {first_column} \|.*?)\n\n", PAGE, re.DOTALL | re.MULTILINE)
    heading, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in found.splitlines()]
    return [dict(zip(heading, row, strict=True)) for row in rows]


def peak(text: str) -> Peak:
    return Peak(int(text.removeprefix("inverted ")), inverted=text.startswith("inverted"))


READ: dict[str, Any] = {
    "tableau": lambda text: tuple(map(peak, text.split(", "))),
    "decks": int,
    "match": Match.__getitem__,
    "overlap": {"yes": True}.__getitem__,
    "reserve": lambda text: tuple(map(int, text.split("x"))),
    "cells": int,
    "draw": int,
    "wastes": int,
    "stock_open": {"yes": True}.__getitem__,
    "stock_seen": {"yes": True}.__getitem__,
    "passes": lambda text: None if text == "unlimited" else int(text),
    "goal": Goal.__getitem__,
    "face_down": {"yes": True}.__getitem__,
}
NAMED = {row["slug"].strip("`"): row for row in table("slug")}


def test_the_table_lists_the_named_rule_sets_in_their_order() -> None:
    assert list(NAMED) == list(RULE_SETS)


@pytest.mark.parametrize("slug", RULE_SETS)
def test_a_row_has_the_fields_of_its_rule_set(slug: str) -> None:
    row = {name: read(NAMED[slug][name]) for name, read in READ.items() if NAMED[slug][name]}
    assert RuleSet(**row) == RULE_SETS[slug]


@pytest.mark.parametrize("slug", RULE_SETS)
def test_a_row_has_the_aliases_of_its_rule_set(slug: str) -> None:
    assert re.findall("`(.*?)`", NAMED[slug]["also called"]) == RULE_SETS.aliases(slug)


def test_every_field_is_explained() -> None:
    names = [field.name for field in fields(RuleSet) if field.compare]
    assert [row["field"].strip("`") for row in table("field")] == names
    assert list(READ) == names


def test_the_defaults_are_those_of_the_code() -> None:
    words = {"no": False, "none": (0, 0), "one upright peak of 7 rows": (Peak(7),)}
    for row in table("field"):
        name, shown = row["field"].strip("`"), row["default"].strip("`")
        default = words[shown] if shown in words else READ[name](shown)
        assert default == getattr(RuleSet(), name), name


@pytest.mark.parametrize("row", table("match"), ids=lambda row: row["match"].strip("`"))
def test_the_matches_are_those_of_the_code(row: dict[str, str]) -> None:
    match = Match[row["match"].strip("`")]
    pairs = [
        f"{RANKS[one - 1]}-{RANKS[other - 1]}"
        for one, other in combinations_with_replacement(range(1, 14), 2)
        if match.accepts(one, other)
    ]
    assert [rank for rank in RANKS if match.accepts_alone(RANKS.index(rank) + 1)] == row["alone"].split()
    if match is Match.ADJACENT:
        assert len(pairs) == 13 + 12
    else:
        assert pairs == row["pairs"].split()
