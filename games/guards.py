"""Everything in the database beyond the tables of games: all guards, each in the module of its subject."""

from games.beacon import guards as beacon
from games.calendar import guards as calendar
from games.cups import guards as cups
from games.personal_data import guards as personal_data
from games.play import guards as play
from games.play import log_guards
from games.races import guards as races
from games.runtime.triggers import complaining
from games.statistics import guards as statistics
from games.tlog import guards as tlog

GUARDS = (
    complaining("games")
    | log_guards.GUARDS
    | play.GUARDS
    | calendar.GUARDS
    | beacon.GUARDS
    | personal_data.GUARDS
    | races.GUARDS
    | cups.GUARDS
    | statistics.GUARDS
    | tlog.GUARDS
)
