"""PostgreSQL empties a table by TRUNCATE without looking at its rows, and so past all guards of rows."""

from django.db import migrations

from games.kit.triggers import CreateTriggers, against_truncation

GUARDED = {
    "leaderboards_case": "a case is never deleted",
    "leaderboards_dayroot": "the results of a day are sealed once",
    "leaderboards_decision": "a decision is never changed or deleted",
    "leaderboards_entry": "an entry is never deleted",
    "leaderboards_loghead": "the decision log only ever grows, and is never cut",
    "leaderboards_logline": "a line of the decision log is never changed",
    "leaderboards_honour": "an honour is never deleted",
    "leaderboards_season": "a season is never deleted",
    "leaderboards_sealedresult": "the results of a day are sealed once",
}


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0014_seasons")]

    operations = [CreateTriggers(against_truncation("leaderboards_guard_history", GUARDED))]
