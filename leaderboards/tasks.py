"""The periodic tasks of the score tables."""

from __future__ import annotations

from datetime import datetime, timedelta

from games import tasks
from leaderboards.review import cases, links, log, notices
from leaderboards.services import deal_results, leagues, replicas, sealing, seasons, submission, verifying, webhooks


def submit_missing(now: datetime) -> None:
    """Enter games whose process died between the commit of their end and the signal."""
    submission.submit_missing(now)


def load_wanted_replicas(now: datetime) -> None:
    """Load the boards into Redis that were found missing or behind there."""
    replicas.load_wanted()


def check_replicas(now: datetime) -> None:
    """Compare changed boards in Redis with the database, and repair them."""
    replicas.check_replicas()


def verify_entered(now: datetime) -> None:
    """Verify the games that have been entered since the last run."""
    verifying.verify_entered(now)


def seal_days(now: datetime) -> None:
    """Seal the results of the days that have become final."""
    sealing.seal_days(now)


def close_seasons(now: datetime) -> None:
    """Freeze the tables of the months whose last day is sealed, with their honours."""
    seasons.close_seasons(now)


def count_results(now: datetime) -> None:
    """Count people's results on past daily deals."""
    deal_results.count_results(now)


def measure_skill(now: datetime) -> None:
    """Measure how much of players' results is due to them and to the deals."""
    from leaderboards.services import skill  # noqa: PLC0415  numpy is for workers alone

    skill.measure_skill(now)


def close_leagues(now: datetime) -> None:
    """Close the weeks of the leagues whose last day is sealed, and make the groups of the weeks after."""
    leagues.close_leagues(now)


def examine_games(now: datetime) -> None:
    """Run the detectors on the attempts whose days are public."""
    from leaderboards.review import examining  # noqa: PLC0415  the solver's code is for workers alone

    examining.examine_games(now)


def open_flagged(now: datetime) -> None:
    """Open cases for the scores that the server itself flagged."""
    from leaderboards.review import finding  # noqa: PLC0415  the solver's code is for workers alone

    finding.open_flagged(now)


def weigh_cases(now: datetime) -> None:
    """Weigh the moves of the games that cases are about, for the desk."""
    from leaderboards.review import weighing  # noqa: PLC0415  the solver's code is for workers alone

    weighing.weigh_cases(now)


def release_idle_cases(now: datetime) -> None:
    """Hand back the cases that their reviewers left, and close those that can no longer be appealed."""
    cases.release_idle(now)
    cases.close_settled(now)


def tell_moved(now: datetime) -> None:
    """Notify the players whose ranks a decision moved."""
    notices.tell_moved(now)


def check_log(now: datetime) -> None:
    """Recompute the decision log; while it has mistakes, nothing is decided."""
    log.keep_check(log.mistakes_in_log(), now)


def forget_old_traces(now: datetime) -> None:
    """Delete the keyed hashes of addresses and devices that were kept long enough."""
    links.forget_old_traces(now)


def enqueue_webhooks(now: datetime) -> None:
    """Store the events that webhooks want."""
    webhooks.enqueue_events(now)


def send_webhooks(now: datetime) -> None:
    """Send the events that are due."""
    webhooks.send_due(now)


def forget_old_deliveries(now: datetime) -> None:
    """Delete old deliveries to webhooks."""
    webhooks.forget_old_deliveries(now)


tasks.register(submit_missing, every=timedelta(minutes=1))
tasks.register(load_wanted_replicas, every=timedelta(seconds=5))
tasks.register(check_replicas, every=timedelta(minutes=10))
tasks.register(verify_entered, every=timedelta(seconds=5))
tasks.register(seal_days, every=timedelta(minutes=10))
tasks.register(close_seasons, every=timedelta(minutes=10))
tasks.register(count_results, every=timedelta(minutes=1))
tasks.register(measure_skill, every=timedelta(hours=6))
tasks.register(close_leagues, every=timedelta(minutes=10))
tasks.register(examine_games, every=timedelta(seconds=1))
tasks.register(open_flagged, every=timedelta(seconds=30))
tasks.register(weigh_cases, every=timedelta(seconds=5))
tasks.register(release_idle_cases, every=timedelta(minutes=1))
tasks.register(tell_moved, every=timedelta(seconds=5))
tasks.register(check_log, every=timedelta(hours=1))
tasks.register(forget_old_traces, every=timedelta(hours=1))
tasks.register(enqueue_webhooks, every=timedelta(seconds=5))
tasks.register(send_webhooks, every=timedelta(seconds=1))
tasks.register(forget_old_deliveries, every=timedelta(hours=1))
