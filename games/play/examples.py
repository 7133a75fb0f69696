"""Examples for the OpenAPI document: the game of docs/notation.md."""

from datetime import timedelta

import msgspec

from games.calendar.models import Deal
from games.deals.policy import PRACTICE
from games.play import answers, wire
from games.play.models import Game
from games.play.session import Session
from games.players.examples import ALICE, NOW, STARTED
from games.rules import RULE_SETS, Action, Deck, Play, Position, Record

RULES = RULE_SETS["relaxed"]
DECK = "Td2hJhQd5d6c5cAs5hAcAd4h2sQhKc8c3dTh9sJs9d4dTs3h9c6sTc7s3c5s4c8d9h8h2c6dKs7cKhQcJdKd4s7h8sAh2d3sJc6hQs7d"
DEAL = Deal(id="8d2nq6vtc0hw", rules=RULES.slug, deck=DECK)
GAME = Game(id="26b7f3kq2m8p1xz", player=ALICE, deal=DEAL, created_at=STARTED).without_race()
GAME_ANSWER = answers.Game.of(GAME)
ATTEMPT = "26b5w9c2hq7dk4m"


def session_after(*actions: str) -> Session:
    """Return the example's game after some actions, one a second."""
    session = Session(GAME.id, PRACTICE, Play(Position.deal(Deck.from_text(DECK), RULES)), STARTED)
    for action in actions:
        act(session, action)
    return session


def act(session: Session, action: str) -> None:
    version = session.play.version
    session.act(Action.from_text(action), version, STARTED + timedelta(seconds=version + 1))


def _action_taken() -> wire.ActionTaken:
    session = session_after("4d9c", "6s7s", "D")
    played = wire.Played.of(session.step(3), session)
    return wire.ActionTaken(**msgspec.structs.asdict(played), hint=None, finished=None)


def _finished() -> Session:
    session = session_after("4d9c", "6s7s", "D")
    session.resign(3, NOW)
    return session


def _record(play: Play) -> str:
    started = STARTED.isoformat().replace("+00:00", "Z")
    deck = Deck.from_text(DECK).seen_by(play.seen)
    return Record(GAME.id, RULES, deck, ALICE.username, started, tuple(play.actions), play.result).text


ACTION_TAKEN, ENDED = _action_taken(), _finished()
FINISHED = wire.Finished.of(ENDED)
STATE = wire.State.of(session_after("4d9c", "6s7s", "D"), NOW)
RECORD = answers.Record(_record(ENDED.play))
