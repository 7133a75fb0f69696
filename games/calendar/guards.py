"""Guards of deals and days: cards, commitments and looks at what was secret stay as they are."""

from games.runtime.triggers import differ, refusing, refusing_truncation

COMMITMENT = "a commitment is never changed or deleted"
COMMITTED = ("id", "day", "rules", "division", "seed", "commitment", "committed_at", "grade")

GUARDS = (
    refusing(
        "games_guard_daily",
        "UPDATE",
        "games_dailydeal",
        COMMITMENT,
        when=f"OLD.deal_id IS NOT NULL OR NEW.deal_id IS NULL OR {differ((*COMMITTED, 'beacon', 'round', 'policy'))}",
    )
    | refusing("games_guard_deleted_daily", "DELETE", "games_dailydeal", COMMITMENT)
    | refusing_truncation("games_dailydeal", COMMITMENT)
    | refusing(
        "games_guard_deal",
        "UPDATE",
        "games_deal",
        "the cards of a deal are never changed",
        when=differ(("id", "rules", "deck", "created_at")),
    )
    | refusing("games_guard_deleted_deal", "DELETE", "games_deal", "a deal is never deleted")
    | refusing_truncation("games_deal", "a deal is never deleted")
    | refusing(
        "games_guard_secretaccess",
        "UPDATE OR DELETE",
        "games_secretaccess",
        "who looked at secrets is never forgotten",
    )
    | refusing_truncation("games_secretaccess", "a look at secrets is never forgotten")
)
