"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.worker import tasks
from leaderboards.moderation import cases, links, log, rank_moves


def examine_games(now: datetime) -> None:
    """Run the detectors on the attempts whose days are public."""
    from leaderboards.moderation import examining  # noqa: PLC0415  the solver's code is for workers alone

    examining.examine_games(now)


def open_flagged(now: datetime) -> None:
    """Open cases for the scores that the server itself flagged."""
    from leaderboards.moderation import finding  # noqa: PLC0415  the solver's code is for workers alone

    finding.open_flagged(now)


def weigh_cases(now: datetime) -> None:
    """Weigh the moves of the games that cases are about, for the desk."""
    from leaderboards.moderation import weighing  # noqa: PLC0415  the solver's code is for workers alone

    weighing.weigh_cases(now)


def release_idle_cases(now: datetime) -> None:
    """Hand back the cases that their reviewers left, and close those that can no longer be appealed."""
    cases.release_idle(now)
    cases.close_settled(now)


def tell_moved(now: datetime) -> None:
    """Notify the players whose ranks a decision moved."""
    rank_moves.tell_moved(now)


def check_log(now: datetime) -> None:
    """Recompute the decision log; while it has mistakes, nothing is decided."""
    log.keep_check(log.mistakes_in_log(), now)


def forget_old_traces(now: datetime) -> None:
    """Delete the keyed hashes of addresses and devices that were kept long enough."""
    links.forget_old_traces(now)


tasks.register(examine_games, every=timedelta(seconds=1))
tasks.register(open_flagged, every=timedelta(seconds=30))
tasks.register(weigh_cases, every=timedelta(seconds=5))
tasks.register(release_idle_cases, every=timedelta(minutes=1))
tasks.register(tell_moved, every=timedelta(seconds=5))
tasks.register(check_log, every=timedelta(hours=1))
tasks.register(forget_old_traces, every=timedelta(hours=1))
