"""Guards in the database: moves are only added, without gaps, to unfinished games; a finished game is frozen."""

from __future__ import annotations

from django.db import migrations

from games.kit.triggers import CreateTriggers, Triggers

GUARD_GAME = """
CREATE OR REPLACE FUNCTION games_guard_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'playing' THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'a finished game is frozen';
    END IF;
    IF NEW.status <> 'playing' AND NEW.moves + NEW.hints <> (
        SELECT count(*) FROM games_move WHERE game_id = NEW.id
    ) THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'the summary counts every move';
    END IF;
    RETURN NEW;
END $$;
"""

TRIGGERS = """
CREATE FUNCTION games_guard_move() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    game_status text;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'a move is never changed';
    END IF;
    -- The lock makes the game's end wait for this move to be committed, or this move for the game's end.
    SELECT status INTO game_status FROM games_game WHERE id = NEW.game_id FOR SHARE;
    IF game_status <> 'playing' THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'a finished game takes no moves';
    END IF;
    IF NEW.version > 1 AND NOT EXISTS (
        SELECT FROM games_move WHERE game_id = NEW.game_id AND version = NEW.version - 1
    ) THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'versions have no gaps';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER games_guard_move BEFORE INSERT OR UPDATE ON games_move
    FOR EACH ROW EXECUTE FUNCTION games_guard_move();

CREATE TRIGGER games_guard_game BEFORE UPDATE ON games_game
    FOR EACH ROW EXECUTE FUNCTION games_guard_game();
"""

POSTGRESQL_WITHOUT = """
DROP TRIGGER games_guard_game ON games_game;
DROP FUNCTION games_guard_game;
DROP TRIGGER games_guard_move ON games_move;
DROP FUNCTION games_guard_move;
"""

SQLITE = {
    "games_move_is_never_changed": """
        BEFORE UPDATE ON games_move
        BEGIN SELECT RAISE(ABORT, 'a move is never changed'); END""",
    "games_finished_game_takes_no_moves": """
        BEFORE INSERT ON games_move
        WHEN (SELECT status FROM games_game WHERE id = NEW.game_id) <> 'playing'
        BEGIN SELECT RAISE(ABORT, 'a finished game takes no moves'); END""",
    "games_versions_have_no_gaps": """
        BEFORE INSERT ON games_move
        WHEN NEW.version > 1
            AND NOT EXISTS (SELECT 1 FROM games_move WHERE game_id = NEW.game_id AND version = NEW.version - 1)
        BEGIN SELECT RAISE(ABORT, 'versions have no gaps'); END""",
    "games_finished_game_is_frozen": """
        BEFORE UPDATE ON games_game WHEN OLD.status <> 'playing'
        BEGIN SELECT RAISE(ABORT, 'a finished game is frozen'); END""",
    "games_summary_counts_every_move": """
        BEFORE UPDATE ON games_game
        WHEN NEW.status <> 'playing'
            AND NEW.moves + NEW.hints <> (SELECT count(*) FROM games_move WHERE game_id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'the summary counts every move'); END""",
}


GUARDS = Triggers(GUARD_GAME + TRIGGERS, POSTGRESQL_WITHOUT, SQLITE)


class Migration(migrations.Migration):
    dependencies = (("games", "0001_initial"),)
    operations = (CreateTriggers(GUARDS),)
