"""The scripts of the pages in Node: their tests, and TypeScript's checker over their types."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from games.deals.certify import can_be_won
from games.deals.daily import DailyKey
from games.deals.grading import LIMITS, wins
from games.rules import REDO, RULE_SETS, UNDO, Action, Deck, Play, Position, Record, RuleSet, Suits
from games.rules.cards import RANKS, SUITS
from tests.games.calendar.test_verify_example import FIRST_DAY
from tests.games.rules.perft import FOLDER, read_cases
from tests.games.rules.strategies import shuffled

HERE = Path(__file__).parent
ROOTS = HERE / "scripts" / "roots.mjs"
PROJECT = HERE.parents[2]
TOOLS = PROJECT / "tests" / "tools"
GAMES_OF_EACH, LONGEST = 2, 60
# Seeds of decks that simple players win in some orders of the unseen cards and lose in others.
GRADED = (
    {"standard": 1, "covered-pairs": 0, "relaxed": 1, "single-pass": 15, "king-tut": 1, "tuts-tomb": 0}
    | {"three-piles": 17, "giza": 5, "triangle": 0, "seven-reserve": 31, "par-pyramid": 1}
    | {"open-pyramid": 3, "pyramid-thirteen": 18, "cell": 31, "eleven-triangle": 1}
)
# Can be won only by removing the top of the pyramid with the card that covers it.
WON_AT_THE_TOP = (
    "5d8c2sQd6d4d6h6c8sJh9sAhTdAdAs7h8dQc5c4s6s3h8h9cTcQh2dJd2c7c7sQs9d4cAcKs5sTh2hKh4h3s5h3dJc3c7dTsKcKdJs9h"
)
SHORT_PERFT = 1000  # as many lines of play as JavaScript counts in a blink

NODE, NPM = shutil.which("node"), shutil.which("npm")
# A tool that ends within seconds takes a quarter less processor time without the compiler for what runs for long.
SHORT_RUN = "--no-opt"
needs_node = pytest.mark.skipif(
    not (NODE and NPM), reason="The scripts are tested in Node 20 or newer: apt-get install nodejs npm"
)


def played(rules: RuleSet, seed: int) -> dict[str, Any]:
    """Play at random, with some undos, and return the messages to the player of a live game."""
    chance = random.Random(seed)
    play = Play(Position.deal(shuffled(seed, rules.decks), rules))
    first = play.view.text
    steps: list[dict[str, Any]] = []
    while play.legal_moves and len(steps) < LONGEST:
        action = chosen(play, chance)
        revealed = play.do(action, len(steps) * 1000)
        legal = [move.text for move in play.legal_moves]
        told = {"position": play.view.text, "legal": legal, "moves": play.moves}
        steps.append({"action": action.text, "revealed": [card.text for card in revealed], **told})
    return {"slug": rules.slug, "seed": seed, "first": first, "steps": steps, "record": record_of(play, rules, seed)}


def chosen(play: Play, chance: random.Random) -> Action:
    if chance.random() < 0.2 and (back := back_or_forth(play, chance)):
        return back
    removals = [move for move in play.legal_moves if move.cards]
    return chance.choice(removals if removals and chance.random() < 0.8 else play.legal_moves)


def back_or_forth(play: Play, chance: random.Random) -> Action | None:
    depth, undone = 0, 0
    for action, _ in play.actions:
        depth += {UNDO: -1}.get(action, 1)
        undone = undone + 1 if action is UNDO else undone - 1 if action is REDO else 0
    possible: list[Action] = [*([UNDO] if depth else []), *([REDO] if undone else [])]
    return chance.choice(possible) if possible else None


def record_of(play: Play, rules: RuleSet, seed: int) -> str:
    deck = shuffled(seed, rules.decks)
    record = Record("7f3k", rules, deck, "alice", "2026-03-01T10:00:00Z", tuple(play.actions), play.result)
    return record.seen_by_its_player().text


def short_perft() -> Iterator[dict[str, Any]]:
    for case in (case for path in sorted(FOLDER.glob("*.perft")) for case in read_cases(path)):
        counts = [item for item in case.counts.items() if item[1] < SHORT_PERFT]
        if counts:
            yield {"id": case.name, "slug": case.rules.slug, "pos": case.position.text, "counts": counts}


def claims() -> dict[str, Any]:
    """Return what the server says of some deals and results, which a browser computes again."""
    decided = [(RULE_SETS[slug], shuffled(seed, 1)) for slug in ("standard", "covered-pairs") for seed in range(25)]
    decided.append((RULE_SETS["covered-pairs"], Deck.from_text(WON_AT_THE_TOP)))
    return {
        "limits": {slug: list(limits) for slug, limits in LIMITS.items()},
        "wins": [wins_of(RULE_SETS[slug], shuffled(seed, 1)) for slug, seed in GRADED.items()],
        "decided": [
            {"slug": rules.slug, "deck": deck.text, "winnable": can_be_won(deck, rules)} for rules, deck in decided
        ],
        "dailies": dailies(),
        "suits": [in_other_suits(shuffled(seed, decks), seed) for decks in (1, 2) for seed in range(2)],
    }


def wins_of(rules: RuleSet, deck: Deck) -> dict[str, Any]:
    careless, careful = wins(deck, rules)
    return {"slug": rules.slug, "deck": deck.text, "careless": careless, "careful": careful}


def dailies() -> list[dict[str, Any]]:
    """Return daily deals with what was revealed of them."""
    rule_sets = ["standard", "standard", "two-pyramids", "standard", "relaxed"]
    return [revealed(number, rules) for number, rules in enumerate(rule_sets, start=1)]


def revealed(number: int, rules: str) -> dict[str, Any]:
    key, seed = DailyKey(FIRST_DAY + timedelta(days=number), rules, "open"), sha256(bytes([number])).digest()
    reveal = {"seed": seed.hex(), "candidate": number % 3, "deck": key.deck(seed, number % 3).text}
    names = {"day": str(key.day), "rules": rules, "division": key.division}
    return {**names, "commitment": key.commitment(seed), "reveal": reveal}


def in_other_suits(own: Deck, seed: int) -> dict[str, str]:
    chance = random.Random(seed)
    suits = Suits("".join("".join(chance.sample(SUITS, len(SUITS))) for _ in RANKS))
    return {"own": own.text, "suits": suits.text, "deck": suits.of_deck(own).text}


def write_data(path: Path) -> Path:
    """Write what the scripts are tested with."""
    games = [played(rules, seed) for rules in RULE_SETS.values() for seed in range(GAMES_OF_EACH)]
    rules = {rules.slug: rules.fields for rules in RULE_SETS.values()}
    told = {"rules": rules, "games": games, "perft": list(short_perft()), **claims()}
    path.write_text(json.dumps(told), encoding="ascii")
    return path


@needs_node
def test_the_scripts_pass_their_tests(tmp_path: Path) -> None:
    environment = os.environ | {"SCRIPT_TEST_DATA": str(write_data(tmp_path / "data.json"))}
    files = [f"--import={path}" for path in sorted((HERE / "scripts").glob("*.test.mjs"))]
    # All in one process, which compiles once what they share; with `--test`, each file would have its own.
    command = [str(NODE), f"--import={ROOTS}", *files, "--test-reporter=tap", "--eval", ""]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    failures = [line for line in ended.stdout.splitlines() if "not ok" in line]
    assert ended.returncode == 0, "\n".join([*failures, ended.stdout[-3000:], ended.stderr[-3000:]])


def npm_package(name: str) -> Path:
    """Return the folder of a package that `make setup` installs with npm, or skip the test."""
    folder = TOOLS / "node_modules" / name
    if not folder.exists():
        pytest.skip(f"This test needs {name}: make setup, with npm and access to its registry")
    return folder


@needs_node
def test_the_types_of_the_scripts_fit() -> None:
    checker = [str(NODE), str(npm_package("tsc") / "bin" / "tsc"), "-p", str(TOOLS)]
    ended = subprocess.run(checker, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stdout
