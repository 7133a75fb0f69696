"""Statistics of players: tallies, streaks, bests."""
