"""A record: the text of a whole game, from which everything else about it follows."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from games.rules.cards import Deck
from games.rules.errors import FalseResult, NotationError
from games.rules.moves import Action
from games.rules.play import Play, TimedAction
from games.rules.position import Outcome, Position
from games.rules.rulesets import RULE_SETS, RuleSet
from games.rules.suits import OWN_SUITS, Suits

REQUIRED_TAGS = ("Game", "Rules", "Deck", "Player", "Started")
DAY_TAG, DIVISION_TAG, SUITS_TAG, DOWNTIME_TAG = "Day", "Division", "Suits", "Downtime"
UNFINISHED = "*"
LINE_WIDTH = 80

_TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\["\\])*)"\s*\]', re.ASCII)
_TIMED_ACTION = re.compile(r"([^@]*)@\s*(\d{1,12})(?!\S)", re.ASCII)
_STARTED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")


@dataclass(frozen=True, slots=True)
class Record:
    """One game: who played which deck by which rules from when, every action with its time, and the result.

    `started` is a UTC time like `2026-03-01T10:00:00Z`. Cards that the reader of a record may not know are unseen
    cards in its deck; the actions can be replayed all the same. `more_tags` are tags beyond the required ones.
    """

    game: str
    rules: RuleSet
    deck: Deck
    player: str
    started: str
    actions: tuple[TimedAction, ...] = ()
    result: Outcome | None = None
    more_tags: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not _STARTED.fullmatch(self.started):
            raise NotationError(f"Started is a UTC time like 2026-03-01T10:00:00Z, not {self.started!r}")
        for name, value in self._tags():
            if not (value.isascii() and value.isprintable()):
                raise NotationError(f"the tag {name} has characters outside printable ASCII: {value!r}")
        if any(later.at_ms < earlier.at_ms for earlier, later in pairwise(self.actions)):
            raise NotationError(f"the clock runs backwards in the record of game {self.game}")

    @classmethod
    def from_text(cls, text: str) -> Record:
        """Read a record. Raises `NotationError` or `UnknownRuleSet`; legality is checked by `replay`."""
        tags, body = _read_tags(text)
        if tuple(name for name, _ in tags[: len(REQUIRED_TAGS)]) != REQUIRED_TAGS:
            raise NotationError(f"a record starts with the tags {', '.join(REQUIRED_TAGS)}, in this order")
        game, rules_name, deck, player, started = (value for _, value in tags[: len(REQUIRED_TAGS)])
        rules = RULE_SETS[rules_name]
        actions, result = _read_body(body, rules.decks)
        return cls(
            game=game,
            rules=rules,
            deck=Deck.from_text(deck),
            player=player,
            started=started,
            actions=tuple(actions),
            result=result,
            more_tags=tuple(tags[len(REQUIRED_TAGS) :]),
        )

    @property
    def text(self) -> str:
        tags = [f'[{name} "{_escape(value)}"]' for name, value in self._tags()]
        words = [*(f"{action.text}@{at_ms}" for action, at_ms in self.actions), self.result or UNFINISHED]
        body = textwrap.wrap(" ".join(words), LINE_WIDTH, break_long_words=False, break_on_hyphens=False)
        return "\n".join([*tags, "", *body, ""])

    def replay(self) -> Play:
        """Play the record again and return the play.

        Raises `NotationError` for a deck of another size than the rules ask for, `IllegalMove` or `GameOver` for an
        action that they refuse, `FalseResult` for a result that does not follow from the actions.
        """
        play = Play(Position.deal(self.deck, self.rules))
        for action, at_ms in self.actions:
            play.do(action, at_ms)
        if not self._result_follows(play):
            raise FalseResult(f"the record says {self.result or UNFINISHED}, its actions lead to {play.position.text}")
        if self.result is not None and play.result is None:
            play.end(self.result)
        return play

    def seen_by_its_player(self) -> Record:
        """Return this record with the cards unseen that its player never saw."""
        return replace(self, deck=self.deck.seen_by(self.replay().seen))

    @property
    def suits(self) -> Suits:
        """The suits that the deal's cards have in this game, as the tag `Suits` states. Raises `NotationError`."""
        text = dict(self.more_tags).get(SUITS_TAG)
        return OWN_SUITS if text is None else Suits.from_text(text)

    def as_dealt(self) -> Record:
        """Return this record in the suits of its deal. Raises `NotationError`."""
        back = self.suits.inverse
        actions = tuple(TimedAction(back.of_action(action), at_ms) for action, at_ms in self.actions)
        return replace(self.without_tag(SUITS_TAG), deck=back.of_deck(self.deck), actions=actions)

    def without_tag(self, name: str) -> Record:
        """Return this record without a tag beyond the required ones."""
        return replace(self, more_tags=tuple(tag for tag in self.more_tags if tag[0] != name))

    def _result_follows(self, play: Play) -> bool:
        outcome = play.position.outcome
        match self.result:
            case Outcome.STUCK:
                return play.outcome is Outcome.STUCK
            case Outcome.RESIGNED:
                return play.outcome is None
            case Outcome.EXPIRED:
                return outcome is not Outcome.WON
            case _:
                return play.result is self.result

    def _tags(self) -> Iterator[tuple[str, str]]:
        values = (self.game, self.rules.slug, self.deck.text, self.player, self.started)
        yield from zip(REQUIRED_TAGS, values, strict=True)
        yield from self.more_tags


def _read_tags(text: str) -> tuple[list[tuple[str, str]], str]:
    """Split a record into its tags, unescaped, and what follows them."""
    tags, end = [], 0
    while tag := _TAG.match(text, end):
        tags.append((tag[1], re.sub(r"\\(.)", r"\1", tag[2])))
        end = tag.end()
    return tags, text[end:]


def _read_body(body: str, decks: int) -> tuple[list[TimedAction], Outcome | None]:
    """Read the actions with their times, and the result."""
    actions, end = [], 0
    while found := _TIMED_ACTION.match(body, end):
        actions.append(TimedAction(Action.from_text(found[1], decks=decks), int(found[2])))
        end = found.end()
    result = body[end:].strip().lower()
    if result != UNFINISHED and result not in set(Outcome):
        raise NotationError(f"neither an action with its time nor a result ({', '.join(Outcome)} or *): {result!r}")
    return actions, None if result == UNFINISHED else Outcome(result)


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
