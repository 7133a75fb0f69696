"""PostgreSQL empties a table by TRUNCATE without looking at its rows, and so past all guards of rows."""

from django.db import migrations

from games.kit.triggers import CreateTriggers, against_truncation

GUARDED = {
    "games_move": "a move is never deleted",
    "games_game": "a game is never deleted",
    "games_deal": "a deal is never deleted",
    "games_dailydeal": "a commitment is never changed or deleted",
    "games_race": "a race is never deleted",
    "games_racer": "who took part in a race is never changed or deleted",
    "games_erasure": "an erasure is only ever closed",
    "games_secretaccess": "a look at secrets is never forgotten",
}


class Migration(migrations.Migration):
    dependencies = [("games", "0031_races")]

    operations = [CreateTriggers(against_truncation("games_guard_history", GUARDED))]
