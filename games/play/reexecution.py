"""Replay finished games from deck and log, a batch at a time, and compare the results with the stored ones."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from django.db.models import QuerySet

from games.play.models import Game, Logs, logs_of
from games.rules import (
    DRAW,
    HINT,
    RECYCLE,
    REDO,
    RULE_SETS,
    UNDO,
    DamagedLog,
    Deck,
    Logged,
    Move,
    Outcome,
    Position,
    RulesError,
)
from games.rules.cards import RANKS, SUITS
from games.rules.pace import Paced, hasty_actions

MILLISECOND = timedelta(milliseconds=1)
TALON = {DRAW.text, RECYCLE.text}
ONE_DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)

Log = Sequence[Logged]


class KeptGame(NamedTuple):
    """A finished game as the database stores it, with its deal; `log` is read separately."""

    id: str
    rules: str
    deck: str
    suits: str
    status: str
    started_at: datetime | None
    finished_at: datetime
    elapsed_ms: int
    downtime_ms: int
    moves: int
    draws: int
    recycles: int
    undos: int
    hints: int
    cards_left: int
    hasty: int


def differences(kept: KeptGame, log: Log) -> list[str]:
    """Return the differences between a stored game and the replay of its deck and log; empty if there are none."""
    try:
        position = _position_after(kept, [row.action for row in log])
    except (RulesError, IndexError, KeyError) as error:
        reason = error.code if isinstance(error, RulesError) else "an action that cannot be"
        return [f"the log does not replay: {reason}"]
    return [*_of_log(log), *_of_summary(kept, position, log), *_of_result(kept, position), *_of_times(kept)]


def _position_after(kept: KeptGame, log: Sequence[str]) -> Position:
    """Carry out the actions of a log. Raises `RulesError`, or IndexError or KeyError for an impossible action."""
    position, decks = _start(kept.rules, kept.deck), RULE_SETS[kept.rules].decks
    back = _suits_back(kept.suits, decks) if kept.suits else None
    done: list[Position] = []
    undone: list[Position] = []
    for text in log:
        if text == UNDO.text:
            undone.append(position)
            position = done.pop()
        elif text == REDO.text:
            done.append(position)
            position = undone.pop()
        elif text != HINT.text:
            done.append(position)
            undone.clear()
            position = position.after(_move(_put_back(text, back) if back else text, decks))
    return position


def _put_back(text: str, back: Mapping[str, str]) -> str:
    """Translate a move into the suits of its deal, so that all games on a deal start from one position."""
    if text in TALON:
        return text
    parked, cards = text[: len(text) % 2], text[len(text) % 2 :]
    return parked + "".join(back[cards[place : place + 2]] for place in range(0, len(cards), 2))


def _of_log(log: Log) -> Iterator[str]:
    last = 0
    for number, (version, _, at_ms, _) in enumerate(log, start=1):
        if version != number:
            yield f"version {number} of the log is missing"
            return
        if at_ms < last:
            yield f"the clock runs backwards at version {number}"
        last = at_ms


def _of_summary(kept: KeptGame, position: Position, log: Log) -> Iterator[str]:
    actions = [row.action for row in log]
    recomputed = {
        "moves": len(log) - actions.count(HINT.text),
        "draws": actions.count(DRAW.text),
        "recycles": actions.count(RECYCLE.text),
        "undos": actions.count(UNDO.text),
        "hints": actions.count(HINT.text),
        "cards_left": position.cards_left,
        "elapsed_ms": log[-1].at_ms if log else 0,
        "hasty": hasty_actions([Paced(_is_removal(row.action), row.at_ms) for row in log], is_won=position.is_won),
    }
    for name, value in recomputed.items():
        if getattr(kept, name) != value:
            yield f"{name} is {getattr(kept, name)}, by the log {value}"


def _is_removal(text: str) -> bool:
    """Return True if an action has cards and does not park them."""
    return text not in TALON and text not in (UNDO.text, REDO.text, HINT.text) and not len(text) % 2


def _of_result(kept: KeptGame, position: Position) -> Iterator[str]:
    follows = {
        Outcome.WON.value: lambda: position.is_won,
        Outcome.STUCK.value: lambda: position.outcome is Outcome.STUCK,
        # Whether the player could know that the game was stuck depends on the cards seen, and affects no rank.
        Outcome.RESIGNED.value: lambda: not position.is_won,
        Outcome.EXPIRED.value: lambda: not position.is_won,
    }
    if kept.status not in follows or not follows[kept.status]():
        yield f"the result {kept.status} does not follow from the log"


def _of_times(kept: KeptGame) -> Iterator[str]:
    """Yield a difference if clock and credit add up to more than the real time between start and end."""
    if kept.started_at is None:
        if kept.elapsed_ms:
            yield "a game that was never begun took time"
    elif kept.elapsed_ms + kept.downtime_ms > (kept.finished_at - kept.started_at) // MILLISECOND:
        yield "it ended sooner after its start than its log and credit say"


@lru_cache(maxsize=64)
def _start(rules: str, deck: str) -> Position:
    return Position.deal(Deck.from_text(deck), RULE_SETS[rules])


def _suits_back(suits: str, decks: int) -> dict[str, str]:
    """Return a mapping from the game's cards to the deal's, for one deck or two."""
    back = {card[0] + own: card for own, card in zip(suits, ONE_DECK, strict=True)}
    if decks > 1:
        back |= {own[0] + own[1].upper(): card[0] + card[1].upper() for own, card in back.items()}
    return back


@lru_cache(maxsize=20_000)
def _move(text: str, decks: int) -> Move:
    return Move.from_text(text, decks=decks)


BATCH = 500
FIELDS = tuple({"rules": "deal__rules", "deck": "deal__deck"}.get(name, name) for name in KeptGame._fields)


def differing(games: Sequence[str]) -> dict[str, list[str]]:
    """Replay finished games, and return the differences of each from its stored result, none for a sound one."""
    found: dict[str, list[str]] = {}
    for first in range(0, len(games), BATCH):
        found |= _differing_together(games[first : first + BATCH])
    return found


def finished_ranked() -> QuerySet[Game]:
    """Return all finished ranked attempts in the order in which they ended."""
    return Game.objects.filter(daily__isnull=False).exclude(status=Game.Status.PLAYING).order_by("finished_at", "pk")


def _differing_together(games: Sequence[str]) -> dict[str, list[str]]:
    kept = Game.objects.filter(pk__in=games).exclude(status=Game.Status.PLAYING).order_by().values_list(*FIELDS)
    logs = logs_of(games)
    return {row[0]: _differences(KeptGame._make(row), logs) for row in kept.iterator()}


def _differences(kept: KeptGame, logs: Logs) -> list[str]:
    try:
        return differences(kept, logs[kept.id])
    except DamagedLog as error:
        return [f"the log cannot be read: {error}"]
