"""Guards of erasures, which name what may be deleted while they are open (`games.personal_data.erasure`)."""

from games.runtime.triggers import refusing, refusing_truncation

TABLE = "games_erasure"
COMPLAINT = "an erasure is only ever closed"

GUARDS = (
    refusing("games_guard_erasure", "UPDATE", TABLE, COMPLAINT, when="NOT OLD.is_open OR NEW.is_open")
    | refusing("games_guard_deleted_erasure", "DELETE", TABLE, COMPLAINT)
    | refusing_truncation(TABLE, COMPLAINT)
)
