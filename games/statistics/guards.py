"""Triggers that note every game that ends, so that none is missing from the tallies."""

from games.runtime.triggers import following

GUARDS = following(
    "games_note_uncounted_game",
    ["INSERT", "UPDATE OF status"],
    "games_game",
    """INSERT INTO games_uncountedgame (game_id, player_id, due_at, is_counted)
    VALUES (NEW.id, NEW.player_id, NEW.finished_at, false) ON CONFLICT DO NOTHING""",
    when="NEW.status <> 'playing'",
)
