"""Guards of games: what one was started with stays, it ends with the log that it has, and then it is frozen.

The one thing that is set after the end is the sealed log, once and with as many actions as there are rows; these go in
the same statement.
"""

from games.players.models import ID_ALPHABET
from games.runtime.triggers import differ, following, refusing, refusing_truncation

TABLE = "games_game"
STARTED_WITH = ("deal_id", "daily_id", "attempt", "suits", "policy")
ALL_BUT_THE_SEALED_LOG = (
    *("id", "player_id", "deal_id", "daily_id", "suits", "attempt", "restart_of_id", "policy", "status"),
    *("created_at", "started_at", "finished_at", "elapsed_ms", "downtime_ms", "hasty"),
    *("moves", "draws", "recycles", "undos", "hints", "cards_left"),
)
ATTEMPTS = {"postgresql": "(policy->>'attempts')::integer", "sqlite": "json_extract(policy, '$.attempts')"}
# Bytes 2 and 3 of a sealed log are the number of its actions, in every format (docs/notation.md).
COUNTED = "substr(NEW.sealed_log, 2, 2)"
IS_SEALED = "NEW.sealed_log IS NOT NULL"
# The first characters of ids of a day, as in `day_mark`.
NUMBERS = {"postgresql": "day - DATE '2020-01-01'", "sqlite": "CAST(julianday(day) - 2458849.5 AS integer)"}
MARK = " || ".join(f"substr('{ID_ALPHABET}', (({{number}}) >> {shift} & 31) + 1, 1)" for shift in (10, 5, 0))
OWN_DAY = """
    NEW.restart_of_id IS NULL AND NEW.daily_id IS NOT NULL
    AND substr(NEW.id, 1, 3) <> (SELECT {mark} FROM games_dailydeal WHERE id = NEW.daily_id)
    OR NEW.restart_of_id IS NOT NULL AND substr(NEW.id, 1, 3) <> substr(NEW.restart_of_id, 1, 3)
"""
LOGGED = "(SELECT count(*) FROM games_move WHERE game_id = NEW.id)"

STARTED = (
    refusing(
        "games_guard_start", "UPDATE", TABLE, "what a game was started with never changes", when=differ(STARTED_WITH)
    )
    | refusing(
        "games_guard_attempts",
        "INSERT",
        TABLE,
        "the policy allows no more attempts",
        when={
            vendor: f"NEW.attempt > (SELECT coalesce({attempts}, 1) FROM games_dailydeal WHERE id = NEW.daily_id)"  # noqa: S608
            for vendor, attempts in ATTEMPTS.items()
        },
    )
    | refusing(
        "games_guard_order_of_attempts",
        "INSERT",
        TABLE,
        "an attempt follows one that has ended",
        when="""NEW.daily_id IS NOT NULL AND NEW.attempt > 1 AND NOT EXISTS (
            SELECT 1 FROM games_game WHERE player_id = NEW.player_id AND daily_id = NEW.daily_id
                AND attempt = NEW.attempt - 1 AND status <> 'playing'
        )""",
    )
    | refusing(
        "games_guard_day",
        "INSERT",
        TABLE,
        "an id begins with the day of the game",
        when={vendor: OWN_DAY.format(mark=MARK.format(number=number)) for vendor, number in NUMBERS.items()},
    )
    | refusing("games_guard_started_sealed", "INSERT", TABLE, "no game starts sealed", when=IS_SEALED)
)

ENDED = (
    refusing(
        "games_guard_summary",
        "UPDATE",
        TABLE,
        "the summary counts every move",
        when=f"NEW.status <> 'playing' AND NEW.moves + NEW.hints <> {LOGGED}",
    )
    | refusing(
        "games_guard_sealed_log",
        "UPDATE",
        TABLE,
        "a sealed log has every move",
        when={
            "postgresql": f"{IS_SEALED} AND {COUNTED} <> decode(lpad(to_hex({LOGGED}), 4, '0'), 'hex')",
            "sqlite": f"{IS_SEALED} AND hex({COUNTED}) <> printf('%04X', {LOGGED})",
        },
    )
    | refusing(
        "games_guard_unfinished",
        "UPDATE",
        TABLE,
        "an unfinished game is not sealed",
        when=f"OLD.status = 'playing' AND {IS_SEALED}",
    )
    | refusing(
        "games_guard_frozen",
        "UPDATE",
        TABLE,
        "a finished game is frozen",
        when=f"""OLD.status <> 'playing' AND (
            NEW.sealed_log IS NULL OR OLD.sealed_log IS NOT NULL OR {differ(ALL_BUT_THE_SEALED_LOG)}
        )""",
    )
)

# Only an erasure of the same transaction deletes games, and of its player alone those without a rank.
DELETED = refusing(
    "games_guard_deleted_game",
    "DELETE",
    TABLE,
    "a game is never deleted",
    when="""OLD.daily_id IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM games_erasure WHERE player_id = OLD.player_id AND is_open
    )""",
)

SEALED = following(
    "games_delete_sealed_moves",
    ["UPDATE"],
    TABLE,
    "DELETE FROM games_move WHERE game_id = NEW.id",
    when=f"OLD.sealed_log IS NULL AND {IS_SEALED}",
)

GUARDS = STARTED | ENDED | SEALED | DELETED | refusing_truncation(TABLE, "a game is never deleted")
