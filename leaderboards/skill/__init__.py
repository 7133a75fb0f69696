"""Results of all players on a deal, and how much of a result is due to skill."""
