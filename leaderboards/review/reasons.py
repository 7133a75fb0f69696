"""The reasons of decisions: codes for reviewers, with the words that the player reads."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboards.models import Outcome


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason, and the outcomes that allow it."""

    code: str
    words: str
    outcomes: tuple[Outcome, ...]


_FOR = (Outcome.CLEAR, Outcome.REINSTATE, Outcome.UNBAN)
_AGAINST = (Outcome.FLAG, Outcome.DISQUALIFY, Outcome.BAN)

REASONS = {
    reason.code: reason
    for reason in (
        Reason("explained", "What stood out has an innocent explanation.", _FOR),
        Reason("not_enough", "What was found is not enough to act on.", _FOR),
        Reason("mistaken_report", "The report was mistaken.", _FOR),
        Reason("our_mistake", "The earlier decision was our mistake.", _FOR),
        Reason("unseen_cards", "The play fits cards that had not been turned up yet.", _AGAINST),
        Reason("second_account", "The deal had been seen on a second account.", _AGAINST),
        Reason("program", "The times are those of a program, on an account for people.", _AGAINST),
        Reason("copied_line", "The games follow lines that others had played.", _AGAINST),
        Reason("clock", "The times of the game cannot be relied on.", _AGAINST),
        Reason("record", "The record of the game does not agree with its result.", _AGAINST),
    )
}


def reasons_for(outcome: Outcome) -> list[Reason]:
    """Return the reasons that an outcome allows."""
    return [reason for reason in REASONS.values() if outcome in reason.outcomes]


def words_of(code: str) -> str:
    """Return the text for the player; empty for an unknown code."""
    return REASONS[code].words if code in REASONS else ""
