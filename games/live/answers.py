"""From what a session returns to what the wire says."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from games.advice import Advice
from games.live import messages
from games.rules import Card, Move
from games.session import Missed, Session, Step, Summary

MOST_MISSED = 200  # actions; whoever missed more gets the state


def state(session: Session, now: datetime) -> messages.State:
    known = session.state(now)
    return messages.State(
        game=session.game,
        version=known.version,
        rules=known.position.rules.slug,
        position=known.position.text,
        legal=_texts(known.legal),
        moves=known.moves,
        elapsed_ms=known.elapsed_ms,
        outcome=known.outcome,
        result=known.result or "*",
    )


def played(number: int | None, step: Step) -> messages.Played:
    return messages.Played(
        id=number,
        version=step.version,
        move=step.action.text,
        revealed=_texts(step.revealed),
        legal=_texts(step.legal),
        moves=step.moves,
        at_ms=step.at_ms,
        outcome=step.outcome,
    )


def since(question: messages.Sync, session: Session, now: datetime) -> messages.Missed | messages.State:
    """Answer what happened since a version: with the state if that never was one, or too much did."""
    missed = session.missed(question.version)
    if missed is None or len(missed.entries) > MOST_MISSED:
        return state(session, now)
    return _missed(question.id, missed, session)


def _missed(number: int, missed: Missed, session: Session) -> messages.Missed:
    play = session.play
    return messages.Missed(
        id=number,
        version=play.version,
        actions=" ".join(f"{action.text}@{at_ms}" for action, at_ms in missed.entries),
        revealed=_texts(missed.revealed),
        legal=_texts(play.legal_moves),
        moves=play.moves,
        outcome=play.position.outcome,
    )


def finished(summary: Summary, version: int) -> messages.Finished:
    return messages.Finished(
        version=version,
        result=summary.status,
        moves=summary.moves,
        elapsed_ms=summary.elapsed_ms,
        cards_left=summary.cards_left,
    )


def hinted(number: int, version: int, advice: Advice) -> messages.Hinted:
    move = advice.move.text if advice.move else None
    return messages.Hinted(number, version, move, advice.reason, advice.is_exact)


def _texts(values: Iterable[Card | Move]) -> list[str]:
    return [value.text for value in values]
