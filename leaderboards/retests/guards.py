"""Guards of retests: what was offered stays, each step is taken once, and results are written once."""

from games.runtime.triggers import differ, refusing, refusing_truncation

RETEST, DEAL = "leaderboards_retest", "leaderboards_retestdeal"
OFFERED = (
    *("id", "case_id", "player_id", "offered_by_id", "offered_at", "open_until"),
    *("rules", "fresh", "alike", "minutes"),
)
SET_ONCE = ("accepted_at", "begun_at", "ended_at", "scored_at")
SCORED = ("version", "foresight", "near_par")
STARTED = ("retest_id", "number", "origin_id")
RESULT = ("outcome", "moves", "cards_left", "par", "bets", "bet", "par_factors", "error")
STAYS = "a retest is never deleted"

RETEST_CHANGED = " OR ".join(
    [
        differ(OFFERED),
        *(f"OLD.{column} IS NOT NULL AND {differ((column,))}" for column in SET_ONCE),
        f"OLD.ended_at IS NOT NULL AND {differ(('end',))}",
        f"OLD.scored_at IS NOT NULL AND {differ(SCORED)}",
        f"OLD.ended_at IS NOT NULL AND {differ(('accepted_at', 'begun_at'))}",
    ]
)
DEAL_CHANGED = (
    f"{differ(STARTED)} OR NEW.game_id IS NOT NULL AND {differ(('game_id',))}"
    f" OR OLD.scored_at IS NOT NULL AND {differ((*RESULT, 'scored_at'))}"
)
NOT_ITS_TURN = f"""
    NEW.number > (SELECT fresh + alike FROM {RETEST} WHERE id = NEW.retest_id)
    OR EXISTS (SELECT 1 FROM {RETEST} WHERE id = NEW.retest_id AND (begun_at IS NULL OR ended_at IS NOT NULL))
    OR NEW.number <> 1 + (SELECT count(*) FROM {DEAL} WHERE retest_id = NEW.retest_id)
    OR EXISTS (
        SELECT 1 FROM {DEAL} JOIN games_game ON games_game.id = {DEAL}.game_id
        WHERE {DEAL}.retest_id = NEW.retest_id AND games_game.status = 'playing'
    )
"""  # noqa: S608  names of tables

GUARDS = (
    refusing("leaderboards_guard_retest", "UPDATE", RETEST, "a step of a retest is taken once", when=RETEST_CHANGED)
    | refusing("leaderboards_guard_deleted_retest", "DELETE", RETEST, STAYS)
    | refusing("leaderboards_guard_retest_deal", "UPDATE", DEAL, "a deal of a retest stays", when=DEAL_CHANGED)
    | refusing(
        "leaderboards_guard_new_retest_deal",
        "INSERT",
        DEAL,
        "a deal of a retest follows one that has ended",
        when=NOT_ITS_TURN,
    )
    | refusing("leaderboards_guard_deleted_retest_deal", "DELETE", DEAL, STAYS)
    | refusing_truncation(RETEST, STAYS)
    | refusing_truncation(DEAL, STAYS)
)
