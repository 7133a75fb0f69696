"""Frames that a hostile client might send, as many as one likes, to one game after the other.

What is tested is what every frame goes through: reading it, and the session that carries it out. Nothing but a refusal
may come of a frame that is not granted, and the log has to replay to where the game stands.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

from games.deals.policy import PRACTICE
from games.deals.shuffle import shuffled_deck
from games.doors.refusals import BadMessage, Refusal
from games.doors.wire import read_id
from games.play import wire
from games.play.session import Session
from games.rules import HINT, REDO, RULE_SETS, UNDO, Action, Move, Play, Position, RulesError

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
FRAMES_A_GAME = 400
TYPES = ["play", "undo", "redo", "hint", "resign", "restart", "sync", "ping", "played", "", "Play", None, 7]
NUMBERS = [0, 1, 2, -1, 2**31 - 1, 2**31, 2**63, 10**400, 1.0, 0.5, "1", None, True, [], {}]
MOVES = ["D", "R", "U", "H", "P4s", "4s9s", "Kd", "9s 4s", "10h3c", "??", "--", "d" * 16, "", "\0", "\ud800", None, 3]
NAMES = ["type", "id", "version", "move", "client_ms", "extra", "", "\u0000", "Type"]
SPLINTERS = ['"', "{", "}", "[", ":", ",", "\\", "\\u0000", "\\ud800", "null", "1e999", "\x00", "\ufeff", " ", "[" * 50]
ACTIONS: dict[type[wire.Act], Action] = {wire.Undo: UNDO, wire.Redo: REDO, wire.Hint: HINT}


def fuzz(count: int, seed: int = 0) -> dict[str, int]:
    """Send frames, and return how many ended in which way. Raises anything but a refusal."""
    chance, ends = random.Random(seed), dict[str, int]()
    for done in range(0, count, FRAMES_A_GAME):
        session = _new_game(chance)
        for number in range(min(FRAMES_A_GAME, count - done)):
            end = _answer(session, frame(chance, session), START + timedelta(seconds=number))
            ends[end] = ends.get(end, 0) + 1
        again = Play(session.play.start)
        for timed in session.play.actions:
            again.do(*timed)
        assert again.position == session.play.position
    return ends


def frame(chance: random.Random, session: Session) -> str:
    """Return a frame: a good one, one with wrong values, one with members twice or missing, or splinters of one."""
    members = list(_members(chance, session))
    for _ in range(chance.choice([0, 0, 0, 0, 1, 2])):
        name = chance.choice(NAMES)
        members.append((name, chance.choice(TYPES if name == "type" else [*NUMBERS, *MOVES])))
    if chance.random() < 0.1:
        members.pop(chance.randrange(len(members)))
    text = "{" + ",".join(f"{json.dumps(name)}:{json.dumps(value)}" for name, value in members) + "}"
    return _splintered(chance, text) if chance.random() < 0.2 else text


def _members(chance: random.Random, session: Session) -> Iterator[tuple[str, object]]:
    kind = chance.choice(["play"] * 6 + ["undo", "redo", "hint", "sync", "ping", "restart"])
    yield "type", kind
    yield "id", chance.choice([1, 2, 2**31 - 1])
    if kind in {"play", "undo", "redo", "hint"}:
        yield "version", session.play.version if chance.random() < 0.8 else chance.choice(NUMBERS)
    if kind == "play":
        legal = [move.text for move in session.play.position.legal_moves]
        yield "move", chance.choice(legal) if legal and chance.random() < 0.7 else chance.choice(MOVES)


def _splintered(chance: random.Random, text: str) -> str:
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(text) + 1)
        text = text[:start] + chance.choice(SPLINTERS) + text[start + chance.randint(0, 3) :]
    return text


def _new_game(chance: random.Random) -> Session:
    rules = chance.choice(list(RULE_SETS.values()))
    deck = shuffled_deck(iter(partial(chance.randrange, 256), None), rules.deck_size)
    return Session("fuzz", PRACTICE, Play(Position.deal(deck, rules)), START, None)


def _answer(session: Session, text: str, now: datetime) -> str:
    number = read_id(text)
    assert number is None or 0 <= number < 2**31
    version = session.play.version
    try:
        message = wire.read(text)
        assert text.count('"type"') <= 1 or "\\" in text
        if not isinstance(message, wire.Play | wire.Undo | wire.Redo | wire.Hint):
            return "read"
        session.act(_action(message, session), message.version, now, message.client_ms)
    except BadMessage:
        return "bad message"
    except (Refusal, RulesError) as refusal:
        assert session.play.version == version
        return refusal.code
    return "granted"


def _action(message: wire.Act, session: Session) -> Action:
    if isinstance(message, wire.Play):
        return Move.from_text(message.move, decks=session.rules.decks)
    return ACTIONS[type(message)]
