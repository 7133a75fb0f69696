"""Everything in the database beyond the tables of leaderboards: all guards, each in the module of its subject."""

from games.runtime.triggers import complaining
from leaderboards.audit import guards as audit
from leaderboards.boards import guards as boards
from leaderboards.clubs import guards as clubs
from leaderboards.cups import guards as cups
from leaderboards.leagues import guards as leagues
from leaderboards.moderation import guards as moderation
from leaderboards.retests import guards as retests
from leaderboards.seasons import guards as seasons

GUARDS = (
    complaining("leaderboards")
    | boards.ENDED_GAMES
    | boards.GUARDS
    | audit.GUARDS
    | moderation.GUARDS
    | retests.GUARDS
    | seasons.GUARDS
    | leagues.GUARDS
    | clubs.GUARDS
    | cups.GUARDS
)
