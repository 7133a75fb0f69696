"""Guards of the log: a leaf, a hash and a signed head stay as they are, and the log only ever grows."""

from games.runtime.triggers import frozen, refusing, refusing_truncation

LEAF = "a leaf of the log is never changed or deleted"
TILE = "a hash of the log is never changed or deleted"
SIZE = "the log only ever grows, and is never cut"
SIGNED = "what was signed is never changed or deleted"

GUARDS = (
    frozen("games_logleaf", LEAF)
    | refusing(
        "games_guard_logtile",
        "UPDATE",
        "games_logtile",
        TILE,
        when="substr(NEW.hashes, 1, length(OLD.hashes)) <> OLD.hashes"
        " OR (NEW.level, NEW.number) IS DISTINCT FROM (OLD.level, OLD.number)",
    )
    | refusing("games_guard_deleted_logtile", "DELETE", "games_logtile", TILE)
    | refusing_truncation("games_logtile", TILE)
    | refusing("games_guard_logsize", "UPDATE", "games_logsize", SIZE, when="NEW.size <= OLD.size")
    | refusing("games_guard_deleted_logsize", "DELETE", "games_logsize", SIZE)
    | refusing_truncation("games_logsize", SIZE)
    | frozen("games_checkpoint", SIGNED)
    | frozen("games_cosignature", SIGNED)
)
