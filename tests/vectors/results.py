"""Results of games with their proofs, and proofs of operators who sealed something else than was played."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta
from typing import Any

from games.deals.chain import FIRST_LINK
from games.deals.daily import DailyKey
from games.deals.shuffle import suits_of
from games.rules import HINT, REDO, RULE_SETS, UNDO, Outcome, Play, Position, Record
from games.tlog import merkle
from tests.vectors.chain import FIRST_DAY

Vector = dict[str, Any]

GAME = "7f3kq2m8p1xz"
SEED = bytes(range(32))
FIELDS = ("kind", "day", "rules", "division", "game", "result", "cards_left", "moves", "elapsed_ms", "log")
OTHER_LEAVES = [f"pyramid/result/1|{FIRST_DAY}|standard|open|{game}|won|0|41|60000|{'0' * 64}" for game in "abcde"]


def record(rules: str, *, actions: int, result: Outcome) -> Record:
    """Return a game on a day's deal, which has an undo, a redo and a hint among its actions."""
    key, suits = DailyKey(FIRST_DAY, rules, "open"), suits_of(SEED, GAME)
    deck = suits.of_deck(key.deck(SEED))
    play = Play(Position.deal(deck, RULE_SETS[rules]))
    for number in range(actions):
        removals = [move for move in play.legal_moves if move.cards and not move.text.startswith("P")]
        own = {5: UNDO, 6: REDO, 9: HINT, 12: UNDO}.get(number)
        play.do(own or (removals or list(play.legal_moves))[0], 1500 * (number + 1))
    tags = (("Day", str(key.day)), ("Division", key.division), ("Suits", suits.text))
    started = f"{FIRST_DAY}T10:00:00Z"
    return Record(GAME, RULE_SETS[rules], deck, "alice", started, tuple(play.actions), result, tags)


def line(played: Record, **changes: object) -> str:
    """Return the line with which a game is sealed, with other values in some fields."""
    log = " ".join(f"{action.text}@{at_ms}" for action, at_ms in played.actions)
    play = played.replay()
    values = {
        "kind": "pyramid/result/1",
        "day": dict(played.more_tags)["Day"],
        "rules": played.rules.slug,
        "division": "open",
        "game": played.game,
        "result": played.result,
        "cards_left": play.position.cards_left,
        "moves": play.moves,
        "elapsed_ms": play.elapsed_ms,
        "log": hashlib.sha256(log.encode()).hexdigest(),
    }
    return "|".join(str(value) for value in (values | changes).values())


def sealed(played: Record, leaf: str, **changes: Any) -> Vector:
    """Return a record with the proof that a line, whatever it says, is among the results of its day."""
    leaves = sorted([*OTHER_LEAVES, leaf])
    tree, index = merkle.tiles([one.encode() for one in leaves]), leaves.index(leaf)
    root = merkle.root(tree, len(leaves)).hex()
    near = [merkle.hash_of(span, tree).hex() for span in merkle.path(index, len(leaves))]
    day = str(FIRST_DAY)
    proof = {"game": played.game, "day": day, "leaf": leaf, "index": index, "count": len(leaves), "path": near}
    before = {"day": str(FIRST_DAY - timedelta(days=1)), "count": 0, "root": merkle.EMPTY.hex()}
    roots = chained([before, {"day": day, "count": len(leaves), "root": root}])
    return {"record": played.text, "proof": {**proof, "root": root, **changes}, "roots": roots}


def chained(roots: list[Vector]) -> list[Vector]:
    last, again = FIRST_LINK, []
    for number, entry in enumerate(roots, start=1):
        text = f"pyramid/results/1|{last}|{number}|{entry['day']}|{entry['count']}|{entry['root']}"
        last = hashlib.sha256(text.encode()).hexdigest()
        again.append({"number": number, **entry, "link": last})
    return again


def _lies(played: Record) -> dict[str, str]:
    return {
        "another kind of line": line(played, kind="pyramid/result/0"),
        "another day": line(played, day=FIRST_DAY + timedelta(days=1)),
        "another rule set": line(played, rules="relaxed"),
        "another division": line(played, division="main"),
        "a division with a space": line(played, division="open "),
        "another game": line(played, game="2x9k4m7vq1ht"),
        "another result": line(played, result="won"),
        "fewer cards left": line(played, cards_left=0),
        "a win": line(played, result="won", cards_left=0),
        "fewer moves": line(played, moves=12),
        "a shorter time": line(played, elapsed_ms=1000),
        "another log": line(played, log="0" * 64),
        "a field too many": f"{line(played)}|0",
        "a field too few": line(played).rpartition("|")[0],
    }


def vectors() -> dict[str, list[Vector]]:
    played = record("standard", actions=25, result=Outcome.RESIGNED)
    other = record("cheops", actions=14, result=Outcome.EXPIRED)
    two_decks = record("two-pyramids", actions=20, result=Outcome.RESIGNED)
    honest = sealed(played, line(played))
    last = honest["roots"][-1]
    twice = chained([*honest["roots"], {**last, "day": f"{last['day']} ", "root": "0" * 64}])
    false_win = replace(played, result=Outcome.WON).text
    false_root = chained([honest["roots"][0], {**last, "root": "0" * 64}])
    refused = {name: sealed(played, lie) for name, lie in _lies(played).items()} | {
        "a record that says won with cards left": {
            **sealed(played, line(played, result="won")),
            "record": false_win,
        },
        "the proof is of another day": sealed(played, line(played), day="2026-01-06"),
        "the proof names another game": sealed(played, line(played), game="2x9k4m7vq1ht"),
        "the proof names another root": sealed(played, line(played), root="0" * 64),
        "the path lacks a step": sealed(played, line(played), path=honest["proof"]["path"][1:]),
        "the path is in capitals": sealed(
            played, line(played), path=[step.upper() for step in honest["proof"]["path"]]
        ),
        "the place is another one": sealed(played, line(played), index=0 if honest["proof"]["index"] else 1),
        "the root is not that of the day": {**honest, "roots": false_root},
        "the chain of roots is broken": {**honest, "roots": [honest["roots"][0], {**last, "link": "0" * 64}]},
        "the chain of roots has the day again, with a space": {**honest, "roots": twice},
        "a day without results has one": {
            **honest,
            "roots": chained([{**honest["roots"][0], "count": 1}, last]),
        },
        "a day has a number of results below 0": {
            **honest,
            "roots": chained([{**honest["roots"][0], "count": -1}, last]),
        },
        "a duplicate tag in the record": {
            **honest,
            "record": honest["record"].replace('[Rules "', '[Rules "relaxed"]\n[Rules "', 1),
        },
        "the chain of roots runs backwards": {**honest, "roots": chained(honest["roots"][::-1])},
    }
    return {
        "valid": [
            {"name": "a game that was given up", **honest},
            {"name": "a game in which all cards have to leave", **sealed(other, line(other))},
            {"name": "a game of two decks", **sealed(two_decks, line(two_decks))},
        ],
        "refused": [{"name": name, **vector} for name, vector in refused.items()],
    }
