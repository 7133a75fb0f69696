"""The files of docs/vectors/ are current, and the verifiers accept what is right in them and refuse what is wrong.

The scripts of the pages do the same in tests/games/site/scripts/vectors.test.mjs.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import pytest

from games.rules import RULE_SETS, DamagedLog, Deck, NotationError, Position, Suits
from games.rules.sealed_log import unseal
from games.tlog import merkle
from tests.processes import PROJECT
from tests.vectors.files import FOLDER, read, texts
from tests.vectors.ratings import DIGITS

sys.path.insert(0, str(PROJECT / "docs/examples"))
import verify_daily

Vector = dict[str, Any]


def test_the_files_are_what_the_command_writes() -> None:
    made = texts()
    assert {path.name for path in FOLDER.iterdir()} == set(made)
    for name, text in made.items():
        assert (FOLDER / name).read_text() == text, "run: make vectors"


def are_right_leaves(vector: Vector) -> bool:
    leaves = vector["leaves"]
    commitments = verify_daily.commitments_in(leaves)
    return not [*verify_daily.wrong_in_leaves(leaves), *verify_daily.left_out(commitments, vector["over"])]


def is_right_deal(vector: Vector) -> bool:
    return not [*verify_daily.wrong_in_deal(vector, vector, {})]


def is_right_round(vector: Vector) -> bool:
    """Check the commitment and the round in the log, and the deal of the day with what it shows of the round."""
    leaves, over = vector["leaves"], vector["daily"]["day"]
    chain = verify_daily.commitments_in(leaves)
    if not chain:
        return False
    wrong = [*verify_daily.wrong_in_leaves(leaves), *verify_daily.wrong_in_rounds(leaves, over)]
    return not [*wrong, *verify_daily.wrong_in_deal(chain[0], vector["daily"], verify_daily.rounds_in(leaves))]


def is_right_grade(vector: Vector) -> bool:
    if vector["rules"] not in verify_daily.EXACT:
        return True  # the file says that it does not grade these; the browser does
    deck = [vector["deck"][at : at + 2] for at in range(0, len(vector["deck"]), 2)]
    return bool(verify_daily.grade_of(deck, vector["rules"]) == vector["grade"])


def is_right_path(vector: Vector) -> bool:
    path = [bytes.fromhex(step) for step in vector["path"]]
    root = verify_daily.tree_root(vector["leaf"].encode("ascii"), vector["index"], vector["count"], path)
    return root is not None and root.hex() == vector["root"]


def is_right_proof(vector: Vector) -> bool:
    proof = verify_daily.LogProof.from_text(vector["proof"])
    keys = [verify_daily.Key.from_text(text) for text in vector["keys"]]
    wrong = [*verify_daily.wrong_in_log_proof(proof, keys, vector["witnesses"])]
    if proof.inner:
        wrong += verify_daily.wrong_in_inner(proof)
    with suppress(verify_daily.CannotVerify):
        record = verify_daily.read_record(vector["record"]) if vector["record"] else None
        return not [*wrong, *(verify_daily.wrong_in_line(proof.inner[0], record) if record else [])]
    return False


def is_right_in_suits(vector: Vector) -> bool:
    try:
        suits = Suits(vector["suits"])
    except NotationError:
        return False
    back = verify_daily.own_suits(vector["game"], vector["suits"])
    return bool(suits.of_deck(Deck.from_text(vector["deal"])).text == vector["game"] and back == vector["deal"])


def is_right_log(vector: Vector) -> bool:
    try:
        log = unseal(bytes.fromhex(vector["bytes"]))
    except DamagedLog:
        return False
    return bool([[row.action, row.at_ms, row.client_ms] for row in log] == vector["log"])


def is_right_rating(vector: Vector) -> bool:
    computed = after_race(vector["before"], vector["places"])
    return all(
        math.isclose(ours, theirs, abs_tol=2 * 10**-DIGITS)
        for one, other in zip(computed, vector["after"], strict=True)
        for ours, theirs in zip(one, other, strict=True)
    )


def after_race(before: Sequence[Sequence[float]], places: Sequence[int]) -> list[tuple[float, float]]:
    """Return means and deviations after a race, by the formula of docs/test-vectors.md."""
    wide = [(mean, deviation**2 + 5**2, place) for (mean, deviation), place in zip(before, places, strict=True)]
    after = []
    for number, (mean, variance, place) in enumerate(wide):
        up = down = 0.0
        for other_mean, other_variance, other_place in wide[:number] + wide[number + 1 :]:
            width = math.sqrt(variance + other_variance + 2 * 250**2)
            expected = 1 / (1 + math.exp((other_mean - mean) / width))
            score = 0.5 if place == other_place else float(place < other_place)
            up += (score - expected) / width
            down += (math.sqrt(variance) / width) ** 3 * expected * (1 - expected)
        others = len(wide) - 1
        after.append((mean + variance * up / others, math.sqrt(variance * max(1 - down / others, 0.0001))))
    return after


def is_accepted(is_right: Callable[[Vector], bool], vector: Vector) -> bool:
    """Return False also for what cannot even be read: the verifier then says that nothing was checked."""
    with suppress(AttributeError, KeyError, TypeError, ValueError):
        return is_right(vector)
    return False


CHECKS: dict[str, Callable[[Vector], bool]] = {
    "deals": is_right_deal,
    "grades": is_right_grade,
    "leaves": are_right_leaves,
    "log": is_right_proof,
    "ratings": is_right_rating,
    "rounds": is_right_round,
    "sealed-logs": is_right_log,
    "suits": is_right_in_suits,
    "tree": is_right_path,
}


@pytest.mark.parametrize("name", CHECKS)
def test_what_is_right_is_accepted_and_everything_else_refused(name: str) -> None:
    vectors, is_right = verify_daily.parsed((FOLDER / f"{name}.json").read_text("ascii")), CHECKS[name]
    assert [each for each in vectors["valid"] if not is_right(each)] == []
    assert [each["name"] for each in vectors["refused"] if is_accepted(is_right, each)] == []
    assert len(vectors["refused"]) >= 5


def test_every_set_has_its_check() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CHECKS)


def test_leaves_have_the_roots_of_the_file() -> None:
    for each in read("tree")["roots"]:
        assert (
            merkle.root(merkle.tiles(leaf.encode() for leaf in each["leaves"]), len(each["leaves"])).hex()
            == each["root"]
        )


def test_the_one_file_verifier_knows_every_rule_set_with_its_cards() -> None:
    known = {}
    for slug, rules in RULE_SETS.items():
        start = Position.deal(Deck.from_text(cards_of(rules.decks)), rules)
        known[slug] = (rules.deck_size, start.cards_left)
    assert known == verify_daily.SIZES


def cards_of(decks: int) -> str:
    one = "".join(verify_daily.CARDS)
    return one + "".join(card[0] + card[1].upper() for card in verify_daily.CARDS) if decks == 2 else one


@pytest.mark.parametrize(("index", "count"), [(0, 0), (0, -7), (-1, 4), (4, 4), (0, math.inf)])
def test_a_place_outside_of_its_tree_has_no_root_and_is_no_endless_loop(index: int, count: Any) -> None:
    assert verify_daily.tree_root(b"a leaf", index, count, [bytes(32)]) is None
