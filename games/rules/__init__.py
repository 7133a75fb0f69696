"""The rules of the Pyramid family as plain immutable values: no Django, clock, I/O or randomness."""

from games.rules.cards import CARDS, UNSEEN, Card, Deck
from games.rules.errors import (
    DamagedLog,
    FalseResult,
    GameOver,
    IllegalMove,
    InvalidRuleSet,
    NotationError,
    RulesError,
    UnknownRuleSet,
)
from games.rules.moves import DRAW, HINT, RECYCLE, REDO, UNDO, Action, Kind, Move
from games.rules.play import Play, TimedAction
from games.rules.position import Outcome, Position
from games.rules.record import Record
from games.rules.rulesets import RULE_SETS, Goal, Match, RuleSet
from games.rules.sealed_log import Logged
from games.rules.suits import OWN_SUITS, Suits
from games.rules.tableau import Peak

__all__ = [
    "CARDS",
    "DRAW",
    "HINT",
    "OWN_SUITS",
    "RECYCLE",
    "REDO",
    "RULE_SETS",
    "UNDO",
    "UNSEEN",
    "Action",
    "Card",
    "DamagedLog",
    "Deck",
    "FalseResult",
    "GameOver",
    "Goal",
    "IllegalMove",
    "InvalidRuleSet",
    "Kind",
    "Logged",
    "Match",
    "Move",
    "NotationError",
    "Outcome",
    "Peak",
    "Play",
    "Position",
    "Record",
    "RuleSet",
    "RulesError",
    "Suits",
    "TimedAction",
    "UnknownRuleSet",
]
