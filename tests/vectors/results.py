"""Records of games with the lines of their results, and lines of operators who sealed something else."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from games.deals.daily import DailyKey
from games.deals.shuffle import suits_of
from games.rules import HINT, REDO, RULE_SETS, UNDO, Outcome, Play, Position, Record
from tests.vectors.leaves import FIRST_DAY

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


def lies(played: Record) -> dict[str, str]:
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
