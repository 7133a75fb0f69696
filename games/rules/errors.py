"""The errors of the rules: a bad text, rule set, move or record, each with a stable code."""

from typing import ClassVar


class RulesError(ValueError):
    """Base class of everything that the rules reject."""

    code: ClassVar[str] = "rules_error"


class NotationError(RulesError):
    """A text that is not a card, deck, position, move or record."""

    code = "bad_notation"


class InvalidRuleSet(RulesError):
    """Rule set fields that contradict each other."""

    code = "invalid_rule_set"

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field


class UnknownRuleSet(RulesError, KeyError):
    """An unknown name of a rule set."""

    code = "unknown_rule_set"
    __str__ = Exception.__str__  # a KeyError would quote its message


class IllegalMove(RulesError):
    """A well-formed action that the rules do not allow in this position.

    The message names only cards that are in sight, so that it may be shown to the player.
    """

    code = "illegal_move"

    def __init__(self, action: str, reason: str) -> None:
        super().__init__(f"{action}: {reason}")


class GameOver(RulesError):
    """An action on a game that has ended."""

    code = "game_over"


class FalseResult(RulesError):
    """A record whose result is not the one its actions lead to."""

    code = "false_result"


class DamagedLog(RulesError):
    """A sealed log that cannot be read, or a log that cannot belong to a game."""

    code = "damaged_log"
