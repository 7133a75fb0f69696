"""Rule sets as data: what contradicts itself, what follows from the fields, and how the named ones are found."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from games.rules import RULE_SETS, Goal, InvalidRuleSet, Match, Peak, Position, RulesError, RuleSet, UnknownRuleSet
from tests.games.rules.strategies import NAMED, made_up_rule_sets, rule_sets, seeds, shuffled

NO_STOCK: dict[str, Any] = {"tableau": (Peak(2), Peak(7), Peak(6))}


@pytest.mark.parametrize(
    ("fields", "field", "reason"),
    [
        ({"tableau": ()}, "tableau", "at least one peak"),
        ({"tableau": (Peak(0),)}, "tableau", "a peak has at least one row"),
        ({"tableau": (Peak(7), Peak(-1))}, "tableau", "a peak has at least one row"),
        ({"tableau": (Peak(10),)}, "tableau", "tableau and reserve take 55 cards of 52"),
        ({"reserve": (5, 5)}, "tableau", "tableau and reserve take 53 cards of 52"),
        ({"decks": 2, "tableau": (Peak(14),)}, "tableau", "tableau and reserve take 105 cards of 104"),
        ({"decks": 0}, "decks", "1 or 2"),
        ({"decks": 3}, "decks", "1 or 2"),
        ({"reserve": (3, 0)}, "reserve", "both piles and depth, or neither"),
        ({"reserve": (0, 3)}, "reserve", "both piles and depth, or neither"),
        ({"reserve": (-1, -1)}, "reserve", "both piles and depth, or neither"),
        ({"cells": -1}, "cells", "0 or more"),
        ({"draw": 0}, "draw", "at least 1 card per draw"),
        ({"passes": 0}, "passes", "at least 1, or None for unlimited"),
        ({"stock_open": True, "draw": 3}, "stock_open", "an open stock needs draw 1"),
        ({"wastes": 0}, "wastes", "no waste needs an open stock and 1 pass"),
        ({"wastes": 0, "stock_open": True, "passes": 2}, "wastes", "no waste needs an open stock and 1 pass"),
        ({"wastes": 2}, "wastes", "0 to the number of cards per draw"),
        ({"wastes": 4, "draw": 3}, "wastes", "0 to the number of cards per draw"),
        ({"wastes": -1}, "wastes", "0 to the number of cards per draw"),
        ({"overlap": True, "face_down": True}, "overlap", "covered pairs need covered cards that are face up"),
        (NO_STOCK | {"draw": 3}, "draw", "keeps its default where there is no stock"),
        (NO_STOCK | {"draw": 3, "wastes": 3}, "draw", "keeps its default where there is no stock"),
        (NO_STOCK | {"wastes": 0, "stock_open": True}, "wastes", "keeps its default where there is no stock"),
        (NO_STOCK | {"stock_open": True}, "stock_open", "keeps its default where there is no stock"),
        (NO_STOCK | {"stock_seen": True}, "stock_seen", "keeps its default where there is no stock"),
        (NO_STOCK | {"passes": None}, "passes", "keeps its default where there is no stock"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " not in value else "",
)
def test_fields_that_contradict_each_other_are_refused_by_name(fields: dict[str, Any], field: str, reason: str) -> None:
    with pytest.raises(InvalidRuleSet) as refused:
        RuleSet(**fields)
    assert refused.value.field == field
    assert str(refused.value) == f"{field}: {reason}"


@pytest.mark.parametrize(
    "fields",
    [
        {"reserve": (8, 3)},
        {"decks": 2, "tableau": (Peak(13),)},
        {"wastes": 0, "stock_open": True},
        {"stock_seen": True, "face_down": True},
        {"stock_seen": True, "draw": 3, "passes": None},
        {"wastes": 3, "draw": 3},
        {"wastes": 2, "draw": 3, "passes": None},
        NO_STOCK | {"goal": Goal.ALL, "cells": 3, "face_down": True},
    ],
)
def test_fields_at_the_edge_of_what_is_allowed_are_accepted(fields: dict[str, Any]) -> None:
    assert RuleSet(**fields).stock_size >= 0


@given(rule_sets)
def test_tableau_reserve_and_stock_make_whole_decks(rules: RuleSet) -> None:
    assert rules.tableau_size + rules.reserve_size + rules.stock_size == rules.deck_size == 52 * rules.decks
    assert rules.has_stock == (rules.stock_size > 0)


def test_passes_less_one_are_recycles() -> None:
    assert [RuleSet(passes=passes).recycles for passes in (1, 3, None)] == [0, 2, None]


@given(made_up_rule_sets(), rule_sets)
def test_fingerprints_are_equal_exactly_where_the_fields_are(rules: RuleSet, other: RuleSet) -> None:
    assert (rules.fingerprint == other.fingerprint) == (rules == other) == (rules.fields == other.fields)


def test_two_names_with_equal_fields_are_one_rule_set_with_two_names() -> None:
    relaxed = RULE_SETS["relaxed"]
    renamed = replace(relaxed, slug="my-own", title="My Own")
    assert renamed == relaxed
    assert hash(renamed) == hash(relaxed)
    assert renamed.fingerprint == relaxed.fingerprint


FINGERPRINTS = {
    "standard": "0bc5340807e484ef",
    "covered-pairs": "e7852440165d9348",
    "face-up-stock": "a9c4d0e6ae741464",
    "single-pass": "bebfe5958041e05f",
    "three-piles": "06143b544e5b1631",
    "no-waste": "6c389e034c685d47",
    "classic": "1cc1d96a67398bfb",
    "classic-overlap": "a63495f146f90076",
    "dark-pyramid": "6013b675693c4823",
    "dark-pyramid-redeal": "1113d0b9556cb284",
    "open-pyramid": "5080a4ea234ef08c",
    "relaxed": "4497d55d3c44da1b",
    "par-pyramid": "5030ad1430337e29",
    "king-tut": "05a2b4d8846adc24",
    "tuts-tomb": "42076c2927b84bc1",
    "apophis": "42ef9af71f879e87",
    "giza": "dcb8fb124276a3bf",
    "triangle": "9550fa74708c7384",
    "seven-reserve": "e0c6a63fe81766b4",
    "cell": "3595f0d59f099ad7",
    "pyramid-thirteen": "f16ed4f47bca3fdc",
    "cheops": "49ed67f9a7bacf86",
    "eleven-triangle": "691f020c970acce0",
    "pyramid-dozen": "6c8f4063492eb9f1",
    "pharaohs": "eebcc3e2748817e0",
    "two-pyramids": "cc855224bbe338d4",
    "double-pyramid": "a0fc19a8b6aecab4",
    "up-and-down": "f53778f90f6e09fc",
}


def test_a_fingerprint_changes_only_with_the_rules() -> None:
    assert {slug: rules.fingerprint for slug, rules in RULE_SETS.items()} == FINGERPRINTS


@given(rule_sets)
def test_the_fields_are_plain_json(rules: RuleSet) -> None:
    assert json.loads(json.dumps(rules.fields)) == rules.fields
    assert "slug" not in rules.fields


@given(rule_sets, seeds)
def test_what_is_to_be_removed_is_what_is_left_at_the_start(rules: RuleSet, seed: int) -> None:
    assert Position.deal(shuffled(seed, rules.decks), rules).cards_left == rules.cards_to_remove


def test_there_are_28_named_rule_sets_all_different() -> None:
    assert len(RULE_SETS) == 28
    assert len(set(NAMED)) == len({rules.fingerprint for rules in NAMED}) == 28
    assert all(RULE_SETS[slug].slug == slug for slug in RULE_SETS)


@pytest.mark.parametrize("rules", NAMED, ids=lambda rules: rules.slug)
def test_a_rule_set_is_found_by_its_slug_and_its_title_in_any_spelling(rules: RuleSet) -> None:
    for name in (
        rules.slug,
        rules.slug.upper(),
        rules.title,
        f"  {rules.title.lower()}\n",
        rules.slug.replace("-", " "),
    ):
        assert RULE_SETS[name] is rules
        assert name in RULE_SETS


@pytest.mark.parametrize(
    ("alias", "slug"),
    [
        ("msc", "relaxed"),
        ("Microsoft Solitaire Collection", "relaxed"),
        ("PySolFC Pyramid", "par-pyramid"),
        ("pyramid", "par-pyramid"),
    ],
)
def test_an_alias_is_the_same_rule_set(alias: str, slug: str) -> None:
    assert RULE_SETS[alias] is RULE_SETS[slug]
    assert alias in RULE_SETS


def test_aliases_are_known_but_not_listed_as_rule_sets() -> None:
    assert RULE_SETS.aliases("relaxed") == ["microsoft-solitaire-collection", "msc"]
    assert RULE_SETS.aliases("standard") == []
    assert "msc" not in list(RULE_SETS)


@pytest.mark.parametrize("name", ["", "klondike", "standard2", "relaxed\0", "../relaxed"])
def test_an_unknown_rule_set_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(UnknownRuleSet, match="the rule sets are standard, covered-pairs") as refused:
        RULE_SETS[name]
    assert str(refused.value).startswith(f"no rule set is called {name!r}; ")
    assert isinstance(refused.value, RulesError)
    assert name not in RULE_SETS
    assert RULE_SETS.get(name) is None


def test_the_default_fields_are_those_of_a_single_pass() -> None:
    assert RULE_SETS["single-pass"] == RuleSet()
    assert RuleSet().match is Match.THIRTEEN
