"""The periodic tasks of all subjects, and how often the worker runs each; importing this module registers them."""

from datetime import timedelta

from games.accounts.accounts import forget_expired_sessions, forget_expired_tokens
from games.analysis.requests import compute_analyses
from games.calendar.certificates import certify_deals
from games.calendar.dailies import ensure_dailies
from games.calendar.dealing import deal_days
from games.cups.course import advance_cups, is_cup_played
from games.cups.signups import remind_entrants
from games.days.reminders import tell_of_new_day
from games.notifications.notifications import forget_old_notifications
from games.oauth.granting import forget_ended_grants
from games.personal_data.erasure import finish_erasures
from games.personal_data.exports import prepare_exports, remove_old_exports
from games.personal_data.retention import forget_guest_practice, forget_idle_guests
from games.play.sealed_logs import seal_logs
from games.play.sessions import expire_overdue
from games.play.uptime import forget_old_uptime
from games.players.repeating import forget_kept_answers
from games.practice.stock import fill_race_stock, fill_stock
from games.push.sending import forget_old_messages, send_pushes, stop_sending
from games.puzzles.runs import end_overdue_storms
from games.races.course import advance_all
from games.races.hourly import ensure_hourly_race
from games.races.ratings import rate_races
from games.statistics.reminders import remind_of_streaks
from games.statistics.tallies import count_games
from games.status.hours import forget_old_hours
from games.tlog.collecting import collect_cosignatures
from games.tlog.signing import sign_log
from games.worker.tasks import register, register_ending, register_rush

register(deal_days, every=timedelta(seconds=1), is_urgent=True)
register(forget_expired_sessions, every=timedelta(hours=1))
register(forget_expired_tokens, every=timedelta(hours=1))
register(forget_ended_grants, every=timedelta(hours=1))
register(forget_kept_answers, every=timedelta(hours=1))
register(compute_analyses, every=timedelta(seconds=1))
register(ensure_dailies, every=timedelta(hours=1))
register(sign_log, every=timedelta(seconds=2))
register(collect_cosignatures, every=timedelta(seconds=5))
register(certify_deals, every=timedelta(seconds=20), is_patient=True)
register(fill_race_stock, every=timedelta(seconds=1))
register(fill_stock, every=timedelta(seconds=5), is_patient=True)
register(forget_old_notifications, every=timedelta(hours=1))
register(tell_of_new_day, every=timedelta(seconds=1))
register(remind_of_streaks, every=timedelta(seconds=1))
register(send_pushes, every=timedelta(seconds=1))
register(forget_old_messages, every=timedelta(hours=1))
register(prepare_exports, every=timedelta(seconds=1))
register(remove_old_exports, every=timedelta(minutes=10))
register(finish_erasures, every=timedelta(minutes=1))
register(forget_idle_guests, every=timedelta(minutes=10))
register(forget_guest_practice, every=timedelta(minutes=10))
register(expire_overdue, every=timedelta(seconds=5))
register(seal_logs, every=timedelta(seconds=5))
register(forget_old_uptime, every=timedelta(hours=1))
register(forget_old_hours, every=timedelta(hours=1))
register(advance_all, every=timedelta(seconds=1), is_urgent=True)
register(advance_cups, every=timedelta(seconds=1), is_urgent=True)
register(remind_entrants, every=timedelta(seconds=30))
register(rate_races, every=timedelta(seconds=1))
register(ensure_hourly_race, every=timedelta(seconds=30))
register(end_overdue_storms, every=timedelta(seconds=2))
register(count_games, every=timedelta(seconds=2))

register_ending(stop_sending)
register_rush(is_cup_played)
