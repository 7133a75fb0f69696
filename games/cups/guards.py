"""Guards of cups: seeds, matches and results are written once, and a cup that has opened is never deleted."""

from games.runtime.triggers import differ, refusing, refusing_truncation

OPENED = "OLD.qualification_id IS NOT NULL OR OLD.seeded_at IS NOT NULL"
CUP_CHANGED = " OR ".join(
    [
        differ(("id", "rules", "for_bots", "code", "circle", "announced_for", "qualify_s", "limit_s", "rounds")),
        f"{differ(('name',))} AND NEW.name <> 'Tournament ' || NEW.id",
        f"({OPENED}) AND {differ(('opens_at',))}",
        *(
            f"OLD.{column} IS NOT NULL AND {differ((column,))}"
            for column in ("qualification_id", "seeded_at", "ended_at")
        ),
    ]
)
ENTRY_CHANGED = (
    f"{differ(('cup_id', 'player_id', 'seed', 'division'))} OR OLD.place IS NOT NULL AND {differ(('place',))}"
)
MATCH_CHANGED = " OR ".join(
    [
        differ(("cup_id", "division", "round", "number")),
        *(f"OLD.{column} IS NOT NULL AND {differ((column,))}" for column in ("race_id", "decided_at")),
    ]
)
SEAT_CHANGED = f"{differ(('match_id', 'entry_id'))} OR OLD.goes_on IS NOT NULL AND {differ(('place', 'goes_on'))}"

GUARDS = (
    refusing("games_guard_cup", "UPDATE", "games_cup", "a step of a cup is taken once", when=CUP_CHANGED)
    | refusing(
        "games_guard_deleted_cup",
        "DELETE",
        "games_cup",
        "a cup that has opened is never deleted",
        when=OPENED,
    )
    | refusing_truncation("games_cup", "a cup is never deleted")
    | refusing("games_guard_cup_entry", "UPDATE", "games_cupentry", "a seed never changes", when=ENTRY_CHANGED)
    | refusing("games_guard_cup_match", "UPDATE", "games_cupmatch", "a match starts and ends once", when=MATCH_CHANGED)
    | refusing("games_guard_cup_seat", "UPDATE", "games_cupseat", "a match is decided once", when=SEAT_CHANGED)
)
