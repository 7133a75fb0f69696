"""Fill a database with some history, by `manage.py shell`: it prints the day, the sealed game and the other one."""

# Two results of a day that is sealed, one of them with its log in one value.
HISTORY = """
from datetime import UTC, datetime, timedelta
from games.accounts.guests import create_guest
from games.calendar.dailies import ensure_dailies
from games.play.sealed_logs import seal_logs
from leaderboards.audit.sealing import seal_days
from leaderboards.audit.verifying import verify_entered
from tests.leaderboards.played import played
now = datetime.now(UTC)
noon = now.replace(hour=12) - timedelta(days=4)
ensure_dailies(noon)
later = noon + timedelta(hours=1)
games = [played(create_guest("Alice").player, noon)]
seal_logs(later)
games.append(played(create_guest("Bob").player, later, actions=14))
verify_entered(later + timedelta(hours=1))
ensure_dailies(now)
seal_days(now)
print(noon.date(), *(game.pk for game in games))
"""
