"""Divide the tables of games and entries by month in PostgreSQL, and make the partitions of coming months.

The owner of the tables divides them once (`manage.py partition_tables`). What they have until then becomes their first
partition, without a row being copied; each month from then on has one of its own. Entries on tables of all time stay in
the first. Keys carry the day (`day_mark`, `first_number_of`), so a unique index without it can only be local to a
partition, and there it is as good: ranked attempts at a deal and what starts a game again share their day.
"""

from datetime import date, datetime, timedelta
from time import sleep
from typing import Any, NamedTuple

from django.db import OperationalError, connection, transaction

from games.play.guards import MARK
from games.runtime.triggers import in_postgresql
from leaderboards.boards.models import NAME_BITS

MONTHS_AHEAD = 3
TRIES, PAUSE_SECONDS = 60, 0.5
FIRST = "_first"
LONGEST_NAME = 63
HONOURS = "leaderboards_honour"
MAKING = "pyramid_make_months"


class Divided(NamedTuple):
    """A table and the column whose ranges are its months."""

    table: str
    key: str


# Entries first: PostgreSQL 15 cannot attach a table that refers to a divided one.
DIVIDED = (Divided("leaderboards_entry", "board_id"), Divided("games_game", "id"))
TABLES = ", ".join(table for table, _ in DIVIDED)
NAMES = ", ".join(f"'{table}'" for table, _ in DIVIDED)

_BOUND = f"""
CREATE FUNCTION pyramid_month_bound(parent text, month date) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT CASE parent WHEN 'games_game' THEN quote_literal({MARK.format(number="month - DATE '2020-01-01'")})
    ELSE ((month - DATE '2020-01-01' + 1)::bigint << {NAME_BITS})::text END
$$;
"""
# The statement that locks the tables, and all that foreign keys lead to or come from. PostgreSQL takes the strongest
# mode when triggers of foreign keys move. To ask for it later, while players wait for the same table, is a deadlock.
_LOCKING = f"""
SELECT 'LOCK TABLE ' || string_agg(DISTINCT concerned::text, ', ' ORDER BY concerned::text)
    || ' IN ACCESS EXCLUSIVE MODE'
FROM pg_constraint, unnest(ARRAY[conrelid, confrelid]::regclass[]) AS concerned
WHERE contype = 'f' AND conparentid = 0
    AND ARRAY[conrelid, confrelid]::regclass[] && ARRAY[{NAMES}]::regclass[]
"""  # noqa: S608  names are ours
LONGEST_WAIT = "500ms"  # players wait behind it; after a second, PostgreSQL would end one of them to resolve a deadlock
# The servers' role may call it, although it cannot create a table otherwise.
_MAKING = f"""
CREATE FUNCTION {MAKING}(first_month date, last_month date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '{LONGEST_WAIT}' AS $$
DECLARE
    parent text; month date; child text; suffix text; own record; made integer := 0;
BEGIN
    FOREACH parent IN ARRAY ARRAY[{NAMES}] LOOP
        FOR month IN SELECT generate_series(
            greatest(first_month, DATE '{{since}}'), least(last_month, first_month + interval '10 years'), '1 month'
        ) LOOP
            suffix := to_char(month, '_YYYY_MM');
            child := parent || suffix;
            CONTINUE WHEN to_regclass(quote_ident(child)) IS NOT NULL;
            IF made = 0 THEN
                EXECUTE ({_LOCKING});
            END IF;
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%s) TO (%s)', child, parent,
                pyramid_month_bound(parent, month), pyramid_month_bound(parent, (month + interval '1 month')::date)
            );
            FOR own IN SELECT pg_get_indexdef(indexrelid) AS definition, relname AS name
                FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
                WHERE indrelid = quote_ident(parent || '{FIRST}')::regclass
                    AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = indexrelid)
            LOOP
                EXECUTE regexp_replace(own.definition, 'INDEX .* ON .* USING', format(
                    'INDEX %I ON %I USING', left(regexp_replace(own.name, '{FIRST}$', ''), 55) || suffix, child
                ));
            END LOOP;
            FOR own IN SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger
                WHERE tgrelid = quote_ident(parent)::regclass AND NOT tgisinternal AND tgtype & 1 = 0
            LOOP
                EXECUTE regexp_replace(own.definition, ' ON .* FOR EACH', format(' ON %I FOR EACH', child));
            END LOOP;
            made := made + 1;
        END LOOP;
    END LOOP;
    RETURN made;
END $$;
"""  # noqa: S608  names are ours
# In place of the foreign key: entries have no key without their board any more, and none is ever deleted.
HONOURED = in_postgresql(
    "leaderboards_guard_honoured_entry",
    "BEFORE INSERT",
    HONOURS,
    """BEGIN
    IF NOT EXISTS (SELECT 1 FROM leaderboards_entry WHERE id = NEW.entry_id) THEN
        RAISE foreign_key_violation USING MESSAGE = 'an honour is for an entry';
    END IF;
    RETURN NEW;
END""",
)

_INDEXES = """
SELECT class.relname, pg_get_indexdef(indexrelid), con.conname, pg_get_constraintdef(con.oid),
    NOT indisunique OR EXISTS (
        SELECT 1 FROM pg_attribute WHERE attrelid = indrelid AND attname = %s AND attnum = ANY (indkey::smallint[])
    )
FROM pg_index JOIN pg_class AS class ON class.oid = indexrelid
LEFT JOIN pg_constraint AS con ON con.conindid = indexrelid AND con.contype IN ('p', 'u')
WHERE indrelid = %s::regclass
"""
_FOREIGN_KEYS = "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = %s::regclass"
_FOREIGN_KEYS += " AND contype = 'f'"
_REFERRING = "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
_REFERRING += " WHERE confrelid = %s::regclass AND contype = 'f' AND conparentid = 0"
_TRIGGERS = "SELECT tgname, pg_get_triggerdef(oid), tgtype & 1 FROM pg_trigger"
_TRIGGERS += " WHERE tgrelid = %s::regclass AND NOT tgisinternal"


def is_divided() -> bool:
    """Return True if the tables of this database are divided by month."""
    return connection.vendor == "postgresql" and bool(_rows(f"SELECT to_regproc('{MAKING}') IS NOT NULL")[0][0])


def next_month(day: date) -> date:
    """Return the first day of the next month."""
    return (day.replace(day=1) + timedelta(days=31)).replace(day=1)


def make_coming_months(now: datetime) -> None:
    """Make the partitions of this and the coming months, where the tables are divided."""
    if is_divided():
        make_months(now.date(), now.date() + timedelta(days=31 * MONTHS_AHEAD))


def make_months(first: date, last: date) -> int:
    """Make the partitions from the month of a day to that of another, and return how many there were not."""
    made: int = _rows(f"SELECT {MAKING}(%s, %s)", first.replace(day=1), last.replace(day=1))[0][0]
    return made


def divide_at_once(now: datetime) -> date:
    """Divide the tables, all or nothing, as soon as no transaction holds any of them; return the first month's day.

    Each try gives up before PostgreSQL would look for a deadlock and end a player's transaction to resolve it. The
    coming months are made under the same locks: players wait for them by then, and to ask again would be a deadlock.
    Raises what `divide` raises.
    """
    since = next_month(now.date())
    for left in reversed(range(TRIES)):
        try:
            with transaction.atomic():
                divide(since)
                make_coming_months(now)
            break
        except OperationalError:
            if not left:
                raise
            sleep(PAUSE_SECONDS)
    return since


def divide(since: date) -> None:
    """Divide the tables in a transaction: each month from that of a day on has its own partition.

    Raises `IntegrityError` if there are rows of such a month already, `OperationalError` if the tables are in use, and
    `DatabaseError` for anybody but the owner.
    """
    lock()
    _execute(_BOUND)
    for divided in DIVIDED:
        _divide(divided, since)
    _execute(_MAKING.format(since=since.replace(day=1)))
    HONOURED.create(connection.vendor, _execute)


def lock() -> None:
    """Lock the tables, and all that they refer to or that refer to them, in the strongest mode."""
    _execute(f"SET LOCAL lock_timeout = '{LONGEST_WAIT}'")
    _execute(_rows(_LOCKING)[0][0])


def _divide(divided: Divided, since: date) -> None:
    """Make the table that there is the first partition of a new one, which gets all that was declared on it."""
    table, key = divided
    first = table + FIRST
    referring, indexes = _rows(_REFERRING, table), _rows(_INDEXES, key, table)
    for other, name, _ in referring:
        _execute(f"ALTER TABLE {other} DROP CONSTRAINT {name}")
    foreign_keys = _rows(_FOREIGN_KEYS, table)
    foreign_keys += [(name, declared) for other, name, declared in referring if other == table]
    triggers = _taken_triggers(table)
    _rename(table, first, [name for name, *_ in indexes])
    parts = "INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE"
    _execute(f"CREATE TABLE {table} (LIKE {first} {parts}) PARTITION BY RANGE ({key})")
    _move_sequence(table, first)
    _declare(table, indexes, foreign_keys)
    bound = _rows("SELECT pyramid_month_bound(%s, %s)", table, since.replace(day=1))[0][0]
    _execute(f"ALTER TABLE {table} ATTACH PARTITION {first} FOR VALUES FROM (MINVALUE) TO ({bound})")
    for definition in triggers:
        _execute(definition)
    for other, name, declared in referring:
        if other not in (table, HONOURS):
            _execute(f"ALTER TABLE {other} ADD CONSTRAINT {name} {declared}")


def _taken_triggers(table: str) -> list[str]:
    """Drop the triggers of rows, since those of the new table are for its partitions too; return all as they were."""
    triggers = _rows(_TRIGGERS, table)
    for name, _, is_of_rows in triggers:
        if is_of_rows:
            _execute(f"DROP TRIGGER {name} ON {table}")
    return [definition for _, definition, _ in triggers]


def _declare(table: str, indexes: list[Any], foreign_keys: list[Any]) -> None:
    """Give a new table the indexes that can be of all partitions, and the foreign keys."""
    for name, definition, constraint, declared, is_of_all in indexes:
        if is_of_all:
            _execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {declared}" if constraint else definition)
    for name, declared in foreign_keys:
        _execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {declared}")


def _rename(table: str, first: str, indexes: list[str]) -> None:
    """Rename a table and its indexes, so that the new table can have their names."""
    _execute(f"ALTER TABLE {table} RENAME TO {first}")
    for name in indexes:
        _execute(f"ALTER INDEX {name} RENAME TO {name[: LONGEST_NAME - len(FIRST)]}{FIRST}")


def _move_sequence(table: str, first: str) -> None:
    """Have the new table number its rows where the old one ended; partitions cannot do so themselves."""
    sequence = _rows("SELECT pg_get_serial_sequence(%s, 'id')", first)[0][0]
    if sequence is not None:
        following = _rows("SELECT nextval(%s)", sequence)[0][0]
        _execute(f"ALTER TABLE {first} ALTER COLUMN id DROP IDENTITY")
        _execute(f"CREATE SEQUENCE {table}_id_seq START {following} OWNED BY {table}.id")
        _execute(f"ALTER TABLE {table} ALTER COLUMN id SET DEFAULT nextval('{table}_id_seq')")


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _rows(statement: str, *parameters: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[Any] = cursor.fetchall()
        return rows
