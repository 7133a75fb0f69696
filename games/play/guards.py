"""Guards of games: what one was started with stays, it ends with the log that it has, and then it is frozen.

The one thing that is set after the end is the sealed log, once and with as many actions as there are rows; these go in
the same statement.
"""

from games.runtime.triggers import Triggers, differ, in_postgresql, in_sqlite, refusing, refusing_truncation

TABLE = "games_game"
STARTED_WITH = ("deal_id", "daily_id", "attempt", "suits", "policy")
ALL_BUT_THE_SEALED_LOG = (
    *("id", "player_id", "deal_id", "daily_id", "suits", "attempt", "restart_of_id", "policy", "status"),
    *("created_at", "started_at", "finished_at", "elapsed_ms", "downtime_ms", "hasty"),
    *("moves", "draws", "recycles", "undos", "hints", "cards_left"),
)

STARTED = in_postgresql(
    "games_guard_start",
    "BEFORE INSERT OR UPDATE",
    TABLE,
    f"""
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF {differ(STARTED_WITH)}
        THEN
            RAISE integrity_constraint_violation USING MESSAGE = 'what a game was started with never changes';
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.attempt > (
        SELECT coalesce((policy->>'attempts')::integer, 1) FROM games_dailydeal WHERE id = NEW.daily_id
    ) THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'the policy allows no more attempts';
    END IF;
    IF NEW.daily_id IS NOT NULL AND NEW.attempt > 1 AND NOT EXISTS (
        SELECT FROM games_game WHERE player_id = NEW.player_id AND daily_id = NEW.daily_id
            AND attempt = NEW.attempt - 1 AND status <> 'playing'
    ) THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'an attempt follows one that has ended';
    END IF;
    RETURN NEW;
END""",  # noqa: S608  nothing here comes from outside
)

STARTED_IN_SQLITE = (
    in_sqlite(
        {"games_start_never_changes": f"BEFORE UPDATE ON {TABLE}"},
        "what a game was started with never changes",
        when=differ(STARTED_WITH).replace("IS DISTINCT FROM", "IS NOT"),
    )
    | in_sqlite(
        {"games_policy_bounds_attempts": f"BEFORE INSERT ON {TABLE}"},
        "the policy allows no more attempts",
        when="""NEW.attempt > (
            SELECT coalesce(json_extract(policy, '$.attempts'), 1) FROM games_dailydeal WHERE id = NEW.daily_id
        )""",
    )
    | in_sqlite(
        {"games_attempts_follow_each_other": f"BEFORE INSERT ON {TABLE}"},
        "an attempt follows one that has ended",
        when="""NEW.daily_id IS NOT NULL AND NEW.attempt > 1 AND NOT EXISTS (
            SELECT 1 FROM games_game WHERE player_id = NEW.player_id AND daily_id = NEW.daily_id
                AND attempt = NEW.attempt - 1 AND status <> 'playing'
        )""",
    )
)

# Bytes 2 and 3 of a sealed log are the number of its actions, in every format (docs/notation.md).
ENDED = in_postgresql(
    "games_guard_game",
    "BEFORE UPDATE",
    TABLE,
    """
DECLARE
    logged integer;
    unsealed games_game;
BEGIN
    IF OLD.status = 'playing' AND NEW.sealed_log IS NOT NULL THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'an unfinished game is not sealed';
    END IF;
    IF OLD.status <> 'playing' THEN
        unsealed := NEW;
        unsealed.sealed_log := NULL;
        IF NEW.sealed_log IS NULL OR unsealed IS DISTINCT FROM OLD THEN
            RAISE integrity_constraint_violation USING MESSAGE = 'a finished game is frozen';
        END IF;
    END IF;
    IF NEW.status <> 'playing' THEN
        SELECT count(*) INTO logged FROM games_move WHERE game_id = NEW.id;
        IF NEW.moves + NEW.hints <> logged THEN
            RAISE integrity_constraint_violation USING MESSAGE = 'the summary counts every move';
        END IF;
        IF substr(NEW.sealed_log, 2, 2) <> decode(lpad(to_hex(logged), 4, '0'), 'hex') THEN
            RAISE integrity_constraint_violation USING MESSAGE = 'a sealed log has every move';
        END IF;
    END IF;
    RETURN NEW;
END""",
)

ENDED_IN_SQLITE = (
    in_sqlite(
        {"games_summary_counts_every_move": f"BEFORE UPDATE ON {TABLE}"},
        "the summary counts every move",
        when="""NEW.status <> 'playing'
            AND NEW.moves + NEW.hints <> (SELECT count(*) FROM games_move WHERE game_id = NEW.id)""",
    )
    | in_sqlite(
        {"games_finished_game_is_frozen": f"BEFORE UPDATE ON {TABLE}"},
        "a finished game is frozen",
        when=f"""OLD.status <> 'playing'
            AND (NEW.sealed_log IS NULL OR OLD.sealed_log IS NOT NULL
                OR {differ(ALL_BUT_THE_SEALED_LOG).replace("IS DISTINCT FROM", "IS NOT")})""",
    )
    | in_sqlite(
        {"games_unfinished_game_is_not_sealed": f"BEFORE UPDATE ON {TABLE}"},
        "an unfinished game is not sealed",
        when="OLD.status = 'playing' AND NEW.sealed_log IS NOT NULL",
    )
    | in_sqlite(
        {"games_sealed_log_has_every_move": f"BEFORE UPDATE ON {TABLE}"},
        "a sealed log has every move",
        when="""OLD.sealed_log IS NULL AND NEW.sealed_log IS NOT NULL AND hex(substr(NEW.sealed_log, 2, 2)) <> printf(
            '%04X', (SELECT count(*) FROM games_move WHERE game_id = NEW.id)
        )""",
    )
)

SEALED = in_postgresql(
    "games_delete_sealed_moves",
    "AFTER UPDATE",
    TABLE,
    """
BEGIN
    DELETE FROM games_move WHERE game_id = NEW.id;
    RETURN NULL;
END""",
    each="FOR EACH ROW WHEN (OLD.sealed_log IS NULL AND NEW.sealed_log IS NOT NULL)",
) | Triggers(
    sqlite={
        "games_sealed_moves_are_deleted": """
        AFTER UPDATE ON games_game WHEN OLD.sealed_log IS NULL AND NEW.sealed_log IS NOT NULL
        BEGIN DELETE FROM games_move WHERE game_id = NEW.id; END"""
    }
)

# Only an erasure of the same transaction deletes games, and of its player alone those without a rank.
DELETED = in_postgresql(
    "games_guard_deleted_game",
    "BEFORE DELETE",
    TABLE,
    """
BEGIN
    IF OLD.daily_id IS NULL AND EXISTS (
        SELECT FROM games_erasure WHERE player_id = OLD.player_id AND is_open
    ) THEN
        RETURN OLD;
    END IF;
    RAISE integrity_constraint_violation USING MESSAGE = 'a game is never deleted';
END""",
) | in_sqlite(
    {"games_game_is_never_deleted": f"BEFORE DELETE ON {TABLE}"},
    "a game is never deleted",
    when="""OLD.daily_id IS NOT NULL
            OR NOT EXISTS (SELECT 1 FROM games_erasure WHERE player_id = OLD.player_id AND is_open)""",
)

GUARDS = (
    STARTED
    | STARTED_IN_SQLITE
    | DELETED
    | refusing_truncation(TABLE, "a game is never deleted")
    | ENDED
    | ENDED_IN_SQLITE
    | refusing(
        "games_guard_started_sealed", "INSERT", TABLE, "no game starts sealed", when="NEW.sealed_log IS NOT NULL"
    )
    | SEALED
)
