"""The decision log is only ever added to, a line at a time."""

from __future__ import annotations

from django.db import migrations

from games.kit.triggers import CreateTriggers, Triggers

POSTGRESQL = """
CREATE TRIGGER leaderboards_guard_logline BEFORE UPDATE OR DELETE ON leaderboards_logline
    FOR EACH ROW EXECUTE FUNCTION leaderboards_guard_history('a line of the decision log is never changed');
CREATE TRIGGER leaderboards_guard_loghead BEFORE UPDATE ON leaderboards_loghead FOR EACH ROW
    WHEN (NEW.number <> OLD.number + 1)
    EXECUTE FUNCTION leaderboards_guard_history('the decision log only ever grows, and is never cut');
CREATE TRIGGER leaderboards_guard_deleted_loghead BEFORE DELETE ON leaderboards_loghead
    FOR EACH ROW EXECUTE FUNCTION leaderboards_guard_history('the decision log only ever grows, and is never cut');
CREATE TRIGGER leaderboards_guard_deleted_case BEFORE DELETE ON leaderboards_case
    FOR EACH ROW EXECUTE FUNCTION leaderboards_guard_history('a case is never deleted');
"""

POSTGRESQL_WITHOUT = """
DROP TRIGGER leaderboards_guard_deleted_case ON leaderboards_case;
DROP TRIGGER leaderboards_guard_deleted_loghead ON leaderboards_loghead;
DROP TRIGGER leaderboards_guard_loghead ON leaderboards_loghead;
DROP TRIGGER leaderboards_guard_logline ON leaderboards_logline;
"""

SQLITE = {
    "leaderboards_guard_update_logline": """
        BEFORE UPDATE ON leaderboards_logline
        BEGIN SELECT RAISE(ABORT, 'a line of the decision log is never changed'); END""",
    "leaderboards_guard_delete_logline": """
        BEFORE DELETE ON leaderboards_logline
        BEGIN SELECT RAISE(ABORT, 'a line of the decision log is never changed'); END""",
    "leaderboards_guard_loghead": """
        BEFORE UPDATE ON leaderboards_loghead WHEN NEW.number <> OLD.number + 1
        BEGIN SELECT RAISE(ABORT, 'the decision log only ever grows, and is never cut'); END""",
    "leaderboards_guard_deleted_loghead": """
        BEFORE DELETE ON leaderboards_loghead
        BEGIN SELECT RAISE(ABORT, 'the decision log only ever grows, and is never cut'); END""",
    "leaderboards_guard_deleted_case": """
        BEFORE DELETE ON leaderboards_case
        BEGIN SELECT RAISE(ABORT, 'a case is never deleted'); END""",
}


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0006_cases")]

    operations = [CreateTriggers(Triggers(POSTGRESQL, POSTGRESQL_WITHOUT, SQLITE))]
