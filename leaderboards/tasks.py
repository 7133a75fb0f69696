"""The periodic tasks of all subjects, and how often the worker runs each; importing this module registers them."""

from datetime import datetime, timedelta

from games.worker.tasks import register
from leaderboards.audit.sealing import seal_days
from leaderboards.audit.verifying import verify_entered
from leaderboards.boards.months import make_coming_months
from leaderboards.boards.overtaking import tell_overtaken
from leaderboards.boards.ranking import replica
from leaderboards.boards.runs import enter_runs
from leaderboards.boards.submission import submit_missing
from leaderboards.boards.value_counts import count_boards
from leaderboards.clubs.duel_results import close_duels
from leaderboards.cups.counting import count_cups
from leaderboards.leagues.leagues import close_leagues
from leaderboards.moderation import cases, finding, log
from leaderboards.moderation.rank_moves import tell_moved
from leaderboards.moderation.traces import forget_old_traces
from leaderboards.retests.supervising import end_due
from leaderboards.seasons.seasons import close_seasons
from leaderboards.skill.deal_results import count_results
from leaderboards.webhooks.webhooks import enqueue_webhooks, forget_old_deliveries, send_webhooks


def load_wanted_replicas(now: datetime) -> None:
    """Load the boards into Redis that were found missing or behind there."""
    replica.load_wanted()


def check_replicas(now: datetime) -> None:
    """Compare changed boards in Redis with the database, and repair them."""
    replica.check_replicas()


def examine_games(now: datetime) -> None:
    """Run the detectors on the attempts whose days are public."""
    from leaderboards.moderation import examining  # noqa: PLC0415  the solver's code is for workers alone

    examining.examine_games(now)


def make_lists(now: datetime) -> None:
    """Make the lists of a day whose games are all examined."""
    from leaderboards.moderation import naming  # noqa: PLC0415  numpy is for workers alone

    naming.make_lists(now)


def find_listed(now: datetime) -> None:
    """Give the accounts on new lists their findings."""
    from leaderboards.moderation import naming  # noqa: PLC0415  numpy is for workers alone

    naming.find_listed(now)


def open_flagged(now: datetime) -> None:
    """Open cases for the scores that the server itself flagged."""
    finding.open_flagged(now)


def weigh_cases(now: datetime) -> None:
    """Weigh the moves of the games that cases are about, for the desk."""
    from leaderboards.moderation import weighing  # noqa: PLC0415  the solver's code is for workers alone

    weighing.weigh_cases(now)


def score_retests(now: datetime) -> None:
    """Score the deals of retests that have ended."""
    from leaderboards.retests import scoring  # noqa: PLC0415  the solver's code is for workers alone

    scoring.score_ended(now)


def end_retests(now: datetime) -> None:
    """End the retests whose deals are all played or whose time is up."""
    end_due(now)


def release_idle_cases(now: datetime) -> None:
    """Hand back the cases that their reviewers left, and close those that can no longer be appealed."""
    cases.release_idle(now)
    cases.close_settled(now)


def check_log(now: datetime) -> None:
    """Recompute the decision log; while it has mistakes, nothing is decided."""
    log.keep_check(log.mistakes_in_log(), now)


def measure_skill(now: datetime) -> None:
    """Measure how much of players' results is due to them and to the deals."""
    from leaderboards.skill import measuring  # noqa: PLC0415  numpy is for workers alone

    measuring.measure_skill(now)


register(verify_entered, every=timedelta(seconds=5))
register(seal_days, every=timedelta(minutes=10))
register(enter_runs, every=timedelta(seconds=1))
register(submit_missing, every=timedelta(minutes=1))
register(tell_overtaken, every=timedelta(seconds=10))
register(load_wanted_replicas, every=timedelta(seconds=5))
register(check_replicas, every=timedelta(minutes=10))
register(make_coming_months, every=timedelta(hours=6))
register(count_boards, every=timedelta(seconds=30))
register(count_cups, every=timedelta(seconds=10))
register(close_leagues, every=timedelta(minutes=10))
register(close_duels, every=timedelta(minutes=10))
register(examine_games, every=timedelta(seconds=1))
register(make_lists, every=timedelta(seconds=30))
register(find_listed, every=timedelta(seconds=5))
register(open_flagged, every=timedelta(seconds=30))
register(weigh_cases, every=timedelta(seconds=5))
register(end_retests, every=timedelta(seconds=1))
register(score_retests, every=timedelta(seconds=5))
register(release_idle_cases, every=timedelta(minutes=1))
register(tell_moved, every=timedelta(seconds=5))
register(check_log, every=timedelta(hours=1))
register(forget_old_traces, every=timedelta(hours=1))
register(close_seasons, every=timedelta(minutes=10))
register(count_results, every=timedelta(minutes=1))
register(measure_skill, every=timedelta(hours=6))
register(enqueue_webhooks, every=timedelta(seconds=5))
register(send_webhooks, every=timedelta(seconds=1))
register(forget_old_deliveries, every=timedelta(hours=1))
