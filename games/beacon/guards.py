"""Guards of beacons: the round of a day, or that it was missing, is a fact that stays as it is."""

from games.runtime.triggers import frozen

GUARDS = frozen("games_beaconoutcome", "the round of a day is never changed or deleted")
