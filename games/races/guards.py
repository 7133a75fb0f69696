"""Guards of races: what one is run on never changes; one that has begun keeps its racers, and a result stays."""

from games.runtime.triggers import differ, refusing, refusing_truncation

RUN_ON = (
    *("id", "deal_id", "tie_break", "limit_s", "countdown_s", "is_public", "admits_bots", "entry", "circle"),
    *("hour", "created_at"),
)
SET_ONCE = ("starts_at", "begun_at", "ended_at")
RESULT = ("place", "outcome", "cards_left", "moves", "elapsed_ms", "is_rated", "is_rival", "person")
OTHER_RACERS = "a race that has begun keeps its racers"

RACE_CHANGED = " OR ".join(
    [differ(RUN_ON), *(f"OLD.{column} IS NOT NULL AND {differ((column,))}" for column in SET_ONCE)]
)
RACER_CHANGED = (
    f"{differ(('race_id', 'player_id', 'joined_at'))}"
    f" OR OLD.place IS NOT NULL AND {differ(RESULT)}"
    " OR OLD.game_id IS NOT NULL AND NEW.game_id IS NOT NULL AND NEW.game_id <> OLD.game_id"
)

BEGUN = "EXISTS (SELECT 1 FROM games_race WHERE id = {row}.race_id AND begun_at IS NOT NULL{which})"
BEGUN_BEFORE = BEGUN.format(row="OLD", which="")
CLOSED = BEGUN.format(row="NEW", which=" AND (entry <> 'rolling' OR ended_at IS NOT NULL)")

GUARDS = (
    refusing(
        "games_guard_race",
        "UPDATE",
        "games_race",
        "what a race is run on, and when, never changes",
        when=RACE_CHANGED,
    )
    | refusing(
        "games_guard_deleted_race",
        "DELETE",
        "games_race",
        "a race that has begun is never deleted",
        when="OLD.begun_at IS NOT NULL",
    )
    | refusing_truncation("games_race", "a race is never deleted")
    | refusing("games_guard_racer", "UPDATE", "games_racer", "the result of a race is written once", when=RACER_CHANGED)
    | refusing("games_guard_new_racer", "INSERT", "games_racer", OTHER_RACERS, when=CLOSED)
    | refusing("games_guard_leaving_racer", "DELETE", "games_racer", OTHER_RACERS, when=BEGUN_BEFORE)
    | refusing_truncation("games_racer", "who took part in a race is never changed or deleted")
)
