"""The reasons of decisions: codes for reviewers, with the words that the player reads."""

from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from leaderboards.moderation.models import Outcome


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
        Reason("explained", gettext_noop("What stood out has an innocent explanation."), _FOR),
        Reason("not_enough", gettext_noop("What was found is not enough to act on."), _FOR),
        Reason("mistaken_report", gettext_noop("The report was mistaken."), _FOR),
        Reason("our_mistake", gettext_noop("The earlier decision was our mistake."), _FOR),
        Reason("unseen_cards", gettext_noop("The play fits cards that had not been turned up yet."), _AGAINST),
        Reason("second_account", gettext_noop("The deal had been seen on a second account."), _AGAINST),
        Reason("program", gettext_noop("The times are those of a program, on an account for people."), _AGAINST),
        Reason("copied_line", gettext_noop("The games follow lines that others had played."), _AGAINST),
        Reason("clock", gettext_noop("The times of the game cannot be relied on."), _AGAINST),
        Reason("record", gettext_noop("The record of the game does not agree with its result."), _AGAINST),
    )
}


def words_of(code: str) -> str:
    """Return the text for the player, in the reader's language; empty for an unknown code."""
    return gettext(REASONS[code].words) if code in REASONS else ""
